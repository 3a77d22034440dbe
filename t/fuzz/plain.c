/* The port without TLS: a request in two pieces on a connection of its own. */
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
	health_add(health, "policy", SERVER_READYZ, fuzz_refuse, NULL);
	server = server_new(base,
	    &(struct server_options){ .insecure = true,
		.bind_address = "127.0.0.1",
		.health = health },
	    &err);
	if (server == NULL)
		fuzz_fail("%s", err.text);
	server_set_metrics(server, metrics_new());
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	peer_input(base, server_port(server), false, bytes, len);
	return 0;
}
