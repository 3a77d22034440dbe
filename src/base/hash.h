/*
 * Hashing.
 *
 * Tables are keyed by texts and numbers that users choose: label keys, names,
 * uids.  Their hashes depend on a secret that is drawn once per process, so that
 * no user can choose keys that collide.  A decision never depends on them: ties
 * are broken by hash_stable() and hash_mix(), which are the same everywhere.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

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

/* The same for the same bytes in every process; for ties, never for tables. */
uint64_t hash_stable(const void *bytes, size_t len);

/* SipHash-1-3 under the secret of this process: the same for the same bytes as
 * long as it runs. */
uint64_t hash_bytes64(const void *bytes, size_t len);

static inline uint32_t
hash_bytes(const void *bytes, size_t len)
{
	return (uint32_t)hash_bytes64(bytes, len);
}

extern struct hash_secret_key {
	bool drawn;
	uint64_t k0, k1;
} hash_secret_key;
void hash_draw_secret(void);

/* A secret number, the same throughout the process: XOR it to the argument of
 * hash_mix() where the result is a place in a table. */
static inline uint64_t
hash_secret(void)
{
	if (__builtin_expect(!hash_secret_key.drawn, 0))
		hash_draw_secret();
	return hash_secret_key.k0 ^ hash_secret_key.k1;
}

/* For tests: sets the secret, before the first hash. */
void hash_set_secret(uint64_t k0, uint64_t k1);

#endif
