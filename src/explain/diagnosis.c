/*
 * Finds the obstacles on every node and chooses the one to name.
 *
 * Rules are independent of each other and each reads one demand of the pod: so a
 * node refuses a demand if it refuses the pod that has only this demand.
 */
#include "config.h"

#include "explain/diagnosis.h"

#include <ctype.h>

#include "framework/profile.h"
#include "framework/terms.h"
#include "explain/diagnosis_internal.h"
#include "sched/filter.h"

/* ---- deciding again ---- */

static const struct resources nothing;

static const struct toleration every_taint = {
	.key = SYM_EMPTY,
	.value = SYM_EMPTY,
	.op = TOLERATION_EXISTS,
	.effect = EFFECT_ANY,
	.effect_text = SYM_EMPTY,
};

static const struct pod_class undemanding = {
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

	class_take(c, &undemanding, left);
	return c;
}

const struct pod_class *
diagnosis_undemanding(struct arena *arena, const struct pod_class *class)
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
take(struct filter *filter, const struct node_info *node,
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
			take(d->filter, node, copy, pods[i]);
		fits = filter_node(d->filter, copy, false, NULL) == FITS;
	}
	arena_fini(&again.arena);
	return fits;
}

/* Whether the pod fits on the node once these pods have left their nodes. */
static bool
fits_after(const struct inquiry *q, const struct node_info *node, size_t n,
    const struct pod *const *pods)
{
	return fits_changed(q, q->cycle->class, node, node->node, n, pods);
}

const struct node_info *
new_place(const struct inquiry *q, const struct way *way, const struct pod *pod,
    const char **why)
{
	const struct node_info *from =
	    cluster_node(q->cycle->cluster, pod->node);
	const struct node_info *place = NULL;
	struct again again;
	struct decision *d = decide_again(&again, q, pod, pod->class);

	*why = NULL;
	again.cycle.simulating = true;
	if (d->error != NULL)
		*why = arena_printf(q->arena, "%s", d->error);
	else if (d->rejected_by == NULL)
		take(d->filter, from, node_info_copy(&again.arena, from), pod);
	for (uint32_t i = 0; d->error == NULL && i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		struct why reasons = { .arena = &again.arena };

		if (place != NULL || is_parted(q, way->node, pod, node))
			continue;
		if (d->rejected_by == NULL &&
		    filter_node(d->filter, node, false, &reasons) == FITS)
			place = node;
		else if (*why == NULL && reasons.n > 0)
			*why = arena_printf(q->arena, "%s",
			    why_text(&again.arena, reasons.reasons[0],
				sym_text(node->name)));
	}
	arena_fini(&again.arena);
	return place;
}

/* ---- the obstacles ---- */

static bool
avoids(const struct inquiry *q, const struct pod *pod)
{
	const struct pod_terms *terms = &pod->class->anti_affinity;

	for (uint32_t i = 0; i < terms->nrequired; i++)
		if (term_matches(q->cycle, &terms->required[i],
			q->cycle->class))
			return true;
	return false;
}

/* Whether a pod on a node has anti-affinity to this pod. */
static bool
is_avoided(const struct inquiry *q)
{
	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);

		for (uint32_t j = 0; j < node->npods; j++)
			if (avoids(q, node->pods[j]))
				return true;
	}
	return false;
}

/* The demands that the pod has at all. */
static unsigned
demands_of(const struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	unsigned all = BIT(TOLERATIONS) | BIT(REQUESTS);

	if (class->nvolumes > 0 || class->nresource_claims > 0)
		all |= BIT(VOLUMES);
	if (class->node_selector.n > 0 || class->has_required_node_affinity)
		all |= BIT(SELECTOR);
	if (class->affinity.nrequired > 0)
		all |= BIT(AFFINITY);
	if (class->anti_affinity.nrequired > 0)
		all |= BIT(ANTI_AFFINITY);
	if (class->nspread > 0)
		all |= BIT(SPREAD);
	if (class->nports > 0)
		all |= BIT(PORTS);
	if (class->confines != NULL)
		all |= BIT(CONFINES);
	if (is_avoided(q))
		all |= BIT(LABELS);
	return all;
}

/* The pod's own terms may match its labels. */
static unsigned
left_beside(unsigned demand)
{
	unsigned left = EVERY_DEMAND & ~demand;

	if (demand & (BIT(AFFINITY) | BIT(SPREAD)))
		left &= ~BIT(LABELS);
	return left;
}

static void
find_obstacles(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	unsigned all = demands_of(q);

	mark_with_nominated(q, class_without(q->arena, class, EVERY_DEMAND),
	    BIT(OTHER));
	for (unsigned i = 0; i < DEMAND_OTHER; i++)
		if (all & 1u << i)
			mark_with_nominated(q,
			    class_without(q->arena, class,
				left_beside(1u << i)),
			    1u << i);
	/* A node that refuses even a pod without demands refuses every other one. */
	for (uint32_t i = 0; i < q->n; i++)
		if (q->obstacles[i] & BIT(OTHER))
			q->obstacles[i] = BIT(OTHER);
}

/* ---- the choice ---- */

static uint32_t
count_with(const struct inquiry *q, unsigned demand)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->n; i++)
		n += (q->obstacles[i] & demand) != 0;
	return n;
}

/* Whether tolerations are the only obstacle on some node, for taints that are not
 * Kubernetes' own. */
static bool
has_plain_taint(const struct inquiry *q)
{
	bool system, cordoned;

	for (uint32_t i = 0; i < q->n; i++) {
		if (q->obstacles[i] != BIT(TOLERATIONS))
			continue;
		untolerated(q, inquiry_node(q, i), &system, &cordoned);
		if (!system && !cordoned)
			return true;
	}
	return false;
}

/*
 * The cost of removing the demand; the cheapest obstacle is named.  A demand that
 * some nodes meet is taken to be intended: then the obstacles on these nodes count.
 */
static unsigned
cost_of(const struct inquiry *q, enum demand demand)
{
	bool everywhere = count_with(q, 1u << demand) == q->n;

	switch (demand) {
	case DEMAND_VOLUMES:
	case DEMAND_SELECTOR:
	case DEMAND_AFFINITY:
		return everywhere ? 1 : 7;
	case DEMAND_TOLERATIONS:
		return has_plain_taint(q) ? 2 : 6;
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

static unsigned
cost_of_all(const struct inquiry *q, unsigned obstacles)
{
	unsigned cost = 0;

	for (unsigned i = 0; i < DEMANDS; i++)
		if (obstacles & 1u << i)
			cost += (cost > 0 ? 10 : 0) + cost_of(q, i);
	return cost;
}

/* The cheapest obstacles, those of more nodes before those of fewer. */
static void
choose(struct inquiry *q)
{
	unsigned costs[1 << DEMANDS] = { 0 }, best = UINT32_MAX;
	uint32_t counts[1 << DEMANDS] = { 0 };

	for (uint32_t i = 0; i < q->n; i++) {
		unsigned at = q->obstacles[i];

		if (!is_meant(q, i))
			continue;
		if (counts[at]++ == 0)
			costs[at] = cost_of_all(q, at);
	}
	for (unsigned at = 1; at < 1 << DEMANDS; at++) {
		if (counts[at] == 0 || costs[at] > best ||
		    (costs[at] == best && counts[at] <= q->nchosen))
			continue;
		best = costs[at];
		q->chosen = at;
		q->nchosen = counts[at];
	}
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

static void (*const sayers[DEMANDS])(struct inquiry *q) = {
	[DEMAND_VOLUMES] = say_volumes,
	[DEMAND_SELECTOR] = say_selector,
	[DEMAND_AFFINITY] = say_affinity,
	[DEMAND_ANTI_AFFINITY] = say_avoided,
	[DEMAND_LABELS] = say_avoided,
	[DEMAND_SPREAD] = say_spread,
	[DEMAND_PORTS] = say_ports,
	[DEMAND_TOLERATIONS] = say_taints,
	[DEMAND_REQUESTS] = say_requests,
	[DEMAND_CONFINES] = say_confines,
	[DEMAND_NOMINATED] = say_nominated,
	[DEMAND_OTHER] = say_other,
};

/* One sentence of several.  A remedy that was tried and does not help is dropped. */
static void
say_together(struct inquiry *q)
{
	struct diagnosis whole = { .cause = "several",
		.text = "",
		.remedy = "" };
	unsigned nsaid = 0;

	joint_begin(q);
	for (unsigned i = 0; i < DEMANDS; i++) {
		if (!(q->chosen & 1u << i))
			continue;
		q->saying = i;
		*q->d = (struct diagnosis){ .text = "",
			.remedy = "",
			.nnodes = q->nchosen };
		sayers[i](q);
		whole.text = nsaid == 0 ?
		    q->d->text :
		    arena_printf(q->arena, "%s, and %c%s", whole.text,
			tolower((unsigned char)q->d->text[0]), q->d->text + 1);
		if (q->d->remedy[0] != '\0')
			whole.remedy = arena_append(q->arena, whole.remedy,
			    " and ", q->d->remedy);
		if (q->joint.changed & 1u << i)
			q->joint.remedies[q->joint.nremedies++] = q->d->remedy;
		nsaid++;
	}
	if (nsaid > 1) {
		whole.nnodes = q->nchosen;
		*q->d = whole;
	}
	if (joint_fits(q, q->chosen)) {
		q->d->proven = true;
	} else if (q->joint.changed == q->chosen) {
		q->d->remedy = "";
		q->d->action = NULL;
	}
}

/*
 * The remedies of several obstacles must let the pod in together.  If they do not,
 * they may be about different nodes: then those of one node are tried.
 */
static void
say_all(struct inquiry *q)
{
	struct joint joint;
	struct diagnosis first;
	uint32_t nchosen = q->nchosen;
	const struct node_info *only = q->only;

	say_together(q);
	first = *q->d;
	joint = q->joint;
	if (strcmp(first.cause, "several") != 0)
		return;
	for (unsigned i = 0; i < joint.nnamed && !q->d->proven; i++) {
		q->only = joint.named[i];
		q->nchosen = 1;
		say_together(q);
	}
	if (!q->d->proven) {
		q->only = only;
		q->nchosen = nchosen;
		*q->d = first;
	}
}

static void
advise_eviction(struct inquiry *q)
{
	const struct preemption *p = q->e->preemption;
	const char *names = pod_names(q->arena, p->nvictims, p->victims);
	const char *node = sym_text(p->node->name);

	advise(q, "evict", names, node,
	    "preemption will evict %s of lower priority from %s", names, node);
	q->d->proven = fits_after(q, p->node, p->nvictims, p->victims);
}

/* A preemption under way: the pod waits until its victims have left.  False: it
 * does not, or that would not help. */
static bool
say_awaited(struct inquiry *q)
{
	const struct pod **pods, *pod;
	const struct node_info *node;
	const char *names;
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
	if (!fits_after(q, node, n, pods))
		return false;
	q->d->cause = "preemption";
	q->d->nnodes = 1;
	q->d->proven = true;
	names = pod_names(q->arena, n, pods);
	describe(q, "Nominated to %s, where preempted pods are terminating: %s",
	    sym_text(node->name), names);
	advise(q, "wait", names, sym_text(node->name),
	    "it fits there once %s left",
	    n == 1 ? "that pod has" : "these pods have");
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

static void
diagnose_nodes(struct inquiry *q)
{
	bool preempts;

	if (say_awaited(q))
		return;
	find_obstacles(q);
	preempts = choose_preempted(q);
	if (!preempts) {
		if (count_with(q, BIT(SELECTOR)) == q->n)
			find_meant(q);
		choose(q);
		outrank_nominated(q);
	}
	if (q->nchosen == 0) {
		/* each rule alone lets it in somewhere */
		q->d->cause = "other";
		q->d->text = q->e->message;
		return;
	}
	say_all(q);
	if (preempts)
		advise_eviction(q);
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
	struct inquiry q;

	if (e->decision->chosen != NULL)
		return NULL;
	q = inquiry_of(e);
	if (e->cycle->class->over_limit != NULL) {
		q.d->cause = "limit";
		q.d->text = e->cycle->class->over_limit;
	} else if (q.n == 0) {
		q.d->cause = "node";
		q.d->text = "The cluster has no nodes";
		q.d->remedy = "add one";
	} else {
		diagnose_nodes(&q);
	}
	/* Decisions that were abandoned let no pod in. */
	return cycle_is_cancelled(e->cycle) ? NULL : q.d;
}

void
diagnosis_find_changes(const struct explanation *e,
    const struct node_info *node, struct diagnosis_changes *changes)
{
	struct inquiry q = inquiry_of(e);
	const struct joint *joint = &q.joint;

	*changes = (struct diagnosis_changes){ 0 };
	find_obstacles(&q);
	q.only = node;
	q.chosen = q.obstacles[node->index];
	q.nchosen = 1;
	if (q.chosen == 0)
		return;
	outrank_nominated(&q);
	say_together(&q);
	*changes = (struct diagnosis_changes){ joint->nremedies,
		arena_memdup(q.arena, joint->remedies, sizeof(joint->remedies)),
		joint->class, q.priority, joint->node, joint->nmoved,
		joint->moved };
}
