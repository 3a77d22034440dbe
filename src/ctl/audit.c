/* predicatectl audit: a cluster and its own rules. */
#include "config.h"

#include "whatif/audit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json_out.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "model/workload.h"

/* ---- for programs ---- */

static void
json_pods(struct json_out *json, const struct audit *a)
{
	json_begin(json, "brokenRules");
	for (size_t i = 0; i < a->npods; i++) {
		const struct audit_pod *p = &a->pods[i];

		json_begin_item(json);
		json_pair(json, "pod", pod_full_name(p->pod));
		json_pair(json, "node", sym_text(p->pod->node));
		json_pair(json, "rule", p->rule);
		json_strings(json, "reasons", p->nreasons, p->reasons);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_nodes(struct json_out *json, const struct audit *a)
{
	json_begin(json, "overcommitted");
	for (size_t i = 0; i < a->nnodes; i++) {
		const struct audit_node *n = &a->nodes[i];

		json_begin_item(json);
		json_pair(json, "node", sym_text(n->node->name));
		json_pair(json, "resource", n->resource);
		json_pair_int(json, "requested", n->requested);
		json_pair_int(json, "allocatable", n->allocatable);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_budgets(struct json_out *json, const struct audit *a)
{
	json_begin(json, "blockingBudgets");
	for (size_t i = 0; i < a->nbudgets; i++) {
		const struct object *budget = &a->budgets[i]->budget->object;

		json_begin_item(json);
		json_pair(json, "namespace", sym_text(budget->namespace));
		json_pair(json, "name", budget->name);
		json_pair_int(json, "pods", a->budgets[i]->npods);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_begin(json, "severalBudgets");
	for (size_t i = 0; i < a->nseveral; i++)
		json_string(json, pod_full_name(a->several[i]));
	json_close(json, ']');
}

static void
json_rules(struct json_out *json, const struct audit *a)
{
	json_begin(json, "idleRules");
	for (size_t i = 0; i < a->nrules; i++) {
		json_begin_item(json);
		json_pair(json, "profile", a->rules[i].profile->scheduler_name);
		json_pair(json, "rule", a->rules[i].name);
		json_pair(json, "kind",
		    a->rules[i].is_priority ? "priority" : "predicate");
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
audit_json(const struct audit *a, const struct options *options)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair_int(&json, "pods", (int64_t)a->nchecked);
	json_pods(&json, a);
	json_nodes(&json, a);
	json_budgets(&json, a);
	json_rules(&json, a);
	json_close(&json, '}');
	asked_write(options, &text);
}

/* ---- for people ---- */

static void
print_pods(const struct audit *a, const struct options *options)
{
	struct arena arena = ARENA_INIT;
	size_t n = asked_rows(options, a->npods);
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table, "POD|NODE|BREAKS|BECAUSE");
	for (size_t i = 0; i < n; i++) {
		const struct audit_pod *p = &a->pods[i];

		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(p->pod));
		table_add(&table, STYLE_PLAIN, "%s", sym_text(p->pod->node));
		table_add(&table, STYLE_PLAIN, "%s",
		    p->rule != NULL ? p->rule : "-");
		table_add(&table, STYLE_BAD, "%s",
		    arena_join(&arena, p->nreasons, p->reasons, "; "));
	}
	table_end(&table, &options->screen, 2);
	arena_fini(&arena);
	asked_more(options, a->npods - n);
}

static void
print_nodes(const struct audit *a, const struct options *options)
{
	size_t n = asked_rows(options, a->nnodes);
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table,
	    "OVER-COMMITTED NODE|RESOURCE|>REQUESTED|>ALLOCATABLE");
	for (size_t i = 0; i < n; i++) {
		const struct audit_node *node = &a->nodes[i];

		table_add(&table, STYLE_BAD, "%s", sym_text(node->node->name));
		table_add(&table, STYLE_PLAIN, "%s", node->resource);
		table_add(&table, STYLE_PLAIN, "%" PRId64, node->requested);
		table_add(&table, STYLE_PLAIN, "%" PRId64, node->allocatable);
	}
	table_end(&table, &options->screen, 2);
	asked_more(options, a->nnodes - n);
}

static void
print_budgets(const struct audit *a, const struct options *options)
{
	const struct screen *screen = &options->screen;

	screen_print(screen, STYLE_PLAIN, "\n");
	for (size_t i = 0; i < a->nbudgets; i++) {
		const struct object *budget = &a->budgets[i]->budget->object;

		screen_print(screen, STYLE_BAD,
		    "PodDisruptionBudget %s/%s blocks every drain: %u pod%s, "
		    "none may go\n",
		    sym_text(budget->namespace), budget->name,
		    a->budgets[i]->npods, plural_of(a->budgets[i]->npods));
	}
	for (size_t i = 0; i < a->nseveral; i++)
		screen_print(screen, STYLE_BAD,
		    "%s is in several budgets: it cannot be evicted\n",
		    pod_full_name(a->several[i]));
}

static void
print_rules(const struct audit *a, const struct options *options)
{
	const struct screen *screen = &options->screen;

	screen_print(screen, STYLE_PLAIN,
	    "\nRules that make no difference to any of %zu kind%s of pods:\n",
	    a->nclasses, plural_of(a->nclasses));
	for (size_t i = 0; i < a->nrules; i++) {
		const char *name = a->rules[i].profile->scheduler_name;

		screen_print(screen, STYLE_DIM, "  %s %s%s%s\n",
		    a->rules[i].is_priority ? "priority" : "predicate",
		    a->rules[i].name, name != NULL ? " of profile " : "",
		    name != NULL ? name : "");
	}
}

static void
audit_table(const struct audit *a, const struct options *options)
{
	screen_print(&options->screen, STYLE_HEAD,
	    "%zu of %zu pods break a rule on their node; %zu time%s a node is "
	    "over-committed; %zu budget%s block%s every drain\n",
	    a->npods, a->nchecked, a->nnodes, plural_of(a->nnodes), a->nbudgets,
	    plural_of(a->nbudgets), a->nbudgets == 1 ? "s" : "");
	if (a->npods > 0)
		print_pods(a, options);
	if (a->nnodes > 0)
		print_nodes(a, options);
	if (a->nbudgets + a->nseveral > 0)
		print_budgets(a, options);
	if (a->nrules > 0)
		print_rules(a, options);
}

static int
audit_all(struct asked *asked)
{
	struct audit a;
	int code = EXIT_DONE;

	audit_find(&a, &asked->whatif, asked->load.npods, asked->load.pods);
	if (asked->options->json)
		audit_json(&a, asked->options);
	else
		audit_table(&a, asked->options);
	if (a.npods + a.nnodes + a.nbudgets + a.nseveral > 0)
		code = EXIT_NEGATIVE;
	audit_fini(&a);
	return code;
}

int
audit_run(const struct options *options)
{
	return asked_run(options, audit_all);
}
