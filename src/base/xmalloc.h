/*
 * Allocation that never fails: running out of memory ends the process, because
 * all state can be read again from the API after a restart.  In exchange every
 * input has a size limit.
 */
#ifndef BASE_XMALLOC_H
#define BASE_XMALLOC_H

#include <stdarg.h>
#include <stddef.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A function-local pointer that is freed when it goes out of scope. */
#define AUTOFREE __attribute__((cleanup(xautofree)))

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t len);
/* Frees *text and puts a copy of another text there, or NULL for NULL. */
void xreplace(char **text, const char *with);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap)
    __attribute__((format(printf, 1, 0)));
void xautofree(void *pointer_to_pointer);

/* Sets the char * to what the variadic function around it was given; you own it. */
#define XFORMAT(text, fmt)                                                     \
	do {                                                                   \
		va_list ap_;                                                   \
                                                                               \
		va_start(ap_, fmt);                                            \
		(text) = xvasprintf(fmt, ap_);                                 \
		va_end(ap_);                                                   \
	} while (0)

/*
 * Makes room for one more element in the array at *array, which holds n
 * elements of the given size and has room for *cap; use through vec_room().
 */
void *xgrow(void *array, size_t n, size_t *cap, size_t size);
#define vec_room(array, n, cap)                                                \
	((array) = xroom((array), (n), (cap), sizeof(*(array))))

static inline void *
xroom(void *array, size_t n, size_t *cap, size_t size)
{
	return n < *cap ? array : xgrow(array, n, cap, size);
}

#endif
