#include "config.h"

#include "base/err.h"

#include <stdio.h>

int
verrf(struct err *err, const char *fmt, va_list ap)
{
	if (err != NULL)
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
	return -1;
}

int
errf(struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verrf(err, fmt, ap);
	va_end(ap);
	return -1;
}
