# The library for other programs: include/predicated.h and what that needs of the engine, as
# one object that exports no other symbols.
libpredicated_a_SOURCES += include/predicated.h %D%/predicated.c
include_HEADERS = include/predicated.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/predicated.pc
librarydir = $(libdir)
nodist_library_DATA = %D%/libpredicated.a
%D%/libpredicated.a: libpredicated.a
	$(AM_V_GEN)$(CC) -r -nostdlib -Wl,-u,predicated_new \
	    -o $(@D)/whole.o libpredicated.a && \
	    $(OBJCOPY) --wildcard --keep-global-symbol='predicated_*' \
		$(@D)/whole.o && \
	    rm -f $@ && $(AR) cr $@ $(@D)/whole.o && rm $(@D)/whole.o
CLEANFILES += %D%/libpredicated.a
