check_PROGRAMS += %D%/configuration.t
