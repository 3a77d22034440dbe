check_PROGRAMS += %D%/record.t %D%/recorder.t
