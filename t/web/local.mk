dist_check_SCRIPTS += %D%/answers.t %D%/guard.t
EXTRA_DIST += %D%/web.sh
