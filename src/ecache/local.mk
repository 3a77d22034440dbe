libpredicated_a_SOURCES += \
	%D%/cut.c %D%/cut.h \
	%D%/harm.c %D%/harm.h \
	%D%/memo.c %D%/memo.h \
	%D%/memo_block.c \
	%D%/memo_follow.c \
	%D%/memo_groups.c %D%/memo_groups.h \
	%D%/memo_internal.h \
	%D%/memo_kin.c \
	%D%/memo_node.c \
	%D%/memo_place.c \
	%D%/outlook.c %D%/outlook.h
