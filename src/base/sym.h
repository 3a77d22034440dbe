/*
 * Interned strings: equal texts are equal small integers.
 *
 * Label keys and values, node names, namespaces, resource names and the like
 * come up again and again; as symbols they take four bytes and compare in one
 * instruction.  The table lives as long as the process and only grows.  Names
 * that do not repeat (pod names, uids) do not belong in it.
 */
#ifndef BASE_SYM_H
#define BASE_SYM_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t sym;

#define SYM_EMPTY ((sym)0)        /* the empty string */
#define SYM_NONE ((sym)UINT32_MAX) /* not a string at all */

sym sym_intern(const char *text);
sym sym_intern_n(const char *text, size_t len);

/* SYM_NONE when no such text was ever interned; adds nothing. */
sym sym_find(const char *text);

/* NUL-terminated; stays valid and at its address for ever. */
const char *sym_text(sym s);
size_t sym_len(sym s);

/* Byte order of the texts, as strcmp(). */
int sym_cmp(sym a, sym b);

#endif
