EXTRA_DIST += %D%/demo %D%/prepare.sh %D%/test
