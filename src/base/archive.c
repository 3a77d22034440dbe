#include "config.h"

#include "base/archive.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
const char archive_suffix[] = ".tar.gz";
#else
const char archive_suffix[] = ".tar";
#endif

#define BLOCK 512

struct archive {
	const char *path;
	int64_t mtime;
	int fd;
	int error; /* errno of the first failure, or 0 */
#ifdef HAVE_ZLIB
	z_stream z;
#endif
};

/* ---- bytes ---- */

static void
write_bytes(struct archive *a, const char *bytes, size_t len)
{
	while (len > 0 && a->error == 0) {
		ssize_t n = write(a->fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			a->error = errno;
			return;
		}
		bytes += n;
		len -= (size_t)n;
	}
}

#ifdef HAVE_ZLIB
static void
begin(struct archive *a)
{
	if (deflateInit2(&a->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
		Z_DEFAULT_STRATEGY) != Z_OK)
		a->error = ENOMEM;
}

/* flush: Z_NO_FLUSH, or Z_FINISH at the end. */
static void
pack(struct archive *a, const char *bytes, size_t len, int flush)
{
	char out[16384];

	do {
		size_t some = len < UINT_MAX ? len : UINT_MAX;

		a->z.next_in = (const unsigned char *)bytes;
		a->z.avail_in = (unsigned)some;
		do {
			a->z.next_out = (unsigned char *)out;
			a->z.avail_out = sizeof(out);
			deflate(&a->z, flush);
			write_bytes(a, out, sizeof(out) - a->z.avail_out);
		} while (a->z.avail_out == 0);
		bytes += some;
		len -= some;
	} while (len > 0);
}

static void
put(struct archive *a, const char *bytes, size_t len)
{
	if (a->error == 0 && len > 0)
		pack(a, bytes, len, Z_NO_FLUSH);
}

static void
end(struct archive *a)
{
	if (a->error == 0)
		pack(a, "", 0, Z_FINISH);
	deflateEnd(&a->z);
}
#else
static void
begin(struct archive *a)
{
	(void)a;
}

static void
put(struct archive *a, const char *bytes, size_t len)
{
	write_bytes(a, bytes, len);
}

static void
end(struct archive *a)
{
	(void)a;
}
#endif

/* ---- members ---- */

/* POSIX.1-2017, pax, ustar Interchange Format. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12],
	    checksum[8], type, link[100], magic[6], version[2], user[32],
	    group[32], major[8], minor[8], prefix[155], unused[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

static void
put_header(struct archive *a, const char *name, size_t len)
{
	struct header h = { .type = '0',
		.magic = "ustar",
		.version = { '0', '0' },
		.mode = "0000600",
		.uid = "0000000",
		.gid = "0000000" };
	const unsigned char *bytes = (const unsigned char *)&h;
	unsigned sum = 0;

	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)len);
	snprintf(h.mtime, sizeof(h.mtime), "%011llo",
	    (unsigned long long)a->mtime & 077777777777);
	memset(h.checksum, ' ', sizeof(h.checksum));
	for (size_t i = 0; i < sizeof(h); i++)
		sum += bytes[i];
	snprintf(h.checksum, sizeof(h.checksum), "%06o", sum & 0777777);
	put(a, (const char *)&h, sizeof(h));
}

struct archive *
archive_new(const char *path, int64_t mtime, struct err *err)
{
	struct archive *a = xcalloc(1, sizeof(*a));

	a->path = path;
	a->mtime = mtime;
	a->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (a->fd < 0) {
		errf(err, "%s: %s", path, strerror(errno));
		free(a);
		return NULL;
	}
	begin(a);
	return a;
}

void
archive_add(struct archive *archive, const char *name, const char *bytes,
    size_t len)
{
	static const char zeros[BLOCK];

	assert(strlen(name) < 100);
	put_header(archive, name, len);
	put(archive, bytes, len);
	put(archive, zeros, (BLOCK - len % BLOCK) % BLOCK);
}

int
archive_close(struct archive *archive, struct err *err)
{
	static const char zeros[2 * BLOCK];
	int rc = 0;

	put(archive, zeros, sizeof(zeros));
	end(archive);
	if (close(archive->fd) != 0 && archive->error == 0)
		archive->error = errno;
	if (archive->error != 0) {
		rc = errf(err, "%s: %s", archive->path,
		    strerror(archive->error));
		unlink(archive->path);
	}
	free(archive);
	return rc;
}
