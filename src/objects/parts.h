/*
 * What structs consist of: a row for each of their members, from which they are
 * compared (by a row of bytes that says the same of equal ones only) and copied.
 */
#ifndef MODEL_PARTS_H
#define MODEL_PARTS_H

#include <stddef.h>

#include "base/sym.h"

struct arena;

struct part {
	enum part_kind {
		PART_END,
		PART_ASPECT, /* those behind it are of this one: size */
		PART_SYM,
		PART_U32,  /* also enums */
		PART_FLAG, /* bool */
		PART_RUN, /* size bytes of members that are numbers, without gaps */
		PART_TEXT,    /* const char *, may be NULL */
		PART_SYMS,    /* an array of symbols; count */
		PART_LIST,    /* an array of structs of the size; count */
		PART_POINTER, /* to a struct of the size, or NULL */
	} kind;
	uint16_t at, count, size; /* count: where the array's uint32_t is */
	const struct part *of;    /* structs' */
};

/* ---- rows ---- */

#define PART_AT(c, type, member)                                               \
	offsetof(struct type, member) +                                        \
	    _Generic(((struct type *)NULL)->member, c : 0)
#define PART_OF(kind, c, type, member)                                         \
	{                                                                      \
		kind, PART_AT(c, type, member), 0, 0, NULL                     \
	}
#define SYM(type, member) PART_OF(PART_SYM, sym, type, member)
#define U32(type, member) RUN_OF(PART_U32, type, member, member)
#define FLAG(type, member) PART_OF(PART_FLAG, bool, type, member)
#define TEXT(type, member) PART_OF(PART_TEXT, const char *, type, member)
/* From the first to the last of them. */
#define RUN(type, first, last) RUN_OF(PART_RUN, type, first, last)
#define RUN_OF(kind, type, first, last)                                        \
	{                                                                      \
		kind, offsetof(struct type, first), 0,                         \
		    offsetof(struct type, last) +                              \
		    sizeof(((struct type *)NULL)->last) -                      \
		    offsetof(struct type, first),                              \
		    NULL                                                       \
	}
#define SYMS(type, n, member)                                                  \
	{                                                                      \
		PART_SYMS, PART_AT(const sym *, type, member),                 \
		    PART_AT(uint32_t, type, n), sizeof(sym), NULL              \
	}
#define LIST(type, n, member, parts)                                           \
	{                                                                      \
		PART_LIST, offsetof(struct type, member),                      \
		    PART_AT(uint32_t, type, n),                                \
		    sizeof(*((struct type *)NULL)->member), parts              \
	}
#define POINTER(type, member, parts)                                           \
	{                                                                      \
		PART_POINTER, offsetof(struct type, member), 0,                \
		    sizeof(*((struct type *)NULL)->member), parts              \
	}
/* Of structs within it. */
#define LABELS(type, m) LIST(type, m.n, m.at, label_parts)
#define SELECTOR(type, m)                                                      \
	FLAG(type, m.nothing), TEXT(type, m.error), TEXT(type, m.error_36),    \
	    LIST(type, m.n, m.at, requirement_parts)
#define ASPECT(aspect)                                                         \
	{                                                                      \
		PART_ASPECT, 0, 0, aspect, NULL                                \
	}
#define RESOURCES(type, m)                                                     \
	RUN(type, m.cpu_milli, m.pods),                                        \
	    LIST(type, m.nscalars, m.scalars, scalar_parts)
#define PARTS(name, ...)                                                       \
	const struct part name[] = { __VA_ARGS__, { .kind = PART_END } }

extern const struct part label_parts[], requirement_parts[], node_term_parts[],
    scalar_parts[];

/* ---- keys, comparison, copies ---- */

struct key {
	unsigned char *bytes;
	size_t n, cap;
};

/* Appends what the parts of the struct hold, those of these aspects. */
void key_put(struct key *key, const void *from, const struct part *parts,
    unsigned aspects);

/* Whether they hold the same; not for concurrent use. */
bool parts_equal(const void *a, const void *b, const struct part *parts);

/* Of a struct that was copied byte by byte: copies all to which it points, into the
 * arena, which holds its symbols if `hold` is set. */
void parts_copy(struct arena *arena, void *to, const struct part *parts,
    bool hold);

#endif
