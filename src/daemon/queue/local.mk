libpredicated_a_SOURCES += \
	%D%/hints.c %D%/hints.h \
	%D%/queue.c %D%/queue.h \
	%D%/queue_event.c %D%/queue_event.h %D%/queue_event_table.h \
	%D%/term_watch.c %D%/term_watch.h
