/* simulate for people: who went where, how full the nodes are, who is left. */
#include "config.h"

#include "ctl/simulate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ctl/table.h"

#define SHOWN_PODS 50  /* placed ones, before the nodes are listed instead */
#define SHOWN_NODES 20 /* unless --all */
#define SHOWN_MESSAGE 4096 /* longer ones name every node */
#define SHOWN_NAMES 3      /* of pods that share a line */
#define INDENT 2

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void
print_more(const struct simulation *s, size_t n)
{
	if (n > 0)
		screen_print(&s->options->screen, STYLE_DIM,
		    "%*sand %zu more (--all)\n", INDENT, "", n);
}

/* ---- placed ---- */

static void
print_placed(const struct simulation *s)
{
	struct table table;

	table_begin(&table, "POD|NODE");
	for (size_t i = 0; i < s->noutcomes; i++) {
		const struct outcome *o = &s->outcomes[i];

		if (o->node == SYM_NONE)
			continue;
		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(o->pod));
		table_add(&table, STYLE_PLAIN, "%s", sym_text(o->node));
	}
	table_print(&table, &s->options->screen, INDENT);
	table_fini(&table);
}

/* A node and how many pods were placed on it. */
struct load_of_node {
	const struct node_info *node;
	size_t nplaced;
};

/* The most placed pods first, then by name. */
static int
compare_loads(const void *a, const void *b)
{
	const struct load_of_node *x = a, *y = b;

	if (x->nplaced != y->nplaced)
		return x->nplaced < y->nplaced ? 1 : -1;
	return sym_cmp(x->node->name, y->node->name);
}

static struct load_of_node *
count_loads(const struct simulation *s)
{
	const struct cluster *cluster = s->load->cluster;
	struct load_of_node *loads = xcalloc(cluster->nnodes, sizeof(*loads));

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		loads[i].node = cluster->nodes[i];
	for (size_t i = 0; i < s->noutcomes; i++)
		if (s->outcomes[i].node != SYM_NONE)
			loads[cluster_node(cluster, s->outcomes[i].node)->index]
			    .nplaced++;
	qsort(loads, cluster->nnodes, sizeof(*loads), compare_loads);
	return loads;
}

static void
add_share(struct table *table, int64_t used, int64_t of)
{
	if (of > 0)
		table_add(table, STYLE_PLAIN, "%.0f%%",
		    100.0 * (double)used / (double)of);
	else
		table_add(table, STYLE_PLAIN, "-");
}

static void
print_nodes(const struct simulation *s)
{
	AUTOFREE struct load_of_node *loads = count_loads(s);
	size_t n = s->load->cluster->nnodes, rows = n;
	struct table table;

	if (!s->options->all && rows > SHOWN_NODES)
		rows = SHOWN_NODES;
	table_begin(&table, "NODE|>PLACED|>PODS|>CPU|>MEMORY");
	for (size_t i = 0; i < rows; i++) {
		const struct node_info *node = loads[i].node;

		table_add(&table, STYLE_PLAIN, "%s", sym_text(node->name));
		table_add(&table, STYLE_PLAIN, "%zu", loads[i].nplaced);
		table_add(&table, STYLE_PLAIN, "%u", node->npods);
		add_share(&table, node->requested.cpu_milli,
		    node->node->allocatable.cpu_milli);
		add_share(&table, node->requested.memory,
		    node->node->allocatable.memory);
	}
	table_print(&table, &s->options->screen, INDENT);
	table_fini(&table);
	print_more(s, n - rows);
}

/* ---- left pending ---- */

/* Pods that stay for the same reason. */
struct group {
	const char *summary;
	const char *message; /* NULL: they differ in the numbers of nodes */
	size_t npods;
	const struct pod *pods[SHOWN_NAMES];
};

static struct group *
group_pending(const struct simulation *s, size_t *n)
{
	struct group *groups = NULL;
	size_t cap = 0, at;

	*n = 0;
	for (size_t i = 0; i < s->noutcomes; i++) {
		const struct outcome *o = &s->outcomes[i];

		if (o->node != SYM_NONE)
			continue;
		for (at = 0; at < *n; at++)
			if (groups[at].summary == o->summary)
				break;
		if (at == *n) {
			vec_room(groups, *n, &cap);
			groups[(*n)++] = (struct group){ o->summary, o->message,
				0, { NULL } };
		}
		if (groups[at].message != o->message)
			groups[at].message = NULL;
		if (groups[at].npods < SHOWN_NAMES)
			groups[at].pods[groups[at].npods] = o->pod;
		groups[at].npods++;
	}
	return groups;
}

static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->npods != y->npods)
		return x->npods < y->npods ? 1 : -1;
	return strcmp(x->summary, y->summary);
}

static void
add_group(struct table *table, const struct group *group)
{
	AUTOFREE char *names = xstrdup("");

	for (size_t i = 0; i < group->npods && i < SHOWN_NAMES; i++) {
		char *longer = xasprintf("%s%s%s", names, i > 0 ? ", " : "",
		    pod_full_name(group->pods[i]));

		free(names);
		names = longer;
	}
	table_add(table, STYLE_PLAIN, "%zu", group->npods);
	table_add(table, STYLE_PLAIN, "%s%s", names,
	    group->npods > SHOWN_NAMES ? ", ..." : "");
	table_add(table, STYLE_BAD, "%s",
	    group->message != NULL && strlen(group->message) <= SHOWN_MESSAGE ?
		group->message :
		group->summary);
}

static void
print_pending_groups(const struct simulation *s)
{
	struct group *groups;
	struct table table;
	size_t n, rows;

	groups = group_pending(s, &n);
	qsort(groups, n, sizeof(*groups), compare_groups);
	rows = n > SHOWN_NODES ? SHOWN_NODES : n;
	table_begin(&table, ">PODS|SUCH AS|LEFT PENDING BECAUSE");
	for (size_t i = 0; i < rows; i++)
		add_group(&table, &groups[i]);
	table_print(&table, &s->options->screen, INDENT);
	table_fini(&table);
	free(groups);
	print_more(s, n - rows);
}

static void
print_pending_pods(const struct simulation *s)
{
	struct table table;

	table_begin(&table, "POD|LEFT PENDING BECAUSE");
	for (size_t i = 0; i < s->noutcomes; i++) {
		if (s->outcomes[i].node != SYM_NONE)
			continue;
		table_add(&table, STYLE_PLAIN, "%s",
		    pod_full_name(s->outcomes[i].pod));
		table_add(&table, STYLE_BAD, "%s", s->outcomes[i].message);
	}
	table_print(&table, &s->options->screen, INDENT);
	table_fini(&table);
}

/* ---- evicted ---- */

static void
print_evictions(const struct simulation *s)
{
	struct table table;

	screen_print(&s->options->screen, STYLE_PLAIN, "\nEvicted %zu pod%s:\n",
	    s->nevictions, plural(s->nevictions));
	table_begin(&table, "POD|NODE|FOR");
	for (size_t i = 0; i < s->nevictions; i++) {
		const struct eviction *e = &s->evictions[i];

		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(e->pod));
		table_add(&table, STYLE_PLAIN, "%s", sym_text(e->node));
		table_add(&table, STYLE_PLAIN, "%s", pod_full_name(e->by));
	}
	table_print(&table, &s->options->screen, INDENT);
	table_fini(&table);
}

/* ---- the page ---- */

void
simulate_table(const struct simulation *s)
{
	const struct screen *screen = &s->options->screen;
	size_t npending = s->noutcomes - s->nplaced;

	screen_print(screen, STYLE_HEAD,
	    "Placed %zu of %zu pending pod%s on "
	    "%u node%s",
	    s->nplaced, s->noutcomes, plural(s->noutcomes),
	    s->load->cluster->nnodes, plural(s->load->cluster->nnodes));
	screen_print(screen, STYLE_PLAIN,
	    " in %.3f s (%.0f decisions/s, seed %" PRIu64 ")\n", s->seconds,
	    s->seconds > 0 ? (double)s->ndecisions / s->seconds : 0,
	    s->options->seed);
	if (s->nplaced > 0) {
		screen_print(screen, STYLE_PLAIN, "\n");
		if (s->options->all || s->nplaced <= SHOWN_PODS)
			print_placed(s);
		else
			print_nodes(s);
	}
	if (npending > 0) {
		screen_print(screen, STYLE_PLAIN, "\n");
		if (s->options->all)
			print_pending_pods(s);
		else
			print_pending_groups(s);
	}
	if (s->nevictions > 0)
		print_evictions(s);
}
