#include "config.h"

#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define WHY "node(s) had no available volume zone"
#define ZONE(zone) "failure-domain.beta.kubernetes.io/zone: " zone ","
#define REGION(region) "failure-domain.beta.kubernetes.io/region: " region ","
#define NODE(labels) W_NODE("n1", labels, "")
/* A claim c and the volume v with these labels. */
#define BOUND(labels)                                                          \
	CLAIM("c", "v")                                                        \
	W_OBJECT("PersistentVolume", "name: v, labels: {" labels "}", "")

static void
the_node_must_be_in_the_volumes_zone(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no volumes", NODE(ZONE("a")), POD(""), FITS, "", NULL },
		{ "volumes without claims", NODE(ZONE("a")),
		    POD(EBS("e") SECRET), FITS, "", NULL },
		{ "the zone", NODE(ZONE("a")) BOUND(ZONE("a")), POD(USE("c")),
		    FITS, "", NULL },
		{ "another zone", NODE(ZONE("a")) BOUND(ZONE("b")),
		    POD(USE("c")), UNFIT_FOREVER, WHY,
		    "PersistentVolume v is only reachable from zone=b" },
		{ "another region", NODE(ZONE("a") REGION("r"))
			BOUND(ZONE("a") REGION("s")), POD(USE("c")),
		    UNFIT_FOREVER, WHY,
		    "PersistentVolume v is only reachable from region=s" },
		{ "a node without zone or region is everywhere",
		    NODE("zone: x") BOUND(ZONE("b")), POD(USE("c")), FITS, "",
		    NULL },
		{ "one with a region alone is in no zone",
		    NODE(REGION("r")) BOUND(ZONE("b") REGION("r")),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
		{ "a volume without labels", NODE(ZONE("a")) BOUND(""),
		    POD(USE("c")), FITS, "", NULL },
		{ "newer labels do not count", NODE(ZONE("a"))
			BOUND("topology.kubernetes.io/zone: b"),
		    POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_no_volume_zone_conflict, NULL, rows);
}

static void
a_volume_may_name_several_zones(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "the first", NODE(ZONE("a")) BOUND(ZONE("a__b")),
		    POD(USE("c")), FITS, "", NULL },
		{ "the last", NODE(ZONE("b")) BOUND(ZONE("a__b")),
		    POD(USE("c")), FITS, "", NULL },
		{ "neither", NODE(ZONE("x")) BOUND(ZONE("a__b")),
		    POD(USE("c")), UNFIT_FOREVER, WHY,
		    "PersistentVolume v is only reachable from zone=a__b" },
		{ "the text as a whole", NODE(ZONE("a__b"))
			BOUND(ZONE("a__b")), POD(USE("c")), UNFIT_FOREVER, WHY,
		    NULL },
		{ "spaces around a name", NODE(ZONE("b"))
			BOUND(ZONE("'a__ b '")), POD(USE("c")), FITS, "",
		    NULL },
		{ "an empty name: the label says nothing", NODE(ZONE("x"))
			BOUND(ZONE("a__")), POD(USE("c")), FITS, "", NULL },
		{ "an empty label says nothing", NODE(ZONE("x"))
			BOUND(ZONE("''")), POD(USE("c")), FITS, "", NULL },
		{ "three underscores", NODE(ZONE("_b"))
			BOUND(ZONE("a___b")), POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_no_volume_zone_conflict, NULL, rows);
}

#define LATER CLASS("later", "volumeBindingMode: WaitForFirstConsumer")
#define NOW CLASS("now", "volumeBindingMode: Immediate")
#define UNSAID CLASS("unsaid", "provisioner: p")

static void
unbound_claims(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "one that waits has no zone", NODE(ZONE("a")) LATER
			CLAIM_OF("c", "", "storageClassName: later"),
		    POD(USE("c")), FITS, "", NULL },
		{ "the annotation's class counts", NODE(ZONE("a")) LATER NOW
			CLAIM_OF("c", "volume.beta.kubernetes.io/"
			    "storage-class: later", "storageClassName: now"),
		    POD(USE("c")), FITS, "", NULL },
		{ "no errors where there are no zones", NODE(""),
		    POD(USE("c")), FITS, "", NULL },
		{ "a conflict comes before a later error", NODE(ZONE("a"))
			BOUND(ZONE("b")), POD(USE("c") USE("d")),
		    UNFIT_FOREVER, WHY, NULL },
	};
	static const struct broken_row broken[] = {
		{ "no name", NODE(ZONE("a")), POD(USE("")), NAMELESS },
		{ "missing claim", NODE(ZONE("a")), POD(USE("c")),
		    "persistentvolumeclaim \"c\" not found" },
		{ "missing volume", NODE(ZONE("a")) CLAIM("c", "v"),
		    POD(USE("c")), "persistentvolume \"v\" not found" },
		{ "no class", NODE(ZONE("a")) CLAIM("c", ""), POD(USE("c")),
		    "PersistentVolumeClaim was not found: \"c\"" },
		{ "a missing class", NODE(ZONE("a"))
			CLAIM_OF("c", "", "storageClassName: later"),
		    POD(USE("c")),
		    "PersistentVolumeClaim was not found: \"c\"" },
		{ "bound at once", NODE(ZONE("a")) NOW
			CLAIM_OF("c", "", "storageClassName: now"),
		    POD(USE("c")),
		    "PersistentVolumeClaim was not found: \"c\"" },
		{ "without a binding mode", NODE(ZONE("a")) UNSAID
			CLAIM_OF("c", "", "storageClassName: unsaid"),
		    POD(USE("c")),
		    "VolumeBindingMode not set for StorageClass \"unsaid\"" },
		{ "an error comes before a later conflict", NODE(ZONE("a"))
			BOUND(ZONE("b")), POD(USE("d") USE("c")),
		    "persistentvolumeclaim \"d\" not found" },
	};
	/* clang-format on */

	t_predicate(&predicate_no_volume_zone_conflict, NULL, rows);
	t_broken(&predicate_no_volume_zone_conflict, broken);
}

#define GA_ZONE(zone) "topology.kubernetes.io/zone: " zone ","
#define GA_REGION(region) "topology.kubernetes.io/region: " region ","

static void
newer_labels_count_from_1_17_on(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "the zone", NODE(GA_ZONE("a")) BOUND(GA_ZONE("a")),
		    POD(USE("c")), FITS, "", NULL },
		{ "another zone", NODE(GA_ZONE("a")) BOUND(GA_ZONE("b")),
		    POD(USE("c")), UNFIT_FOREVER, WHY,
		    "PersistentVolume v is only reachable from zone=b" },
		{ "one of several", NODE(GA_ZONE("b")) BOUND(GA_ZONE("a__b")),
		    POD(USE("c")), FITS, "", NULL },
		{ "another region", NODE(GA_REGION("r")) BOUND(GA_REGION("s")),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
		{ "an old label of a volume, a new one of the node",
		    NODE(GA_ZONE("a")) BOUND(ZONE("a")), POD(USE("c")), FITS,
		    "", NULL },
		{ "that do not agree", NODE(GA_ZONE("a")) BOUND(ZONE("b")),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
		{ "the old one of the node counts first",
		    NODE(GA_ZONE("a") ZONE("b")) BOUND(ZONE("a")),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
		{ "a new label of a volume, an old one of the node",
		    NODE(ZONE("a")) BOUND(GA_ZONE("a")), POD(USE("c")),
		    UNFIT_FOREVER, WHY, NULL },
		{ "an old region", NODE(GA_REGION("r")) BOUND(REGION("r")),
		    POD(USE("c")), FITS, "", NULL },
		{ "a node without any", NODE("zone: x") BOUND(GA_ZONE("b")),
		    POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(17, &predicate_no_volume_zone_conflict, NULL, rows);
}

static void
unusable_claims_refuse_nodes_from_1_21_on(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "missing", NODE(""), POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" not found", NULL },
		{ "nameless", NODE(""), POD(USE("")), UNFIT_FOREVER, NAMELESS,
		    NULL },
		{ "no class", NODE("") CLAIM("c", ""), POD(USE("c")),
		    UNFIT_FOREVER, "PersistentVolumeClaim had no pv name and "
		    "storageClass name", NULL },
		{ "a missing class", NODE("")
			CLAIM_OF("c", "", "storageClassName: s"), POD(USE("c")),
		    UNFIT_FOREVER,
		    "storageclass.storage.k8s.io \"s\" not found", NULL },
		{ "not bound", NODE("")
			CLASS("s", "volumeBindingMode: Immediate")
			CLAIM_OF("c", "", "storageClassName: s"), POD(USE("c")),
		    UNFIT_FOREVER, "PersistentVolume had no name", NULL },
		{ "waits", NODE(ZONE("a"))
			CLASS("s", "volumeBindingMode: WaitForFirstConsumer")
			CLAIM_OF("c", "", "storageClassName: s"), POD(USE("c")),
		    FITS, "", NULL },
		{ "a missing volume", NODE("") CLAIM("c", "v"), POD(USE("c")),
		    UNFIT_FOREVER, "persistentvolume \"v\" not found", NULL },
	};
	/* until 1.26 only nodes that are in a zone */
	static const struct world_row zoned[] = {
		{ "in a zone", NODE(ZONE("a")), POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" not found", NULL },
		{ "in none", NODE(""), POD(USE("c")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(27, &predicate_no_volume_zone_conflict, NULL, rows);
	t_predicate_in(21, &predicate_no_volume_zone_conflict, NULL, zoned);
}

#define CLAIM_IN(class) CLAIM_OF("c", "", "storageClassName: " class)

static void
unusable_claims_are_errors_in_a_profile_of_1_20(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "on nodes with a zone alone", NODE(""), POD(USE("c")), FITS,
		    "", NULL },
		{ "the newer labels count", NODE("topology.kubernetes.io/zone: "
			"a") BOUND("topology.kubernetes.io/zone: b"),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
		{ "but stand in for nothing",
		    NODE("topology.kubernetes.io/zone: a") BOUND(ZONE("a")),
		    POD(USE("c")), UNFIT_FOREVER, WHY, NULL },
	};
	static const struct broken_row broken[] = {
		{ "missing", NODE(ZONE("a")), POD(USE("c")),
		    "persistentvolumeclaim \"c\" not found" },
		{ "without name", NODE(ZONE("a")), POD(USE("")), NAMELESS },
		{ "without class", NODE(ZONE("a")) CLAIM("c", ""),
		    POD(USE("c")), "PersistentVolumeClaim had no pv name and "
			"storageClass name" },
		{ "of a missing class", NODE(ZONE("a")) CLAIM_IN("k"),
		    POD(USE("c")), "StorageClass \"k\" claimed by "
			"PersistentVolumeClaim \"c\" not found" },
		{ "of a class that binds at once", NODE(ZONE("a"))
			CLASS("k", "volumeBindingMode: Immediate")
			CLAIM_IN("k"), POD(USE("c")),
		    "PersistentVolume had no name" },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_no_volume_zone_conflict, NULL, rows);
	t_broken_of(20, &predicate_no_volume_zone_conflict, broken);
}

static void
in_one_of_1_36_they_are_rejected_before_filter(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no claims", NODE(ZONE("a")), POD(SECRET), FITS, "", NULL },
		{ "a conflict is left to Filter",
		    NODE(ZONE("a")) BOUND(ZONE("b")), POD(USE("c")), FITS, "",
		    NULL },
		{ "a missing claim", NODE(""), POD(USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"c\" not found", NULL },
		{ "a missing volume", NODE("") CLAIM("c", "v"), POD(USE("c")),
		    UNFIT_FOREVER, "persistentvolume \"v\" not found", NULL },
		{ "a missing class", NODE("") CLAIM_IN("k"), POD(USE("c")),
		    UNFIT_FOREVER,
		    "storageclass.storage.k8s.io \"k\" not found", NULL },
	};
	/* clang-format on */

	t_prefilter_of(36, &plugin_volume_zone, false, rows);
}

T_MAIN(T(newer_labels_count_from_1_17_on),
    T(unusable_claims_refuse_nodes_from_1_21_on),
    T(the_node_must_be_in_the_volumes_zone), T(a_volume_may_name_several_zones),
    T(unbound_claims), T(unusable_claims_are_errors_in_a_profile_of_1_20),
    T(in_one_of_1_36_they_are_rejected_before_filter))
