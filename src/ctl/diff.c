/* predicatectl diff: two policies or configurations on one cluster. */
#include "config.h"

#include "whatif/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "web/balance_json.h"

/* ---- for programs ---- */

static void
diff_json(const struct diff *d, const struct options *options,
    bool with_balance)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_pair_int(&json, "pods", (int64_t)d->ndecided);
	json_pair_int(&json, "elsewhere", (int64_t)d->nelsewhere);
	json_pair_int(&json, "unschedulable", (int64_t)d->nunschedulable);
	json_pair_int(&json, "schedulable", (int64_t)d->nschedulable);
	json_pair_int(&json, "explained", (int64_t)d->nexplained);
	json_begin(&json, "rules");
	for (size_t i = 0; i < d->nrules; i++) {
		json_open(&json, '{');
		json_pair(&json, "rule", d->rules[i].name);
		json_pair_int(&json, "pods", d->rules[i].pods);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_begin(&json, "differences");
	for (size_t i = 0; i < d->npods; i++) {
		const struct diff_pod *p = &d->pods[i];

		if (p->old_node == p->new_node)
			continue;
		json_begin_item(&json);
		json_pair(&json, "pod", pod_full_name(p->pod));
		json_node_name(&json, "now", p->now);
		json_node_name(&json, "old", p->old_node);
		json_node_name(&json, "new", p->new_node);
		json_pair(&json, "rule", p->rule);
		json_pair(&json, "why", p->why);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	if (with_balance) {
		json_break(&json, " ");
		json_key(&json, "balance");
		json_open(&json, '{');
		balance_json(&json, "old", &d->old_balance, d->old_placed);
		balance_json(&json, "new", &d->new_balance, d->new_placed);
		json_close(&json, '}');
	}
	json_close(&json, '}');
	asked_write(options, &text);
}

/* ---- for people ---- */

static const char *
node_text(sym node)
{
	return node != SYM_NONE ? sym_text(node) : "-";
}

static void
print_rules(const struct diff *d, const struct options *options)
{
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table, ">PODS|RULE THAT TIPS THEM");
	for (size_t i = 0; i < d->nrules; i++) {
		table_add(&table, STYLE_PLAIN, "%u", d->rules[i].pods);
		table_add(&table, STYLE_PLAIN, "%s", d->rules[i].name);
	}
	table_end(&table, &options->screen, 2);
}

static void
print_pods(const struct diff *d, const struct options *options, size_t of)
{
	size_t n = asked_rows(options, of), shown = 0;
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table, "POD|NOW|OLD|NEW|BECAUSE");
	for (size_t i = 0; i < d->npods && shown < n; i++) {
		const struct diff_pod *p = &d->pods[i];

		if (p->old_node == p->new_node)
			continue;
		shown++;
		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(p->pod));
		table_add(&table, STYLE_PLAIN, "%s", node_text(p->now));
		table_add(&table, STYLE_PLAIN, "%s", node_text(p->old_node));
		table_add(&table,
		    p->new_node != SYM_NONE ? STYLE_PLAIN : STYLE_BAD, "%s",
		    node_text(p->new_node));
		table_add(&table, STYLE_DIM, "%s",
		    p->why != NULL ? p->why : "");
	}
	table_end(&table, &options->screen, 2);
	asked_more(options, of - n);
}

static void
add_shares(struct table *table, double old, double new)
{
	table_add(table, STYLE_PLAIN, "%.1f%%", 100 * old);
	table_add(table, STYLE_PLAIN, "%.1f%%", 100 * new);
}

static void
print_balance(const struct diff *d, const struct options *options)
{
	const struct balance *old = &d->old_balance, *new = &d->new_balance;
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN,
	    "\nPlaced by one alone: %zu old, %zu new; empty nodes: %u old, "
	    "%u new\n",
	    d->old_placed, d->new_placed, old->nempty, new->nempty);
	table_begin(&table,
	    "RESOURCE|>MEAN|>NEW|>MAX|>NEW|>CV|>NEW|>STRANDED|>NEW");
	for (size_t i = 0; i < old->nresources; i++) {
		const struct balance_resource *r = &old->resources[i];
		const struct balance_resource *s = &new->resources[i];

		table_add(&table, STYLE_PLAIN, "%s", r->name);
		add_shares(&table, r->mean, s->mean);
		add_shares(&table, r->max, s->max);
		table_add(&table, STYLE_PLAIN, "%.3f", r->cv);
		table_add(&table, STYLE_PLAIN, "%.3f", s->cv);
		add_shares(&table,
		    r->allocatable > 0 ?
			(double)r->stranded / (double)r->allocatable :
			0,
		    s->allocatable > 0 ?
			(double)s->stranded / (double)s->allocatable :
			0);
	}
	table_end(&table, &options->screen, 2);
}

static void
print_zones(const struct diff *d, const struct options *options)
{
	const struct balance *old = &d->old_balance, *new = &d->new_balance;
	struct table table;

	screen_print(&options->screen, STYLE_PLAIN, "\n");
	table_begin(&table, "ZONE|>PODS|>NEW|>CPU|>NEW|>MEMORY|>NEW");
	for (size_t i = 0; i < old->nzones; i++) {
		const struct balance_zone *z = &old->zones[i];

		table_add(&table, STYLE_PLAIN, "%s",
		    z->name[0] != '\0' ? z->name : "(none)");
		table_add(&table, STYLE_PLAIN, "%u", z->npods);
		table_add(&table, STYLE_PLAIN, "%u", new->zones[i].npods);
		add_shares(&table, z->cpu, new->zones[i].cpu);
		add_shares(&table, z->memory, new->zones[i].memory);
	}
	table_end(&table, &options->screen, 2);
}

static void
diff_table(const struct diff *d, const struct options *options,
    const char *noun, bool with_balance)
{
	size_t n = d->nelsewhere + d->nunschedulable + d->nschedulable;

	screen_print(&options->screen, STYLE_HEAD,
	    "Of %zu %s%s %zu would go elsewhere, %zu become unschedulable, "
	    "%zu schedulable\n",
	    d->ndecided, noun, plural_of(d->ndecided), d->nelsewhere,
	    d->nunschedulable, d->nschedulable);
	if (d->nrules > 0)
		print_rules(d, options);
	if (n > 0)
		print_pods(d, options, n);
	if (n > d->nexplained)
		screen_print(&options->screen, STYLE_DIM,
		    "  Rules are those of the first %zu.\n", d->nexplained);
	if (!with_balance)
		return;
	print_balance(d, options);
	print_zones(d, options);
}

void
diff_print(const struct diff *d, const struct options *options,
    const char *noun, bool with_balance)
{
	if (options->json)
		diff_json(d, options, with_balance);
	else
		diff_table(d, options, noun, with_balance);
}

/* ---- the command ---- */

static int
diff_against(struct asked *a, const struct profiles *new_profiles)
{
	struct asked other = { .options = a->options };
	struct whatif new;
	struct diff d;
	int code;

	load_again(&a->load, new_profiles, &other.load);
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
