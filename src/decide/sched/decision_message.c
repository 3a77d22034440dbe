/* The message about a decision: "0/5 nodes are available: 3 …, 2 …." */
#include "config.h"

#include "base/map.h"
#include "base/sorted.h"
#include "decide/framework/cycle.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/sched/decide.h"

struct count {
	const char *reason;
	unsigned times;
	char *text; /* "3 Insufficient cpu" */
};

struct counts {
	size_t n, cap;
	struct count *at;
	struct map by_address; /* of the reason: 1 + its place in at */
};

/* Equal texts at other addresses are merged later: there may be as many reasons
 * as nodes, when each names its own. */
static void
count_reason(struct arena *arena, struct counts *counts, const char *reason,
    unsigned times)
{
	uintptr_t key = (uintptr_t)reason;
	uintptr_t place = (uintptr_t)map_get(&counts->by_address, key);

	if (place != 0) {
		counts->at[place - 1].times += times;
		return;
	}
	arena_room(arena, counts->at, counts->n, &counts->cap);
	counts->at[counts->n++] = (struct count){ reason, times, NULL };
	map_put(&counts->by_address, key, (void *)(uintptr_t)counts->n);
}

static int
by_reason(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->reason,
	    ((const struct count *)b)->reason);
}

/* Counts the reasons of one cell (if they name nodes: a node). */
static void
count_cell(struct cycle *cycle, struct counts *counts, const struct decision *d,
    uint32_t cell)
{
	const struct node_verdict *v = &d->verdicts[cell];
	const struct why *why = &d->why;
	const char *name =
	    sym_text(cycle->cluster->nodes[decision_node(d, cell)]->name);

	for (uint32_t i = 0; i < v->nreasons; i++) {
		const char *reason = why->reasons[v->first_reason + i];

		/* a reason with an entry names no node */
		if (map_get(&counts->by_address, (uintptr_t)reason) == NULL)
			reason = why_text(cycle->arena, reason, name);
		count_reason(cycle->arena, counts, reason,
		    decision_size(d, cell));
	}
}

static bool
names_node(const struct node_verdict *v, const struct why *why)
{
	return ANY(i, v->nreasons,
	    strstr(why->reasons[v->first_reason + i], WHY_NODE) != NULL);
}

/* Cells that share their reasons, which begin at one place in why. */
struct shared {
	uint32_t nreasons, nnodes;
	bool names_node;
};

/* Counts reasons that many cells share once. */
static void
count_cells(struct cycle *cycle, struct counts *counts,
    const struct decision *d)
{
	struct shared *shared =
	    arena_array(cycle->arena, struct shared, d->why.n);

	for (uint32_t i = 0; i < d->ncells; i++) {
		const struct node_verdict *v = &d->verdicts[i];
		struct shared *s = &shared[v->first_reason];

		if (v->nreasons == 0)
			continue;
		if (s->nreasons == 0) {
			s->nreasons = v->nreasons;
			s->names_node = names_node(v, &d->why);
		}
		if (s->names_node || s->nreasons != v->nreasons)
			count_cell(cycle, counts, d, i);
		else
			s->nnodes += decision_size(d, i);
	}
	for (uint32_t i = 0; i < d->why.n; i++)
		for (uint32_t j = 0;
		     shared[i].nnodes > 0 && j < shared[i].nreasons; j++)
			count_reason(cycle->arena, counts,
			    d->why.reasons[i + j], shared[i].nnodes);
}

static struct counts
count_reasons(struct cycle *cycle, struct decision *d)
{
	struct counts counts = { 0 };
	size_t n = 0;

	/* A reason that names its node counts for one node. */
	for (uint32_t i = 0; !d->each_node && i < d->ncells; i++)
		if (d->cells[i].n > 1 && names_node(&d->verdicts[i], &d->why))
			decision_spell_out(cycle, d);
	count_cells(cycle, &counts, d);
	for (uint32_t i = 0; i < d->unknown.nreasons; i++)
		count_reason(cycle->arena, &counts,
		    d->why.reasons[d->unknown.first_reason + i], 1);
	map_fini(&counts.by_address);
	SORT(counts.at, counts.n, by_reason);
	for (size_t i = 0; i < counts.n; i++) {
		if (n > 0 && by_reason(&counts.at[n - 1], &counts.at[i]) == 0)
			counts.at[n - 1].times += counts.at[i].times;
		else
			counts.at[n++] = counts.at[i];
	}
	counts.n = n;
	return counts;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->text,
	    ((const struct count *)b)->text);
}

/* The reasons, each with its number of nodes, in the order of these texts. */
static const char *
list_reasons(struct cycle *cycle, struct decision *d)
{
	struct counts counts = count_reasons(cycle, d);
	const char **texts =
	    arena_alloc(cycle->arena, counts.n * sizeof(*texts));

	for (size_t i = 0; i < counts.n; i++)
		counts.at[i].text = arena_printf(cycle->arena, "%u %s",
		    counts.at[i].times, counts.at[i].reason);
	if (counts.n > 1)
		qsort(counts.at, counts.n, sizeof(*counts.at), by_text);
	for (size_t i = 0; i < counts.n; i++)
		texts[i] = counts.at[i].text;
	return arena_join(cycle->arena, counts.n, texts, ", ");
}

/* Since SINCE_PREFILTER_ONCE it gives the reasons of a rejection before Filter once, 1.20 by the number of
 * nodes as all others. */
const char *
decision_message(struct cycle *cycle, struct decision *d)
{
	bool today = cycle->profile->release >= SINCE_PREFILTER_ONCE;
	const char *reasons;

	if (d->error != NULL)
		return d->error;
	reasons = today && d->rejected_by != NULL ?
	    arena_join(cycle->arena, d->why.n, d->why.reasons, ", ") :
	    list_reasons(cycle, d);
	if (today && d->rejected_by == NULL && *reasons == '\0')
		return arena_printf(cycle->arena,
		    "0/%u nodes are available:", d->nnodes);
	return arena_printf(cycle->arena, "0/%u nodes are available: %s.",
	    d->nnodes, reasons);
}
