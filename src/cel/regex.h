/*
 * Regular expressions with the syntax and the results of RE2 (Go's regexp), in
 * time linear in the text: leftmost, and of alternatives the first that matches.
 */
#ifndef CEL_REGEX_H
#define CEL_REGEX_H

#include "cel/cel_internal.h"

struct regex;

/* NULL and Go's sentence if the pattern is none.  It lives in the arena. */
struct regex *regex_compile(struct arena *arena, const char *pattern,
    size_t len, struct err *err);
/* Whether the pattern matches at or after from; then where. */
bool regex_match(struct run *run, const struct regex *regex, const char *text,
    size_t len, size_t from, size_t *start, size_t *end);

/* matches(), find() and findAll() with a compiled pattern. */
bool regex_is_function(const char *name);
struct cel_value regex_call(struct run *run, const struct regex *regex,
    const char *name, const struct cel_value *args, size_t n);

#endif
