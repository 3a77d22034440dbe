libpredicated_a_SOURCES += \
	%D%/answer.h %D%/answer_policy.c \
	%D%/guard.c %D%/guard.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/web.c %D%/web.h
