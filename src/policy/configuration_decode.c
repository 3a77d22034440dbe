/*
 * The fields of a KubeSchedulerConfiguration, version by version
 * (doc/semantics/08-kubeschedulerconfiguration.md, Fields).
 * Decoding is strict in all of them.
 */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "policy/configuration_internal.h"
#include "policy/schema.h"

static const struct field plugin_fields[] = {
	STRICT(plugin_entry, name, "name", FIELD_STRING),
	STRICT(plugin_entry, weight, "weight", FIELD_INT32),
};
static const struct schema plugin_schema =
    SCHEMA(plugin_entry, plugin_fields, false);

static const struct field plugin_set_fields[] = {
	STRICT_OF(plugin_set, enabled, "enabled", FIELD_OBJECTS, plugin_schema),
	STRICT_OF(plugin_set, disabled, "disabled", FIELD_OBJECTS,
	    plugin_schema),
};
static const struct schema plugin_set_schema =
    SCHEMA(plugin_set, plugin_set_fields, false);

#define SET(point, name)                                                       \
	STRICT_OF(plugins_entry, points[POINT_##point], name, FIELD_OBJECT,    \
	    plugin_set_schema)
#define OLD_SET(member, name)                                                  \
	STRICT_OF(plugins_entry, member, name, FIELD_OBJECT, plugin_set_schema)
#define MULTI_POINT                                                            \
	STRICT_OF(plugins_entry, multi_point, "multiPoint", FIELD_OBJECT,      \
	    plugin_set_schema)

/* clang-format off */
#define SETS_OF_1_20                                                           \
	SET(QUEUE_SORT, "queueSort"), SET(PRE_FILTER, "preFilter"),            \
	SET(FILTER, "filter"), SET(POST_FILTER, "postFilter"),                 \
	SET(PRE_SCORE, "preScore"), SET(SCORE, "score"),                       \
	SET(RESERVE, "reserve"), SET(PERMIT, "permit"),                        \
	SET(PRE_BIND, "preBind"), SET(BIND, "bind"), SET(POST_BIND, "postBind")

static const struct field plugins_fields_v1beta1[] = { SETS_OF_1_20 };
static const struct field plugins_fields_v1beta2[] = { SETS_OF_1_20,
	SET(PRE_ENQUEUE, "preEnqueue") };
static const struct field plugins_fields_v1beta3[] = { SETS_OF_1_20,
	SET(PRE_ENQUEUE, "preEnqueue"), MULTI_POINT };
static const struct field plugins_fields_v1[] = { SETS_OF_1_20,
	SET(PRE_ENQUEUE, "preEnqueue"), MULTI_POINT,
	SET(PLACEMENT_GENERATE, "placementGenerate"),
	SET(PLACEMENT_SCORE, "placementScore") };
/* normalizeScore and unreserve are parts of score and reserve later on. */
static const struct field plugins_fields_v1alpha1[] = {
	SET(QUEUE_SORT, "queueSort"), SET(PRE_FILTER, "preFilter"),
	SET(FILTER, "filter"), SET(POST_FILTER, "postFilter"),
	SET(SCORE, "score"), OLD_SET(normalize_score, "normalizeScore"),
	SET(RESERVE, "reserve"), SET(PERMIT, "permit"),
	SET(PRE_BIND, "preBind"), SET(BIND, "bind"), SET(POST_BIND, "postBind"),
	OLD_SET(unreserve, "unreserve") };
static const struct field plugins_fields_v1alpha2[] = {
	SET(QUEUE_SORT, "queueSort"), SET(PRE_FILTER, "preFilter"),
	SET(FILTER, "filter"), SET(PRE_SCORE, "preScore"), SET(SCORE, "score"),
	SET(RESERVE, "reserve"), SET(PERMIT, "permit"),
	SET(PRE_BIND, "preBind"), SET(BIND, "bind"), SET(POST_BIND, "postBind"),
	OLD_SET(unreserve, "unreserve") };
/* clang-format on */

static const struct field plugin_config_fields[] = {
	STRICT(plugin_config_entry, name, "name", FIELD_STRING),
	STRICT(plugin_config_entry, node, "args", FIELD_NODE),
};
static const struct schema plugin_config_schema =
    SCHEMA(plugin_config_entry, plugin_config_fields, false);

#define PLUGINS(type, version)                                                 \
	STRICT_OF(type, plugins, "plugins", FIELD_OBJECT,                      \
	    plugins_schema_##version),                                         \
	    STRICT_OF(type, plugin_config, "pluginConfig", FIELD_OBJECTS,      \
		plugin_config_schema)

#define PROFILE(version)                                                       \
	STRICT(profile_entry, scheduler_name, "schedulerName", FIELD_STRING),  \
	    PLUGINS(profile_entry, version)
#define PROFILE_PERCENTAGE                                                     \
	STRICT(profile_entry, percentage_of_nodes, "percentageOfNodesToScore", \
	    FIELD_INT32)

/* clang-format off */
#define LEADER_ELECTION_FIELDS                                                 \
	STRICT(leader_election, leader_elect, "leaderElect", FIELD_BOOL),      \
	STRICT(leader_election, lease_duration, "leaseDuration",               \
	    FIELD_DURATION),                                                   \
	STRICT(leader_election, renew_deadline, "renewDeadline",               \
	    FIELD_DURATION),                                                   \
	STRICT(leader_election, retry_period, "retryPeriod", FIELD_DURATION),  \
	STRICT(leader_election, resource_lock, "resourceLock", FIELD_STRING),  \
	STRICT(leader_election, resource_name, "resourceName", FIELD_STRING),  \
	STRICT(leader_election, resource_namespace, "resourceNamespace",       \
	    FIELD_STRING)
/* clang-format on */

static const struct field leader_election_fields[] = { LEADER_ELECTION_FIELDS };
static const struct schema leader_election_schema =
    SCHEMA(leader_election, leader_election_fields, false);

static const struct field old_leader_election_fields[] = {
	LEADER_ELECTION_FIELDS,
	STRICT(leader_election, resource_name, "lockObjectName", FIELD_STRING),
	STRICT(leader_election, resource_namespace, "lockObjectNamespace",
	    FIELD_STRING),
};
static const struct schema old_leader_election_schema =
    SCHEMA(leader_election, old_leader_election_fields, false);

static const struct field client_connection_fields[] = {
	STRICT(client_connection, kubeconfig, "kubeconfig", FIELD_STRING),
	STRICT(client_connection, accept_content_types, "acceptContentTypes",
	    FIELD_STRING),
	STRICT(client_connection, content_type, "contentType", FIELD_STRING),
	STRICT(client_connection, qps, "qps", FIELD_FLOAT),
	STRICT(client_connection, burst, "burst", FIELD_INT32),
};
static const struct schema client_connection_schema =
    SCHEMA(client_connection, client_connection_fields, false);

static const struct field tls_fields[] = {
	STRICT(tls_entry, insecure, "insecure", FIELD_BOOL),
	STRICT(tls_entry, server_name, "serverName", FIELD_STRING),
	STRICT(tls_entry, cert_file, "certFile", FIELD_STRING),
	STRICT(tls_entry, key_file, "keyFile", FIELD_STRING),
	STRICT(tls_entry, ca_file, "caFile", FIELD_STRING),
	STRICT(tls_entry, cert_data, "certData", FIELD_BYTES),
	STRICT(tls_entry, key_data, "keyData", FIELD_BYTES),
	STRICT(tls_entry, ca_data, "caData", FIELD_BYTES),
};
static const struct schema tls_schema = SCHEMA(tls_entry, tls_fields, false);

static const struct field managed_fields[] = {
	STRICT(resource_entry, name, "name", FIELD_STRING),
	STRICT(resource_entry, ignored_by_scheduler, "ignoredByScheduler",
	    FIELD_BOOL),
};
static const struct schema managed_schema =
    SCHEMA(resource_entry, managed_fields, false);

/* As in a policy, but for enableHTTPS and the duration. */
static const struct field extender_fields[] = {
	STRICT(extender_entry, url_prefix, "urlPrefix", FIELD_STRING),
	STRICT(extender_entry, filter_verb, "filterVerb", FIELD_STRING),
	STRICT(extender_entry, preempt_verb, "preemptVerb", FIELD_STRING),
	STRICT(extender_entry, prioritize_verb, "prioritizeVerb", FIELD_STRING),
	STRICT(extender_entry, weight, "weight", FIELD_INT),
	STRICT(extender_entry, bind_verb, "bindVerb", FIELD_STRING),
	STRICT(extender_entry, enable_https, "enableHTTPS", FIELD_BOOL),
	STRICT_OF(extender_entry, tls, "tlsConfig", FIELD_OBJECT, tls_schema),
	STRICT(extender_entry, http_timeout, "httpTimeout", FIELD_DURATION),
	STRICT(extender_entry, node_cache_capable, "nodeCacheCapable",
	    FIELD_BOOL),
	STRICT_OF(extender_entry, managed, "managedResources", FIELD_OBJECTS,
	    managed_schema),
	STRICT(extender_entry, ignorable, "ignorable", FIELD_BOOL),
};
static const struct schema extender_schema =
    SCHEMA(extender_entry, extender_fields, false);

/* clang-format off */
#define TYPE_META                                                              \
	{ "apiVersion", "apiVersion", FIELD_IGNORED, 0, NULL },                \
	{ "kind", "kind", FIELD_IGNORED, 0, NULL }
#define PLAIN(member, name, kind)                                              \
	STRICT(configuration_entry, member, name, kind)
#define CLIENT_CONNECTION                                                      \
	STRICT_OF(configuration_entry, client_connection, "clientConnection",  \
	    FIELD_OBJECT, client_connection_schema)
#define LEADER_ELECTION                                                        \
	STRICT_OF(configuration_entry, leader_election, "leaderElection",      \
	    FIELD_OBJECT, leader_election_schema)
#define OLD_LEADER_ELECTION                                                    \
	STRICT_OF(configuration_entry, leader_election, "leaderElection",      \
	    FIELD_OBJECT, old_leader_election_schema)
#define EXTENDERS                                                              \
	STRICT_OF(configuration_entry, extenders, "extenders", FIELD_OBJECTS,  \
	    extender_schema)
#define PROFILES(version)                                                      \
	STRICT_OF(configuration_entry, profiles, "profiles", FIELD_OBJECTS,    \
	    profile_schema_##version)
#define PROFILING                                                              \
	PLAIN(enable_profiling, "enableProfiling", FIELD_BOOL),                \
	PLAIN(enable_contention_profiling, "enableContentionProfiling",        \
	    FIELD_BOOL)
#define ADDRESSES                                                              \
	PLAIN(healthz_bind_address, "healthzBindAddress", FIELD_STRING),       \
	PLAIN(metrics_bind_address, "metricsBindAddress", FIELD_STRING)
#define PERCENTAGE                                                             \
	PLAIN(percentage_of_nodes, "percentageOfNodesToScore", FIELD_INT32)
#define BACKOFF                                                                \
	PLAIN(pod_initial_backoff, "podInitialBackoffSeconds", FIELD_INT),     \
	PLAIN(pod_max_backoff, "podMaxBackoffSeconds", FIELD_INT)
#define PARALLELISM PLAIN(parallelism, "parallelism", FIELD_INT32)

/* The profiles and plugins of a version. */
#define VERSION_PROFILES(version, ...)                                         \
	static const struct schema plugins_schema_##version =                  \
	    SCHEMA(plugins_entry, plugins_fields_##version, false);            \
	static const struct field profile_fields_##version[] = {               \
		PROFILE(version) __VA_ARGS__ };                                \
	static const struct schema profile_schema_##version =                  \
	    SCHEMA(profile_entry, profile_fields_##version, false)

VERSION_PROFILES(v1alpha2,);
VERSION_PROFILES(v1beta1,);
VERSION_PROFILES(v1beta2,);
VERSION_PROFILES(v1beta3,, PROFILE_PERCENTAGE);
VERSION_PROFILES(v1,, PROFILE_PERCENTAGE);
static const struct schema plugins_schema_v1alpha1 =
    SCHEMA(plugins_entry, plugins_fields_v1alpha1, false);

static const struct field fields_v1alpha1[] = { TYPE_META,
	PLAIN(scheduler_name, "schedulerName", FIELD_STRING),
	PLAIN(algorithm_source, "algorithmSource", FIELD_NODE),
	PLAIN(hard_pod_affinity_symmetric_weight,
	    "hardPodAffinitySymmetricWeight", FIELD_INT32),
	OLD_LEADER_ELECTION, CLIENT_CONNECTION, ADDRESSES, PROFILING,
	PLAIN(disable_preemption, "disablePreemption", FIELD_BOOL),
	PERCENTAGE,
	PLAIN(bind_timeout_seconds, "bindTimeoutSeconds", FIELD_INT),
	PLUGINS(configuration_entry, v1alpha1) };
static const struct field fields_v1alpha2[] = { TYPE_META,
	PLAIN(algorithm_source, "algorithmSource", FIELD_NODE),
	OLD_LEADER_ELECTION, CLIENT_CONNECTION, ADDRESSES, PROFILING,
	PLAIN(disable_preemption, "disablePreemption", FIELD_BOOL),
	PERCENTAGE,
	PLAIN(bind_timeout_seconds, "bindTimeoutSeconds", FIELD_INT),
	BACKOFF, PROFILES(v1alpha2), EXTENDERS };
static const struct field fields_v1beta1[] = { TYPE_META,
	PARALLELISM, LEADER_ELECTION, CLIENT_CONNECTION, ADDRESSES, PROFILING,
	PERCENTAGE, BACKOFF, PROFILES(v1beta1), EXTENDERS };
static const struct field fields_v1beta2[] = { TYPE_META,
	PARALLELISM, LEADER_ELECTION, CLIENT_CONNECTION, ADDRESSES, PROFILING,
	PERCENTAGE, BACKOFF, PROFILES(v1beta2), EXTENDERS };
static const struct field fields_v1beta3[] = { TYPE_META,
	PARALLELISM, LEADER_ELECTION, CLIENT_CONNECTION, PROFILING, PERCENTAGE,
	BACKOFF, PROFILES(v1beta3), EXTENDERS };
static const struct field fields_v1[] = { TYPE_META,
	PARALLELISM, LEADER_ELECTION, CLIENT_CONNECTION, PROFILING, PERCENTAGE,
	BACKOFF, PROFILES(v1), EXTENDERS,
	PLAIN(delay_cache_until_active, "delayCacheUntilActive", FIELD_BOOL) };

#define VERSION_SCHEMA(version)                                                \
	static const struct schema schema_##version =                          \
	    SCHEMA(configuration_entry, fields_##version, false)
VERSION_SCHEMA(v1alpha1);
VERSION_SCHEMA(v1alpha2);
VERSION_SCHEMA(v1beta1);
VERSION_SCHEMA(v1beta2);
VERSION_SCHEMA(v1beta3);
VERSION_SCHEMA(v1);

const struct configuration_version configuration_versions[] = {
	{ "v1alpha1", POLICY_RELEASE, false, &schema_v1alpha1 },
	{ "v1alpha2", 20, false, &schema_v1alpha2 },
	{ "v1beta1", 20, false, &schema_v1beta1 },
	{ "v1beta2", 36, true, &schema_v1beta2 },
	{ "v1beta3", 36, false, &schema_v1beta3 },
	{ "v1", 36, false, &schema_v1 },
};
/* clang-format on */
const size_t nconfiguration_versions = LENGTH(configuration_versions);

static void
decode_plugin_config(struct configuration_reading *reading,
    const struct list *list, const char *path)
{
	struct arena *arena = &reading->reading.arena;
	struct plugin_config_entry *entries = list->items;

	for (size_t i = 0; i < list->n; i++) {
		struct plugin_config_entry *e = &entries[i];

		e->kind = args_kind_find(reading->version->release,
		    text_or_empty(e->name));
		if (e->kind != NULL)
			e->args = args_decode(reading, e->kind, e->node,
			    arena_printf(arena, "%spluginConfig[%zu].args",
				path, i));
	}
}

void
configuration_decode(struct configuration_reading *reading,
    const struct doc_node *root)
{
	struct configuration_entry *entry = &reading->entry;
	struct profile_entry *profiles;

	schema_decode(&reading->reading, root, "", reading->version->schema,
	    entry);
	decode_plugin_config(reading, &entry->plugin_config, "");
	if (entry->profiles.n == 0)
		entry->profiles = (struct list){ true, 1,
			arena_array(&reading->reading.arena,
			    struct profile_entry, 1) };
	profiles = entry->profiles.items;
	for (size_t i = 0; i < entry->profiles.n; i++)
		decode_plugin_config(reading, &profiles[i].plugin_config,
		    arena_printf(&reading->reading.arena, "profiles[%zu].", i));
	if (entry->profiles.n == 1 && profiles->scheduler_name == NULL)
		profiles->scheduler_name = "default-scheduler";
}
