/* predicatectl diff: two policies, configurations or releases on one cluster. */
#include "config.h"

#include "explain/whatif/diff.h"

#include <inttypes.h>

#include "policy/convert/convert.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "objects/release.h"
#include "explain/cluster_json.h"

struct diff_side {
	int release; /* 0: not given */
	const struct profiles *profiles;
};

static const char *
share(struct report *r, double value)
{
	return arena_printf(&r->arena, "%.1f%%", 100 * value);
}

static void
add_balance(struct report *r, const struct diff *d)
{
	const struct balance *old = &d->old_balance, *new = &d->new_balance;

	json_break(&r->json, " ");
	json_open_member(&r->json, "balance", '{');
	balance_json(&r->json, "old", old, d->old_placed);
	balance_json(&r->json, "new", new, d->new_placed);
	json_close(&r->json, '}');
	report_print(r, STYLE_PLAIN,
	    "\nPlaced: %zu old, %zu new; empty nodes: %u old, %u new\n",
	    d->old_placed, d->new_placed, old->nempty, new->nempty);
	report_rows(r, NULL,
	    "^=RESOURCE|=>MEAN|=>NEW|=>MAX|=>NEW|=>UNEVENNESS|=>NEW|=>STRANDED|=>NEW");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < old->nresources; i++) {
		const struct balance_resource *o = &old->resources[i];
		const struct balance_resource *n = &new->resources[i];

		report_row(r, cell_text(o->name), cell_text(share(r, o->mean)),
		    cell_text(share(r, n->mean)), cell_text(share(r, o->max)),
		    cell_text(share(r, n->max)),
		    cell_text(arena_printf(&r->arena, "%.3f", o->cv)),
		    cell_text(arena_printf(&r->arena, "%.3f", n->cv)),
		    cell_text(share(r, stranded_share(o))),
		    cell_text(share(r, stranded_share(n))));
	}
	report_rows_end(r);
	report_rows(r, NULL, "=ZONE|=>PODS|=>NEW|=>CPU|=>NEW|=>MEMORY|=>NEW");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < old->nzones; i++) {
		const struct balance_zone *o = &old->zones[i];
		const struct balance_zone *n = &new->zones[i];

		report_row(r,
		    cell_text(o->name[0] != '\0' ? o->name : "(none)"),
		    cell_count(o->npods), cell_count(n->npods),
		    cell_text(share(r, o->cpu)), cell_text(share(r, n->cpu)),
		    cell_text(share(r, o->memory)),
		    cell_text(share(r, n->memory)));
	}
	report_rows_end(r);
}

/* ---- changes between two releases ---- */

/* Whether a plugin's change is one of the rule, which a policy may call otherwise. */
static bool
is_about(const struct release_change *change, const char *rule)
{
	const char *filter = counterpart_name(RULE_FILTERS, change->rule);
	const char *score = counterpart_name(RULE_SCORES, change->rule);

	return strcmp(change->rule, rule) == 0 ||
	    (filter != NULL && strcmp(filter, rule) == 0) ||
	    (score != NULL && strcmp(score, rule) == 0);
}

/* Of the first profile's priority; 0: it has none with this name. */
static int64_t
weight_in(const struct profiles *profiles, const char *rule)
{
	const struct profile *p = profiles->at[0];
	const struct profile_priority *found =
	    FIND_ROW(p->priorities, p->npriorities, name, rule);

	return found != NULL ? found->weight : 0;
}

/* What has changed of a rule that tips pods. */
static void
add_changes_of(struct report *r, const struct diff_rule *rule,
    const struct diff_side *sides)
{
	const struct release_change *change = NULL;
	int64_t old = weight_in(sides[0].profiles, rule->name);
	int64_t new = weight_in(sides[1].profiles, rule->name);

	if (old != new)
		report_row(r, cell_text(rule->name), cell_count(rule->pods),
		    cell_text(NULL),
		    cell_text(arena_printf(&r->arena,
			"weight %" PRId64 " instead of %" PRId64, new, old)));
	while ((change = release_change_next(change, sides[0].release,
		    sides[1].release)) != NULL)
		if (is_about(change, rule->name))
			report_row(r, cell_text(rule->name),
			    cell_count(rule->pods),
			    cell_text(
				arena_printf(&r->arena, "1.%d", change->since)),
			    cell_text(change->what));
}

/* The changes of rules that tip pods, then how many others there are. */
static void
add_changes(struct report *r, const struct diff *d,
    const struct diff_side *sides)
{
	const struct release_change *change = NULL;
	size_t nothers = 0;

	if (sides[0].release == 0 || sides[1].release == 0)
		return;
	report_rows(r, "changes",
	    "-rule=RULE|pods=>PODS|since=SINCE|change=WHAT CHANGED");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < d->nrules; i++)
		add_changes_of(r, &d->rules[i], sides);
	while ((change = release_change_next(change, sides[0].release,
		    sides[1].release)) != NULL) {
		if (ANY(i, d->nrules, is_about(change, d->rules[i].name)))
			continue;
		nothers++;
		if (r->options->all || r->options->json)
			report_row(r, cell_text(change->rule), cell_count(0),
			    cell_text(
				arena_printf(&r->arena, "1.%d", change->since)),
			    cell_text(change->what));
	}
	report_rows_end(r);
	if (nothers > 0 && !r->options->all)
		report_print(r, STYLE_DIM,
		    "  and %zu more changes of rules from 1.%d to 1.%d that tip "
		    "no pod here (--all)\n",
		    nothers, sides[0].release, sides[1].release);
}

/* ---- the result ---- */

static const char *
because(struct report *r, const struct diff_pod *p)
{
	if (p->why == NULL)
		return p->cause == DIFF_RULE ? "" : diff_cause_name(p->cause);
	return p->cause == DIFF_RULE ? p->why :
				       arena_printf(&r->arena, "%s: %s",
					   diff_cause_name(p->cause), p->why);
}

/* For people: a line for the pods of one owner that go the same way for one rule; first
 * those that lose their place. */
static void
add_groups(struct report *r, const struct diff *d)
{
	const struct diff_pod **moved =
	    arena_array(&r->arena, const struct diff_pod *, d->npods);
	struct keyed_pod *pods =
	    arena_array(&r->arena, struct keyed_pod, d->npods);
	struct pod_group *groups;
	size_t n = 0, ngroups;

	for (size_t i = 0; i < d->npods; i++) {
		const struct diff_pod *p = &d->pods[i];
		const struct pod_class *class = p->pod->class;
		bool is_owned = class->controller_uid != SYM_NONE;

		if (p->old_node == p->new_node)
			continue;
		moved[n] = p;
		pods[n++] = (struct keyed_pod){ p->pod,
			arena_printf(&r->arena, "%d %s %s %d %d %s",
			    p->new_node == SYM_NONE, sym_text(class->namespace),
			    is_owned ? sym_text(class->controller_uid) :
				       p->pod->object.name,
			    p->old_node == SYM_NONE, p->cause,
			    p->rule != NULL ? p->rule : ""),
			because(r, p) };
	}
	groups = report_groups(r, n, pods, &ngroups);
	report_rows(r, NULL, "=>PODS|=SUCH AS|=THEN|=~BECAUSE");
	for (size_t i = 0; i < 2 * ngroups; i++) {
		const struct pod_group *g = &groups[i % ngroups];
		const char *why = pods[g->first].text;
		bool lost = moved[g->first]->new_node == SYM_NONE;

		if (lost != (i < ngroups))
			continue;
		report_row(r, cell_count((int64_t)g->npods), cell_such_as(r, g),
		    lost ? cell_styled(STYLE_BAD, "nowhere") :
			   cell_text(moved[g->first]->old_node == SYM_NONE ?
				   "placed" :
				   "elsewhere"),
		    cell_text(g->differs && why[0] != '\0' ?
			    arena_printf(&r->arena, "for example: %s", why) :
			    why));
	}
	report_rows_end(r);
}

void
diff_print(const struct diff *d, const struct options *options,
    const char *noun, const struct diff_side *sides)
{
	bool by_owner = !options->all &&
	    d->nelsewhere + d->nunschedulable + d->nschedulable > SHOWN_ROWS;
	size_t others = d->causes[DIFF_RULE].pods;
	struct report r;

	report_begin(&r, options);
	json_members(&r.json, "pods:z", d->ndecided);
	diff_json(&r.json, d);
	report_print(&r, STYLE_HEAD,
	    "Of %zu %s%s %zu would go elsewhere, %zu become unschedulable, "
	    "%zu schedulable\n",
	    d->ndecided, noun, plural_of(d->ndecided), d->nelsewhere,
	    d->nunschedulable, d->nschedulable);
	if (d->nseeds > 0 && d->causes[DIFF_MOVED].pods > 0) {
		report_print(&r, STYLE_PLAIN, "%zu", d->causes[DIFF_RULE].pods);
		if (d->nseeds > 1)
			report_print(&r, STYLE_PLAIN, " (±%.0f)",
			    d->causes[DIFF_RULE].deviation);
		report_print(&r, STYLE_PLAIN,
		    " caused by a rule, %zu follow from them (pods before them "
		    "take room or leave some), %zu are ties",
		    d->causes[DIFF_KNOCK_ON].pods, d->causes[DIFF_CHANCE].pods);
		if (d->nseeds > 1)
			report_print(&r, STYLE_PLAIN, "; ± over %u seeds",
			    d->nseeds);
		report_print(&r, STYLE_PLAIN, "\n");
	}
	report_rows(&r, "rules", "-=>PODS|rule=RULE THAT TIPS THEM|pods");
	r.limit = SIZE_MAX;
	for (size_t i = 0; i < d->nrules; i++) {
		report_row(&r, cell_count(d->rules[i].pods),
		    cell_text(d->rules[i].name), cell_count(d->rules[i].pods));
		others -= d->rules[i].pods;
	}
	report_rows_end(&r);
	if (others > 0 && d->nrules > 0)
		report_print(&r, STYLE_DIM,
		    "  and %zu more; rules are those of the first %zu.\n",
		    others, d->nexplained);
	if (by_owner && report_is_for_people(&r))
		add_groups(&r, d);
	report_rows(&r, "differences",
	    by_owner ?
		"pod|now|old|new|cause|rule|why" :
		"pod=POD|now=NOW|old=OLD|new=NEW|cause|rule|why|=~BECAUSE");
	for (size_t i = 0; i < d->npods; i++) {
		const struct diff_pod *p = &d->pods[i];
		struct report_cell new = cell_node(p->new_node);

		if (p->old_node == p->new_node)
			continue;
		new.style = new.text == NULL ? STYLE_BAD : STYLE_PLAIN;
		report_row(&r, cell_pod(&r, p->pod), cell_node(p->now),
		    cell_node(p->old_node), new,
		    cell_text(diff_cause_name(p->cause)), cell_text(p->rule),
		    cell_text(p->why), cell_text(because(&r, p)));
	}
	report_rows_end(&r);
	if (sides != NULL) {
		add_changes(&r, d, sides);
		add_balance(&r, d);
	}
	report_end(&r);
}

/* ---- the command ---- */

/* Makes *side of the options read "FILE", "FILE@1.29", or "1.29", the defaults of that
 * release.  What is made for it lives in the arena. */
static int
read_side(const struct options *options, const char *word, struct arena *arena,
    struct options *side)
{
	const char *at = strrchr(word, '@');
	int release = release_parse(at != NULL ? at + 1 : word);
	struct convert_target target;
	struct err err;

	*side = *options;
	if (release >= 0)
		side->kubernetes_minor = side->policy_options.kubernetes_minor =
		    release_of_rules(release);
	if (release < 0 || at != NULL)
		return load_choose(side,
		    release < 0 ?
			word :
			arena_strndup(arena, word, (size_t)(at - word)));
	if (release > RELEASE_NEWEST) {
		ctl_print("'%s': the newest release that is known is 1.%d",
		    word, RELEASE_NEWEST);
		return EXIT_USAGE;
	}
	word = arena_printf(arena, "the defaults of 1.%d", release);
	if (convert_target(NULL, release, &target, &err) != 0) {
		side->policy = word;
		side->rules = "{\"kind\":\"Policy\",\"apiVersion\":\"v1\"}";
		return EXIT_DONE;
	}
	side->config = word;
	side->rules = arena_printf(arena,
	    "apiVersion: kubescheduler.config.k8s.io/%s\n"
	    "kind: KubeSchedulerConfiguration\n",
	    target.version);
	return EXIT_DONE;
}

/* The options as they were given, and those of OLD; the first member is what an asked
 * has. */
struct both {
	struct options old;
	const struct options *given;
	struct arena *arena;
};

static int
diff_against(struct asked *a, const struct options *options,
    struct profiles **profiles)
{
	struct asked other = { .options = options };
	int release = load_release(&a->load, options), code;
	struct diff_side sides[] = {
		{ a->options->kubernetes_minor, a->profiles },
		{ options->kubernetes_minor, NULL },
	};
	struct whatif new;
	struct diff d;

	load_follow_release(options, release, profiles);
	sides[1].profiles = *profiles;
	load_again(&a->load, *profiles, release, 0, 1, &other.load);
	asked_of(&other, &new, *profiles);
	diff_find(&d, &a->whatif, &new, a->load.npods, a->load.pods,
	    options->seeds);
	diff_print(&d, a->options, "pod", sides);
	code = d.nunschedulable > 0 ? EXIT_NEGATIVE : EXIT_DONE;
	diff_fini(&d);
	whatif_fini(&new);
	load_fini(&other.load);
	return code;
}

static int
diff_both(struct asked *a)
{
	const struct both *both = (const struct both *)a->options;
	const struct options *given = both->given;
	struct profiles *profiles = NULL;
	struct options new;
	int code = read_side(given, given->words[1], both->arena, &new);

	if (code == EXIT_DONE)
		code = load_profiles(&new, &profiles);
	if (code == EXIT_DONE)
		code = diff_against(a, &new, &profiles);
	profiles_free(profiles);
	return code;
}

int
diff_run(const struct options *options)
{
	struct arena arena = ARENA_INIT;
	struct both both = { .given = options, .arena = &arena };
	int code = read_side(options, options->words[0], &arena, &both.old);

	if (code == EXIT_DONE)
		code = asked_run(&both.old, diff_both);
	arena_fini(&arena);
	return code;
}
