/* FIPS 180-4, section 6.1. */
#include "config.h"

#include "base/sha1.h"

#include <stdint.h>
#include <string.h>

#define BLOCK 64

static uint32_t
rotate(uint32_t x, int bits)
{
	return x << bits | x >> (32 - bits);
}

static void
read_words(const unsigned char *block, uint32_t w[80])
{
	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)block[4 * t] << 24 |
		    (uint32_t)block[4 * t + 1] << 16 |
		    (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (int t = 16; t < 80; t++)
		w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
}

/* The function of round t together with its constant. */
static uint32_t
mix(int t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return ((b & c) | (~b & d)) + UINT32_C(0x5a827999);
	if (t < 40)
		return (b ^ c ^ d) + UINT32_C(0x6ed9eba1);
	if (t < 60)
		return ((b & c) | (b & d) | (c & d)) + UINT32_C(0x8f1bbcdc);
	return (b ^ c ^ d) + UINT32_C(0xca62c1d6);
}

static void
add_block(uint32_t hash[5], const unsigned char *block)
{
	uint32_t w[80];
	uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3],
		 e = hash[4];

	read_words(block, w);
	for (int t = 0; t < 80; t++) {
		uint32_t next = rotate(a, 5) + mix(t, b, c, d) + e + w[t];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	hash[0] += a;
	hash[1] += b;
	hash[2] += c;
	hash[3] += d;
	hash[4] += e;
}

void
sha1(const void *bytes, size_t len, unsigned char digest[SHA1_SIZE])
{
	uint32_t hash[5] = { UINT32_C(0x67452301), UINT32_C(0xefcdab89),
		UINT32_C(0x98badcfe), UINT32_C(0x10325476),
		UINT32_C(0xc3d2e1f0) };
	const unsigned char *at = bytes;
	unsigned char last[2 * BLOCK] = { 0 };
	size_t rest = len % BLOCK;
	/* A 1 bit and eight bytes of length must fit behind the rest. */
	size_t size = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i < len / BLOCK; i++)
		add_block(hash, at + i * BLOCK);
	if (rest > 0)
		memcpy(last, at + len - rest, rest);
	last[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		last[size - 1 - i] =
		    (unsigned char)((uint64_t)len * 8 >> (8 * i));
	for (size_t i = 0; i < size; i += BLOCK)
		add_block(hash, last + i);
	for (int i = 0; i < SHA1_SIZE; i++)
		digest[i] = (unsigned char)(hash[i / 4] >> (24 - i % 4 * 8));
}
