/* predicatectl audit: a cluster and its own rules. */
#include "config.h"

#include "explain/whatif/audit.h"

#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "objects/workload.h"

static void
add_budgets(struct report *r, const struct audit *a)
{
	const char **several =
	    arena_array(&r->arena, const char *, a->nseveral + 1);

	report_rows(r, "blockingBudgets", "namespace|name|pods");
	if (a->nbudgets + a->nseveral > 0)
		report_print(r, STYLE_PLAIN, "\n");
	for (size_t i = 0; i < a->nbudgets; i++) {
		const struct object *budget = &a->budgets[i]->budget->object;
		const char *namespace = sym_text(budget->namespace);

		report_row(r, cell_text(namespace), cell_text(budget->name),
		    cell_count(a->budgets[i]->npods));
		report_print(r, STYLE_BAD,
		    "PodDisruptionBudget %s/%s blocks every drain: %u pod%s, "
		    "none may go; %s\n",
		    namespace, budget->name, a->budgets[i]->npods,
		    plural_of(a->budgets[i]->npods),
		    budget_obstacle(a->budgets[i]->budget));
	}
	report_rows_end(r);
	for (size_t i = 0; i < a->nseveral; i++) {
		several[i] = cell_pod(r, a->several[i]).text;
		report_print(r, STYLE_BAD, SEVERAL_BUDGETS, several[i]);
	}
	json_break(&r->json, " ");
	json_texts(&r->json, "severalBudgets", a->nseveral, several);
}

static void
add_rules(struct report *r, const struct audit *a)
{
	report_rows(r, "idleRules", "profile|rule|kind");
	if (a->nrules > 0)
		report_print(r, STYLE_PLAIN,
		    "\nRules that make no difference to any of %zu kind%s of "
		    "pods:\n",
		    a->nclasses, plural_of(a->nclasses));
	for (size_t i = 0; i < a->nrules; i++) {
		const char *profile = a->rules[i].profile->scheduler_name;
		const char *kind =
		    a->rules[i].is_priority ? "priority" : "predicate";

		report_row(r, cell_text(profile), cell_text(a->rules[i].name),
		    cell_text(kind));
		report_print(r, STYLE_DIM, "  %s %s%s%s\n", kind,
		    a->rules[i].name, profile != NULL ? " of profile " : "",
		    profile != NULL ? profile : "");
	}
	report_rows_end(r);
}

/* For people: a line for the pods that break the same rule for the same reasons. */
static void
add_groups(struct report *r, const struct audit *a)
{
	struct keyed_pod *pods =
	    arena_array(&r->arena, struct keyed_pod, a->npods);
	struct pod_group *groups;
	size_t ngroups;

	for (size_t i = 0; i < a->npods; i++) {
		const struct audit_pod *p = &a->pods[i];
		const char *key = p->rule;

		for (size_t k = 0; k < p->nreasons; k++)
			key = arena_printf(&r->arena, "%s\n%s", key,
			    p->reasons[k]);
		pods[i] =
		    (struct keyed_pod){ p->pod, key, sym_text(p->pod->node) };
	}
	groups = report_groups(r, a->npods, pods, &ngroups);
	report_rows(r, NULL, "=>PODS|=SUCH AS|=ON NODE|=BREAKS|=!BECAUSE");
	for (size_t i = 0; i < ngroups; i++) {
		const struct pod_group *g = &groups[i];
		const struct audit_pod *p = &a->pods[g->first];

		report_row(r, cell_count((int64_t)g->npods), cell_such_as(r, g),
		    cell_text(g->differs ? "several" : sym_text(p->pod->node)),
		    cell_text(p->rule), cell_list(p->nreasons, p->reasons));
	}
	report_rows_end(r);
}

static void
report(const struct audit *a, const struct options *options)
{
	struct report r;

	report_begin(&r, options);
	json_pair_int(&r.json, "pods", (int64_t)a->nchecked);
	report_print(&r, STYLE_HEAD,
	    "%zu of %zu pods break a rule on their node; %zu time%s a node is "
	    "over-committed; %zu budget%s block%s every drain\n",
	    a->npods, a->nchecked, a->nnodes, plural_of(a->nnodes), a->nbudgets,
	    plural_of(a->nbudgets), a->nbudgets == 1 ? "s" : "");
	if (a->nstaying > 0)
		report_print(&r, STYLE_PLAIN,
		    "%zu pod%s on %zu cordoned node%s stay%s: that breaks no "
		    "rule\n",
		    a->nstaying, plural_of(a->nstaying), a->ncordoned,
		    plural_of(a->ncordoned), a->nstaying == 1 ? "s" : "");
	json_members(&r.json, "cordoned:z staying:z", a->ncordoned,
	    a->nstaying);
	if (!options->all && report_is_for_people(&r))
		add_groups(&r, a);
	report_rows(&r, "brokenRules",
	    options->all ? "pod=POD|node=NODE|rule=BREAKS|reasons=!BECAUSE" :
			   "pod|node|rule|reasons");
	for (size_t i = 0; i < a->npods; i++) {
		const struct audit_pod *p = &a->pods[i];

		report_row(&r, cell_pod(&r, p->pod), cell_node(p->pod->node),
		    cell_text(p->rule), cell_list(p->nreasons, p->reasons));
	}
	report_rows_end(&r);
	report_rows(&r, "overcommitted",
	    "node=!OVER-COMMITTED NODE|resource=RESOURCE|"
	    "requested=>REQUESTED|allocatable=>ALLOCATABLE");
	for (size_t i = 0; i < a->nnodes; i++) {
		const struct audit_node *n = &a->nodes[i];

		report_row(&r, cell_node(n->node->name), cell_text(n->resource),
		    cell_count(n->requested), cell_count(n->allocatable));
	}
	report_rows_end(&r);
	add_budgets(&r, a);
	add_rules(&r, a);
	report_end(&r);
}

int
audit_ask(struct asked *asked)
{
	struct audit a;
	int code = EXIT_DONE;

	audit_find(&a, &asked->whatif, asked->load.npods, asked->load.pods);
	report(&a, asked->options);
	if (a.npods + a.nnodes + a.nbudgets + a.nseveral > 0)
		code = EXIT_NEGATIVE;
	audit_fini(&a);
	return code;
}
