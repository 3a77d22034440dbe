/*
 * Remembers which JSON texts were found to be valid, except for the contents of
 * strings and numbers: most elements of a list have the shape of an earlier
 * one.
 *
 * The shape of a text is the text without the contents of plain strings
 * (without escapes and control characters), without all but the first digit of
 * whole numbers, and with one blank for any white space.  Of two texts of one
 * shape, both or none are JSON.
 */
#ifndef BASE_JSON_SHAPE_H
#define BASE_JSON_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Whether the array or object at p has a shape that is known. */
bool json_shape_known(const char *p, const char *end);

/* Adds the shape of the last json_shape_known() to the known ones. */
void json_shape_remember(void);

/* The first byte from p on that is not plain within a JSON string: a quote, a
 * backslash, a control character or part of a wide character; or end. */
const char *json_skip_plain(const char *p, const char *end);

/* Passes over blanks while there are eight more. */
static inline const char *
json_skip_blanks(const char *p, const char *end)
{
	uint64_t word;

	for (; end - p >= 8; p += 8) {
		memcpy(&word, p, 8);
		if (word != UINT64_C(0x2020202020202020))
			break;
	}
	return p;
}

#endif
