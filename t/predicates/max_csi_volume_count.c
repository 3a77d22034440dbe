#include "config.h"

#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define NODE(allocatable)                                                      \
	W_NODE_STATUS("n1", "", "", "allocatable: {" allocatable "}")
#define LIMIT(driver, n) "attachable-volumes-csi-" driver ": " n ","
/* A claim and the volume it is bound to. */
#define CSI(name, driver, handle)                                              \
	CLAIM(name, "v-" name)                                                 \
	VOLUME("v-" name,                                                      \
	    "csi: {driver: '" driver "', volumeHandle: '" handle "'}")
#define UNBOUND(name, class) CLAIM_OF(name, "", "storageClassName: " class)
#define DRIVERS CLASS("csi", "provisioner: d") CLASS("empty", "provisioner: ''")

/* 40 characters, with the prefix 63: one more than a resource may have. */
#define LONG "driver.of.exactly.forty.characters.co.uk"
#define LONG_LIMIT "driver.of.exactly.fortya865dd4b4b03c626"
#define NOT_SO_LONG "driver.of.exactly.forty.characters.co.u"

static void
no_more_volumes_of_a_driver_than_its_limit(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "up to the limit", NODE(LIMIT("d", "2"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "one more", NODE(LIMIT("d", "1"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			THERE("q", USE("a")), POD(USE("b")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "a volume that is there already", NODE(LIMIT("d", "1"))
			CSI("a", "d", "1") THERE("q", USE("a")),
		    POD(USE("a")), FITS, "", NULL },
		{ "also when there are too many", NODE(LIMIT("d", "1"))
			CSI("a", "d", "1") CSI("b", "d", "2")
			THERE("q", USE("a") USE("b")),
		    POD(USE("a")), FITS, "", NULL },
		{ "each driver by itself",
		    NODE(LIMIT("d", "1") LIMIT("e", "1"))
			CSI("a", "d", "1") CSI("b", "e", "2")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "the second driver's limit",
		    NODE(LIMIT("d", "9") LIMIT("e", "0"))
			CSI("a", "d", "1") CSI("b", "e", "2"),
		    POD(USE("a") USE("b")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 0" },
		{ "a driver without limit", NODE(LIMIT("e", "0"))
			CSI("a", "d", "1"), POD(USE("a")), FITS, "", NULL },
		{ "no limits", NODE("") CSI("a", "d", "1"), POD(USE("a")), FITS,
		    "", NULL },
		{ "other volumes", NODE(LIMIT("d", "0")) CLAIM("c", "v")
			VOLUME("v", "gcePersistentDisk: {pdName: a}"),
		    POD(USE("c") GCE("b")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_max_csi_volume_count, NULL, rows);
}

static void
volumes_are_told_apart_by_handle(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "one volume, two claims", NODE(LIMIT("d", "1"))
			CSI("a", "d", "1") CSI("b", "d", "1")
			THERE("q", USE("a")), POD(USE("b")), FITS, "", NULL },
		{ "the handle of another driver's volume",
		    NODE(LIMIT("d", "0")) CSI("a", "e", "1")
			CSI("b", "d", "1") THERE("q", USE("a")),
		    POD(USE("b")), FITS, "", NULL },
		{ "in one pod the last driver counts", NODE(LIMIT("d", "0"))
			CSI("a", "d", "1") CSI("b", "e", "1"),
		    POD(USE("a") USE("b")), FITS, "", NULL },
		{ "which may be the limited one", NODE(LIMIT("d", "0"))
			CSI("a", "d", "1") CSI("b", "e", "1"),
		    POD(USE("b") USE("a")), UNFIT, MAX_VOLUMES, NULL },
		{ "no handle", NODE(LIMIT("d", "0")) CSI("a", "d", ""),
		    POD(USE("a")), FITS, "", NULL },
		{ "no driver", NODE(LIMIT("d", "0")) CSI("a", "", "1"),
		    POD(USE("a")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_max_csi_volume_count, NULL, rows);
}

static void
unbound_claims_count_by_their_class(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "its provisioner's limit", NODE(LIMIT("d", "0")) DRIVERS
			UNBOUND("a", "csi"), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "a claim counts once", NODE(LIMIT("d", "1")) DRIVERS
			UNBOUND("a", "csi") THERE("q", USE("a")),
		    POD(USE("a")), FITS, "", NULL },
		{ "two claims are two", NODE(LIMIT("d", "1")) DRIVERS
			UNBOUND("a", "csi") UNBOUND("b", "csi")
			THERE("q", USE("a")), POD(USE("b")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "bound to a missing volume", NODE(LIMIT("d", "0")) DRIVERS
			CLAIM_OF("a", "", "volumeName: v, "
			    "storageClassName: csi"), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "no class", NODE(LIMIT("d", "0")) DRIVERS CLAIM("a", ""),
		    POD(USE("a")), FITS, "", NULL },
		{ "a class in the annotation alone",
		    NODE(LIMIT("d", "0")) DRIVERS CLAIM_OF("a",
			"volume.beta.kubernetes.io/storage-class: csi", ""),
		    POD(USE("a")), FITS, "", NULL },
		{ "a missing class", NODE(LIMIT("d", "0"))
			UNBOUND("a", "csi"), POD(USE("a")), FITS, "", NULL },
		{ "a class without provisioner", NODE(LIMIT("d", "0")) DRIVERS
			UNBOUND("a", "empty"), POD(USE("a")), FITS, "", NULL },
		{ "a missing claim", NODE(LIMIT("d", "0")), POD(USE("a")),
		    FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_max_csi_volume_count, NULL, rows);
}

static void
long_drivers_are_shortened(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "62 characters are fine", NODE(LIMIT(NOT_SO_LONG, "0"))
			CSI("a", NOT_SO_LONG, "1"), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, NULL },
		{ "63 are too many", NODE(LIMIT(LONG, "0"))
			CSI("a", LONG, "1"), POD(USE("a")), FITS, "", NULL },
		{ "its hash", NODE(LIMIT(LONG_LIMIT, "0"))
			CSI("a", LONG, "1"), POD(USE("a")), UNFIT,
		    MAX_VOLUMES, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_max_csi_volume_count, NULL, rows);
}

static void
a_claim_without_name_is_an_error(void)
{
	/* clang-format off */
	static const struct broken_row rows[] = {
		{ "of the pod", NODE(LIMIT("e", "9")), POD(USE("")), NAMELESS },
		{ "of a pod there", NODE(LIMIT("e", "9")) CSI("a", "d", "1")
			THERE("q", USE("")), POD(USE("a")), NAMELESS },
	};
	static const struct world_row fine[] = {
		{ "not where there are no limits", NODE(""), POD(USE("")), FITS,
		    "", NULL },
	};
	/* clang-format on */

	t_broken(&predicate_max_csi_volume_count, rows);
	t_predicate(&predicate_max_csi_volume_count, NULL, fine);
}

static void
without_the_gate_there_is_no_limit(void)
{
	struct world *world =
	    world_new(NODE(LIMIT("d", "0")) CSI("a", "d", "1"));

	world->profile->gates.attach_volume_limit = false;
	world_pod(world, POD(USE("a")));
	t_int("fits",
	    world_check(world, &predicate_max_csi_volume_count, NULL, "n1")
		.verdict,
	    FITS);
	world_free(world);
}

T_MAIN(T(no_more_volumes_of_a_driver_than_its_limit),
    T(volumes_are_told_apart_by_handle), T(unbound_claims_count_by_their_class),
    T(long_drivers_are_shortened), T(a_claim_without_name_is_an_error),
    T(without_the_gate_there_is_no_limit))
