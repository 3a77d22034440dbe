check_PROGRAMS += %D%/gates.t %D%/profiles.t
