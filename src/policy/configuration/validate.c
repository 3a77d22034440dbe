/*
 * Validation of a KubeSchedulerConfiguration: what ValidateKubeSchedulerConfiguration()
 * of 1.20.2 and 1.36.2 refuses (doc/semantics/12-kube-1.20.md, Configuration;
 * doc/semantics/11-kube-1.36.md, Configuration), and the lock and the election that
 * kube-scheduler cannot make.
 */
#include "config.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/text.h"
#include "objects/changes.h"
#include "objects/validation.h"
#include "policy/configuration/configuration_internal.h"

void
configuration_invalid(struct configuration_reading *reading,
    const struct doc_node *at, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	reading_report(&reading->reading, SEVERITY_ERROR, at, "%s%s",
	    reading->prefix, text);
}

void
configuration_check_name(struct configuration_reading *reading,
    const struct doc_node *at, const char *path, const char *name)
{
	const char *messages[VALIDATION_MAX];
	size_t n;

	name = or_empty(name);
	n = validate_qualified_name(name, strlen(name), messages);
	for (size_t i = 0; i < n; i++)
		configuration_invalid(reading, at, "%s \"%s\": %s", path, name,
		    messages[i]);
}

void
configuration_check_range(struct configuration_reading *reading,
    const struct item *item, const char *path, const char *key, int64_t value,
    int64_t low, int64_t high)
{
	char range[64];

	if (value >= low && value <= high)
		return;
	if (high == INT64_MAX)
		snprintf(range, sizeof(range), "%" PRId64 " or more", low);
	else if (low < high)
		snprintf(range, sizeof(range), "from %" PRId64 " to %" PRId64,
		    low, high);
	else
		snprintf(range, sizeof(range), "%" PRId64, low);
	configuration_invalid(reading, item_member(item, key),
	    "%s%s must be %s, not %" PRId64, path, key, range, value);
}

/* Elections. */

/* False: it is reported. */
static bool
check_positive(struct configuration_reading *reading, const struct item *item,
    const char *key, int64_t ns)
{
	char text[DURATION_TEXT];

	if (ns <= 0)
		configuration_invalid(reading, item_member(item, key),
		    "leaderElection.%s must be greater than zero, not %s", key,
		    duration_text(ns, text));
	return ns > 0;
}

static void
validate_leader_election(struct configuration_reading *reading)
{
	const struct leader_election *l = reading->entry.leader_election;
	bool positive, newest = reading->version->version == V1;
	const char *lock;

	if (!has_election(l))
		return;
	positive = check_positive(reading, &l->item, "leaseDuration",
	    l->lease_duration);
	positive &= check_positive(reading, &l->item, "renewDeadline",
	    l->renew_deadline);
	positive &=
	    check_positive(reading, &l->item, "retryPeriod", l->retry_period);
	if (positive && l->lease_duration <= l->renew_deadline)
		configuration_invalid(reading,
		    item_member(&l->item, "leaseDuration"),
		    "leaderElection.leaseDuration must be greater than "
		    "renewDeadline");
	else if (positive && l->renew_deadline <= l->retry_period / 5 * 6)
		configuration_invalid(reading,
		    item_member(&l->item, "renewDeadline"),
		    "leaderElection.renewDeadline must be greater than "
		    "retryPeriod*JitterFactor (1.2)");
	/* From 1.27 on; the versions before v1 have readers that take others. */
	lock = or_empty(l->resource_lock);
	if (*lock != '\0' &&
	    !text_is_choice(newest ? "leases" :
				     "endpoints|configmaps|leases|"
				     "endpointsleases|configmapsleases",
		lock))
		configuration_invalid(reading,
		    item_member(&l->item, "resourceLock"),
		    "leaderElection.resourceLock must be %s, not \"%s\"",
		    newest ? "leases" : "a lock such as leases", lock);
}

/* Addresses of 1.20. */

/* net.SplitHostPort(): into copies. */
static bool
split_host_port(struct arena *arena, const char *text, const char **host,
    const char **port)
{
	const char *colon = strrchr(text, ':');
	size_t len;

	if (colon == NULL)
		return false;
	len = (size_t)(colon - text);
	if (*text == '[') {
		if (len < 2 || text[len - 1] != ']')
			return false;
		*host = arena_strndup(arena, text + 1, len - 2);
	} else {
		*host = arena_strndup(arena, text, len);
		if (strchr(*host, ':') != NULL)
			return false;
	}
	*port = arena_strdup(arena, colon + 1);
	return strpbrk(*host, "[]") == NULL && strpbrk(*port, "[]") == NULL;
}

static void
validate_address(struct configuration_reading *reading, const char *key,
    const char *address)
{
	const struct doc_node *at = item_member(&reading->entry.item, key);
	const char *host, *port;
	long number;
	unsigned char out[16];

	if (address == NULL || is_later(reading) ||
	    !split_host_port(scratch(reading), address, &host, &port))
		return;
	if (*host == '\0')
		host = "0.0.0.0";
	number = strspn(port, "0123456789") == strlen(port) && *port != '\0' ?
	    strtol(port, NULL, 10) :
	    0;
	if (number < 1 || number > 65535)
		configuration_invalid(reading, at,
		    "%s: the port must be from 1 to 65535, not \"%s\"", key,
		    port);
	if (inet_pton(AF_INET, host, out) != 1 &&
	    inet_pton(AF_INET6, host, out) != 1)
		configuration_invalid(reading, at,
		    "%s: \"%s\" is no IP address such as 10.9.8.7 or "
		    "2001:db8::ffff",
		    key, host);
}

static void
validate_backoff(struct configuration_reading *reading)
{
	const struct configuration_entry *e = &reading->entry;
	int64_t first = is_given(&e->item, "podInitialBackoffSeconds") ?
	    e->pod_initial_backoff :
	    1;
	int64_t last = is_given(&e->item, "podMaxBackoffSeconds") ?
	    e->pod_max_backoff :
	    10;

	configuration_check_range(reading, &e->item, "",
	    "podInitialBackoffSeconds", first, 1, INT64_MAX);
	if (last < first)
		configuration_invalid(reading,
		    item_member(&e->item, "podMaxBackoffSeconds"),
		    "podMaxBackoffSeconds must be at least "
		    "podInitialBackoffSeconds, which is %" PRId64
		    ", not %" PRId64,
		    first, last);
}

/* Profiles. */

static void
check_not_removed(struct configuration_reading *reading,
    const struct doc_node *at, const char *plugin)
{
	static const char *const removed[] = { "AzureDiskLimits",
		"CinderLimits", "EBSLimits", "GCEPDLimits" };

	if (configuration_release(reading) >= SINCE_IN_TREE_LIMITS_GONE &&
	    text_is_one_of(or_empty(plugin), removed, LENGTH(removed)))
		configuration_invalid(reading, at,
		    "plugin \"%s\" does not exist any more; "
		    "NodeVolumeLimits takes its place",
		    plugin);
}

static void
validate_sets(struct configuration_reading *reading,
    const struct plugins_entry *plugins)
{
	for (int point = 0; plugins != NULL && point < NPOINTS; point++) {
		const struct plugin_set *set = plugins->points[point];
		const struct plugin_entry *entries;

		if (set == NULL)
			continue;
		entries = set->enabled.items;
		for (size_t i = 0; i < set->enabled.n; i++)
			check_not_removed(reading, entries[i].item.at,
			    entries[i].name);
	}
}

static void
validate_plugin_config(struct configuration_reading *reading,
    const struct profile_entry *profile, const char *path)
{
	const struct plugin_config_entry *configs =
	    profile->plugin_config.items;

	for (size_t i = 0; i < profile->plugin_config.n; i++) {
		const struct plugin_config_entry *c = &configs[i];

		if (configuration_args_of(profile, or_empty(c->name)) != c)
			configuration_invalid(reading, c->item.at,
			    "%spluginConfig[%zu]: plugin \"%s\" has arguments "
			    "already",
			    path, i, or_empty(c->name));
		if (!is_later(reading))
			continue;
		check_not_removed(reading, c->item.at, c->name);
		if (c->kind != NULL && strcmp(c->name, "NodeResourcesFit") != 0)
			args_validate(reading, c->kind, c->args,
			    arena_printf(scratch(reading),
				"%spluginConfig[%zu].args.", path, i));
	}
}

static void
validate_profile(struct configuration_reading *reading, size_t i)
{
	const struct profile_entry *profiles = reading->entry.profiles.items;
	const struct profile_entry *profile = &profiles[i];
	const char *name = or_empty(profile->scheduler_name);
	const struct doc_node *at =
	    item_member(&profile->item, "schedulerName");
	const char *path = arena_printf(scratch(reading), "profiles[%zu].", i);

	if (*name == '\0')
		configuration_invalid(reading, at, "%sschedulerName is missing",
		    path);
	if (is_later(reading)) {
		configuration_check_range(reading, &profile->item, path,
		    "percentageOfNodesToScore", profile->percentage_of_nodes, 0,
		    100);
		validate_sets(reading, profile->plugins);
	}
	validate_plugin_config(reading, profile, path);
	for (size_t j = 0; j < i; j++)
		if (strcmp(or_empty(profiles[j].scheduler_name), name) == 0) {
			configuration_invalid(reading, at,
			    "%sschedulerName: profiles[%zu] has the name "
			    "\"%s\", too",
			    path, j, name);
			break;
		}
}

static const struct plugin_set *
queue_sort_of(const struct profile_entry *profile)
{
	return profile->plugins != NULL ?
	    profile->plugins->points[POINT_QUEUE_SORT] :
	    NULL;
}

static bool
same_plugins(const struct list *one, const struct list *other, bool by_weight)
{
	const struct plugin_entry *a = one->items, *b = other->items;

	return one->n == other->n &&
	    !ANY(i, one->n,
		strcmp(or_empty(a[i].name), or_empty(b[i].name)) != 0 ||
		    (by_weight && a[i].weight != b[i].weight));
}

/* 1.36 takes an empty list for none, and a set without plugins for none. */
static bool
same_set(const struct plugin_set *one, const struct plugin_set *other,
    bool later)
{
	static const struct plugin_set none;

	if (!later && (one == NULL || other == NULL))
		return one == other;
	one = one != NULL ? one : &none;
	other = other != NULL ? other : &none;
	return (later ||
		   (one->enabled.given == other->enabled.given &&
		       one->disabled.given == other->disabled.given)) &&
	    same_plugins(&one->enabled, &other->enabled, true) &&
	    same_plugins(&one->disabled, &other->disabled, !later);
}

static void
validate_queue_sort(struct configuration_reading *reading)
{
	const struct profile_entry *profiles = reading->entry.profiles.items;
	const struct plugin_set *first = queue_sort_of(&profiles[0]);

	if (is_later(reading) && first != NULL && first->enabled.n > 1)
		configuration_invalid(reading, first->item.at,
		    "profiles[0].plugins.queueSort must enable one plugin, not "
		    "%zu",
		    first->enabled.n);
	for (size_t i = 1; i < reading->entry.profiles.n; i++) {
		const struct plugin_set *set = queue_sort_of(&profiles[i]);

		if (!same_set(set, first, is_later(reading)))
			configuration_invalid(reading,
			    set != NULL ? set->item.at : profiles[i].item.at,
			    "profiles[%zu].plugins.queueSort must be the same "
			    "as in profiles[0]",
			    i);
	}
}

void
configuration_validate(struct configuration_reading *reading)
{
	const struct configuration_entry *e = &reading->entry;

	if (e->client_connection != NULL)
		configuration_check_range(reading, &e->client_connection->item,
		    "clientConnection.", "burst", e->client_connection->burst,
		    0, INT64_MAX);
	validate_leader_election(reading);
	if (is_given(&e->item, "parallelism"))
		configuration_check_range(reading, &e->item, "", "parallelism",
		    e->parallelism, 1, INT64_MAX);
	for (size_t i = 0; i < e->profiles.n; i++)
		validate_profile(reading, i);
	validate_queue_sort(reading);
	validate_address(reading, "healthzBindAddress",
	    e->healthz_bind_address);
	validate_address(reading, "metricsBindAddress",
	    e->metrics_bind_address);
	configuration_check_range(reading, &e->item, "",
	    "percentageOfNodesToScore", e->percentage_of_nodes, 0, 100);
	validate_backoff(reading);
	validate_extenders(&reading->reading, &e->extenders);
}
