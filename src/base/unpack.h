/* Text compressed with gzip or zstd. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

/* Whether the bytes begin as gzip's or zstd's do. */
bool unpack_is_packed(const char *bytes, size_t len);

/*
 * The text, of *out_len bytes, at most max; you own it.  Several members one
 * behind the other are one text.  NULL: err, with the name first: they are
 * truncated or broken, the text is longer, or the program was built without
 * zlib or libzstd.
 */
char *unpack(const char *name, const char *bytes, size_t len, size_t max,
    size_t *out_len, struct err *err);

#endif
