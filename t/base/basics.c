/* Arena, interned strings, maps. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/sym.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
equal_texts_are_equal_symbols(void)
{
	char text[16];
	sym first[3000];

	for (int i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "s%d", i);
		first[i] = sym_intern(text);
	}
	for (int i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "s%d", i);
		t_int(text, sym_intern(text), first[i]);
		t_str(text, sym_text(first[i]), text);
	}
	t_int("the empty string", sym_intern(""), SYM_EMPTY);
	t_int("never seen", sym_find("never interned"), SYM_NONE);
	t_true("byte order", sym_cmp(first[1], first[2]) < 0);
	t_int("length", sym_len(sym_intern_n("a\0b", 3)), 3);
}

static void
a_map_agrees_with_an_array(void)
{
	struct map map = { 0 };
	static char present[512];
	uint64_t x = 1;
	size_t n = 0;

	for (int i = 0; i < 20000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		uint64_t key = (x >> 33) % 512;

		if (x >> 63 || !present[key]) {
			t_true("put",
			    (map_put(&map, key, &present[key]) != NULL) ==
				present[key]);
			n += !present[key];
			present[key] = 1;
		} else {
			t_true("del", map_del(&map, key) == &present[key]);
			present[key] = 0;
			n--;
		}
		t_int("size", map.n, n);
	}
	for (uint64_t key = 0; key < 512; key++)
		t_true("get", (map_get(&map, key) != NULL) == present[key]);
	map_fini(&map);
}

static void
a_string_map_keeps_what_it_is_given(void)
{
	struct strmap map = { 0 };
	char keys[300][8];

	for (int i = 0; i < 300; i++) {
		snprintf(keys[i], sizeof(keys[i]), "k%d", i);
		t_true("new", strmap_put(&map, keys[i], keys[i]) == NULL);
	}
	for (int i = 0; i < 300; i += 2)
		t_true("del", strmap_del(&map, keys[i]) == keys[i]);
	for (int i = 0; i < 300; i++)
		t_true("get", (strmap_get(&map, keys[i]) != NULL) == (i % 2));
	t_true("absent", strmap_del(&map, "absent") == NULL);
	strmap_fini(&map);
}

static void
an_arena_gives_aligned_separate_memory(void)
{
	static const char *const texts[] = { "a", "", "bc" };
	struct arena arena = ARENA_INIT;

	for (int round = 0; round < 3; round++) {
		char *last = NULL;

		for (size_t size = 0; size < 3000; size += 7) {
			char *p = arena_alloc(&arena, size);

			t_int("aligned", (uintptr_t)p % 16, 0);
			t_true("not the last one", p != last || size == 0);
			memset(p, 'x', size);
			last = size > 0 ? p : NULL;
		}
		t_str("printf", arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
		t_str("join", arena_join(&arena, 3, texts, "; "), "a; ; bc");
		t_str("join one", arena_join(&arena, 1, texts, "; "), "a");
		t_str("join none", arena_join(&arena, 0, NULL, "; "), "");
		arena_reset(&arena);
	}
	arena_fini(&arena);
}

static void
errors_are_cut_never_overrun(void)
{
	struct err err;
	AUTOFREE char *text = xcalloc(5000, 1);

	memset(text, 'a', 4999);
	t_int("returns", errf(&err, "%s", text), -1);
	t_int("cut", strlen(err.text), sizeof(err.text) - 1);
	t_int("without an err", errf(NULL, "x"), -1);
}

T_MAIN(T(equal_texts_are_equal_symbols), T(a_map_agrees_with_an_array),
    T(a_string_map_keeps_what_it_is_given),
    T(an_arena_gives_aligned_separate_memory), T(errors_are_cut_never_overrun))
