/*
 * A port without TLS, for the probes of kubeadm's and OpenShift's manifests for
 * Kubernetes up to 1.22, and for scrapers of metrics configured with them.  It
 * serves the health paths, /metrics if configured, and nothing else, without
 * authentication.
 *
 * One request per connection.  Clients cannot keep us busy: the number and the
 * age of connections and the size of a request are limited, and a newcomer takes
 * the place of the oldest connection of the address that has most.
 */
#ifndef HTTP_PLAIN_H
#define HTTP_PLAIN_H

struct event_base;
struct health;
struct metrics;
struct plain;

struct plain_options {
	const char *address; /* as server_options.bind_address */
	int port;            /* 0: any that is free (for tests) */
	/* /healthz, /livez, /readyz; NULL: not here.  Not owned */
	const struct health *health;
	struct metrics *metrics; /* /metrics; NULL: not here.  Not owned */
	/* 0: the default, which follows each. */
	unsigned max_connections; /* 64; one more closes the oldest;
				   * fewer with a low ulimit -n */
	unsigned seconds;         /* 10, for all of a connection */
};

struct plain *plain_new(struct event_base *base,
    const struct plain_options *options, struct err *err);
/* Ends all connections; accepts NULL. */
void plain_free(struct plain *plain);
int plain_port(const struct plain *plain);

#endif
