libpredicated_a_SOURCES += \
	%D%/election.c %D%/election.h \
	%D%/leader.c %D%/leader.h
