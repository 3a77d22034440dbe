/*
 * SipHash: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012; one
 * round for each word and three at the end, as in Rust's and Python's tables.
 *
 * NH: Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: fast and secure
 * message authentication", 1999.  It compresses a block to two words with one
 * multiplication per two words.  Two different blocks have the same result for
 * one of 2^64 keys, and results are only seen through SipHash, so long keys
 * collide as rarely as short ones.
 */
#include "config.h"

#include "base/hash.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Bytes; longer keys are compressed, BLOCK by BLOCK. */
#define SHORT 64
#define BLOCK 128
#define PAIR 16

struct hash_secret_key hash_secret_key;
static uint64_t block_key[BLOCK / 8]; /* derived from hash_secret_key */

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

static inline struct sip
sip_begin(void)
{
	return (struct sip){
		hash_secret_key.k0 ^ UINT64_C(0x736f6d6570736575),
		hash_secret_key.k1 ^ UINT64_C(0x646f72616e646f6d),
		hash_secret_key.k0 ^ UINT64_C(0x6c7967656e657261),
		hash_secret_key.k1 ^ UINT64_C(0x7465646279746573),
	};
}

/* The last n bytes of a key of len bytes. */
static inline uint64_t
sip_end(struct sip *s, const unsigned char *p, size_t n, size_t len)
{
	for (; n >= 8; p += 8, n -= 8)
		sip_word(s, read_word(p));
	sip_word(s, (uint64_t)len << 56 | read_rest(p, n));
	s->v2 ^= 0xff;
	sip_round(s);
	sip_round(s);
	sip_round(s);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* The pairs of words from p to end, at most BLOCK bytes. */
static inline void
compress(struct sip *s, const unsigned char *p, const unsigned char *end)
{
	const uint64_t *k = block_key;
	unsigned __int128 sum = 0;

	for (; p < end; p += PAIR, k += 2)
		sum += (unsigned __int128)(read_word(p) + k[0]) *
		    (read_word(p + 8) + k[1]);
	sip_word(s, (uint64_t)sum);
	sip_word(s, (uint64_t)(sum >> 64));
}

static uint64_t
hash_long(const unsigned char *p, size_t len)
{
	struct sip s = sip_begin();
	size_t n = len;

	for (; n >= BLOCK; p += BLOCK, n -= BLOCK)
		compress(&s, p, p + BLOCK);
	if (n >= PAIR) {
		compress(&s, p, p + n / PAIR * PAIR);
		p += n / PAIR * PAIR;
		n %= PAIR;
	}
	/* lengths that differ by a multiple of 256 */
	sip_word(&s, len);
	return sip_end(&s, p, n, len);
}

uint64_t
hash_bytes64(const void *bytes, size_t len)
{
	struct sip s;

	if (!hash_secret_key.drawn)
		hash_draw_secret();
	if (len > SHORT)
		return hash_long(bytes, len);
	s = sip_begin();
	return sip_end(&s, bytes, len, len);
}

void
hash_set_secret(uint64_t k0, uint64_t k1)
{
	hash_secret_key.k0 = k0;
	hash_secret_key.k1 = k1;
	hash_secret_key.drawn = true;
	for (uint64_t i = 0; i < BLOCK / 8; i++)
		block_key[i] = hash_bytes64(&i, sizeof(i));
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
