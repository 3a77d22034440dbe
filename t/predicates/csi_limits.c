#include "config.h"

#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define NODE1 W_NODE("n1", "", "")
/* The limits of node n1. */
#define LIMITS(drivers)                                                        \
	W_OBJECT("CSINode", "name: n1", "spec: {drivers: [" drivers "]}")
#define D(name, n) "{name: " name ", allocatable: {count: " n "}},"
/* A claim and the volume it is bound to. */
#define CSI(name, driver, handle)                                              \
	CLAIM(name, "v-" name)                                                 \
	VOLUME("v-" name,                                                      \
	    "csi: {driver: '" driver "', volumeHandle: '" handle "'}")
#define IN_TREE(name, source) CLAIM(name, "v-" name) VOLUME("v-" name, source)
#define UNBOUND(name, class) CLAIM_OF(name, "", "storageClassName: " class)
#define ATTACHED(name, volume)                                                 \
	W_OBJECT("VolumeAttachment", "name: " name,                            \
	    "spec: {attacher: d, nodeName: n1, source: "                       \
	    "{persistentVolumeName: " volume "}}")
#define PORTWORX(id) "{name: v, portworxVolume: {volumeID: " id "}},"
#define EPHEMERAL "{name: e, ephemeral: {}},"
#define MADE_FOR(claim, uid, spec)                                             \
	W_OBJECT("PersistentVolumeClaim",                                      \
	    "name: " claim ", ownerReferences: [{kind: Pod, controller: "      \
	    "true, uid: " uid "}]",                                            \
	    "spec: {" spec "}")
#define POD_OF(uid, volumes)                                                   \
	W_OBJECT("Pod", "name: p, uid: " uid, "spec: {" VOLUMES(volumes) "}")

static void
no_more_volumes_than_the_csi_node_says(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "up to the limit", NODE1 LIMITS(D("d", "2"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "one more", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			THERE("q", USE("a")), POD(USE("b")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "one that is there", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") THERE("q", USE("a")),
		    POD(USE("a")), FITS, "", NULL },
		{ "each driver by itself", NODE1 LIMITS(D("d", "1") D("e", "1"))
			CSI("a", "d", "1") CSI("b", "e", "2")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "equal handles of two drivers",
		    NODE1 LIMITS(D("d", "1")) CSI("a", "e", "1")
			CSI("b", "d", "1") CSI("c", "d", "2")
			THERE("q", USE("a") USE("b")), POD(USE("c")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "no count", NODE1 LIMITS("{name: d}") CSI("a", "d", "1"),
		    POD(USE("a")), FITS, "", NULL },
		{ "no CSINode", NODE1 CSI("a", "d", "1"), POD(USE("a")), FITS,
		    "", NULL },
		{ "the node's allocatable does not count",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-csi-d: 0}")
			CSI("a", "d", "1"), POD(USE("a")), FITS, "", NULL },
		{ "a missing claim", NODE1, POD(USE("a")), UNFIT_FOREVER,
		    "looking up PVC default/a: persistentvolumeclaim \"a\" "
		    "not found", NULL },
		{ "a missing claim of a pod there", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") THERE("q", USE("x")), POD(USE("a")),
		    FITS, "", NULL },
		{ "not bound: its class's", NODE1 LIMITS(D("d", "0"))
			CLASS("s", "provisioner: d") UNBOUND("a", "s"),
		    POD(USE("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "a class in the annotation", NODE1 LIMITS(D("d", "0"))
			CLASS("s", "provisioner: d") CLAIM_OF("a",
			"volume.beta.kubernetes.io/storage-class: s", ""),
		    POD(USE("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "bound to a missing volume", NODE1 LIMITS(D("d", "0"))
			CLASS("s", "provisioner: d") CLAIM_OF("a", "",
			"volumeName: v, storageClassName: s"), POD(USE("a")),
		    UNFIT, MAX_VOLUMES, NULL },
		{ "two claims are two", NODE1 LIMITS(D("d", "1"))
			CLASS("s", "provisioner: d") UNBOUND("a", "s")
			UNBOUND("b", "s"), POD(USE("a") USE("b")), UNFIT,
		    MAX_VOLUMES, NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_max_csi_volume_count, NULL, rows);
}

static void
migrated_volumes_count_as_their_drivers(void)
{
#define EBS_LIMIT LIMITS(D("ebs.csi.aws.com", "1"))
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "written into pods", NODE1 EBS_LIMIT THERE("q", EBS("vol-1")),
		    POD(EBS("vol-2")), UNFIT, MAX_VOLUMES, NULL },
		{ "the same one", NODE1 EBS_LIMIT
			THERE("q", EBS("'aws://zone/vol-1'")),
		    POD(EBS("vol-1")), FITS, "", NULL },
		{ "one that is no such name", NODE1 LIMITS(
			D("ebs.csi.aws.com", "0")),
		    POD(EBS("'aws://zone/disk'")), FITS, "", NULL },
		{ "bound to", NODE1 EBS_LIMIT
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}")
			THERE("q", USE("a")), POD(EBS("vol-2")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "bound to, the same one", NODE1 EBS_LIMIT
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}")
			THERE("q", USE("a")), POD(EBS("vol-1")), FITS, "",
		    NULL },
		{ "the driver's own", NODE1 EBS_LIMIT
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", USE("a")), POD(EBS("vol-1")), FITS, "",
		    NULL },
		{ "to be provisioned", NODE1 EBS_LIMIT
			CLASS("s", "provisioner: kubernetes.io/aws-ebs")
			UNBOUND("a", "s") THERE("q", EBS("vol-1")),
		    POD(USE("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "GCE", NODE1 LIMITS(D("pd.csi.storage.gke.io", "1"))
			THERE("q", GCE("a")), POD(GCE("b")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "GCE, in a zone", NODE1
			LIMITS(D("pd.csi.storage.gke.io", "1"))
			CLAIM("a", "v") W_OBJECT("PersistentVolume",
			"name: v, labels: {topology.kubernetes.io/zone: z}",
			"spec: {gcePersistentDisk: {pdName: a}}")
			CSI("b", "pd.csi.storage.gke.io",
			    "projects/UNSPECIFIED/zones/z/disks/a")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "GCE, in a region", NODE1
			LIMITS(D("pd.csi.storage.gke.io", "1"))
			CLAIM("a", "v") W_OBJECT("PersistentVolume",
			"name: v, labels: {failure-domain.beta.kubernetes.io/"
			"zone: e-w1-a__e-w1-b}",
			"spec: {gcePersistentDisk: {pdName: a}}")
			CSI("b", "pd.csi.storage.gke.io",
			    "projects/UNSPECIFIED/regions/e-w1/disks/a")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "GCE, in two regions", NODE1
			LIMITS(D("pd.csi.storage.gke.io", "0"))
			CLAIM("a", "v") W_OBJECT("PersistentVolume",
			"name: v, labels: {topology.kubernetes.io/zone: "
			"e-w1-a__e-w2-b}",
			"spec: {gcePersistentDisk: {pdName: a}}"),
		    POD(USE("a")), FITS, "", NULL },
		{ "Azure", NODE1 LIMITS(D("disk.csi.azure.com", "1")) THERE("q",
			"{name: v, azureDisk: {diskName: a, diskURI: u}},"),
		    POD("{name: v, azureDisk: {diskName: b, diskURI: u, "
			"kind: managed}},"), FITS, "", NULL },
		{ "Azure, unmanaged", NODE1 LIMITS(D("disk.csi.azure.com", "0")),
		    POD("{name: v, azureDisk: {diskName: b, diskURI: u, "
			"kind: Shared}},"), FITS, "", NULL },
		{ "Azure, another", NODE1 LIMITS(D("disk.csi.azure.com", "1"))
			THERE("q", "{name: v, azureDisk: {diskURI: u}},"),
		    POD("{name: v, azureDisk: {diskURI: w}},"), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "Cinder", NODE1 LIMITS(D("cinder.csi.openstack.org", "0")),
		    POD(CINDER("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "Portworx", NODE1 LIMITS(D("pxd.portworx.com", "0")),
		    POD(PORTWORX("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "others", NODE1 LIMITS(D("d", "0"))
			IN_TREE("a", "nfs: {path: x}"), POD(USE("a") SECRET),
		    FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_max_csi_volume_count, NULL, rows);
}

/* A policy that names a count of old limits that of its driver. */
static void
old_counts_are_the_drivers(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "the driver's limit", NODE1 EBS_LIMIT
			THERE("q", EBS("vol-1")), POD(EBS("vol-2")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "another driver's", NODE1 LIMITS(D("d", "0"))
			CSI("a", "d", "1"), POD(USE("a")), FITS, "", NULL },
		{ "no limit but that", W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}"),
		    POD(EBS("vol-2")), FITS, "", NULL },
		{ "a missing claim is for others to refuse", NODE1,
		    POD(USE("a")), FITS, "", NULL },
	};
	/* clang-format on */
	static const struct world_row before[] = {
		{ "1.26", NODE1 LIMITS(D("ebs.csi.aws.com", "0")),
		    POD(EBS("vol-1")), FITS, "", NULL },
		{ "1.26, its own limit",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}"),
		    POD(EBS("vol-2")), UNFIT, MAX_VOLUMES, NULL },
	};

	t_predicate_in(27, &predicate_max_ebs_volume_count, NULL, rows);
	t_predicate_in(36, &predicate_max_ebs_volume_count, NULL, rows);
	t_predicate_in(26, &predicate_max_ebs_volume_count, NULL, before);
	t_predicate_in(26, &predicate_max_csi_volume_count, NULL,
	    ((const struct world_row[]){ before[0] }));
}

/* Node n1 has migrated these plugins. */
#define MIGRATED(plugins, drivers)                                             \
	W_OBJECT("CSINode",                                                    \
	    "name: n1, annotations: {storage.alpha.kubernetes.io/"             \
	    "migrated-plugins: '" plugins "'}",                                \
	    "spec: {drivers: [" drivers "]}")
#define EBS_PLUGIN "kubernetes.io/aws-ebs"
#define MIGRATED_EBS MIGRATED(EBS_PLUGIN, D("ebs.csi.aws.com", "1"))
#define MIGRATED_GCE MIGRATED("kubernetes.io/gce-pd", D("ebs.csi.aws.com", "1"))
#define NO_EBS_HERE                                                            \
	W_NODE_STATUS("n1", "", "",                                            \
	    "allocatable: {attachable-volumes-aws-ebs: 0}")

static void
nodes_say_what_is_migrated(void)
{
	/* clang-format off */
	static const struct world_row drivers[] = {
		{ "another's", NODE1 MIGRATED_EBS
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}")
			IN_TREE("b", "awsElasticBlockStore: {volumeID: vol-2}")
			THERE("q", USE("a")), POD(USE("b")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "the driver's own", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1")
			IN_TREE("b", "awsElasticBlockStore: {volumeID: vol-1}")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "to be provisioned", NODE1 MIGRATED_EBS
			CLASS("s", "provisioner: kubernetes.io/aws-ebs")
			UNBOUND("a", "s") CSI("b", "ebs.csi.aws.com", "vol-1")
			THERE("q", USE("b")), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "one of several plugins",
		    NODE1 MIGRATED("kubernetes.io/gce-pd," EBS_PLUGIN,
			D("ebs.csi.aws.com", "0"))
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}"),
		    POD(USE("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "another plugin", NODE1
			MIGRATED("kubernetes.io/gce-pd",
			    D("ebs.csi.aws.com", "0"))
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}"),
		    POD(USE("a")), FITS, "", NULL },
		{ "another plugin, to be provisioned", NODE1
			MIGRATED("kubernetes.io/gce-pd",
			    D("ebs.csi.aws.com", "0"))
			CLASS("s", "provisioner: kubernetes.io/aws-ebs")
			UNBOUND("a", "s"), POD(USE("a")), FITS, "", NULL },
		{ "of pods there, another plugin", NODE1 MIGRATED_GCE
			CSI("a", "ebs.csi.aws.com", "vol-1")
			IN_TREE("b", "awsElasticBlockStore: {volumeID: vol-2}")
			THERE("q", USE("b")), POD(USE("a")), FITS, "", NULL },
		{ "beside one that no node has to migrate", NODE1 MIGRATED_GCE
			CSI("a", "ebs.csi.aws.com", "vol-1")
			CSI("b", "ebs.csi.aws.com", "vol-2")
			IN_TREE("c", "awsElasticBlockStore: {volumeID: vol-3}")
			THERE("q", USE("b")), POD(USE("c") USE("a")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "a claim without name of a pod there", NODE1 MIGRATED_GCE
			IN_TREE("a", "awsElasticBlockStore: {volumeID: vol-1}")
			THERE("q", USE("")), POD(USE("a")), FITS, "", NULL },
	};
	static const struct world_row plugins[] = {
		{ "migrated: its own limit does not count",
		    NO_EBS_HERE MIGRATED_EBS, POD(EBS("vol-1")), FITS, "",
		    NULL },
		{ "migrated, whatever pods there have",
		    NO_EBS_HERE MIGRATED_EBS THERE("q", USE("")),
		    POD(EBS("vol-1")), FITS, "", NULL },
		{ "another plugin", NO_EBS_HERE MIGRATED_GCE, POD(EBS("vol-1")),
		    UNFIT, MAX_VOLUMES, "1 volume over the limit of 0" },
		{ "nothing migrated", NO_EBS_HERE LIMITS(""),
		    POD(EBS("vol-1")), UNFIT, MAX_VOLUMES, NULL },
	};
	static const struct world_row before[] = {
		{ "1.15", NO_EBS_HERE MIGRATED_EBS, POD(EBS("vol-1")), UNFIT,
		    MAX_VOLUMES, NULL },
	};
	/* clang-format on */
	static const int releases[] = { 17, 24, 25, 26 };

	for (size_t i = 0; i < LENGTH(releases); i++) {
		t_predicate_in(releases[i], &predicate_max_csi_volume_count,
		    NULL, drivers);
		t_predicate_in(releases[i], &predicate_max_ebs_volume_count,
		    NULL, plugins);
	}
	t_predicate_of(20, &predicate_max_csi_volume_count, NULL, drivers);
	t_predicate_of(20, &predicate_max_ebs_volume_count, NULL, plugins);
	t_predicate_in(15, &predicate_max_ebs_volume_count, NULL, before);
}

/* Before, they count neither for their plugin nor for the driver that has them. */
static void
volumes_written_into_pods_count_from_1_25_on(void)
{
	/* clang-format off */
	static const struct world_row from[] = {
		{ "the pod's", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", USE("a")), POD(EBS("vol-2")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "of a pod there", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", EBS("vol-2")), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "another plugin", NODE1 MIGRATED_GCE THERE("q", EBS("vol-1")),
		    POD(EBS("vol-2")), FITS, "", NULL },
		{ "another plugin, of a pod there", NODE1 MIGRATED_GCE
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", EBS("vol-2")), POD(USE("a")), FITS, "",
		    NULL },
		{ "Cinder, migrated everywhere", NODE1
			LIMITS(D("cinder.csi.openstack.org", "0")),
		    POD(CINDER("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "Portworx, on nodes that say so", NODE1
			MIGRATED("kubernetes.io/portworx-volume",
			    D("pxd.portworx.com", "0")),
		    POD(PORTWORX("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "Portworx", NODE1 LIMITS(D("pxd.portworx.com", "0")),
		    POD(PORTWORX("a")), FITS, "", NULL },
	};
	static const struct world_row before[] = {
		{ "the pod's", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", USE("a")), POD(EBS("vol-2")), FITS, "",
		    NULL },
		{ "the pod's, beside a claim", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1"),
		    POD(EBS("vol-2") USE("a")), FITS, "", NULL },
		{ "of a pod there", NODE1 MIGRATED_EBS
			CSI("a", "ebs.csi.aws.com", "vol-1")
			THERE("q", EBS("vol-2")), POD(USE("a")), FITS, "",
		    NULL },
	};
	/* clang-format on */

	t_predicate_in(25, &predicate_max_csi_volume_count, NULL, from);
	t_predicate_in(26, &predicate_max_csi_volume_count, NULL, from);
	t_predicate_in(17, &predicate_max_csi_volume_count, NULL, before);
	t_predicate_in(24, &predicate_max_csi_volume_count, NULL, before);
	t_predicate_of(20, &predicate_max_csi_volume_count, NULL, before);
}

/* The driver of one plugin is asked about, those of the pod's others are not. */
static void
old_counts_beside_other_plugins(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "one that nodes need not migrate", NODE1 EBS_LIMIT
			THERE("q", EBS("vol-1") PORTWORX("a")),
		    POD(EBS("vol-2") PORTWORX("b")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 1" },
		{ "whose driver is full", NODE1
			MIGRATED("kubernetes.io/portworx-volume",
			    D("pxd.portworx.com", "0")
			    D("ebs.csi.aws.com", "1")),
		    POD(EBS("vol-2") PORTWORX("b")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(27, &predicate_max_ebs_volume_count, NULL, rows);
	t_predicate_in(36, &predicate_max_ebs_volume_count, NULL, rows);
}

static void
attachments_count(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "of no pod", NODE1 LIMITS(D("d", "1")) CSI("a", "d", "1")
			CSI("b", "d", "2") ATTACHED("x", "v-a"),
		    POD(USE("b")), UNFIT, MAX_VOLUMES, NULL },
		{ "of a pod there", NODE1 LIMITS(D("d", "2")) CSI("a", "d", "1")
			CSI("b", "d", "2") ATTACHED("x", "v-a")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "of the pod itself: twice", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") ATTACHED("x", "v-a"), POD(USE("a")),
		    UNFIT, MAX_VOLUMES, NULL },
		{ "of a missing volume", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") ATTACHED("x", "v-b"), POD(USE("a")),
		    FITS, "", NULL },
		{ "of another kind", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") VOLUME("v", "nfs: {path: x}")
			ATTACHED("x", "v"), POD(USE("a")), FITS, "", NULL },
		{ "of another node", NODE1 LIMITS(D("d", "1"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			W_OBJECT("VolumeAttachment", "name: x",
			"spec: {attacher: d, nodeName: n2, source: "
			"{persistentVolumeName: v-a}}"),
		    POD(USE("b")), FITS, "", NULL },
	};
	/* clang-format on */
	static const struct world_row before[] = {
		{ "1.31",
		    NODE1 LIMITS(D("d", "1")) CSI("a", "d", "1")
			CSI("b", "d", "2") ATTACHED("x", "v-a"),
		    POD(USE("b")), FITS, "", NULL },
	};

	t_predicate_in(32, &predicate_max_csi_volume_count, NULL, rows);
	t_predicate_in(31, &predicate_max_csi_volume_count, NULL, before);
}

static void
ephemeral_volumes_count(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "its claim", NODE1 LIMITS(D("d", "0"))
			CLASS("s", "provisioner: d")
			MADE_FOR("p-e", "u1", "storageClassName: s"),
		    POD_OF("u1", EPHEMERAL), UNFIT, MAX_VOLUMES, NULL },
		{ "a missing one", NODE1, POD_OF("u1", EPHEMERAL),
		    UNFIT_FOREVER,
		    "looking up PVC default/p-e: persistentvolumeclaim \"p-e\" "
		    "not found", NULL },
		{ "another's", NODE1 LIMITS(D("d", "0"))
			CLASS("s", "provisioner: d")
			MADE_FOR("p-e", "u2", "storageClassName: s"),
		    POD_OF("u1", EPHEMERAL), FITS, "", NULL },
	};
	/* clang-format on */
	static const struct world_row before[] = {
		{ "1.20",
		    NODE1 LIMITS(D("d", "0")) CLASS("s", "provisioner: d")
			MADE_FOR("p-e", "u1", "storageClassName: s"),
		    POD_OF("u1", EPHEMERAL), FITS, "", NULL },
	};

	t_predicate_in(36, &predicate_max_csi_volume_count, NULL, rows);
	t_predicate_in(20, &predicate_max_csi_volume_count, NULL, before);
}

static void
nameless_claims_break_the_attempt(void)
{
	struct world *world =
	    world_new(NODE1 LIMITS(D("d", "1")) CSI("a", "d", "1"));
	struct outcome o;

	world->cluster->kubernetes_minor = 36;
	world_pod(world, POD(USE("")));
	o = world_check(world, &predicate_max_csi_volume_count, NULL, "n1");
	t_int("verdict", o.verdict, BROKEN);
	t_str("error", o.error, NAMELESS);
	world_put(world, THERE("q", USE("")));
	world_pod(world, POD(USE("a")));
	o = world_check(world, &predicate_max_csi_volume_count, NULL, "n1");
	t_int("verdict", o.verdict, BROKEN);
	world_free(world);
}

/* clang-format off */
static const struct world_row by_allocatable[] = {
	{ "of a node without CSINode",
	    W_NODE_STATUS("n1", "", "",
		"allocatable: {attachable-volumes-csi-d: 0}")
		CSI("a", "d", "1"), POD(USE("a")), UNFIT, MAX_VOLUMES,
	    "1 volume over the limit of 0" },
	{ "the CSINode's count is the limit if it has one",
	    W_NODE_STATUS("n1", "", "",
		"allocatable: {attachable-volumes-csi-d: 0}")
		LIMITS(D("d", "1")) CSI("a", "d", "1"), POD(USE("a")),
	    FITS, "", NULL },
	{ "else the allocatable is", W_NODE_STATUS("n1", "", "",
		"allocatable: {attachable-volumes-csi-d: 0}")
		LIMITS("{name: d}") CSI("a", "d", "1"), POD(USE("a")),
	    UNFIT, MAX_VOLUMES, NULL },
};
/* clang-format on */

static void
a_profile_of_1_20_reads_the_allocatable_too(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "a missing claim does not count", NODE1 LIMITS(D("d", "0")),
		    POD(USE("a")), FITS, "", NULL },
		{ "an unbound one counts by its class",
		    NODE1 LIMITS(D("d", "0")) CLASS("k", "provisioner: d")
			UNBOUND("a", "k"), POD(USE("a")), UNFIT, MAX_VOLUMES,
		    NULL },
	};
	static const struct broken_row broken[] = {
		{ "no name, whatever the limits", NODE1, POD(USE("")),
		    NAMELESS },
		{ "no name there, where anything has a limit",
		    NODE1 LIMITS(D("e", "1")) CSI("a", "d", "1")
			THERE("q", USE("")), POD(USE("a")), NAMELESS },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_max_csi_volume_count, NULL,
	    by_allocatable);
	t_predicate_of(20, &predicate_max_csi_volume_count, NULL, rows);
	t_broken_of(20, &predicate_max_csi_volume_count, broken);
}

static void
a_policy_reads_it_in_clusters_until_1_31(void)
{
	t_predicate_in(18, &predicate_max_csi_volume_count, NULL,
	    by_allocatable);
	t_predicate_in(31, &predicate_max_csi_volume_count, NULL,
	    by_allocatable);
}

static void
in_a_profile_of_1_36_foreign_claims_are_errors(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "a missing claim first", NODE1
			MADE_FOR("p-e", "other", ""),
		    POD_OF("u1", USE("gone") EPHEMERAL), UNFIT_FOREVER,
		    "looking up PVC default/gone: persistentvolumeclaim "
			"\"gone\" not found", NULL },
		{ "there, where nothing has a limit", NODE1
			LIMITS("{name: d}") CSI("a", "d", "1")
			MADE_FOR("q-e", "other", "") THERE("q", EPHEMERAL),
		    POD(USE("a")), FITS, "", NULL },
	};
	static const struct broken_row broken[] = {
		{ "the pod's", NODE1 MADE_FOR("p-e", "other", ""),
		    POD_OF("u1", EPHEMERAL USE("gone")),
		    "PVC default/p-e was not created for pod default/p (pod is "
			"not owner)" },
		{ "one there, where anything has a limit",
		    NODE1 LIMITS(D("x", "9")) CSI("a", "d", "1")
			MADE_FOR("q-e", "other", "") THERE("q", EPHEMERAL),
		    POD(USE("a")),
		    "PVC default/q-e was not created for pod default/q (pod is "
			"not owner)" },
	};
	/* clang-format on */

	t_predicate_of(36, &predicate_max_csi_volume_count, NULL, rows);
	t_broken_of(36, &predicate_max_csi_volume_count, broken);
}

#define MUST_BE_THERE(driver)                                                  \
	W_OBJECT("CSIDriver", "name: " driver,                                 \
	    "spec: {preventPodSchedulingIfMissing: true}")

static void
volume_limit_scaling_wants_the_driver_on_the_node(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "it is not there", NODE1 LIMITS(D("e", "1"))
			MUST_BE_THERE("d") CSI("a", "d", "1"), POD(USE("a")),
		    UNFIT, "d CSI driver is not installed on the node", NULL },
		{ "no CSINode", NODE1 MUST_BE_THERE("d") CSI("a", "d", "1"),
		    POD(USE("a")), UNFIT,
		    "d CSI driver is not installed on the node", NULL },
		{ "it is", NODE1 LIMITS("{name: d}") MUST_BE_THERE("d")
			CSI("a", "d", "1"), POD(USE("a")), FITS, "", NULL },
		{ "its CSIDriver does not ask for it",
		    NODE1 W_OBJECT("CSIDriver", "name: d", "spec: {}")
			CSI("a", "d", "1"), POD(USE("a")), FITS, "", NULL },
		{ "nothing is migrated without CSINode",
		    NODE1 MUST_BE_THERE("ebs.csi.aws.com"), POD(EBS("vol-1")),
		    FITS, "", NULL },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++)
		for (int on = 0; on < 2; on++) {
			struct world *w = world_new(rows[i].objects);
			struct outcome o;

			w->cluster->kubernetes_minor = 36;
			w->profile->release = 36;
			w->profile->gates.volume_limit_scaling = on != 0;
			world_pod(w, rows[i].pod);
			o = world_check(w, &predicate_max_csi_volume_count,
			    NULL, "n1");
			t_int(rows[i].name, o.verdict,
			    on != 0 ? rows[i].verdict : FITS);
			t_str(rows[i].name, o.why, on != 0 ? rows[i].why : "");
			world_free(w);
		}
}

T_MAIN(T(no_more_volumes_than_the_csi_node_says),
    T(migrated_volumes_count_as_their_drivers), T(old_counts_are_the_drivers),
    T(nodes_say_what_is_migrated),
    T(volumes_written_into_pods_count_from_1_25_on),
    T(old_counts_beside_other_plugins), T(attachments_count),
    T(ephemeral_volumes_count), T(nameless_claims_break_the_attempt),
    T(a_profile_of_1_20_reads_the_allocatable_too),
    T(a_policy_reads_it_in_clusters_until_1_31),
    T(in_a_profile_of_1_36_foreign_claims_are_errors),
    T(volume_limit_scaling_wants_the_driver_on_the_node))
