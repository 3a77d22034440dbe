/*
 * SipHash: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; one
 * round for each word and three at the end, as in Rust's and Python's tables.
 */
#include "config.h"

#include "base/hash.h"

#include <endian.h>
#include <stdio.h>
#include <sys/random.h>

struct hash_secret_key hash_secret_key;

struct sip {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t
rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void
sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 = rotate(s->v2, 32);
}

static inline void
sip_word(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

static inline uint64_t
read_word(const unsigned char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return le64toh(word);
}

static inline uint64_t
read_half(const unsigned char *p)
{
	uint32_t half;

	memcpy(&half, p, sizeof(half));
	return le32toh(half);
}

/* The first len (below 8) bytes as a little-endian number. */
static inline uint64_t
read_rest(const unsigned char *p, size_t len)
{
	if (len >= 4)
		return read_half(p) | read_half(p + len - 4) << (8 * (len - 4));
	if (len == 0)
		return 0;
	return (uint64_t)p[0] | (uint64_t)p[len / 2] << (8 * (len / 2)) |
	    (uint64_t)p[len - 1] << (8 * (len - 1));
}

uint64_t
hash_bytes64(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	size_t n = len;
	struct sip s;

	if (!hash_secret_key.drawn)
		hash_draw_secret();
	s = (struct sip){
		hash_secret_key.k0 ^ UINT64_C(0x736f6d6570736575),
		hash_secret_key.k1 ^ UINT64_C(0x646f72616e646f6d),
		hash_secret_key.k0 ^ UINT64_C(0x6c7967656e657261),
		hash_secret_key.k1 ^ UINT64_C(0x7465646279746573),
	};
	for (; n >= 8; p += 8, n -= 8)
		sip_word(&s, read_word(p));
	sip_word(&s, (uint64_t)len << 56 | read_rest(p, n));
	s.v2 ^= 0xff;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

void
hash_set_secret(uint64_t k0, uint64_t k1)
{
	hash_secret_key.k0 = k0;
	hash_secret_key.k1 = k1;
	hash_secret_key.drawn = true;
}

void
hash_draw_secret(void)
{
	uint64_t k[2];

	if (getrandom(k, sizeof(k), 0) != (ssize_t)sizeof(k)) {
		perror("cannot get random bytes");
		abort();
	}
	hash_set_secret(k[0], k[1]);
}

uint64_t
hash_stable(const void *bytes, size_t len)
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
