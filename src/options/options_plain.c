/*
 * Which ports without TLS there are (doc/semantics/07-openshift.md, Ports, and
 * doc/semantics/08-kubeschedulerconfiguration.md, Flags).
 *
 * Without --config, --port and --address say it.  With it, these have no effect,
 * and the file's addresses count: OpenShift passes --port=0 and probes 10251
 * nevertheless.  Versions up to v1beta1 have both addresses without naming them,
 * as kube-scheduler has the port without --port.
 *
 * Two differences, for a port that neither flags nor a file named.  It shows
 * health alone, which a probe kills us for, and no metrics, which a port without
 * authentication need not show.  And it is on the loopback address, where
 * kubeadm's probes ask; only with an old --config it is on all, because
 * OpenShift's probes use the node's address, and its file names none.
 */
#include "config.h"

#include <arpa/inet.h>

#include "base/text.h"
#include "options/options_internal.h"

#define USUAL_ADDRESS "0.0.0.0"
#define LOOPBACK "127.0.0.1"
#define USUAL_PORT 10251

static struct daemon_plain *
add(struct daemon_options *o, const char *address, int port)
{
	struct daemon_plain *plain = &o->plain[o->nplain++];

	*plain = (struct daemon_plain){ .address = address, .port = port };
	return plain;
}

bool
options_is_ip(const char *text)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, text, address) == 1 ||
	    inet_pton(AF_INET6, text, address) == 1;
}

/* "IP:PORT", "[IP]:PORT", ":PORT", "IP"; false: none of them. */
static bool
split(struct arena *arena, const char *text, const char **address, int *port)
{
	const char *colon = strrchr(text, ':');
	size_t len = colon != NULL ? (size_t)(colon - text) : 0;
	char *end;
	long number;

	if (options_is_ip(text)) {
		*address = text;
		*port = USUAL_PORT;
		return true;
	}
	if (colon == NULL || colon[1] < '0' || colon[1] > '9')
		return false;
	number = strtol(colon + 1, &end, 10);
	if (*end != '\0' || number > 65535)
		return false;
	if (len > 2 && text[0] == '[' && text[len - 1] == ']')
		*address = arena_strndup(arena, text + 1, len - 2);
	else
		*address =
		    len > 0 ? arena_strndup(arena, text, len) : USUAL_ADDRESS;
	*port = (int)number;
	return options_is_ip(*address);
}

/* One of the addresses of --config; NULL: it does not say. */
static struct daemon_plain *
add_address(struct daemon_options *o, const char *text)
{
	const char *address = USUAL_ADDRESS;
	int port = o->config_is_old ? USUAL_PORT : 0;
	struct daemon_plain *plain;

	if (text != NULL)
		split(&o->arena, text, &address, &port);
	if (port == 0)
		return NULL;
	plain = add(o, address, port);
	plain->implied = text == NULL;
	return plain;
}

/* NULL for what is no address, such as "": it is as if it were not there. */
static const char *
address_or_null(struct daemon_options *o, const char *text)
{
	const char *address;
	int port;

	return text != NULL && split(&o->arena, text, &address, &port) ? text :
									 NULL;
}

static void
take_config(struct daemon_options *o)
{
	const char *healthz = address_or_null(o, o->healthz_bind_address);
	const char *metrics = address_or_null(o, o->metrics_bind_address);
	struct daemon_plain *plain = add_address(o, healthz);

	if (plain != NULL) {
		plain->health = true;
		plain->metrics = healthz != NULL && text_same(healthz, metrics);
	}
	if (metrics == NULL || text_same(healthz, metrics))
		return;
	plain = add_address(o, metrics);
	if (plain != NULL)
		plain->metrics = true;
}

static bool
is_named(const struct options_reading *reading, const struct option_row *row)
{
	return reading->layer[row - option_rows] != LAYER_DEFAULT;
}

void
options_plain(struct options_reading *reading)
{
	struct daemon_options *o = reading->options;
	bool port = is_named(reading, option_of(plain_port));
	bool address = is_named(reading, option_of(plain_address));
	struct daemon_plain *plain;

	o->nplain = 0;
	if (*o->plain_address != '\0' && !options_is_ip(o->plain_address))
		options_refuse(reading,
		    options_where(reading, option_of(plain_address)),
		    "%s is an invalid IP address", o->plain_address);
	if (*o->config != '\0') {
		take_config(o);
	} else if (o->plain_port > 0) {
		plain = add(o, port || address ? o->plain_address : LOOPBACK,
		    (int)o->plain_port);
		plain->health = true;
		plain->implied = !port;
		plain->metrics = port;
	}
}
