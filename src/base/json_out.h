/*
 * Writes JSON.  Calls nest as the text does; commas are added automatically.
 * Strings are escaped, and bytes that are not UTF-8 become U+FFFD.
 */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_out {
	FILE *out;
	bool comma; /* the next value or key needs one before it */
};

#define JSON_OUT_INIT(file) { .out = (file) }

void json_open(struct json_out *json, char bracket);  /* '{' or '[' */
void json_close(struct json_out *json, char bracket); /* '}' or ']' */
/* The next value is this member's. */
void json_key(struct json_out *json, const char *key);
void json_string(struct json_out *json, const char *text); /* NULL: null */
void json_int(struct json_out *json, int64_t value);
void json_bool(struct json_out *json, bool value);
/* With this many digits after the point; not a number comes out as 0. */
void json_number(struct json_out *json, double value, int digits);
/* Line break and indentation before the next value of an array. */
void json_break(struct json_out *json, const char *indent);

#endif
