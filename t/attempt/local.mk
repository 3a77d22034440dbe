check_PROGRAMS += %D%/decisions.t %D%/left_out.t %D%/time_limit.t
