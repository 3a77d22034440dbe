#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

/* The longest of the vectors, and a key of many words. */
#define SHORT 64
#define LONG 300

/* SipHash-1-3 of the bytes 0, 1, 2 … under the key 00 01 … 0f; the first ones
 * are among the vectors published with other implementations of it. */
static const struct vector {
	size_t len;
	uint64_t hash;
} vectors[] = {
	{ 0, UINT64_C(0xabac0158050fc4dc) },
	{ 1, UINT64_C(0xc9f49bf37d57ca93) },
	{ 2, UINT64_C(0x82cb9b024dc7d44d) },
	{ 3, UINT64_C(0x8bf80ab8e7ddf7fb) },
	{ 4, UINT64_C(0xcf75576088d38328) },
	{ 5, UINT64_C(0xdef9d52f49533b67) },
	{ 6, UINT64_C(0xc50d2b50c59f22a7) },
	{ 7, UINT64_C(0xd3927d989bb11140) },
	{ 8, UINT64_C(0x369095118d299a8e) },
	{ 9, UINT64_C(0x25a48eb36c063de4) },
	{ 15, UINT64_C(0xd320d86d2a519956) },
	{ 16, UINT64_C(0xcc4fdd1a7d908b66) },
	{ 63, UINT64_C(0x9d199062b7bbb3a8) },
	{ 64, UINT64_C(0xf17997ec4b4a6065) },
};

static void
short_keys_have_siphash(void)
{
	unsigned char bytes[SHORT];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	hash_set_secret(UINT64_C(0x0706050403020100),
	    UINT64_C(0x0f0e0d0c0b0a0908));
	for (size_t i = 0; i < LENGTH(vectors); i++)
		t_true("as published",
		    hash_bytes64(bytes, vectors[i].len) == vectors[i].hash);
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* True if no two are equal. */
static bool
differ(uint64_t *hashes, size_t n)
{
	qsort(hashes, n, sizeof(*hashes), compare);
	for (size_t i = 1; i < n; i++)
		if (hashes[i - 1] == hashes[i])
			return false;
	return true;
}

/* The key and all that have one other bit. */
static bool
bits_count(unsigned char *bytes, size_t len)
{
	static uint64_t hashes[8 * LONG + 1];
	size_t n = 0;

	hashes[n++] = hash_bytes64(bytes, len);
	for (size_t bit = 0; bit < 8 * len; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		hashes[n++] = hash_bytes64(bytes, len);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	return differ(hashes, n);
}

static void
every_bit_counts(void)
{
	unsigned char bytes[LONG];

	hash_set_secret(1, 2);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 7);
	for (size_t len = 1; len <= sizeof(bytes); len++)
		if (!bits_count(bytes, len))
			t_int("every bit of a key this long", (int)len, 0);
	memset(bytes, 0, sizeof(bytes));
	for (size_t len = 1; len <= sizeof(bytes); len++)
		if (!bits_count(bytes, len))
			t_int("every bit of zeros this long", (int)len, 0);
}

/* Zeros of all lengths; beyond 255, a byte of the length is not enough. */
static void
the_length_counts(void)
{
	static const unsigned char zeros[4096];
	static uint64_t hashes[sizeof(zeros) + 1];

	hash_set_secret(1, 2);
	for (size_t len = 0; len <= sizeof(zeros); len++)
		hashes[len] = hash_bytes64(zeros, len);
	t_true("zeros of any length", differ(hashes, LENGTH(hashes)));
}

static void
swap(unsigned char *a, unsigned char *b, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = a[i];

		a[i] = b[i];
		b[i] = byte;
	}
}

/* All pairs of pieces, of 8 bytes (words), 16 (pairs) and 128 (blocks). */
static void
the_order_counts(void)
{
	static const size_t sizes[] = { 8, 16, 128 };
	unsigned char bytes[512];
	uint64_t hash;

	hash_set_secret(1, 2);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i / 8);
	hash = hash_bytes64(bytes, sizeof(bytes));
	for (size_t s = 0; s < LENGTH(sizes); s++)
		for (size_t i = 0; i < sizeof(bytes); i += sizes[s])
			for (size_t j = 0; j < i; j += sizes[s]) {
				swap(bytes + i, bytes + j, sizes[s]);
				if (hash_bytes64(bytes, sizeof(bytes)) == hash)
					t_int("swapped", (int)i, (int)j);
				swap(bytes + i, bytes + j, sizes[s]);
			}
	t_true("the same again", hash_bytes64(bytes, sizeof(bytes)) == hash);
}

static void
the_secret_counts(void)
{
	unsigned char bytes[LONG] = { 0 };
	uint64_t hashes[64];

	for (unsigned len = 0; len <= LONG; len += 10) {
		for (unsigned i = 0; i < LENGTH(hashes); i++) {
			hash_set_secret(i / 8, i % 8);
			hashes[i] = hash_bytes64(bytes, len);
		}
		if (!differ(hashes, LENGTH(hashes)))
			t_int("secrets under which it differs", (int)len, 0);
	}
}

/* Long keys that differ in one number: the lowest bits choose the slot. */
static void
low_bits_are_even(void)
{
	static unsigned counts[256];
	unsigned char bytes[200] = { 0 };
	unsigned most = 0;

	hash_set_secret(1, 2);
	for (uint32_t i = 0; i < 256 * 64; i++) {
		memcpy(bytes + 100, &i, sizeof(i));
		counts[hash_bytes64(bytes, sizeof(bytes)) % LENGTH(counts)]++;
	}
	for (size_t i = 0; i < LENGTH(counts); i++)
		most = counts[i] > most ? counts[i] : most;
	/* 64 on average, with a standard deviation of 8 */
	t_true("no slot is much fuller than others", most < 64 + 6 * 8);
}

/* Ties are broken by this one: it must never change. */
static void
the_stable_hash_is_stable(void)
{
	uint64_t before = hash_stable("node-00001", 10);

	hash_set_secret(7, 8);
	t_true("whatever the secret", hash_stable("node-00001", 10) == before);
	t_true("as in every process", before == UINT64_C(0x1839d8fccc1f4263));
}

T_MAIN(T(short_keys_have_siphash), T(every_bit_counts), T(the_length_counts),
    T(the_order_counts), T(the_secret_counts), T(low_bits_are_even),
    T(the_stable_hash_is_stable))
