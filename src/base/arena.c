#include "config.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>

#define BLOCK_MIN ((size_t)16 << 10)
#define BLOCK_MAX ((size_t)4 << 20)

struct arena_block {
	struct arena_block *next;
	size_t size; /* of the allocation that follows */
	alignas(max_align_t) char bytes[];
};

static size_t
round_up(size_t size)
{
	return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

static void
use(struct arena *arena, struct arena_block *block)
{
	arena->blocks = block;
	arena->free = block->bytes;
	arena->left = block->size;
}

static void
push_block(struct arena *arena, size_t size)
{
	struct arena_block *block = xmalloc(sizeof(*block) + size);

	block->next = arena->blocks;
	block->size = size;
	use(arena, block);
}

static void __attribute__((noinline, cold))
add_block(struct arena *arena, size_t at_least)
{
	size_t size = BLOCK_MIN;

	if (arena->blocks != NULL)
		size = arena->blocks->size * 2;
	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	if (size < at_least)
		size = at_least;
	push_block(arena, size);
}

void
arena_reserve(struct arena *arena, size_t size)
{
	size = round_up(size);
	if (size > arena->left)
		push_block(arena, size);
}

size_t
arena_used(const struct arena *arena)
{
	size_t used = 0;

	for (const struct arena_block *block = arena->blocks; block != NULL;
	     block = block->next)
		used += block->size;
	return used - arena->left;
}

static void
run_ends(struct arena *arena)
{
	struct arena_end *end, *next;

	for (end = arena->ends; end != NULL; end = next) {
		next = end->next;
		end->run(end);
	}
	arena->ends = NULL;
}

void
arena_fini(struct arena *arena)
{
	struct arena_block *block, *next;

	run_ends(arena);
	for (block = arena->blocks; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	*arena = (struct arena)ARENA_INIT;
}

void
arena_reset(struct arena *arena)
{
	struct arena_block *block;
	size_t total = 0;

	run_ends(arena);
	for (block = arena->blocks; block != NULL; block = block->next)
		total += block->size;
	if (total == 0)
		return;
	if (arena->blocks->next != NULL) {
		/* one block for the next round, instead of many each time */
		arena_fini(arena);
		push_block(arena, total);
	}
	use(arena, arena->blocks);
}

static inline void *
allocate(struct arena *arena, size_t size)
{
	void *p;

	size = round_up(size);
	if (__builtin_expect(size > arena->left || arena->free == NULL, 0))
		add_block(arena, size);
	p = arena->free;
	arena->free += size;
	arena->left -= size;
	return p;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	return allocate(arena, size);
}

void *
arena_zalloc(struct arena *arena, size_t size)
{
	return memset(allocate(arena, size), 0, size);
}

void *
arena_memdup(struct arena *arena, const void *p, size_t size)
{
	if (size == 0)
		return NULL;
	return memcpy(allocate(arena, size), p, size);
}

char *
arena_strndup(struct arena *arena, const char *s, size_t len)
{
	char *copy = allocate(arena, len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *s)
{
	return arena_strndup(arena, s, strlen(s));
}

char *
arena_printf(struct arena *arena, const char *fmt, ...)
{
	char *free_space = arena->free, *text;
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(free_space, arena->left, fmt, ap);
	if (len < 0)
		abort();
	text = arena_alloc(arena, (size_t)len + 1);
	if (text != free_space)
		vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

char *
arena_append(struct arena *arena, const char *text, const char *between,
    const char *more)
{
	return arena_printf(arena, "%s%s%s", text,
	    text[0] != '\0' ? between : "", more);
}

char *
arena_join(struct arena *arena, size_t n, const char *const *texts,
    const char *between)
{
	size_t between_len = strlen(between), len = 0, text_len;
	char *all, *end;

	for (size_t i = 0; i < n; i++)
		len += strlen(texts[i]) + (i > 0 ? between_len : 0);
	end = all = arena_alloc(arena, len + 1);
	for (size_t i = 0; i < n; i++) {
		text_len = strlen(texts[i]);
		if (i > 0) {
			memcpy(end, between, between_len);
			end += between_len;
		}
		memcpy(end, texts[i], text_len);
		end += text_len;
	}
	*end = '\0';
	return all;
}

void *
arena_grow(struct arena *arena, void *array, size_t n, size_t *cap, size_t size)
{
	void *bigger;

	if (n < *cap)
		return array;
	*cap = *cap < 4 ? 4 : *cap * 2;
	bigger = arena_alloc(arena, *cap * size);
	if (n > 0)
		memcpy(bigger, array, n * size);
	return bigger;
}
