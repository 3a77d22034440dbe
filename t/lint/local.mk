dist_check_SCRIPTS += %D%/hardening.t %D%/layers.t %D%/tables.t
