# What is installed, and what systemd makes of it.
dist_check_SCRIPTS += \
	%D%/install.t \
	%D%/systemd.t
