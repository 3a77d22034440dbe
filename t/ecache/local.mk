check_PROGRAMS += %D%/memo_groups.t %D%/memo_kin.t
