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

/* Whether the condition holds for any i below n. */
#define ANY(i, n, condition)                                                   \
	({                                                                     \
		size_t i = 0;                                                  \
                                                                               \
		while (i < (n) && !(condition))                                \
			i++;                                                   \
		i < (n);                                                       \
	})

/* The first table[i] of n for which the condition holds, or NULL. */
#define FIND(i, table, n, condition)                                           \
	({                                                                     \
		size_t i = 0;                                                  \
                                                                               \
		while (i < (n) && !(condition))                                \
			i++;                                                   \
		i < (n) ? &(table)[i] : NULL;                                  \
	})

/* The row of a table with n rows whose member is this text, or NULL. */
#define FIND_ROW(table, n, member, text)                                       \
	FIND(row_, table, n, strcmp((table)[row_].member, (text)) == 0)

/* Whether the text is one of n words. */
static inline bool
text_is_one_of(const char *text, const char *const *words, size_t n)
{
	return ANY(i, n, strcmp(words[i], text) == 0);
}

#endif
