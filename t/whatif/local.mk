check_PROGRAMS += \
	%D%/defrag.t
EXTRA_DIST += %D%/whatif.h
