/*
 * Memory that is read soon: with many nodes, waiting for it dominates the cost of
 * reading them all.
 */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* For functions that only prefetch: gcc takes out calls of them. */
#define PREFETCHES inline __attribute__((always_inline))

#define CACHE_LINE 64

/* A line for every 64 of size bytes at p, which may be any pointer, NULL too. */
static PREFETCHES void
prefetch(const void *p, size_t size)
{
	for (size_t i = 0; i < size; i += CACHE_LINE)
		__builtin_prefetch((const void *)((uintptr_t)p + i));
}

#endif
