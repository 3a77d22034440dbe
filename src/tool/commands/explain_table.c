/* The table of explain: nodes × rules, then possible remedies. */
#include "config.h"

#include "tool/commands/explain.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/sorted.h"
#include "cluster/distribution.h"
#include "tool/commands/report.h"
#include "decide/framework/profile.h"
#include "objects/confines.h"
#include "predicates/registry.h"
#include "explain/diagnosis.h"
#include "explain/miss.h"

#define SHOWN_ROWS 20    /* of a table, unless --all */
#define SHOWN_MISSES 10  /* likewise */
#define SHOWN_REASONS 10 /* of a node */
#define HEAD_WIDTH 10    /* of a column's head, before it is broken */
#define HEAD_LINES 6
#define SHOWN_NAMES 4 /* of nodes that share a line */
#define SHOWN_ZONES 4
#define LABELS_TRIED 32
#define INDENT 2

/* ---- names of nodes ---- */

/*
 * On a narrow screen: without the domain that all of them end in, as clouds name them
 * ("ip-10-0-131-204.eu-west-1.compute.internal").
 */
struct names {
	size_t suffix; /* bytes at the end of every name that are not shown */
	const char *domain; /* these; "" for none */
};

/* The length of the end that both have from a dot on. */
static size_t
common_end(const char *a, size_t na, const char *b, size_t nb)
{
	size_t n = 0, dot = 0;

	while (n < na && n < nb && a[na - n - 1] == b[nb - n - 1]) {
		n++;
		if (a[na - n] == '.')
			dot = n;
	}
	return dot;
}

/* None on a screen of any width.  Valid as long as the nodes. */
static struct names
names_of(const struct cluster *cluster, const struct screen *screen)
{
	struct names names = { .domain = "" };
	const char *first;
	size_t len;

	if (screen->width == 0 || cluster->nnodes < 2)
		return names;
	first = sym_text(cluster->nodes[0]->name);
	len = names.suffix = strlen(first);
	for (uint32_t i = 1; i < cluster->nnodes && names.suffix > 0; i++) {
		const char *name = sym_text(cluster->nodes[i]->name);

		names.suffix = common_end(first + len - names.suffix,
		    names.suffix, name, strlen(name));
	}
	names.domain = first + len - names.suffix;
	return names;
}

/* The name as it is shown, for "%.*s": its length. */
static int
names_len(const struct names *names, const char *name)
{
	size_t len = strlen(name);

	return (int)(len > names->suffix &&
		    strcmp(name + len - names->suffix, names->domain) == 0 ?
		len - names->suffix :
		len);
}

/* ---- nodes of which the same is said, collapsed into one line each ---- */

struct node_group {
	const char *text;
	uint32_t n;
	size_t cap;
	const struct node_info **nodes;
};

struct node_groups {
	struct arena *arena; /* of all of it */
	const struct cluster *cluster;
	struct names names;
	struct node_group *at;
	size_t n, cap;
};

/* The text must stay valid as long as the groups. */
static void
node_groups_add(struct node_groups *groups, const char *text,
    const struct node_info *node)
{
	struct node_group *g = FIND_ROW(groups->at, groups->n, text, text);

	if (g == NULL) {
		arena_room(groups->arena, groups->at, groups->n, &groups->cap);
		g = &groups->at[groups->n++];
		*g = (struct node_group){ .text = text };
	}
	arena_room(groups->arena, g->nodes, g->n, &g->cap);
	g->nodes[g->n++] = node;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct node_group *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* The largest first, then by text. */
static void
node_groups_sort(struct node_groups *groups)
{
	SORT(groups->at, groups->n, compare_groups);
}

static const char *
some_names(const struct node_groups *groups, const struct node_group *g,
    uint32_t max)
{
	const char *text = "";

	for (uint32_t i = 0; i < g->n && i < max; i++) {
		const char *name = sym_text(g->nodes[i]->name);

		text = arena_printf(groups->arena, "%s%s%.*s", text,
		    i > 0 ? ", " : "", names_len(&groups->names, name), name);
	}
	return text;
}

/* "zone a 4, zone b 3", "all in zone a", "" without zones. */
static const char *
zones_text(const struct node_groups *groups, const struct node_group *g)
{
	struct node_groups zones = { .arena = groups->arena };
	const char *text = "";

	for (uint32_t i = 0; i < g->n; i++) {
		sym zone = node_zone_label(g->nodes[i]->node);

		if (zone != SYM_NONE)
			node_groups_add(&zones, sym_text(zone), g->nodes[i]);
	}
	node_groups_sort(&zones);
	if (zones.n == 1 && zones.at[0].n == g->n)
		return arena_printf(groups->arena, "all in zone %s",
		    zones.at[0].text);
	for (size_t i = 0; i < zones.n && i < SHOWN_ZONES; i++)
		text = arena_printf(groups->arena, "%s%szone %s %u", text,
		    i > 0 ? ", " : "", zones.at[i].text, zones.at[i].n);
	return zones.n > SHOWN_ZONES ?
	    arena_printf(groups->arena, "%s, ...", text) :
	    text;
}

static uint32_t
count_labelled(const struct label *label, uint32_t n,
    const struct node_info *const *nodes)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += labels_get(&nodes[i]->node->labels, label->key) ==
		    label->value;
	return count;
}

/* "dedicated=gpu", which all of the group have and no other node; "" for none. */
static const char *
label_text(const struct node_groups *groups, const struct node_group *g)
{
	const struct labels *labels = &g->nodes[0]->node->labels;
	const struct cluster *cluster = groups->cluster;

	for (uint32_t i = 0; i < labels->n && i < LABELS_TRIED; i++) {
		const struct label *label = &labels->at[i];

		if (g->n == cluster->nnodes ||
		    count_labelled(label, g->n, g->nodes) != g->n ||
		    count_labelled(label, cluster->nnodes,
			(const struct node_info *const *)cluster->nodes) !=
			g->n)
			continue;
		return arena_printf(groups->arena, "%s=%s",
		    sym_text(label->key), sym_text(label->value));
	}
	return "";
}

/*
 * Which nodes they are: the names of a few; of more, how many are in which zone, a
 * label that all of them have and no other node, and some names.
 */
static const char *
node_group_where(const struct node_groups *groups, const struct node_group *g)
{
	const char *zones, *label;

	if (g->n <= SHOWN_NAMES)
		return some_names(groups, g, SHOWN_NAMES);
	zones = zones_text(groups, g);
	label = label_text(groups, g);
	return arena_printf(groups->arena, "%s%s%s%ssuch as %s", zones,
	    zones[0] != '\0' ? "; " : "", label, label[0] != '\0' ? "; " : "",
	    some_names(groups, g, 2));
}

/* ---- the content of the table, and its format ---- */

struct view {
	const struct options *options;
	const struct explanation *found;
	struct names names;
};

static size_t
shown(const struct view *e, size_t n, size_t limit)
{
	return e->options->all || n <= limit ? n : limit;
}

/* A paragraph, wrapped at words where the screen is narrow. */
static void __attribute__((format(printf, 3, 4)))
print_wrapped(const struct view *e, enum style style, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;
	struct table table;

	XFORMAT(text, fmt);
	table_init(&table, 1);
	table_add(&table, style, "%s", text);
	table_end(&table, &e->options->screen, 0);
}

/* ---- heads of columns ---- */

/* A rule's name broken at its capitals and dashes into short lines. */
struct head {
	size_t nlines;
	char *lines[HEAD_LINES];
};

static void
head_init(struct head *head, struct arena *arena, const char *name)
{
	static const char suffix[] = "Priority";
	size_t len = strlen(name), less = sizeof(suffix) - 1;
	const char *end = name + len, *line = name, *p = name, *next;

	/* redundant in a table of priorities */
	if (len > less && strcmp(end - less, suffix) == 0)
		end -= less;
	head->nlines = 0;
	while (p < end) {
		/* A word ends before a capital that follows a small letter or
		 * digit, and after a dash. */
		for (next = p + 1; next < end && next[-1] != '-'; next++)
			if (isupper((unsigned char)*next) &&
			    !isupper((unsigned char)next[-1]))
				break;
		if (p > line && next - line > HEAD_WIDTH &&
		    head->nlines < HEAD_LINES - 1) {
			head->lines[head->nlines++] =
			    arena_strndup(arena, line, (size_t)(p - line));
			line = p;
		}
		p = next;
	}
	head->lines[head->nlines++] =
	    arena_strndup(arena, line, (size_t)(end - line));
}

/* ---- nodes that fit ---- */

static const struct explanation *sorting;

/* Best first, then by name. */
static int
compare_fitting(const void *a, const void *b)
{
	const struct node_info *x = *(const struct node_info *const *)a;
	const struct node_info *y = *(const struct node_info *const *)b;
	int64_t tx = sorting->decision->totals[sorting->position[x->index]];
	int64_t ty = sorting->decision->totals[sorting->position[y->index]];

	if (tx != ty)
		return tx > ty ? -1 : 1;
	return sym_cmp(x->name, y->name);
}

const struct node_info **
explain_fitting(const struct explanation *found)
{
	const struct decision *d = found->decision;
	const struct node_info **nodes = arena_array(found->cycle->arena,
	    const struct node_info *, d->nfeasible);

	for (uint32_t i = 0; i < d->nfeasible; i++)
		nodes[i] = found->cycle->cluster->nodes[d->feasible[i]];
	sorting = found;
	SORT(nodes, d->nfeasible, compare_fitting);
	return nodes;
}

static const char *
shown_name(const struct view *e, sym node)
{
	const char *name = sym_text(node);

	return arena_strndup(e->found->cycle->arena, name,
	    (size_t)names_len(&e->names, name));
}

static void
add_heads(struct table *table, const struct profile *profile,
    const struct head *heads)
{
	size_t most = 1;

	for (size_t i = 0; i < profile->npriorities; i++)
		if (heads[i].nlines > most)
			most = heads[i].nlines;
	for (size_t line = 0; line < most; line++) {
		bool last = line + 1 == most;

		table_add(table, STYLE_HEAD, "%s", last ? "NODE" : "");
		for (size_t i = 0; i < profile->npriorities; i++) {
			size_t skip = most - heads[i].nlines;

			table_add(table, STYLE_HEAD, "%s",
			    line >= skip ? heads[i].lines[line - skip] : "");
		}
		table_add(table, STYLE_HEAD, "%s", last ? "TOTAL" : "");
		table_add(table, STYLE_HEAD, "%s", "");
	}
	table_add(table, STYLE_DIM, "weight");
	for (size_t i = 0; i < profile->npriorities; i++)
		table_add(table, STYLE_DIM, "%" PRId64,
		    profile->priorities[i].weight);
	table_add(table, STYLE_DIM, "%s", "");
	table_add(table, STYLE_DIM, "%s", "");
}

static void
add_fitting(struct table *table, const struct view *e,
    const struct node_info *node)
{
	const struct decision *d = e->found->decision;
	int64_t at = e->found->position[node->index];
	bool best =
	    d->nominated ? node == d->chosen : d->totals[at] == d->best_total;
	enum style style = best ? STYLE_GOOD : STYLE_PLAIN;

	table_add(table, style, "%s", shown_name(e, node->name));
	for (size_t i = 0; i < e->found->cycle->profile->npriorities; i++)
		if (d->scores != NULL && d->scores[i] != NULL)
			table_add(table, style, "%" PRId64, d->scores[i][at]);
		else
			table_add(table, style, "%s", "-");
	table_add(table, style, "%" PRId64, d->totals[at]);
	table_add(table, style, "%s", best ? "best" : "");
}

static void
fill_fitting(struct table *table, const struct view *e,
    const struct head *heads)
{
	const struct node_info **nodes = explain_fitting(e->found);
	size_t n = shown(e, e->found->decision->nfeasible, SHOWN_ROWS);

	table_init(table, e->found->cycle->profile->npriorities + 3);
	for (size_t i = 1; i + 1 < table->ncolumns; i++)
		table->right[i] = true;
	add_heads(table, e->found->cycle->profile, heads);
	for (size_t i = 0; i < n; i++)
		add_fitting(table, e, nodes[i]);
}

static void
print_fitting(const struct view *e)
{
	const struct screen *screen = &e->options->screen;
	const struct profile *profile = e->found->cycle->profile;
	size_t npriorities = profile->npriorities;
	struct arena *arena = e->found->cycle->arena;
	struct head *heads = arena_array(arena, struct head, npriorities);
	size_t nfeasible = e->found->decision->nfeasible;
	struct table table;
	bool letters;

	if (nfeasible == 0)
		return;
	for (size_t i = 0; i < npriorities; i++)
		head_init(&heads[i], arena, profile->priorities[i].name);
	fill_fitting(&table, e, heads);
	letters =
	    screen->width > 0 && INDENT + table_width(&table) > screen->width;
	if (letters) {
		table_fini(&table);
		for (size_t i = 0; i < npriorities; i++) {
			heads[i].nlines = 1;
			heads[i].lines[0] = i < 26 ?
			    arena_printf(arena, "%c", (int)('A' + i)) :
			    arena_printf(arena, "#%zu", i + 1);
		}
		fill_fitting(&table, e, heads);
	}
	screen_print(screen, STYLE_PLAIN, "\n");
	table_end(&table, screen, INDENT);
	if (letters)
		screen_print(screen, STYLE_PLAIN, "\n");
	for (size_t i = 0; letters && i < npriorities; i++)
		screen_print(screen, STYLE_DIM, "%*s%s = %s\n", INDENT, "",
		    heads[i].lines[0], profile->priorities[i].name);
	report_more(e->options, nfeasible - shown(e, nfeasible, SHOWN_ROWS));
}

/* ---- nodes that do not fit ---- */

/* The reasons of a node in one text, with the number of those that are not in
 * it. */
static const char *
joined_reasons(const struct view *e, const struct node_info *node)
{
	struct arena *arena = e->found->cycle->arena;
	const char *text, **reasons;
	size_t n, nshown;

	reasons = explanation_reasons(e->found, node, &n);
	nshown = n > SHOWN_REASONS ? SHOWN_REASONS : n;
	text = arena_join(arena, nshown, reasons, "; ");
	return n == nshown ?
	    text :
	    arena_printf(arena, "%s; and %zu more", text, n - nshown);
}

static struct node_groups
groups_of(const struct view *e)
{
	return (struct node_groups){ .arena = e->found->cycle->arena,
		.cluster = e->found->cycle->cluster,
		.names = e->names };
}

static void
print_unfit_groups(struct report *r, const struct view *e)
{
	struct node_groups groups = groups_of(e);

	for (uint32_t i = 0; i < e->found->decision->nnodes; i++)
		if (e->found->position[e->found->nodes[i]->index] < 0)
			node_groups_add(&groups,
			    joined_reasons(e, e->found->nodes[i]),
			    e->found->nodes[i]);
	node_groups_sort(&groups);
	report_rows(r, NULL, "=>NODES|=!DO NOT FIT BECAUSE");
	r->limit = SIZE_MAX;
	for (size_t i = 0; i < groups.n; i++)
		report_row(r, cell_count(groups.at[i].n),
		    cell_text(
			arena_printf(groups.arena, "%s: %s", groups.at[i].text,
			    node_group_where(&groups, &groups.at[i]))));
	report_rows_end(r);
}

static void
print_unfit(const struct view *e)
{
	size_t n = e->found->decision->nnodes - e->found->decision->nfeasible;
	struct report r;

	report_begin(&r, e->options);
	if (shown(e, n, SHOWN_ROWS) < n) {
		print_unfit_groups(&r, e);
		report_end(&r);
		return;
	}
	report_rows(&r, NULL, "=NODE|=!DOES NOT FIT BECAUSE");
	r.limit = SIZE_MAX;
	for (uint32_t i = 0; i < e->found->decision->nnodes; i++) {
		const struct node_info *node = e->found->nodes[i];

		if (e->found->position[node->index] < 0)
			report_row(&r, cell_text(shown_name(e, node->name)),
			    cell_text(joined_reasons(e, node)));
	}
	report_rows_end(&r);
	report_end(&r);
}

/* ---- possible remedies ---- */

static void
print_misses(const struct view *e)
{
	const struct screen *screen = &e->options->screen;
	struct node_groups groups = groups_of(e);
	struct table table;
	struct miss *misses;
	size_t n, rows;

	misses = misses_find(e->found->cycle, &n);
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		node_groups_add(&groups, misses[i].text, misses[i].node);
	screen_print(screen, STYLE_PLAIN, "\nNearest misses (%zu node%s):\n", n,
	    plural_of(n));
	rows = shown(e, groups.n, SHOWN_MISSES);
	table_init(&table, 1);
	for (size_t i = 0; i < rows; i++) {
		const struct node_group *g = &groups.at[i];
		const char *where = node_group_where(&groups, g);

		if (g->n <= SHOWN_NAMES)
			table_add(&table, STYLE_PLAIN, "%s: %s", g->text,
			    where);
		else
			table_add(&table, STYLE_PLAIN, "%s: %u nodes (%s)",
			    g->text, g->n, where);
	}
	table_end(&table, screen, INDENT);
	report_more(e->options, groups.n - rows);
}

static void
print_preemption(const struct view *e)
{
	const struct preemption *p = e->found->preemption;
	const char *why, *victims = "";
	const struct pod *awaited;
	uint32_t at = 0;

	if (!e->found->preemption_tried)
		return;
	screen_print(&e->options->screen, STYLE_PLAIN, "\n");
	why = preempt_ineligible(e->found->cycle, e->found->decision);
	if (p == NULL)
		print_wrapped(e, STYLE_PLAIN, "Preemption: %s",
		    why != NULL ? why : "the profile does not preempt.");
	while (p == NULL &&
	    (awaited = preempt_awaited(e->found->cycle, e->found->decision,
		 &at)) != NULL)
		print_wrapped(e, STYLE_PLAIN, "%*s%s leaves %s", INDENT, "",
		    pod_full_name(awaited),
		    sym_text(e->found->cycle->pod->nominated));
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->nvictims; i++)
		victims = arena_printf(e->found->cycle->arena, "%s%s%s",
		    victims, i > 0 ? ", " : "", pod_full_name(p->victims[i]));
	if (p->node == NULL)
		print_wrapped(e, STYLE_PLAIN, "Preemption: would not help.");
	else if (p->nvictims == 0)
		print_wrapped(e, STYLE_PLAIN,
		    "Preemption: the pod would be nominated to %s without "
		    "evicting pods.",
		    sym_text(p->node->name));
	else
		print_wrapped(e, STYLE_PLAIN,
		    "Preemption: evicting %zu pod%s from %s would make room: "
		    "%s",
		    p->nvictims, plural_of(p->nvictims),
		    sym_text(p->node->name), victims);
}

/* ---- the page ---- */

/* Placement constraints that are not in the pod's spec. */
static void
print_confines(const struct view *e)
{
	const struct screen *screen = &e->options->screen;
	const struct cycle *cycle = e->found->cycle;
	const struct confines *confines = cycle->class->confines;
	const struct labels *selector;

	if (confines == NULL)
		return;
	selector = &confines->node_selector;
	for (uint32_t i = 0; i < selector->n; i++)
		screen_print(screen, STYLE_PLAIN, "%s %s=%s",
		    i > 0 ? "," : "Confined: by its project to nodes with",
		    sym_text(selector->at[i].key),
		    sym_text(selector->at[i].value));
	if (selector->n > 0)
		screen_print(screen, STYLE_PLAIN, "\n");
	if (confines->sticky.node != SYM_EMPTY)
		screen_print(screen, STYLE_PLAIN,
		    "Confined: %s, last node %s%s\n",
		    sym_text(confines->sticky.job),
		    sym_text(confines->sticky.node),
		    confines->sticky.required ? ", required" : "");
	if (confines->distribution.policy == SYM_EMPTY)
		return;
	screen_print(screen, STYLE_PLAIN, "Confined: %s%s\n",
	    distribution_text(cycle->arena, &confines->distribution),
	    profile_checks(cycle->profile, &predicate_leaf_node_distribution) ?
		"" :
		" (not checked: see --kosmos)");
}

static void
print_subject(const struct view *e)
{
	const struct options *o = e->options;
	const struct screen *screen = &o->screen;
	const struct cluster *cluster = e->found->cycle->cluster;
	const struct pod *pod = e->found->cycle->pod;
	const char *policy = e->found->cycle->profile->file;
	size_t npods = 0;

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		npods += cluster->nodes[i]->npods;
	if (o->policy != NULL)
		policy = o->policy;
	else if (policy == NULL || strcmp(policy, "DefaultProvider") == 0)
		policy = "the default provider's";
	screen_print(screen, STYLE_PLAIN, "Pod:      ");
	screen_print(screen, STYLE_HEAD, "%s", pod_full_name(pod));
	if (pod->priority != 0)
		screen_print(screen, STYLE_PLAIN, ", priority %" PRId32,
		    pod->priority);
	if (o->config != NULL)
		screen_print(screen, STYLE_PLAIN, "\nProfile:  %s of %s\n",
		    e->found->cycle->profile->scheduler_name, o->config);
	else
		screen_print(screen, STYLE_PLAIN, "\nPolicy:   %s\n", policy);
	screen_print(screen, STYLE_PLAIN,
	    "Cluster:  %u node%s, %zu pod%s on "
	    "them\n",
	    cluster->nnodes, plural_of(cluster->nnodes), npods,
	    plural_of(npods));
	if (e->names.suffix > 0)
		screen_print(screen, STYLE_DIM,
		    "          names of nodes without %s\n", e->names.domain);
}

static void
print_result(const struct view *e)
{
	const struct decision *d = e->found->decision;

	if (d->error != NULL)
		print_wrapped(e, STYLE_BAD, "Result:   the attempt fails");
	else if (d->nfeasible == 0)
		print_wrapped(e, STYLE_BAD, "Result:   fits nowhere");
	else if (d->nominated)
		print_wrapped(e, STYLE_GOOD,
		    "Result:   fits on %u node%s, and goes to %s, to which it "
		    "is nominated",
		    d->nfeasible, plural_of(d->nfeasible),
		    sym_text(d->chosen->name));
	else if (d->nbest == 1)
		print_wrapped(e, STYLE_GOOD,
		    "Result:   fits on %u node%s, best on %s", d->nfeasible,
		    plural_of(d->nfeasible), sym_text(d->chosen->name));
	else
		print_wrapped(e, STYLE_GOOD,
		    "Result:   fits on %u nodes, equally well on %u of them; "
		    "at random: %s",
		    d->nfeasible, d->nbest, sym_text(d->chosen->name));
}

void
explain_table(const struct options *options, const struct explanation *found)
{
	const struct view view = { options, found,
		names_of(found->cycle->cluster, &options->screen) };
	const struct view *e = &view;
	const struct diagnosis *d = found->diagnosis;

	if (d != NULL) {
		print_wrapped(e, STYLE_BAD, "%s; %s", d->text,
		    d->remedy[0] != '\0' ? d->remedy :
					   "nothing was found that lets it in");
		screen_print(&options->screen, STYLE_PLAIN, "\n");
	}
	print_subject(e);
	print_confines(e);
	print_result(e);
	if (found->decision->error == NULL) {
		print_fitting(e);
		print_unfit(e);
	}
	if (found->decision->chosen != NULL)
		return;
	screen_print(&options->screen, STYLE_PLAIN, "\n");
	print_wrapped(e, STYLE_PLAIN, "%s",
	    post_filter_message(found->cycle, found->message,
		found->post_filter));
	if (found->decision->error != NULL)
		return;
	/* no rule looked at the nodes of a rejected pod */
	if (found->decision->rejected_by == NULL)
		print_misses(e);
	print_preemption(e);
}
