#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/node.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

static struct node *
must_decode(const char *text)
{
	return t_must_decode("accepted", OBJECT_NODE, text);
}

static struct node *
whole_node(void)
{
	AUTOFREE char *text = t_data("model/node.json");

	return must_decode(text);
}

static void
a_node_is_read(void)
{
	struct node *node = whole_node();

	if (!t_true("decoded", node != NULL))
		return;
	t_int("kind", node->object.kind, OBJECT_NODE);
	t_str("name", sym_text(node->name), "n1");
	t_int("in no namespace", node->object.namespace, SYM_EMPTY);
	t_int("labels", node->labels.n, 3);
	t_true("unschedulable", node->unschedulable);
	if (t_int("taints", node->ntaints, 1)) {
		t_str("key", sym_text(node->taints[0].key), "dedicated");
		t_str("value", sym_text(node->taints[0].value), "v1");
		t_int("effect", node->taints[0].effect, EFFECT_NO_SCHEDULE);
		t_str("its text", sym_text(node->taints[0].effect_text),
		    "NoSchedule");
	}
	object_unref(&node->object);
}

static void
allocatable_is_what_counts(void)
{
	struct node *node = whole_node();
	const struct resources *r = &node->allocatable;

	t_int("cpu", r->cpu_milli, 3900);
	t_int("memory", r->memory, 8000000000);
	t_int("ephemeral storage", r->ephemeral_storage, 1000);
	t_int("pods", r->pods, 110);
	t_int("scalars, storage is none", r->nscalars, 3);
	t_int("gpu", resources_scalar(r, sym_intern("nvidia.com/gpu"))->amount,
	    2);
	t_true("absent", resources_scalar(r, sym_intern("storage")) == NULL);
	object_unref(&node->object);
}

static void
the_last_condition_of_a_type_counts(void)
{
	struct node *node = whole_node();

	t_int("all are kept", node->nconditions, 3);
	t_str("twice there",
	    sym_text(node_condition_status(node, sym_intern("Ready"))), "True");
	t_str("once there",
	    sym_text(node_condition_status(node, sym_intern("MemoryPressure"))),
	    "Unknown");
	t_int("not there", node_condition_status(node, sym_intern("Other")),
	    SYM_EMPTY);
	object_unref(&node->object);
}

static void
images_go_by_all_their_names(void)
{
	struct node *node = whole_node();

	if (t_int("one per name", node->nimages, 3)) {
		t_str("first", sym_text(node->images[0].name),
		    "nginx@sha256:0");
		t_str("second", sym_text(node->images[1].name), "nginx:1.17");
		t_int("same size", node->images[1].bytes, 125829120);
		t_int("no size", node->images[2].bytes, 0);
	}
	object_unref(&node->object);
}

static void
a_node_may_lack_everything_but_its_name(void)
{
	static const char *const texts[] = {
		"{\"metadata\":{\"name\":\"n\"}}",
		"{\"metadata\":{\"name\":\"n\"},\"spec\":{},\"status\":null}",
		"{\"metadata\":{\"name\":\"n\",\"labels\":null},\"spec\":{"
		"\"taints\":null},\"status\":{\"allocatable\":null,\"images\":"
		"[],\"conditions\":null}}",
	};

	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct node *node = must_decode(texts[i]);

		t_int("no pods fit", node->allocatable.pods, 0);
		t_true("nothing",
		    !node->unschedulable && node->ntaints == 0 &&
			node->nimages == 0 && node->nconditions == 0 &&
			node->navoided == 0 && node->labels.n == 0);
		t_int("no zone", node->zone, SYM_EMPTY);
		t_str("no uid", node->object.uid, "");
		object_unref(&node->object);
	}
}

static void
features_and_the_kubelet_are_known(void)
{
	static const struct {
		const char *status;
		unsigned features;
		int minor;
	} rows[] = {
		{ "", 0, -1 },
		{ "\"declaredFeatures\":[\"Other\","
		  "\"RestartAllContainersOnContainerExits\"]",
		    FEATURE_RESTART_ALL, -1 },
		{ "\"declaredFeatures\":[\"UserNamespacesHostNetworkSupport\","
		  "\"RestartAllContainersOnContainerExits\",null]",
		    FEATURE_RESTART_ALL | FEATURE_HOST_NETWORK_USERS, -1 },
		{ "\"nodeInfo\":{\"kubeletVersion\":\"v1.33.2\"}", 0, 33 },
		{ "\"nodeInfo\":{\"kubeletVersion\":\"\"}", 0, -1 },
	};
	struct node *none = must_decode("{\"metadata\":{\"name\":\"n\"}}");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf("{\"metadata\":{\"name\":\"n\"},\"status\":{%s}}",
			rows[i].status);
		struct node *node = must_decode(text);

		t_int(text, node->declared_features, rows[i].features);
		t_int(text, node->kubelet_minor, rows[i].minor);
		t_int("features are news", node_equal(none, node),
		    rows[i].features == 0);
		object_unref(&node->object);
	}
	object_unref(&none->object);
}

static void
null_elements_are_empty_objects(void)
{
	struct node *node = must_decode(
	    "{\"metadata\":{\"name\":\"n\"},"
	    "\"spec\":{\"taints\":[null]},\"status\":{\"conditions\":[null],"
	    "\"images\":[null,{\"names\":[null]}]}}");

	t_int("taint", node->ntaints, 1);
	t_int("of no effect", node->taints[0].effect, EFFECT_ANY);
	t_int("condition", node->nconditions, 1);
	t_int("image", node->nimages, 1);
	object_unref(&node->object);
}

#define LABEL "failure-domain.beta.kubernetes.io/"
#define GA_LABEL "topology.kubernetes.io/"

static void
zones_are_told_apart_by_region(void)
{
	static const struct {
		const char *labels;
		const char *beta_zone;
		size_t beta_len;
		const char *zone;
		size_t len;
	} rows[] = {
		{ "", "", 0, "", 0 },
		{ "\"" LABEL "zone\":\"\",\"" LABEL "region\":\"\"", "", 0, "",
		    0 },
		{ "\"" LABEL "zone\":\"z\"", ":\0:z", 4, ":\0:z", 4 },
		{ "\"" LABEL "region\":\"r\"", "r:\0:", 4, "r:\0:", 4 },
		{ "\"" LABEL "region\":\"r\",\"" LABEL "zone\":\"z\"", "r:\0:z",
		    5, "r:\0:z", 5 },
		{ "\"zone\":\"z\"", "", 0, "", 0 },
		{ "\"" GA_LABEL "zone\":\"z\"", "", 0, ":\0:z", 4 },
		{ "\"" GA_LABEL "region\":\"r\",\"" GA_LABEL "zone\":\"z\"", "",
		    0, "r:\0:z", 5 },
		{ "\"" LABEL "zone\":\"z\",\"" GA_LABEL
		  "zone\":\"y\",\"" GA_LABEL "region\":\"r\"",
		    ":\0:z", 4, "r:\0:z", 5 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf("{\"metadata\":{\"name\":\"n\",\"labels\":{%s}}}",
			rows[i].labels);
		struct node *node = must_decode(text);

		t_int(rows[i].labels, node->zone,
		    sym_intern_n(rows[i].zone, rows[i].len));
		t_int(rows[i].labels, node->beta_zone,
		    sym_intern_n(rows[i].beta_zone, rows[i].beta_len));
		object_unref(&node->object);
	}
}

#define ENTRY(controller) "{'podSignature':{'podController':{" controller "}}}"

static void
avoided_controllers_are_as_go_reads_them(void)
{
	static const struct {
		const char *annotation; /* ' stands for " */
		uint32_t n;
		const char *kind, *uid; /* of the last */
	} rows[] = {
		{ "{'preferAvoidPods':[" ENTRY(
		      "'kind':'ReplicaSet','uid':'u'") "]}",
		    1, "ReplicaSet", "u" },
		{ "{'preferAvoidPods':[" ENTRY("'kind':'A'") "," ENTRY(
		      "'uid':'u','controller':true") "]}",
		    2, "", "u" },
		{ "{'preferAvoidPods':[" ENTRY("") "]}", 1, "", "" },
		{ "{'PREFERavoidPods':[{'PodSignature':{'podcontroller':"
		  "{'KIND':'k','UID':'u'}}}]}",
		    1, "k", "u" },
		{ "{'preferAvoidPods':[{'podSignature':{}}]}", 0, "", "" },
		{ "{'preferAvoidPods':[{'podSignature':null},{},null]}", 0, "",
		    "" },
		{ "{'preferAvoidPods':[],'other':1}", 0, "", "" },
		{ "", 0, "", "" },
		{ "null", 0, "", "" },
		{ "not json", 0, "", "" },
		{ "preferAvoidPods: []", 0, "", "" },
		{ "[]", 0, "", "" },
		{ "{'preferAvoidPods':{}}", 0, "", "" },
		{ "{'preferAvoidPods':[" ENTRY("'kind':'k'") "]} x", 0, "",
		    "" },
		/* One wrong value spoils it all. */
		{ "{'preferAvoidPods':[" ENTRY("'kind':'k'") "," ENTRY(
		      "'uid':1") "]}",
		    0, "", "" },
		{ "{'preferAvoidPods':[" ENTRY("'kind':'k'") ",1]}", 0, "",
		    "" },
		{ "{'preferAvoidPods':[{'evictionTime':'x','podSignature':"
		  "{'podController':{}}}]}",
		    0, "", "" },
		{ "{'preferAvoidPods':[{'evictionTime':'2019-08-01T00:00:00Z',"
		  "'podSignature':{'podController':{}}}]}",
		    1, "", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf(
		    "metadata:\n  name: n1\n"
		    "  annotations:\n    scheduler.alpha.kubernetes.io/"
		    "preferAvoidPods: |-\n      %s\n",
		    rows[i].annotation);
		struct node *node;

		for (char *c = text; *c != '\0'; c++)
			if (*c == '\'')
				*c = '"';
		node = must_decode(text);
		if (node == NULL)
			continue;
		if (t_int(rows[i].annotation, node->navoided, rows[i].n) &&
		    rows[i].n > 0) {
			const struct avoided_controller *last =
			    &node->avoided[rows[i].n - 1];

			t_str("kind", sym_text(last->kind), rows[i].kind);
			t_str("uid", sym_text(last->uid), rows[i].uid);
		}
		object_unref(&node->object);
	}
}

static void
errors_have_position_and_path(void)
{
	static const struct {
		const char *rest, *want;
	} rows[] = {
		{ "\"spec\":1", "test.json:1:33: spec must be an object" },
		{ "\"spec\":{\"unschedulable\":\"yes\"}",
		    "spec.unschedulable must be a boolean" },
		{ "\"spec\":{\"taints\":[{},{\"key\":1}]}",
		    "spec.taints[1].key must be a string" },
		{ "\"spec\":{\"taints\":[{},1]}",
		    "spec.taints[1] must be an object" },
		{ "\"status\":{\"allocatable\":{\"cpu\":\"x\"}}",
		    "status.allocatable.cpu" },
		{ "\"status\":{\"allocatable\":[]}",
		    "status.allocatable must be an object" },
		{ "\"status\":{\"conditions\":[{\"status\":true}]}",
		    "status.conditions[0].status must be a string" },
		{ "\"status\":{\"images\":[{\"sizeBytes\":\"1\"}]}",
		    "status.images[0].sizeBytes" },
		{ "\"status\":{\"images\":[{\"names\":[1]}]}",
		    "status.images[0].names[0] must be a string, not a number" },
		{ "\"status\":{\"declaredFeatures\":[1]}",
		    "status.declaredFeatures[0] must be a string, not a "
		    "number" },
		{ "\"status\":{\"nodeInfo\":1}",
		    "status.nodeInfo must be an object" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text =
		    xasprintf("{\"metadata\":{\"name\":\"n\"},%s}",
			rows[i].rest);
		struct err err = { "" };

		t_true(rows[i].rest, t_decode(OBJECT_NODE, text, &err) == NULL);
		t_has(rows[i].rest, err.text, rows[i].want);
	}
}

static void
member_clusters_are_known(void)
{
	static const struct {
		const char *annotations;
		bool whole;
		const char *cluster;
	} rows[] = {
		{ "", false, "" },
		{ "\"leafNodeMode\":\"one2cluster\"", true, "" },
		{ "\"leafNodeMode\":\"one2party\"", false, "" },
		{ "\"kosmos-io/owned-by-cluster\":\"m1\"", false, "m1" },
	};
	struct node *nodes[LENGTH(rows)];

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf("{\"metadata\":{\"name\":"
						"\"n\",\"annotations\":{%s}}}",
		    rows[i].annotations);

		nodes[i] = must_decode(text);
		if (nodes[i] == NULL)
			return;
		t_int(text, nodes[i]->is_whole_cluster, rows[i].whole);
		t_str(text, sym_text(nodes[i]->cluster), rows[i].cluster);
		t_int("is news", node_equal(nodes[0], nodes[i]),
		    i == 0 || i == 2);
	}
	for (size_t i = 0; i < LENGTH(rows); i++)
		object_unref(&nodes[i]->object);
}

T_MAIN(T(a_node_is_read), T(features_and_the_kubelet_are_known),
    T(member_clusters_are_known), T(allocatable_is_what_counts),
    T(the_last_condition_of_a_type_counts), T(images_go_by_all_their_names),
    T(a_node_may_lack_everything_but_its_name),
    T(null_elements_are_empty_objects), T(zones_are_told_apart_by_region),
    T(avoided_controllers_are_as_go_reads_them),
    T(errors_have_position_and_path))
