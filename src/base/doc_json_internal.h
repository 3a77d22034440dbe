/* Shared by the two halves of the JSON front end: doc_json.c walks values,
 * doc_json_list.c finds the elements of lists. */
#ifndef BASE_DOC_JSON_INTERNAL_H
#define BASE_DOC_JSON_INTERNAL_H

#include "base/doc_internal.h"

struct json_tokener;

#define EOF_SENTENCE "unexpected end of the text"

struct doc_json {
	struct json_tokener *tokener;
	struct doc_place place; /* the next document or element */
	bool in_list;           /* place is within items */
	bool first_item;
	const char *list_end; /* after the list's closing brace */
	const char *item;     /* the list's present element, or NULL */
	const char *item_end; /* NULL: it is broken */
};

/*
 * The state of a walk.  place is at or before p.  Unless the walk is adrift
 * there is no line break between them and every byte is a character, so that
 * the column of p needs no counting; adrift, over a list's elements, only
 * errors have a place.
 */
struct walk {
	struct doc_reader *reader;
	struct doc *doc;
	const struct doc_limits *limits;
	struct json_tokener *tokener;
	struct doc_place place;
	bool adrift;
	const struct doc_field *fields; /* of the value at p; NULL: all */
	bool dry; /* checks values, and makes no nodes but this one */
	struct doc_node unused;
	const char *p, *end;
	struct err *err;
};

#define FAIL_AT(walk, at, ...)                                                 \
	(doc_place_move(&(walk)->place, (at)),                                 \
	    doc_fail((walk)->err, (walk)->doc->name, (walk)->place.line,       \
		(walk)->place.column, __VA_ARGS__))

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

/* Passes over white space. */
void doc_walk_space(struct walk *walk);

/* A member's key and the colon; NULL: error. */
const char *doc_walk_key(struct walk *walk);

/* After an element or member: 1 a comma was read, 0 the end, -1 error. */
int doc_walk_separator(struct walk *walk, char end);

/* The value at walk->p, which lies `depth` levels deep; NULL: error. */
struct doc_node *doc_walk_parse(struct walk *walk, unsigned depth);

/* Passes over the value at walk->p, however deep it is nested; -1: error, its
 * brackets do not match. */
int doc_walk_skip(struct walk *walk);

/* Passes over white space; false, with an error, at the end of the text. */
static inline bool
doc_walk_more(struct walk *walk)
{
	if (walk->p < walk->end && (unsigned char)*walk->p > ' ')
		return true;
	doc_walk_space(walk);
	if (walk->p < walk->end)
		return true;
	FAIL_AT(walk, walk->p, EOF_SENTENCE);
	return false;
}

/* That of walk->p. */
static inline struct doc_place
doc_walk_place(const struct walk *walk)
{
	const struct doc_place *place = &walk->place;

	return (struct doc_place){ walk->p, place->line,
		place->column + (uint32_t)(walk->p - place->at) };
}

#endif
