check_PROGRAMS += %D%/metrics.t
