# What is installed, and what systemd makes of it.
check_PROGRAMS += %D%/manifests.t
dist_check_SCRIPTS += \
	%D%/install.t \
	%D%/systemd.t
