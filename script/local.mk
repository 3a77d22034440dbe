EXTRA_DIST += %D%/apiserver %D%/demo %D%/prepare.sh %D%/protobuf-table \
	%D%/test
