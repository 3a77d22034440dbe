# What is installed, and what systemd makes of it.
check_PROGRAMS += %D%/manifests.t
dist_check_SCRIPTS += \
	%D%/install.t \
	%D%/monitoring.t \
	%D%/systemd.t
EXTRA_DIST += %D%/alerts_test.yaml
