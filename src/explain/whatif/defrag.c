#include "config.h"

#include "explain/whatif/defrag.h"

#include "base/sorted.h"
#include "decide/sched/filter.h"
#include "explain/whatif/balance.h"
#include "explain/whatif/room.h"
#include "explain/whatif/whatif.h"

/* So many moves are tried in every order, more in one. */
#define EVERY_ORDER 6

struct search {
	struct defrag *d;
	struct whatif *w;
	const struct defrag_ask *ask;
	struct room room;
	struct room_kind *kind; /* of the pod that waits */
	uint32_t limit;         /* moves */
	/* Pods that were taken off their nodes, in that order; some are placed. */
	uint32_t nmoves;
	struct room_mover *moves[DEFRAG_MOVES_MOST];
	struct defrag_progress progress;
};

static bool
go_on(void *arg)
{
	struct search *s = arg;

	s->progress.asked = s->room.asked;
	return s->ask->go_on == NULL ||
	    s->ask->go_on(s->ask->arg, &s->progress);
}

/* ---- a plan in the cluster itself ---- */

/* Moves in the order in which each fits when it is made. */
struct plan {
	uint32_t n;
	struct room_mover *order[DEFRAG_MOVES_MOST];
	struct defrag_move moves[DEFRAG_MOVES_MOST];
	sym node; /* of the pod that waits, after them */
};

/* Where the scheduler puts the pod once its old node is cordoned. */
static sym
choice_of(struct search *s, const struct room_mover *m)
{
	struct cluster *cluster = s->w->cluster;
	struct object *node =
	    object_ref((struct object *)&cluster->nodes[m->from]->node->object);
	struct node *cordoned = node_cordoned((const struct node *)node);
	sym choice;

	cluster_put(cluster, &cordoned->object);
	choice = whatif_chosen(whatif_decide(s->w, m->waiting, 0));
	cluster_put(cluster, node);
	object_unref(&cordoned->object);
	object_unref(node);
	return choice;
}

/* Moves the pod there if it fits now. */
static bool
really_move(struct search *s, const struct room_mover *m,
    struct defrag_move *move)
{
	struct whatif *w = s->w;
	const struct node_info *to = w->cluster->nodes[m->to];
	bool fits;

	cluster_remove(w->cluster, &m->pod->object);
	whatif_begin(w, m->waiting, 0);
	w->cycle.ecache = NULL;
	fits = filter_node(filter_new(&w->cycle), to, false, NULL) == FITS;
	if (!fits) {
		cluster_put(w->cluster, &m->pod->object);
		return false;
	}
	*move = (struct defrag_move){
		.pod = m->pod,
		.from = w->cluster->nodes[m->from]->name,
		.to = to->name,
		.preferred = choice_of(s, m),
		.budget = m->budget != NULL ? m->budget->budget : NULL,
	};
	whatif_place(w, m->waiting, to->name, NULL);
	return true;
}

static void
really_undo(struct search *s, const struct room_mover *m)
{
	cluster_forget(s->w->cluster, m->waiting);
	cluster_put(s->w->cluster, &m->pod->object);
}

static bool
pod_fits_at_last(struct search *s, sym *node)
{
	*node = whatif_chosen(whatif_decide(s->w, s->ask->pod, 0));
	return *node != SYM_NONE;
}

/* Makes the moves that are left in the first order that works, and undoes them. */
static bool
try_orders(struct search *s, struct plan *plan, bool *made)
{
	bool found = false;

	if (plan->n == s->nmoves)
		return pod_fits_at_last(s, &plan->node);
	/* those that were taken off last make room for the others */
	for (uint32_t i = s->nmoves; i-- > 0 && !found;) {
		struct room_mover *m = s->moves[i];

		if (made[i] || !really_move(s, m, &plan->moves[plan->n]))
			continue;
		made[i] = true;
		plan->order[plan->n++] = m;
		found = try_orders(s, plan, made);
		made[i] = false;
		if (!found)
			plan->n--;
		really_undo(s, m);
		if (s->nmoves > EVERY_ORDER)
			break;
	}
	return found;
}

/* Lets pods go where the scheduler puts them, unless the plan fails then. */
static void
follow_choices(struct search *s, struct plan *plan)
{
	uint32_t to[DEFRAG_MOVES_MOST] = { 0 };

	for (uint32_t i = 0; i < plan->n; i++)
		to[i] = plan->order[i]->to;
	for (uint32_t i = 0; i < plan->n; i++) {
		struct room_mover *m = plan->order[i];
		sym choice = plan->moves[i].preferred;
		struct plan changed = *plan;
		uint32_t before = m->to;
		uint32_t n;
		bool works;

		if (choice == SYM_NONE || choice == plan->moves[i].to ||
		    choice == plan->moves[i].from)
			continue;
		m->to = cluster_node(s->w->cluster, choice)->index;
		/* Makes the moves of the plan again, to the nodes of the
		 * movers, and undoes them. */
		n = 0;
		while (n < changed.n &&
		    really_move(s, changed.order[n], &changed.moves[n]))
			n++;
		works = n == changed.n && pod_fits_at_last(s, &changed.node);
		while (n-- > 0)
			really_undo(s, changed.order[n]);
		if (works)
			*plan = changed;
		else
			m->to = before;
	}
	/* the search goes back on its own way */
	for (uint32_t i = 0; i < plan->n; i++)
		plan->order[i]->to = to[i];
}

/* Every pod of the plan has a node.  True: it works, and is the best so far. */
static bool
try_plan(struct search *s)
{
	bool made[DEFRAG_MOVES_MOST] = { false };
	struct plan plan = { .n = 0 };
	bool found = try_orders(s, &plan, made);

	if (found) {
		struct defrag *d = s->d;

		follow_choices(s, &plan);
		for (size_t i = 0; i < d->nmoves; i++)
			pod_unref(d->moves[i].pod);
		d->node = plan.node;
		d->nmoves = plan.n;
		d->moves = arena_memdup(&d->arena, plan.moves,
		    plan.n * sizeof(*d->moves));
		for (size_t i = 0; i < d->nmoves; i++)
			pod_ref(d->moves[i].pod);
		s->progress.best = s->nmoves;
	} else if (s->d->circular == 0) {
		s->d->circular = s->progress.trying;
	}
	room_forget(&s->room);
	return found;
}

/* ---- every plan ---- */

static bool place_next(struct search *s);

static bool
is_equal(const struct pod *a, const struct pod *b)
{
	return a->class == b->class && a->priority == b->priority;
}

/* Whether an equal pod of its node was left there in this step. */
static bool
has_left_equal(const struct room_mover *start, const struct room_mover *m)
{
	return ANY(i, (size_t)(m - start),
	    !start[i].taken && is_equal(start[i].pod, m->pod));
}

/* A pod to place: a mover, or with NULL the one that waits. */
static bool
put_and_go_on(struct search *s, struct room_mover *m, uint32_t node)
{
	bool found;

	if (m != NULL)
		room_put(&s->room, m, node);
	else
		room_add(&s->room, s->ask->pod, node);
	found = place_next(s);
	if (m != NULL)
		room_lift(&s->room, m);
	else
		room_remove(&s->room, s->ask->pod, node);
	return found;
}

/* Takes `left` of the node's movers from number start on, or fewer, until the pod
 * fits. */
static bool
choose_victims(struct search *s, struct room_mover *m, struct room_kind *kind,
    uint32_t node, uint32_t start, uint32_t left)
{
	struct room_node *at = &s->room.nodes[node];
	const struct pod *pod = m != NULL ? m->waiting : s->ask->pod;
	uint32_t end = at->first + at->n;
	bool found = false;

	for (uint32_t i = start; i < end && !found && !s->room.stopped; i++) {
		struct room_mover *victim = &s->room.movers[i];

		/* a plan in which the pod takes the place of an equal one is
		 * longer than one in which it goes where that goes */
		if (victim->taken || is_equal(pod, victim->waiting) ||
		    has_left_equal(&s->room.movers[start], victim) ||
		    !room_take(&s->room, victim))
			continue;
		s->moves[s->nmoves++] = victim;
		if (room_fits(&s->room, kind, node))
			found = put_and_go_on(s, m, node);
		else if (left > 1)
			found =
			    choose_victims(s, m, kind, node, i + 1, left - 1);
		s->nmoves--;
		room_put_back(&s->room, victim);
	}
	return found;
}

/* Whether the pod may go to the node; a mover does not go back. */
static bool
is_another(const struct room_mover *m, uint32_t node)
{
	return m == NULL || m->from != node;
}

/* On nodes as they are in the cluster, where it fits. */
static bool
place_on_untouched(struct search *s, struct room_mover *m,
    struct room_kind *kind)
{
	uint32_t n = kind->other_pods != NULL ? s->room.nnodes : kind->nchoices;

	for (uint32_t i = 0; i < n && !s->room.stopped; i++) {
		uint32_t node = kind->other_pods != NULL ? i : kind->choices[i];

		if (!is_another(m, node) || s->room.nodes[node].changes > 0)
			continue;
		if (kind->other_pods != NULL &&
		    !room_fits(&s->room, kind, node))
			continue;
		if (put_and_go_on(s, m, node))
			return true;
	}
	return false;
}

static bool
place_on_touched(struct search *s, struct room_mover *m, struct room_kind *kind)
{
	uint32_t n = s->room.ntouched;

	for (uint32_t i = 0; i < n && !s->room.stopped; i++) {
		uint32_t node = s->room.touched[i];

		if (is_another(m, node) && room_fits(&s->room, kind, node) &&
		    put_and_go_on(s, m, node))
			return true;
	}
	return false;
}

/* Where it does not fit, by taking others off the node. */
static bool
place_in_exchange(struct search *s, struct room_mover *m,
    struct room_kind *kind)
{
	uint32_t left = s->limit - s->nmoves;

	for (uint32_t node = 0;
	     left > 0 && node < s->room.nnodes && !s->room.stopped; node++) {
		const struct room_node *at = &s->room.nodes[node];

		if (!is_another(m, node) || at->n == 0)
			continue;
		if (kind->other_pods == NULL && !kind->reaches[node])
			continue;
		if (room_fits(&s->room, kind, node))
			continue;
		if (choose_victims(s, m, kind, node, at->first, left))
			return true;
	}
	return false;
}

static bool
place_pod(struct search *s, struct room_mover *m, struct room_kind *kind)
{
	if (kind->other_pods == NULL)
		room_find_choices(&s->room, kind);
	return place_on_touched(s, m, kind) || place_on_untouched(s, m, kind) ||
	    place_in_exchange(s, m, kind);
}

/* Those with the fewest choices are placed first. */
static uint32_t
choices_of(struct search *s, struct room_mover *m)
{
	struct room_kind *kind = room_mover_kind(&s->room, m);

	if (kind->other_pods != NULL)
		return s->room.nnodes;
	room_find_choices(&s->room, kind);
	return kind->nchoices;
}

/* Places the pods that have no node yet, one after the other. */
static bool
place_next(struct search *s)
{
	struct room_mover *next = NULL;
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < s->nmoves; i++) {
		uint32_t n;

		if (s->moves[i]->to != ROOM_NOWHERE)
			continue;
		n = choices_of(s, s->moves[i]);
		if (next == NULL || n < fewest) {
			next = s->moves[i];
			fewest = n;
		}
	}
	if (s->room.stopped)
		return false;
	if (next == NULL)
		return try_plan(s);
	return place_pod(s, next, next->kind);
}

/* Tries all plans of up to so many moves.  True: one works. */
static bool
try_all(struct search *s, uint32_t moves)
{
	s->limit = s->progress.trying = moves;
	if (place_pod(s, NULL, s->kind))
		return true;
	if (!s->room.stopped)
		s->d->searched = moves;
	return false;
}

/* ---- a heuristic ---- */

/* A mover and the share of its node that it requests. */
struct sized {
	struct room_mover *m;
	double size;
};

static double
size_of(const struct search *s, const struct room_mover *m)
{
	const struct cluster *cluster = s->w->cluster;
	const struct resources *all =
	    &cluster->nodes[m->from]->node->allocatable;
	const struct resources *held =
	    pod_held(m->pod->class, cluster->kubernetes_minor);

	return balance_share(held->cpu_milli, all->cpu_milli) +
	    balance_share(held->memory, all->memory);
}

static int
compare_sizes(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return whatif_compare_pods(x->m->pod, y->m->pod);
}

/* Places the pods that were taken, each on the first node where it fits. */
static bool
place_taken(struct search *s, uint32_t i)
{
	struct room_mover *m;
	struct room_kind *kind;
	bool found = false;

	if (i == s->nmoves)
		return try_plan(s);
	m = s->moves[i];
	kind = room_mover_kind(&s->room, m);
	for (uint32_t node = 0; node < s->room.nnodes && !s->room.stopped;
	     node++) {
		if (!is_another(m, node) || !room_fits(&s->room, kind, node))
			continue;
		room_put(&s->room, m, node);
		found = place_taken(s, i + 1);
		room_lift(&s->room, m);
		break;
	}
	return found;
}

/* Takes all movers off the node and puts back those that the pod leaves room for: the
 * small ones first, so that few are left, or the big ones first, so that those that are
 * left fit elsewhere. */
static void
try_node(struct search *s, uint32_t node, bool big_first, struct sized *sized)
{
	struct room_node *at = &s->room.nodes[node];
	uint32_t n = 0;

	for (uint32_t i = at->first; i < at->first + at->n; i++)
		if (room_take(&s->room, &s->room.movers[i]))
			sized[n++] = (struct sized){ &s->room.movers[i],
				size_of(s, &s->room.movers[i]) };
	SORT(sized, n, compare_sizes);
	s->nmoves = 0;
	for (uint32_t k = 0; k < n; k++) {
		struct room_mover *m = sized[big_first ? n - 1 - k : k].m;

		room_put_back(&s->room, m);
		if (room_fits(&s->room, s->kind, node))
			continue;
		room_take(&s->room, m);
		if (s->nmoves < s->limit)
			s->moves[s->nmoves] = m;
		s->nmoves++;
	}
	if (s->nmoves <= s->limit && room_fits(&s->room, s->kind, node)) {
		room_add(&s->room, s->ask->pod, node);
		place_taken(s, 0);
		room_remove(&s->room, s->ask->pod, node);
	}
	for (uint32_t k = 0; k < n; k++)
		if (sized[k].m->taken)
			room_put_back(&s->room, sized[k].m);
	s->nmoves = 0;
}

/* Plans that are shorter than the best so far. */
static void
try_heuristic(struct search *s)
{
	struct sized *sized = xcalloc(s->room.nmovers + 1, sizeof(*sized));

	s->progress.trying = 0;
	if (s->kind->other_pods == NULL)
		room_find_choices(&s->room, s->kind);
	for (uint32_t node = 0; node < s->room.nnodes && !s->room.stopped;
	     node++) {
		if (s->room.nodes[node].n == 0 ||
		    (s->kind->other_pods == NULL && !s->kind->reaches[node]))
			continue;
		for (int big_first = 0; big_first < 2; big_first++) {
			s->limit = s->progress.best > 0 ? s->progress.best - 1 :
							  s->ask->max_moves;
			try_node(s, node, big_first != 0, sized);
		}
	}
	free(sized);
}

/* ---- the whole ---- */

static void
search_all(struct search *s)
{
	struct defrag *d = s->d;
	uint32_t length;

	if (!try_all(s, 1) && !s->room.stopped && s->ask->max_moves > 1) {
		try_heuristic(s);
		for (uint32_t n = 2;
		     !s->room.stopped && n <= s->ask->max_moves &&
		     (s->progress.best == 0 || n < s->progress.best);
		     n++)
			if (try_all(s, n))
				break;
	}
	d->stopped = s->room.stopped;
	d->other_pods = s->room.other_pods;
	d->asked = s->room.asked;
	d->nmovable = s->room.nmovers;
	/* Proven: all shorter plans were tried.  A circular plan may become
	 * possible with one more move, which makes no room in the end: this
	 * would be no tree. */
	length = d->nmoves > 0 ? (uint32_t)d->nmoves : s->ask->max_moves + 1;
	/* it does not fit without a move */
	d->proven = length == 1 ||
	    (d->other_pods == NULL && d->searched + 1 >= length &&
		(d->circular == 0 || d->circular + 2 > length));
}

void
defrag_find(struct defrag *d, struct whatif *w, const struct defrag_ask *ask)
{
	struct decision *decision = whatif_decide(w, ask->pod, 0);
	struct search s = { .d = d, .w = w, .ask = ask };

	memset(d, 0, sizeof(*d));
	d->node = SYM_NONE;
	if (decision != NULL && decision->chosen != NULL) {
		d->node = decision->chosen->name;
		d->proven = true;
		return;
	}
	d->message = whatif_message(w, decision, ask->pod, &d->arena);
	d->proven = decision == NULL || decision->error != NULL ||
	    decision->rejected_by != NULL;
	if (d->proven)
		return;
	room_init(&s.room, w, ask->force ? NULL : ask->pod);
	s.room.go_on = go_on;
	s.room.go_on_arg = &s;
	s.kind = room_kind_of(&s.room, ask->pod);
	search_all(&s);
	room_fini(&s.room);
}

void
defrag_fini(struct defrag *d)
{
	for (size_t i = 0; i < d->nmoves; i++)
		pod_unref(d->moves[i].pod);
	arena_fini(&d->arena);
}
