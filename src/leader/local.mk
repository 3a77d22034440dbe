libpredicated_a_SOURCES += \
	%D%/candidacy.c %D%/candidacy.h \
	%D%/election.c %D%/election.h \
	%D%/leader.c %D%/leader.h
