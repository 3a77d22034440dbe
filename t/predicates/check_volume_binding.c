#include "config.h"

#include "decide/framework/args.h"
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

/* From 1.27 to 1.31 hostnames are taken for names of nodes. */
static void
bound_volumes_name_nodes(void)
{
	static const struct node_names_args args = { .volumes = true };
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no claims", NODE, POD(EBS("e")), FITS, "", NULL },
		{ "other labels", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")), FITS,
		    "", NULL },
		{ "named", NODE BOUND("c", "v")
			VOLUME("v", REACHES("kubernetes.io/hostname", "n1")),
		    POD(USE("c")), FITS, "", NULL },
		{ "another is", NODE BOUND("c", "v")
			VOLUME("v", REACHES("kubernetes.io/hostname", "n2")),
		    POD(USE("c")), UNFIT_FOREVER, "", NULL },
		{ "by one of two volumes", NODE BOUND("c", "v")
			VOLUME("v", REACHES("kubernetes.io/hostname", "n1, n2"))
			BOUND("d", "w")
			VOLUME("w", REACHES("kubernetes.io/hostname", "n2")),
		    POD(USE("c") USE("d")), UNFIT_FOREVER, "", NULL },
		{ "not if one is missing", NODE BOUND("c", "v")
			VOLUME("v", REACHES("kubernetes.io/hostname", "n2"))
			BOUND("d", "gone"),
		    POD(USE("c") USE("d")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_of(31, &predicate_node_names, &args, rows);
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
		{ "without a binding mode", NODE CLASS("unsaid", "provisioner: p")
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

#define CONFLICT_33 "node(s) didn't match PersistentVolume's node affinity"
#define NO_SPACE "node(s) did not have enough free storage"
#define MISSING                                                                \
	"node(s) unavailable due to one or more pvc(s) bound to non-existent " \
	"pv(s)"
#define EPHEMERAL "{name: e, ephemeral: {}},"
#define POD_OF(uid, volumes)                                                   \
	W_OBJECT("Pod", "name: p, uid: " uid, "spec: {" VOLUMES(volumes) "}")
#define MADE_FOR(owners)                                                       \
	W_OBJECT("PersistentVolumeClaim",                                      \
	    "name: p-e, annotations: {" COMPLETED                              \
	    "}, ownerReferences: [" owners "]",                                \
	    "spec: {volumeName: v}")                                           \
	VOLUME("v", "")

static void
unusable_claims_refuse_every_node_of_later_releases(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "missing", NODE, POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" not found", NULL },
		{ "lost", NODE W_OBJECT("PersistentVolumeClaim", "name: c",
			"spec: {volumeName: v}, status: {phase: Lost}"),
		    POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" bound to non-existent "
		    "persistentvolume \"v\"", NULL },
		{ "being deleted", NODE W_OBJECT("PersistentVolumeClaim",
			"name: c, deletionTimestamp: '2020-01-01T00:00:00Z'",
			"spec: {volumeName: v}"), POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" is being deleted", NULL },
		{ "not bound", NODE CLAIM("c", ""), POD(USE("c")),
		    UNFIT_FOREVER,
		    "pod has unbound immediate PersistentVolumeClaims", NULL },
		{ "bound to a missing volume", NODE BOUND("c", "v"),
		    POD(USE("c")), UNFIT_FOREVER, MISSING,
		    "claim c is bound to PersistentVolume v, which does not "
		    "exist" },
		{ "not here", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "fields of nodes match any volume", NODE BOUND("c", "v")
			VOLUME("v", "nodeAffinity: {required: {"
			"nodeSelectorTerms: [{matchFields: [{key: "
			"metadata.name, operator: In, values: [n2]}]}]}}"),
		    POD(USE("c")), FITS, "", NULL },
	};
	static const struct world_row later[] = {
		{ "not here", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT_33, NULL },
	};
	static const struct broken_row no_mode[] = {
		{ "a class without mode", NODE CLASS("s", "provisioner: p")
			WAITS("c", "", "s", "1Gi", ""), POD(USE("c")),
		    "VolumeBindingMode not set for StorageClass \"s\"" },
	};
	/* clang-format on */

	t_predicate_in(20, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(33, &predicate_check_volume_binding, NULL, later);
	t_broken_in(36, &predicate_check_volume_binding, no_mode);
}

static void
ephemeral_volumes_are_claims_of_the_pod(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "its own", NODE MADE_FOR("{kind: Pod, uid: u1, "
			"controller: true}"), POD_OF("u1", EPHEMERAL), FITS,
		    "", NULL },
		{ "not made yet", NODE, POD_OF("u1", EPHEMERAL), UNFIT_FOREVER,
		    "waiting for ephemeral volume controller to create the "
		    "persistentvolumeclaim \"p-e\"", NULL },
		{ "another's", NODE MADE_FOR("{kind: Pod, uid: u2, "
			"controller: true}"), POD_OF("u1", EPHEMERAL),
		    UNFIT_FOREVER,
		    "PVC default/p-e was not created for pod default/p (pod is "
		    "not owner)", NULL },
		{ "of no pod", NODE MADE_FOR(""), POD_OF("u1", EPHEMERAL),
		    UNFIT_FOREVER,
		    "PVC default/p-e was not created for pod default/p (pod is "
		    "not owner)", NULL },
		{ "owned, but not controlled", NODE
			MADE_FOR("{kind: Pod, uid: u1}"),
		    POD_OF("u1", EPHEMERAL), UNFIT_FOREVER,
		    "PVC default/p-e was not created for pod default/p (pod is "
		    "not owner)", NULL },
	};
	static const struct world_row before[] = {
		{ "1.20", NODE, POD_OF("u1", EPHEMERAL), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(21, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(20, &predicate_check_volume_binding, NULL, before);
}

#define DRIVER(says)                                                           \
	W_OBJECT("CSIDriver", "name: p", "spec: {storageCapacity: " says "}")
#define ROOM(name, rest)                                                       \
	W_OBJECT("CSIStorageCapacity", "name: " name,                          \
	    "storageClassName: makes, " rest)
#define HERE "nodeTopology: {matchLabels: {zone: a}}, "
#define CAPACITY                                                               \
	NODE MAKES("") WAITS("c", "", "makes", "2Gi", "") DRIVER("true")

static void
new_volumes_need_room(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "enough", CAPACITY ROOM("x", HERE "capacity: 2Gi"),
		    POD(USE("c")), FITS, "", NULL },
		{ "none", CAPACITY, POD(USE("c")), UNFIT_FOREVER, NO_SPACE,
		    "no room for the volume of claim c" },
		{ "too little", CAPACITY ROOM("x", HERE "capacity: 2047Mi"),
		    POD(USE("c")), UNFIT_FOREVER, NO_SPACE, NULL },
		{ "the greatest size counts before", CAPACITY
			ROOM("x", HERE "capacity: 9Gi, maximumVolumeSize: 1Gi"),
		    POD(USE("c")), UNFIT_FOREVER, NO_SPACE, NULL },
		{ "and may be enough", CAPACITY
			ROOM("x", HERE "capacity: 1Gi, maximumVolumeSize: 2Gi"),
		    POD(USE("c")), FITS, "", NULL },
		{ "elsewhere", CAPACITY ROOM("x", "nodeTopology: {matchLabels: "
			"{zone: b}}, capacity: 9Gi"), POD(USE("c")),
		    UNFIT_FOREVER, NO_SPACE, NULL },
		{ "everywhere", CAPACITY
			ROOM("x", "nodeTopology: {}, capacity: 9Gi"),
		    POD(USE("c")), FITS, "", NULL },
		{ "no topology is nowhere", CAPACITY ROOM("x", "capacity: 9Gi"),
		    POD(USE("c")), UNFIT_FOREVER, NO_SPACE, NULL },
		{ "no capacity", CAPACITY ROOM("x", HERE), POD(USE("c")),
		    UNFIT_FOREVER, NO_SPACE, NULL },
		{ "one of several", CAPACITY ROOM("x", HERE "capacity: 1Gi")
			ROOM("w", "nodeTopology: {}, capacity: 1Gi")
			ROOM("z", "nodeTopology: {matchLabels: {disk: ssd}}, "
			    "capacity: 3Gi")
			ROOM("v", "nodeTopology: {matchLabels: {disk: hdd}}, "
			    "capacity: 3Gi"), POD(USE("c")), FITS, "", NULL },
		{ "of another class", CAPACITY W_OBJECT("CSIStorageCapacity",
			"name: x", "storageClassName: other, "
			HERE "capacity: 9Gi"), POD(USE("c")), UNFIT_FOREVER,
		    NO_SPACE, NULL },
		{ "the driver does not say", NODE MAKES("")
			WAITS("c", "", "makes", "2Gi", "") DRIVER("false"),
		    POD(USE("c")), FITS, "", NULL },
		{ "no driver", NODE MAKES("")
			WAITS("c", "", "makes", "2Gi", ""), POD(USE("c")),
		    FITS, "", NULL },
		{ "no request", NODE MAKES("") DRIVER("true")
			CLAIM_OF("c", "", "storageClassName: makes"),
		    POD(USE("c")), FITS, "", NULL },
		{ "a volume that exists needs none", CAPACITY
			FREE("v", "makes", "2Gi", ""), POD(USE("c")), FITS,
		    "", NULL },
		{ "on the selected node, too", NODE MAKES("") DRIVER("true")
			WAITS("c", SELECTED("n1"), "makes", "2Gi", ""),
		    POD(USE("c")), UNFIT_FOREVER, NO_SPACE, NULL },
	};
	static const struct world_row before[] = {
		{ "1.20", CAPACITY, POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(21, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(20, &predicate_check_volume_binding, NULL, before);
}

#define ATTRIBUTES(name) "volumeAttributesClassName: " name

static void
free_volumes_have_the_class_of_attributes(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "the same", NODE LATER
			WAITS("c", "", "later", "1Gi", ATTRIBUTES("x"))
			FREE("v", "later", "1Gi", ATTRIBUTES("x")),
		    POD(USE("c")), FITS, "", NULL },
		{ "another", NODE LATER
			WAITS("c", "", "later", "1Gi", ATTRIBUTES("x"))
			FREE("v", "later", "1Gi", ATTRIBUTES("z")),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "none", NODE LATER
			WAITS("c", "", "later", "1Gi", ATTRIBUTES("x"))
			FREE("v", "later", "1Gi", ""),
		    POD(USE("c")), UNFIT_FOREVER, NO_MATCH, NULL },
		{ "none is the empty one", NODE LATER
			WAITS("c", "", "later", "1Gi", ATTRIBUTES("''"))
			FREE("v", "later", "1Gi", ""),
		    POD(USE("c")), FITS, "", NULL },
	};
	static const struct world_row before[] = {
		{ "1.33", NODE LATER
			WAITS("c", "", "later", "1Gi", ATTRIBUTES("x"))
			FREE("v", "later", "1Gi", ""), POD(USE("c")), FITS, "",
		    NULL },
	};
	/* clang-format on */

	t_predicate_in(34, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(33, &predicate_check_volume_binding, NULL, before);
}

#define BETA_ZONE "failure-domain.beta.kubernetes.io/zone"
#define BETA_REGION "failure-domain.beta.kubernetes.io/region"
#define ZONE "topology.kubernetes.io/zone"
#define DISK(labels, spec)                                                     \
	W_OBJECT("PersistentVolume", "name: v, labels: {" labels "}",          \
	    "spec: {gcePersistentDisk: {pdName: v}, " spec "}")
/* n1 as a node of today: later labels, and the driver's. */
#define TODAY                                                                  \
	W_NODE("n1",                                                           \
	    ZONE ": a, topology.kubernetes.io/region: r, "                     \
		 "topology.gke.io/zone: a",                                    \
	    "")                                                                \
	BOUND("c", "v")
#define MIGRATED(plugins)                                                      \
	W_OBJECT("CSINode",                                                    \
	    "name: n1, annotations: {storage.alpha.kubernetes.io/"             \
	    "migrated-plugins: '" plugins "'}",                                \
	    "spec: {}")
#define GKE MIGRATED("kubernetes.io/aws-ebs,kubernetes.io/gce-pd")

static void
migrated_volumes_have_the_zones_of_their_driver(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "a zone that the node does not know any more", TODAY GKE
			DISK("", REACHES(BETA_ZONE, "a")), POD(USE("c")),
		    FITS, "", NULL },
		{ "without the annotation", TODAY
			DISK("", REACHES(BETA_ZONE, "a")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "another plugin", TODAY MIGRATED("kubernetes.io/gce-pd2,"
			"kubernetes.io/gce,kubernetes.io/aws-ebs")
			DISK("", REACHES(BETA_ZONE, "a")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "another zone", TODAY GKE
			DISK("", REACHES(BETA_ZONE, "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "the later label is the driver's, too", TODAY GKE
			DISK("", REACHES(ZONE, "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "a node that the driver does not know",
		    W_NODE("n1", BETA_ZONE ": a", "") BOUND("c", "v") GKE
			DISK("", REACHES(BETA_ZONE, "a")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "the region's later label", TODAY GKE DISK("",
			"nodeAffinity: {required: {nodeSelectorTerms: [{"
			"matchExpressions: [{key: " BETA_ZONE ", operator: In, "
			"values: [a]}, {key: " BETA_REGION ", operator: In, "
			"values: [r]}]}]}}"), POD(USE("c")), FITS, "", NULL },
		{ "another region", TODAY GKE DISK("",
			"nodeAffinity: {required: {nodeSelectorTerms: [{"
			"matchExpressions: [{key: " BETA_ZONE ", operator: In, "
			"values: [a]}, {key: " BETA_REGION ", operator: In, "
			"values: [s]}]}]}}"), POD(USE("c")), UNFIT_FOREVER,
		    CONFLICT, NULL },
		{ "zones of the volume's label", TODAY GKE
			DISK(BETA_ZONE ": a", ""), POD(USE("c")), FITS, "",
		    NULL },
		{ "another one", TODAY GKE DISK(BETA_ZONE ": b", ""),
		    POD(USE("c")), UNFIT_FOREVER, CONFLICT, NULL },
		{ "zones of a region, none of which is the node's", TODAY GKE
			DISK(BETA_ZONE ": e-w1-a__e-w1-b", ""), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "an Azure disk that no driver takes", TODAY
			VOLUME("v",
			"azureDisk: {diskName: d, diskURI: u, kind: Shared}"),
		    POD(USE("c")), FITS, "", NULL },
		{ "without the annotation they are not looked at", TODAY
			DISK(BETA_ZONE ": x__b", ""), POD(USE("c")), FITS, "",
		    NULL },
		{ "the later label counts first", TODAY GKE
			DISK(BETA_ZONE ": b, " ZONE ": a", ""), POD(USE("c")),
		    FITS, "", NULL },
		{ "zones in the affinity come before", TODAY GKE
			DISK(ZONE ": b", REACHES(ZONE, "a")), POD(USE("c")),
		    FITS, "", NULL },
		{ "together with other terms", TODAY GKE
			DISK(ZONE ": a", REACHES("disk", "ssd")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
		{ "an empty label adds nothing", TODAY GKE
			DISK(ZONE ": ''", ""), POD(USE("c")), FITS, "", NULL },
		{ "Azure disks are not translated", W_NODE("n1",
			ZONE ": a, topology.disk.csi.azure.com/zone: b", "")
			BOUND("c", "v") MIGRATED("kubernetes.io/azure-disk")
			VOLUME("v", "azureDisk: {diskName: d, diskURI: u}, "
			    REACHES(ZONE, "a")), POD(USE("c")), FITS, "",
		    NULL },
		{ "EBS", W_NODE("n1", "topology.ebs.csi.aws.com/zone: a", "")
			BOUND("c", "v") GKE VOLUME("v",
			    "awsElasticBlockStore: {volumeID: vol-1}, "
			    REACHES(ZONE, "a")), POD(USE("c")), FITS, "",
		    NULL },
		{ "Cinder", W_NODE("n1",
			"topology.cinder.csi.openstack.org/zone: a", "")
			BOUND("c", "v") MIGRATED("kubernetes.io/cinder")
			VOLUME("v", "cinder: {volumeID: c}, "
			    REACHES(BETA_ZONE, "a")), POD(USE("c")), FITS, "",
		    NULL },
	};
	static const struct world_row before[] = {
		{ "before 1.17", TODAY GKE DISK("", REACHES(BETA_ZONE, "a")),
		    POD(USE("c")), UNFIT_FOREVER, CONFLICT, NULL },
	};
	/* clang-format on */

	/* from 1.33 on the reason has other words */
	t_predicate_in(32, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(17, &predicate_check_volume_binding, NULL, rows);
	t_predicate_in(16, &predicate_check_volume_binding, NULL, before);
}

static void
volumes_that_their_driver_cannot_have(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "zones without a region", TODAY GKE DISK(BETA_ZONE ": x__ a", ""),
		    POD(USE("c")), BROKEN,
		    "could not translate pv: failed to get region from zones",
		    NULL },
		{ "zones of two regions", TODAY GKE
			DISK(ZONE ": e-w1-a__e-w2-a", ""), POD(USE("c")), BROKEN,
		    "could not translate pv: failed to get region from zones",
		    NULL },
		{ "an EBS id that is none", TODAY GKE VOLUME("v",
			"awsElasticBlockStore: {volumeID: 'aws://a/b'}"),
		    POD(USE("c")), BROKEN, "could not translate pv: failed to "
			"translate Kubernetes ID to EBS Volume ID", NULL },
		{ "an unmanaged disk", TODAY MIGRATED("kubernetes.io/azure-disk")
			VOLUME("v",
			"azureDisk: {diskName: d, diskURI: u, kind: Shared}"),
		    POD(USE("c")), BROKEN, "could not translate pv: "
			"kind(Shared) is not supported in csi migration", NULL },
		{ "a managed one", TODAY MIGRATED("kubernetes.io/azure-disk")
			VOLUME("v",
			"azureDisk: {diskName: d, diskURI: u, kind: managed}"),
		    POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_check_volume_binding, NULL, rows);
}

static void
not_under_strict_policy(void)
{
	struct world *world = world_new(CAPACITY);
	struct outcome o;

	world->cluster->kubernetes_minor = 36;
	world->profile->strict = true;
	world_pod(world, POD(USE("c")));
	o = world_check(world, &predicate_check_volume_binding, NULL, "n1");
	t_int("room does not matter", o.verdict, FITS);
	world_pod(world, POD(USE("gone")));
	o = world_check(world, &predicate_check_volume_binding, NULL, "n1");
	t_int("a missing claim is an error", o.verdict, BROKEN);
	world_free(world);
}

static void
profiles_reject_unusable_claims_before_filter(void)
{
	/* clang-format off */
	static const struct world_row both[] = {
		{ "no claims", NODE, POD(EBS("e")), FITS, "", NULL },
		{ "bound", NODE BOUND("c", "gone"), POD(USE("c")), FITS, "",
		    NULL },
		{ "missing", NODE, POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" not found", NULL },
		{ "being deleted", NODE W_OBJECT("PersistentVolumeClaim",
			"name: c, deletionTimestamp: '2020-01-01T00:00:00Z'",
			""), POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" is being deleted", NULL },
		{ "not bound yet", NODE CLAIM("c", ""), POD(USE("c")),
		    UNFIT_FOREVER,
		    "pod has unbound immediate PersistentVolumeClaims", NULL },
		{ "waits", NODE LATER WAITS("c", "", "later", "1Gi", ""),
		    POD(USE("c")), FITS, "", NULL },
		{ "a class without mode", NODE CLASS("k", "")
			CLAIM_OF("c", "", "storageClassName: k"),
		    POD(USE("c")), BROKEN,
		    "VolumeBindingMode not set for StorageClass \"k\"", NULL },
	};
	static const struct world_row lost_20[] = {
		{ "lost is as bound", NODE W_OBJECT("PersistentVolumeClaim",
			"name: c, annotations: {" COMPLETED "}",
			"spec: {volumeName: v}, status: {phase: Lost}"),
		    POD(USE("c")), FITS, "", NULL },
	};
	static const struct world_row lost_36[] = {
		{ "lost", NODE W_OBJECT("PersistentVolumeClaim",
			"name: c, annotations: {" COMPLETED "}",
			"spec: {volumeName: v}, status: {phase: Lost}"),
		    POD(USE("c")), UNFIT_FOREVER, "persistentvolumeclaim \"c\" "
			"bound to non-existent persistentvolume \"v\"", NULL },
	};
	/* clang-format on */

	t_prefilter_of(20, &plugin_volume_binding, false, both);
	t_prefilter_of(36, &plugin_volume_binding, false, both);
	t_prefilter_of(20, &plugin_volume_binding, false, lost_20);
	t_prefilter_of(36, &plugin_volume_binding, false, lost_36);
}

static void
profiles_refuse_nodes_in_their_own_words(void)
{
	/* clang-format off */
	static const struct world_row of_20[] = {
		{ "a missing volume", NODE BOUND("c", "gone"), POD(USE("c")),
		    UNFIT_FOREVER, "pvc(s) bound to non-existent pv(s)", NULL },
		{ "one elsewhere", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")),
		    UNFIT_FOREVER, CONFLICT, NULL },
	};
	static const struct world_row of_36[] = {
		{ "a missing volume", NODE BOUND("c", "gone"), POD(USE("c")),
		    UNFIT_FOREVER, "node(s) unavailable due to one or more "
			"pvc(s) bound to non-existent pv(s)", NULL },
		{ "one elsewhere", NODE BOUND("c", "v")
			VOLUME("v", REACHES("zone", "b")), POD(USE("c")),
		    UNFIT_FOREVER, "node(s) didn't match PersistentVolume's "
			"node affinity", NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_check_volume_binding, NULL, of_20);
	t_predicate_of(36, &predicate_check_volume_binding, NULL, of_36);
}

T_MAIN(T(unusable_claims_refuse_every_node_of_later_releases),
    T(ephemeral_volumes_are_claims_of_the_pod), T(new_volumes_need_room),
    T(free_volumes_have_the_class_of_attributes), T(not_under_strict_policy),
    T(migrated_volumes_have_the_zones_of_their_driver),
    T(volumes_that_their_driver_cannot_have),
    T(bound_volumes_must_reach_the_node), T(bound_volumes_name_nodes),
    T(what_fails_the_attempt), T(waiting_claims_need_a_free_volume),
    T(or_a_class_that_makes_one),
    T(profiles_reject_unusable_claims_before_filter),
    T(profiles_refuse_nodes_in_their_own_words))
