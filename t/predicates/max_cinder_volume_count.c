#include "config.h"

#include "base/arena.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define UNIT (&predicate_max_cinder_volume_count)
#define NODE(limit)                                                            \
	W_NODE_STATUS("n1", "", "", "allocatable: {" limit "}")
#define LIMIT(n) "attachable-volumes-cinder: " n

static void
only_this_kind_counts(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "of the kind", NODE(LIMIT("1")) THERE("q", CINDER("a")),
		    POD(CINDER("b")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 1" },
		{ "of other kinds", NODE(LIMIT("1"))
			THERE("q", EBS("a") GCE("a") AZURE("a")),
		    POD(CINDER("b")), FITS, "", NULL },
		{ "bound to a claim", NODE(LIMIT("0")) CLAIM("c", "v")
			VOLUME("v", "cinder: {volumeID: a}"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "another kind's limit",
		    NODE("attachable-volumes-aws-ebs: 0"),
		    POD(CINDER("b")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(UNIT, NULL, rows);
}

static void
the_usual_limit_is_256(void)
{
	struct world *world = world_new(W_NODE("n1", "", ""));
	struct arena arena = ARENA_INIT;
	const char *volumes = "";
	struct outcome o;

	for (int i = 0; i < 256; i++)
		volumes = arena_printf(&arena, "%s" CINDER("v%d"), volumes, i);
	world_pod(world, arena_printf(&arena, POD("%s"), volumes));
	t_int("up to it", world_check(world, UNIT, NULL, "n1").verdict, FITS);
	world_pod(world,
	    arena_printf(&arena, POD("%s" CINDER("more")), volumes));
	o = world_check(world, UNIT, NULL, "n1");
	t_int("one more", o.verdict, UNFIT);
	t_str("one more", o.miss, "1 volume over the limit of 256");
	world_free(world);
	arena_fini(&arena);
}

T_MAIN(T(only_this_kind_counts), T(the_usual_limit_is_256))
