/*
 * A plugin: a rule as the queue, metrics and configurations know it, by the name that
 * kube-scheduler 1.36 gives it, or 1.20 if 1.36 has it no more.  What it answers is in
 * its predicates and its priority.
 */
#ifndef FRAMEWORK_PLUGIN_H
#define FRAMEWORK_PLUGIN_H

#include "decide/framework/extension_point.h"
#include "decide/framework/needs.h"
#include "decide/framework/verdict.h"
#include "objects/kinds.h"

struct cycle;
struct node;
struct pod_class;
struct predicate;
struct priority;
struct profile;

/* PLUGIN_OTHER, ...: the number of a row of all_plugins[]. */
enum plugin_number {
#define PLUGIN(number, x) PLUGIN_##number,
#include "decide/framework/rule_table.h"
	PLUGINS,
};

/* Sets of them. */
#define PLUGIN_BIT(number) (UINT64_C(1) << (number))
#define PLUGINS_UNKNOWN UINT64_MAX /* any of them */

/* An object that was added, changed or removed. */
struct object_change {
	enum object_kind kind;
	/* If it is a node: as it was and is; NULL: it was not there, it is gone. */
	const struct node *was, *is;
	/* Of a pod that has left its node; else NULL. */
	const struct pod_class *left;
	const struct object *before, *after; /* likewise NULL */
};

static inline bool
change_adds_node(const struct object_change *change)
{
	return change->was == NULL && change->is != NULL;
}

/* Pools of devices, their classes and taints. */
static inline bool
change_is_of_devices(const struct object_change *change)
{
	return change->kind == OBJECT_RESOURCE_SLICE ||
	    change->kind == OBJECT_DEVICE_CLASS ||
	    change->kind == OBJECT_DEVICE_TAINT_RULE;
}

/* Pods, by what they have. */
enum kinds_of_pods {
	PODS_ALL = 1 << 0,
	PODS_WITH_TERMS = 1
	    << 1, /* required ones of affinity or anti-affinity */
	PODS_WITH_SPREAD = 1 << 2,
	PODS_WITH_PORTS = 1 << 3,
	PODS_WITH_VOLUMES = 1 << 4,
	PODS_WITH_DEVICES = 1 << 5, /* claims or extended resources */
};

/* The vocabularies of configurations: until v1beta1, that of 1.20, and since v1beta2. */
enum vocabulary {
	EARLY,
	LATER,
	VOCABULARIES,
};

#define EARLY_AND_LATER(x)                                                     \
	{                                                                      \
		(x), (x)                                                       \
	}

/* The most predicates that are one plugin. */
#define PLUGIN_FILTERS 2

struct plugin {
	const char *name;

	/*
	 * What configurations know of it.  points: a set of those that it implements,
	 * by vocabulary; 0: this one does not have it.  Of its members for a point
	 * that it does not implement none counts.
	 */
	unsigned points[VOCABULARIES];
	const struct predicate *filters[PLUGIN_FILTERS];
	bool second_is_later; /* of filters: only since v1beta2 */
	const struct priority *score;
	int32_t weight[VOCABULARIES]; /* by default, if it scores */
	bool enabled; /* by default, if the point's list says so */
	/* Releases: the first that has it, the first that enables it by default, the
	 * last; 0: no limit. */
	int first, enabled_from, last;
	/* Points that it has only from this release on. */
	struct {
		unsigned points;
		int first;
	} since[3];
	/* The error of its filters where its PreFilter is not enabled; NULL: they do not
	 * need it.  Of VolumeRestrictions only the second does. */
	const char *no_pre_filter;
	/* The error of its score where it is not enabled at this point, likewise; but
	 * not for pods with topologySpreadConstraints. */
	const char *no_state;
	enum extension_point score_needs;
	bool unless_constrained;

	/* --kosmos enables it at these points, where it replaces this plugin; NULL: none. */
	unsigned kosmos_at;
	const struct plugin *instead_of;

	/*
	 * Optional: PreFilter, as far as it rejects the pod or limits the nodes; its
	 * state for Filter is the predicate's own prepare().  FITS: go on.  UNFIT or
	 * UNFIT_FOREVER: every node is refused with the reason, and no node is
	 * filtered.  BROKEN, after cycle_fail(): the attempt fails.  args: the
	 * plugin's.  Not in profiles of policy.cfg.
	 */
	enum verdict (*pre_filter)(struct cycle *cycle, const void *args,
	    struct why *why);

	/* Optional: PreEnqueue.  Anything but FITS keeps the pod out of the queue of
	 * those that are scheduled. */
	enum verdict (*pre_enqueue)(struct cycle *cycle, const void *args,
	    struct why *why);

	/* Optional: the arguments as the i-th of its filters reads them, in the arena;
	 * NULL: as they are.  They are not NULL. */
	const void *(
	    *filter_args)(struct arena *arena, const void *args, size_t i);
	/* Optional: puts what others read of its arguments into the profile, which has
	 * its lists.  self: this plugin. */
	void (*put_args)(struct profile *profile, const struct plugin *self,
	    const void *args);

	/* Of one without a predicate and a priority, as theirs. */
	enum needs needs;

	/* Objects that are watched for it (objects/kinds.h); 0: none of its own. */
	enum api_kind_need watches;

	/*
	 * Optional: whether the change may bring round the rule that refused a pod of
	 * this class: EventsToRegister() and isSchedulableAfter...() of kube-scheduler
	 * 1.36.  Where these miss a change that can help, or depend on arguments of the
	 * plugin, it may.  NULL: any change may.  A pod with a node that was added or
	 * relabelled is not asked about (daemon/queue/term_watch.h), nor is a Service, which
	 * may help anyone.
	 */
	bool (*wakes)(const struct pod_class *class,
	    const struct object_change *change);

	/* The aspects of the pod (objects/pod.h) whose change may; 0: any of them. */
	unsigned aspects;

	/* Pods with a node that are added or relabelled may (daemon/queue/term_watch.h). */
	bool of_pods;

	/* Which pods (enum kinds_of_pods) it may keep from nodes where they could evict
	 * others, although another rule refused them there. */
	unsigned hidden_from;
};

#define PLUGIN(number, x) extern const struct plugin plugin_##x;
#include "decide/framework/rule_table.h"

/* By number. */
extern const struct plugin *const all_plugins[PLUGINS];

/* PLUGIN_OTHER: it is none of them. */
enum plugin_number plugin_number(const struct plugin *plugin);

/* NULL: of PLUGIN_OTHER. */
static inline const char *
plugin_name(enum plugin_number number)
{
	return number != PLUGIN_OTHER ? all_plugins[number]->name : NULL;
}

/* vocabulary: profile->vocabulary; 20 or 36. */
static inline enum vocabulary
vocabulary_of(int vocabulary)
{
	return vocabulary < 36 ? EARLY : LATER;
}

/* NULL: the vocabulary has none of this name. */
const struct plugin *plugin_find(enum vocabulary vocabulary, const char *name);
/* Whether the release has it; whether it enables it by default at multiPoint. */
bool plugin_is_of(const struct plugin *plugin, int release);
bool plugin_is_default(const struct plugin *plugin, int release);
/* Whether it implements the point in the release. */
bool plugin_extends(const struct plugin *plugin, enum vocabulary vocabulary,
    int release, enum extension_point point);

/* The i-th in the default list of 1.20 for this point; NULL: it has not so many. */
const struct plugin *default_plugin(enum extension_point point, size_t i);

#endif
