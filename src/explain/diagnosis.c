/*
 * Finds the obstacles on every node and chooses the one to name.
 *
 * Rules are independent of each other and each reads one demand of the pod: so a
 * node refuses a demand if it refuses the pod that has only this demand.
 */
#include "config.h"

#include "explain/diagnosis.h"

#include <ctype.h>

#include "base/sorted.h"
#include "decide/framework/profile.h"
#include "decide/framework/terms.h"
#include "explain/diagnosis_internal.h"
#include "decide/sched/filter.h"
#include "decide/sched/pre_enqueue.h"

/* ---- deciding again ---- */

static const struct resources nothing;

static const struct toleration every_taint = {
	.key = SYM_EMPTY,
	.value = SYM_EMPTY,
	.op = TOLERATION_EXISTS,
	.effect = EFFECT_ANY,
	.effect_text = SYM_EMPTY,
};

static const struct pod_class no_demands = {
	.ntolerations = 1,
	.tolerations = &every_taint,
	.from_27 = { .pending = &nothing },
	.from_32 = { .pending = &nothing },
};

void
class_take(struct pod_class *c, const struct pod_class *from, unsigned demands)
{
	if (demands & BIT(VOLUMES)) {
		c->nvolumes = from->nvolumes;
		c->nresource_claims = from->nresource_claims;
	}
	if (demands & BIT(SELECTOR)) {
		c->node_selector = from->node_selector;
		c->has_required_node_affinity =
		    from->has_required_node_affinity;
		c->required_node_affinity = from->required_node_affinity;
	}
	if (demands & BIT(AFFINITY)) {
		c->affinity.nrequired = from->affinity.nrequired;
		c->affinity.required = from->affinity.required;
	}
	if (demands & BIT(ANTI_AFFINITY))
		c->anti_affinity.nrequired = from->anti_affinity.nrequired;
	if (demands & BIT(LABELS))
		c->labels = from->labels;
	if (demands & BIT(SPREAD)) {
		c->nspread = from->nspread;
		c->spread = from->spread;
	}
	if (demands & BIT(PORTS)) {
		c->nports = from->nports;
		c->napp_ports = from->napp_ports;
	}
	if (demands & BIT(TOLERATIONS)) {
		c->ntolerations = from->ntolerations;
		c->tolerations = from->tolerations;
	}
	if (demands & BIT(REQUESTS)) {
		c->requested = from->requested;
		c->full = from->full;
		c->from_27.pending = from->from_27.pending;
		c->from_32.pending = from->from_32.pending;
	}
	if (demands & BIT(CONFINES)) {
		c->confines = from->confines;
		c->plain = from->plain;
	}
}

struct pod_class *
class_without(struct arena *arena, const struct pod_class *class, unsigned left)
{
	struct pod_class *c = arena_memdup(arena, class, sizeof(*class));

	class_take(c, &no_demands, left);
	return c;
}

const struct pod_class *
diagnosis_without_demands(struct arena *arena, const struct pod_class *class)
{
	return class_without(arena, class, EVERY_DEMAND);
}

/* One more decision, and its memory and arguments. */
struct again {
	struct arena arena;
	struct pod pod;
	struct cycle cycle;
};

static struct decision *
decide_again(struct again *again, const struct inquiry *q,
    const struct pod *pod, const struct pod_class *class)
{
	*again = (struct again){ .arena = ARENA_INIT, .pod = *pod };
	again->pod.class = class;
	again->pod.node = again->pod.nominated = SYM_EMPTY;
	if (pod == q->cycle->pod)
		again->pod.priority = q->priority;
	again->cycle = (struct cycle){
		.cluster = q->cycle->cluster,
		.profile = q->cycle->profile,
		.pod = &again->pod,
		.class = class,
		.arena = &again->arena,
		.seed = q->cycle->seed,
		.extension = q->cycle->extension,
		.cancellation = q->cycle->cancellation,
	};
	return decide(&again->cycle);
}

uint32_t
fits_with(const struct inquiry *q, const struct pod_class *class)
{
	struct again again;
	struct decision *d = decide_again(&again, q, q->cycle->pod, class);
	uint32_t n = d->error == NULL && d->chosen != NULL ? d->nfeasible : 0;

	arena_fini(&again.arena);
	return n;
}

/* Adds the bit to the obstacles of all nodes that a pod of this class does not
 * fit on. */
static void
mark(struct inquiry *q, const struct pod_class *class, unsigned bit)
{
	struct again again;
	struct decision *d = decide_again(&again, q, q->cycle->pod, class);

	for (uint32_t i = 0; i < q->n; i++)
		if (d->error != NULL || decision_verdict(d, i)->verdict != FITS)
			q->obstacles[i] |= bit;
	arena_fini(&again.arena);
}

/* The same; a node that only nominated pods close gets their bit instead. */
static void
mark_with_nominated(struct inquiry *q, const struct pod_class *class,
    unsigned bit)
{
	unsigned *all = q->obstacles;
	const uint32_t n = q->n;

	q->priority = INT32_MAX;
	mark(q, class, bit);
	q->priority = q->cycle->pod->priority;
	if (q->cycle->cluster->nnominated == 0)
		return;
	q->obstacles = arena_array(q->arena, unsigned, n);
	mark(q, class, BIT(NOMINATED));
	for (uint32_t i = 0; i < n; i++)
		if (!(all[i] & bit))
			all[i] |= q->obstacles[i];
	q->obstacles = all;
}

static void
remove_from_copy(struct filter *filter, const struct node_info *node,
    struct node_info *copy, const struct pod *pod)
{
	struct cycle *cycle = filter->cycle;
	const struct node_info *from = cluster_node(cycle->cluster, pod->node);

	if (from == NULL)
		return;
	if (from->index == node->index) {
		node_info_remove(cycle->arena, copy,
		    cycle->cluster->kubernetes_minor, pod);
		from = copy;
	}
	filter_update(filter, from, pod, -1);
}

bool
fits_changed(const struct inquiry *q, const struct pod_class *class,
    const struct node_info *node, const struct node *as, size_t n,
    const struct pod *const *pods)
{
	struct again again;
	struct decision *d = decide_again(&again, q, q->cycle->pod, class);
	struct node_info *copy;
	bool fits = false;

	if (d->error == NULL && d->rejected_by == NULL) {
		copy = node_info_copy(&again.arena, node);
		copy->node = as;
		again.cycle.simulating = true;
		for (size_t i = 0; i < n; i++)
			remove_from_copy(d->filter, node, copy, pods[i]);
		fits = filter_node(d->filter, copy, false, NULL) == FITS;
	}
	arena_fini(&again.arena);
	return fits;
}

#define REASONS_COUNTED 16

struct reason {
	const char *text;
	uint32_t n;
};

/* One more node gives the reason; the rare ones behind many others are not counted. */
static void
count_reason(struct arena *arena, struct reason *reasons, const char *text)
{
	size_t i = 0;

	while (i < REASONS_COUNTED && reasons[i].n > 0 &&
	    strcmp(reasons[i].text, text) != 0)
		i++;
	if (i == REASONS_COUNTED)
		return;
	if (reasons[i].n++ == 0)
		reasons[i].text = arena_printf(arena, "%s", text);
}

const struct node_info *
new_place(const struct inquiry *q, const struct way *way, const struct pod *pod,
    const char **why)
{
	const struct node_info *from =
	    cluster_node(q->cycle->cluster, pod->node);
	const struct node_info *place = NULL;
	struct reason counted[REASONS_COUNTED] = { { NULL, 0 } };
	struct again again;
	struct decision *d = decide_again(&again, q, pod, pod->class);
	const struct reason *best;

	again.cycle.simulating = true;
	if (d->error != NULL)
		count_reason(q->arena, counted, d->error);
	else if (d->rejected_by == NULL)
		remove_from_copy(d->filter, from,
		    node_info_copy(&again.arena, from), pod);
	for (uint32_t i = 0; d->error == NULL && i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		struct why reasons = { .arena = &again.arena };

		if (place != NULL ||
		    is_separated_by_affinity(q, way->node, pod, node))
			continue;
		if (d->rejected_by == NULL &&
		    filter_node(d->filter, node, false, &reasons) == FITS)
			place = node;
		else if (reasons.n > 0)
			count_reason(q->arena, counted,
			    why_text(&again.arena, reasons.reasons[0],
				sym_text(node->name)));
	}
	best = counted;
	for (size_t i = 1; i < REASONS_COUNTED; i++)
		if (counted[i].n > best->n)
			best = &counted[i];
	*why = best->text;
	arena_fini(&again.arena);
	return place;
}

/* ---- the obstacles ---- */

/* Whether a pod on a node has anti-affinity to a pod of this class. */
static bool
is_avoided(const struct inquiry *q, const struct pod_class *class)
{
	EACH_POD (q, there, pod)
		for (uint32_t i = 0; i < pod->class->anti_affinity.nrequired;
		     i++)
			if (term_matches(q->cycle,
				&pod->class->anti_affinity.required[i], class))
				return true;
	return false;
}

/* The demands that the pod has at all. */
static unsigned
demands_of(const struct inquiry *q)
{
	const struct pod_class *c = q->cycle->class;

	return BIT(TOLERATIONS) | BIT(REQUESTS) |
	    (c->nvolumes + c->nresource_claims > 0 ? BIT(VOLUMES) : 0) |
	    (c->node_selector.n > 0 || c->has_required_node_affinity ?
		    BIT(SELECTOR) :
		    0) |
	    (c->affinity.nrequired > 0 ? BIT(AFFINITY) : 0) |
	    (c->anti_affinity.nrequired > 0 ? BIT(ANTI_AFFINITY) : 0) |
	    (c->nspread > 0 ? BIT(SPREAD) : 0) |
	    (c->nports > 0 ? BIT(PORTS) : 0) |
	    (c->confines != NULL ? BIT(CONFINES) : 0) |
	    (is_avoided(q, c) ? BIT(LABELS) : 0);
}

static void
find_obstacles(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const struct pod_class *bare =
	    class_without(q->arena, class, EVERY_DEMAND);
	unsigned all = demands_of(q);
	/* by terms that match pods without labels */
	bool avoided = (all & BIT(LABELS)) && is_avoided(q, bare);

	mark_with_nominated(q, bare, BIT(OTHER));
	for (unsigned i = 0; i < DEMAND_OTHER; i++) {
		/* the pod's own terms may match its labels */
		const unsigned labels =
		    i == DEMAND_AFFINITY || i == DEMAND_SPREAD ? BIT(LABELS) :
								 0;

		if (all & 1u << i)
			mark_with_nominated(q,
			    class_without(q->arena, class,
				EVERY_DEMAND & ~(1u << i | labels)),
			    1u << i);
	}
	/* A node that refuses even a pod without demands refuses every other one;
	 * so do pods that want no other one beside them. */
	for (uint32_t i = 0; i < q->n; i++)
		if (q->obstacles[i] & BIT(OTHER))
			q->obstacles[i] = avoided &&
				is_avoided_at(q, bare, inquiry_node(q, i)) ?
			    BIT(LABELS) :
			    BIT(OTHER);
}

/* ---- the choice ---- */

static bool
is_everywhere(const struct inquiry *q, unsigned demand)
{
	return !ANY(i, q->n, (q->obstacles[i] & demand) == 0);
}

/*
 * The cost of removing the demand; the cheapest obstacle is named.  A demand that
 * some nodes meet is taken to be intended: then the obstacles on these nodes count.
 */
static unsigned
cost_of(const struct inquiry *q, enum demand demand, uint8_t closed)
{
	switch (demand) {
	case DEMAND_VOLUMES:
	case DEMAND_SELECTOR:
	case DEMAND_AFFINITY:
		return is_everywhere(q, 1u << demand) ? 1 : 7;
	case DEMAND_TOLERATIONS:
		return closed == CLOSED_TAINTED + 1 ? 2 : 6;
	case DEMAND_REQUESTS:
		return 4;
	case DEMAND_CONFINES:
		return 8;
	case DEMAND_OTHER:
		return 9;
	default:
		return 3;
	}
}

/* Nodes with the same obstacles, closed in the same way. */
struct group {
	unsigned obstacles, cost;
	uint8_t closed;
	uint32_t n;
};

/* Pods that keep each other away are one obstacle. */
static unsigned
cost_of_all(const struct inquiry *q, const struct group *group)
{
	unsigned cost = 0, all = group->obstacles;

	if (all & BIT(ANTI_AFFINITY))
		all &= ~BIT(LABELS);
	for (unsigned i = 0; i < DEMANDS; i++)
		if (all & 1u << i)
			cost +=
			    (cost > 0 ? 10 : 0) + cost_of(q, i, group->closed);
	return cost;
}

/* The cheapest obstacles first, of equal cost those of more nodes. */
static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->obstacles != y->obstacles)
		return x->obstacles > y->obstacles ? -1 : 1;
	return x->closed < y->closed ? -1 : x->closed > y->closed;
}

/* In the arena; *n of them. */
static struct group *
find_groups(struct inquiry *q, size_t *n)
{
	struct group *groups = NULL;
	size_t cap = 0;

	*n = 0;
	q->closed = arena_array(q->arena, uint8_t, q->n);
	for (uint32_t i = 0; i < q->n; i++) {
		struct group *group;

		if (q->obstacles[i] == 0 || !is_meant(q, i))
			continue;
		if (q->obstacles[i] & BIT(TOLERATIONS))
			q->closed[i] = closed_by(q, inquiry_node(q, i)) + 1;
		group = FIND(at, groups, *n,
		    groups[at].obstacles == q->obstacles[i] &&
			groups[at].closed == q->closed[i]);
		if (group == NULL) {
			arena_room(q->arena, groups, *n, &cap);
			group = &groups[(*n)++];
			*group = (struct group){ .obstacles = q->obstacles[i],
				.closed = q->closed[i] };
		}
		group->n++;
	}
	for (size_t i = 0; i < *n; i++)
		groups[i].cost = cost_of_all(q, &groups[i]);
	SORT(groups, *n, compare_groups);
	return groups;
}

/* If preemption makes room by itself, the sentences are about its node. */
static bool
choose_preempted(struct inquiry *q)
{
	const struct preemption *p = q->e->preemption;

	if (p == NULL || p->node == NULL || p->nvictims == 0 ||
	    p->node->index == NODE_INDEX_NONE ||
	    q->obstacles[p->node->index] == 0)
		return false;
	q->chosen = q->obstacles[p->node->index];
	q->nchosen = 0;
	for (uint32_t i = 0; i < q->n; i++)
		q->nchosen += is_chosen(q, i);
	return true;
}

/* ---- the words ---- */

static void (*const describe[DEMANDS])(struct inquiry *q) = {
	[DEMAND_VOLUMES] = describe_volumes,
	[DEMAND_SELECTOR] = describe_selector,
	[DEMAND_AFFINITY] = describe_affinity,
	[DEMAND_ANTI_AFFINITY] = describe_avoided,
	[DEMAND_LABELS] = describe_avoided,
	[DEMAND_SPREAD] = describe_spread,
	[DEMAND_PORTS] = describe_ports,
	[DEMAND_TOLERATIONS] = describe_taints,
	[DEMAND_REQUESTS] = describe_requests,
	[DEMAND_CONFINES] = describe_confines,
	[DEMAND_NOMINATED] = describe_nominated,
	[DEMAND_OTHER] = describe_other,
};

/* The sentences about the chosen nodes, as one, and what they propose. */
static void
describe_combined(struct inquiry *q)
{
	struct diagnosis whole = { .cause = "several",
		.text = "",
		.remedy = "" };
	const char *first, *then;
	unsigned nsaid = 0;

	q->nproposals = q->nnamed = 0;
	for (unsigned i = 0; i < DEMANDS; i++) {
		if (!(q->chosen & 1u << i))
			continue;
		q->saying = i;
		q->is_of_all = false;
		*q->d = (struct diagnosis){ .text = "",
			.remedy = "",
			.nnodes = q->nchosen };
		describe[i](q);
		if (q->d->text[0] == '\0')
			continue; /* another sentence has said it */
		first = q->is_of_all ? q->d->text : whole.text;
		then = q->is_of_all ? whole.text : q->d->text;
		whole.text = nsaid == 0 ?
		    q->d->text :
		    arena_printf(q->arena, "%s, and %c%s", first,
			tolower((unsigned char)then[0]), then + 1);
		if (nsaid++ == 0)
			whole.cause = q->d->cause;
		else
			whole.cause = "several";
	}
	whole.nnodes = nsaid > 1 ? q->nchosen : q->d->nnodes;
	*q->d = whole;
}

/* Demands that must be changed for the chosen nodes: who moves away from the pod's
 * anti-affinity does so from its own, too. */
static unsigned
demands_to_change(const struct inquiry *q)
{
	const unsigned both = BIT(ANTI_AFFINITY) | BIT(LABELS);

	return (q->chosen & both) == both ? q->chosen & ~BIT(LABELS) :
					    q->chosen;
}

/*
 * What is proposed for several obstacles must let the pod in together.  If nothing
 * does, the sentences may be about different nodes: then those of one node are tried.
 * *first gets what was said of all.
 */
static void
describe_all(struct inquiry *q, struct diagnosis *first)
{
	const struct node_info *named[DEMANDS];
	unsigned nnamed;
	size_t before = q->nfound;

	describe_combined(q);
	*first = *q->d;
	try_proposals(q, demands_to_change(q));
	nnamed = q->nnamed;
	memcpy(named, q->named, sizeof(named));
	if (strcmp(first->cause, "several") != 0)
		return;
	for (unsigned i = 0; i < nnamed && q->nfound == before; i++) {
		q->only = named[i];
		q->nchosen = 1;
		describe_combined(q);
		try_proposals(q, demands_to_change(q));
	}
}

/* A remedy that happens by itself once these pods have left the node. */
static void
find_wait(struct inquiry *q, const char *action, const struct node_info *node,
    size_t n, const struct pod *const *pods, const char *text)
{
	struct joint joint = { 0 };
	struct proposal *p = propose(q, REMEDY_WAIT, action,
	    pod_names(q->arena, n, pods), sym_text(node->name), "%s", text);

	proposal_moves(q, p, node, n, pods);
	joint_add(q, &joint, p);
	keep_joint(q, &joint);
}

/* A preemption under way: the pod waits until its victims have left.  False: it
 * does not, or that would not help. */
static bool
describe_awaited(struct inquiry *q)
{
	const struct pod **pods, *pod;
	const struct node_info *node;
	uint32_t at = 0;
	size_t n = 0;

	if (!q->e->preemption_tried ||
	    preempt_awaited(q->cycle, q->e->decision, &at) == NULL)
		return false;
	node = cluster_node(q->cycle->cluster, q->cycle->pod->nominated);
	pods = arena_array(q->arena, const struct pod *, node->npods);
	at = 0;
	while ((pod = preempt_awaited(q->cycle, q->e->decision, &at)) != NULL)
		pods[n++] = pod;
	/* As the node will be once these pods have left their nodes. */
	if (!fits_changed(q, q->cycle->class, node, node->node, n, pods))
		return false;
	q->d->cause = "preemption";
	q->d->nnodes = 1;
	describe(q, "Nominated to %s, where preempted pods are terminating: %s",
	    sym_text(node->name), pod_names(q->arena, n, pods));
	find_wait(q, "wait", node, n, pods,
	    n == 1 ? "it fits there once that pod has left" :
		     "it fits there once these pods have left");
	return true;
}

/* The pod would fit with a priority above those of the nominated pods: the sentences
 * are about one node. */
static void
outrank_nominated(struct inquiry *q)
{
	if (!(q->chosen & BIT(NOMINATED)))
		return;
	q->only = first_chosen(q);
	q->nchosen = 1;
	for (uint32_t i = 0; i < q->only->nnominated; i++)
		if (q->only->nominated[i]->priority >= q->priority &&
		    q->only->nominated[i]->priority < INT32_MAX)
			q->priority = q->only->nominated[i]->priority + 1;
}

#define GROUPS_TRIED 8

/* The groups, the cheapest first: a costlier one may have the better remedy.  What is
 * said where nothing helps is about the first. */
static void
diagnose_groups(struct inquiry *q)
{
	struct diagnosis first = { 0 }, said;
	struct group *groups;
	size_t n;

	groups = find_groups(q, &n);
	for (size_t i = 0; i < n && i < GROUPS_TRIED; i++) {
		q->chosen = groups[i].obstacles;
		q->chosen_closed = groups[i].closed;
		q->nchosen = groups[i].n;
		q->only = NULL;
		q->priority = q->cycle->pod->priority;
		outrank_nominated(q);
		describe_all(q, &said);
		if (i == 0)
			first = said;
	}
	if (n == 0) {
		/* each rule alone lets it in somewhere */
		first.cause = "other";
		first.text = q->e->message;
		first.remedy = "";
	}
	*q->d = first;
	if (n > 0)
		try_new_node(q);
}

static void
diagnose_nodes(struct inquiry *q)
{
	if (describe_awaited(q))
		return;
	find_obstacles(q);
	if (choose_preempted(q)) {
		const struct preemption *p = q->e->preemption;
		const char *names;
		bool leaving;

		describe_combined(q);
		names = pod_names(q->arena, p->nvictims, p->victims);
		leaving =
		    !ANY(i, p->nvictims, !p->victims[i]->class->terminating);
		find_wait(q, leaving ? "wait" : "evict", p->node, p->nvictims,
		    p->victims,
		    leaving ?
			arena_printf(q->arena, "it fits once %s %s left", names,
			    p->nvictims == 1 ? "has" : "have") :
			arena_printf(q->arena,
			    "preemption will evict %s of lower priority from "
			    "%s",
			    names, sym_text(p->node->name)));
	}
	if (q->nfound > 0)
		return;
	if (is_everywhere(q, BIT(SELECTOR)))
		find_intended_nodes(q);
	diagnose_groups(q);
}

static int
compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : 0;
}

#define REMEDIES_MOST 5

/* The diagnosis says the best of what was found. */
static void
take_found(struct inquiry *q)
{
	struct diagnosis *d = q->d;
	struct remedy *remedies;

	if (q->nfound == 0)
		return;
	/* in the order in which they were found, where they are as good */
	for (size_t i = 0; i < q->nfound; i++)
		q->found[i].rank = q->found[i].rank * 64 + (unsigned)i;
	SORT(q->found, q->nfound, compare_found);
	*d = q->found[0].said;
	d->nremedies = q->nfound < REMEDIES_MOST ? q->nfound : REMEDIES_MOST;
	d->remedies = remedies =
	    arena_array(q->arena, struct remedy, d->nremedies);
	for (size_t i = 0; i < d->nremedies; i++)
		remedies[i] = q->found[i].remedy;
}

static struct inquiry
inquiry_of(const struct explanation *e)
{
	struct inquiry q = {
		.e = e,
		.cycle = e->cycle,
		.arena = e->cycle->arena,
		.n = e->cycle->cluster->nnodes,
		.meant_key = SYM_NONE,
		.priority = e->cycle->pod->priority,
		.asked = pod_requested(e->cycle->class,
		    e->cycle->cluster->kubernetes_minor),
	};

	q.obstacles = arena_array(q.arena, unsigned, q.n);
	q.d = arena_array(q.arena, struct diagnosis, 1);
	*q.d = (struct diagnosis){ .text = "", .remedy = "" };
	q.anti_affinity = own_terms(q.cycle, &q.cycle->class->anti_affinity);
	return q;
}

const struct diagnosis *
diagnosis_find(const struct explanation *e)
{
	const char *gate, *claim = NULL, *provisioner;
	struct inquiry q;

	gate = pre_enqueue_refusal(e->cycle);
	if (e->decision->chosen != NULL && gate == NULL) {
		claim = diagnosis_awaited_claim(e->cycle->arena,
		    e->cycle->cluster, e->cycle->pod, &provisioner);
		if (claim == NULL)
			return NULL;
	}
	q = inquiry_of(e);
	if (claim != NULL) {
		q.d->cause = "volume";
		q.d->text = arena_printf(q.arena,
		    "It fits, but %s has not provided the volume of claim %s",
		    provisioner, claim);
		q.d->remedy =
		    "see the claim's Events, and whether the provisioner runs";
	} else if (gate != NULL) {
		q.d->cause = "gate";
		q.d->text = arena_printf(q.arena, "It is not tried: %s", gate);
		q.d->remedy = "it is tried once they are removed";
	} else if (e->cycle->class->over_limit != NULL) {
		q.d->cause = "limit";
		q.d->text = e->cycle->class->over_limit;
	} else if (q.n == 0) {
		q.d->cause = "node";
		q.d->text = "The cluster has no nodes";
		q.d->remedy = "add one";
	} else {
		diagnose_nodes(&q);
		take_found(&q);
	}
	/* Decisions that were abandoned let no pod in. */
	return cycle_is_cancelled(e->cycle) ? NULL : q.d;
}

void
diagnosis_find_changes(const struct explanation *e,
    const struct node_info *node, struct diagnosis_changes *changes)
{
	struct inquiry q = inquiry_of(e);
	struct joint joint = { 0 };
	const char **texts = arena_array(q.arena, const char *, DEMANDS);
	unsigned done = 0;

	*changes = (struct diagnosis_changes){ 0 };
	find_obstacles(&q);
	q.only = node;
	q.chosen = q.obstacles[node->index];
	q.nchosen = 1;
	if (q.chosen == 0)
		return;
	outrank_nominated(&q);
	describe_combined(&q);
	for (size_t i = 0; i < q.nproposals; i++) {
		const struct proposal *p = &q.proposals[i];

		if (p->untried || p->nclaims > 0 || (done & 1u << p->demand) ||
		    (p->place != NULL && p->place != node))
			continue;
		done |= 1u << p->demand;
		texts[joint.n] = p->text;
		joint_add(&q, &joint, p);
	}
	*changes = (struct diagnosis_changes){ joint.n, texts, joint.class,
		q.priority, joint.node, joint.nmoved, joint.moved };
}
