check_PROGRAMS += \
	%D%/alike.t
