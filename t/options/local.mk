check_PROGRAMS += %D%/configurations.t %D%/options.t %D%/options_documents.t
