/* MissingState, and where profiles of plugins have it. */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "predicates/registry.h"
#include "decide/sched/decide.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static void
it_fails_on_any_node(void)
{
	static const struct missing_state_args args = { .error = "not found" };
	struct world *w = world_new(W_NODE("n1", "", ""));
	struct outcome o;

	world_pod(w, W_POD("p", "", "", ""));
	o = world_check(w, &predicate_missing_state, &args, "n1");
	t_int("verdict", o.verdict, BROKEN);
	t_str("error", o.error, "not found");
	world_free(w);
}

#define OFF(point, name)                                                       \
	"\"plugins\":{\"" point "\":{\"disabled\":[{\"name\":\"" name "\"}]}}"
#define ON(point, name) "\"" point "\":{\"enabled\":[{\"name\":\"" name "\"}]}"
#define AFFINITY_LABELS(labels)                                                \
	",\"pluginConfig\":[{\"name\":\"ServiceAffinity\",\"args\":{"          \
	"\"affinityLabels\":[" labels "]}}]"
#define NODE_LABEL                                                                     \
	"\"plugins\":{" ON("filter",                                                   \
	    "NodeLabel") "},\"pluginConfig\":[{"                                       \
			 "\"name\":\"NodeLabel\",\"args\":{\"presentLabels\":[\"a\"]," \
			 "\"absentLabels\":[\"b\"]}}]"
#define NOT_FOUND "from cycleState: not found"
#define DISK "volumes: [{name: v, gcePersistentDisk: {pdName: d}}]"

/* Decisions by the profile about a pod on node n1. */
static const struct {
	const char *name, *configuration, *node, *pod, *message;
} rows[] = {
	{ "a plugin that reads no state",
	    T_CONFIGURATION("v1", OFF("preFilter", "NodeAffinity")), "", "",
	    "" },
	{ "ports", T_CONFIGURATION("v1", OFF("preFilter", "NodePorts")), "", "",
	    "running \"NodePorts\" filter plugin: reading "
	    "\"PreFilterNodePorts\" " NOT_FOUND },
	{ "resources",
	    T_CONFIGURATION("v1", OFF("preFilter", "NodeResourcesFit")), "", "",
	    "running \"NodeResourcesFit\" filter plugin: error reading "
	    "\"PreFilterNodeResourcesFit\" " NOT_FOUND },
	{ "an earlier refusal comes first",
	    T_CONFIGURATION("v1", OFF("preFilter", "NodeResourcesFit")),
	    "unschedulable: true", "",
	    "0/1 nodes are available: 1 node(s) were unschedulable." },
	{ "disks are checked before",
	    T_CONFIGURATION("v1", OFF("preFilter", "VolumeRestrictions")), "",
	    DISK, "0/1 nodes are available: 1 node(s) had no available disk." },
	{ "and then the state is missing",
	    T_CONFIGURATION("v1", OFF("preFilter", "VolumeRestrictions")), "",
	    "",
	    "running \"VolumeRestrictions\" filter plugin: cannot read "
	    "\"PreFilterVolumeRestrictions\" from cycleState" },
	{ "1.20",
	    T_CONFIGURATION("v1beta1", OFF("preFilter", "InterPodAffinity")),
	    "", "",
	    "running \"InterPodAffinity\" filter plugin for pod \"p\": error "
	    "reading \"PreFilterInterPodAffinity\" " NOT_FOUND },
	{ "services with labels",
	    T_CONFIGURATION("v1beta1",
		"\"plugins\":{" ON("filter",
		    "ServiceAffinity") "}" AFFINITY_LABELS("\"a\"")),
	    "", "",
	    "running \"ServiceAffinity\" filter plugin for pod \"p\": error "
	    "reading \"PreFilterServiceAffinity\" " NOT_FOUND },
	{ "and without",
	    T_CONFIGURATION("v1beta1",
		"\"plugins\":{" ON("filter",
		    "ServiceAffinity") "}" AFFINITY_LABELS("")),
	    "", "", "" },
	{ "labels of nodes", T_CONFIGURATION("v1beta1", NODE_LABEL), "", "",
	    "" },
};

static void
a_filter_needs_its_prefilter(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct profile *profile =
		    t_profile(rows[i].configuration, NULL);
		AUTOFREE char *node = xasprintf(
		    "--- {kind: Node, metadata: {name: n1, labels: {a: x}}, "
		    "spec: {%s}, status: {allocatable: {pods: 9}}}\n",
		    rows[i].node);
		AUTOFREE char *pod = xasprintf(
		    "--- {kind: Pod, metadata: {namespace: d, name: p, uid: u},"
		    " spec: {%s}}\n",
		    rows[i].pod);
		struct world *w = world_new(node);
		struct ecache *ecache =
		    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);

		world_put(w, W_POD("there", "", "n1", DISK));
		for (int j = 0; j < 4; j++) {
			const char *message = "";
			struct decision *d;

			world_pod(w, pod);
			w->cycle.profile = profile;
			w->cycle.ecache = j > 0 ? ecache : NULL;
			d = decide(&w->cycle);
			if (d->chosen == NULL)
				message = decision_message(&w->cycle, d);
			t_str(rows[i].name, message, rows[i].message);
		}
		ecache_free(ecache);
		world_free(w);
		profile_free(profile);
	}
}

static void
labels_of_nodes_are_there_or_not(void)
{
	struct profile *profile =
	    t_profile(T_CONFIGURATION("v1beta1", NODE_LABEL), NULL);
	struct world *w = world_new(W_NODE("both", "a: x, b: x", "")
		W_NODE("neither", "", "") W_NODE("one", "a: x", ""));
	struct decision *d;

	world_pod(w, W_POD("p", "", "", ""));
	w->cycle.profile = profile;
	d = decide(&w->cycle);
	t_int("fits", d->nfeasible, 1);
	t_str("the one with the first alone", sym_text(d->chosen->name), "one");
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(it_fails_on_any_node), T(a_filter_needs_its_prefilter),
    T(labels_of_nodes_are_there_or_not))
