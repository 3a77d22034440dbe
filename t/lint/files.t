#!/bin/sh
# The daemon reads files through file_load() alone, which never waits and has a
# limit.  What else opens one is here, with its reason.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

found=$(find src -path src/tool -prune -o -name '*.[ch]' -print | sort |
    xargs grep -nE '[^_[:alnum:]](open|openat|fopen|fopen64|mmap)\(|[a-z]_(use|load)_[a-zA-Z_]*(file|locations)\(|BIO_new_file|config_read_file' |
    grep -v ':[[:space:]]*[/ ]\*' | sed 's/:.*//' | sort | uniq -c | awk '{ print $2, $1 }')
is "files are opened here" "$found" \
"src/base/doc.c 2
src/base/file.c 1
src/daemon/record/reader.c 1
src/daemon/record/writer.c 2
src/options/options.c 1
src/options/options_file.c 1
src/wire/http/server_child.c 1
src/wire/http/server_tls.c 1
src/wire/metrics/metrics_process.c 1"
# record/ writes, but for the reader of the tool; doc.c: dumps of the
# tool; server_tls.c writes the pair of --cert-dir; metrics_process.c and server_child.c:
# /proc/self;
# options: at the start, before the event loop.
finish
