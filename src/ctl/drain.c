/* predicatectl drain: where the pods of nodes would go. */
#include "config.h"

#include "whatif/drain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "model/workload.h"

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
	for (size_t i = 0; i < names->n; i++)
		if (names->at[i] == name)
			return;
	vec_room(names->at, names->n, &names->cap);
	names->at[names->n++] = name;
}

static bool
is_in_zone(const struct node *node, const char *zone)
{
	sym value = node_zone_label(node);

	return value != SYM_NONE && strcmp(sym_text(value), zone) == 0;
}

/* By labels (NULL: any) or by zone. */
static void
add_nodes(const struct asked *a, struct names *names,
    const struct labels *labels)
{
	const struct cluster *cluster = a->load.cluster;

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node *node = cluster->nodes[i]->node;

		if (labels != NULL ? labels_contains(&node->labels, labels) :
				     is_in_zone(node, a->options->zone))
			add_name(names, node->name);
	}
}

static int
compare_names(const void *a, const void *b)
{
	return sym_cmp(*(const sym *)a, *(const sym *)b);
}

static int
find_nodes(const struct asked *a, struct names *names)
{
	const struct options *o = a->options;
	struct arena arena = ARENA_INIT;
	struct labels labels;
	struct err err;
	int code = EXIT_DONE;

	for (size_t i = 0; i < o->nwords; i++) {
		const char *word = o->words[i];
		const struct node_info *node;

		if (strncmp(word, "node/", 5) == 0)
			word += 5;
		node = cluster_node(a->load.cluster, sym_intern(word));
		if (node == NULL || node->node == NULL) {
			ctl_say("node \"%s\" is not in the cluster", word);
			return EXIT_INPUT;
		}
		add_name(names, node->name);
	}
	if (o->selector == NULL) {
		if (o->zone != NULL)
			add_nodes(a, names, NULL);
	} else if (labels_from_text(&arena, o->selector, &labels, &err) == 0) {
		add_nodes(a, names, &labels);
	} else {
		ctl_say("--selector: %s", err.text);
		code = EXIT_USAGE;
	}
	arena_fini(&arena);
	if (code == EXIT_DONE && names->n == 0) {
		ctl_say("no node is chosen");
		return EXIT_INPUT;
	}
	if (names->n > 0)
		qsort(names->at, names->n, sizeof(*names->at), compare_names);
	return code;
}

/* ---- for programs ---- */

static void
json_pods(struct json_out *json, const struct drain *d)
{
	json_begin(json, "pods");
	for (size_t i = 0; i < d->npods; i++) {
		const struct drain_pod *p = &d->pods[i];

		json_begin_item(json);
		json_pair(json, "pod", pod_full_name(p->pod));
		json_pair(json, "from", sym_text(p->from));
		json_pair(json, "to",
		    p->fate == DRAIN_MOVES ? sym_text(p->to) : NULL);
		json_pair(json, "result", fates[p->fate]);
		json_pair(json, "reason", p->why);
		json_pair_bool(json, "unmanaged", p->unmanaged);
		json_budget(json, "budget", p->budget);
		json_pair_bool(json, "severalBudgets", p->two_budgets);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
drain_json(const struct drain *d, const struct options *options)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_key(&json, "nodes");
	json_open(&json, '[');
	for (size_t i = 0; i < d->nnodes; i++)
		json_string(&json, sym_text(d->nodes[i]->name));
	json_close(&json, ']');
	json_pair_int(&json, "move", (int64_t)d->nmoves);
	json_pair_int(&json, "fitNowhere", (int64_t)d->nnowhere);
	json_pair_int(&json, "stay", (int64_t)d->nstay);
	json_begin(&json, "budgets");
	for (size_t i = 0; i < d->budgets.n; i++) {
		json_begin_item(&json);
		json_budget(&json, "budget", d->budgets.at[i]->budget);
		json_pair_int(&json, "disruptionsAllowed",
		    d->budgets.at[i]->allowed);
		json_pair_int(&json, "pods", d->budgets.at[i]->npods);
		json_pair_bool(&json, "blocks", i < d->nblocking);
		json_pair_bool(&json, "slows",
		    i >= d->nblocking && i < d->nblocking + d->nslowing);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_pods(&json, d);
	json_close(&json, '}');
	asked_write(options, &text);
}

/* ---- for people ---- */

static void
print_budgets(const struct drain *d, const struct options *options)
{
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table, "BUDGET|>ALLOWS|>PODS|EFFECT");
	for (size_t i = 0; i < d->nblocking + d->nslowing; i++) {
		const struct whatif_budget *b = d->budgets.at[i];
		bool blocks = i < d->nblocking;

		table_add(&table, blocks ? STYLE_BAD : STYLE_PLAIN, "%s/%s",
		    sym_text(b->budget->object.namespace),
		    b->budget->object.name);
		table_add(&table, STYLE_PLAIN, "%" PRId64, b->allowed);
		table_add(&table, STYLE_PLAIN, "%u", b->npods);
		table_add(&table, blocks ? STYLE_BAD : STYLE_DIM,
		    blocks ? "blocks: no eviction is allowed now" :
			     "slows: the others wait for replacements");
	}
	table_end(&table, &options->screen, 2);
}

static void
print_pods(const struct drain *d, const struct options *options,
    enum drain_fate fate, size_t of)
{
	size_t n = asked_rows(options, of), shown = 0;
	struct table table;

	if (of == 0)
		return;
	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_init(&table, 3);
	table_add(&table, STYLE_HEAD, "POD");
	table_add(&table, STYLE_HEAD, "FROM");
	table_add(&table, STYLE_HEAD, "%s",
	    fate == DRAIN_MOVES       ? "TO" :
		fate == DRAIN_NOWHERE ? "FITS NOWHERE BECAUSE" :
					"STAYS BECAUSE");
	for (size_t i = 0; i < d->npods && shown < n; i++) {
		const struct drain_pod *p = &d->pods[i];

		if (p->fate != fate)
			continue;
		shown++;
		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(p->pod));
		table_add(&table, STYLE_PLAIN, "%s", sym_text(p->from));
		if (fate == DRAIN_MOVES)
			table_add(&table, STYLE_GOOD, "%s%s", sym_text(p->to),
			    p->unmanaged ? " (no controller creates it again)" :
					   "");
		else
			table_add(&table,
			    fate == DRAIN_NOWHERE ? STYLE_BAD : STYLE_DIM, "%s",
			    p->why);
	}
	table_end(&table, &options->screen, 2);
	asked_more(options, of - n);
}

static void
print_several(const struct drain *d, const struct options *options)
{
	for (size_t i = 0; i < d->npods; i++)
		if (d->pods[i].two_budgets)
			screen_print(&options->screen, STYLE_BAD,
			    "%s is in several budgets: it cannot be evicted\n",
			    pod_full_name(d->pods[i].pod));
}

static void
drain_table(const struct drain *d, const struct options *options)
{
	screen_print(&options->screen, STYLE_HEAD,
	    "%zu node%s %s: %zu pod%s would move, %zu fit nowhere, "
	    "%zu stay\n",
	    d->nnodes, plural_of(d->nnodes), options->lost ? "lost" : "drained",
	    d->nmoves, plural_of(d->nmoves), d->nnowhere, d->nstay);
	if (d->nblocking + d->nslowing > 0)
		print_budgets(d, options);
	print_several(d, options);
	print_pods(d, options, DRAIN_NOWHERE, d->nnowhere);
	print_pods(d, options, DRAIN_MOVES, d->nmoves);
	print_pods(d, options, DRAIN_STAYS, d->nstay);
}

static bool
is_several(const struct drain *d)
{
	for (size_t i = 0; i < d->npods; i++)
		if (d->pods[i].two_budgets)
			return true;
	return false;
}

static int
drain_nodes(struct asked *a)
{
	struct names names = { 0 };
	struct drain d;
	int code = find_nodes(a, &names);

	if (code == EXIT_DONE) {
		drain_find(&d, &a->whatif, names.n, names.at, a->options->lost);
		if (a->options->json)
			drain_json(&d, a->options);
		else
			drain_table(&d, a->options);
		if (d.nnowhere > 0 || d.nblocking > 0 || is_several(&d))
			code = EXIT_NEGATIVE;
		drain_fini(&d);
	}
	free(names.at);
	return code;
}

int
drain_run(const struct options *options)
{
	return asked_run(options, drain_nodes);
}
