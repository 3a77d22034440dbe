/* predicatectl drain: where the pods of nodes would go. */
#include "config.h"

#include "explain/whatif/drain.h"

#include <inttypes.h>

#include "base/sorted.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "objects/selector_text.h"

static const char *const fates[] = {
	[DRAIN_MOVES] = "moves",
	[DRAIN_NOWHERE] = "fits nowhere",
	[DRAIN_STAYS] = "stays",
};

/* ---- which nodes ---- */

struct names {
	size_t n, cap;
	sym *at;
};

static void
add_name(struct names *names, sym name)
{
	if (ANY(i, names->n, names->at[i] == name))
		return;
	vec_room(names->at, names->n, &names->cap);
	names->at[names->n++] = name;
}

static int
find_nodes(const struct asked *a, struct names *names)
{
	const struct options *o = a->options;
	const struct cluster *cluster = a->load.cluster;
	struct arena arena = ARENA_INIT;
	struct selector selector;
	struct err err;
	int code = EXIT_DONE;

	for (size_t i = 0; i < o->nwords; i++) {
		const struct node_info *node = asked_node(a, o->words[i]);

		if (node == NULL)
			return EXIT_INPUT;
		add_name(names, node->name);
	}
	if (o->selector != NULL &&
	    selector_from_text(&arena, o->selector, &selector, &err) != 0) {
		ctl_print("--selector: %s", err.text);
		code = EXIT_USAGE;
	}
	for (uint32_t i = 0; code == EXIT_DONE && i < cluster->nnodes; i++) {
		const struct node *node = cluster->nodes[i]->node;
		sym zone = node_zone_label(node);

		if ((o->selector != NULL &&
			selector_matches(&selector, &node->labels)) ||
		    (o->zone != NULL && zone != SYM_NONE &&
			strcmp(sym_text(zone), o->zone) == 0))
			add_name(names, node->name);
	}
	arena_fini(&arena);
	if (code == EXIT_DONE && names->n == 0) {
		ctl_print("no node is chosen");
		return EXIT_INPUT;
	}
	SORT(names->at, names->n, sym_compare);
	return code;
}

/* ---- the plan ---- */

struct plan {
	struct report *r;
	int64_t step;
};

/* One that blocks is no step, but in the way of them. */
static void
add_step(struct plan *plan, bool blocks, const char *what, size_t npods,
    const char *note)
{
	plan->step += !blocks;
	report_row(plan->r,
	    blocks ? cell_styled(STYLE_BAD, "blocked") :
		     cell_text(
			 arena_printf(&plan->r->arena, "%" PRId64, plan->step)),
	    cell_styled(blocks ? STYLE_BAD : STYLE_PLAIN, what),
	    cell_count((int64_t)npods), cell_text(note), cell_truth(blocks));
}

/* What a budget makes of its pods' evictions. */
static void
add_budget(struct plan *plan, const struct whatif_budget *b, bool blocks)
{
	struct arena *arena = &plan->r->arena;
	const char *name = budget_name(arena, b->budget);

	add_step(plan, blocks,
	    arena_printf(arena, "evict the pods of budget %s", name), b->npods,
	    blocks ? budget_obstacle(b->budget) :
		     arena_printf(arena,
			 "slow: %" PRId64 " at a time, the others wait for "
			 "replacements",
			 b->allowed));
}

/* First what blocks, then the steps in their order: the slow ones last. */
static void
add_plan(struct report *r, const struct drain *d)
{
	struct plan plan = { .r = r };
	size_t nslow = 0, nseveral = 0, nevicted = d->nmoves + d->nnowhere;

	report_rows(r, "plan",
	    "step=STEP|action=DO|pods=>PODS|note=~NOTE|blocks");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < d->npods; i++)
		nseveral += d->pods[i].two_budgets;
	for (size_t i = 0; i < d->nblocking + d->nslowing; i++)
		nslow += d->budgets.at[i]->npods;
	for (size_t i = 0; i < d->nblocking; i++)
		add_budget(&plan, d->budgets.at[i], true);
	if (nseveral > 0)
		add_step(&plan, true, "evict pods in several budgets", nseveral,
		    "the API server refuses: one budget must go");
	if (d->nnowhere > 0)
		add_step(&plan, true, "place pods that fit nowhere else",
		    d->nnowhere, "they would wait: make room first");
	add_step(&plan, false,
	    arena_printf(&r->arena, "cordon %zu node%s", d->nnodes,
		plural_of(d->nnodes)),
	    0, "");
	if (nevicted > nslow)
		add_step(&plan, false, "evict the pods that no budget slows",
		    nevicted - nslow, "all at once");
	for (size_t i = d->nblocking; i < d->nblocking + d->nslowing; i++)
		add_budget(&plan, d->budgets.at[i], false);
	if (d->nstay > 0)
		add_step(&plan, false, "leave the pods that stay", d->nstay,
		    "kubectl drain --ignore-daemonsets");
	report_rows_end(r);
}

/* ---- the result ---- */

/* For people: the pods of one fate. */
static void
add_fate(struct report *r, const struct drain *d, enum drain_fate fate,
    const char *columns)
{
	report_rows(r, NULL, columns);
	for (size_t i = 0; i < d->npods; i++) {
		const struct drain_pod *p = &d->pods[i];

		if (p->fate == fate)
			report_row(r, cell_pod(r, p->pod), cell_node(p->from),
			    cell_text(fate != DRAIN_MOVES ? p->why :
				    p->unmanaged ? arena_printf(&r->arena,
						       "%s" UNMANAGED,
						       sym_text(p->to)) :
						   sym_text(p->to)));
	}
	report_rows_end(r);
}

static void
report(const struct drain *d, const struct options *options)
{
	const char **nodes;
	struct report r;

	report_begin(&r, options);
	nodes = arena_array(&r.arena, const char *, d->nnodes + 1);
	for (size_t i = 0; i < d->nnodes; i++)
		nodes[i] = sym_text(d->nodes[i]->name);
	json_texts(&r.json, "nodes", d->nnodes, nodes);
	json_members(&r.json, "move:d fitNowhere:d stay:d", (int64_t)d->nmoves,
	    (int64_t)d->nnowhere, (int64_t)d->nstay);
	report_print(&r, STYLE_HEAD,
	    "%zu node%s %s: %zu pod%s would move, %zu fit nowhere, "
	    "%zu stay\n",
	    d->nnodes, plural_of(d->nnodes), options->lost ? "lost" : "drained",
	    d->nmoves, plural_of(d->nmoves), d->nnowhere, d->nstay);
	report_rows(&r, "budgets",
	    "budget|disruptionsAllowed|pods|blocks|slows");
	for (size_t i = 0; i < d->budgets.n; i++) {
		const struct whatif_budget *b = d->budgets.at[i];

		report_row(&r, cell_text(budget_name(&r.arena, b->budget)),
		    cell_count(b->allowed), cell_count(b->npods),
		    cell_truth(i < d->nblocking),
		    cell_truth(
			i >= d->nblocking && i < d->nblocking + d->nslowing));
	}
	report_rows_end(&r);
	if (!options->lost)
		add_plan(&r, d);
	report_rows(&r, "pods",
	    "pod|from|to|result|reason|unmanaged|budget|severalBudgets");
	for (size_t i = 0; i < d->npods; i++) {
		const struct drain_pod *p = &d->pods[i];

		report_row(&r, cell_pod(&r, p->pod), cell_node(p->from),
		    cell_node(p->fate == DRAIN_MOVES ? p->to : SYM_NONE),
		    cell_text(fates[p->fate]), cell_text(p->why),
		    cell_truth(p->unmanaged),
		    cell_text(budget_name(&r.arena, p->budget)),
		    cell_truth(p->two_budgets));
		if (p->two_budgets)
			report_print(&r, STYLE_BAD, SEVERAL_BUDGETS,
			    pod_full_name(p->pod));
	}
	report_rows_end(&r);
	add_fate(&r, d, DRAIN_NOWHERE, "=POD|=FROM|=!FITS NOWHERE BECAUSE");
	add_fate(&r, d, DRAIN_MOVES, "=POD|=FROM|=+TO");
	add_fate(&r, d, DRAIN_STAYS, "=POD|=FROM|=~STAYS BECAUSE");
	report_end(&r);
}

int
drain_ask(struct asked *a)
{
	struct names names = { 0 };
	struct drain d;
	int code = find_nodes(a, &names);

	if (code == EXIT_DONE) {
		drain_find(&d, &a->whatif, names.n, names.at, a->options->lost);
		report(&d, a->options);
		if (d.nnowhere > 0 || d.nblocking > 0)
			code = EXIT_NEGATIVE;
		for (size_t i = 0; i < d.npods; i++)
			if (d.pods[i].two_budgets)
				code = EXIT_NEGATIVE;
		drain_fini(&d);
	}
	free(names.at);
	return code;
}
