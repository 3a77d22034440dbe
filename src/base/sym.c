/*
 * The table is one array of entries by symbol, and slots (open addressing,
 * linear probing) that find an entry by its text.  An entry that loses its last
 * owner is noted in `unused`; sym_collect() checks these.
 */
#include "config.h"

#include "base/sym.h"

#include <assert.h>

#include "base/arena.h"
#include "base/hash.h"

#define PERMANENT UINT32_MAX
#define RECENT_BITS 10

struct entry {
	char *text; /* NULL: the number is free */
	uint32_t len;
	uint32_t hash;
	uint32_t refs;  /* PERMANENT: not counted */
	bool is_listed; /* in table.unused */
};

static struct {
	struct entry *entries; /* by symbol */
	size_t n, cap;
	size_t nfree, free_cap;
	sym *free; /* numbers that may be given again */
	size_t nunused, unused_cap;
	sym *unused;
	uint32_t *slots; /* symbol + 1, 0 is free; nslots is a power of two */
	size_t nslots;
	/* The last symbols interned, by a few bytes of their texts: most texts
	 * recur soon.  Users may choose texts that replace each other here;
	 * these are found by their slots. */
	sym recent[1 << RECENT_BITS];
} table;

/* Some symbols that an arena holds; it lies in the arena. */
struct held {
	struct arena_end end; /* first: they are cast to each other */
	uint32_t n, cap;
	sym at[];
};

#define HELD_MIN 6
#define HELD_MAX 1024

static void
rehash(void)
{
	table.nslots = table.nslots == 0 ? 1024 : table.nslots * 2;
	table.slots = xrealloc(table.slots, table.nslots, sizeof(*table.slots));
	memset(table.slots, 0, table.nslots * sizeof(*table.slots));
	for (size_t i = 0; i < table.n; i++) {
		size_t slot = table.entries[i].hash & (table.nslots - 1);

		if (table.entries[i].text == NULL)
			continue;
		while (table.slots[slot] != 0)
			slot = (slot + 1) & (table.nslots - 1);
		table.slots[slot] = (uint32_t)i + 1;
	}
}

static sym
add(const char *text, size_t len, uint32_t hash)
{
	struct entry *entry;
	sym s;

	if (table.nfree > 0) {
		s = table.free[--table.nfree];
	} else {
		vec_room(table.entries, table.n, &table.cap);
		s = (sym)table.n++;
	}
	entry = &table.entries[s];
	*entry = (struct entry){ .text = xmalloc(len + 1),
		.len = (uint32_t)len,
		.hash = hash };
	memcpy(entry->text, text, len);
	entry->text[len] = '\0';
	return s;
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

static sym
look_up_or_add(const char *text, size_t len)
{
	uint32_t hash, *slot;

	init();
	hash = hash_bytes(text, len);
	slot = find(text, len, hash);
	if (*slot != 0)
		return *slot - 1;
	if ((table.n - table.nfree + 1) * 3 > table.nslots * 2) {
		rehash();
		slot = find(text, len, hash);
	}
	*slot = add(text, len, hash) + 1;
	return *slot - 1;
}

/* An index of table.recent. */
static size_t
recent_index(const char *text, size_t len)
{
	uint64_t first, last;

	if (len == 0)
		return 0;
	if (len < sizeof(first)) {
		first = (unsigned char)text[0];
		last = (uint64_t)(unsigned char)text[len / 2] << 8 |
		    (unsigned char)text[len - 1];
	} else {
		memcpy(&first, text, sizeof(first));
		memcpy(&last, text + len - sizeof(last), sizeof(last));
	}
	return (first ^ last << 7) * UINT64_C(0x9e3779b97f4a7c15) >>
	    (64 - RECENT_BITS);
}

static bool
has_text(sym s, const char *text, size_t len)
{
	const struct entry *entry;

	if (s >= table.n)
		return false;
	entry = &table.entries[s];
	return entry->len == len && entry->text != NULL &&
	    memcmp(entry->text, text, len) == 0;
}

static sym
intern(const char *text, size_t len)
{
	sym *recent = &table.recent[recent_index(text, len)];

	if (!has_text(*recent, text, len))
		*recent = look_up_or_add(text, len);
	return *recent;
}

sym
sym_intern_n(const char *text, size_t len)
{
	sym s = intern(text, len);

	table.entries[s].refs = PERMANENT;
	return s;
}

sym
sym_intern(const char *text)
{
	return sym_intern_n(text, strlen(text));
}

static bool
is_counted(sym s)
{
	return s != SYM_NONE && s != SYM_EMPTY &&
	    table.entries[s].refs != PERMANENT;
}

sym
sym_ref(sym s)
{
	if (is_counted(s))
		table.entries[s].refs++;
	return s;
}

void
sym_unref(sym s)
{
	struct entry *entry;

	if (!is_counted(s))
		return;
	entry = &table.entries[s];
	assert(entry->refs > 0);
	if (--entry->refs > 0 || entry->is_listed)
		return;
	entry->is_listed = true;
	vec_room(table.unused, table.nunused, &table.unused_cap);
	table.unused[table.nunused++] = s;
}

sym
sym_take(const char *text)
{
	return sym_ref(intern(text, strlen(text)));
}

sym
sym_passing(const char *text)
{
	sym s = sym_take(text);

	sym_unref(s);
	return s;
}

static void
release_held(struct arena_end *end)
{
	const struct held *held = (const struct held *)end;

	for (uint32_t i = 0; i < held->n; i++)
		sym_unref(held->at[i]);
}

/* Where the arena notes one more symbol. */
static struct held *
held_with_room(struct arena *arena)
{
	struct held *held = NULL;
	uint32_t cap = HELD_MIN;

	if (arena->ends != NULL && arena->ends->run == release_held) {
		held = (struct held *)arena->ends;
		if (held->n < held->cap)
			return held;
		cap = held->cap < HELD_MAX ? held->cap * 2 : HELD_MAX;
	}
	held = arena_alloc(arena, sizeof(*held) + cap * sizeof(held->at[0]));
	held->end.run = release_held;
	held->n = 0;
	held->cap = cap;
	arena_on_end(arena, &held->end);
	return held;
}

void
sym_hold(struct arena *arena, sym s)
{
	struct held *held;

	if (!is_counted(s))
		return;
	held = held_with_room(arena);
	held->at[held->n++] = sym_ref(s);
}

/* A text that more hold costs each of them next to nothing. */
#define OWNERS_FEW 8
#define TEXT_SIZE_MIN 24 /* of a short one, about, as malloc() rounds it up */

size_t
sym_held_size(const struct arena *arena)
{
	const size_t each =
	    sizeof(struct entry) + 2 * sizeof(uint32_t) + TEXT_SIZE_MIN;
	size_t size = 0;

	for (const struct arena_end *end = arena->ends; end; end = end->next) {
		const struct held *held = (const struct held *)end;

		if (end->run != release_held)
			continue;
		for (uint32_t i = 0; i < held->n; i++)
			if (table.entries[held->at[i]].refs <= OWNERS_FEW)
				size += each + table.entries[held->at[i]].len;
	}
	return size;
}

sym
sym_in_n(struct arena *arena, const char *text, size_t len)
{
	sym s = intern(text, len);

	sym_hold(arena, s);
	return s;
}

sym
sym_in(struct arena *arena, const char *text)
{
	return sym_in_n(arena, text, strlen(text));
}

sym
sym_find_n(const char *text, size_t len)
{
	uint32_t *slot;

	init();
	slot = find(text, len, hash_bytes(text, len));
	return *slot != 0 ? *slot - 1 : SYM_NONE;
}

sym
sym_find(const char *text)
{
	return sym_find_n(text, strlen(text));
}

const char *
sym_text(sym s)
{
	init();
	assert(s < table.n && table.entries[s].text != NULL);
	return table.entries[s].text;
}

size_t
sym_len(sym s)
{
	init();
	assert(s < table.n && table.entries[s].text != NULL);
	return table.entries[s].len;
}

int
sym_cmp(sym a, sym b)
{
	return a == b ? 0 : strcmp(sym_text(a), sym_text(b));
}

int
sym_compare(const void *a, const void *b)
{
	return sym_cmp(*(const sym *)a, *(const sym *)b);
}

size_t
sym_count(void)
{
	return table.n - table.nfree;
}

size_t
sym_unused(void)
{
	return table.nunused;
}

size_t
sym_collect(void)
{
	size_t before = table.nfree;

	for (size_t i = 0; i < table.nunused; i++) {
		struct entry *entry = &table.entries[table.unused[i]];

		entry->is_listed = false;
		if (entry->refs > 0)
			continue;
		free(entry->text);
		entry->text = NULL;
		vec_room(table.free, table.nfree, &table.free_cap);
		table.free[table.nfree++] = table.unused[i];
	}
	table.nunused = 0;
	if (table.nfree > before) {
		/* rehash() doubles */
		table.nslots /= 2;
		rehash();
	}
	return table.nfree - before;
}
