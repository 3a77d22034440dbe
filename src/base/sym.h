/*
 * Interned strings: equal texts are equal small integers.
 *
 * Label keys and values, node names, namespaces, resource names and the like
 * repeat; as symbols they take four bytes and compare in one instruction.  Names
 * that do not repeat (pod names, uids) do not belong in the table.
 *
 * A symbol is permanent or counted:
 *
 *	permanent   names in the program and its configuration: sym_intern()
 *	counted     texts of the cluster's objects: sym_in(), sym_take().  It
 *	            stays while an arena or another owner holds it
 *
 * A counted symbol without owners keeps its number and its text until the next
 * sym_collect(): caches may still be keyed by it.  The caller of sym_collect()
 * must drop such caches first.
 */
#ifndef BASE_SYM_H
#define BASE_SYM_H

struct arena;

typedef uint32_t sym;

#define SYM_EMPTY ((sym)0)         /* the empty string */
#define SYM_NONE ((sym)UINT32_MAX) /* not a string at all */

/* Permanent from now on. */
sym sym_intern(const char *text);
sym sym_intern_n(const char *text, size_t len);

/* Counted; the arena holds it until it is reset or freed. */
sym sym_in(struct arena *arena, const char *text);
sym sym_in_n(struct arena *arena, const char *text, size_t len);
/* The arena holds this symbol, too; permanent ones and SYM_NONE are fine. */
void sym_hold(struct arena *arena, sym s);
/* The bytes of the symbols that the arena holds, but for those of many owners. */
size_t sym_held_size(const struct arena *arena);

/* Counted; you own one reference. */
sym sym_take(const char *text);
/* Counted, without an owner: valid until the next sym_collect(). */
sym sym_passing(const char *text);
/* Adds, drops a reference; permanent ones and SYM_NONE are fine. */
sym sym_ref(sym s);
void sym_unref(sym s);

/* SYM_NONE if no such symbol exists; neither adds nor holds one. */
sym sym_find(const char *text);
sym sym_find_n(const char *text, size_t len);

/* NUL-terminated; valid, at the same address, as long as the symbol. */
const char *sym_text(sym s);
size_t sym_len(sym s);

/* Byte order of the texts, as strcmp(). */
int sym_cmp(sym a, sym b);
/* The same of two sym *, for SORT(). */
int sym_compare(const void *a, const void *b);

/* How many symbols there are, and how many of them sym_collect() may free, about:
 * some may have found an owner again. */
size_t sym_count(void);
size_t sym_unused(void);

/* Frees symbols without owners; their numbers may come again with other texts.
 * Returns how many were freed. */
size_t sym_collect(void);

#endif
