/* A client of one of our servers, in the thread of its event loop. */
#ifndef T_FUZZ_PEER_H
#define T_FUZZ_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json_out.h"

struct event_base;
struct peer;

/* Connected to this port of 127.0.0.1; tls: after a handshake. */
struct peer *peer_new(struct event_base *base, int port, bool tls);
/* Closes the connection, and gives the server its turn to see that. */
void peer_free(struct peer *peer);

/* Sends, lets the server work, and appends its answer; false: it has ended the
 * connection. */
bool peer_send(struct peer *peer, const void *bytes, size_t len,
    struct text *answer);

/*
 * One input: its first byte says where to cut the rest, which is sent in two
 * pieces on a connection of its own.  Aborts unless all that comes back is
 * answers of HTTP/1, one or many, or nothing.
 */
void peer_input(struct event_base *base, int port, bool tls, const void *bytes,
    size_t len);

#endif
