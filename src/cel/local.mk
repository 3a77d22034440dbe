libpredicated_a_SOURCES += \
	%D%/cel.h
