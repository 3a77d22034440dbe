/* Writes a .tar.gz (POSIX ustar in gzip); a .tar without zlib. */
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H

struct archive;

/* What names of archives end in. */
extern const char archive_suffix[];

/*
 * Creates the file, for its owner alone; one that exists is an error.  mtime, in
 * seconds since 1970, is that of all members.  path must outlive it.  You own it;
 * NULL: err.
 */
struct archive *archive_new(const char *path, int64_t mtime, struct err *err);

/* A file; name is relative, at most 99 bytes. */
void archive_add(struct archive *archive, const char *name, const char *bytes,
    size_t len);

/* Completes the file and frees *archive.  -1: something was not written; err has the
 * reason, and the file is removed. */
int archive_close(struct archive *archive, struct err *err);

#endif
