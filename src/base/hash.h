/* Hashing of small things; not for adversarial keys over the network. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	x ^= x >> 32;
	return x;
}

static inline uint64_t
hash_bytes64(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t h = len * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t word;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = hash_mix(h ^ word);
	}
	word = 0;
	memcpy(&word, p, len);
	return hash_mix(h ^ word);
}

static inline uint32_t
hash_bytes(const void *bytes, size_t len)
{
	return (uint32_t)hash_bytes64(bytes, len);
}

#endif
