EXTRA_DIST += %D%/apiserver %D%/coverage %D%/cppcheck.suppressions %D%/demo \
	%D%/format %D%/help %D%/lint %D%/packages %D%/picture %D%/prepare.sh %D%/protobuf-table %D%/release %D%/test

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
.PHONY: format lint coverage help release clean-release
