libpredicated_a_SOURCES += \
	%D%/decide.c %D%/decide.h \
	%D%/decision_message.c \
	%D%/explanation.c %D%/explanation.h \
	%D%/extension_apply.c %D%/extension_apply.h \
	%D%/filter.c %D%/filter.h \
	%D%/preempt.c %D%/preempt.h \
	%D%/victims.c %D%/victims.h
