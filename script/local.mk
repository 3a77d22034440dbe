EXTRA_DIST += %D%/apiserver %D%/demo %D%/format %D%/prepare.sh \
	%D%/protobuf-table %D%/test

format:
	$(top_srcdir)/script/format fix
.PHONY: format
