/* SHA-1, for names that Kubernetes shortens with it; not for secrets. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#define SHA1_SIZE 20

void sha1(const void *bytes, size_t len, unsigned char digest[SHA1_SIZE]);

#endif
