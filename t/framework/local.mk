check_PROGRAMS += %D%/gates.t
