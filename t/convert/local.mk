check_PROGRAMS += \
	%D%/convert.t \
	%D%/rules.t
