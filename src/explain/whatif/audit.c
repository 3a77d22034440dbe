#include "config.h"

#include "explain/whatif/audit.h"

#include "base/map.h"
#include "base/sorted.h"
#include "explain/miss.h"
#include "decide/sched/filter.h"
#include "explain/whatif/whatif.h"

static bool
is_on_node(const struct whatif *w, const struct pod *pod)
{
	const struct node_info *node;

	if (pod->node == SYM_EMPTY || pod_has_ended(pod) ||
	    pod->object.partial != PARTIAL_NONE)
		return false;
	node = cluster_node(w->cluster, pod->node);
	return node != NULL && node->node != NULL;
}

/* ---- pods on nodes that they do not fit ---- */

/* Of the first 64, which is more than there are. */
static uint64_t
broken_rules(struct cycle *cycle, const struct node_info *node)
{
	const struct profile *profile = cycle->profile;
	uint64_t broken = 0;

	for (size_t i = 0; i < profile->npredicates && i < 64; i++) {
		const struct profile_predicate *rule = &profile->predicates[i];
		const void *prep;

		cycle->plugin = rule->name;
		if (rule_prepare(cycle, rule, &prep) &&
		    rule->unit->check(cycle, node, prep, NULL) != FITS)
			broken |= UINT64_C(1) << i;
	}
	return broken;
}

/* The pod has been lifted off the node. */
static void
check_pod(struct audit *a, struct whatif *w, const struct pod *pod,
    const struct pod *lifted)
{
	const struct node_info *node = cluster_node(w->cluster, pod->node);
	struct why why = { .arena = &w->arena };
	struct filter *filter;
	struct audit_pod *p;

	if (!whatif_begin(w, lifted, 0))
		return;
	w->cycle.ecache = NULL;
	filter = filter_new(&w->cycle);
	if (filter_node(filter, node, true, &why) == FITS)
		return;
	arena_room(&a->arena, a->pods, a->npods, &a->pods_cap);
	p = &a->pods[a->npods++];
	*p = (struct audit_pod){ .pod = pod };
	if (filter->refused_at > 0)
		p->rule =
		    w->cycle.profile->predicates[filter->refused_at - 1].name;
	p->broken = broken_rules(&w->cycle, node);
	p->nreasons = why.n;
	p->reasons =
	    whatif_reasons(&a->arena, &why, 0, (uint32_t)why.n, node->name);
}

static void
check_pods(struct audit *a, struct whatif *w, size_t n,
    const struct pod *const *pods)
{
	for (size_t i = 0; i < n; i++) {
		struct pod *lifted;

		if (!is_on_node(w, pods[i]))
			continue;
		a->nchecked++;
		lifted = whatif_lift(w, pods[i]);
		check_pod(a, w, pods[i], lifted);
		cluster_put(w->cluster, (struct object *)&pods[i]->object);
		pod_unref(lifted);
	}
	SORT(a->pods, a->npods, whatif_compare_names);
}

/* Pods stay on a node that is cordoned: as if no node were. */
static void
check_placed(struct audit *a, struct whatif *w, size_t n,
    const struct pod *const *pods)
{
	struct cluster *cluster = w->cluster;
	struct object **cordoned =
	    arena_array(&a->arena, struct object *, cluster->nnodes + 1);

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node *node = cluster->nodes[i]->node;
		struct node *open;

		if (node == NULL || !node->unschedulable)
			continue;
		a->nstaying += cluster->nodes[i]->npods;
		cordoned[a->ncordoned++] =
		    object_ref((struct object *)&node->object);
		open = object_copy(&node->object, sizeof(*node));
		node_uncordon(&open->object.arena, open);
		cluster_put(cluster, &open->object);
		object_unref(&open->object);
	}
	check_pods(a, w, n, pods);
	for (size_t i = 0; i < a->ncordoned; i++) {
		cluster_put(cluster, cordoned[i]);
		object_unref(cordoned[i]);
	}
}

/* ---- nodes ---- */

static void
compare_amounts(struct audit *a, const struct node_info *node,
    const char *resource, int64_t requested, int64_t allocatable)
{
	if (requested <= allocatable)
		return;
	arena_room(&a->arena, a->nodes, a->nnodes, &a->nodes_cap);
	a->nodes[a->nnodes++] =
	    (struct audit_node){ node, resource, requested, allocatable };
}

static int
compare_nodes(const void *x, const void *y)
{
	const struct audit_node *a = x, *b = y;
	int order = sym_cmp(a->node->name, b->node->name);

	return order != 0 ? order : strcmp(a->resource, b->resource);
}

static void
check_nodes(struct audit *a, const struct whatif *w)
{
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];
		const struct resources *used = &node->requested;
		const struct resources *has = &node->node->allocatable;
		const char *name;

		compare_amounts(a, node, "pods", node->npods, has->pods);
		for (uint32_t j = 0; (name = resources_name(used, j)) != NULL;
		     j++)
			compare_amounts(a, node, name,
			    resources_get(used, name),
			    resources_get(has, name));
	}
	SORT(a->nodes, a->nnodes, compare_nodes);
}

/* ---- budgets ---- */

static void
check_budgets(struct audit *a, struct whatif_budgets *all,
    const struct whatif *w, const struct pod *pod)
{
	struct whatif_budget *b;
	size_t n = 0, at = 0;

	while ((b = whatif_next_budget(all, &a->arena, w->cluster, pod, &at)) !=
	    NULL) {
		n++;
		if (b->npods++ > 0 || b->allowed > 0)
			continue;
		arena_room(&a->arena, a->budgets, a->nbudgets, &a->budgets_cap);
		a->budgets[a->nbudgets++] = b;
	}
	if (n < 2)
		return;
	arena_room(&a->arena, a->several, a->nseveral, &a->several_cap);
	a->several[a->nseveral++] = pod;
}

/* ---- rules ---- */

/* By rule of one profile: whether it has made a difference. */
struct differences {
	bool *predicates, *priorities;
	size_t left; /* priorities that have not */
	bool asked;  /* a pod of the profile was tried */
};

static void
try_predicates(struct whatif *w, struct differences *d)
{
	const struct profile *profile = w->cycle.profile;

	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *rule = &profile->predicates[i];
		const void *prep;

		/* the same for all pods: one is enough */
		if (d->predicates[i] ||
		    (d->asked && (rule->unit->reads & READS_NODE) &&
			aspects_read(rule->unit->reads) == ASPECT_NOTHING))
			continue;
		w->cycle.plugin = rule->name;
		d->predicates[i] = rule_prepare(&w->cycle, rule, &prep) &&
		    ANY(k, w->cluster->nnodes,
			rule->unit->check(&w->cycle, w->cluster->nodes[k], prep,
			    NULL) != FITS);
	}
	w->cycle.plugin = NULL;
}

static void
try_priorities(struct whatif *w, struct differences *d)
{
	const struct profile *profile = w->cycle.profile;
	struct decision *decision;

	w->cycle.keep_scores = true;
	decision = decide(&w->cycle);
	for (size_t i = 0; decision->scores != NULL && i < profile->npriorities;
	     i++) {
		const int64_t *scores = decision->scores[i];

		for (uint32_t j = 1; scores != NULL && !d->priorities[i] &&
		     j < decision->nfitting;
		     j++)
			d->priorities[i] = scores[j] != scores[0];
	}
	d->left = 0;
	for (size_t i = 0; i < profile->npriorities; i++)
		d->left += !d->priorities[i];
}

static void
try_rules(struct whatif *w, struct differences *all, const struct pod *pod)
{
	struct pod *waiting = pod_replica(pod, 0);

	if (whatif_begin(w, waiting, 0)) {
		struct differences *d =
		    &all[whatif_place_of(w, w->cycle.profile)];

		w->cycle.ecache = NULL;
		try_predicates(w, d);
		w->cycle.nerrors = 0;
		if (d->left > 0)
			try_priorities(w, d);
		d->asked = true;
	}
	pod_unref(waiting);
}

static void
add_rule(struct audit *a, const struct profile *profile, const char *name,
    bool is_priority)
{
	arena_room(&a->arena, a->rules, a->nrules, &a->rules_cap);
	a->rules[a->nrules++] =
	    (struct audit_rule){ profile, name, is_priority };
}

static void
list_rules(struct audit *a, const struct profile *profile,
    const struct differences *d)
{
	for (size_t i = 0; i < profile->npredicates; i++)
		if (!d->predicates[i] && !profile->predicates[i].later)
			add_rule(a, profile, profile->predicates[i].name,
			    false);
	for (size_t i = 0; i < profile->npriorities; i++)
		if (!d->priorities[i])
			add_rule(a, profile, profile->priorities[i].name, true);
}

static void
check_rules(struct audit *a, struct whatif *w, size_t n,
    struct pod *const *pods)
{
	struct differences *all =
	    arena_array(&a->arena, struct differences, w->profiles->n);
	struct map seen = { 0 };

	for (size_t i = 0; i < w->profiles->n; i++) {
		const struct profile *profile = w->profiles->at[i];

		all[i].predicates =
		    arena_array(&a->arena, bool, profile->npredicates);
		all[i].priorities =
		    arena_array(&a->arena, bool, profile->npriorities);
		all[i].left = profile->npriorities;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = (uintptr_t)pods[i]->class;

		if (pods[i]->object.partial != PARTIAL_NONE ||
		    map_put(&seen, key, pods[i]) != NULL)
			continue;
		a->nclasses++;
		try_rules(w, all, pods[i]);
	}
	map_fini(&seen);
	for (size_t i = 0; i < w->profiles->n; i++)
		if (all[i].asked)
			list_rules(a, w->profiles->at[i], &all[i]);
}

void
audit_placement(struct audit *a, struct whatif *w)
{
	struct cluster *cluster = w->cluster;
	const struct pod **pods;
	size_t n = 0, room = 0;

	memset(a, 0, sizeof(*a));
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		room += cluster->nodes[i]->npods;
	pods = arena_array(&a->arena, const struct pod *, room);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		for (uint32_t k = 0; k < cluster->nodes[i]->npods; k++)
			pods[n++] =
			    pod_ref((struct pod *)cluster->nodes[i]->pods[k]);
	check_pods(a, w, n, pods);
	check_nodes(a, w);
	a->nheld = n;
	a->held = pods;
}

void
audit_find(struct audit *a, struct whatif *w, size_t n, struct pod *const *pods)
{
	struct whatif_budgets all = { 0 };

	memset(a, 0, sizeof(*a));
	for (size_t i = 0; i < n; i++)
		if (is_on_node(w, pods[i]))
			check_budgets(a, &all, w, pods[i]);
	check_placed(a, w, n, (const struct pod *const *)pods);
	check_nodes(a, w);
	check_rules(a, w, n, pods);
}

void
audit_fini(struct audit *a)
{
	for (size_t i = 0; i < a->nheld; i++)
		pod_unref((struct pod *)a->held[i]);
	arena_fini(&a->arena);
}
