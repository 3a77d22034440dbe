#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define SPEC(type)                                                             \
	"spec: {resourceSelectors: [{policyName: t, namePrefix: p}], "         \
	"policyTerms: [{name: t, " type "}]}"
#define DP(type)                                                               \
	W_OBJECT("DistributionPolicy", "namespace: default, name: dp",         \
	    SPEC(type))
#define CDP(type) W_OBJECT("ClusterDistributionPolicy", "name: cdp", SPEC(type))
#define TYPE(type) "nodeType: " type
#define ADV(inside) "nodeType: adv, advancedTerm: {" inside "}"

#define DURING "DuringSchedulingIgnoredDuringExecution"
#define REQUIRES(terms)                                                        \
	"affinity: {nodeAffinity: {required" DURING                            \
	": {nodeSelectorTerms: [" terms "]}}}"
#define TERM(key, value)                                                       \
	"{matchExpressions: [{key: " key ", operator: In, values: [" value     \
	"]}]}"

#define HOST W_NODE("n1", "disk: ssd, zone: a", "")
#define LEAF W_NODE("n1", "kosmos.io/node: 'true'", "")
#define POD W_POD("p", "", "", "")

#define ON_LEAF                                                                \
	"This is a leaf node (n1) that does not match the distribution "       \
	"policy (t) (host node)"
#define ON_HOST                                                                \
	"This is a host node (n1) that does not match the distribution "       \
	"policy (t) (leaf node)"
#define NOT_IT                                                                 \
	"This is node (n1) that does not match the distribution policy (t)  "  \
	"AdvancedTerm "

static void
the_node_is_of_the_kind(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no policy", HOST, POD, FITS, "", NULL },
		{ "host, host", HOST DP(TYPE("host")), POD, FITS, "", NULL },
		{ "host, leaf", LEAF DP(TYPE("host")), POD, UNFIT_FOREVER,
		  ON_LEAF, "DistributionPolicy default/dp, term t: only host "
		  "nodes" },
		{ "leaf, host", HOST DP(TYPE("leaf")), POD, UNFIT_FOREVER,
		  ON_HOST, "DistributionPolicy default/dp, term t: only leaf "
		  "nodes" },
		{ "leaf, leaf", LEAF DP(TYPE("leaf")), POD, FITS, "", NULL },
		{ "mix, host", HOST DP(TYPE("mix")), POD, FITS, "", NULL },
		{ "mix, leaf", LEAF DP(TYPE("mix")), POD, FITS, "", NULL },
		{ "no type is mix", LEAF DP(TYPE("''")), POD, FITS, "", NULL },
		{ "an unknown one, too", LEAF DP(TYPE("hosts")), POD, FITS, "",
		  NULL },
		{ "of the cluster: host", LEAF CDP(TYPE("host")), POD,
		  UNFIT_FOREVER, ON_LEAF,
		  "ClusterDistributionPolicy cdp, term t: only host nodes" },
		{ "of the cluster: leaf", HOST CDP(TYPE("leaf")), POD,
		  UNFIT_FOREVER, ON_HOST, NULL },
		{ "of the cluster: mix", HOST CDP(TYPE("mix")), POD, FITS, "",
		  NULL },
		{ "of the cluster: adv", HOST CDP(ADV("nodeName: n2")), POD,
		  UNFIT_FOREVER, NOT_IT, NULL },
		{ "the label's value does not matter",
		  W_NODE("n1", "kosmos.io/node: ''", "") DP(TYPE("leaf")), POD,
		  FITS, "", NULL },
		{ "nor does the taint",
		  W_NODE("n1", "", "taints: [{key: kosmos.io/node, value: "
		      "'true', effect: NoSchedule}]") DP(TYPE("leaf")), POD,
		  UNFIT_FOREVER, ON_HOST, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_leaf_node_distribution, NULL, rows);
}

static void
all_of_an_advanced_term_holds(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "nodeName", HOST DP(ADV("nodeName: n1")), POD, FITS, "",
		  NULL },
		{ "another nodeName", HOST DP(ADV("nodeName: n2")), POD,
		  UNFIT_FOREVER, NOT_IT, "DistributionPolicy default/dp, "
		  "term t: only nodes of its advancedTerm" },
		{ "nodeSelector", HOST DP(ADV("nodeSelector: {disk: ssd}")),
		  POD, FITS, "", NULL },
		{ "all labels of it",
		  HOST DP(ADV("nodeSelector: {disk: ssd, zone: b}")), POD,
		  UNFIT_FOREVER, NOT_IT, NULL },
		{ "both",
		  HOST DP(ADV("nodeName: n1, nodeSelector: {disk: ssd}")),
		  POD, FITS, "", NULL },
		{ "only nodeName",
		  HOST DP(ADV("nodeName: n1, nodeSelector: {disk: hdd}")),
		  POD, UNFIT_FOREVER, NOT_IT, NULL },
		{ "only nodeSelector",
		  HOST DP(ADV("nodeName: n2, nodeSelector: {disk: ssd}")),
		  POD, UNFIT_FOREVER, NOT_IT, NULL },
		{ "one of the required terms",
		  HOST DP(ADV(REQUIRES(TERM("zone", "b") ", "
		      TERM("disk", "ssd")))), POD, FITS, "", NULL },
		{ "none of them", HOST DP(ADV(REQUIRES(TERM("zone", "b") ", "
		      TERM("disk", "hdd")))), POD, UNFIT_FOREVER, NOT_IT, NULL },
		{ "beside a nodeSelector", HOST DP(ADV("nodeSelector: {disk: hdd}, "
		      REQUIRES(TERM("zone", "a")))), POD, UNFIT_FOREVER, NOT_IT,
		  NULL },
		{ "by the node's name", HOST DP(ADV(REQUIRES("{matchFields: [{key: "
		      "metadata.name, operator: In, values: [n1]}]}"))), POD,
		  FITS, "", NULL },
		{ "by another's", HOST DP(ADV(REQUIRES("{matchFields: [{key: "
		      "metadata.name, operator: In, values: [n2]}]}"))), POD,
		  UNFIT_FOREVER, NOT_IT, NULL },
		{ "no terms: no node", HOST DP(ADV(REQUIRES(""))), POD,
		  UNFIT_FOREVER, NOT_IT, NULL },
		{ "a term that cannot be used", HOST DP(ADV(REQUIRES(
		      "{matchExpressions: [{key: zone, operator: Like, values: "
		      "[a]}]}"))), POD, UNFIT_FOREVER, NOT_IT, NULL },
		{ "preferred terms require nothing", HOST DP(ADV(
		      "affinity: {nodeAffinity: {preferred" DURING ": [{weight: 1,"
		      " preference: {matchExpressions: [{key: zone, operator: In, "
		      "values: [b]}]}}]}}")), POD, FITS, "", NULL },
		{ "pods' affinity has no effect", HOST DP(ADV("nodeName: n1, "
		      "affinity: {podAffinity: {required" DURING ": [{topologyKey: "
		      "zone, labelSelector: {}}]}}")), POD, FITS, "", NULL },
		{ "null", HOST DP(ADV("affinity: null")), POD, FITS, "", NULL },
		{ "tolerations ask nothing",
		  HOST DP(ADV("tolerations: [{key: a}]")), POD, FITS, "",
		  NULL },
		{ "nor does an empty one", HOST DP(ADV("")), POD, FITS, "",
		  NULL },
		{ "other types have none",
		  HOST DP("nodeType: host, advancedTerm: {nodeName: n2}"), POD,
		  FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_leaf_node_distribution, NULL, rows);
}

T_MAIN(T(the_node_is_of_the_kind), T(all_of_an_advanced_term_holds))
