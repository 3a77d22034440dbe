libpredicated_a_SOURCES += \
	%D%/decide.c %D%/decide.h \
	%D%/decision_message.c \
	%D%/explanation.c %D%/explanation.h \
	%D%/extension_apply.c %D%/extension_apply.h \
	%D%/filter.c %D%/filter.h \
	%D%/memo.c %D%/memo.h \
	%D%/memo_block.c \
	%D%/memo_follow.c \
	%D%/memo_groups.c %D%/memo_groups.h \
	%D%/memo_kin.c \
	%D%/memo_internal.h \
	%D%/memo_node.c %D%/memo_place.c \
	%D%/outlook.c %D%/outlook.h \
	%D%/parts.c %D%/parts.h \
	%D%/preempt.c %D%/preempt.h \
	%D%/queue.c %D%/queue.h \
	%D%/queue_event.c %D%/queue_event.h \
	%D%/victims.c %D%/victims.h
