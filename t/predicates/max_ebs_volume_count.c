#include "config.h"

#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define NODE(limit)                                                            \
	W_NODE_STATUS("n1", "", "",                                            \
	    "allocatable: {attachable-volumes-aws-ebs: " limit "}")
#define EBS_VOLUME(name, id)                                                   \
	VOLUME(name, "awsElasticBlockStore: {volumeID: " id "}")

static void
no_more_volumes_than_the_limit(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no volumes, even on a node with too many",
		    NODE("0") THERE("q", EBS("a")), POD(""), FITS, "", NULL },
		{ "volumes of other kinds do not count", NODE("0"),
		    POD(GCE("a") AZURE("b") CINDER("c") SECRET), FITS, "",
		    NULL },
		{ "up to the limit", NODE("2") THERE("q", EBS("a")),
		    POD(EBS("b")), FITS, "", NULL },
		{ "one more", NODE("2") THERE("q", EBS("a")),
		    POD(EBS("b") EBS("c")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 2" },
		{ "a volume that is there already",
		    NODE("1") THERE("q", EBS("a")), POD(EBS("a")), FITS, "",
		    NULL },
		{ "twice in the pod is once", NODE("1"),
		    POD(EBS("a") EBS("a")), FITS, "", NULL },
		{ "in two pods there is once",
		    NODE("2") THERE("q", EBS("a")) THERE("r", EBS("a")),
		    POD(EBS("b")), FITS, "", NULL },
		{ "too many there and nothing new is refused, too",
		    NODE("1") THERE("q", EBS("a") EBS("b")), POD(EBS("a")),
		    UNFIT, MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "volumes on other nodes do not count",
		    NODE("1") W_NODE("n2", "", "")
			W_POD("q", "", "n2", VOLUMES(EBS("a"))),
		    POD(EBS("b")), FITS, "", NULL },
		{ "a negative limit", NODE("-1"), POD(EBS("a")), UNFIT,
		    MAX_VOLUMES, "2 volumes over the limit of -1" },
	};
	/* clang-format on */

	t_predicate(&predicate_max_ebs_volume_count, NULL, rows);
}

static void
claims_count_as_their_volume(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "of the kind", NODE("0") CLAIM("c", "v")
			EBS_VOLUME("v", "a"), POD(USE("c")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 0" },
		{ "of another kind", NODE("0") CLAIM("c", "v")
			VOLUME("v", "gcePersistentDisk: {pdName: a}"),
		    POD(USE("c")), FITS, "", NULL },
		{ "the same volume written into a pod",
		    NODE("1") CLAIM("c", "v") EBS_VOLUME("v", "a")
			THERE("q", EBS("a")), POD(USE("c")), FITS, "", NULL },
		{ "a missing claim might be of the kind", NODE("0"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "so might an unbound one", NODE("0") CLAIM("c", ""),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "and one whose volume is missing", NODE("0") CLAIM("c", "v"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "one such claim counts once", NODE("1")
			THERE("q", USE("c")) THERE("r", USE("c")),
		    POD(USE("c")), FITS, "", NULL },
		{ "claims of other namespaces are others", NODE("1")
			W_POD_IN("other", "q", "", "n1",
			    VOLUMES(USE("c")), ""),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_max_ebs_volume_count, NULL, rows);
}

static void
a_claim_without_name_is_an_error(void)
{
	/* clang-format off */
	static const struct broken_row rows[] = {
		{ "of the pod", NODE("9"), POD(EBS("a") USE("")), NAMELESS },
		{ "of a pod there", NODE("9") THERE("q", USE("")),
		    POD(EBS("a")), NAMELESS },
	};
	static const struct world_row fine[] = {
		{ "not when the pod has no volumes of the kind",
		    NODE("9") THERE("q", USE("")), POD(GCE("a")), FITS, "",
		    NULL },
	};
	/* clang-format on */

	t_broken(&predicate_max_ebs_volume_count, rows);
	t_predicate(&predicate_max_ebs_volume_count, NULL, fine);
}

/* The limit that the node has when it says nothing itself. */
static int
limit_of(const char *type)
{
	struct arena arena = ARENA_INIT;
	const char *pod = "";
	struct world *world;
	int n = 0;

	world = world_new(arena_printf(&arena,
	    W_NODE("n1", "beta.kubernetes.io/instance-type: '%s'", ""), type));
	for (; n < 100; n++) {
		pod = arena_printf(&arena, "%s" EBS("v%d"), pod, n);
		world_pod(world, arena_printf(&arena, POD("%s"), pod));
		if (world_check(world, &predicate_max_ebs_volume_count, NULL,
			"n1").verdict != FITS)
			break;
	}
	world_free(world);
	arena_fini(&arena);
	return n;
}

static void
nitro_instances_take_fewer(void)
{
	static const struct {
		const char *type;
		int want;
	} rows[] = {
		{ "", 39 }, { "m4.large", 39 }, { "m5.large", 25 },
		{ "c5d.large", 25 }, { "r5.large", 25 }, { "t2.large", 39 },
		{ "t3.large", 25 }, { "z1d.large", 25 }, { "x1.m5", 39 },
		{ "at3", 25 }, { "a-z1d", 25 }, { "m", 39 }, { "i3.large", 39 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].type, limit_of(rows[i].type), rows[i].want);
}

static void
without_the_gate_allocatable_does_not_count(void)
{
	struct world *world = world_new(NODE("0"));

	world->profile->gates.attach_volume_limit = false;
	world_pod(world, POD(EBS("a")));
	t_int("usual limit", world_check(world, &predicate_max_ebs_volume_count,
	    NULL, "n1").verdict, FITS);
	world_free(world);
}

T_MAIN(T(no_more_volumes_than_the_limit), T(claims_count_as_their_volume),
    T(a_claim_without_name_is_an_error), T(nitro_instances_take_fewer),
    T(without_the_gate_allocatable_does_not_count))
