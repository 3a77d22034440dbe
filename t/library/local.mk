check_PROGRAMS += %D%/predicated.t
dist_check_SCRIPTS += %D%/library.t
