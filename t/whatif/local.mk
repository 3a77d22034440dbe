check_PROGRAMS += \
	%D%/defrag.t \
	%D%/tune.t
EXTRA_DIST += %D%/whatif.h
