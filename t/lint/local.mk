dist_check_SCRIPTS += \
	%D%/citations.t %D%/files.t %D%/hardening.t %D%/layers.t %D%/tables.t
