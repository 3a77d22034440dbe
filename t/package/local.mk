# The recipes of the packages, quickly; the packages themselves: make check-packages.
dist_check_SCRIPTS += %D%/catalogs.t %D%/files.t
noinst_PROGRAMS += %D%/yaml
t_package_yaml_LDADD = libpredicated.a
PACKAGE_TESTS = \
	%D%/autopkgtest.t \
	%D%/install.t \
	%D%/image.t \
	%D%/lint.t \
	%D%/reproducible.t \
	%D%/rpm.t
EXTRA_DIST += $(PACKAGE_TESTS)

# The image takes root; a test that has none of what it is about says why.
check-packages: all
	$(MAKE) $(AM_MAKEFLAGS) deb
	$(MAKE) $(AM_MAKEFLAGS) rpm
	test "$$(id -u)" -ne 0 || $(MAKE) $(AM_MAKEFLAGS) image
	setpriv --pdeathsig TERM $(SHELL) $(top_srcdir)/t/lib/limited.sh 2h \
	    $(MAKE) $(AM_MAKEFLAGS) -j1 check TESTS="$(PACKAGE_TESTS)"
clean-local:
	rm -rf packages
.PHONY: check-packages
