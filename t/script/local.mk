# The scripts for people.
dist_check_SCRIPTS += %D%/test.t
