/* predicatectl diff: two policies or configurations on one cluster. */
#include "config.h"

#include "whatif/diff.h"

#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "page/cluster_json.h"

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
	report_say(r, STYLE_PLAIN,
	    "\nPlaced by one alone: %zu old, %zu new; empty nodes: %u old, "
	    "%u new\n",
	    d->old_placed, d->new_placed, old->nempty, new->nempty);
	report_rows(r, NULL,
	    "^=RESOURCE|=>MEAN|=>NEW|=>MAX|=>NEW|=>CV|=>NEW|=>STRANDED|=>NEW");
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
		    cell_whole(o->npods), cell_whole(n->npods),
		    cell_text(share(r, o->cpu)), cell_text(share(r, n->cpu)),
		    cell_text(share(r, o->memory)),
		    cell_text(share(r, n->memory)));
	}
	report_rows_end(r);
}

void
diff_print(const struct diff *d, const struct options *options,
    const char *noun, bool with_balance)
{
	struct report r;

	report_begin(&r, options);
	json_members(&r.json,
	    "pods:d elsewhere:d unschedulable:d schedulable:d explained:d",
	    (int64_t)d->ndecided, (int64_t)d->nelsewhere,
	    (int64_t)d->nunschedulable, (int64_t)d->nschedulable,
	    (int64_t)d->nexplained);
	report_say(&r, STYLE_HEAD,
	    "Of %zu %s%s %zu would go elsewhere, %zu become unschedulable, "
	    "%zu schedulable\n",
	    d->ndecided, noun, plural_of(d->ndecided), d->nelsewhere,
	    d->nunschedulable, d->nschedulable);
	report_rows(&r, "rules", "-=>PODS|rule=RULE THAT TIPS THEM|pods");
	r.limit = SIZE_MAX;
	for (size_t i = 0; i < d->nrules; i++)
		report_row(&r, cell_whole(d->rules[i].pods),
		    cell_text(d->rules[i].name), cell_whole(d->rules[i].pods));
	report_rows_end(&r);
	report_rows(&r, "differences",
	    "pod=POD|now=NOW|old=OLD|new=NEW|rule|why|=~BECAUSE");
	for (size_t i = 0; i < d->npods; i++) {
		const struct diff_pod *p = &d->pods[i];
		struct report_cell new = cell_node(p->new_node);

		if (p->old_node == p->new_node)
			continue;
		new.style = new.text == NULL ? STYLE_BAD : STYLE_PLAIN;
		report_row(&r, cell_pod(&r, p->pod), cell_node(p->now),
		    cell_node(p->old_node), new, cell_text(p->rule),
		    cell_text(p->why), cell_text(p->why != NULL ? p->why : ""));
	}
	report_rows_end(&r);
	if (d->nelsewhere + d->nunschedulable + d->nschedulable > d->nexplained)
		report_say(&r, STYLE_DIM,
		    "  Rules are those of the first %zu.\n", d->nexplained);
	if (with_balance)
		add_balance(&r, d);
	report_end(&r);
}

/* ---- the command ---- */

static int
diff_against(struct asked *a, const struct profiles *new_profiles)
{
	struct asked other = { .options = a->options };
	struct whatif new;
	struct diff d;
	int code;

	load_again(&a->load, new_profiles, 0, &other.load);
	asked_of(&other, &new, new_profiles);
	diff_find(&d, &a->whatif, &new, a->load.npods, a->load.pods);
	diff_print(&d, a->options, "pod", true);
	code = d.nunschedulable > 0 ? EXIT_NEGATIVE : EXIT_DONE;
	diff_fini(&d);
	whatif_fini(&new);
	load_fini(&other.load);
	return code;
}

static int
diff_both(struct asked *a)
{
	struct options options = *a->options;
	struct profiles *profiles;
	int code = load_choose(&options, options.words[1]);

	if (code == EXIT_DONE)
		code = load_profiles(&options, &profiles);
	if (code != EXIT_DONE)
		return code;
	code = diff_against(a, profiles);
	profiles_free(profiles);
	return code;
}

int
diff_run(const struct options *options)
{
	struct options old = *options;
	int code = load_choose(&old, options->words[0]);

	return code == EXIT_DONE ? asked_run(&old, diff_both) : code;
}
