#include "config.h"

#include "objects/parts.h"

#include "base/arena.h"
#include "base/xmalloc.h"

/* More than the parts of any struct take, without its arrays and texts. */
#define ROOM 1024

/* Where the key ends; there is this room, and ROOM. */
static unsigned char *
room(struct key *key, size_t len)
{
	if (key->cap - key->n < len + ROOM) {
		key->cap = 2 * (key->n + len + ROOM);
		key->bytes = xrealloc(key->bytes, key->cap, 1);
	}
	return key->bytes + key->n;
}

static void
put(struct key *key, const void *bytes, size_t len)
{
	memcpy(room(key, len), bytes, len);
	key->n += len;
}

/* An array of these is a row of bytes that say the same of equal ones only. */
static bool
is_plain(const struct part *parts, size_t size)
{
	size_t sum = 0;

	for (; parts->kind == PART_SYM || parts->kind == PART_U32; parts++)
		sum += sizeof(uint32_t);
	return parts->kind == PART_END && sum == size;
}

static void
put_list(struct key *key, const char *at, uint32_t n, const struct part *part)
{
	if (part->kind == PART_SYMS)
		put(key, at, n * sizeof(sym));
	else if (is_plain(part->of, part->size))
		put(key, at, n * (size_t)part->size);
	else
		for (uint32_t i = 0; i < n; i++)
			key_put(key, at + i * (size_t)part->size, part->of, 0);
}

void
key_put(struct key *key, const void *from, const struct part *parts,
    unsigned aspects)
{
	unsigned char *to = room(key, 0);

	for (const struct part *p = parts; p->kind != PART_END; p++) {
		const char *at = (const char *)from + p->at;
		const char *pointed;
		uint32_t n;

		switch (p->kind) {
		case PART_END:
			break;
		case PART_ASPECT:
			if ((p->size & aspects) == 0)
				while (p[1].kind > PART_ASPECT)
					p++;
			break;
		case PART_SYM:
		case PART_U32:
			memcpy(to, at, sizeof(uint32_t));
			to += sizeof(uint32_t);
			break;
		case PART_FLAG:
			*to++ = *(const bool *)at;
			break;
		case PART_RUN:
			memcpy(to, at, p->size);
			to += p->size;
			break;
		case PART_SYMS:
		case PART_LIST:
			n = *(const uint32_t *)((const char *)from + p->count);
			memcpy(to, &n, sizeof(n));
			to += sizeof(n);
			if (n == 0)
				break;
			key->n = (size_t)(to - key->bytes);
			put_list(key, *(const char *const *)at, n, p);
			to = room(key, 0);
			break;
		case PART_TEXT:
		case PART_POINTER:
			pointed = *(const char *const *)at;
			*to++ = pointed != NULL;
			if (pointed == NULL)
				break;
			key->n = (size_t)(to - key->bytes);
			if (p->kind == PART_TEXT)
				put(key, pointed, strlen(pointed) + 1);
			else
				key_put(key, pointed, p->of, 0);
			to = room(key, 0);
			break;
		}
	}
	key->n = (size_t)(to - key->bytes);
}

bool
parts_equal(const void *a, const void *b, const struct part *parts)
{
	static struct key x, y;

	x.n = y.n = 0;
	key_put(&x, a, parts, 0);
	key_put(&y, b, parts, 0);
	return x.n == y.n && memcmp(x.bytes, y.bytes, x.n) == 0;
}

static void
copy_list(struct arena *arena, char **at, uint32_t n, const struct part *part,
    bool hold)
{
	*at = arena_memdup(arena, *at, n * (size_t)part->size);
	for (uint32_t i = 0; i < n; i++)
		if (part->kind == PART_LIST)
			parts_copy(arena, *at + i * (size_t)part->size,
			    part->of, hold);
		else if (hold)
			sym_hold(arena, ((const sym *)*at)[i]);
}

void
parts_copy(struct arena *arena, void *to, const struct part *parts, bool hold)
{
	for (const struct part *p = parts; p->kind != PART_END; p++) {
		char *at = (char *)to + p->at;
		const char **text = (const char **)at;

		switch (p->kind) {
		case PART_END:
		case PART_ASPECT:
		case PART_U32:
		case PART_FLAG:
		case PART_RUN:
			break;
		case PART_SYM:
			if (hold)
				sym_hold(arena, *(const sym *)at);
			break;
		case PART_TEXT:
			if (*text != NULL)
				*text = arena_strdup(arena, *text);
			break;
		case PART_SYMS:
		case PART_LIST:
			copy_list(arena, (char **)at,
			    *(const uint32_t *)((const char *)to + p->count), p,
			    hold);
			break;
		case PART_POINTER:
			if (*text == NULL)
				break;
			*text = arena_memdup(arena, *text, p->size);
			parts_copy(arena, (char *)*text, p->of, hold);
			break;
		}
	}
}
