libpredicated_a_SOURCES += \
	%D%/answer.c %D%/answer.h %D%/answer_internal.h \
	%D%/answer_cluster.c \
	%D%/answer_pod.c \
	%D%/answer_pods.c \
	%D%/answer_policy.c \
	%D%/guard.c %D%/guard.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/web.c %D%/web.h
