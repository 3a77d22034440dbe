check_PROGRAMS += %D%/cel.t
