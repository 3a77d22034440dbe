/*
 * A profile: which predicates and priorities decide, with their arguments and
 * weights.  Made by policy/, immutable afterwards.
 */
#ifndef FRAMEWORK_PROFILE_H
#define FRAMEWORK_PROFILE_H

#include "base/arena.h"
#include "base/sym.h"
#include "cluster/volume_binding.h"
#include "decide/framework/extension_point.h"
#include "decide/framework/gates.h"
#include "decide/framework/predicate.h"
#include "decide/framework/priority.h"

struct profile_predicate {
	const struct predicate *unit;
	const void
	    *args; /* struct …_args of decide/framework/args.h, or NULL */
	const char *name;      /* as the policy calls it */
	unsigned line, column; /* where the policy does; 0: by default */
	bool later;            /* a rule about later fields, in every profile */
};

struct profile_priority {
	const struct priority *unit;
	const void *args;
	const char *name;      /* as the policy calls it: the key in "scores" */
	int64_t weight;        /* > 0 */
	unsigned line, column; /* as above */
};

/* A plugin that may end the cycle before any node is filtered. */
struct profile_prefilter {
	const struct plugin *plugin;
	const void *args;
	const char *name; /* of the plugin */
};

/* A plugin in an extension point's effective list. */
struct profile_plugin {
	const char *name;
	int32_t weight; /* of POINT_SCORE, else 0 */
};

struct profile_point {
	size_t n; /* in the order of execution */
	const struct profile_plugin *plugins;
};

/* An HTTP extender as the policy describes it (doc/semantics/05-extenders.md,
 * Configuration). */
struct extender {
	const char *url_prefix; /* without trailing '/' */
	const char *filter_verb, *preempt_verb, *prioritize_verb, *bind_verb;
	int64_t weight;
	int64_t timeout_ns; /* of a whole request */
	bool enable_https;
	bool has_tls;
	struct {
		bool insecure;
		const char *server_name, *cert_file, *key_file, *ca_file;
		const char *cert_data, *key_data, *ca_data; /* base64 decoded */
		size_t cert_len, key_len, ca_len;
	} tls;
	bool node_cache_capable;
	bool ignorable;
	size_t nmanaged;
	const struct managed_resource {
		sym name;
		bool ignored_by_scheduler;
	} * managed;
	unsigned line, column; /* of its entry in the policy */
};

struct profile {
	struct arena arena; /* holds everything below */

	/*
	 * Whose formulas, normalisation and messages count, as a minor version: 15
	 * for policy.cfg, of a configuration that of the cluster, if it reads the
	 * version of the configuration, else its vocabulary (objects/changes.h).
	 */
	int release;
	/* The release that its vocabulary stands for: 15 for policy.cfg, 20 for
	 * configurations until v1beta1, 36 for later ones. */
	int vocabulary;
	/* The releases that read the version of the configuration; 0: of a policy. */
	int first_reader, last_reader;
	/* Of pods that it serves; NULL: says --scheduler-name. */
	const char *scheduler_name;

	size_t nprefilters; /* in the order of execution */
	struct profile_prefilter *prefilters;
	/* Likewise, of PreEnqueue; in profiles of earlier releases, which have no
	 * such point, SchedulingGates alone. */
	size_t nenqueues;
	const struct profile_prefilter *enqueues;
	size_t npredicates; /* in the order of evaluation */
	struct profile_predicate *predicates;
	size_t npriorities; /* in the order of their names */
	struct profile_priority *priorities;
	size_t nextenders; /* ignorable ones last */
	struct extender *extenders;

	/* The effective lists of a KubeSchedulerConfiguration's profile; empty for
	 * a policy. */
	struct profile_point points[NPOINTS];
	/* A JSON object: the final arguments of its plugins under Go's names;
	 * NULL: of a policy. */
	const char *plugin_config;
	/* Of a configuration: whether DefaultPreemption is enabled.  Readers call
	 * profile_preempts(). */
	bool preempts;
	/* The limits of DefaultPreemption, NULL of a policy: all nodes are
	 * candidates whatever they are (decide/sched/preempt.h). */
	const struct default_preemption_args *preemption_args;
	/* percentageOfNodesToScore of the profile; -1: not said. */
	int64_t percentage_of_nodes;
	/* Of DynamicResources; NULL: not said. */
	const struct dynamic_resources_args *device_args;
	/* Of VolumeBinding; -1: not said. */
	int64_t bind_timeout_seconds;

	bool always_check_all_predicates;
	bool strict; /* --strict-policy: fields later than 1.15 do not count */
	/* It has LeafNodeVolumeBinding (cluster/volume_binding.h). */
	bool leaf_volumes;
	int64_t hard_pod_affinity_symmetric_weight; /* 1 to 100 */
	int64_t score_max; /* 10 for policy.cfg, 100 for profiles */
	struct gates gates;
	/* --ignore-unsupported: a set of enum unsupported. */
	uint32_t ignored_fields;

	/* Extended resources that PodFitsResources leaves to extenders. */
	size_t nignored_resources;
	const sym *ignored_resources;

	/* The file of lines and columns above, for messages; NULL: none. */
	const char *file;

	/* The text of policy_startup_line(); NULL if there is no such line. */
	const char *startup_line;
};

/* A policy always preempts, a configuration if DefaultPreemption is enabled. */
static inline bool
profile_preempts(const struct profile *profile)
{
	return profile->release < 20 || profile->preempts;
}

/* A score of release 20 and later is from 0 to score_max, or the attempt fails. */
static inline bool
profile_allows_score(const struct profile *profile, int64_t score)
{
	return profile->release < 20 ||
	    (score >= 0 && score <= profile->score_max);
}

/* Whether it would decide otherwise if it were read for a cluster of this minor
 * version. */
static inline bool
profile_follows(const struct profile *profile, int kubernetes_minor)
{
	return kubernetes_minor >= profile->first_reader &&
	    kubernetes_minor <= profile->last_reader &&
	    kubernetes_minor != profile->release;
}

/* cycle_release() on a cluster of this minor version. */
static inline int
profile_release(const struct profile *profile, int kubernetes_minor)
{
	if (profile->strict)
		return 15;
	return kubernetes_minor > profile->release ? kubernetes_minor :
						     profile->release;
}

/* How the claims of pods that the profile serves are bound. */
struct volume_rules profile_volume_rules(const struct profile *profile,
    int kubernetes_minor);

/* How many seconds devices have to become ready. */
int64_t profile_device_timeout(const struct profile *profile);

/* The plugin's place in the effective list of the extension point, or -1. */
int profile_place(const struct profile *profile, enum extension_point point,
    const char *plugin);

void profile_free(struct profile *profile); /* NULL is fine */

/* Whether this is one of its predicates, under whatever name. */
bool profile_checks(const struct profile *profile,
    const struct predicate *unit);

/* Whether the plugin is in the effective list of this extension point. */
bool profile_has_plugin(const struct profile *profile,
    enum extension_point point, const char *name);

#endif
