/* Reasons that name texts of the cluster's objects are freed with those: taints and
 * policies that change for ever take no more memory than those of one day. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/sym.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define CHANGES 300 /* more than there are codes */
#define ROUNDS 3

#define TAINTED                                                                \
	W_NODE("n1", "", "taints: [{key: k, value: v%u, effect: NoExecute}]")
#define GOVERNED                                                               \
	W_NODE("n1", "kosmos.io/node: 'true'", "")                             \
	W_OBJECT("DistributionPolicy", "namespace: default, name: dp",         \
	    "spec: {resourceSelectors: [{policyName: t%1$u, name: p}], "       \
	    "policyTerms: [{name: t%1$u, nodeType: host}]}")

static const struct row {
	const char *name;
	const struct predicate *unit;
	int release;
	const char *objects; /* %u: the change */
	const char *why;
} rows[] = {
	{ "taints", &predicate_pod_tolerates_node_taints, 20, TAINTED,
	    "node(s) had taint {k: v%u}, that the pod didn't tolerate" },
	{ "taints of leaf nodes", &predicate_leaf_node_taint_toleration, 15,
	    TAINTED,
	    "node(s) had taint {k: v%u}, that the pod didn't tolerate" },
	{ "distribution policies", &predicate_leaf_node_distribution, 15,
	    GOVERNED,
	    "This is a leaf node (n1) that does not match the distribution "
	    "policy (t%u) (host node)" },
};

static void
change(const struct row *row, unsigned i)
{
	char objects[1024], why[256];
	struct world *w;
	struct outcome o;

	snprintf(objects, sizeof(objects), row->objects, i);
	snprintf(why, sizeof(why), row->why, i);
	w = world_new(objects);
	w->profile->release = row->release;
	world_pod(w, W_POD("p", "", "", ""));
	o = world_check(w, row->unit, NULL, "n1");
	t_int(row->name, o.verdict, UNFIT_FOREVER);
	t_str(row->name, o.why, why);
	world_free(w);
}

static void
reasons_do_not_accumulate(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		size_t count = 0;

		for (unsigned n = 0; n < ROUNDS * CHANGES; n++) {
			change(&rows[i], n);
			if (n % CHANGES != CHANGES - 1)
				continue;
			sym_collect();
			if (count == 0)
				count = sym_count();
			t_int(rows[i].name, sym_count(), count);
		}
	}
}

T_MAIN(T(reasons_do_not_accumulate))
