/* predicatectl tune: weights with which the pods would be placed better. */
#include "config.h"

#include "explain/whatif/tune.h"

#include <errno.h>

#include "tool/commands/ctl.h"
#include "tool/commands/progress.h"
#include "tool/commands/whatif.h"
#include "explain/cluster_json.h"
#include "policy/convert/rules.h"

/* A policy of the defaults, if none is given. */
static const char no_policy[] =
    "{\"kind\": \"Policy\", \"apiVersion\": \"v1\"}";

/* The question, and the texts that it is made of. */
struct tuning {
	struct asked *a;
	size_t profile; /* its number */
	char *name;     /* of the policy or configuration, or NULL; owned */
	char *text;     /* of it; owned */
	size_t len;
	size_t n;                  /* names */
	struct rule_change *names; /* all that may get a weight: owned array */
	char *added;               /* names of --add, each with a NUL; owned */
	struct profiles *wide;     /* profiles with all of them; owned */
	int64_t *today;            /* by priority of the wide profile; owned */
};

static const struct profile *
own_profile(const struct tuning *q)
{
	return q->a->profiles->at[q->profile];
}

/* ---- which priorities ---- */

/* The names that serve the objective, by the vocabulary of the release; "": none. */
static const char *
names_for(enum objective objective, int release)
{
	static const char *const of_policies[OBJECTIVES] = {
		[OBJECTIVE_PACKING] = "MostRequestedPriority",
		[OBJECTIVE_SPREAD] =
		    "LeastRequestedPriority,BalancedResourceAllocation",
		[OBJECTIVE_ZONES] = "SelectorSpreadPriority",
		[OBJECTIVE_BALANCE] = "BalancedResourceAllocation",
	};
	static const char *const of_plugins[OBJECTIVES] = {
		[OBJECTIVE_PACKING] = "NodeResourcesMostAllocated",
		[OBJECTIVE_SPREAD] = ("NodeResourcesLeastAllocated,"
				      "NodeResourcesBalancedAllocation"),
		[OBJECTIVE_ZONES] = "",
		[OBJECTIVE_BALANCE] = "NodeResourcesBalancedAllocation",
	};

	if (release < 20)
		return of_policies[objective];
	/* the two strategies are arguments of NodeResourcesFit */
	if (release >= 36)
		return objective == OBJECTIVE_BALANCE ||
			objective == OBJECTIVE_SPREAD ?
		    "NodeResourcesBalancedAllocation" :
		    "";
	return of_plugins[objective];
}

/* Of the name; q->n: it has none. */
static size_t
place_of(const struct tuning *q, const char *name)
{
	size_t i = 0;

	while (i < q->n && strcmp(q->names[i].rule, name) != 0)
		i++;
	return i;
}

static void
add_name(struct tuning *q, size_t *cap, const char *name, int64_t weight)
{
	vec_room(q->names, q->n, cap);
	q->names[q->n++] = (struct rule_change){ own_profile(q)->scheduler_name,
		name, RULE_SCORES, weight };
}

/* Those of the profile, in its order, and those that are added. */
static void
find_names(struct tuning *q)
{
	const struct options *o = q->a->options;
	const struct profile *p = own_profile(q);
	const struct profile_point *score = &p->points[POINT_SCORE];
	size_t cap = 0;
	char *rest, *name;

	for (size_t i = 0; i < (score->n > 0 ? score->n : p->npriorities); i++)
		if (score->n > 0)
			add_name(q, &cap, score->plugins[i].name,
			    score->plugins[i].weight);
		else
			add_name(q, &cap, p->priorities[i].name,
			    p->priorities[i].weight);
	q->added = xstrdup(
	    o->add != NULL ? o->add : names_for(o->objective, p->vocabulary));
	rest = q->added;
	while ((name = strsep(&rest, ",")) != NULL) {
		if (*name != '\0' && place_of(q, name) == q->n)
			add_name(q, &cap, name, 0);
	}
}

/* ---- texts ---- */

/* As the profiles were read. */
static int
read_text(struct tuning *q)
{
	const struct options *o = q->a->options;
	bool is_configuration = false;
	struct err err;

	if (load_rules(o, &q->name, &q->text, &q->len, &err) != 0)
		return ctl_fail(&err);
	if (q->text == NULL)
		q->text = openshift_text(&q->a->load.openshift, o, &q->len,
		    &is_configuration);
	if (is_configuration) {
		ctl_print(
		    "the cluster's Scheduler object names no policy; give "
		    "one with --policy, or a configuration with --config");
		return EXIT_INPUT;
	}
	if (q->text == NULL) {
		q->text = xstrdup(no_policy);
		q->len = strlen(no_policy);
	}
	return EXIT_DONE;
}

/* The text with these weights, and its profiles; you own both. */
static struct profiles *
reweigh(const struct tuning *q, const struct rule_change *weights, char **text)
{
	const struct options *o = q->a->options;
	struct profiles *profiles = NULL;
	struct text out = { 0 };
	struct err err;

	if (rules_change(q->text, q->len, q->a->profiles, q->n, weights, &out,
		&err) == 0)
		profiles = load_profiles_text(o, out.bytes, out.len, &err);
	*text = text_take(&out);
	if (profiles == NULL)
		ctl_print("these priorities are refused: %s", err.text);
	return profiles;
}

/* Whether the text says what it should: the profile has these weights, and rules as
 * today. */
static bool
is_as_meant(const struct tuning *q, const struct profiles *profiles,
    const struct rule_change *weights)
{
	const struct profile *p, *own = own_profile(q);
	size_t n = 0;

	if (profiles->n != q->a->profiles->n)
		return false;
	p = profiles->at[q->profile];
	for (size_t i = 0; i < q->n; i++)
		n += weights[i].weight > 0;
	if (p->npriorities != n || p->npredicates != own->npredicates ||
	    ANY(i, p->npredicates,
		p->predicates[i].unit != own->predicates[i].unit))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t k = place_of(q, p->priorities[i].name);

		if (k == q->n || weights[k].weight != p->priorities[i].weight)
			return false;
	}
	return true;
}

/* reweigh() that is checked; NULL: standard error has the reason. */
static struct profiles *
reweigh_checked(const struct tuning *q, const struct rule_change *weights,
    char **text)
{
	struct profiles *profiles = reweigh(q, weights, text);

	if (profiles == NULL || is_as_meant(q, profiles, weights))
		return profiles;
	ctl_print("%s cannot be written with other weights",
	    q->name != NULL ? q->name : "the policy");
	profiles_free(profiles);
	return NULL;
}

/* ---- progress ---- */

static bool
go_on(void *arg, const struct tune_progress *p)
{
	if (p->tried == 0)
		return long_work_goes_on(arg, "today's weights");
	if (p->round > p->rounds)
		return long_work_goes_on(arg,
		    "all combinations: %zu simulations; cost %.4f, today %.4f",
		    p->tried, p->best, p->today);
	return long_work_goes_on(arg,
	    "round %zu of %zu: %zu simulations; cost %.4f, today %.4f",
	    p->round, p->rounds, p->tried, p->best, p->today);
}

/* ---- the result ---- */

struct answer {
	const struct tuning *q;
	const struct tune *t;
	const struct long_work *work;
	bool improved;
	char *text; /* the proposal; owned */
};

/* The weights of the proposal by name. */
static struct rule_change *
proposed(const struct tuning *q, const struct tune *t)
{
	const struct profile *wide = q->wide->at[q->profile];
	struct rule_change *weights = xcalloc(q->n + 1, sizeof(*weights));

	memcpy(weights, q->names, q->n * sizeof(*weights));
	for (size_t i = 0; i < t->nweights; i++)
		weights[place_of(q, wide->priorities[i].name)].weight =
		    t->best.weights[i];
	return weights;
}

static void
put_costs(struct json_out *json, const char *key, const struct tune_result *r)
{
	json_break(json, " ");
	json_open_member(json, key, '{');
	json_pair_int(json, "nodesInUse", r->nodes_in_use);
	json_open_member(json, "costs", '{');
	for (enum objective i = 0; i < OBJECTIVES; i++) {
		json_key(json, objective_name(i));
		json_number(json, r->costs[i], 6);
	}
	json_close(json, '}');
	balance_json(json, "balance", &r->balance, r->placed);
	json_close(json, '}');
}

static void
add_weights(struct report *r, const struct answer *answer)
{
	const struct tuning *q = answer->q;
	const struct tune *t = answer->t;
	const struct profile *wide = q->wide->at[q->profile];

	report_rows(r, "weights",
	    "priority=WEIGHT OF|today|=>TODAY|proposed|=>PROPOSED");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < t->nweights; i++) {
		struct report_cell today = cell_count(q->today[i]), old = today;
		struct report_cell proposed = cell_count(t->best.weights[i]);
		struct report_cell new = proposed;

		if (today.number <= 0)
			old = cell_text("-");
		if (proposed.number <= 0)
			new = cell_text("-");
		new.style =
		    today.number != proposed.number ? STYLE_GOOD : STYLE_DIM;
		report_row(r, cell_text(wide->priorities[i].name), today, old,
		    proposed, new);
	}
	report_rows_end(r);
}

/* A row of a measure, in this form. */
static void
add_measure(struct report *r, enum style style, const char *what,
    const char *of, int digits, const char *unit, double today, double proposed)
{
	struct arena *arena = &r->arena;

	report_row(r, cell_styled(style, arena_printf(arena, "%s%s", what, of)),
	    cell_styled(style,
		arena_printf(arena, "%.*f%s", digits, today, unit)),
	    cell_styled(style,
		arena_printf(arena, "%.*f%s", digits, proposed, unit)));
}

static void
add_measures(struct report *r, const struct answer *answer)
{
	const struct tune_result *today = &answer->t->today;
	const struct tune_result *best = &answer->t->best;
	const struct balance_resource *old = today->balance.resources;
	const struct balance_resource *new = best->balance.resources;
	size_t n = today->balance.nresources;

	report_rows(r, NULL, "=MEASURE|=>TODAY|=>PROPOSED");
	r->limit = SIZE_MAX;
	add_measure(r, STYLE_PLAIN, "pods placed", "", 0, "",
	    (double)today->placed, (double)best->placed);
	add_measure(r, STYLE_PLAIN, "nodes in use", "", 0, "",
	    today->nodes_in_use, best->nodes_in_use);
	for (enum objective i = 0; i < OBJECTIVES; i++)
		add_measure(r,
		    i == r->options->objective ? STYLE_GOOD : STYLE_PLAIN,
		    "cost of ", objective_name(i), 4, "", today->costs[i],
		    best->costs[i]);
	for (size_t i = 0; i < n; i++)
		add_measure(r, STYLE_PLAIN, "mean use of ", old[i].name, 1, "%",
		    100 * old[i].mean, 100 * new[i].mean);
	for (size_t i = 0; i < n; i++)
		add_measure(r, STYLE_PLAIN, "unevenness of ", old[i].name, 3,
		    "", old[i].cv, new[i].cv);
	for (size_t i = 0; i < n; i++)
		add_measure(r, STYLE_PLAIN, "stranded ", old[i].name, 1, "%",
		    100 * stranded_share(&old[i]),
		    100 * stranded_share(&new[i]));
	report_rows_end(r);
}

static void
report(const struct answer *answer)
{
	const struct tune *t = answer->t;
	const struct options *o = answer->q->a->options;
	const char *name = objective_name(o->objective);
	const char *kind = o->config != NULL ? "configuration" : "policy";
	struct report r;

	report_begin(&r, o);
	json_members(&r.json,
	    "objective:s improved:b pods:d simulations:d exhaustive:b "
	    "stopped:s",
	    name, answer->improved, (int64_t)t->npods, (int64_t)t->tried,
	    t->exhaustive, long_work_why(answer->work));
	if (answer->improved)
		report_print(&r, STYLE_HEAD,
		    "Cost of %s %.4f instead of %.4f, %zu of %zu pods placed "
		    "instead of %zu\n",
		    name, t->best.costs[o->objective],
		    t->today.costs[o->objective], t->best.placed, t->npods,
		    t->today.placed);
	else
		report_print(&r, STYLE_HEAD,
		    "No better weights for %s were found: cost %.4f, %zu of "
		    "%zu pods placed\n",
		    name, t->today.costs[o->objective], t->today.placed,
		    t->npods);
	report_print(&r, STYLE_DIM, "%zu simulation%s%s%s%s\n", t->tried,
	    plural_of(t->tried),
	    t->exhaustive ? ": all combinations of weights" : "",
	    t->stopped ? "; " : "",
	    t->stopped ? long_work_why(answer->work) : "");
	add_weights(&r, answer);
	put_costs(&r.json, "today", &t->today);
	put_costs(&r.json, "proposed", &t->best);
	json_break(&r.json, " ");
	json_key(&r.json, kind);
	json_raw(&r.json, answer->text);
	add_measures(&r, answer);
	if (answer->improved && o->write == NULL)
		report_print(&r, STYLE_DIM,
		    "\n--write FILE writes the %s with these weights.\n", kind);
	report_end(&r);
}

/* ---- the command ---- */

static bool
has_zones(const struct cluster *cluster)
{
	return ANY(i, cluster->nnodes,
	    node_zone_label(cluster->nodes[i]->node) !=
		node_zone_label(cluster->nodes[0]->node));
}

/* The profiles with all priorities, each with a weight. */
static int
widen(struct tuning *q)
{
	struct rule_change *weights = xcalloc(q->n + 1, sizeof(*weights));
	const struct profile *wide;
	AUTOFREE char *text = NULL;

	memcpy(weights, q->names, q->n * sizeof(*weights));
	for (size_t i = 0; i < q->n; i++)
		if (weights[i].weight == 0)
			weights[i].weight = 1;
	q->wide = reweigh_checked(q, weights, &text);
	free(weights);
	if (q->wide == NULL)
		return EXIT_INPUT;
	wide = q->wide->at[q->profile];
	q->today = xcalloc(wide->npriorities + 1, sizeof(*q->today));
	for (size_t i = 0; i < wide->npriorities; i++)
		q->today[i] =
		    q->names[place_of(q, wide->priorities[i].name)].weight;
	return EXIT_DONE;
}

static int
print_answer(struct answer *answer)
{
	const struct tuning *q = answer->q;
	const struct options *o = q->a->options;
	struct rule_change *weights = proposed(q, answer->t);
	struct profiles *profiles = reweigh_checked(q, weights, &answer->text);
	int code = EXIT_DONE;

	free(weights);
	if (profiles == NULL)
		return EXIT_INPUT;
	profiles_free(profiles);
	report(answer);
	if (!answer->improved)
		return EXIT_NEGATIVE;
	if (o->write != NULL)
		code = load_write(o->write, "wxe", answer->text,
		    strlen(answer->text));
	return code;
}

static int
search(struct tuning *q)
{
	const struct options *o = q->a->options;
	struct long_work work;
	struct tune t;
	struct answer answer = { .q = q, .t = &t, .work = &work };
	struct tune_ask ask = {
		.objective = o->objective,
		.profile = q->profile,
		.today = q->today,
		.max_weight = o->max_weight,
		.rounds = o->rounds,
		.pending = o->pending_only,
		.npods = q->a->load.npods,
		.pods = q->a->load.pods,
		.go_on = go_on,
		.arg = &work,
	};
	struct whatif w;
	int code;

	asked_of(q->a, &w, q->wide);
	long_work_begin(&work, o);
	tune_find(&t, &w, &ask);
	long_work_end(&work);
	whatif_fini(&w);
	answer.improved = memcmp(t.today.weights, t.best.weights,
			      t.nweights * sizeof(*t.best.weights)) != 0;
	code = print_answer(&answer);
	free(answer.text);
	tune_fini(&t);
	return code;
}

int
tune_ask(struct asked *a)
{
	const struct options *o = a->options;
	struct tuning q = { .a = a };
	const struct profile *profile;
	int code;

	if (o->write != NULL && access(o->write, F_OK) == 0) {
		ctl_print("%s: %s", o->write, strerror(EEXIST));
		return EXIT_INPUT;
	}
	if (o->objective == OBJECTIVE_ZONES && !has_zones(a->load.cluster)) {
		ctl_print("all nodes are in one zone: there is nothing to "
			  "spread");
		return EXIT_INPUT;
	}
	profile = load_profile_chosen(o, a->profiles);
	if (profile == NULL)
		return EXIT_INPUT;
	q.profile = whatif_place_of(&a->whatif, profile);
	code = read_text(&q);
	if (code == EXIT_DONE) {
		find_names(&q);
		code = widen(&q);
	}
	if (code == EXIT_DONE)
		code = search(&q);
	profiles_free(q.wide);
	free(q.name);
	free(q.text);
	free(q.names);
	free(q.added);
	free(q.today);
	return code;
}
