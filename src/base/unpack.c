#include "config.h"

#include "base/unpack.h"

#include <limits.h>

#ifdef HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define FIRST_ROOM ((size_t)64 << 10)

static bool
begins_with(const char *bytes, size_t len, const char *magic)
{
	size_t n = strlen(magic);

	return len >= n && memcmp(bytes, magic, n) == 0;
}

static bool
is_gzip(const char *bytes, size_t len)
{
	return begins_with(bytes, len, "\x1f\x8b");
}

static bool
is_zstd(const char *bytes, size_t len)
{
	return begins_with(bytes, len, "\x28\xb5\x2f\xfd");
}

bool
unpack_is_packed(const char *bytes, size_t len)
{
	return is_gzip(bytes, len) || is_zstd(bytes, len);
}

/* The text so far; there is never room for more than one byte beyond max. */
struct unpacked {
	char *text;
	size_t len, room, max;
};

#if defined(HAVE_ZLIB) || defined(HAVE_ZSTD)
static void
make_room(struct unpacked *u)
{
	if (u->len < u->room)
		return;
	u->room = u->room == 0 ? FIRST_ROOM : u->room * 2;
	if (u->room > u->max + 1)
		u->room = u->max + 1;
	u->text = xrealloc(u->text, u->room, 1);
}

static int
check_length(const struct unpacked *u, const char *name, struct err *err)
{
	if (u->len <= u->max)
		return 0;
	return errf(err, "%s: larger than the limit of %zu bytes when unpacked",
	    name, u->max);
}

static int
truncated(const char *name, struct err *err)
{
	return errf(err, "%s: the compressed text is truncated", name);
}
#endif

#ifdef HAVE_ZLIB
static unsigned
as_uint(size_t n)
{
	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

/* Z_STREAM_END: at the end of the last member. */
static int
inflate_some(z_stream *z, const char *end, struct unpacked *u)
{
	unsigned room,
	    given = as_uint((size_t)(end - (const char *)z->next_in));
	int rc;

	make_room(u);
	room = as_uint(u->room - u->len);
	z->avail_in = given;
	z->next_out = (unsigned char *)u->text + u->len;
	z->avail_out = room;
	rc = inflate(z, Z_NO_FLUSH);
	u->len += room - z->avail_out;
	if (rc == Z_STREAM_END && (const char *)z->next_in < end)
		return inflateReset(z);
	if (rc == Z_BUF_ERROR && (const char *)z->next_in < end)
		return Z_OK; /* there was no room */
	return rc;
}

static int
unpack_gzip(const char *name, const char *bytes, size_t len, struct unpacked *u,
    struct err *err)
{
	z_stream z = { .next_in = (const unsigned char *)bytes };
	int rc = inflateInit2(&z, 15 + 16), result = 0; /* gzip alone */

	while (rc == Z_OK && result == 0) {
		rc = inflate_some(&z, bytes + len, u);
		result = check_length(u, name, err);
	}
	if (result == 0 && rc == Z_BUF_ERROR)
		result = truncated(name, err);
	else if (result == 0 && rc != Z_STREAM_END)
		result = errf(err, "%s: not gzip: %s", name,
		    z.msg != NULL ? z.msg : "broken");
	inflateEnd(&z);
	return result;
}
#else
static int
unpack_gzip(const char *name, const char *bytes, size_t len, struct unpacked *u,
    struct err *err)
{
	(void)bytes;
	(void)len;
	(void)u;
	return errf(err,
	    "%s: compressed with gzip, and this program was built without "
	    "zlib; unpack it with gzip -d",
	    name);
}
#endif

#ifdef HAVE_ZSTD
static int
unpack_zstd(const char *name, const char *bytes, size_t len, struct unpacked *u,
    struct err *err)
{
	ZSTD_inBuffer in = { bytes, len, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	size_t hint = 1;
	int result = z != NULL ? 0 : errf(err, "%s: no memory", name);

	while (result == 0 && (in.pos < len || hint != 0)) {
		ZSTD_outBuffer out;
		size_t before = in.pos;

		make_room(u);
		out = (ZSTD_outBuffer){ u->text, u->room, u->len };
		hint = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(hint))
			result = errf(err, "%s: not zstd: %s", name,
			    ZSTD_getErrorName(hint));
		else if (in.pos == before && out.pos == u->len && hint != 0)
			result = truncated(name, err);
		u->len = out.pos;
		if (result == 0)
			result = check_length(u, name, err);
	}
	ZSTD_freeDStream(z);
	return result;
}
#else
static int
unpack_zstd(const char *name, const char *bytes, size_t len, struct unpacked *u,
    struct err *err)
{
	(void)bytes;
	(void)len;
	(void)u;
	return errf(err,
	    "%s: compressed with zstd, and this program was built without "
	    "libzstd; unpack it with zstd -d",
	    name);
}
#endif

char *
unpack(const char *name, const char *bytes, size_t len, size_t max,
    size_t *out_len, struct err *err)
{
	struct unpacked u = { .max = max };
	int rc = is_gzip(bytes, len) ? unpack_gzip(name, bytes, len, &u, err) :
				       unpack_zstd(name, bytes, len, &u, err);

	if (rc != 0) {
		free(u.text);
		return NULL;
	}
	*out_len = u.len;
	return u.text;
}
