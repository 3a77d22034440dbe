/* Counted symbols. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sym.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
an_arena_holds_its_symbols(void)
{
	struct arena arena = ARENA_INIT, other = ARENA_INIT;
	sym a = sym_in(&arena, "of an arena");

	t_int("found", sym_find("of an arena"), a);
	t_int("nothing to free", sym_collect(), 0);
	sym_hold(&other, a);
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
a_passing_symbol_stays_until_the_collection(void)
{
	sym a = sym_passing("in passing");

	t_int("the same", sym_passing("in passing"), a);
	t_str("text", sym_text(a), "in passing");
	t_int("unused", sym_unused(), 1);
	t_int("freed", sym_collect(), 1);
	a = sym_intern("in passing");
	t_int("a permanent one stays so", sym_passing("in passing"), a);
	t_int("kept", sym_collect(), 0);
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

/* The same length, first and last bytes. */
static void
similar_texts_are_different(void)
{
	static const char *const texts[] = { "pod-template-a-hash",
		"pod-template-b-hash", "acb", "adb" };
	struct arena arena = ARENA_INIT;
	sym syms[LENGTH(texts)];

	for (size_t i = 0; i < LENGTH(texts); i++)
		syms[i] = sym_in(&arena, texts[i]);
	for (size_t i = 0; i < LENGTH(texts); i++) {
		t_str("its text", sym_text(syms[i]), texts[i]);
		t_int("found again", sym_in(&arena, texts[i]), syms[i]);
	}
	arena_fini(&arena);
	t_int("all are freed", sym_collect(), LENGTH(texts));
	for (size_t i = LENGTH(texts); i-- > 0;)
		syms[i] = sym_in(&arena, texts[i]);
	for (size_t i = 0; i < LENGTH(texts); i++)
		t_str("and can be made again", sym_text(syms[i]), texts[i]);
	arena_fini(&arena);
	sym_collect();
}

T_MAIN(T(an_arena_holds_its_symbols), T(a_symbol_may_find_an_owner_again),
    T(a_passing_symbol_stays_until_the_collection), T(permanent_symbols_stay),
    T(numbers_are_used_again), T(similar_texts_are_different))
