#include "config.h"

#include "explain/whatif/balance.h"

#include <math.h>

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "explain/whatif/whatif.h"

static const char *const usual[] = { "cpu", "memory", "pods" };

void
balance_amounts(const struct node_info *node, const char *resource,
    int64_t *requested, int64_t *allocatable)
{
	*requested = strcmp(resource, "pods") == 0 ?
	    node->npods :
	    resources_get(&node->requested, resource);
	*allocatable = resources_get(&node->node->allocatable, resource);
}

int64_t
balance_strands(const struct node_info *node, const char *resource)
{
	int64_t used, all, left;

	balance_amounts(node, resource, &used, &all);
	left = used < all ? all - used : 0;

	for (size_t i = 0; i < LENGTH(usual); i++) {
		balance_amounts(node, usual[i], &used, &all);
		if (strcmp(usual[i], resource) != 0 && all > 0 &&
		    balance_share(used, all) >= BALANCE_FULL)
			return left;
	}
	return 0;
}

static void
add_up(struct balance_resource *r, const struct cluster *cluster)
{
	double sum = 0, squares = 0;
	int64_t used, all;

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		double s;

		balance_amounts(cluster->nodes[i], r->name, &used, &all);
		if (all <= 0)
			continue;
		s = balance_share(used, all);
		r->nnodes++;
		r->allocatable += all;
		r->requested += used;
		sum += s;
		squares += s * s;
		if (s > r->max)
			r->max = s;
		r->stranded += balance_strands(cluster->nodes[i], r->name);
	}
	if (r->nnodes == 0)
		return;
	r->mean = sum / r->nnodes;
	squares = squares / r->nnodes - r->mean * r->mean;
	if (r->mean > 0 && squares > 0)
		r->cv = sqrt(squares) / r->mean;
}

/* ---- which scalars, which zones ---- */

static void
add_sym(struct arena *arena, sym **list, size_t *n, size_t *cap, sym s)
{
	if (ANY(i, *n, (*list)[i] == s))
		return;
	arena_room(arena, *list, *n, cap);
	(*list)[(*n)++] = s;
}

static sym
zone_of(const struct node *node)
{
	sym zone = node_zone_label(node);

	return zone != SYM_NONE ? zone : SYM_EMPTY;
}

static void
find_resources(struct balance *b, const struct cluster *cluster,
    struct arena *arena)
{
	sym *scalars = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct resources *has =
		    &cluster->nodes[i]->node->allocatable;

		for (uint32_t k = 0; k < has->nscalars; k++)
			add_sym(arena, &scalars, &n, &cap,
			    has->scalars[k].name);
	}
	SORT(scalars, n, sym_compare);
	b->nresources = LENGTH(usual) + n;
	b->resources =
	    arena_array(arena, struct balance_resource, b->nresources);
	for (size_t i = 0; i < b->nresources; i++) {
		b->resources[i].name = i < LENGTH(usual) ?
		    usual[i] :
		    sym_text(scalars[i - LENGTH(usual)]);
		add_up(&b->resources[i], cluster);
	}
}

static void
add_zone(struct balance_zone *z, const struct cluster *cluster, sym zone)
{
	int64_t cpu[2] = { 0 }, memory[2] = { 0 };

	z->name = sym_text(zone);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];

		if (zone_of(node->node) != zone)
			continue;
		z->nnodes++;
		z->npods += node->npods;
		cpu[0] += node->requested.cpu_milli;
		cpu[1] += node->node->allocatable.cpu_milli;
		memory[0] += node->requested.memory;
		memory[1] += node->node->allocatable.memory;
	}
	z->cpu = balance_share(cpu[0], cpu[1]);
	z->memory = balance_share(memory[0], memory[1]);
}

bool
balance_is_empty(const struct node_info *node)
{
	return !ANY(i, node->npods, whatif_why_stays(node->pods[i]) == NULL);
}

void
balance_find(struct balance *b, const struct cluster *cluster,
    struct arena *arena)
{
	sym *zones = NULL;
	size_t cap = 0;

	memset(b, 0, sizeof(*b));
	b->nnodes = cluster->nnodes;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		b->nempty += balance_is_empty(cluster->nodes[i]);
		add_sym(arena, &zones, &b->nzones, &cap,
		    zone_of(cluster->nodes[i]->node));
	}
	find_resources(b, cluster, arena);
	SORT(zones, b->nzones, sym_compare);
	b->zones = arena_array(arena, struct balance_zone, b->nzones);
	for (size_t i = 0; i < b->nzones; i++)
		add_zone(&b->zones[i], cluster, zones[i]);
}
