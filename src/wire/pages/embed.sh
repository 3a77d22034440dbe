#!/bin/sh
# embed.sh TABLE FILE…: the files as arrays of C, and the table of them, a const
# struct page_files.
set -eu
table=$1
shift

type_of() {
	case $1 in
	*.html) echo 'text/html; charset=utf-8' ;;
	*.css) echo 'text/css; charset=utf-8' ;;
	*.js) echo 'text/javascript; charset=utf-8' ;;
	*.svg) echo 'image/svg+xml' ;;
	*)
		echo "embed.sh: $1: unknown type" >&2
		exit 1
		;;
	esac
}

echo "/* Made by embed.sh. */"
n=0
for file; do
	n=$((n + 1))
	echo "static const unsigned char ${table}_$n[] = {"
	od -An -v -tu1 "$file" | sed 's/  *\([0-9][0-9]*\)/\1,/g'
	echo "};"
done
echo "static const struct page_file ${table}_files[] = {"
n=0
for file; do
	n=$((n + 1))
	echo "{ \"$(basename "$file")\", \"$(type_of "$file")\"," \
	    "${table}_$n, sizeof(${table}_$n) },"
done
echo "};"
echo "const struct page_files $table = { $#, ${table}_files };"
