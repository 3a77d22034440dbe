# Pages for people: what they say is so.
dist_check_SCRIPTS += %D%/guides.t %D%/manual.t %D%/operations.t %D%/readme.t
EXTRA_DIST += %D%/commands.sh %D%/examples.sh

# README's commands on a bare Debian 12: as root, with a mirror of Debian.
FRESH_TESTS = %D%/fresh.t
EXTRA_DIST += $(FRESH_TESTS)
check-fresh: all
	setpriv --pdeathsig TERM $(SHELL) $(top_srcdir)/t/lib/limited.sh 1h \
	    $(MAKE) $(AM_MAKEFLAGS) -j1 check TESTS="$(FRESH_TESTS)"
.PHONY: check-fresh
