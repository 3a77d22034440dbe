libpredicated_a_SOURCES += \
	%D%/cut.c %D%/cut.h \
	%D%/eviction_cost.c %D%/eviction_cost.h \
	%D%/ecache.c %D%/ecache.h \
	%D%/results_block.c \
	%D%/follow.c \
	%D%/partition.c %D%/partition.h \
	%D%/ecache_internal.h \
	%D%/signature.c \
	%D%/results.c \
	%D%/place.c \
	%D%/eviction.c %D%/eviction.h
