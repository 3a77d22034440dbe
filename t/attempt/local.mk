check_PROGRAMS += %D%/decisions.t %D%/left_out.t \
	%D%/report.t %D%/time_limit.t
