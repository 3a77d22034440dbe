#include "config.h"

#include "scheduler/plugins.h"

#include "scheduler/flight.h"
#include "cluster/cluster.h"
#include "framework/allowed_nodes.h"
#include "framework/plugin.h"
#include "framework/profile.h"
#include "framework/stopwatch.h"
#include "metrics/metrics.h"
#include "model/pod.h"
#include "model/steering.h"
#include "sched/filter.h"

/* Reasons that begin like this are the plugin's; the first that matches. */
static const struct {
	const char *begin;
	enum plugin_number plugin;
} reasons[] = {
	{ "Insufficient ", PLUGIN_NODE_RESOURCES_FIT },
	{ "Too many pods", PLUGIN_NODE_RESOURCES_FIT },
	{ "node(s) were unschedulable", PLUGIN_NODE_UNSCHEDULABLE },
	{ "node(s) didn't match the requested hostname", PLUGIN_NODE_NAME },
	{ "node(s) didn't have free ports", PLUGIN_NODE_PORTS },
	{ "node(s) didn't match node selector", PLUGIN_NODE_AFFINITY },
	{ "node(s) didn't match Pod's node affinity", PLUGIN_NODE_AFFINITY },
	{ "node(s) had taint", PLUGIN_TAINT_TOLERATION },
	{ "node(s) had untolerated taint", PLUGIN_TAINT_TOLERATION },
	{ "node(s) had no available disk", PLUGIN_VOLUME_RESTRICTIONS },
	{ "node has pod using PersistentVolumeClaim",
	    PLUGIN_VOLUME_RESTRICTIONS },
	{ "node(s) exceed max volume count", PLUGIN_NODE_VOLUME_LIMITS },
	{ "node(s) didn't find available persistent volumes",
	    PLUGIN_VOLUME_BINDING },
	{ "node(s) did not have enough free storage", PLUGIN_VOLUME_BINDING },
	{ "node(s) had volume node affinity conflict", PLUGIN_VOLUME_BINDING },
	{ "node(s) unavailable due to PersistentVolumeClaim",
	    PLUGIN_VOLUME_RESTRICTIONS },
	{ "node(s) unavailable due to", PLUGIN_VOLUME_BINDING },
	{ "persistentvolumeclaim ", PLUGIN_VOLUME_BINDING },
	{ "pod has unbound immediate PersistentVolumeClaims",
	    PLUGIN_VOLUME_BINDING },
	{ "waiting for ephemeral volume controller", PLUGIN_VOLUME_BINDING },
	{ "node(s) had no available volume zone", PLUGIN_VOLUME_ZONE },
	{ "node(s) didn't match pod topology spread",
	    PLUGIN_POD_TOPOLOGY_SPREAD },
	{ "node(s) didn't match pod affinity", PLUGIN_INTER_POD_AFFINITY },
	{ "node(s) didn't match pod anti-affinity", PLUGIN_INTER_POD_AFFINITY },
	{ "node(s) didn't satisfy existing pods anti-affinity",
	    PLUGIN_EXISTING_ANTI_AFFINITY },
	{ "node(s) didn't match Pod's required features",
	    PLUGIN_NODE_DECLARED_FEATURES },
	{ "resourceclaim", PLUGIN_DYNAMIC_RESOURCES },
	{ "node(s) didn't have the requested labels", PLUGIN_NODE_LABEL },
	{ "node(s) didn't match service affinity", PLUGIN_SERVICE_AFFINITY },
};

/* The plugins that do the work of a predicate; others are called as it is. */
static const struct {
	const char *unit;
	uint64_t plugins;
} predicate_plugins[] = {
	{ "CheckNodeUnschedulable", PLUGIN_BIT(PLUGIN_NODE_UNSCHEDULABLE) },
	{ "GeneralPredicates",
	    PLUGIN_BIT(PLUGIN_NODE_RESOURCES_FIT) |
		PLUGIN_BIT(PLUGIN_NODE_NAME) | PLUGIN_BIT(PLUGIN_NODE_PORTS) |
		PLUGIN_BIT(PLUGIN_NODE_AFFINITY) },
	{ "HostName", PLUGIN_BIT(PLUGIN_NODE_NAME) },
	{ "PodFitsHostPorts", PLUGIN_BIT(PLUGIN_NODE_PORTS) },
	{ "MatchNodeSelector", PLUGIN_BIT(PLUGIN_NODE_AFFINITY) },
	{ "PodFitsResources", PLUGIN_BIT(PLUGIN_NODE_RESOURCES_FIT) },
	{ "NoDiskConflict", PLUGIN_BIT(PLUGIN_VOLUME_RESTRICTIONS) },
	{ "PodToleratesNodeTaints", PLUGIN_BIT(PLUGIN_TAINT_TOLERATION) },
	{ "MaxCSIVolumeCountPred", PLUGIN_BIT(PLUGIN_NODE_VOLUME_LIMITS) },
	{ "CheckVolumeBinding", PLUGIN_BIT(PLUGIN_VOLUME_BINDING) },
	{ "NoVolumeZoneConflict", PLUGIN_BIT(PLUGIN_VOLUME_ZONE) },
	{ "EvenPodsSpread", PLUGIN_BIT(PLUGIN_POD_TOPOLOGY_SPREAD) },
	{ "MatchInterPodAffinity", PLUGIN_BIT(PLUGIN_INTER_POD_AFFINITY) },
	{ "CheckNodeLabelPresence", PLUGIN_BIT(PLUGIN_NODE_LABEL) },
	{ "CheckServiceAffinity", PLUGIN_BIT(PLUGIN_SERVICE_AFFINITY) },
};

/* And of a priority. */
static const struct {
	const char *unit, *plugin;
} priority_plugins[] = {
	{ "BalancedResourceAllocation", "NodeResourcesBalancedAllocation" },
	{ "EvenPodsSpreadPriority", "PodTopologySpread" },
	{ "ImageLocalityPriority", "ImageLocality" },
	{ "InterPodAffinityPriority", "InterPodAffinity" },
	{ "LeastRequestedPriority", "NodeResourcesLeastAllocated" },
	{ "MostRequestedPriority", "NodeResourcesMostAllocated" },
	{ "NodeAffinityPriority", "NodeAffinity" },
	{ "NodeLabel", "NodeLabel" },
	{ "NodePreferAvoidPodsPriority", "NodePreferAvoidPods" },
	{ "RequestedToCapacityRatioPriority", "RequestedToCapacityRatio" },
	{ "SelectorSpreadPriority", "SelectorSpread" },
	{ "ServiceAntiAffinity", "ServiceAffinity" },
	{ "TaintTolerationPriority", "TaintToleration" },
};

struct plugins {
	struct metrics *metrics;
	char *name;
	const struct profile *profile;
	/* Those of profiles that have refused a pod; others are not counted. */
	size_t nnamed;
	char *named[64];
};

struct plugins *
plugins_new(struct metrics *metrics, const char *name)
{
	struct plugins *p = xcalloc(1, sizeof(*p));

	p->metrics = metrics;
	p->name = xstrdup(name);
	return p;
}

void
plugins_free(struct plugins *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->nnamed; i++)
		free(p->named[i]);
	free(p->name);
	free(p);
}

/* ---- evaluations ---- */

static void
count(struct plugins *p, const char *plugin, enum extension_point at,
    uint32_t n)
{
	metrics_add(p->metrics, METRIC_PLUGIN_EVALUATIONS, n, plugin,
	    extension_point_titles[at], p->name);
}

/* A series of each plugin is there from the start. */
void
plugins_set_profile(struct plugins *p, const struct profile *profile)
{
	static const enum extension_point counted[] = { POINT_PRE_FILTER,
		POINT_FILTER, POINT_PRE_SCORE, POINT_SCORE };

	p->profile = profile;
	for (size_t k = 0; profile != NULL && k < LENGTH(counted); k++)
		for (size_t i = 0; i < profile->points[counted[k]].n; i++)
			count(p, profile->points[counted[k]].plugins[i].name,
			    counted[k], 0);
}

/* Whether its predicates and priorities have the names of their plugins. */
static bool
has_plugins(const struct profile *profile)
{
	return profile->points[POINT_FILTER].plugins != NULL;
}

/* 0: it is called as the predicate. */
static uint64_t
plugins_of(const struct predicate *unit)
{
	for (size_t i = 0; i < LENGTH(predicate_plugins); i++)
		if (strcmp(predicate_plugins[i].unit, unit->name) == 0)
			return predicate_plugins[i].plugins;
	return 0;
}

static const char *
plugin_of_priority(const struct profile *profile,
    const struct profile_priority *priority)
{
	const struct priority *unit = priority->unit;

	if (has_plugins(profile))
		return priority->name;
	for (size_t i = 0; i < LENGTH(priority_plugins); i++)
		if (strcmp(priority_plugins[i].unit, unit->name) == 0)
			return priority_plugins[i].plugin;
	return unit->name;
}

/* Whether the pod has none of what the rule reads; for rules that were not prepared. */
static bool
lacks(const struct pod_class *class, unsigned aspects)
{
	if (aspects == ASPECT_PORTS)
		return class->nports == 0;
	if (aspects == ASPECT_NODE_AFFINITY)
		return class_allows_all_nodes(class);
	return pod_class_lacks(class, aspects);
}

/* Whether PreFilter says so: none of the plugin's rules may refuse this pod. */
static bool
is_skipped(const struct profile *profile, const struct decision *d,
    const char *plugin)
{
	bool skipped = profile_has_plugin(profile, POINT_PRE_FILTER, plugin) &&
	    strcmp(plugin, plugin_node_resources_fit.name) != 0;

	for (size_t i = 0; i < profile->npredicates && skipped; i++) {
		const struct profile_predicate *at = &profile->predicates[i];

		skipped = strcmp(at->name, plugin) != 0 ||
		    filter_can_skip(d->filter, i) ||
		    lacks(d->filter->cycle->class,
			aspects_read(at->unit->reads));
	}
	return skipped;
}

/* Each plugin that does not skip the pod, up to the one that rejects it. */
static void
count_pre_filter(struct plugins *p, const struct decision *d)
{
	const struct profile_point *point =
	    &p->profile->points[POINT_PRE_FILTER];
	const char *rejects =
	    d->rejected_by != NULL ? d->rejected_by->name : "";

	for (size_t i = 0; i < point->n; i++) {
		const char *name = point->plugins[i].name;
		bool is_last = strcmp(name, rejects) == 0;

		if (is_last || !is_skipped(p->profile, d, name))
			count(p, name, POINT_PRE_FILTER, 1);
		if (is_last && d->verdicts[0].verdict == UNFIT_FOREVER)
			break;
	}
}

/* The predicate is asked about n nodes. */
static void
count_predicate(struct plugins *p, const struct profile_predicate *at,
    uint32_t n)
{
	uint64_t set = plugins_of(at->unit);

	for (enum plugin_number r = 0; r < PLUGINS; r++) {
		const char *name =
		    set == 0 ? at->unit->name : all_plugins[r]->name;

		if (set != 0 && !(set & PLUGIN_BIT(r)))
			continue;
		count(p, name, POINT_PRE_FILTER, 1);
		count(p, name, POINT_FILTER, n);
		if (set == 0)
			break;
	}
}

/* A node is asked about until a predicate refuses it; by none of a plugin whose
 * PreFilter says that it refuses no node. */
static void
count_filter(struct plugins *p, const struct decision *d)
{
	const struct profile *profile = p->profile;
	AUTOFREE uint32_t *refused =
	    xcalloc(profile->npredicates + 1, sizeof(*refused));
	uint32_t left = d->nominated ? 1 : d->nexamined;
	const char *last = "";

	for (uint32_t i = 0; i < d->ncells && !d->nominated; i++)
		if (d->verdicts[i].verdict != FITS &&
		    d->verdicts[i].step <= profile->npredicates)
			refused[d->verdicts[i].step] += decision_size(d, i);
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *at = &profile->predicates[i];

		if (!has_plugins(profile)) {
			if (!filter_can_skip(d->filter, i))
				count_predicate(p, at, left);
		} else if (strcmp(at->name, last) != 0 &&
		    profile_has_plugin(profile, POINT_FILTER, at->name) &&
		    !is_skipped(profile, d, at->name)) {
			count(p, last = at->name, POINT_FILTER, left);
		}
		left -= refused[i + 1];
	}
}

static void
count_score(struct plugins *p, const struct decision *d)
{
	const struct profile *profile = p->profile;

	for (size_t i = 0; i < profile->npriorities; i++) {
		const char *name =
		    plugin_of_priority(profile, &profile->priorities[i]);

		if (i < 64 && d->skipped >> i & 1)
			continue;
		if (profile_has_plugin(profile, POINT_PRE_SCORE, name))
			count(p, name, POINT_PRE_SCORE, 1);
		count(p, name, POINT_SCORE, d->nfeasible);
	}
}

void
plugins_decided(struct plugins *p, const struct decision *d)
{
	if (d->filter == NULL || d->error != NULL ||
	    d->filter->nsteps != p->profile->npredicates)
		return;
	count_pre_filter(p, d);
	if (d->rejected_by == NULL)
		count_filter(p, d);
	/* a node without a rival is not scored */
	if (d->nfeasible > 1 && !d->nominated)
		count_score(p, d);
}

/* ---- times ---- */

const char *
plugin_of_unit(const struct profile *profile, const struct timed_unit *timed)
{
	bool scores =
	    timed->point == POINT_PRE_SCORE || timed->point == POINT_SCORE;

	for (size_t i = 0; scores && i < profile->npriorities; i++)
		if (profile->priorities[i].unit == timed->unit)
			return plugin_of_priority(profile,
			    &profile->priorities[i]);
	for (size_t i = 0; !scores && i < profile->npredicates; i++)
		if (profile->predicates[i].unit == timed->unit)
			return profile->predicates[i].name;
	return NULL;
}

void
plugins_timed(struct plugins *p, const struct stopwatch *watch, bool failed,
    double *pre_filter, double *pre_score)
{
	*pre_filter = *pre_score = 0;
	for (size_t i = 0; i < watch->n; i++) {
		const struct timed_unit *timed = &watch->units[i];
		const char *plugin = plugin_of_unit(p->profile, timed);

		if (timed->point == POINT_PRE_FILTER)
			*pre_filter += timed->seconds;
		else if (timed->point == POINT_PRE_SCORE)
			*pre_score += timed->seconds;
		if (plugin != NULL)
			metrics_observe(p->metrics, METRIC_PLUGIN_SECONDS,
			    timed->seconds, plugin,
			    extension_point_titles[timed->point],
			    failed ? "Error" : "Success");
	}
}

/* ---- refusals ---- */

static enum plugin_number
plugin_of_reason(const char *reason)
{
	for (size_t i = 0; i < LENGTH(reasons); i++)
		if (strncmp(reason, reasons[i].begin,
			strlen(reasons[i].begin)) == 0)
			return reasons[i].plugin;
	return strstr(reason, " is not supported: ") != NULL ?
	    PLUGIN_UNSUPPORTED_FIELDS :
	    PLUGIN_OTHER;
}

/* Marks the reasons of the verdict. */
static void
mark(bool *given, const struct node_verdict *v)
{
	for (uint32_t i = 0; i < v->nreasons; i++)
		given[v->first_reason + i] = true;
}

static uint64_t
who_refused(const struct decision *d)
{
	AUTOFREE bool *given = NULL;
	uint64_t set = 0;

	if (d->error != NULL)
		return PLUGIN_BIT(plugin_of_reason(d->error));
	given = xcalloc(d->why.n + 1, sizeof(*given));
	for (uint32_t i = 0; i < d->ncells; i++)
		mark(given, &d->verdicts[i]);
	mark(given, &d->unknown);
	for (size_t i = 0; i < d->why.n; i++)
		if (given[i])
			set |= PLUGIN_BIT(plugin_of_reason(d->why.reasons[i]));
	return set;
}

static uint64_t
named_bit(struct plugins *p, const char *name)
{
	size_t i = 0;

	while (i < p->nnamed && strcmp(p->named[i], name) != 0)
		i++;
	if (i == LENGTH(p->named))
		return 0;
	if (i == p->nnamed)
		p->named[p->nnamed++] = xstrdup(name);
	return UINT64_C(1) << i;
}

static uint64_t
who_refused_it(struct plugins *p, const struct node_verdict *v)
{
	if (v->verdict == FITS || v->step == 0 ||
	    v->step > p->profile->npredicates)
		return 0;
	return named_bit(p, p->profile->predicates[v->step - 1].name);
}

/* The plugins of a profile. */
static uint64_t
named_refusers(struct plugins *p, const struct decision *d)
{
	uint64_t named = 0;

	if (d->rejected_by != NULL)
		return named_bit(p, d->rejected_by->name);
	for (uint32_t i = 0; i < d->ncells; i++)
		named |= who_refused_it(p, &d->verdicts[i]);
	return named | who_refused_it(p, &d->unknown);
}

/* Of the pod that was refused for them. */
static uint32_t
held_fields(const struct plugins *p, const struct pod *pod, uint64_t refusers)
{
	if (!(refusers & PLUGIN_BIT(PLUGIN_UNSUPPORTED_FIELDS)))
		return 0;
	return pod->class->unsupported & ~p->profile->ignored_fields;
}

static void
count_pod(const struct refusal *r, double change)
{
	struct plugins *p = r->by;

	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (r->plugins & PLUGIN_BIT(i))
			metrics_add(p->metrics, METRIC_UNSCHEDULABLE_PODS,
			    change, all_plugins[i]->name, p->name);
	for (size_t i = 0; i < p->nnamed; i++)
		if (r->named & UINT64_C(1) << i)
			metrics_add(p->metrics, METRIC_UNSCHEDULABLE_PODS,
			    change, p->named[i], p->name);
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++)
		if (r->fields & UNSUPPORTED_BIT(i))
			metrics_add(p->metrics, METRIC_UNSUPPORTED_PODS, change,
			    unsupported_fields[i].name);
}

void
plugins_enqueued(struct plugins *p, struct refusal *refusal, const char *plugin,
    enum verdict verdict, double seconds)
{
	/* kube-scheduler's names of the codes */
	static const char *const codes[] = { "Success", "Unschedulable",
		"UnschedulableAndUnresolvable", "Error" };

	if (seconds >= 0)
		metrics_observe(p->metrics, METRIC_PLUGIN_SECONDS, seconds,
		    plugin, extension_point_titles[POINT_PRE_ENQUEUE],
		    codes[verdict]);
	if (verdict == FITS)
		return;
	plugins_forget(refusal);
	*refusal = (struct refusal){ .by = p, .named = named_bit(p, plugin) };
	count_pod(refusal, 1);
}

/* Whether its reasons are those of a rule of which hints.h knows all. */
static bool
is_hinted(const struct plugins *p, uint32_t step)
{
	return step > 0 && step <= p->profile->npredicates &&
	    plugins_of(p->profile->predicates[step - 1].unit) != 0;
}

/* Extenders, errors and rules about the pod alone may look at anything. */
static uint64_t
hinted(const struct plugins *p, const struct decision *d, uint64_t refusers)
{
	uint32_t step = 0;

	/* a claim is missing, or not bound */
	if (d->error == NULL && d->rejected_by != NULL &&
	    refusers == PLUGIN_BIT(PLUGIN_VOLUME_BINDING))
		return refusers;
	if (d->error != NULL || d->rejected_by != NULL ||
	    d->unknown.verdict != FITS || refusers == 0)
		return PLUGINS_UNKNOWN;
	for (uint32_t i = 0; i < d->ncells; i++) {
		const struct node_verdict *v = &d->verdicts[i];

		if (v->verdict == FITS || v->step == step)
			continue;
		step = v->step;
		if (!is_hinted(p, step))
			return PLUGINS_UNKNOWN;
	}
	return refusers;
}

/*
 * The rules that may keep a pod from a node where it could evict others.  Where room was
 * missing they were not asked, as a node is refused by one rule, nor was room where a port
 * was in use: the pod waits for what may change their answer, too.
 */
static uint64_t
hidden(const struct cluster *cluster, const struct pod *pod,
    const struct decision *d)
{
	const struct pod_class *class = pod->class;
	uint64_t refusers = PLUGIN_BIT(PLUGIN_TAINT_TOLERATION) |
	    PLUGIN_BIT(PLUGIN_NODE_UNSCHEDULABLE) |
	    PLUGIN_BIT(PLUGIN_NODE_AFFINITY);

	if (d->error != NULL || class->never_preempts ||
	    cluster->npriorities == 0 ||
	    cluster->priorities[0].priority >= pod->priority)
		return 0;
	if (class->affinity.nrequired + class->anti_affinity.nrequired > 0)
		refusers |= PLUGIN_BIT(PLUGIN_INTER_POD_AFFINITY);
	if (class->nspread > 0)
		refusers |= PLUGIN_BIT(PLUGIN_POD_TOPOLOGY_SPREAD);
	if (class->nports > 0)
		refusers |= PLUGIN_BIT(PLUGIN_NODE_RESOURCES_FIT);
	if (class->nvolumes > 0)
		refusers |= PLUGIN_BIT(PLUGIN_VOLUME_BINDING) |
		    PLUGIN_BIT(PLUGIN_VOLUME_ZONE) |
		    PLUGIN_BIT(PLUGIN_VOLUME_RESTRICTIONS) |
		    PLUGIN_BIT(PLUGIN_NODE_VOLUME_LIMITS);
	if (class->nresource_claims + class->nextended > 0)
		refusers |= PLUGIN_BIT(PLUGIN_DYNAMIC_RESOURCES);
	return refusers;
}

uint64_t
plugins_refused(struct plugins *p, struct refusal *refusal,
    const struct cluster *cluster, const struct pod *pod,
    const struct decision *d)
{
	const uint64_t others = PLUGIN_BIT(PLUGIN_EXISTING_ANTI_AFFINITY);
	uint64_t refusers = who_refused(d), counted = refusers;

	if (refusers & others) /* one plugin */
		counted = (refusers & ~others) |
		    PLUGIN_BIT(PLUGIN_INTER_POD_AFFINITY);
	plugins_forget(refusal);
	*refusal =
	    (struct refusal){ .by = p, .fields = held_fields(p, pod, counted) };
	if (has_plugins(p->profile))
		refusal->named = named_refusers(p, d);
	else
		refusal->plugins = counted;
	count_pod(refusal, 1);
	return hinted(p, d, refusers) | hidden(cluster, pod, d);
}

void
plugins_forget(struct refusal *refusal)
{
	if (refusal->by != NULL)
		count_pod(refusal, -1);
	*refusal = (struct refusal){ 0 };
}
