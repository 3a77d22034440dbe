#include "config.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/err.h"

#define STEP ((size_t)1 << 16)

char *
file_read(int fd, size_t max, size_t *len)
{
	char *text = NULL;
	size_t cap = 0, n = 0;
	ssize_t got;

	do {
		if (cap - n < STEP) {
			cap = cap * 2 + STEP;
			text = xrealloc(text, cap, 1);
		}
		got = read(fd, text + n, cap - n - 1);
		n += got > 0 ? (size_t)got : 0;
	} while (n <= max && (got > 0 || (got < 0 && errno == EINTR)));
	if (n > max)
		errno = EFBIG;
	if (n <= max && got == 0) {
		text[n] = '\0';
		*len = n;
		return text;
	}
	free(text);
	return NULL;
}

static void
explain(struct err *err, const char *verb, const char *path, size_t max)
{
	char reason[128];

	if (errno == EFBIG)
		snprintf(reason, sizeof(reason),
		    "larger than the limit of %zu bytes", max);
	else
		snprintf(reason, sizeof(reason), "%s", strerror(errno));
	reason[0] = (char)tolower((unsigned char)reason[0]);
	errf(err, "%s %s: %s", verb, path, reason);
}

char *
file_load(const char *path, size_t max, size_t *len, struct stat *seen,
    struct err *err)
{
	/* Without O_NONBLOCK a FIFO is opened once it has a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char *text = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		explain(err, "open", path, max);
	} else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) &&
	    !(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))) {
		errf(err, "open %s: not a regular file", path);
	} else {
		if (S_ISREG(st.st_mode) && st.st_size > (off_t)max)
			errno = EFBIG;
		else
			text = file_read(fd, max, len);
		if (text == NULL)
			explain(err, "read", path, max);
	}
	if (text != NULL && seen != NULL)
		*seen = st;
	if (fd >= 0)
		close(fd);
	return text;
}

bool
file_write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}
