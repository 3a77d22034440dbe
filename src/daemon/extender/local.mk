libpredicated_a_SOURCES += \
	%D%/documents.c %D%/documents.h \
	%D%/extender_eviction.c \
	%D%/extender_http.c \
	%D%/extender_json.c \
	%D%/extender_round.c \
	%D%/extenders.c %D%/extenders.h \
	%D%/extenders_internal.h
