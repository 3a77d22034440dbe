/*
 * Prints the use of a policy in a ConfigMap; see policy_configmap.t.
 *
 *	policy_configmap NAMESPACE NAME
 *
 * Prints "policy GENERATION NPREDICATES", "refused WHY", or "failed WHY" (and
 * ends); looks again on SIGHUP.
 */
#include "config.h"

#include "daemon/policy_source/policy_source.h"

#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "wire/api/client.h"
#include "wire/api/events.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "decide/framework/profiles.h"

static struct event_base *base;
static struct events *events;
static struct policy_source *source;

static void
on_policy(void *arg, struct profiles *profiles,
    const struct policy_version *version)
{
	printf("policy %" PRIu64 " %zu\n", version->generation,
	    profiles->at[0]->npredicates);
	fflush(stdout);
	profiles_free(profiles);
}

static void
on_refused(void *arg, enum policy_from from, const char *why,
    const struct problems *problems)
{
	printf("refused %s\n", why);
	fflush(stdout);
}

static void
on_failed(void *arg, const char *why)
{
	printf("failed %s\n", why);
	fflush(stdout);
	event_base_loopbreak(base);
}

static void
on_event(void *arg, const struct api_event *event)
{
	events_record(events, event);
}

static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	if (number == SIGHUP)
		policy_source_reload(source, NULL);
	else
		event_base_loopbreak(base);
}

static struct event *
watch_signal(int number)
{
	struct event *event = evsignal_new(base, number, on_signal, NULL);

	event_add(event, NULL);
	return event;
}

int
main(int argc, char **argv)
{
	static const struct policy_source_ops ops = { on_policy, on_refused,
		on_failed, on_event, NULL };
	struct policy_source_options options = {
		.policy = { .gates = gates_default },
	};
	struct event *hup, *term;
	struct api_config *config;
	struct api_client *client;
	struct err err;

	if (argc != 3)
		return 2;
	options.config_map_namespace = argv[1];
	options.config_map = argv[2];
	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	base = event_base_new();
	client = api_client_new(base, config, &(struct api_options){ 0 });
	events = events_new(client);
	source = policy_source_new(base, client, &options, &ops, NULL);
	hup = watch_signal(SIGHUP);
	term = watch_signal(SIGTERM);
	event_base_dispatch(base);
	event_free(hup);
	event_free(term);
	policy_source_free(source);
	events_free(events);
	api_client_free(client);
	event_base_free(base);
	return 0;
}
