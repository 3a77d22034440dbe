/*
 * Memory that is freed all at once: the scratch of one decision, or all parts
 * of one document.  Memory of an arena is never freed piece by piece.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

struct arena_block;

/* Called when the memory that it lies in is about to be freed or reused. */
struct arena_end {
	struct arena_end *next;
	void (*run)(struct arena_end *end);
};

struct arena {
	struct arena_block *blocks; /* the one in use first */
	char *free;                 /* within blocks, NULL if there is no
				     * block */
	size_t left;
	struct arena_end *ends; /* the last one first */
};

#define ARENA_INIT                                                             \
	{                                                                      \
		0                                                              \
	}

void arena_fini(struct arena *arena);

/* Runs end when the arena is reset or freed; end lies in the arena itself. */
static inline void
arena_on_end(struct arena *arena, struct arena_end *end)
{
	end->next = arena->ends;
	arena->ends = end;
}

/* Forgets everything; keeps room for as much again, in one piece. */
void arena_reset(struct arena *arena);

/* Makes room for size bytes; in an empty arena exactly that much, so that a
 * small object need not take a big block. */
void arena_reserve(struct arena *arena, size_t size);

/* At least the size that arena_reserve() needs to hold all that was
 * allocated. */
size_t arena_used(const struct arena *arena);

/* Aligned for any type; arena_zalloc() also clears.  Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zalloc(struct arena *arena, size_t size);
void *arena_memdup(struct arena *arena, const void *p, size_t size);
/* A NUL-terminated copy of len bytes. */
char *arena_strndup(struct arena *arena, const char *s, size_t len);
char *arena_strdup(struct arena *arena, const char *s);
char *arena_printf(struct arena *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The n texts with this between them. */
char *arena_join(struct arena *arena, size_t n, const char *const *texts,
    const char *between);

/* "text, more", with this between them unless the text is "". */
char *arena_append(struct arena *arena, const char *text, const char *between,
    const char *more);

#define arena_array(arena, type, n)                                            \
	((type *)arena_zalloc((arena), (size_t)(n) * sizeof(type)))

/* As xgrow(): room for one more in an array that lives in the arena. */
void *arena_grow(struct arena *arena, void *array, size_t n, size_t *cap,
    size_t size);
#define arena_room(arena, array, n, cap)                                       \
	((array) = arena_grow((arena), (array), (n), (cap), sizeof(*(array))))

#endif
