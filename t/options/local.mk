check_PROGRAMS += %D%/options.t %D%/options_documents.t
