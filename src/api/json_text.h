/*
 * A growing text buffer, and a JSON writer for it.
 *
 * json_put() is printf for JSON: %s becomes a string in quotes, escaped; %d a
 * whole number (int64_t); %n a document node with its children as it was read;
 * %% a percent sign; everything else is copied.  Bytes that are not UTF-8
 * become U+FFFD, as Go writes them.
 *
 *	json_put(&text, "{'name':%s,'count':%d}", name, (int64_t)3);
 *
 * In the format a ' stands for ".
 */
#ifndef API_JSON_TEXT_H
#define API_JSON_TEXT_H

#include <stddef.h>

struct doc_node;

struct text {
	char *bytes; /* NUL-terminated, NULL while empty */
	size_t len, cap;
};

void text_fini(struct text *text);
/* You own the bytes; the text is empty afterwards.  Never NULL. */
char *text_take(struct text *text);
void text_append(struct text *text, const char *bytes, size_t len);
void text_put(struct text *text, const char *s);
/* Forgets the first len bytes. */
void text_drop(struct text *text, size_t len);

void json_put(struct text *text, const char *fmt, ...);
void json_put_string(struct text *text, const char *s);
/* A key of a struct doc_node: a NUL in it comes out as it was. */
void json_put_key(struct text *text, const char *key);
void json_put_node(struct text *text, const struct doc_node *node);

/* Appends s so that it is one segment of a path, or one value of a query. */
void url_put(struct text *text, const char *s);

#endif
