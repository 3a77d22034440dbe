#include "config.h"

#include "base/sha1.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static const char *
hex(const void *bytes, size_t len)
{
	static char text[2 * SHA1_SIZE + 1];
	unsigned char digest[SHA1_SIZE];

	sha1(bytes, len, digest);
	for (int i = 0; i < SHA1_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return text;
}

/* FIPS 180's examples, and the lengths around a block's. */
static void
known_digests(void)
{
	static const struct {
		const char *text;
		const char *want;
	} rows[] = {
		{ "", "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
		{ "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		    "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	};
	static const struct {
		size_t len;
		const char *want;
	} lengths[] = {
		{ 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a" },
		{ 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699" },
		{ 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5" },
		{ 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d" },
		{ 65, "11655326c708d70319be2610e8a57d9a5b959d3b" },
		{ 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56" },
		{ 120, "f34c1488385346a55709ba056ddd08280dd4c6d6" },
		{ 128, "ad5b3fdbcb526778c2839d2f151ea753995e26a0" },
		{ 200, "e61cfffe0d9195a525fc6cf06ca2d77119c24a40" },
	};
	char as[200];

	memset(as, 'a', sizeof(as));
	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].text, hex(rows[i].text, strlen(rows[i].text)),
		    rows[i].want);
	for (size_t i = 0; i < LENGTH(lengths); i++)
		t_str("a…a", hex(as, lengths[i].len), lengths[i].want);
}

T_MAIN(T(known_digests))
