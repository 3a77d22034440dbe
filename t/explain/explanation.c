/* The JSON of an explanation, and the parts left out where it is too long. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/doc.h"
#include "base/xmalloc.h"
#include "policy/policy.h"
#include "explain/explanation.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 200
#define RESOURCES 90

static char *
many_nodes(void)
{
	struct text yaml = { 0 };

	for (int i = 0; i < NODES; i++) {
		AUTOFREE char *node = xasprintf(
		    "--- {kind: Node, metadata: "
		    "{name: n%03d}, status: {allocatable: {pods: 110}}}\n",
		    i);

		text_put(&yaml, node);
	}
	return text_take(&yaml);
}

static char *
greedy_pod(void)
{
	struct text yaml = { 0 };

	text_put(&yaml,
	    "--- {kind: Pod, metadata: {namespace: d, name: p}, "
	    "spec: {containers: [{name: c, resources: {requests: {");
	for (int i = 0; i < RESOURCES; i++) {
		AUTOFREE char *resource = xasprintf("x.com/%03d: 1, ", i);

		text_put(&yaml, resource);
	}
	text_put(&yaml, "cpu: 1}}}]}}\n");
	return text_take(&yaml);
}

static struct doc *
explain(struct world *w, const struct profile *profile, size_t max_bytes,
    size_t *len)
{
	struct explanation e = { .max_bytes = max_bytes };
	AUTOFREE char *pod = greedy_pod(), *bytes = NULL;
	FILE *out = open_memstream(&bytes, len);
	struct doc *doc;

	world_pod(w, pod);
	w->cycle.profile = profile;
	w->cycle.keep_scores = true;
	explanation_find(&e, &w->cycle);
	explanation_json(&e, out);
	fclose(out);
	doc = doc_parse("explanation", bytes, *len, &doc_limits_people, NULL);
	if (doc == NULL)
		abort();
	return doc;
}

static int64_t
number(const struct doc_node *node, const char *key)
{
	int64_t value = 0;

	doc_get_int(node, key, key, 0, INT64_MAX, &value, NULL);
	return value;
}

/* Reasons of all nodes there are, left out or not. */
static void
check_nodes(const char *name, const struct doc_node *root, size_t want)
{
	const struct doc_node *nodes = doc_get(root, "nodes");
	bool fits;

	t_int(name, nodes->count, want);
	t_int(name, number(root, "nodesLeftOut"), NODES - want);
	for (const struct doc_node *n = nodes->first; n != NULL; n = n->next) {
		fits = true;
		doc_get_bool(n, "fits", "fits", &fits, NULL);
		t_true(name, !fits);
		t_int(name,
		    (int64_t)doc_get(n, "reasons")->count +
			number(n, "reasonsLeftOut"),
		    RESOURCES + 1);
		t_int(name, number(n, "total"), 0);
		t_true(name, doc_get(n, "scores") != NULL);
	}
	t_true(name, doc_get(root, "best") != NULL);
	t_has(name, doc_get(root, "message")->text, "0/200 nodes are ");
}

static const struct doc_node *
last_node(const struct doc *doc)
{
	const struct doc_node *n = doc_get(doc_root(doc), "nodes")->first;

	while (n->next != NULL)
		n = n->next;
	return n;
}

static void
what_is_too_long_is_left_out(void)
{
	struct policy_options options = { .gates = gates_default };
	AUTOFREE char *yaml = many_nodes();
	struct world *w = world_new(yaml);
	struct profile *profile = policy_provider("DefaultProvider", &options);
	struct doc *doc;
	size_t len, whole, all;

	doc = explain(w, profile, 0, &whole);
	check_nodes("no limit", doc_root(doc), NODES);
	t_int("no limit", doc_get(last_node(doc), "reasons")->count,
	    RESOURCES + 1);
	doc_free(doc);

	doc = explain(w, profile, 10 * whole, &len);
	t_int("far below the limit", len, whole);
	doc_free(doc);

	doc = explain(w, profile, whole / 2, &len);
	check_nodes("reasons", doc_root(doc), NODES);
	t_int("the last node has none",
	    doc_get(last_node(doc), "reasons")->count, 0);
	t_true("it is shorter", len < whole / 2 + 16 * 1024);
	all = len;
	doc_free(doc);

	doc = explain(w, profile, 10000, &len);
	t_true("nodes, too", len < all / 2);
	check_nodes("nodes, too", doc_root(doc),
	    doc_get(doc_root(doc), "nodes")->count);
	t_true("some are there", doc_get(doc_root(doc), "nodes")->count > 0);
	doc_free(doc);

	profile_free(profile);
	world_free(w);
}

T_MAIN(T(what_is_too_long_is_left_out))
