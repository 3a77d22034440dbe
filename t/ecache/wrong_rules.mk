# After the build's Makefile: compiles $(FOLDER)/rule.c and links signature.t with it in
# the place of the library's rule.
.PHONY: rule
rule:
	$(COMPILE) -c -o $(FOLDER)/rule.o $(FOLDER)/rule.c
	$(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
	    -o $(FOLDER)/signature.t t/ecache/signature.o $(FOLDER)/rule.o \
	    $(LDADD) $(LIBS)
