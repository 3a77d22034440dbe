check_PROGRAMS += \
	%D%/claims.t \
	%D%/decide.t \
	%D%/extension.t \
	%D%/filter.t \
	%D%/partition.t \
	%D%/post_filter.t \
	%D%/preempt.t \
	%D%/prefilters.t \
	%D%/score.t \
	%D%/victims.t
