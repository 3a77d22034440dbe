EXTRA_DIST += %D%/apiserver %D%/catalogs %D%/coverage %D%/cppcheck.suppressions %D%/deb %D%/debian-root %D%/demo \
	%D%/e2e %D%/format %D%/help %D%/identity %D%/image %D%/image-root %D%/integration %D%/kosmos %D%/lint %D%/openshift \
	%D%/package-tools %D%/packages %D%/picture %D%/prepare.sh %D%/protobuf-table %D%/real %D%/release %D%/rpm \
	%D%/source-date %D%/test

format:
	$(top_srcdir)/script/format fix
lint:
	$(top_srcdir)/script/lint
coverage:
	$(top_srcdir)/script/coverage
help:
	@$(top_srcdir)/script/help
# RELEASE_FLAGS=--rehearse tries it.
release:
	$(top_srcdir)/script/release $(RELEASE_FLAGS) .
clean-local: clean-release
clean-release:
	rm -rf release

# The packages are made from the tarball alone, in a folder of their own.
deb rpm image: dist
	$(top_srcdir)/script/$@ --output packages $(distdir).tar.xz
.PHONY: format lint coverage help deb rpm image release clean-release
