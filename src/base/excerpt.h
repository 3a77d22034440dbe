/* The line of a text that a message is about, for people. */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

/*
 * The line, at most 70 characters of it around the column, and below it a caret
 * under the column; both indented, with newlines.  line and column count
 * characters from 1.  A third line follows if the text before the place ends
 * with a lone number that looks like a callout of a manual.  You own it; NULL:
 * there is no such place.
 */
char *excerpt(const char *text, size_t len, uint32_t line, uint32_t column);

/* The same for a message that begins "NAME:LINE:COLUMN: "; NULL: it does not. */
char *excerpt_of(const char *text, size_t len, const char *name,
    const char *message);

/* The place itself; NULL: there is none. */
const char *excerpt_place(const char *text, size_t len, uint32_t line,
    uint32_t column);

#endif
