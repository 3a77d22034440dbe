dist_check_SCRIPTS += %D%/answers.t %D%/browser.t %D%/guard.t \
	%D%/verdicts.t
EXTRA_DIST += %D%/browser.mjs %D%/browser.sh %D%/make_cluster.sh %D%/web.sh

# On a real kube-apiserver.
API_TESTS += %D%/live_page.t %D%/reload.t
EXTRA_DIST += %D%/live_page.t %D%/reload.t
