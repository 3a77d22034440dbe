# The scripts for people.
dist_check_SCRIPTS += %D%/release.t %D%/test.t
