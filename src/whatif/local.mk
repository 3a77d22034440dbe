libpredicated_a_SOURCES += \
	%D%/capacity.c %D%/capacity.h \
	%D%/drain.c %D%/drain.h \
	%D%/whatif.c %D%/whatif.h
