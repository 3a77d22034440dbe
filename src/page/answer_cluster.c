/* The cluster as it is: its sums, its nodes in columns, one node. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/cluster.h"
#include "framework/profile.h"
#include "page/node_json.h"
#include "page/answer_internal.h"
#include "page/balance_json.h"
#include "whatif/balance.h"

/* Most pods of one node that are listed. */
#define LISTED_PODS 1000

/* ---- sums ---- */

struct pod_counts {
	int64_t placed, pending, ended;
};

static struct pod_counts
count_pods(const struct web_view *view)
{
	struct pod_counts counts = { 0 };

	for (size_t i = 0; i < view->npods; i++) {
		const struct pod *pod = view->pods[i];

		if (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED)
			counts.ended++;
		else if (pod->node != SYM_EMPTY)
			counts.placed++;
		else
			counts.pending++;
	}
	return counts;
}

void
answer_cluster(struct asking *a)
{
	const struct web_view *view = a->view;
	struct pod_counts counts = count_pods(view);
	struct json_out *json = &a->json;
	struct balance balance;

	balance_find(&balance, view->cluster, &a->arena);
	answer_open(a);
	json_pair(json, "source", view->source);
	json_pair(json, "kubernetes",
	    arena_printf(&a->arena, "1.%d", view->cluster->kubernetes_minor));
	json_pair(json, "policy", view->policy_name);
	json_pair_int(json, "nodes", view->cluster->nnodes);
	json_key(json, "pods");
	json_open(json, '{');
	json_pair_int(json, "placed", counts.placed);
	json_pair_int(json, "pending", counts.pending);
	json_pair_int(json, "ended", counts.ended);
	json_pair_int(json, "leftOut", (int64_t)view->nleft_out);
	json_close(json, '}');
	balance_json(json, "balance", &balance, (size_t)counts.placed);
	answer_close(a);
}

/* ---- nodes ---- */

/* "zones" has the names, "zone" the place of each node's among them. */
static void
put_zones(struct asking *a, const struct balance *balance,
    const struct node_info **nodes, uint32_t n)
{
	json_key(&a->json, "zones");
	json_open(&a->json, '[');
	for (size_t i = 0; i < balance->nzones; i++)
		json_string(&a->json, balance->zones[i].name);
	json_close(&a->json, ']');
	json_key(&a->json, "zone");
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < n; i++) {
		const char *zone = node_json_zone(nodes[i]);
		size_t at = 0;

		while (at + 1 < balance->nzones &&
		    strcmp(balance->zones[at].name, zone) != 0)
			at++;
		json_int(&a->json, (int64_t)at);
	}
	json_close(&a->json, ']');
}

static void
put_column(struct asking *a, const char *resource, bool requested,
    const struct node_info **nodes, uint32_t n)
{
	json_key(&a->json, resource);
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < n; i++) {
		int64_t used, all;

		balance_amounts(nodes[i], resource, &used, &all);
		json_int(&a->json, requested ? used : all);
	}
	json_close(&a->json, ']');
}

static void
put_columns(struct asking *a, const struct balance *balance, bool requested,
    const struct node_info **nodes, uint32_t n)
{
	json_key(&a->json, requested ? "requested" : "allocatable");
	json_open(&a->json, '{');
	for (size_t i = 0; i < balance->nresources; i++)
		put_column(a, balance->resources[i].name, requested, nodes, n);
	json_close(&a->json, '}');
}

void
answer_requested(struct asking *a, const struct cluster *cluster,
    const struct balance *balance)
{
	put_columns(a, balance, true, nodes_by_name(a, cluster),
	    cluster->nnodes);
}

void
answer_nodes(struct asking *a)
{
	const struct cluster *cluster = a->view->cluster;
	const struct node_info **nodes = nodes_by_name(a, cluster);
	struct balance balance;

	balance_find(&balance, cluster, &a->arena);
	answer_open(a);
	json_pair_int(&a->json, "count", cluster->nnodes);
	json_key(&a->json, "resources");
	json_open(&a->json, '[');
	for (size_t i = 0; i < balance.nresources; i++)
		json_string(&a->json, balance.resources[i].name);
	json_close(&a->json, ']');
	json_key(&a->json, "name");
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		json_string(&a->json, sym_text(nodes[i]->name));
	json_close(&a->json, ']');
	put_zones(a, &balance, nodes, cluster->nnodes);
	json_key(&a->json, "state");
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		json_int(&a->json, node_json_state(nodes[i]->node));
	json_close(&a->json, ']');
	put_columns(a, &balance, false, nodes, cluster->nnodes);
	put_columns(a, &balance, true, nodes, cluster->nnodes);
	answer_close(a);
}

/* ---- one node ---- */

static void
put_labels(struct json_out *json, const struct labels *labels)
{
	json_key(json, "labels");
	json_open(json, '{');
	for (uint32_t i = 0; i < labels->n; i++) {
		json_pair(json, sym_text(labels->at[i].key),
		    sym_text(labels->at[i].value));
	}
	json_close(json, '}');
}

static void
put_taints(struct asking *a, const struct node *node)
{
	json_key(&a->json, "taints");
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < node->ntaints; i++) {
		const struct taint *t = &node->taints[i];
		const char *value = sym_text(t->value);

		json_string(&a->json,
		    arena_printf(&a->arena, "%s%s%s:%s", sym_text(t->key),
			*value != '\0' ? "=" : "", value,
			sym_text(t->effect_text)));
	}
	json_close(&a->json, ']');
}

static void
put_conditions(struct json_out *json, const struct node *node)
{
	json_key(json, "conditions");
	json_open(json, '{');
	for (uint32_t i = 0; i < node->nconditions; i++) {
		json_pair(json, sym_text(node->conditions[i].type),
		    sym_text(node->conditions[i].status));
	}
	json_close(json, '}');
}

static int
compare_pods(const void *a, const void *b)
{
	const struct pod *x = *(const struct pod *const *)a;
	const struct pod *y = *(const struct pod *const *)b;
	int order = sym_cmp(x->object.namespace, y->object.namespace);

	return order != 0 ? order : strcmp(x->object.name, y->object.name);
}

static void
put_pods(struct asking *a, const struct node_info *node)
{
	const struct pod **pods =
	    arena_memdup(&a->arena, node->pods, node->npods * sizeof(*pods));
	int minor = a->view->cluster->kubernetes_minor;

	if (node->npods > 0)
		qsort(pods, node->npods, sizeof(*pods), compare_pods);
	json_pair_int(&a->json, "count", node->npods);
	json_key(&a->json, "pods");
	json_open(&a->json, '[');
	for (uint32_t i = 0; i < node->npods && i < LISTED_PODS; i++) {
		const struct resources *held = pod_held(pods[i]->class, minor);

		json_open(&a->json, '{');
		json_pair(&a->json, "name", pod_full_name(pods[i]));
		json_pair_int(&a->json, "priority", pods[i]->priority);
		json_pair_int(&a->json, "cpu", held->cpu_milli);
		json_pair_int(&a->json, "memory", held->memory);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

static void
put_resources(struct asking *a, const struct node_info *node)
{
	struct balance balance;

	balance_find(&balance, a->view->cluster, &a->arena);
	json_key(&a->json, "resources");
	json_open(&a->json, '[');
	for (size_t i = 0; i < balance.nresources; i++) {
		const char *name = balance.resources[i].name;
		int64_t used, all;

		balance_amounts(node, name, &used, &all);
		if (used == 0 && all == 0)
			continue;
		json_open(&a->json, '{');
		json_pair(&a->json, "resource", name);
		json_pair_int(&a->json, "requested", used);
		json_pair_int(&a->json, "allocatable", all);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

void
answer_node(struct asking *a)
{
	const char *name = asked_text(a, "name");
	const struct node_info *node = NULL;

	if (name == NULL) {
		answer_error(a, 400, "the parameter name is missing");
		return;
	}
	node = cluster_node(a->view->cluster, sym_intern(name));
	if (node == NULL || node->node == NULL) {
		answer_error(a, 404, "node \"%s\" is not in the cluster", name);
		return;
	}
	answer_open(a);
	json_pair(&a->json, "name", name);
	json_pair(&a->json, "zone", node_json_zone(node));
	json_pair_int(&a->json, "state", node_json_state(node->node));
	put_resources(a, node);
	put_labels(&a->json, &node->node->labels);
	put_taints(a, node->node);
	put_conditions(&a->json, node->node);
	put_pods(a, node);
	answer_close(a);
}
