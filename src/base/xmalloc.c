#include "config.h"

#include "base/xmalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
or_die(void *p)
{
	if (p == NULL) {
		fputs("out of memory\n", stderr);
		abort();
	}
	return p;
}

void *
xmalloc(size_t size)
{
	return or_die(malloc(size > 0 ? size : 1));
}

void *
xcalloc(size_t n, size_t size)
{
	return or_die(calloc(n > 0 ? n : 1, size > 0 ? size : 1));
}

void *
xrealloc(void *p, size_t n, size_t size)
{
	return or_die(reallocarray(p, n > 0 ? n : 1, size > 0 ? size : 1));
}

char *
xstrdup(const char *s)
{
	return or_die(strdup(s));
}

char *
xstrndup(const char *s, size_t len)
{
	return or_die(strndup(s, len));
}

char *
xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	return or_die(s);
}

void
xreplace(char **text, const char *with)
{
	char *copy = with != NULL ? xstrdup(with) : NULL;

	free(*text);
	*text = copy;
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

void
xautofree(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void *
xgrow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap < 4 ? 4 : *cap + *cap / 2;
	return xrealloc(array, *cap, size);
}
