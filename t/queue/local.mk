check_PROGRAMS += %D%/queue.t %D%/queue_event.t
