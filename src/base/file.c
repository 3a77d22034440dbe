#include "config.h"

#include "base/file.h"

#include <errno.h>
#include <unistd.h>

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
