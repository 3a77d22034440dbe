/*
 * Writing JSON into a growing text, in one of two ways, which may be mixed.
 * Strings are escaped, and so is what text_visible() escapes, so that JSON may be
 * shown on a terminal; bytes that are not UTF-8 become U+FFFD.
 *
 * json_put() is printf for JSON: %s becomes a string in quotes, escaped; %d a
 * whole number (int64_t); %n a document node with all below it as it was read;
 * %% a percent sign; everything else is copied.
 *
 *	json_put(&text, "{'name':%s,'count':%d}", name, (int64_t)3);
 *
 * In the format a ' stands for ".
 *
 * A struct json_out sets the commas itself: its calls nest as the text does.
 */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/text.h"

struct doc_node;

void json_put(struct text *text, const char *fmt, ...);
void json_put_string(struct text *text, const char *s);
/* A key of a struct doc_node: a NUL in it comes out as it was. */
void json_put_key(struct text *text, const char *key);
void json_put_node(struct text *text, const struct doc_node *node);

struct json_out {
	struct text *text;
	bool comma; /* the next value or key needs one before it */
};

#define JSON_OUT_INIT(where)                                                   \
	{                                                                      \
		.text = (where)                                                \
	}

void json_open(struct json_out *json, char bracket);  /* '{' or '[' */
void json_close(struct json_out *json, char bracket); /* '}' or ']' */
/* The next value is this member's. */
void json_key(struct json_out *json, const char *key);
void json_string(struct json_out *json, const char *text); /* NULL: null */
void json_int(struct json_out *json, int64_t value);
void json_bool(struct json_out *json, bool value);
void json_doc_node(struct json_out *json, const struct doc_node *node);
/* A value that is JSON already; NULL: null. */
void json_raw(struct json_out *json, const char *text);
/* A member of an object: its key and value. */
void json_pair(struct json_out *json, const char *key, const char *text);
void json_pair_int(struct json_out *json, const char *key, int64_t value);
void json_pair_bool(struct json_out *json, const char *key, bool value);
/*
 * Members of an object that is open: "KEY:TYPE" in turn, and a value for each.
 *
 *	json_members(&json, "name:s cpu:d fits:b", name, cpu_milli, true);
 *
 * s: const char *, NULL is null; n: a sym, SYM_NONE and SYM_EMPTY are null; d:
 * int64_t; i: int; u: unsigned; z: size_t; b: bool; a digit: double, with that many
 * digits after the point.
 */
void json_members(struct json_out *json, const char *fmt, ...);
/* An object with these members. */
void json_object(struct json_out *json, const char *fmt, ...);
/* A member that is an object or an array, which is open afterwards. */
void json_open_member(struct json_out *json, const char *key, char bracket);
/*
 * A member that is an array of n values, each of which the statement writes:
 *
 *	JSON_ARRAY (&json, "nodes", i, n)
 *		json_string(&json, names[i]);
 */
#define JSON_ARRAY(json, key, i, n)                                            \
	for (size_t i = (json_open_member((json), (key), '['), 0);             \
	     i < (n) || (json_close((json), ']'), false); i++)
/* A member that is an array of these strings. */
void json_texts(struct json_out *json, const char *key, size_t n,
    const char *const *texts);
/* With this many digits after the point; not a number comes out as 0. */
void json_number(struct json_out *json, double value, int digits);
/* Line break and indentation before the next value of an array. */
void json_break(struct json_out *json, const char *indent);

#endif
