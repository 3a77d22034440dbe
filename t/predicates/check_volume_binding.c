#include "config.h"

#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define CONFLICT "node(s) had volume node affinity conflict"
#define NO_MATCH "node(s) didn't find available persistent volumes to bind"

#define NODE W_NODE("n1", "zone: a, disk: ssd", "")
#define REACHES(key, value)                                                    \
	"nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: "    \
	"[{key: " key ", operator: In, values: [" value "]}]}]}},"
#define COMPLETED "pv.kubernetes.io/bind-completed: 'yes'"
#define SELECTED(node) "volume.kubernetes.io/selected-node: " node
#define BOUND(name, volume) CLAIM_OF(name, COMPLETED, "volumeName: " volume)

#define LATER                                                                  \
	CLASS("later",                                                         \
	    "volumeBindingMode: WaitForFirstConsumer, "                        \
	    "provisioner: kubernetes.io/no-provisioner")
#define MAKES(topologies)                                                      \
	CLASS("makes",                                                         \
	    "volumeBindingMode: WaitForFirstConsumer, "                        \
	    "provisioner: p, allowedTopologies: [" topologies "]")
#define IN(key, value)                                                         \
	"{matchLabelExpressions: [{key: " key ", values: [" value "]}]},"
#define WAITS(name, annotations, class, size, spec)                               \
	CLAIM_OF(name, annotations,                                               \
	    "storageClassName: " class                                            \
	    ", "                                                                  \
	    "accessModes: [ReadWriteOnce], resources: {requests: {storage: " size \
	    "}}, " spec)
#define FREE(name, class, size, spec)                                          \
	W_OBJECT("PersistentVolume",                                           \
	    "name: " name ", labels: {name: " name "}",                        \
	    "status: {phase: Available}, spec: {storageClassName: " class      \
	    ", capacity: {storage: " size "}, accessModes: [ReadOnlyMany, "    \
	    "ReadWriteOnce], " spec "}")
#define CLAIMED(claim, uid)                                                    \
	"claimRef: {namespace: default, name: " claim ", uid: '" uid "'},"

static void
bound_volumes_must_reach_the_node(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no claims", NODE, POD(EBS("e")), FITS, "", NULL },
		{ "everywhere", NODE BOUND("c", "v") VOLUME("v", ""),
		    POD(USE("c")), FITS, "", NULL },
		{ "here", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "a")), POD(USE("c")), FITS,
		    "", NULL },
		{ "not here", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT,
		    "PersistentVolume v is not reachable from the node" },
		{ "a selector without terms reaches nothing",
		    NODE BOUND("c", "v") VOLUME("v", "nodeAffinity: "
			"{required: {nodeSelectorTerms: []}}"), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "a conflict comes before a later missing volume",
		    NODE BOUND("c", "v") VOLUME("v", REACHES("zone", "b"))
			BOUND("d", "gone"), POD(USE("c") USE("d")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "together with claims that find nothing",
		    NODE BOUND("c", "v") VOLUME("v", REACHES("zone", "b"))
			LATER WAITS("d", "", "later", "1Gi", ""),
		    POD(USE("c") USE("d")), UNFIT_FOREVER,
		    CONFLICT "; " NO_MATCH, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_volume_binding, NULL, rows);
}

static void
what_fails_the_attempt(void)
{
	/* clang-format off */
	static const struct broken_row rows[] = {
		{ "missing claim", NODE, POD(USE("c")), "error getting PVC "
		    "\"default/c\": could not find v1.PersistentVolumeClaim "
		    "\"default/c\"" },
		{ "missing volume", NODE BOUND("c", "gone"), POD(USE("c")),
		    "could not find v1.PersistentVolume \"gone\"" },
		{ "no class", NODE CLAIM("c", ""), POD(USE("c")),
		    "pod has unbound immediate PersistentVolumeClaims" },
		{ "a missing class", NODE WAITS("c", "", "later", "1Gi", ""),
		    POD(USE("c")),
		    "pod has unbound immediate PersistentVolumeClaims" },
		{ "not completely bound", NODE LATER CLAIM("c", "v")
			VOLUME("v", ""), POD(USE("c")),
		    "pod has unbound immediate PersistentVolumeClaims" },
		{ "not even where it waits", NODE LATER
			WAITS("c", "", "later", "1Gi", "volumeName: v"),
		    POD(USE("c")),
		    "pod has unbound immediate PersistentVolumeClaims" },
		{ "nobody knows when", NODE CLASS("unsaid", "provisioner: p")
			WAITS("c", "", "unsaid", "1Gi", ""), POD(USE("c")),
		    "VolumeBindingMode not set for StorageClass \"unsaid\"" },
		{ "which comes before unbound ones", NODE CLAIM("b", "")
			CLASS("unsaid", "provisioner: p")
			WAITS("c", "", "unsaid", "1Gi", ""),
		    POD(USE("b") USE("c")),
		    "VolumeBindingMode not set for StorageClass \"unsaid\"" },
		{ "an impossible selector", NODE LATER
			WAITS("c", "", "later", "1Gi", "selector: "
			    "{matchExpressions: [{key: k, operator: Nope}]}"),
		    POD(USE("c")), "error creating internal label selector "
		    "for claim: default/c: \"Nope\" is not a valid pod "
		    "selector operator" },
	};
	/* clang-format on */

	t_broken(&predicate_check_volume_binding, rows);
}

#define CASE(volumes) NODE LATER WAITS("c", "", "later", "2Gi", "") volumes

static void
waiting_claims_need_a_free_volume(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "none", CASE(""), POD(USE("c")), UNFIT_FOREVER, NO_MATCH,
		    "no volume for claim c" },
		{ "one", CASE(FREE("v", "later", "2Gi", "")), POD(USE("c")),
		    FITS, "", NULL },
		{ "too small", CASE(FREE("v", "later", "1Gi", "")),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "another class", CASE(FREE("v", "other", "2Gi", "")),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "elsewhere",
		    CASE(FREE("v", "later", "2Gi", REACHES("zone", "b"))),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "here, behind one elsewhere",
		    CASE(FREE("u", "later", "2Gi", REACHES("zone", "b"))
			FREE("v", "later", "3Gi", REACHES("zone", "a"))
			FREE("w", "later", "2Gi", REACHES("none", "a"))),
		    POD(USE("c")), FITS, "", NULL },
		{ "another mode",
		    CASE(FREE("v", "later", "2Gi", "volumeMode: Block")),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "the usual mode written out",
		    CASE(FREE("v", "later", "2Gi", "volumeMode: Filesystem")),
		    POD(USE("c")), FITS, "", NULL },
		{ "not available", CASE(VOLUME("v", "storageClassName: later, "
			"capacity: {storage: 2Gi}, "
			"accessModes: [ReadWriteOnce]")), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
		{ "another claim's",
		    CASE(FREE("v", "later", "2Gi", CLAIMED("d", ""))),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "an older claim's of the same name",
		    CASE(FREE("v", "later", "2Gi", CLAIMED("c", "old"))),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "this claim's",
		    CASE(FREE("v", "later", "2Gi", CLAIMED("c", "uid-c"))),
		    POD(USE("c")), FITS, "", NULL },
		{ "kept for it by name",
		    CASE(FREE("v", "later", "2Gi", CLAIMED("c", ""))),
		    POD(USE("c")), FITS, "", NULL },
		{ "kept for it elsewhere: no other will do",
		    CASE(FREE("v", "later", "2Gi",
			CLAIMED("c", "") REACHES("zone", "b"))
			FREE("u", "later", "2Gi", "")),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "kept for it, but too small: another will do",
		    CASE(FREE("v", "later", "1Gi",
			CLAIMED("c", "") REACHES("zone", "b"))
			FREE("u", "later", "2Gi", "")),
		    POD(USE("c")), FITS, "", NULL },
		{ "two claims, one volume", CASE(FREE("v", "later", "2Gi", "")
			WAITS("d", "", "later", "1Gi", "")),
		    POD(USE("c") USE("d")), UNFIT_FOREVER, NO_MATCH,
		    "no volume for claim c" },
		{ "the smaller claim leaves the bigger volume",
		    CASE(FREE("v", "later", "2Gi", "")
			FREE("w", "later", "1Gi", "")
			WAITS("d", "", "later", "1Gi", "")),
		    POD(USE("c") USE("d")), FITS, "", NULL },
		{ "a selector", NODE LATER WAITS("c", "", "later", "1Gi",
			"selector: {matchLabels: {name: v}}")
			FREE("v", "later", "2Gi", ""), POD(USE("c")), FITS, "",
		    NULL },
		{ "a selector that does not match", NODE LATER
			WAITS("c", "", "later", "1Gi",
			    "selector: {matchLabels: {name: w}}")
			FREE("v", "later", "2Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
		{ "an access mode it lacks", NODE LATER CLAIM_OF("c", "",
			"storageClassName: later, "
			"accessModes: [ReadWriteMany]")
			FREE("v", "later", "2Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_volume_binding, NULL, rows);
}

static void
or_a_class_that_makes_one(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "anywhere", NODE MAKES("") WAITS("c", "", "makes", "1Gi", ""),
		    POD(USE("c")), FITS, "", NULL },
		{ "here", NODE MAKES(IN("zone", "b") IN("zone", "c, a"))
			WAITS("c", "", "makes", "1Gi", ""), POD(USE("c")), FITS,
		    "", NULL },
		{ "elsewhere", NODE MAKES(IN("zone", "b"))
			WAITS("c", "", "makes", "1Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
		{ "an empty term is nowhere", NODE MAKES("{}")
			WAITS("c", "", "makes", "1Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
		{ "a class without provisioner", NODE CLASS("later",
			"volumeBindingMode: WaitForFirstConsumer")
			WAITS("c", "", "later", "1Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, NULL },
		{ "being made here", NODE MAKES("")
			WAITS("c", SELECTED("n1"), "makes", "1Gi", ""),
		    POD(USE("c")), FITS, "", NULL },
		{ "being made for another node", NODE MAKES("")
			WAITS("c", SELECTED("n2"), "makes", "1Gi", "")
			FREE("v", "makes", "1Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH,
		    "the volume for claim c is being provisioned for node "
		    "n2" },
		{ "being made: free volumes do not count",
		    NODE LATER WAITS("c", SELECTED("n1"), "later", "1Gi", "")
			FREE("v", "later", "1Gi", ""), POD(USE("c")),
		    UNFIT_FOREVER, NO_MATCH, "no volume for claim c" },
		{ "another node comes before a bad selector", NODE LATER
			MAKES("") WAITS("b", "", "later", "1Gi", "selector: "
			    "{matchExpressions: [{key: k, operator: Nope}]}")
			WAITS("c", SELECTED("n2"), "makes", "1Gi", ""),
		    POD(USE("b") USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_check_volume_binding, NULL, rows);
}

T_MAIN(T(bound_volumes_must_reach_the_node), T(what_fails_the_attempt),
    T(waiting_claims_need_a_free_volume), T(or_a_class_that_makes_one))
