/*
 * CheckServiceAffinity: pods of one service stay together, on nodes with equal
 * values of the policy's labels.
 *
 * The labels that a node must have:
 *  - each of the policy's labels that the pod's own spec.nodeSelector gives a
 *    value;
 *  - the other labels as on the node of an existing pod, if a service selects
 *    the pod; a label which that node lacks is not required.
 *
 * The existing pod has the pod's namespace and at least all
 * labels of the pod (the service's selector does not matter).  The first one is
 * free to go anywhere.  kube-scheduler takes any of them; we take one whose
 * node has the most of the labels, the oldest of those, so that the answer does
 * not change from time to time.  If its node is unknown the attempt fails.  A
 * pair that is no valid label makes the rule accept every node, as there.
 *
 * In profiles of release 20 pods on unknown nodes do not count, and such a pair is
 * a pair like any other.
 *
 * Same rule as kube-scheduler 1.15, checkServiceAffinity (serviceAffinity), and
 * ServiceAffinity of 1.20.
 */
#include "config.h"

#include "cluster/index.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_ELSEWHERE "node(s) didn't match service affinity"

/* The pod to follow, and how good a leader it is. */
struct leader {
	const struct pod *pod;   /* NULL: none */
	const struct node *node; /* NULL: it has no Node object */
	size_t nlabels;          /* of the missing ones, on its node */
};

struct affinity {
	struct label *pairs;      /* required of a node: nfixed from the pod, */
	uint32_t nfixed, n;       /* the rest from the leader's node */
	struct selector selector; /* of these pairs */

	/* The policy's labels that the pod gives no value. */
	size_t nmissing;
	sym *missing;

	/* The following members count only if a service selects the pod. */
	bool follows;
	struct selector own; /* the pod's labels */
	struct leader leader;
	/* Changes made by a simulation. */
	const struct pod **added, **removed;
	size_t nadded, nremoved, added_cap, removed_cap;
};

static bool
is_plugin(const struct cycle *cycle)
{
	return cycle->profile->release >= 20;
}

static struct selector
selector_of(struct cycle *cycle, const struct labels *pairs)
{
	return is_plugin(cycle) ? selector_from_valid_set(cycle->arena, pairs) :
				  selector_from_set(cycle->arena, pairs);
}

static bool
is_selected(const struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	const struct namespace_info *ns =
	    cluster_namespace(cycle->cluster, class->namespace);

	for (size_t i = 0; ns != NULL && i < ns->lists[SELECTING_SERVICES].n;
	     i++) {
		const struct workload *service =
		    workload_at(ns, SELECTING_SERVICES, i);

		if (service->has_selector &&
		    selector_matches(&service->selector, &class->labels))
			return true;
	}
	return false;
}

static bool
can_lead(const struct cycle *cycle, const struct affinity *a,
    const struct pod_class *class)
{
	return class->namespace == cycle->class->namespace &&
	    selector_matches(&a->own, &class->labels);
}

static struct leader
candidate(const struct affinity *a, const struct pod *pod,
    const struct node_info *info)
{
	struct leader c = { .pod = pod };

	if (info == NULL || info->node == NULL)
		return c;
	c.node = info->node;
	for (size_t i = 0; i < a->nmissing; i++)
		c.nlabels +=
		    labels_get(&c.node->labels, a->missing[i]) != SYM_NONE;
	return c;
}

/* Nominated pods, which are nowhere yet, come last, before them those whose
 * node is unknown. */
static int
standing(const struct leader *l)
{
	return l->pod->node == SYM_EMPTY ? 0 : l->node == NULL ? 1 : 2;
}

static int
compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_age(const struct pod *a, const struct pod *b)
{
	int order = compare(a->object.created, b->object.created);

	if (order == 0)
		order = compare(b->has_start_time, a->has_start_time);
	if (order == 0)
		order = compare(a->start_seconds, b->start_seconds);
	if (order == 0)
		order = compare(a->start_nanoseconds, b->start_nanoseconds);
	return order != 0 ? order : strcmp(a->object.name, b->object.name);
}

static bool
leads_better(const struct leader *a, const struct leader *b)
{
	int x = standing(a), y = b->pod != NULL ? standing(b) : -1;

	if (x != y)
		return x > y;
	if (a->nlabels != b->nlabels)
		return a->nlabels > b->nlabels;
	return by_age(a->pod, b->pod) < 0;
}

static void
follow(struct cycle *cycle, struct affinity *a, const struct leader *leader)
{
	struct labels pairs = { .at = a->pairs };

	a->leader = *leader;
	a->n = a->nfixed;
	for (size_t i = 0; leader->node != NULL && i < a->nmissing; i++) {
		sym value = labels_get(&leader->node->labels, a->missing[i]);

		if (value != SYM_NONE)
			a->pairs[a->n++] =
			    (struct label){ a->missing[i], value };
	}
	pairs.n = a->n;
	a->selector = selector_of(cycle, &pairs);
}

static void
find_leader(struct cycle *cycle, struct affinity *a)
{
	const struct cluster *cluster = cycle->cluster;
	struct leader best = { 0 }, c;
	struct class_info **infos;
	size_t n;

	infos = classes_in(cluster, cycle->class->namespace, &n);
	for (size_t i = 0; i < n; i++) {
		const struct class_info *info = infos[i];

		if (!can_lead(cycle, a, info->class))
			continue;
		for (uint32_t j = 0; j < info->npods; j++) {
			c = candidate(a, info->pods[j], info->nodes[j]);
			if (is_plugin(cycle) && c.node == NULL)
				continue;
			if (leads_better(&c, &best) &&
			    !ANY(k, a->nremoved, a->removed[k] == c.pod))
				best = c;
		}
	}
	for (size_t i = 0; i < a->nadded; i++) {
		c = candidate(a, a->added[i],
		    cluster_node(cluster, a->added[i]->node));
		if (leads_better(&c, &best))
			best = c;
	}
	follow(cycle, a, &best);
}

/* Separates the policy's labels that the pod sets from the rest. */
static void
split_labels(struct affinity *a, const struct service_affinity_args *args,
    const struct labels *wanted)
{
	for (size_t i = 0; i < args->n; i++) {
		sym value = labels_get(wanted, args->labels[i]);
		size_t j;

		for (j = 0; j < i; j++)
			if (args->labels[j] == args->labels[i])
				break;
		if (j < i)
			continue;
		if (value == SYM_NONE)
			a->missing[a->nmissing++] = args->labels[i];
		else
			a->pairs[a->nfixed++] =
			    (struct label){ args->labels[i], value };
	}
}

static const void *
prepare(struct cycle *cycle, const void *args_)
{
	const struct service_affinity_args *args = args_;
	struct affinity *a;

	if (args == NULL || args->n == 0)
		return NULL;
	a = arena_zalloc(cycle->arena, sizeof(*a));
	a->pairs = arena_array(cycle->arena, struct label, args->n);
	a->missing = arena_array(cycle->arena, sym, args->n);
	split_labels(a, args, &cycle->class->node_selector);
	a->follows = a->nmissing > 0 && is_selected(cycle);
	if (!a->follows) {
		follow(cycle, a, &(struct leader){ 0 });
		return a->nfixed > 0 ? a : NULL;
	}
	a->own = selector_of(cycle, &cycle->class->labels);
	find_leader(cycle, a);
	if (a->leader.pod == NULL && a->nfixed == 0 &&
	    cycle->cluster->nnominated == 0)
		return NULL;
	return a;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct affinity *a = prep;

	if (a->leader.pod != NULL && a->leader.node == NULL) {
		if (is_plugin(cycle))
			cycle_fail(cycle, "node not found");
		else
			cycle_fail(cycle, "node \"%s\" not found",
			    sym_text(a->leader.pod->node));
		return BROKEN;
	}
	if (selector_matches(&a->selector, &node->node->labels))
		return FITS;
	return refuse(why, UNFIT, WHY_ELSEWHERE);
}

/* Takes the pod off the list, if it is there. */
static bool
remove_from_list(const struct pod **pods, size_t *n, const struct pod *pod)
{
	for (size_t i = 0; i < *n; i++)
		if (pods[i] == pod) {
			pods[i] = pods[--*n];
			return true;
		}
	return false;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct affinity *a = prep;

	for (uint32_t i = 0; i < a->n; i++) {
		const struct label *pair = &a->pairs[i];
		sym has = labels_get(&node->node->labels, pair->key);
		const char *text;

		if (has == pair->value)
			continue;
		text = arena_printf(cycle->arena, "label %s is %s, not %s",
		    sym_text(pair->key),
		    has != SYM_NONE ? sym_text(has) : "missing",
		    sym_text(pair->value));
		return i < a->nfixed ?
		    text :
		    arena_printf(cycle->arena, "%s as on the node of %s", text,
			pod_full_name(a->leader.pod));
	}
	return NULL;
}

static void
update(struct cycle *cycle, void *prep, const struct node_info *node,
    const struct pod *pod, int sign)
{
	struct affinity *a = prep;
	struct leader c;

	if (!a->follows || !can_lead(cycle, a, pod->class))
		return;
	if (sign > 0) {
		if (!remove_from_list(a->removed, &a->nremoved, pod)) {
			arena_room(cycle->arena, a->added, a->nadded,
			    &a->added_cap);
			a->added[a->nadded++] = pod;
		}
		c = candidate(a, pod, pod->node != SYM_EMPTY ? node : NULL);
		if (leads_better(&c, &a->leader))
			follow(cycle, a, &c);
	} else {
		if (!remove_from_list(a->added, &a->nadded, pod)) {
			arena_room(cycle->arena, a->removed, a->nremoved,
			    &a->removed_cap);
			a->removed[a->nremoved++] = pod;
		}
		if (a->leader.pod == pod)
			find_leader(cycle, a);
	}
}

static enum needs
needs_by(const void *args)
{
	const struct service_affinity_args *a = args;

	return a != NULL && a->n > 0 ? NEEDS_NO_OBJECT : NEEDS_ARGUMENT_LABELS;
}

const struct predicate predicate_check_service_affinity = {
	.name = "CheckServiceAffinity",
	.policy = { .in = IN_MANUAL,
	    .other = "checkServiceAffinity",
	    .argument = "\"serviceAffinity\": {\"labels\": [\"…\"]}" },
	.convert = { .gone =
			 "there is no plugin ServiceAffinity; give pods a pod "
			 "affinity" },
	.reads = READS_CLUSTER,
	.plugin = PLUGIN_SERVICE_AFFINITY,
	.prepare = prepare,
	.check = check,
	.update = update,
	.miss = miss,
	.needs_by = needs_by,
};

static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change->is != NULL || change->left != NULL ||
	    (change->kind != OBJECT_NODE && change->kind != OBJECT_POD &&
		!change_is_of_devices(change));
}

static const void *
filter_args(struct arena *arena, const void *args, size_t i)
{
	const struct service_affinity_plugin_args *from = args;
	const struct service_affinity_args to = { from->nlabels, from->labels };

	return arena_memdup(arena, &to, sizeof(to));
}

const struct plugin plugin_service_affinity = {
	.name = "ServiceAffinity",
	.points = { AT_POINT(PRE_FILTER) | AT_POINT(FILTER) | AT_POINT(SCORE),
	    0 },
	.filters = { &predicate_check_service_affinity },
	.score = &priority_service_affinity,
	.weight = { 1, 0 },
	.no_pre_filter = "error reading \"PreFilterServiceAffinity\" "
			 "from cycleState: not found",
	.wakes = wakes,
	.filter_args = filter_args,
};
