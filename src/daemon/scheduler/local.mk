libpredicated_a_SOURCES += \
	%D%/attempt.c \
	%D%/binder.c %D%/binder.h \
	%D%/claims.c %D%/claims.h \
	%D%/decisions.c %D%/decisions.h \
	%D%/dry_run.c %D%/dry_run.h \
	%D%/flight.c %D%/flight.h \
	%D%/left_out.c %D%/left_out.h \
	%D%/plugins.c %D%/plugins.h \
	%D%/preemptor.c %D%/preemptor.h \
	%D%/report.c %D%/report.h \
	%D%/scheduler.c %D%/scheduler.h \
	%D%/serving.c \
	%D%/sticky_jobs.c %D%/sticky_jobs.h \
	%D%/time_limit.c %D%/time_limit.h \
	%D%/volumes.c %D%/volumes.h \
	%D%/waits.c %D%/waits.h
