/* Counted symbols, and the hashes they are found by. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/sym.h"
#include "t/lib/t.h"

static void
an_arena_holds_its_symbols(void)
{
	struct arena arena = ARENA_INIT, other = ARENA_INIT;
	sym a = sym_in(&arena, "of an arena");

	t_int("found", sym_find("of an arena"), a);
	t_int("nothing to free", sym_collect(), 0);
	sym_hold_same(&other, &arena);
	arena_reset(&arena);
	t_int("the other holds it", sym_collect(), 0);
	t_str("text", sym_text(a), "of an arena");
	arena_fini(&other);
	t_int("still known before the collection", sym_find("of an arena"), a);
	t_int("unused", sym_unused(), 1);
	t_int("freed", sym_collect(), 1);
	t_int("unknown", sym_find("of an arena"), SYM_NONE);
	arena_fini(&arena);
}

static void
a_symbol_may_find_an_owner_again(void)
{
	sym a = sym_take("lost and found");

	sym_unref(a);
	t_int("the same", sym_take("lost and found"), a);
	t_int("kept", sym_collect(), 0);
	sym_unref(a);
	t_int("freed", sym_collect(), 1);
}

static void
permanent_symbols_stay(void)
{
	sym a = sym_take("first counted");

	t_int("the same symbol", sym_intern("first counted"), a);
	sym_unref(a);
	t_int("kept", sym_collect(), 0);
	t_str("text", sym_text(a), "first counted");
}

/* As many labels come and go as pods of a busy day: the table stays small. */
static void
numbers_are_used_again(void)
{
	struct arena arena = ARENA_INIT;
	char text[32];
	size_t count = 0;
	sym most = 0;

	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 1000; i++) {
			sym s;

			snprintf(text, sizeof(text), "r%d-%d", round, i);
			s = sym_in(&arena, text);
			most = s > most ? s : most;
		}
		arena_reset(&arena);
		t_int("freed", sym_collect(), 1000);
		if (round == 0)
			count = sym_count();
	}
	t_int("as many as before", sym_count(), count);
	t_true("no number above those of one round", most < count + 1000);
	arena_fini(&arena);
}

/* The reference vectors of SipHash are of 2-4; these hold 1-3 to be a function of
 * the secret and of every byte. */
static void
hashes_depend_on_the_secret(void)
{
	unsigned char text[24] = "pod-template-hash=abcdef";
	uint64_t first, second;

	hash_set_secret(1, 2);
	first = hash_bytes64(text, sizeof(text));
	t_true("the same again", hash_bytes64(text, sizeof(text)) == first);
	hash_set_secret(1, 3);
	second = hash_bytes64(text, sizeof(text));
	t_true("another secret", second != first);
	for (size_t i = 0; i < sizeof(text); i++) {
		text[i] ^= 1;
		t_true("another byte",
		    hash_bytes64(text, sizeof(text)) != second);
		text[i] ^= 1;
	}
	for (size_t len = 0; len < sizeof(text); len++)
		t_true("another length", hash_bytes64(text, len) != second);
}

/* Ties are broken by this one: it must never change. */
static void
the_stable_hash_is_stable(void)
{
	uint64_t before = hash_stable("node-00001", 10);

	hash_set_secret(7, 8);
	t_true("whatever the secret", hash_stable("node-00001", 10) == before);
	t_true("as in every process", before == UINT64_C(0x1839d8fccc1f4263));
}

T_MAIN(T(an_arena_holds_its_symbols), T(a_symbol_may_find_an_owner_again),
    T(permanent_symbols_stay), T(numbers_are_used_again),
    T(the_stable_hash_is_stable), T(hashes_depend_on_the_secret))
