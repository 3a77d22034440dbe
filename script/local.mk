EXTRA_DIST += %D%/prepare.sh %D%/test
