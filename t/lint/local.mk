dist_check_SCRIPTS += %D%/layers.t %D%/tables.t
