/* Shared by doc.c and its two front ends (doc_json.c, doc_yaml.c). */
#ifndef BASE_DOC_INTERNAL_H
#define BASE_DOC_INTERNAL_H

#include "base/arena.h"
#include "base/doc.h"
#include "base/doc_build.h"

struct doc {
	struct arena arena; /* holds all that the nodes point to */
	char *name;
	struct doc_node *root;
	size_t values;          /* nodes made so far, for the limit */
	struct doc_node **dups; /* later values of repeated keys */
	size_t ndups, dups_cap;
	/* The duplicates that lie within root, which may be one element of a
	 * list: dups[dup_from] … dups[dup_to - 1]. */
	size_t dup_from, dup_to;
};

/* A place in a text; columns count characters, as libyaml does. */
struct doc_place {
	const char *at;
	uint32_t line, column;
};

struct doc_json;
struct doc_yaml;

/*
 * Where the elements come from that doc_next() yields one by one: a list that
 * is held as a tree.  Lists within lists stack up.
 */
struct doc_level {
	const struct doc_node *next;
	const char *kind; /* of the list, without "List" */
	struct doc_level *outer;
};

struct doc_reader {
	char *name;
	const char *text, *end; /* without a byte order mark */
	struct doc_limits limits;
	bool lists;
	bool checked;           /* size and NUL bytes */
	bool done;              /* end or error: nothing more */
	bool passed_over_empty; /* YAML documents with nothing in them */
	void *mapped;           /* doc_close() unmaps it; or NULL */
	size_t nmapped;         /* bytes */
	const char *passed;     /* up to where its pages are given back */
	char *owned;            /* doc_close() frees it; or NULL */
	struct doc *doc;
	struct doc_level *level; /* in doc's arena; NULL outside lists */
	char *json_kind;         /* kind of the list doc_json is in, or NULL */
	struct doc_json *json;   /* one of these two once reading has begun */
	struct doc_yaml *yaml;
};

/*
 * Reading has reached p.  In a mapped file the pages before p may be released
 * (reading them again loads them again), so that a large dump is never in
 * memory as a whole.  doc_passed_again() starts again at an earlier p.
 */
#define DOC_PASSED_STEP ((ptrdiff_t)4 << 20)
void doc_give_back(struct doc_reader *reader, const char *p);
static inline void
doc_passed(struct doc_reader *reader, const char *p)
{
	if (p - reader->passed >= DOC_PASSED_STEP)
		doc_give_back(reader, p);
}
void doc_passed_again(struct doc_reader *reader, const char *p);

/* Most differ in their first letters. */
static inline bool
doc_same_key(const char *a, const char *b)
{
	return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Moves on to a later place of the same text, counting lines. */
void doc_place_move(struct doc_place *place, const char *to);

/* Each returns -1. */
int doc_fail(struct err *err, const char *name, uint32_t line, uint32_t column,
    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
int doc_fail_depth(struct err *err, const char *name, uint32_t line,
    uint32_t column, const struct doc_limits *limits);

/* Whether kind (NULL: none) is that of a list whose elements count, and the
 * kind's length without "List". */
bool doc_list_kind(const char *kind, size_t *len);

/*
 * The front ends.  next: 1 and reader->doc->root is set, 0 the end, -1 error.
 * The JSON one splits lists into elements itself.
 */
struct doc_json *doc_json_new(const struct doc_reader *reader);
void doc_json_free(struct doc_json *json);
int doc_json_next(struct doc_reader *reader, struct err *err);

struct doc_yaml *doc_yaml_new(const struct doc_reader *reader);
void doc_yaml_free(struct doc_yaml *yaml);
int doc_yaml_next(struct doc_reader *reader, struct err *err);

#endif
