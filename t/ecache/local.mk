check_PROGRAMS += %D%/pick.t %D%/signature.t
