#include "config.h"

#include "base/sym.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"

struct entry {
	const char *text;
	uint32_t len;
	uint32_t hash;
};

static struct {
	struct arena texts;
	struct entry *entries; /* by symbol */
	size_t n, cap;
	uint32_t *slots; /* symbol + 1, 0 is free; nslots is a power of two */
	size_t nslots;
} table;

static void
rehash(void)
{
	table.nslots = table.nslots == 0 ? 1024 : table.nslots * 2;
	table.slots = xrealloc(table.slots, table.nslots, sizeof(*table.slots));
	memset(table.slots, 0, table.nslots * sizeof(*table.slots));
	for (size_t i = 0; i < table.n; i++) {
		size_t slot = table.entries[i].hash & (table.nslots - 1);

		while (table.slots[slot] != 0)
			slot = (slot + 1) & (table.nslots - 1);
		table.slots[slot] = (uint32_t)i + 1;
	}
}

static sym
add(const char *text, size_t len, uint32_t hash)
{
	struct entry *entry;

	vec_room(table.entries, table.n, &table.cap);
	entry = &table.entries[table.n++];
	entry->text = arena_strndup(&table.texts, text, len);
	entry->len = (uint32_t)len;
	entry->hash = hash;
	return (sym)(table.n - 1);
}

/* The slot that holds the text, or the free one where it would go. */
static uint32_t *
find(const char *text, size_t len, uint32_t hash)
{
	size_t slot = hash & (table.nslots - 1);

	for (; table.slots[slot] != 0; slot = (slot + 1) & (table.nslots - 1)) {
		const struct entry *entry =
		    &table.entries[table.slots[slot] - 1];

		if (entry->hash == hash && entry->len == len &&
		    memcmp(entry->text, text, len) == 0)
			break;
	}
	return &table.slots[slot];
}

static void
init(void)
{
	if (table.nslots > 0)
		return;
	rehash();
	sym_intern_n("", 0);
}

sym
sym_intern_n(const char *text, size_t len)
{
	uint32_t hash = hash_bytes(text, len);
	uint32_t *slot;

	init();
	slot = find(text, len, hash);
	if (*slot != 0)
		return *slot - 1;
	if ((table.n + 1) * 3 > table.nslots * 2) {
		rehash();
		slot = find(text, len, hash);
	}
	*slot = add(text, len, hash) + 1;
	return *slot - 1;
}

sym
sym_intern(const char *text)
{
	return sym_intern_n(text, strlen(text));
}

sym
sym_find(const char *text)
{
	uint32_t *slot;

	init();
	slot = find(text, strlen(text), hash_bytes(text, strlen(text)));
	return *slot != 0 ? *slot - 1 : SYM_NONE;
}

const char *
sym_text(sym s)
{
	init();
	assert(s < table.n);
	return table.entries[s].text;
}

size_t
sym_len(sym s)
{
	init();
	assert(s < table.n);
	return table.entries[s].len;
}

int
sym_cmp(sym a, sym b)
{
	return a == b ? 0 : strcmp(sym_text(a), sym_text(b));
}
