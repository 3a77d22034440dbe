/* The nearest misses as one line. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "policy/policy.h"
#include "explain/miss.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define SMALL "allocatable: {pods: 110, cpu: 1, memory: 8Gi}"
#define CLUSTER                                                                \
	W_NODE("n1", "", "")                                                   \
	W_NODE("n2", "", "taints: [{key: a, value: b, effect: NoSchedule}]")   \
	W_NODE_STATUS("n3", "", "", SMALL)                                     \
	W_NODE_STATUS("n4", "",                                                \
	    "taints: [{key: a, value: b, effect: "                             \
	    "NoSchedule}]",                                                    \
	    SMALL)                                                             \
	W_NODE("n5", "", "")
#define FIVE W_REQUESTS("cpu: 5")

static void
misses_are_grouped_and_cut(void)
{
	static const struct {
		const char *name, *spec;
		size_t max;
		const char *want;
	} rows[] = {
		{ "equal misses share a text; two rules are no near miss", FIVE,
		    1000, "1 cpu short: n1, n5; 4 cpu short: n3" },
		{ "one that does not fit is counted", FIVE, 60,
		    "1 cpu short: n1, n5; 1 more node" },
		{ "several", FIVE, 50, "1 cpu short: n1; 2 more nodes" },
		{ "none fits", FIVE, 33, "3 nodes" },
	};
	struct profile *profile = t_profile(T_POLICY(""), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(CLUSTER);
		AUTOFREE char *pod = xasprintf(
		    "--- {kind: Pod, metadata: {namespace: d, name: p}, "
		    "spec: {%s}}\n",
		    rows[i].spec);
		const char *got;

		world_pod(w, pod);
		w->cycle.profile = profile;
		got = misses_text(&w->cycle, rows[i].max);
		t_str(rows[i].name, got, rows[i].want);
		t_true("short enough", strlen(got) <= rows[i].max);
		world_free(w);
	}
	profile_free(profile);
}

static void
the_nearest_come_first(void)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(W_NODE_STATUS("far", "", "",
	    "allocatable: {pods: 110, cpu: 3}") W_NODE_STATUS("near", "", "",
	    "allocatable: {pods: 110, cpu: 3800m}"));

	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 4")));
	w->cycle.profile = profile;
	t_str("whatever the unit", misses_text(&w->cycle, 1000),
	    "200m cpu short: near; 1 cpu short: far");
	world_free(w);
	w = world_new(W_NODE_STATUS("far", "", "",
	    "allocatable: {pods: 110, cpu: 1, memory: 8Gi}")
		W_NODE_STATUS("near", "", "",
		    "allocatable: {pods: 110, cpu: 3, memory: 7Gi}"));
	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 4, memory: 8Gi")));
	w->cycle.profile = profile;
	t_str("by shares of all that is requested",
	    misses_text(&w->cycle, 1000),
	    "1 cpu short, 1Gi memory short: near; 3 cpu short: far");
	world_free(w);
	profile_free(profile);
}

static void
a_cluster_without_near_misses_has_no_text(void)
{
	struct profile *profile = t_profile(T_POLICY(""), NULL);
	struct world *w = world_new(W_NODE("n1", "", "unschedulable: true"));

	world_pod(w, W_POD("p", "", "", FIVE));
	w->cycle.profile = profile;
	t_true("two rules refuse it", misses_text(&w->cycle, 1000) == NULL);
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(misses_are_grouped_and_cut), T(the_nearest_come_first),
    T(a_cluster_without_near_misses_has_no_text))
