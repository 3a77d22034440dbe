#include "config.h"

#include "t/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/xmalloc.h"

void
fuzz_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vdprintf(STDERR_FILENO, fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "\n");
	abort();
}

void
fuzz_silence(void)
{
	FILE *nowhere = fopen("/dev/null", "w");

	FUZZ_CHECK(nowhere != NULL);
	/* The C library's own variables: file descriptor 2 stays for reports.
	 */
	stdout = nowhere;
	stderr = nowhere;
}

uint8_t
fuzz_byte(struct fuzz_input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->at++;
}

static char *
copy(const uint8_t *bytes, size_t len)
{
	char *text = xmalloc(len + 1);

	memcpy(text, bytes, len);
	text[len] = '\0';
	return text;
}

char *
fuzz_part(struct fuzz_input *input, const char *separator, size_t *len)
{
	size_t width = strlen(separator), n = input->left, skip = n;
	const uint8_t *end =
	    n > 0 ? memmem(input->at, n, separator, width) : NULL;
	char *part;

	if (end != NULL) {
		n = (size_t)(end - input->at);
		skip = n + width;
	}
	part = copy(n > 0 ? input->at : (const uint8_t *)"", n);
	input->at += skip;
	input->left -= skip;
	if (len != NULL)
		*len = n;
	return part;
}

char *
fuzz_rest(struct fuzz_input *input, size_t *len)
{
	char *rest = xmalloc(input->left > 0 ? input->left : 1);

	if (input->left > 0)
		memcpy(rest, input->at, input->left);
	*len = input->left;
	input->left = 0;
	return rest;
}

char *
fuzz_text(struct fuzz_input *input)
{
	char *text = copy(input->left > 0 ? input->at : (const uint8_t *)"",
	    input->left);

	input->left = 0;
	return text;
}

struct fuzz_file
fuzz_file_new(const void *bytes, size_t len)
{
	struct fuzz_file file = { .fd = memfd_create("input", MFD_CLOEXEC),
		.len = len };

	FUZZ_CHECK(file.fd >= 0);
	FUZZ_CHECK(len == 0 || write(file.fd, bytes, len) == (ssize_t)len);
	FUZZ_CHECK(lseek(file.fd, 0, SEEK_SET) == 0);
	snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
	return file;
}

struct fuzz_file
fuzz_next_file(struct fuzz_input *input)
{
	size_t len;
	char *part = fuzz_part(input, FUZZ_NEXT, &len);
	struct fuzz_file file = fuzz_file_new(part, len);

	free(part);
	return file;
}
