/*
 * The source of the scheduling policy, at start and after each change: a file; a
 * ConfigMap; the ConfigMap or profile that OpenShift's Scheduler object names, if
 * it exists; the profiles of a KubeSchedulerConfiguration; or else a provider's
 * defaults.
 *
 * The source is watched.  A text that differs from the one read before it is
 * read; if it makes a policy, that is announced, whole; if not, it is refused
 * and the last good one stays.  Only the first text must be good.  An empty
 * text, which stands for the defaults at start, is refused later: it is more
 * likely a failed write.
 *
 * A file is watched in its folder, so that it may be written in place, renamed
 * into place, or be a link whose target changes (as in a volume of Kubernetes).
 * It is not read while it is being written.
 *
 * The Scheduler object names a ConfigMap in openshift-config, or else a profile.
 * Its administrators must not be left without a scheduler: where there is no
 * last good policy, the profile or provider applies until there is one.
 *
 * Every problem goes to the log with its position.
 */
#ifndef POLICY_SOURCE_H
#define POLICY_SOURCE_H

#include "policy/policy.h"

struct api_client;
struct api_event;
struct event_base;
struct profiles;
struct text;

struct policy_source_options {
	/* At most one of these two; NULL or "": not in that. */
	const char *file;
	const char *config_map;
	/* The file may also hold a KubeSchedulerConfiguration. */
	bool any_kind;
	const char *config_map_namespace; /* NULL or "": "kube-system" */
	bool openshift;       /* in neither: look for a Scheduler object */
	const char *config;   /* that names none: this file; NULL or "": none */
	const char *provider; /* in none; NULL or "": "DefaultProvider" */
	const char *component; /* events' source: the scheduler's name */
	struct policy_options policy;
};

/* Where a policy was found. */
enum policy_from {
	POLICY_FROM_FILE,
	POLICY_FROM_CONFIG_MAP,
	POLICY_FROM_OPENSHIFT_POLICY, /* a ConfigMap, by the Scheduler object */
	POLICY_FROM_OPENSHIFT_PROFILE,
	POLICY_FROM_CONFIG,
	POLICY_FROM_PROVIDER,
	POLICY_FROMS,
};

/* "file", "configmap", "openshift-policy", …: for metrics. */
const char *policy_from_name(enum policy_from from);

/* Which policy it is. */
struct policy_version {
	enum policy_from from;
	/* the file, "NS/NAME[policy.cfg]", the profile or provider */
	const char *origin;
	char hash[41];       /* SHA-1 of its text in hex; "" of a provider */
	uint64_t generation; /* 1 is the first that was good */
	/* Valid during the call: its text, NULL: it has none; and how it was
	 * read. */
	const char *text;
	size_t len;
	bool is_configuration;
	struct policy_options options;
};

struct policy_source_ops {
	/* A policy or configuration applies from now on; takes its profiles: one
	 * without a scheduler_name, or those of the configuration. */
	void (*on_policy)(void *arg, struct profiles *profiles,
	    const struct policy_version *version);
	/* A later text was refused (or vanished), the last policy stays.  from
	 * is the refused text's; why is the first error; problems, which may be empty, has the
	 * errors with their positions.  Both are valid during the call, and in
	 * the log. */
	void (*on_refused)(void *arg, enum policy_from from, const char *why,
	    const struct problems *problems);
	/* The first policy was refused: log why and end the process.  The
	 * problems are in the log already. */
	void (*on_failed)(void *arg, const char *why);
	/* Events about the ConfigMap and the Scheduler object: Warning
	 * PolicyRefused, and Normal PolicyApplied after a reload; give them to
	 * events_record().  May be NULL. */
	void (*on_event)(void *arg, const struct api_event *event);
	/* The Scheduler object's new defaultNodeSelector; NULL: the object does
	 * not exist.  Called before on_policy.  May be NULL. */
	void (*on_node_selector)(void *arg, const struct labels *labels);
};

struct policy_source;

/*
 * Begins to look with the next turn of the event loop; then exactly one of
 * on_policy and on_failed comes first.  An API server that cannot be reached is
 * waited for.  client may be NULL when the policy is in no object.  options
 * and ops are copied.  Callbacks come from the event loop; none may call
 * policy_source_free().
 */
struct policy_source *policy_source_new(struct event_base *base,
    struct api_client *client, const struct policy_source_options *options,
    const struct policy_source_ops *ops, void *arg);
void policy_source_free(struct policy_source *source); /* accepts NULL */

/*
 * For SIGHUP: looks again now, with these options if they are not NULL.  A text
 * that was refused before is refused and reported again; one that applies already,
 * under the same options, is left alone.  Other options may name another place;
 * until there is a good policy there, the last one stays.  Not from a callback.
 */
void policy_source_reload(struct policy_source *source,
    const struct policy_source_options *options);

/* The cluster runs Kubernetes 1.N: later releases of OpenShift reject some
 * fields of the Scheduler object, which is then logged. */
void policy_source_set_kubernetes(struct policy_source *source, int minor);

/* Writes which policy is in force, as JSON: {"source":"configmap","origin":…,
 * "hash":…,"generation":3,"since":…,"rules":20,"refused":false,"problem":null}; null
 * before the first policy.  refused: the present text was refused, for this problem,
 * "FILE:LINE:COLUMN: error: …". */
void policy_source_show(const struct policy_source *source, struct text *out);

/* For --check: the policy as at start, if that takes no API server: NULL with
 * err filled when it is no good, or (err "") when it is in a ConfigMap.  You
 * own it.  Problems go to *problems and not to the log. */
struct profiles *
policy_source_check(const struct policy_source_options *options,
    struct problems *problems, struct err *err);

#endif
