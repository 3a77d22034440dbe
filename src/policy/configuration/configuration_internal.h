/*
 * Shared by the files that read a KubeSchedulerConfiguration: the configuration as
 * written, and the state of reading one.
 */
#ifndef CONFIGURATION_CONFIGURATION_INTERNAL_H
#define CONFIGURATION_CONFIGURATION_INTERNAL_H

#include "policy/configuration/configuration.h"
#include "decide/framework/plugin.h"
#include "policy/policy_internal.h"

/* As struct policy: every object begins with a struct item. */

struct plugin_entry {
	struct item item;
	const char *name; /* NULL: none, as "" */
	int64_t weight;
};

struct plugin_set {
	struct item item;
	struct list enabled, disabled; /* struct plugin_entry */
};

struct plugins_entry {
	struct item item;
	struct plugin_set *points[NPOINTS]; /* NULL: absent */
	struct plugin_set *multi_point;
	struct plugin_set *normalize_score, *unreserve; /* v1alpha1, v1alpha2 */
};

struct args_kind;
struct json_out;

struct plugin_config_entry {
	struct item item;
	const char *name;
	const struct doc_node *node; /* args, NULL when absent */
	/* NULL: a plugin without arguments that anyone looks at */
	const struct args_kind *kind;
	void *args; /* as written; of kind */
};

struct profile_entry {
	struct item item;
	const char *scheduler_name; /* NULL: absent */
	int64_t percentage_of_nodes;
	struct plugins_entry *plugins;
	struct list plugin_config; /* struct plugin_config_entry */
};

struct client_connection {
	struct item item;
	const char *kubeconfig, *accept_content_types, *content_type;
	double qps;
	int64_t burst;
};

struct leader_election {
	struct item item;
	bool leader_elect;
	int64_t lease_duration, renew_deadline, retry_period; /* ns */
	const char *resource_lock, *resource_name, *resource_namespace;
};

struct policy_place {
	struct item item;
	const char *path;             /* of file */
	const char *namespace, *name; /* of configMap */
};

struct policy_entry {
	struct item item;
	struct policy_place *file, *config_map;
};

struct algorithm_source {
	struct item item;
	const char *provider;
	struct policy_entry *policy;
};

struct configuration_entry {
	struct item item;
	int64_t parallelism;
	struct leader_election *leader_election;
	struct client_connection *client_connection;
	const char *healthz_bind_address, *metrics_bind_address;
	bool enable_profiling, enable_contention_profiling;
	bool delay_cache_until_active;
	int64_t percentage_of_nodes;
	int64_t pod_initial_backoff, pod_max_backoff; /* seconds */
	struct list profiles;                         /* struct profile_entry */
	struct list extenders; /* struct extender_entry */
	/* v1alpha1 */
	const char *scheduler_name;
	struct algorithm_source *algorithm_source;
	int64_t hard_pod_affinity_symmetric_weight;
	/* v1alpha1, v1alpha2 */
	int64_t bind_timeout_seconds;
	bool disable_preemption;
	struct plugins_entry *plugins;
	struct list plugin_config;
};

#define CONFIGURATION_GROUP "kubescheduler.config.k8s.io/"

/* A version of the group. */
struct configuration_version {
	const char *name; /* "v1" */
	enum text_version version;
	int release;     /* that it is read as: 15, 20 or 36 */
	int first, last; /* the releases that read it, for profiles */
	/* v1beta2 keeps the weights of 1.20. */
	bool old_weights;
};

extern const struct configuration_version configuration_versions[];
extern const size_t nconfiguration_versions;

struct configuration_reading {
	struct reading reading;
	const struct configuration_version *version;
	struct configuration_entry entry;
	bool without_profiles; /* configuration_check() */
	const char *prefix;    /* of the paths in configuration_invalid() */
	/* The resources that extenders have kube-scheduler ignore. */
	struct list ignored; /* struct string_value */
};

/* An error at the node; its sentence begins with a path. */
void configuration_invalid(struct configuration_reading *reading,
    const struct doc_node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Invalid unless the item's member is in the range; INT64_MAX is infinity.  path: the
 * item's, with a dot at its end if there is one. */
void configuration_check_range(struct configuration_reading *reading,
    const struct item *item, const char *path, const char *key, int64_t value,
    int64_t low, int64_t high);

static inline struct arena *
scratch(struct configuration_reading *reading)
{
	return &reading->reading.arena;
}

static inline bool
is_later(const struct configuration_reading *reading)
{
	return reading->version->release >= 36;
}

/* Whether the member is there and not null. */
static inline bool
is_given(const struct item *item, const char *key)
{
	return doc_get(item->at, key) != NULL;
}

/* Whether there are elections, and their settings: NULL is the default. */
static inline bool
has_election(const struct leader_election *l)
{
	return l != NULL &&
	    (!is_given(&l->item, "leaderElect") || l->leader_elect);
}

/* Invalid for each fault of the name of a label or resource. */
void configuration_check_name(struct configuration_reading *reading,
    const struct doc_node *at, const char *path, const char *name);

/* configuration_decode.c */

/* Fills reading->entry; problems name everything that cannot be decoded. */
void configuration_decode(struct configuration_reading *reading,
    const struct doc_node *root);

/* configuration_validate.c */

/* Reports what kube-scheduler refuses before it makes profiles. */
void configuration_validate(struct configuration_reading *reading);

/* configuration_args.c */

/* NULL: the plugin has no arguments that are looked at. */
const struct args_kind *args_kind_find(int release, const char *plugin);
/* The struct as written; node may be NULL (defaults). */
void *args_decode(struct configuration_reading *reading,
    const struct args_kind *kind, const struct doc_node *node,
    const char *path);
/* The kind's validation, with the path of the arguments.  Release 36 validates with
 * the configuration, 20 when the plugin is created. */
void args_validate(struct configuration_reading *reading,
    const struct args_kind *kind, const void *args, const char *path);
/* struct …_args of decide/framework/args.h in the arena. */
const void *args_make(struct arena *arena, const struct args_kind *kind,
    const void *args);

/* As an object under the names of Go's fields, as kube-scheduler logs it. */
void args_json(struct json_out *json, enum text_version version,
    const struct args_kind *kind, const void *args);

/* configuration_merge.c */

/* A plugin that a list names, by default or in the text. */
struct listed {
	const char *name;
	const struct plugin *plugin; /* NULL: there is none of this name */
	int64_t weight;
	const struct doc_node *at; /* NULL: by default */
	bool is_refused;           /* that there is none was reported */
};

struct listing {
	size_t n, cap;
	struct listed *at;
};

/* The release that decides: the cluster's, if it reads this version; else, and if it is
 * not known, that which the version stands for. */
int configuration_release(const struct configuration_reading *reading);

bool listing_has(const struct listing *list, const char *name);

/* A profile in the making. */
struct merging {
	struct configuration_reading *reading;
	const struct profile_entry *entry;
	int release;
	enum vocabulary vocabulary;
	struct listing points[NPOINTS], multi; /* effective lists */
	struct profile *profile;
	const void *args[PLUGINS]; /* struct …_args; NULL: none */
};

/* The profile; you own it.  NULL: kube-scheduler cannot create it; problems say why. */
struct profile *configuration_merge(struct configuration_reading *reading,
    const struct profile_entry *entry);

/* Whether a list of the profile has the plugin, with the defaults in it. */
bool configuration_enables(struct configuration_reading *reading,
    const struct profile_entry *entry, const char *plugin);

/* The arguments that the profile has for a plugin, as written or by default; NULL:
 * the plugin has none. */
const struct plugin_config_entry *
configuration_args_of(const struct profile_entry *entry, const char *plugin);

/* profile_of_plugins.c */

/* Fills the profile from effective lists without faults and the arguments. */
void profile_of_plugins(struct merging *m);

#endif
