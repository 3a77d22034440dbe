dist_man_MANS += %D%/policy.cfg.5 %D%/predicatectl.1
