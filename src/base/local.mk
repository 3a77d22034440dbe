libpredicated_a_SOURCES += \
	%D%/quantity.c %D%/quantity.h \
	%D%/arena.c %D%/arena.h \
	%D%/base64.c %D%/base64.h \
	%D%/clock.h \
	%D%/complete.c %D%/complete.h \
	%D%/doc.c %D%/doc.h %D%/doc_build.h %D%/doc_internal.h \
	%D%/doc_get.c %D%/doc_yaml.c \
	%D%/doc_json.c %D%/doc_json_internal.h %D%/doc_json_list.c \
	%D%/duration.c %D%/duration.h \
	%D%/err.c %D%/err.h \
	%D%/excerpt.c %D%/excerpt.h \
	%D%/file.c %D%/file.h \
	%D%/hash.c %D%/hash.h \
	%D%/heap.c %D%/heap.h \
	%D%/json_out.c %D%/json_out.h \
	%D%/log.c %D%/log.h \
	%D%/map.c %D%/map.h \
	%D%/prelude.h \
	%D%/sha1.c %D%/sha1.h \
	%D%/sorted.h \
	%D%/sym.c %D%/sym.h \
	%D%/text.c %D%/text.h \
	%D%/utf8.h \
	%D%/uuid.c %D%/uuid.h \
	%D%/version.c %D%/version.h \
	%D%/vectorize.h \
	%D%/xmalloc.c %D%/xmalloc.h
