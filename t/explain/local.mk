check_PROGRAMS += \
	%D%/diagnosis.t \
	%D%/explanation.t \
	%D%/miss.t
