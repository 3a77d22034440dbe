check_PROGRAMS += \
	%D%/claims.t \
	%D%/decide.t \
	%D%/explanation.t \
	%D%/extension.t \
	%D%/filter.t \
	%D%/gates.t \
	%D%/memo_groups.t \
	%D%/memo_kin.t \
	%D%/partition.t \
	%D%/preempt.t \
	%D%/queue.t \
	%D%/queue_event.t \
	%D%/victims.t
