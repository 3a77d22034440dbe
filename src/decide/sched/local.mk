libpredicated_a_SOURCES += \
	%D%/cells.c %D%/cells.h \
	%D%/decide.c %D%/decide.h \
	%D%/decision.h \
	%D%/decision_message.c \
	%D%/extension_apply.c %D%/extension_apply.h \
	%D%/filter.c %D%/filter.h \
	%D%/post_filter.c %D%/post_filter.h \
	%D%/preempt.c %D%/preempt.h \
	%D%/pre_enqueue.c %D%/pre_enqueue.h \
	%D%/prefilters.c %D%/prefilters.h \
	%D%/score.c %D%/score.h \
	%D%/victims.c %D%/victims.h
