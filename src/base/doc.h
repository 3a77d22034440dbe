/*
 * One parsed JSON or YAML document: a tree with the position of each value in
 * the text.
 *
 * This is the only door to json-c and libyaml.  Text that begins (after white
 * space) with '{' or '[' is JSON and must be valid JSON; everything else is
 * YAML 1.1 read as Kubernetes reads it (a scalar becomes null, a bool, a number
 * or a string as in Go's yaml.v2; anchors, aliases and "<<" are followed).
 *
 * Limits: size, nesting, and the number of values after aliases are expanded;
 * beyond them parsing fails with the position.  A byte order mark at the start
 * is passed over.  Columns count characters, not bytes.
 */
#ifndef BASE_DOC_H
#define BASE_DOC_H

enum doc_kind {
	DOC_NULL,
	DOC_BOOL,
	DOC_NUMBER,
	DOC_STRING,
	DOC_ARRAY,
	DOC_OBJECT,
};

/*
 * A value.  Children of arrays and objects are linked through next, in the
 * order of the text.  In an object each key occurs once: if the text repeats
 * one, the last value counts (as in Go) and doc_duplicate() reports it.
 */
struct doc_node {
	enum doc_kind kind;
	uint32_t line, column; /* of the value's beginning, from 1 */
	/* NUL-terminated; NULL unless in an object.  A NUL within it becomes
	 * the bytes C0 80, which no other key has: they are not UTF-8. */
	const char *key;
	struct doc_node *next; /* sibling */
	const struct doc *doc; /* the document it belongs to */
	/* DOC_STRING: unescaped; DOC_NUMBER: as a JSON number, digits as
	 * written where JSON allows.  NUL-terminated, len without the NUL (a
	 * string may hold NUL bytes).  NULL for other kinds. */
	const char *text;
	size_t len;
	struct doc_node *first; /* DOC_ARRAY, DOC_OBJECT: first child or NULL */
	size_t count;           /* number of children */
	bool boolean;           /* DOC_BOOL */
	bool plain;             /* written in YAML without quotes and tag */
	bool merged;            /* added by YAML's "<<" */
};

/* The sentence about a comma before a bracket, whose place it has. */
#define DOC_TRAILING_COMMA "a ',' before a closing bracket is not JSON"

/*
 * The members of an object that are read: a row for each, the last with key
 * NULL.  within has the rows of the member itself (of each element if it is an
 * array); NULL reads all of it.  Other members are skipped: their brackets must
 * match, but their content may be too deep, too long or invalid.
 */
struct doc_field {
	const char *key;
	const struct doc_field *within;
	/* What the owner of the table makes of it (objects/fields.h), or NULL. */
	const struct field_use *use;
};

struct doc_limits {
	size_t bytes;   /* of one input */
	unsigned depth; /* of nesting; beyond 10000 counts as 10000 */
	size_t values;  /* in one document, aliases expanded */
	/* Arrays under this key must be JSON, too, but are left out of the tree;
	 * NULL: none are.  (A label may be called that as well.)  JSON only. */
	const char *leave_out;
	/* Of the root, or of the elements if lists are split; NULL: all is
	 * read.  JSON and protobuf only. */
	const struct doc_field *fields;
};

/* 64 MiB, 100 levels, 2 million values: text written by hand. */
extern const struct doc_limits doc_limits_people;
/* 2 GiB, 100 levels, 64 million values: cluster dumps.  metadata.managedFields,
 * up to half of an object's text, are left out: no rule uses them. */
extern const struct doc_limits doc_limits_dump;

/*
 * A reader yields the documents of one input one after the other; with lists
 * set it yields the elements of "items" of every object that has such an array
 * and whose kind ends in "List" (or that has no kind), instead of that object,
 * without holding a tree of the whole list if the text is JSON.  A list that
 * has a kind and whose items are null (Go writes that for an empty one) is
 * empty.  Elements of a kind ending in "List" are split, too.  With JSON a
 * list's brackets are checked before its first element is returned; another
 * error in an element is reported when that element is read, and
 * doc_pass_over() then continues after it.  Between documents of JSON the logs are
 * passed over that `kubectl cluster-info dump` prints there.
 *
 * name is the input's name in errors.  doc_open_text() does not copy the text:
 * it must outlive the reader; the first doc_next() rejects input that
 * doc_open_file() would reject.  doc_open_file() reads path ("-" is standard
 * input, called "stdin" in errors) and fails if it cannot be read, is too big,
 * compressed or binary (contains a NUL byte); without lists also if it is not a
 * regular file, since programs read their configuration so.
 */
struct doc_reader;
struct doc_reader *doc_open_text(const char *name, const char *text, size_t len,
    const struct doc_limits *limits, bool lists);
struct doc_reader *doc_open_file(const char *path,
    const struct doc_limits *limits, bool lists, struct err *err);
void doc_close(struct doc_reader *reader);

/*
 * 1: *root is the next document's root, valid until the next call or
 * doc_close(); 0: no more documents; -1: err has the reason, with
 * name:line:column.  After -1 the reader is at its end.  An empty YAML document
 * (nothing between two "---", or only comments) is passed over.
 */
int doc_next(struct doc_reader *reader, const struct doc_node **root,
    struct err *err);

/*
 * Whether doc_next() has failed within an element of a JSON list: the next call
 * then yields the following element.
 */
bool doc_pass_over(struct doc_reader *reader);
/* The text of the last element that doc_next() has returned or failed in;
 * false: it was not an element of a JSON list. */
bool doc_item_text(const struct doc_reader *reader, const char **text,
    size_t *len);

/*
 * For an element of a list: the list's kind without "List" ("Node" for an
 * element of a NodeList, "" for a plain List), which Kubernetes means when the
 * element has no kind itself.  "" otherwise.
 */
const char *doc_item_kind(const struct doc_reader *reader);

/* All that is read, without a byte order mark, for excerpts. */
const char *doc_whole_text(const struct doc_reader *reader, size_t *len);

/* Whether doc_next() has passed over YAML documents with nothing in them. */
bool doc_passed_over_empty(const struct doc_reader *reader);

/* The whole input as one document, you own it; limits as above; fails when
 * there is not exactly one document. */
struct doc *doc_parse(const char *name, const char *text, size_t len,
    const struct doc_limits *limits, struct err *err);
void doc_free(struct doc *doc);
const struct doc_node *doc_root(const struct doc *doc);
const char *doc_name(const struct doc *doc);

/*
 * The i-th (from 0) key that was repeated in an object of this document (of
 * this element, while a reader yields a list's): its later value; NULL if there
 * are fewer.  The node has the key, line and column.
 */
const struct doc_node *doc_duplicate(const struct doc *doc, size_t i);

/* The row of the member with this key, NULL: it is not read.  fields is not
 * NULL. */
const struct doc_field *doc_field(const struct doc_field *fields,
    const char *key);
/* Takes all that these fields do not name out of a tree. */
void doc_prune(struct doc *doc, const struct doc_node *node,
    const struct doc_field *fields);

/* The member with this key, or NULL; also NULL for a node that is NULL or no
 * object.  doc_get() gives NULL for a member that is null, too, as Kubernetes
 * treats null as absent. */
const struct doc_node *doc_member(const struct doc_node *node, const char *key);
const struct doc_node *doc_get(const struct doc_node *node, const char *key);
/* The same of a path, as "a.b.c". */
const struct doc_node *doc_at(const struct doc_node *node, const char *path);

/* The first child, NULL: there is none, or no node. */
static inline const struct doc_node *
doc_first(const struct doc_node *node)
{
	return node != NULL ? node->first : NULL;
}
/* The text of a string, "" of all else. */
static inline const char *
doc_string(const struct doc_node *node)
{
	return node != NULL && node->kind == DOC_STRING ? node->text : "";
}
/* All children of a node (NULL: none), and a child with those after it. */
#define EACH_CHILD(child, node) EACH_FROM (child, doc_first(node))
#define EACH_FROM(child, from)                                                 \
	for (const struct doc_node *child = (from); child != NULL;             \
	     child = child->next)

/* "name:line:column: sentence" about a node; returns -1. */
int doc_errf(struct err *err, const struct doc_node *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* "null", "a boolean", "a number", "a string", "an array", "an object". */
const char *doc_kind_name(enum doc_kind kind);
/* The same of a value that is of the wrong kind, or the mistake in it: "a
 * placeholder in '<>'", "a string with ',' at its end". */
const char *doc_value_name(const struct doc_node *node);

/*
 * Typed getters for a member of an object.  Absent or null leaves *out as it
 * was and returns 0; the wrong type is -1 with a sentence such as
 * `pods.json:3:14: spec.nodeName must be a string, not a number`; path is
 * the member's path in that sentence.
 */
int doc_get_string(const struct doc_node *node, const char *key,
    const char *path, const char **out, struct err *err);
int doc_get_bool(const struct doc_node *node, const char *key, const char *path,
    bool *out, struct err *err);
/* A whole number within [min, max]; 1.0 and 1e3 are whole numbers. */
int doc_get_int(const struct doc_node *node, const char *key, const char *path,
    int64_t min, int64_t max, int64_t *out, struct err *err);
int doc_get_array(const struct doc_node *node, const char *key,
    const char *path, const struct doc_node **out, struct err *err);
int doc_get_object(const struct doc_node *node, const char *key,
    const char *path, const struct doc_node **out, struct err *err);
/*
 * The same of several members: "KEY:TYPE" in turn, and where each value goes; prefix
 * stands before the key in sentences.
 *
 *	doc_get_members(node, "pod.", err, "name:s cpu:d100", &name, &cpu);
 *
 * s: const char *; b: bool; d: int64_t; i: int32_t; u: uint32_t.  A number behind d
 * or i is the maximum, and then 0 the minimum.
 */
int doc_get_members(const struct doc_node *node, const char *prefix,
    struct err *err, const char *fmt, ...);

#endif
