#include "config.h"

#include "explain/whatif/drain.h"

#include "base/sorted.h"
#include "objects/workload.h"
#include "explain/whatif/whatif.h"

/* ---- which pods ---- */

static void
take_pods(struct drain *d, const struct node_info *node)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		const struct pod *pod = node->pods[i];
		struct drain_pod *p;

		vec_room(d->pods, d->npods, &d->pods_cap);
		p = &d->pods[d->npods++];
		*p = (struct drain_pod){
			.pod = pod_ref(pod),
			.from = node->name,
			.to = SYM_NONE,
			.unmanaged = pod->class->controller_uid == SYM_NONE,
		};
		if (pod->object.partial == PARTIAL_NONE)
			p->why = whatif_why_stays(pod);
		p->fate = p->why != NULL ? DRAIN_STAYS : DRAIN_NOWHERE;
	}
}

static int
compare_pods(const void *a, const void *b)
{
	const struct drain_pod *x = a, *y = b;

	if ((x->fate == DRAIN_STAYS) != (y->fate == DRAIN_STAYS))
		return x->fate == DRAIN_STAYS ? 1 : -1;
	return whatif_compare_pods(x->pod, y->pod);
}

/* ---- budgets ---- */

/* 0: it blocks the drain; 1: it slows it; 2: it lets all pods go at once. */
static int
rank_of(const struct whatif_budget *b)
{
	return b->allowed <= 0 ? 0 : b->allowed < (int64_t)b->npods ? 1 : 2;
}

static int
compare_budgets(const void *a, const void *b)
{
	const struct whatif_budget *x = *(struct whatif_budget *const *)a;
	const struct whatif_budget *y = *(struct whatif_budget *const *)b;

	if (rank_of(x) != rank_of(y))
		return rank_of(x) - rank_of(y);
	return object_compare_names(&x->budget->object, &y->budget->object);
}

static void
find_budgets(struct drain *d, const struct cluster *cluster)
{
	for (size_t i = 0; i < d->npods; i++) {
		struct drain_pod *p = &d->pods[i];
		struct whatif_budget *b;
		size_t n = 0, at = 0;

		while (p->fate != DRAIN_STAYS &&
		    (b = whatif_next_budget(&d->budgets, &d->arena, cluster,
			 p->pod, &at)) != NULL) {
			b->npods++;
			n++;
			if (p->budget == NULL && (int64_t)b->npods > b->allowed)
				p->budget = b->budget;
		}
		p->two_budgets = n > 1;
	}
	SORT(d->budgets.at, d->budgets.n, compare_budgets);
	for (size_t i = 0; i < d->budgets.n; i++) {
		d->nblocking += rank_of(d->budgets.at[i]) == 0;
		d->nslowing += rank_of(d->budgets.at[i]) == 1;
	}
}

/* ---- there and back ---- */

static void
place(struct drain *d, struct whatif *w, struct drain_pod *p, uint64_t n)
{
	struct decision *decision;

	if (p->pod->object.partial != PARTIAL_NONE) {
		p->why = "it cannot be decoded";
		return;
	}
	decision = whatif_decide(w, p->lifted, n);
	if (decision == NULL || decision->chosen == NULL) {
		p->why = whatif_message(w, decision, p->lifted, &d->arena);
		return;
	}
	p->to = decision->chosen->name;
	p->fate = ANY(i, d->nnodes, d->nodes[i]->name == p->to) ? DRAIN_STAYS :
								  DRAIN_MOVES;
	if (p->fate == DRAIN_STAYS)
		p->why = "it tolerates the cordon: the scheduler chooses a "
			 "drained node";
	whatif_place(w, p->lifted, p->to, NULL);
}

void
drain_find(struct drain *d, struct whatif *w, size_t n, const sym *nodes,
    bool lost)
{
	memset(d, 0, sizeof(*d));
	d->nodes = xcalloc(n + 1, sizeof(*d->nodes));
	for (size_t i = 0; i < n; i++) {
		const struct node_info *node =
		    cluster_node(w->cluster, nodes[i]);
		struct node *cordoned;

		take_pods(d, node);
		d->nodes[d->nnodes++] = (struct node *)object_ref(
		    &((struct node *)node->node)->object);
		if (lost) {
			cluster_remove(w->cluster,
			    &d->nodes[d->nnodes - 1]->object);
			continue;
		}
		cordoned = node_cordoned(node->node);
		cluster_put(w->cluster, &cordoned->object);
		object_unref(&cordoned->object);
	}
	SORT(d->pods, d->npods, compare_pods);
	if (!lost)
		find_budgets(d, w->cluster);
	for (size_t i = 0; i < d->npods; i++) {
		if (d->pods[i].fate != DRAIN_STAYS)
			d->pods[i].lifted = whatif_lift(w, d->pods[i].pod);
		else if (lost)
			cluster_remove(w->cluster, &d->pods[i].pod->object);
	}
	for (size_t i = 0; i < d->npods; i++) {
		struct drain_pod *p = &d->pods[i];

		if (p->fate != DRAIN_STAYS)
			place(d, w, p, i);
		d->nmoves += p->fate == DRAIN_MOVES;
		d->nnowhere += p->fate == DRAIN_NOWHERE;
		d->nstay += p->fate == DRAIN_STAYS;
	}
	for (size_t i = 0; i < d->npods; i++)
		if (d->pods[i].to != SYM_NONE)
			cluster_forget(w->cluster, d->pods[i].lifted);
	for (size_t i = 0; i < d->nnodes; i++)
		cluster_put(w->cluster, &d->nodes[i]->object);
	for (size_t i = 0; i < d->npods; i++)
		cluster_put(w->cluster, &d->pods[i].pod->object);
}

void
drain_fini(struct drain *d)
{
	for (size_t i = 0; i < d->npods; i++) {
		pod_unref(d->pods[i].pod);
		pod_unref(d->pods[i].lifted);
	}
	for (size_t i = 0; i < d->nnodes; i++)
		object_unref(&d->nodes[i]->object);
	free(d->pods);
	free(d->nodes);
	arena_fini(&d->arena);
}
