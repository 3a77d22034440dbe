check_PROGRAMS += \
	%D%/claims.t \
	%D%/decide.t \
	%D%/explanation.t \
	%D%/extension.t \
	%D%/preempt.t
