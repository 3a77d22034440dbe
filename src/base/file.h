#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <sys/stat.h>

struct err;

/*
 * The content of a regular file, with a NUL behind it; you own it.  Never waits:
 * anything else at that path (a FIFO, a device, a socket, a directory) is an error,
 * but /dev/null, which is empty.
 * *seen, unless NULL, becomes the state of the file that was read.  NULL: the file
 * cannot be read or has more than max bytes; err has Go's sentence: "open PATH: no
 * such file or directory".
 */
char *file_load(const char *path, size_t max, size_t *len, struct stat *seen,
    struct err *err);

/*
 * What there is to read, with a NUL behind it; to be freed.  NULL, and errno says
 * why: EFBIG when it is more than max bytes.
 */
char *file_read(int fd, size_t max, size_t *len);

/* Whether a file was not changed, nor replaced by another, between two looks. */
static inline bool
file_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	    a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	    a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* To a pipe or a file; false, errno: not all of it was written. */
bool file_write_all(int fd, const void *bytes, size_t len);

#endif
