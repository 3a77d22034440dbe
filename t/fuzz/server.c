/* The HTTPS server: what comes after the handshake, in two pieces. */
#include "config.h"

#include <event2/event.h>
#include <stdlib.h>

#include "base/err.h"
#include "http/server.h"
#include "metrics/metrics.h"
#include "t/fuzz/fuzz.h"
#include "t/fuzz/peer.h"

static struct event_base *base;
static struct server *server;

static int
pass(void *arg, struct err *err)
{
	return 0;
}

static void
echo(void *arg, const struct query *query, struct reply *reply)
{
	const char *pod = query_get(query, "pod");

	text_put(&reply->body, pod != NULL ? pod : "none");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct err err;

	fuzz_silence();
	base = event_base_new();
	server = server_new(base,
	    &(struct server_options){ .bind_address = "127.0.0.1" }, &err);
	if (server == NULL)
		fuzz_fail("%s", err.text);
	server_set_metrics(server, metrics_new());
	server_add_check(
	    server, "leaderElection", SERVER_EVERYWHERE, pass, NULL);
	server_handle(server, "/debug/explain", echo, NULL);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	size_t n, first = fuzz_byte(&input);
	char *request = fuzz_rest(&input, &n);
	struct peer *peer = peer_new(base, server_port(server), true);
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
