/* PodToleratesNodeTaints, and PodToleratesNodeNoExecuteTaints: the same rule about
 * taints with the effect NoExecute alone. */
#include "config.h"

#include <stdio.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) had taints that the pod didn't tolerate"
#define TAINT(key, value, effect)                                              \
	"{key: " key ", value: '" value "', effect: " effect "},"
#define NODE(taints) W_NODE("n1", "", "taints: [" taints "]")
#define POD(tolerations) W_POD("p", "", "", "tolerations: [" tolerations "]")
#define EQUAL(key, value, effect)                                              \
	"{key: " key ", operator: Equal, value: '" value "', effect: '" effect \
	"'},"
#define EXISTS(key) "{key: '" key "', operator: Exists},"
#define GPU TAINT("dedicated", "gpu", "NoSchedule")

static void
every_taint_must_be_tolerated(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no taints", NODE(""), POD(""), FITS, "", NULL },
		{ "not tolerated", NODE(GPU), POD(""), UNFIT_FOREVER, WHY,
		    "would fit if taint dedicated=gpu:NoSchedule were "
			"tolerated" },
		{ "tolerated", NODE(GPU),
		    POD(EQUAL("dedicated", "gpu", "NoSchedule")), FITS, "",
		    NULL },
		{ "any effect tolerated", NODE(GPU),
		    POD(EQUAL("dedicated", "gpu", "")), FITS, "", NULL },
		{ "other effect", NODE(GPU),
		    POD(EQUAL("dedicated", "gpu", "NoExecute")), UNFIT_FOREVER,
		    WHY, NULL },
		{ "other value", NODE(GPU), POD(EQUAL("dedicated", "db", "")),
		    UNFIT_FOREVER, WHY, NULL },
		{ "any value", NODE(GPU), POD(EXISTS("dedicated")), FITS, "",
		    NULL },
		{ "everything tolerated", NODE(GPU), POD(EXISTS("")), FITS, "",
		    NULL },
		{ "no operator is Equal", NODE(GPU),
		    POD("{key: dedicated, value: gpu}"), FITS, "", NULL },
		{ "an unknown operator tolerates nothing", NODE(GPU),
		    POD("{key: dedicated, operator: Is, value: gpu}"),
		    UNFIT_FOREVER, WHY, NULL },
		{ "NoExecute counts", NODE(TAINT("a", "", "NoExecute")),
		    POD(""), UNFIT_FOREVER, WHY,
		    "would fit if taint a:NoExecute were tolerated" },
		{ "PreferNoSchedule does not",
		    NODE(TAINT("a", "", "PreferNoSchedule")), POD(""), FITS, "",
		    NULL },
		{ "one of two",
		    NODE(GPU TAINT("a", "b", "NoExecute")),
		    POD(EXISTS("dedicated")), UNFIT_FOREVER, WHY,
		    "would fit if taint a=b:NoExecute were tolerated" },
		{ "two", NODE(GPU TAINT("a", "b", "NoExecute")), POD(""),
		    UNFIT_FOREVER, WHY, "would fit if taints "
			"dedicated=gpu:NoSchedule, a=b:NoExecute were "
			"tolerated" },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_tolerates_node_taints, NULL, rows);
}

static void
effects_that_count(void)
{
	static const char miss[] =
	    "would fit if taint a:NoExecute were tolerated";
	static const struct {
		const char *name, *node, *pod;
		bool refused, by_no_execute;
		const char *miss;
	} rows[] = {
		{ "NoExecute", NODE(TAINT("a", "", "NoExecute")), POD(""), true,
		    true, miss },
		{ "NoExecute tolerated", NODE(TAINT("a", "", "NoExecute")),
		    POD("{key: a}"), false, false, NULL },
		{ "NoSchedule", NODE(TAINT("a", "", "NoSchedule")), POD(""),
		    true, false,
		    "would fit if taint a:NoSchedule were tolerated" },
		{ "PreferNoSchedule", NODE(TAINT("a", "", "PreferNoSchedule")),
		    POD(""), false, false, NULL },
		{ "of two taints",
		    NODE(TAINT("b", "", "PreferNoSchedule")
			    TAINT("a", "", "NoExecute")),
		    POD(""), true, true, miss },
	};

	for (size_t i = 0; i < LENGTH(rows) * 2; i++) {
		bool no_execute = i % 2;
		bool refused = no_execute ? rows[i / 2].by_no_execute :
					    rows[i / 2].refused;
		const struct world_row row = { rows[i / 2].name,
			rows[i / 2].node, rows[i / 2].pod,
			refused ? UNFIT_FOREVER : FITS, refused ? WHY : "",
			rows[i / 2].miss };

		t_predicate_(__FILE__, __LINE__,
		    no_execute ?
			&predicate_pod_tolerates_node_no_execute_taints :
			&predicate_pod_tolerates_node_taints,
		    NULL, 1, &row);
	}
}

static void
comparisons_count_from_1_35_on_with_their_gate(void)
{
	static const struct {
		const char *name;
		int release;
		bool gate, strict;
		const char *pod, *miss; /* NULL: it fits */
	} rows[] = {
		{ "more", 35, true, false,
		    POD("{key: gen, operator: Gt, value: '4'}"), NULL },
		{ "less", 35, true, false,
		    POD("{key: gen, operator: Lt, value: '6'}"), NULL },
		{ "not more", 35, true, false,
		    POD("{key: gen, operator: Gt, value: '6'}"),
		    "would fit if taint gen=5:NoSchedule were tolerated" },
		{ "not less", 35, true, false,
		    POD("{key: gen, operator: Lt, value: '4'}"),
		    "would fit if taint gen=5:NoSchedule were tolerated" },
		{ "off", 36, false, false,
		    POD("{key: gen, operator: Gt, value: '4'}"),
		    "would fit if taint gen=5:NoSchedule were tolerated" },
		{ "before", 34, true, false,
		    POD("{key: gen, operator: Gt, value: '4'}"),
		    "would fit if taint gen=5:NoSchedule were tolerated" },
		{ "a strict policy", 36, true, true,
		    POD("{key: gen, operator: Gt, value: '4'}"),
		    "would fit if taint gen=5:NoSchedule were tolerated" },
	};
	struct world *w = world_new(NODE(TAINT("gen", "5", "NoSchedule")));

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct outcome o;

		w->cluster->kubernetes_minor = rows[i].release;
		w->profile->strict = rows[i].strict;
		w->profile->gates.taint_toleration_comparison = rows[i].gate;
		world_pod(w, rows[i].pod);
		o = world_check(w, &predicate_pod_tolerates_node_taints, NULL,
		    "n1");
		t_int(rows[i].name, o.verdict,
		    rows[i].miss == NULL ? FITS : UNFIT_FOREVER);
		if (rows[i].miss != NULL)
			t_str(rows[i].name, o.miss, rows[i].miss);
	}
	world_free(w);
}

#define DB TAINT("db", "", "NoExecute")

static void
plugins_have_reasons_of_their_own(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "the first that counts",
		    NODE(TAINT("a", "b", "PreferNoSchedule") GPU DB), POD(""),
		    UNFIT_FOREVER, "node(s) had taint {dedicated: gpu}, that "
			"the pod didn't tolerate", NULL },
		{ "the first that is not tolerated", NODE(GPU DB),
		    POD(EXISTS("dedicated")), UNFIT_FOREVER, "node(s) had "
			"taint {db: }, that the pod didn't tolerate", NULL },
	}, of_36[] = {
		{ "without a name", NODE(GPU DB), POD(""), UNFIT_FOREVER,
		    "node(s) had untolerated taint(s)", NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_pod_tolerates_node_taints, NULL, of_20);
	t_predicate_of(36, &predicate_pod_tolerates_node_taints, NULL, of_36);
}

#define TAINTS 200 /* more than there are codes */

static void
many_taints_have_a_reason_each(void)
{
	struct text yaml = { 0 };
	AUTOFREE char *objects = NULL;
	struct world *w;
	const void *prep;
	char node[8];

	for (int i = 0; i < TAINTS; i++) {
		AUTOFREE char *text = xasprintf("--- {kind: Node, metadata: "
						"{name: n%d}, spec: {taints: "
						"[{key: k%d, effect: "
						"NoSchedule}]}}\n",
		    i, i);

		text_put(&yaml, text);
	}
	objects = text_take(&yaml);
	w = world_new(objects);
	w->profile->release = 20;
	world_pod(w, POD(""));
	prep = world_prepare(w, &predicate_pod_tolerates_node_taints, NULL);
	for (int i = TAINTS - 1; i >= 0; i--) {
		AUTOFREE char *why = xasprintf("node(s) had taint {k%d: }, "
					       "that the pod didn't tolerate",
		    i);

		snprintf(node, sizeof(node), "n%d", i);
		t_str("its own",
		    world_check_prepared(w,
			&predicate_pod_tolerates_node_taints, prep,
			world_node(w, node))
			.why,
		    why);
	}
	world_free(w);
}

T_MAIN(T(every_taint_must_be_tolerated), T(effects_that_count),
    T(comparisons_count_from_1_35_on_with_their_gate),
    T(plugins_have_reasons_of_their_own), T(many_taints_have_a_reason_each))
