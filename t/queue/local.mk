check_PROGRAMS += %D%/queue.t %D%/queue_event.t \
	%D%/requeue.t %D%/term_watch.t
