libpredicated_a_SOURCES += \
	%D%/reader.c %D%/reader.h \
	%D%/record.c %D%/record.h \
	%D%/recorder.c %D%/recorder.h \
	%D%/writer.c %D%/writer.h
