libpredicated_a_SOURCES += \
	%D%/eviction_cost.c %D%/eviction_cost.h \
	%D%/ecache.c %D%/ecache.h \
	%D%/partition.c %D%/partition.h \
	%D%/ecache_internal.h \
	%D%/signature.c \
	%D%/results.c \
	%D%/eviction.c %D%/eviction.h
