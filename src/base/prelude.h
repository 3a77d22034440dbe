/*
 * What every file may use without a word: config.h, which is the first include of
 * all of them, includes this.
 */
#ifndef BASE_PRELUDE_H
#define BASE_PRELUDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"

/* The row of a table with n rows whose member is this text, or NULL. */
#define FIND_ROW(table, n, member, text)                                       \
	({                                                                     \
		size_t row_ = 0, rows_ = (n);                                  \
                                                                               \
		while (                                                        \
		    row_ < rows_ && strcmp((table)[row_].member, (text)) != 0) \
			row_++;                                                \
		row_ < rows_ ? &(table)[row_] : NULL;                          \
	})

/* Whether the text is one of n words. */
static inline bool
text_is_one_of(const char *text, const char *const *words, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(words[i], text) != 0)
		i++;
	return i < n;
}

#endif
