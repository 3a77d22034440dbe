#include "config.h"

#include "explain/whatif/room.h"

#include "base/sorted.h"
#include "decide/sched/filter.h"
#include "explain/judge.h"
#include "explain/whatif/whatif.h"

/* How often a kind is asked before its filter, whose arena grows with each node
 * that pods are nominated to, is made again. */
#define ASKED_MOST (1u << 20)
/* How often the caller is asked whether to go on: about every millisecond. */
#define ASKED_BETWEEN 1024
/* Filters that are kept: each may have columns of all nodes. */
#define FILTERS_MOST 512

/* ---- which pods may move ---- */

/* False: the API server would not evict the pod. */
static bool
find_budget(struct room *room, struct room_mover *m)
{
	struct whatif_budget *b;
	size_t n = 0, at = 0;

	while ((b = whatif_next_budget(&room->budgets, &room->arena,
		    room->w->cluster, m->pod, &at)) != NULL) {
		m->budget = b;
		n++;
	}
	return n == 0 || (n == 1 && m->budget->allowed > 0);
}

static bool
may_move(struct room *room, struct room_mover *m, const struct pod *ask)
{
	const struct pod *pod = m->pod;
	struct whatif *w = room->w;

	if (pod->object.partial != PARTIAL_NONE ||
	    whatif_why_stays(pod) != NULL || pod_has_ended(pod))
		return false;
	if (ask != NULL &&
	    (pod->class->controller_uid == SYM_NONE ||
		!judge_may_leave(&(struct cycle){ .cluster = w->cluster,
				     .pod = ask },
		    pod)))
		return false;
	return w->serving(w->serving_arg, w->profiles, pod) != NULL &&
	    find_budget(room, m);
}

static void
find_movers(struct room *room, const struct pod *ask)
{
	const struct cluster *cluster = room->w->cluster;
	size_t npods = 0;

	for (uint32_t i = 0; i < room->nnodes; i++)
		npods += cluster->nodes[i]->npods;
	room->movers = arena_array(&room->arena, struct room_mover, npods + 1);
	for (uint32_t i = 0; i < room->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];
		struct room_node *at = &room->nodes[i];

		at->first = (uint32_t)room->nmovers;
		for (uint32_t k = 0; k < node->npods; k++) {
			struct room_mover *m = &room->movers[room->nmovers];

			*m = (struct room_mover){
				.pod = (struct pod *)node->pods[k],
				.from = i,
				.to = ROOM_NOWHERE,
			};
			if (!may_move(room, m, ask))
				continue;
			pod_ref(m->pod);
			m->waiting = whatif_waiting(room->w, m->pod);
			at->n++;
			room->nmovers++;
		}
		SORT(&room->movers[at->first], at->n,
		    whatif_compare_first_pods);
	}
}

void
room_init(struct room *room, struct whatif *w, const struct pod *ask)
{
	memset(room, 0, sizeof(*room));
	room->w = w;
	room->nnodes = w->cluster->nnodes;
	room->nodes = arena_array(&room->arena, struct room_node, room->nnodes);
	room->touched = arena_array(&room->arena, uint32_t, room->nnodes);
	find_movers(room, ask);
}

void
room_fini(struct room *room)
{
	for (size_t i = 0; i < room->nkinds; i++)
		arena_fini(&room->all_kinds[i]->arena);
	for (size_t i = 0; i < room->nmovers; i++) {
		pod_unref(room->movers[i].pod);
		pod_unref(room->movers[i].waiting);
	}
	free(room->all_kinds);
	free(room->changes);
	map_fini(&room->kinds);
	arena_fini(&room->arena);
}

/* ---- kinds ---- */

static void
drop_filter(struct room_kind *kind)
{
	kind->filter = NULL;
	kind->asked = 0;
	arena_fini(&kind->arena);
	kind->arena = (struct arena)ARENA_INIT;
}

void
room_forget(struct room *room)
{
	for (size_t i = 0; i < room->nkinds; i++)
		drop_filter(room->all_kinds[i]);
	room->nfilters = 0;
}

static void
make_filter(struct room *room, struct room_kind *kind)
{
	if (room->nfilters++ >= FILTERS_MOST)
		room_forget(room);
	whatif_begin(room->w, kind->pod, 0);
	kind->cycle = room->w->cycle;
	kind->cycle.arena = &kind->arena;
	kind->cycle.ecache = NULL;
	kind->filter = filter_new(&kind->cycle);
}

static struct room_kind *
kind_new(struct room *room, const struct pod *pod)
{
	struct room_kind *kind = arena_array(&room->arena, struct room_kind, 1);

	kind->pod = pod;
	make_filter(room, kind);
	kind->other_pods = filter_reads_cluster(kind->filter);
	vec_room(room->all_kinds, room->nkinds, &room->kinds_cap);
	room->all_kinds[room->nkinds++] = kind;
	return kind;
}

struct room_kind *
room_kind_of(struct room *room, const struct pod *pod)
{
	struct room_kind *kind = kind_new(room, pod);

	if (room->other_pods == NULL)
		room->other_pods = kind->other_pods;
	return kind;
}

/* A kind of this class and priority, whose pod is on no node. */
static struct room_kind *
shared_kind(struct room *room, const struct pod *pod)
{
	uint64_t key =
	    ((uint64_t)(uintptr_t)pod->class << 16) ^ (uint32_t)pod->priority;
	struct room_kind *kind = map_get(&room->kinds, key);

	/* two classes with one key are two kinds, and the later one is found */
	if (kind != NULL && kind->pod->class == pod->class &&
	    kind->pod->priority == pod->priority)
		return kind;
	kind = kind_new(room, pod);
	map_put(&room->kinds, key, kind);
	return kind;
}

struct room_kind *
room_mover_kind(struct room *room, struct room_mover *m)
{
	if (m->kind == NULL)
		m->kind = shared_kind(room, m->waiting);
	if (m->kind->other_pods != NULL && m->kind->pod != m->waiting)
		m->kind = kind_new(room, m->waiting);
	if (room->other_pods == NULL)
		room->other_pods = m->kind->other_pods;
	return m->kind;
}

/* ---- does it fit ---- */

static const struct node_info *
node_now(const struct room *room, uint32_t node)
{
	return room->nodes[node].now != NULL ? room->nodes[node].now :
					       room->w->cluster->nodes[node];
}

static void
apply_changes(struct room *room, struct room_kind *kind, int sign)
{
	for (size_t i = 0; i < room->nchanges; i++) {
		const struct room_change *c = &room->changes[i];

		filter_update(kind->filter, node_now(room, c->node), c->pod,
		    sign * c->sign);
	}
}

static bool
fits_on(struct room *room, struct room_kind *kind, const struct node_info *node)
{
	enum verdict verdict;

	if (!room->stopped && ++room->asked % ASKED_BETWEEN == 0 &&
	    room->go_on != NULL)
		room->stopped = !room->go_on(room->go_on_arg);
	if (room->stopped)
		return false;
	if (++kind->asked % ASKED_MOST == 0)
		drop_filter(kind);
	if (kind->filter == NULL)
		make_filter(room, kind);
	if (kind->other_pods != NULL)
		apply_changes(room, kind, 1);
	verdict = filter_node(kind->filter, node, false, NULL);
	kind->cycle.nerrors = 0;
	if (kind->other_pods != NULL)
		apply_changes(room, kind, -1);
	return verdict == FITS;
}

bool
room_fits(struct room *room, struct room_kind *kind, uint32_t node)
{
	return fits_on(room, kind, node_now(room, node));
}

static const struct node_info *
bare_node(struct room *room, uint32_t node)
{
	struct room_node *at = &room->nodes[node];

	if (at->bare != NULL)
		return at->bare;
	at->bare = node_info_copy(&room->arena, room->w->cluster->nodes[node]);
	for (uint32_t i = 0; i < at->n; i++)
		node_info_remove(&room->arena, at->bare,
		    room->w->cluster->kubernetes_minor,
		    room->movers[at->first + i].pod);
	return at->bare;
}

void
room_find_choices(struct room *room, struct room_kind *kind)
{
	if (kind->choices != NULL)
		return;
	kind->choices = arena_array(&room->arena, uint32_t, room->nnodes + 1);
	kind->reaches = arena_array(&room->arena, bool, room->nnodes + 1);
	for (uint32_t i = 0; i < room->nnodes; i++) {
		const struct node_info *node = room->w->cluster->nodes[i];

		if (fits_on(room, kind, node)) {
			kind->choices[kind->nchoices++] = i;
			kind->reaches[i] = true;
		} else if (room->nodes[i].n > 0) {
			kind->reaches[i] =
			    fits_on(room, kind, bare_node(room, i));
		}
	}
}

/* ---- moving ---- */

static void
note_change(struct room *room, uint32_t node, const struct pod *pod, int sign)
{
	vec_room(room->changes, room->nchanges, &room->changes_cap);
	room->changes[room->nchanges++] =
	    (struct room_change){ node, pod, sign };
}

static void
drop_change(struct room *room, const struct pod *pod)
{
	size_t i = room->nchanges - 1;

	while (room->changes[i].pod != pod)
		i--;
	SORTED_REMOVE(room->changes, room->nchanges, i);
}

static struct node_info *
changed_node(struct room *room, uint32_t node)
{
	struct room_node *at = &room->nodes[node];

	if (at->now == NULL)
		at->now =
		    node_info_copy(&room->arena, room->w->cluster->nodes[node]);
	if (at->changes++ == 0)
		room->touched[room->ntouched++] = node;
	return at->now;
}

/* The last change that is left on the node is undone: it is as in the cluster. */
static void
settle_node(struct room *room, uint32_t node)
{
	uint32_t i = 0;

	if (--room->nodes[node].changes > 0)
		return;
	while (room->touched[i] != node)
		i++;
	room->touched[i] = room->touched[--room->ntouched];
}

void
room_add(struct room *room, const struct pod *pod, uint32_t node)
{
	node_info_add(&room->arena, changed_node(room, node),
	    room->w->cluster->kubernetes_minor, pod);
	note_change(room, node, pod, 1);
}

void
room_remove(struct room *room, const struct pod *pod, uint32_t node)
{
	node_info_remove(&room->arena, room->nodes[node].now,
	    room->w->cluster->kubernetes_minor, pod);
	settle_node(room, node);
	drop_change(room, pod);
}

bool
room_take(struct room *room, struct room_mover *m)
{
	if (m->budget != NULL && m->budget->allowed <= 0)
		return false;
	if (m->budget != NULL)
		m->budget->allowed--;
	node_info_remove(&room->arena, changed_node(room, m->from),
	    room->w->cluster->kubernetes_minor, m->pod);
	note_change(room, m->from, m->pod, -1);
	m->taken = true;
	return true;
}

void
room_put_back(struct room *room, struct room_mover *m)
{
	node_info_add(&room->arena, room->nodes[m->from].now,
	    room->w->cluster->kubernetes_minor, m->pod);
	settle_node(room, m->from);
	drop_change(room, m->pod);
	m->taken = false;
	if (m->budget != NULL)
		m->budget->allowed++;
}

void
room_put(struct room *room, struct room_mover *m, uint32_t node)
{
	room_add(room, m->waiting, node);
	m->to = node;
}

void
room_lift(struct room *room, struct room_mover *m)
{
	room_remove(room, m->waiting, m->to);
	m->to = ROOM_NOWHERE;
}
