/*
 * A certificate for ourselves when none is given: "localhost", 127.0.0.1, ::1
 * and the host's name, signed by its own key (P-256), good for a year.
 */
#ifndef HTTP_SELF_SIGNED_H
#define HTTP_SELF_SIGNED_H

#include <openssl/evp.h>
#include <openssl/x509.h>

/* You own both (X509_free(), EVP_PKEY_free()).  address: one more name or
 * address to stand in it, or NULL. */
int self_signed_new(const char *address, X509 **certificate, EVP_PKEY **key,
    struct err *err);

#endif
