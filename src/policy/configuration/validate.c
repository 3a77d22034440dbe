/*
 * Validation of a KubeSchedulerConfiguration
 * (ValidateKubeSchedulerConfiguration() of 1.20.2 and 1.36.2;
 * doc/semantics/12-kube-1.20.md, Configuration;
 * doc/semantics/11-kube-1.36.md, Configuration).
 */
#include "config.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>

#include "base/duration.h"
#include "base/text.h"
#include "objects/changes.h"
#include "objects/validation.h"
#include "policy/configuration/configuration_internal.h"
#include "policy/schema.h"

const char *
quoted(struct configuration_reading *reading, const char *text)
{
	text = text_or_empty(text);
	return text_quote(scratch(reading), text, strlen(text));
}

void
sentences_add(struct arena *arena, struct sentences *sentences,
    const char *sentence)
{
	arena_room(arena, sentences->at, sentences->n, &sentences->cap);
	sentences->at[sentences->n++] = sentence;
}

const char *
sentences_join(struct arena *arena, const struct sentences *sentences)
{
	const char *unique[64];
	size_t n = 0;

	/* An aggregate has each sentence once. */
	for (size_t i = 0; i < sentences->n && n < LENGTH(unique); i++) {
		size_t j = 0;

		while (j < n && strcmp(unique[j], sentences->at[i]) != 0)
			j++;
		if (j == n)
			unique[n++] = sentences->at[i];
	}
	if (n == 1)
		return unique[0];
	return arena_printf(arena, "[%s]", arena_join(arena, n, unique, ", "));
}

static const char *
reworded(struct arena *arena, const char *sentence, const char *from,
    const char *to)
{
	const char *at = sentence, *end;

	while ((at = strstr(at, from)) != NULL) {
		end = at + strlen(from);
		sentence = arena_printf(arena, "%.*s%s%s", (int)(at - sentence),
		    sentence, to, end);
		at = sentence + strlen(sentence) - strlen(end);
	}
	return sentence;
}

/* Three rules of 1.15 have other words since. */
const char *
words_of_release(struct configuration_reading *reading, const char *sentence)
{
	static const char length[] = "must be no more than ";
	static const char unit[] = " characters";
	struct arena *arena = scratch(reading);
	const char *at, *end;

	sentence = reworded(arena, sentence, "a DNS-1123 subdomain",
	    "a lowercase RFC 1123 subdomain");
	if (!is_later(reading))
		return sentence;
	sentence = reworded(arena, sentence, "a qualified name must",
	    "a valid label key must");
	for (at = sentence; (at = strstr(at, length)) != NULL;) {
		at += strlen(length);
		at += strspn(at, "0123456789");
		if (strncmp(at, unit, strlen(unit)) != 0)
			continue;
		end = at + strlen(unit);
		sentence = arena_printf(arena, "%.*s bytes%s",
		    (int)(at - sentence), sentence, end);
		at = sentence + strlen(sentence) - strlen(end);
	}
	return sentence;
}

size_t
check_name(struct configuration_reading *reading, const struct doc_node *at,
    const char *path, const char *name)
{
	const char *messages[VALIDATION_MAX];
	size_t n;

	name = text_or_empty(name);
	n = validate_qualified_name(name, strlen(name), messages);
	for (size_t i = 0; i < n; i++)
		configuration_invalid(reading, at, "%s: Invalid value: %s: %s",
		    path, quoted(reading, name),
		    words_of_release(reading, messages[i]));
	return n;
}

/* ours NULL: the sentence itself is reported. */
static void
vinvalid(struct configuration_reading *reading, const struct doc_node *at,
    const char *ours, const char *fmt, va_list ap)
{
	AUTOFREE char *text = xvasprintf(fmt, ap);
	const char *sentence =
	    arena_printf(scratch(reading), "%s%s", reading->prefix, text);

	sentences_add(scratch(reading), reading->sentences, sentence);
	reading_report(&reading->reading, SEVERITY_ERROR, at, "%s",
	    ours != NULL ? ours : sentence);
}

void
configuration_invalid(struct configuration_reading *reading,
    const struct doc_node *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vinvalid(reading, at, NULL, fmt, ap);
	va_end(ap);
}

/* The same, but reports a text of our own. */
static void __attribute__((format(printf, 4, 5)))
invalid_as(struct configuration_reading *reading, const struct doc_node *at,
    const char *ours, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vinvalid(reading, at, ours, fmt, ap);
	va_end(ap);
}

void
configuration_check_range(struct configuration_reading *reading,
    const struct doc_node *at, const char *path, int64_t value, int64_t low,
    int64_t high)
{
	if (value < low || value > high)
		configuration_invalid(reading, at,
		    "%s: Invalid value: %" PRId64
		    ": not in valid range [%" PRId64 ", %s",
		    path, value, low,
		    high == INT64_MAX ?
			"inf)" :
			arena_printf(scratch(reading), "%" PRId64 "]", high));
}

/* The whole. */

static const char *
duration_value(struct configuration_reading *reading, int64_t ns)
{
	char text[DURATION_TEXT];

	if (is_later(reading))
		return arena_printf(scratch(reading), "\"%s\"",
		    duration_text(ns, text));
	return arena_printf(scratch(reading),
	    "v1.Duration{Duration:%" PRId64 "}", ns);
}

static void
check_positive(struct configuration_reading *reading, const struct item *item,
    const char *key, int64_t ns)
{
	char text[DURATION_TEXT];

	if (ns > 0)
		return;
	invalid_as(reading, item_member(item, key),
	    arena_printf(scratch(reading),
		"leaderElection.%s must be greater than zero, not %s", key,
		duration_text(ns, text)),
	    "leaderElection.%s: Invalid value: %s: must be greater than zero",
	    key, duration_value(reading, ns));
}

static void
validate_leader_election(struct configuration_reading *reading)
{
	const struct leader_election *l = reading->entry.leader_election;
	int64_t lease, renew;

	if (!has_election(l))
		return;
	lease = l->lease_duration;
	renew = l->renew_deadline;
	check_positive(reading, &l->item, "leaseDuration", lease);
	check_positive(reading, &l->item, "renewDeadline", renew);
	check_positive(reading, &l->item, "retryPeriod", l->retry_period);
	if (is_later(reading) ? lease <= renew : lease < renew)
		invalid_as(reading, item_member(&l->item, "leaseDuration"),
		    "leaderElection.leaseDuration must be greater than "
		    "renewDeadline",
		    "leaderElection.leaseDuration: Invalid value: %s: %s",
		    duration_value(reading, renew),
		    is_later(reading) ?
			"must be greater than `RenewDeadline`" :
			"LeaseDuration must be greater than RenewDeadline");
	/* From 1.27 on; the versions before v1 have readers that take others. */
	if (reading->version->version == V1 &&
	    *text_or_empty(l->resource_lock) != '\0' &&
	    strcmp(l->resource_lock, "leases") != 0)
		configuration_invalid(reading,
		    item_member(&l->item, "resourceLock"),
		    "leaderElection.resourceLock: Invalid value: %s: "
		    "resourceLock value must be \"leases\"",
		    quoted(reading, l->resource_lock));
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
	*port = arena_strndup(arena, colon + 1, strlen(colon + 1));
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
	address = arena_printf(scratch(reading),
	    strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
	if (number < 1 || number > 65535)
		configuration_invalid(reading, at,
		    "%s: Invalid value: %s: must be between 1 and 65535, "
		    "inclusive",
		    key, quoted(reading, address));
	if (inet_pton(AF_INET, host, out) != 1 &&
	    inet_pton(AF_INET6, host, out) != 1)
		configuration_invalid(reading, at,
		    "%s: Invalid value: %s: must be a valid IP address, "
		    "(e.g. 10.9.8.7 or 2001:db8::ffff)",
		    key, quoted(reading, address));
}

static void
validate_percentage(struct configuration_reading *reading,
    const struct item *item, const char *prefix, int64_t percentage)
{
	if (percentage < 0 || percentage > 100)
		configuration_invalid(reading,
		    item_member(item, "percentageOfNodesToScore"),
		    "%spercentageOfNodesToScore: Invalid value: %" PRId64
		    ": not in valid range [0-100]",
		    prefix, percentage);
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

	if (first <= 0)
		configuration_invalid(reading,
		    item_member(&e->item, "podInitialBackoffSeconds"),
		    "podInitialBackoffSeconds: Invalid value: %" PRId64
		    ": must be greater than 0",
		    first);
	if (last < first)
		configuration_invalid(reading,
		    item_member(&e->item, "podMaxBackoffSeconds"),
		    "podMaxBackoffSeconds: Invalid value: %" PRId64
		    ": must be greater than or equal to "
		    "PodInitialBackoffSeconds",
		    last);
}

/* Profiles. */

static bool
is_removed(struct configuration_reading *reading, const char *plugin)
{
	static const char *const removed[] = { "AzureDiskLimits",
		"CinderLimits", "EBSLimits", "GCEPDLimits" };

	return configuration_release(reading) >= SINCE_IN_TREE_LIMITS_GONE &&
	    text_is_one_of(text_or_empty(plugin), removed, LENGTH(removed));
}

#define REMOVED                                                                \
	"was invalid in version \"v1\" (KubeSchedulerConfiguration is "        \
	"version \"" CONFIGURATION_GROUP "%s\")"

static void
validate_sets(struct configuration_reading *reading,
    const struct plugins_entry *plugins, const char *path)
{
	for (int point = 0; plugins != NULL && point < NPOINTS; point++) {
		const struct plugin_set *set = plugins->points[point];
		const struct plugin_entry *entries;

		if (set == NULL)
			continue;
		entries = set->enabled.items;
		for (size_t i = 0; i < set->enabled.n; i++)
			if (is_removed(reading, entries[i].name))
				invalid_as(reading, entries[i].item.at,
				    arena_printf(scratch(reading),
					"plugin \"%s\" does not exist any "
					"more; NodeVolumeLimits takes its "
					"place",
					entries[i].name),
				    "%splugins.%s.enabled[%zu]: Invalid "
				    "value: %s: " REMOVED,
				    path, extension_point_names[point], i,
				    quoted(reading, entries[i].name),
				    reading->version->name);
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
		const char *where = arena_printf(scratch(reading),
		    "%spluginConfig[%zu]", path, i);

		if (configuration_args_of(profile, text_or_empty(c->name)) != c)
			configuration_invalid(reading, c->item.at,
			    "%s: Duplicate value: %s", where,
			    quoted(reading, c->name));
		if (is_removed(reading, c->name))
			configuration_invalid(reading, c->item.at,
			    "%s: Invalid value: %s: " REMOVED, where,
			    quoted(reading, c->name), reading->version->name);
		else if (c->kind != NULL &&
		    strcmp(c->name, "NodeResourcesFit") != 0)
			args_validate(reading, c->kind, c->args,
			    arena_printf(scratch(reading), "%s.args.", where),
			    &reading->invalid);
	}
}

static void
validate_profile(struct configuration_reading *reading, size_t i)
{
	const struct profile_entry *profiles = reading->entry.profiles.items;
	const struct profile_entry *profile = &profiles[i];
	const char *name = text_or_empty(profile->scheduler_name);
	const struct doc_node *at =
	    item_member(&profile->item, "schedulerName");
	const char *path = arena_printf(scratch(reading), "profiles[%zu].", i);

	if (*name == '\0')
		configuration_invalid(reading, at,
		    "%sschedulerName: Required value", path);
	if (is_later(reading)) {
		validate_percentage(reading, &profile->item, path,
		    profile->percentage_of_nodes);
		validate_sets(reading, profile->plugins, path);
		validate_plugin_config(reading, profile, path);
	}
	for (size_t j = 0; j < i; j++)
		if (strcmp(text_or_empty(profiles[j].scheduler_name), name) ==
		    0) {
			invalid_as(reading, at,
			    arena_printf(scratch(reading),
				"%sschedulerName: profiles[%zu] has the name "
				"\"%s\", too",
				path, j, name),
			    "%sschedulerName: Duplicate value: %s", path,
			    is_later(reading) ?
				"{}" :
				"field.Path{name:\"schedulerName\", "
				"index:\"\", parent:(*field.Path)(0xADDRESS)}");
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

/* JSON of 1.36 has no empty lists, and no weights of disabled plugins. */
static const char *
text_of_set(struct configuration_reading *reading, const struct plugin_set *set)
{
	struct plugin_set shown = { .item.at = NULL };
	struct plugin_entry *disabled;

	if (set == NULL && !is_later(reading))
		return "\"null\"";
	if (set != NULL)
		shown = *set;
	if (!is_later(reading))
		return schema_text(scratch(reading), false, &plugin_set_schema,
		    &shown);
	shown.enabled.given = shown.enabled.n > 0;
	shown.disabled.given = shown.disabled.n > 0;
	disabled = arena_array(scratch(reading), struct plugin_entry,
	    shown.disabled.n);
	for (size_t i = 0; i < shown.disabled.n; i++)
		disabled[i].name =
		    ((const struct plugin_entry *)shown.disabled.items)[i].name;
	shown.disabled.items = disabled;
	return schema_text(scratch(reading), true, &plugin_set_schema, &shown);
}

/* Sets are equal when Go shows the same of them. */
static void
validate_queue_sort(struct configuration_reading *reading)
{
	const struct profile_entry *profiles = reading->entry.profiles.items;
	const struct plugin_set *set = queue_sort_of(&profiles[0]);
	const char *first = text_of_set(reading, set);

	if (is_later(reading) && set != NULL && set->enabled.n > 1)
		configuration_invalid(reading, set->item.at,
		    "profiles[0].plugins.queueSort.Enabled: Invalid value: "
		    "%zu: only one queue sort plugin can be enabled",
		    set->enabled.n);
	for (size_t i = 1; i < reading->entry.profiles.n; i++) {
		const char *text;

		set = queue_sort_of(&profiles[i]);
		text = text_of_set(reading, set);
		if (strcmp(text, first) == 0)
			continue;
		invalid_as(reading,
		    set != NULL ? set->item.at : profiles[i].item.at,
		    arena_printf(scratch(reading),
			"profiles[%zu].plugins.queueSort must be the same as "
			"in profiles[0]",
			i),
		    "profiles[%zu].plugins.queueSort: Invalid value: %s: %s", i,
		    text,
		    is_later(reading) ? "must be the same for all profiles" :
					"has to match for all profiles");
	}
}

/* Extenders. */

static void
validate_managed(struct configuration_reading *reading,
    const struct resource_entry *resource, const char *path)
{
	const char *name = text_or_empty(resource->name);
	const struct doc_node *at = item_member(&resource->item, "name");

	if (check_name(reading, at, path, name) == 0 &&
	    !resource_is_extended(name))
		configuration_invalid(reading, at,
		    "%s: Invalid value: %s: %s%sis an invalid extended "
		    "resource name",
		    path, quoted(reading, name), is_later(reading) ? "" : name,
		    is_later(reading) ? "" : " ");
	if (is_managed_before(&reading->entry.extenders, resource))
		configuration_invalid(reading, at,
		    "%s: Invalid value: %s: duplicate extender managed "
		    "resource name",
		    path, quoted(reading, name));
}

static void
validate_extenders_of(struct configuration_reading *reading)
{
	const struct list *extenders = &reading->entry.extenders;
	const struct extender_entry *e = extenders->items;
	size_t nbinders = 0;

	for (size_t i = 0; i < extenders->n; i++) {
		const struct resource_entry *r = e[i].managed.items;

		if (*text_or_empty(e[i].prioritize_verb) != '\0' &&
		    e[i].weight <= 0)
			configuration_invalid(reading,
			    item_member(&e[i].item, "weight"),
			    "extenders[%zu].weight: Invalid value: %" PRId64
			    ": must have a positive weight applied to it",
			    i, e[i].weight);
		nbinders += *text_or_empty(e[i].bind_verb) != '\0';
		for (size_t j = 0; j < e[i].managed.n; j++)
			validate_managed(reading, &r[j],
			    arena_printf(scratch(reading),
				"extenders[%zu].managedResources[%zu].name", i,
				j));
	}
	if (nbinders > 1)
		configuration_invalid(reading,
		    item_member(&reading->entry.item, "extenders"),
		    "extenders: Invalid value: \"found %zu extenders "
		    "implementing bind\": only one extender can implement bind",
		    nbinders);
}

void
configuration_validate(struct configuration_reading *reading)
{
	const struct configuration_entry *e = &reading->entry;

	if (e->client_connection != NULL && e->client_connection->burst < 0)
		configuration_invalid(reading,
		    item_member(&e->client_connection->item, "burst"),
		    "clientConnection.burst: Invalid value: %" PRId64
		    ": must be non-negative",
		    e->client_connection->burst);
	validate_leader_election(reading);
	if (is_given(&e->item, "parallelism") && e->parallelism <= 0)
		configuration_invalid(reading,
		    item_member(&e->item, "parallelism"),
		    "parallelism: Invalid value: %" PRId64
		    ": should be an integer value greater than zero",
		    e->parallelism);
	for (size_t i = 0; i < e->profiles.n; i++)
		validate_profile(reading, i);
	validate_queue_sort(reading);
	validate_address(reading, "healthzBindAddress",
	    e->healthz_bind_address);
	validate_address(reading, "metricsBindAddress",
	    e->metrics_bind_address);
	validate_percentage(reading, &e->item, "", e->percentage_of_nodes);
	validate_backoff(reading);
	validate_extenders_of(reading);
}
