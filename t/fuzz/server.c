/* The HTTPS server: input after the handshake, in two pieces. */
#include "config.h"

#include <event2/event.h>

#include "base/err.h"
#include "wire/http/server.h"
#include "wire/metrics/metrics.h"
#include "t/fuzz/fuzz.h"
#include "t/fuzz/health.h"
#include "t/fuzz/peer.h"

static struct event_base *base;
static struct server *server;

static void
echo(void *arg, const struct query *query, struct reply *reply)
{
	const char *pod = query_get(query, "pod");

	text_put(&reply->body, pod != NULL ? pod : "none");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct health *health;
	struct err err;

	fuzz_silence();
	base = event_base_new();
	health = health_new();
	health_add(health, "leaderElection", SERVER_EVERYWHERE, fuzz_pass,
	    NULL);
	server = server_new(base,
	    &(struct server_options){ .bind_address = "127.0.0.1",
		.health = health },
	    &err);
	if (server == NULL)
		fuzz_fail("%s", err.text);
	server_set_metrics(server, metrics_new());
	server_handle(server, "/debug/explain", SERVER_AT_ONCE, echo, NULL);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	peer_input(base, server_port(server), true, bytes, len);
	return 0;
}
