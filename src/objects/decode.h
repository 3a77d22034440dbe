/*
 * Decoding of one object's document, field by field.
 *
 * The first error is kept, and all reading behind it yields what absent fields
 * yield: so a decoder reads all fields and looks at `failed` once.  null counts as
 * absent, as in Go.  The path of a value in an error is found when there is one.
 */
#ifndef MODEL_DECODE_H
#define MODEL_DECODE_H

#include "base/doc.h"
#include "base/sym.h"

struct arena;
struct decode_settings;
struct metadata;

struct decoder {
	struct arena *arena;         /* of all results */
	const struct doc_node *root; /* where paths begin */
	const char *path;            /* of root: "" */
	struct err *err;             /* may be NULL */
	bool numbered; /* paths have the numbers of elements: "taints[2]" */
	bool failed;
	/* Of an object. */
	const struct decode_settings *settings;
	const struct metadata *meta;
	/* Of a pod's class: for temporary data, and the parts that are not read
	 * (limits.h). */
	struct arena *scratch;
	unsigned over;
};

/* Of one value; root may be NULL. */
static inline struct decoder
decoder_of(struct arena *arena, const struct doc_node *root, const char *path,
    struct err *err)
{
	return (struct decoder){ .arena = arena,
		.root = root,
		.path = path,
		.err = err };
}

/* Notes an error about a node below root: "PATH must be …". */
void decode_fail(struct decoder *d, const struct doc_node *node,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The node, NULL if it is NULL or null; another kind is an error. */
const struct doc_node *decode_kind(struct decoder *d,
    const struct doc_node *node, enum doc_kind kind);
/* A string, which may hold NUL bytes; SYM_EMPTY if it is absent. */
sym decode_string(struct decoder *d, const struct doc_node *node);

/* Members of an object. */
const struct doc_node *decode_object(struct decoder *d,
    const struct doc_node *node, const char *key);
const char *decode_text(struct decoder *d, const struct doc_node *node,
    const char *key, const char *absent);
sym decode_sym(struct decoder *d, const struct doc_node *node, const char *key,
    sym absent);
bool decode_flag(struct decoder *d, const struct doc_node *node,
    const char *key, bool absent);
/* A whole number, of 32 bits as Kubernetes declares most. */
int64_t decode_int(struct decoder *d, const struct doc_node *node,
    const char *key, int64_t absent);
int64_t decode_int64(struct decoder *d, const struct doc_node *node,
    const char *key);
/* A time; false if it is absent: *seconds is then untouched.  nanoseconds may be
 * NULL. */
bool decode_time(struct decoder *d, const struct doc_node *node,
    const char *key, int64_t *seconds, int32_t *nanoseconds);

/* An array of strings; NULL if it is empty. */
const sym *decode_syms(struct decoder *d, const struct doc_node *node,
    const char *key, uint32_t *n);
/* The first element of an array of *n (NULL: of any number) objects.  One that is null is an object
 * without members. */
const struct doc_node *decode_objects(struct decoder *d,
    const struct doc_node *node, const char *key, uint32_t *n);
/* The same as an array of *n values of `size` bytes, zeroed before read() fills
 * them. */
const void *decode_each(struct decoder *d, const struct doc_node *node,
    const char *key, uint32_t *n, size_t size,
    void (*read)(struct decoder *d, const struct doc_node *element, void *out));

/* Bytes as struct persistent_volume has them (storage.h); absent is 0. */
int64_t decode_bytes(struct decoder *d, const struct doc_node *node,
    const char *key);

/* RFC 3339 ("2019-08-01T00:00:38Z", with fraction or offset, in any year that
 * Go can write: "-0001", "10000") to seconds since 1970 and, unless NULL, the
 * nanoseconds; false if it is not such a time. */
bool time_parse(const char *text, int64_t *seconds, int32_t *nanoseconds);

#endif
