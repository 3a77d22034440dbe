EXTRA_DIST += %D%/apiserver %D%/coverage %D%/cppcheck.suppressions %D%/demo \
	%D%/format %D%/help %D%/lint %D%/packages %D%/picture %D%/prepare.sh %D%/protobuf-table %D%/test

format:
	$(top_srcdir)/script/format fix
lint:
	$(top_srcdir)/script/lint
coverage:
	$(top_srcdir)/script/coverage
help:
	@$(top_srcdir)/script/help
.PHONY: format lint coverage help
