#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) had no available disk"
#define VOLUMES(volumes) "volumes: [" volumes "]"
#define NODE(volumes)                                                          \
	W_NODE("n1", "", "")                                                   \
	W_NODE("n2", "", "") W_POD("q", "", "n1", VOLUMES(volumes))
#define POD(volumes) W_POD("p", "", "", VOLUMES(volumes))
#define GCE(id, ro)                                                            \
	"{name: v, gcePersistentDisk: {pdName: " id ", readOnly: " ro "}},"
#define EBS(id, ro)                                                            \
	"{name: v, awsElasticBlockStore: {volumeID: " id ", readOnly: " ro "}},"
#define ISCSI(iqn, lun, ro)                                                    \
	"{name: v, iscsi: {targetPortal: t, iqn: " iqn ", lun: " lun           \
	", readOnly: " ro "}},"
#define RBD(monitors, pool, image, ro)                                         \
	"{name: v, rbd: {monitors: [" monitors "], pool: " pool                \
	", image: " image ", readOnly: " ro "}},"
#define CINDER(id) "{name: v, cinder: {volumeID: " id "}},"
#define CLAIM(id) "{name: v, persistentVolumeClaim: {claimName: " id "}},"

static void
disks_in_use_conflict(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no volumes", NODE(GCE("a", "false")), POD(""), FITS, "",
		    NULL },
		{ "another disk", NODE(GCE("a", "false")),
		    POD(GCE("b", "false")), FITS, "", NULL },
		{ "same GCE disk", NODE(GCE("a", "false")),
		    POD(GCE("a", "false")), UNFIT, WHY,
		    "disk a is in use by default/q" },
		{ "one of them writes", NODE(GCE("a", "true")),
		    POD(GCE("a", "false")), UNFIT, WHY, NULL },
		{ "both only read", NODE(GCE("a", "true")),
		    POD(GCE("a", "true")), FITS, "", NULL },
		{ "EBS may not even be read twice", NODE(EBS("a", "true")),
		    POD(EBS("a", "true")), UNFIT, WHY, NULL },
		{ "equal names of different kinds", NODE(GCE("a", "false")),
		    POD(EBS("a", "false")), FITS, "", NULL },
		{ "iSCSI: other LUN of the same target",
		    NODE(ISCSI("i", "0", "false")), POD(ISCSI("i", "1", "false")),
		    UNFIT, WHY, "disk i is in use by default/q" },
		{ "iSCSI: both only read", NODE(ISCSI("i", "0", "true")),
		    POD(ISCSI("i", "0", "true")), FITS, "", NULL },
		{ "RBD: a monitor in common",
		    NODE(RBD("m1, m2", "p", "i", "false")),
		    POD(RBD("m3, m2", "p", "i", "false")), UNFIT, WHY, NULL },
		{ "RBD: no monitor in common",
		    NODE(RBD("m1", "p", "i", "false")),
		    POD(RBD("m2", "p", "i", "false")), FITS, "", NULL },
		{ "RBD: other pool", NODE(RBD("m1", "p", "i", "false")),
		    POD(RBD("m1", "o", "i", "false")), FITS, "", NULL },
		{ "RBD: other image", NODE(RBD("m1", "p", "i", "false")),
		    POD(RBD("m1", "p", "j", "false")), FITS, "", NULL },
		{ "RBD: both only read", NODE(RBD("m1", "p", "i", "true")),
		    POD(RBD("m1", "p", "i", "true")), FITS, "", NULL },
		{ "the second volume conflicts",
		    NODE(GCE("a", "false") EBS("b", "false")),
		    POD(GCE("c", "false") EBS("b", "false")), UNFIT, WHY,
		    "disk b is in use by default/q" },
		{ "a pod does not conflict with itself", NODE(""),
		    POD(EBS("a", "false") EBS("a", "false")), FITS, "", NULL },
		{ "other kinds never conflict",
		    NODE(CINDER("a") CLAIM("b")), POD(CINDER("a") CLAIM("b")),
		    FITS, "", NULL },
		{ "in use elsewhere", W_NODE("n1", "", "")
			W_NODE("n2", "", "")
			W_POD("q", "", "n2", VOLUMES(EBS("a", "false"))),
		    POD(EBS("a", "false")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_no_disk_conflict, NULL, rows);
}

T_MAIN(T(disks_in_use_conflict))
