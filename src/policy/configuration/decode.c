/*
 * The fields of a KubeSchedulerConfiguration, version by version
 * (doc/semantics/08-kubeschedulerconfiguration.md, Fields).
 * Decoding is strict in all of them.
 */
#include "config.h"

#include "policy/configuration/configuration_internal.h"
#include "objects/release.h"
#include "policy/schema.h"

#define SECOND INT64_C(1000000000)

#define FROM(version) .versions = VERSIONS_FROM(version)
#define TO(version) .versions = VERSIONS_TO(version)
#define ONLY(version) .versions = VERSION_BIT(version)
#define EXCEPT(version) .versions = ~VERSION_BIT(version)

/* clang-format off */
static const struct schema plugin_schema = { FIELDS(plugin_entry,
	STRICT(plugin_entry, name, "name", FIELD_STRING),
	STRICT(plugin_entry, weight, "weight", FIELD_INT32)) };
static const struct schema plugin_set_schema = { FIELDS(plugin_set,
	STRICT(plugin_set, enabled, "enabled", OBJECTS(plugin_schema)),
	STRICT(plugin_set, disabled, "disabled", OBJECTS(plugin_schema))) };

#define SET OBJECT(plugin_set_schema)

/* normalizeScore and unreserve are parts of score and reserve later on. */
static const struct schema plugins_schema = { FIELDS(plugins_entry,
	STRICT(plugins_entry, points[POINT_QUEUE_SORT], "queueSort", SET),
	STRICT(plugins_entry, points[POINT_PRE_FILTER], "preFilter", SET),
	STRICT(plugins_entry, points[POINT_FILTER], "filter", SET),
	STRICT(plugins_entry, points[POINT_POST_FILTER], "postFilter", SET,
	    EXCEPT(V1ALPHA2)),
	STRICT(plugins_entry, points[POINT_PRE_SCORE], "preScore", SET,
	    FROM(V1ALPHA2)),
	STRICT(plugins_entry, points[POINT_SCORE], "score", SET),
	STRICT(plugins_entry, normalize_score, "normalizeScore", SET,
	    ONLY(V1ALPHA1)),
	STRICT(plugins_entry, points[POINT_RESERVE], "reserve", SET),
	STRICT(plugins_entry, points[POINT_PERMIT], "permit", SET),
	STRICT(plugins_entry, points[POINT_PRE_BIND], "preBind", SET),
	STRICT(plugins_entry, points[POINT_BIND], "bind", SET),
	STRICT(plugins_entry, points[POINT_POST_BIND], "postBind", SET),
	STRICT(plugins_entry, unreserve, "unreserve", SET, TO(V1ALPHA2)),
	STRICT(plugins_entry, points[POINT_PRE_ENQUEUE], "preEnqueue", SET,
	    FROM(V1BETA2)),
	STRICT(plugins_entry, multi_point, "multiPoint", SET, FROM(V1BETA3)),
	STRICT(plugins_entry, points[POINT_PLACEMENT_GENERATE],
	    "placementGenerate", SET, ONLY(V1)),
	STRICT(plugins_entry, points[POINT_PLACEMENT_SCORE], "placementScore",
	    SET, ONLY(V1))) };

static const struct schema plugin_config_schema = { FIELDS(plugin_config_entry,
	STRICT(plugin_config_entry, name, "name", FIELD_STRING),
	STRICT(plugin_config_entry, node, "args", FIELD_NODE)) };

static const struct schema profile_schema = { FIELDS(profile_entry,
	STRICT(profile_entry, scheduler_name, "schedulerName", FIELD_STRING),
	STRICT(profile_entry, plugins, "plugins", OBJECT(plugins_schema)),
	STRICT(profile_entry, plugin_config, "pluginConfig",
	    OBJECTS(plugin_config_schema)),
	STRICT(profile_entry, percentage_of_nodes, "percentageOfNodesToScore",
	    FIELD_INT32, FROM(V1BETA3))) };

static const struct schema leader_election_schema = { FIELDS(leader_election,
	STRICT(leader_election, leader_elect, "leaderElect", FIELD_BOOL),
	STRICT(leader_election, lease_duration, "leaseDuration",
	    FIELD_DURATION),
	STRICT(leader_election, renew_deadline, "renewDeadline",
	    FIELD_DURATION),
	STRICT(leader_election, retry_period, "retryPeriod", FIELD_DURATION),
	STRICT(leader_election, resource_lock, "resourceLock", FIELD_STRING),
	STRICT(leader_election, resource_name, "resourceName", FIELD_STRING),
	STRICT(leader_election, resource_namespace, "resourceNamespace",
	    FIELD_STRING),
	STRICT(leader_election, resource_name, "lockObjectName", FIELD_STRING,
	    TO(V1ALPHA2)),
	STRICT(leader_election, resource_namespace, "lockObjectNamespace",
	    FIELD_STRING, TO(V1ALPHA2))) };

static const struct schema client_connection_schema = {
    FIELDS(client_connection,
	STRICT(client_connection, kubeconfig, "kubeconfig", FIELD_STRING),
	STRICT(client_connection, accept_content_types, "acceptContentTypes",
	    FIELD_STRING),
	STRICT(client_connection, content_type, "contentType", FIELD_STRING),
	STRICT(client_connection, qps, "qps", FIELD_FLOAT),
	STRICT(client_connection, burst, "burst", FIELD_INT32)) };

static const struct schema policy_file_schema = { FIELDS(policy_place,
	STRICT(policy_place, path, "path", FIELD_STRING)) };
static const struct schema policy_map_schema = { FIELDS(policy_place,
	STRICT(policy_place, namespace, "namespace", FIELD_STRING),
	STRICT(policy_place, name, "name", FIELD_STRING)) };
static const struct schema source_policy_schema = { FIELDS(policy_entry,
	STRICT(policy_entry, file, "file", OBJECT(policy_file_schema)),
	STRICT(policy_entry, config_map, "configMap",
	    OBJECT(policy_map_schema))) };
static const struct schema source_schema = { FIELDS(algorithm_source,
	STRICT(algorithm_source, provider, "provider", FIELD_STRING),
	STRICT(algorithm_source, policy, "policy",
	    OBJECT(source_policy_schema))) };

#define ROOT(member, name, ...)                                                \
	STRICT(configuration_entry, member, name, __VA_ARGS__)

static const struct schema configuration_schema = { FIELDS(configuration_entry,
	TYPE_META,
	ROOT(scheduler_name, "schedulerName", FIELD_STRING, ONLY(V1ALPHA1)),
	ROOT(algorithm_source, "algorithmSource", OBJECT(source_schema),
	    TO(V1ALPHA2)),
	ROOT(hard_pod_affinity_symmetric_weight,
	    "hardPodAffinitySymmetricWeight", FIELD_INT32, ONLY(V1ALPHA1)),
	ROOT(parallelism, "parallelism", FIELD_INT32, FROM(V1BETA1)),
	ROOT(leader_election, "leaderElection", OBJECT(leader_election_schema)),
	ROOT(client_connection, "clientConnection",
	    OBJECT(client_connection_schema)),
	ROOT(healthz_bind_address, "healthzBindAddress", FIELD_STRING,
	    TO(V1BETA2)),
	ROOT(metrics_bind_address, "metricsBindAddress", FIELD_STRING,
	    TO(V1BETA2)),
	ROOT(enable_profiling, "enableProfiling", FIELD_BOOL),
	ROOT(enable_contention_profiling, "enableContentionProfiling",
	    FIELD_BOOL),
	ROOT(disable_preemption, "disablePreemption", FIELD_BOOL, TO(V1ALPHA2)),
	ROOT(percentage_of_nodes, "percentageOfNodesToScore", FIELD_INT32),
	ROOT(bind_timeout_seconds, "bindTimeoutSeconds", FIELD_INT,
	    TO(V1ALPHA2)),
	ROOT(pod_initial_backoff, "podInitialBackoffSeconds", FIELD_INT),
	ROOT(pod_max_backoff, "podMaxBackoffSeconds", FIELD_INT),
	ROOT(profiles, "profiles", OBJECTS(profile_schema), FROM(V1ALPHA2)),
	ROOT(extenders, "extenders", OBJECTS(extender_schema), FROM(V1ALPHA2)),
	ROOT(delay_cache_until_active, "delayCacheUntilActive", FIELD_BOOL,
	    ONLY(V1)),
	ROOT(plugins, "plugins", OBJECT(plugins_schema), ONLY(V1ALPHA1)),
	ROOT(plugin_config, "pluginConfig", OBJECTS(plugin_config_schema),
	    ONLY(V1ALPHA1))) };

const struct configuration_version configuration_versions[] = {
	{ "v1alpha1", V1ALPHA1, POLICY_RELEASE, 15, 15, false },
	{ "v1alpha2", V1ALPHA2, 20, 20, 20, false },
	{ "v1beta1", V1BETA1, 20, 20, 22, false },
	{ "v1beta2", V1BETA2, 36, 22, 27, true },
	{ "v1beta3", V1BETA3, 36, 23, 28, false },
	{ "v1", V1, 36, 25, RELEASE_NEWEST, false },
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
		    or_empty(e->name));
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

	schema_decode(&reading->reading, root, "", &configuration_schema,
	    entry);
	if (entry->leader_election != NULL) {
		/* 0 is as if it were not there. */
		struct leader_election *l = entry->leader_election;

		if (l->lease_duration == 0)
			l->lease_duration = 15 * SECOND;
		if (l->renew_deadline == 0)
			l->renew_deadline = 10 * SECOND;
		if (l->retry_period == 0)
			l->retry_period = 2 * SECOND;
	}
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
