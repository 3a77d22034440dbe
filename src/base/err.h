/*
 * One sentence for people that explains a failure.
 *
 * A function that can fail returns -1 (or NULL) and fills the struct err that
 * its caller hands in last; on failure its other results are untouched.  err
 * may be NULL if the caller does not need the sentence.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>

struct err {
	char text[2048];
};

/* Fills err (unless NULL) and returns -1, so that "return errf(…)" is one line. */
int errf(struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));
int verrf(struct err *err, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

#endif
