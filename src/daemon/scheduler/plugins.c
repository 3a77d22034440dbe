#include "config.h"

#include "daemon/scheduler/plugins.h"

#include "daemon/scheduler/flight.h"
#include "cluster/cluster.h"
#include "decide/framework/allowed_nodes.h"
#include "decide/framework/plugin.h"
#include "decide/framework/profile.h"
#include "decide/framework/stopwatch.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "objects/steering.h"
#include "decide/sched/filter.h"

/* What counts as one plugin at PreFilter and Filter. */
struct counted {
	const char *name;
	size_t first, n; /* its predicates, among the profile's */
	bool always;     /* its PreFilter skips no pod */
	struct series *pre_filter, *filter; /* NULL: it is not enabled there */
};

struct plugins {
	struct metrics *metrics;
	char *name;
	const struct profile *profile;
	/* Those at PreFilter first, in the profile's order. */
	size_t ncounted, npre_filters;
	struct counted *counted;
	uint32_t *asked; /* by predicate: nodes of a decision */
	struct scored {
		struct series *pre_score, *score;
	} * scored; /* by priority */
	/* Those of profiles that have refused a pod, as these call them; others are not
	 * counted. */
	size_t nnamed;
	const char *named[64];
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
	free(p->counted);
	free(p->asked);
	free(p->scored);
	free(p->name);
	free(p);
}

/* ---- evaluations ---- */

/* Made with 0. */
static struct series *
evaluations(struct plugins *p, const char *plugin, enum extension_point at)
{
	return metrics_series(p->metrics, METRIC_PLUGIN_EVALUATIONS, plugin,
	    extension_point_titles[at], p->name);
}

/* Whether its predicates and priorities have the names of their plugins. */
static bool
has_plugins(const struct profile *profile)
{
	return profile->points[POINT_FILTER].plugins != NULL;
}

static const char *
plugin_of_priority(const struct profile *profile,
    const struct profile_priority *priority)
{
	const char *name = plugin_name(priority->unit->plugin);

	return has_plugins(profile) ? priority->name :
	    name != NULL            ? name :
				      priority->unit->name;
}

/* Of a policy: a predicate is that of a plugin, or of its own name. */
static void
add_unit(struct plugins *p, const struct predicate *unit, size_t first)
{
	const struct predicate *const *parts = unit->policy.parts;
	const char *name = plugin_name(unit->plugin);

	if (name == NULL)
		name = unit->name;
	for (size_t i = 0; parts != NULL && parts[i] != NULL; i++)
		add_unit(p, parts[i], first);
	if (parts == NULL)
		p->counted[p->ncounted++] = (struct counted){
			.name = name,
			.first = first,
			.n = 1,
			.pre_filter = evaluations(p, name, POINT_PRE_FILTER),
			.filter = evaluations(p, name, POINT_FILTER),
		};
}

static void
add_plugins(struct plugins *p, enum extension_point at)
{
	const struct profile_point *point = &p->profile->points[at];

	for (size_t i = 0; i < point->n; i++) {
		const char *name = point->plugins[i].name;
		struct series *series = evaluations(p, name, at);
		struct counted *c =
		    FIND_ROW(p->counted, p->ncounted, name, name);

		if (c == NULL) {
			c = &p->counted[p->ncounted++];
			*c = (struct counted){ .name = name,
				.always =
				    strcmp(name,
					plugin_node_resources_fit.name) == 0 };
		}
		if (at == POINT_FILTER)
			c->filter = series;
		else
			c->pre_filter = series;
	}
}

void
plugins_set_profile(struct plugins *p, const struct profile *profile)
{
	enum { PARTS_MAX = 8 };
	size_t n;

	p->profile = profile;
	p->ncounted = p->npre_filters = 0;
	if (profile == NULL)
		return;
	n = PARTS_MAX * profile->npredicates +
	    profile->points[POINT_PRE_FILTER].n +
	    profile->points[POINT_FILTER].n;
	p->counted = xrealloc(p->counted, n, sizeof(*p->counted));
	p->asked =
	    xrealloc(p->asked, profile->npredicates + 1, sizeof(*p->asked));
	p->scored =
	    xrealloc(p->scored, profile->npriorities + 1, sizeof(*p->scored));
	if (has_plugins(profile)) {
		add_plugins(p, POINT_PRE_FILTER);
		p->npre_filters = p->ncounted;
		add_plugins(p, POINT_FILTER);
		for (size_t i = 0; i < profile->npredicates; i++) {
			struct counted *c = FIND_ROW(p->counted, p->ncounted,
			    name, profile->predicates[i].name);

			if (c != NULL && c->n++ == 0)
				c->first = i;
		}
	} else {
		for (size_t i = 0; i < profile->npredicates; i++)
			add_unit(p, profile->predicates[i].unit, i);
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const char *name =
		    plugin_of_priority(profile, &profile->priorities[i]);

		p->scored[i] = (struct scored){
			.pre_score =
			    profile_has_plugin(profile, POINT_PRE_SCORE, name) ?
			    evaluations(p, name, POINT_PRE_SCORE) :
			    NULL,
			.score = evaluations(p, name, POINT_SCORE),
		};
	}
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

/* Whether its PreFilter says that none of its rules may refuse this pod. */
static bool
is_skipped(const struct plugins *p, const struct decision *d,
    const struct counted *c)
{
	const struct profile_predicate *rules = p->profile->predicates;

	if (!has_plugins(p->profile))
		return filter_can_skip(d->filter, c->first);
	if (c->pre_filter == NULL || c->always)
		return false;
	for (size_t i = c->first; i < c->first + c->n; i++)
		if (!filter_can_skip(d->filter, i) &&
		    !lacks(d->filter->cycle->class,
			aspects_read(rules[i].unit->reads)))
			return false;
	return true;
}

/* Each plugin that does not skip the pod, up to the one that rejects it. */
static void
count_pre_filter(struct plugins *p, const struct decision *d)
{
	const char *rejects =
	    d->rejected_by != NULL ? d->rejected_by->name : "";

	for (size_t i = 0; i < p->npre_filters; i++) {
		const struct counted *c = &p->counted[i];
		bool is_last = strcmp(c->name, rejects) == 0;

		if (is_last || !is_skipped(p, d, c))
			series_add(c->pre_filter, 1);
		if (is_last && d->verdicts[0].verdict == UNFIT_FOREVER)
			break;
	}
}

/* A node is asked about until a predicate refuses it; by none of a plugin whose
 * PreFilter says that it refuses no node. */
static void
count_filter(struct plugins *p, const struct decision *d)
{
	size_t n = p->profile->npredicates;
	uint32_t left = d->nominated ? 1 : d->nexamined, refused;

	memset(p->asked, 0, (n + 1) * sizeof(*p->asked));
	for (uint32_t i = 0; i < d->ncells && !d->nominated; i++)
		if (d->verdicts[i].verdict != FITS && d->verdicts[i].step <= n)
			p->asked[d->verdicts[i].step] += decision_size(d, i);
	for (size_t i = 0; i <= n; i++) {
		refused = i > 0 ? p->asked[i] : 0;
		left -= refused;
		p->asked[i] = left;
	}
	for (size_t i = 0; i < p->ncounted; i++) {
		const struct counted *c = &p->counted[i];

		if (c->filter == NULL || c->n == 0 || is_skipped(p, d, c))
			continue;
		if (!has_plugins(p->profile))
			series_add(c->pre_filter, 1);
		series_add(c->filter, p->asked[c->first]);
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
	if (d->nfeasible < 2 || d->nominated)
		return;
	for (size_t i = 0; i < p->profile->npriorities; i++) {
		const struct scored *scored = &p->scored[i];

		if (i < 64 && d->skipped >> i & 1)
			continue;
		if (scored->pre_score != NULL)
			series_add(scored->pre_score, 1);
		series_add(scored->score, d->nfeasible);
	}
}

/* ---- times ---- */

/* NULL: the unit is none of the profile's. */
static const char *
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

static uint64_t
plugins_of_reasons(const struct why *why, const struct node_verdict *v)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < v->nreasons; i++)
		set |= PLUGIN_BIT(why->plugins[v->first_reason + i]);
	return set;
}

static uint64_t
plugins_of_decision(const struct plugins *p, const struct decision *d)
{
	uint64_t set = plugins_of_reasons(&d->why, &d->unknown);

	for (uint32_t i = 0; i < d->ncells; i++) {
		const struct node_verdict *v = &d->verdicts[i];

		if (d->error == NULL)
			set |= plugins_of_reasons(&d->why, v);
		else if (v->verdict == BROKEN && v->step > 0 &&
		    v->step <= p->profile->npredicates)
			set |= PLUGIN_BIT(
			    p->profile->predicates[v->step - 1].unit->plugin);
	}
	return d->error != NULL && set == 0 ? PLUGIN_BIT(PLUGIN_OTHER) : set;
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
		p->named[p->nnamed++] = name;
	return UINT64_C(1) << i;
}

static uint64_t
plugin_of_verdict(struct plugins *p, const struct node_verdict *v)
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
		named |= plugin_of_verdict(p, &d->verdicts[i]);
	return named | plugin_of_verdict(p, &d->unknown);
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

/* Extenders, errors and rules that do not say what wakes their pods may look at
 * anything. */
static uint64_t
hinted(const struct decision *d, uint64_t refusers)
{
	bool known = d->error == NULL && d->unknown.verdict == FITS;

	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (refusers & PLUGIN_BIT(i))
			known &= all_plugins[i]->wakes != NULL;
	return known && refusers != 0 ? refusers : PLUGINS_UNKNOWN;
}

static unsigned
kind_of(const struct pod_class *class)
{
	bool terms =
	    class->affinity.nrequired + class->anti_affinity.nrequired > 0;

	return PODS_ALL | (terms ? PODS_WITH_TERMS : 0) |
	    (class->nspread > 0 ? PODS_WITH_SPREAD : 0) |
	    (class->nports > 0 ? PODS_WITH_PORTS : 0) |
	    (class->nvolumes > 0 ? PODS_WITH_VOLUMES : 0) |
	    (class->nresource_claims + class->nextended > 0 ?
		    PODS_WITH_DEVICES :
		    0);
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
	unsigned pods = kind_of(pod->class);
	uint64_t refusers = 0;

	if (d->error != NULL || pod->never_preempts ||
	    cluster->npriorities == 0 ||
	    cluster->priorities[0].priority >= pod->priority)
		return 0;
	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (all_plugins[i]->hidden_from & pods)
			refusers |= PLUGIN_BIT(i);
	return refusers;
}

uint64_t
plugins_refused(struct plugins *p, struct refusal *refusal,
    const struct cluster *cluster, const struct pod *pod,
    const struct decision *d)
{
	const uint64_t others = PLUGIN_BIT(PLUGIN_EXISTING_ANTI_AFFINITY);
	uint64_t refusers = plugins_of_decision(p, d), counted = refusers;

	if (refusers & others) /* one plugin */
		counted = (refusers & ~others) |
		    PLUGIN_BIT(PLUGIN_INTER_POD_AFFINITY);
	plugins_forget(refusal);
	*refusal = (struct refusal){ .by = p };
	if (counted & PLUGIN_BIT(PLUGIN_UNSUPPORTED_FIELDS))
		refusal->fields =
		    pod->class->unsupported & ~p->profile->ignored_fields;
	if (has_plugins(p->profile))
		refusal->named = named_refusers(p, d);
	else
		refusal->plugins = counted;
	count_pod(refusal, 1);
	return hinted(d, refusers) | hidden(cluster, pod, d);
}

void
plugins_forget(struct refusal *refusal)
{
	if (refusal->by != NULL)
		count_pod(refusal, -1);
	*refusal = (struct refusal){ 0 };
}
