check_PROGRAMS += %D%/pick.t %D%/signature.t
dist_check_SCRIPTS += %D%/wrong_rules.t
EXTRA_DIST += %D%/wrong_rules.mk %D%/wrong_rules
