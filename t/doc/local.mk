# Pages for people: what they say is so.
dist_check_SCRIPTS += %D%/manual.t %D%/operations.t %D%/readme.t
EXTRA_DIST += %D%/examples.sh
