/* Text that grows. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdio.h>

struct text {
	char *bytes; /* NUL-terminated, NULL while empty */
	size_t len, cap;
};

void text_fini(struct text *text);
/* You own the bytes; the text is empty afterwards.  Never NULL. */
char *text_take(struct text *text);
/* The same, but in the arena. */
struct arena;
char *text_keep(struct text *text, struct arena *arena);
void text_append(struct text *text, const char *bytes, size_t len);
void text_put(struct text *text, const char *s);
void text_printf(struct text *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Forgets the first len bytes. */
void text_drop(struct text *text, size_t len);
/* Writes the text to the file; the text is empty afterwards, its memory kept. */
void text_flush(struct text *text, FILE *out);
/* The same, and frees the memory. */
void text_write(struct text *text, FILE *out);

/* "s" unless n is 1. */
static inline const char *
plural_of(size_t n)
{
	return n == 1 ? "" : "s";
}

/* Whether both are NULL, or equal. */
static inline bool
text_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Letters to insert, drop, change or swap with the next one to make one of the other,
 * in any case; of texts longer than 255 bytes it is their greater length. */
unsigned text_distance(const char *a, const char *b);
/* Whether one may be a misspelling of the other: a third of it differs at most. */
bool text_is_like(const char *a, const char *b);

/* strcmp() of two const char **, for SORT(). */
int text_compare(const void *a, const void *b);
/* Whether the word is one of "a|b|c". */
bool text_is_choice(const char *choices, const char *word);

/* In double quotes, with escapes, as Go's strconv.Quote() writes it; in the arena. */
const char *text_quote(struct arena *arena, const char *text, size_t len);

/*
 * All texts from outside (policies, names, answers) that go to a terminal, a log or
 * JSON: what is not printable, such as control characters and those that turn the
 * direction of a text, is escaped as Go's strconv.Quote() does: "\\n", "\\x1b", "\\u202e".
 */
bool text_is_printable(uint32_t c);
/* You own it. */
char *text_visible(const char *text);
void text_print_line(FILE *out, const char *text);

/* Appends s so that it is one segment of a path, or one value of a query. */
void url_put(struct text *text, const char *s);
/* A URL without "user:password@"; you own it. */
char *url_without_user(const char *url);

#endif
