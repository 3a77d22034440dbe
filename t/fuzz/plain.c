/* The port without TLS: a request in two pieces on a connection of its own. */
#include "config.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "http/plain.h"
#include "http/server.h"
#include "metrics/metrics.h"
#include "t/fuzz/fuzz.h"
#include "t/fuzz/peer.h"

static struct event_base *base;
static struct plain *plain;

static int
pass(void *arg, struct err *err)
{
	return 0;
}

static int
fail(void *arg, struct err *err)
{
	return errf(err, "bad");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct err err;

	fuzz_silence();
	base = event_base_new();
	plain = plain_new(base,
	    &(struct plain_options){ .address = "127.0.0.1",
		.health = true,
		.metrics = metrics_new() },
	    &err);
	if (plain == NULL)
		fuzz_fail("%s", err.text);
	plain_add_check(plain, "leaderElection", SERVER_EVERYWHERE, pass, NULL);
	plain_add_check(plain, "policy", SERVER_READYZ, fail, NULL);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	size_t n, first = fuzz_byte(&input);
	char *request = fuzz_rest(&input, &n);
	struct peer *peer = peer_new(base, plain_port(plain), false);
	struct text answer = { 0 };

	first = first < n ? first : n;
	if (peer_send(peer, request, first, &answer))
		peer_send(peer, request + first, n - first, &answer);
	peer_check_answer(&answer);
	peer_free(peer);
	text_fini(&answer);
	free(request);
	return 0;
}
