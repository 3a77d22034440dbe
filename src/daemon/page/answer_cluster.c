/* The cluster as it is: its sums, its nodes in columns, one node; and its rules. */
#include "config.h"

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "decide/framework/profile.h"
#include "policy/convert/rules.h"
#include "explain/explanation.h"
#include "daemon/page/answer_internal.h"
#include "explain/cluster_json.h"
#include "explain/whatif/balance.h"

/* Most pods of one node that are listed. */
#define LISTED_PODS 1000

/* ---- sums ---- */

void
answer_cluster(struct page_question *a)
{
	const struct web_view *view = a->view;
	struct json_out *json = &a->json;
	size_t counts[POD_STATES] = { 0 };
	struct balance balance;

	for (size_t i = 0; i < view->npods; i++)
		counts[pod_state(view->pods[i])]++;
	balance_find(&balance, view->cluster, &a->arena);
	answer_open(a);
	json_members(json,
	    "source:s kubernetes:s kubernetesFrom:s policy:s policyFrom:s "
	    "nodes:u",
	    view->source,
	    arena_printf(&a->arena, "1.%d", view->cluster->kubernetes_minor),
	    view->release_from, view->policy_name, view->policy_from,
	    view->cluster->nnodes);
	json_key(json, "pods");
	json_object(json, "placed:z pending:z ended:z leftOut:z",
	    counts[POD_PLACED], counts[POD_WAITING], counts[POD_ENDED],
	    view->nleft_out);
	balance_json(json, "balance", &balance, counts[POD_PLACED]);
	answer_close(a);
}

/* ---- nodes ---- */

static void
put_columns(struct page_question *a, const struct balance *balance,
    bool requested, const struct node_info **nodes, uint32_t n)
{
	int64_t used, all;

	json_open_member(&a->json, requested ? "requested" : "allocatable",
	    '{');
	for (size_t i = 0; i < balance->nresources; i++) {
		const char *resource = balance->resources[i].name;

		JSON_ARRAY (&a->json, resource, k, n) {
			balance_amounts(nodes[k], resource, &used, &all);
			json_int(&a->json, requested ? used : all);
		}
	}
	json_close(&a->json, '}');
}

void
answer_requested(struct page_question *a, const struct cluster *cluster,
    const struct balance *balance)
{
	const struct node_info **nodes = nodes_by_name(cluster, &a->arena);

	put_columns(a, balance, true, nodes, cluster->nnodes);
	json_open_member(&a->json, "stranded", '{');
	for (size_t i = 0; i < balance->nresources; i++) {
		/* The places of the nodes that have some of it left and of
		 * another resource none. */
		const char *resource = balance->resources[i].name;

		JSON_ARRAY (&a->json, resource, j, cluster->nnodes)
			if (balance_strands(nodes[j], resource) > 0)
				json_int(&a->json, (int64_t)j);
	}
	json_close(&a->json, '}');
	JSON_ARRAY (&a->json, "empty", j, cluster->nnodes)
		if (balance_is_empty(nodes[j]))
			json_int(&a->json, (int64_t)j);
}

void
answer_nodes(struct page_question *a)
{
	const struct cluster *cluster = a->view->cluster;
	const struct node_info **nodes = nodes_by_name(cluster, &a->arena);
	struct balance balance;

	balance_find(&balance, cluster, &a->arena);
	answer_open(a);
	json_members(&a->json, "count:u", cluster->nnodes);
	JSON_ARRAY (&a->json, "resources", i, balance.nresources)
		json_string(&a->json, balance.resources[i].name);
	JSON_ARRAY (&a->json, "name", i, cluster->nnodes)
		json_string(&a->json, sym_text(nodes[i]->name));
	/* "zones" has the names, "zone" the place of each node's among them. */
	JSON_ARRAY (&a->json, "zones", i, balance.nzones)
		json_string(&a->json, balance.zones[i].name);
	JSON_ARRAY (&a->json, "zone", i, cluster->nnodes) {
		const char *zone = node_json_zone(nodes[i]);
		size_t at = 0;

		while (at + 1 < balance.nzones &&
		    strcmp(balance.zones[at].name, zone) != 0)
			at++;
		json_int(&a->json, (int64_t)at);
	}
	JSON_ARRAY (&a->json, "state", i, cluster->nnodes)
		json_int(&a->json, node_json_state(nodes[i]->node));
	put_columns(a, &balance, false, nodes, cluster->nnodes);
	answer_requested(a, cluster, &balance);
	answer_close(a);
}

/* ---- labels and taints ---- */

static void
put_labels(struct json_out *json, const struct labels *labels)
{
	json_open(json, '{');
	for (uint32_t i = 0; i < labels->n; i++)
		json_pair(json, sym_text(labels->at[i].key),
		    sym_text(labels->at[i].value));
	json_close(json, '}');
}

static void
put_taints(struct page_question *a, const struct node *node)
{
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

void
answer_labels(struct page_question *a)
{
	const struct cluster *cluster = a->view->cluster;
	const struct node_info **nodes = nodes_by_name(cluster, &a->arena);

	answer_open(a);
	JSON_ARRAY (&a->json, "labels", i, cluster->nnodes)
		put_labels(&a->json, &nodes[i]->node->labels);
	JSON_ARRAY (&a->json, "taints", i, cluster->nnodes)
		put_taints(a, nodes[i]->node);
	answer_close(a);
}

/* ---- one node ---- */

static void
put_pods(struct page_question *a, const struct node_info *node)
{
	const struct pod **pods =
	    arena_memdup(&a->arena, node->pods, node->npods * sizeof(*pods));
	int minor = a->view->cluster->kubernetes_minor;

	SORT(pods, node->npods, whatif_compare_names);
	json_members(&a->json, "count:u", node->npods);
	json_open_member(&a->json, "pods", '[');
	for (uint32_t i = 0; i < node->npods && i < LISTED_PODS; i++) {
		const struct resources *held = pod_held(pods[i]->class, minor);

		json_open(&a->json, '{');
		json_members(&a->json, "name:s priority:i cpu:d memory:d",
		    pod_full_name(pods[i]), pods[i]->priority, held->cpu_milli,
		    held->memory);
		requests_json_other(&a->json, held);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

static void
put_resources(struct page_question *a, const struct node_info *node)
{
	struct balance balance;

	balance_find(&balance, a->view->cluster, &a->arena);
	JSON_ARRAY (&a->json, "resources", i, balance.nresources) {
		const char *name = balance.resources[i].name;
		int64_t used, all;

		balance_amounts(node, name, &used, &all);
		if (used != 0 || all != 0)
			json_object(&a->json,
			    "resource:s requested:d allocatable:d", name, used,
			    all);
	}
}

void
answer_node(struct page_question *a)
{
	const char *name = asked_text(a, "name");
	const struct node_info *node = name != NULL ?
	    cluster_node(a->view->cluster, sym_intern(name)) :
	    NULL;

	if (name == NULL) {
		answer_error(a, 400, "the parameter name is missing");
		return;
	}
	if (node == NULL || node->node == NULL) {
		answer_error(a, 404, "node \"%s\" is not in the cluster", name);
		return;
	}
	answer_open(a);
	json_members(&a->json, "name:n zone:s state:i", node->node->name,
	    node_json_zone(node), node_json_state(node->node));
	put_resources(a, node);
	json_key(&a->json, "labels");
	put_labels(&a->json, &node->node->labels);
	json_key(&a->json, "taints");
	put_taints(a, node->node);
	json_open_member(&a->json, "conditions", '{');
	for (uint32_t i = 0; i < node->node->nconditions; i++)
		json_pair(&a->json, sym_text(node->node->conditions[i].type),
		    sym_text(node->node->conditions[i].status));
	json_close(&a->json, '}');
	put_pods(a, node);
	answer_close(a);
}

/* ---- rules ---- */

static void
put_rules(struct page_question *a, const char *key,
    const struct profile *profile, enum rule_kind kind)
{
	size_t n;
	const struct rule *rules = rules_of(profile, kind, &a->arena, &n);

	JSON_ARRAY (&a->json, key, i, n) {
		const struct rule *r = &rules[i];

		json_open(&a->json, '{');
		json_members(&a->json, "name:s on:b", r->name, r->on);
		if (kind == RULE_SCORES)
			json_members(&a->json, "weight:d", (int64_t)r->weight);
		json_members(&a->json, "required:b custom:b line:u column:u",
		    r->required, r->custom, r->line, r->column);
		json_close(&a->json, '}');
	}
}

void
answer_profiles(struct page_question *a, const struct profiles *profiles)
{
	JSON_ARRAY (&a->json, "profiles", i, profiles->n) {
		const struct profile *profile = profiles->at[i];

		json_open(&a->json, '{');
		json_members(&a->json, "schedulerName:s scoreMax:d extenders:z",
		    profile->scheduler_name, (int64_t)profile->score_max,
		    (size_t)profile->nextenders);
		put_rules(a, "filters", profile, RULE_FILTERS);
		put_rules(a, "scores", profile, RULE_SCORES);
		json_close(&a->json, '}');
	}
}

void
answer_policy(struct page_question *a)
{
	answer_open(a);
	answer_profiles(a, a->view->profiles);
	answer_close(a);
}
