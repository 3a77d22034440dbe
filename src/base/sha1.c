#include "config.h"

#include "base/sha1.h"

#include <openssl/evp.h>

void
sha1(const void *bytes, size_t len, unsigned char digest[SHA1_SIZE])
{
	if (!EVP_Digest(bytes, len, digest, NULL, EVP_sha1(), NULL))
		abort();
}
