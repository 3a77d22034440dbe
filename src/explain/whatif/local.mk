libpredicated_a_SOURCES += \
	%D%/audit.c %D%/audit.h \
	%D%/balance.c %D%/balance.h \
	%D%/capacity.c %D%/capacity.h \
	%D%/defrag.c %D%/defrag.h \
	%D%/diff.c %D%/diff.h \
	%D%/drain.c %D%/drain.h \
	%D%/room.c %D%/room.h \
	%D%/tune.c %D%/tune.h \
	%D%/waiting.c %D%/waiting.h %D%/waiting_nodes.c \
	%D%/whatif.c %D%/whatif.h \
	%D%/why_not.c %D%/why_not.h
