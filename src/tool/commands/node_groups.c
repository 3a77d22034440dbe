#include "config.h"

#include "tool/commands/node_groups.h"

#include "base/sorted.h"

#define SHOWN_NAMES 4 /* of nodes that share a line */
#define SHOWN_ZONES 4
#define LABELS_TRIED 32

/* ---- names ---- */

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

struct names
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

int
names_len(const struct names *names, const char *name)
{
	size_t len = strlen(name);

	return (int)(len > names->suffix &&
		    strcmp(name + len - names->suffix, names->domain) == 0 ?
		len - names->suffix :
		len);
}

/* ---- groups ---- */

void
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

void
node_groups_sort(struct node_groups *groups)
{
	SORT(groups->at, groups->n, compare_groups);
}

/* ---- where ---- */

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

const char *
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

const char *
node_group_counted(const struct node_groups *groups, const struct node_group *g)
{
	const char *where = node_group_where(groups, g);

	return g->n <= SHOWN_NAMES ?
	    where :
	    arena_printf(groups->arena, "%u nodes (%s)", g->n, where);
}
