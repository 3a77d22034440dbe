#include "config.h"

#include "cluster/node_info.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define NODES W_NODE("n1", "", "") W_NODE("n2", "", "")
#define SOLE(name) CLAIM_OF(name, "", "accessModes: [ReadWriteOncePod]")
#define IN_USE                                                                 \
	"node(s) unavailable due to PersistentVolumeClaim with "               \
	"ReadWriteOncePod access mode already in-use by another pod"

static void
a_claim_for_one_pod_is_used_once(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "by a pod there", NODES SOLE("a") THERE("q", USE("a")),
		    POD(USE("a")), UNFIT, IN_USE,
		    "claim a is in use by another pod" },
		{ "by a pod elsewhere", NODES SOLE("a")
			W_POD("q", "", "n2", VOLUMES(USE("a"))),
		    POD(USE("a")), UNFIT, IN_USE, NULL },
		{ "by a pod whose node is gone", NODES SOLE("a")
			W_POD("q", "", "n3", VOLUMES(USE("a"))),
		    POD(USE("a")), FITS, "", NULL },
		{ "by no pod", NODES SOLE("a") THERE("q", USE("b")),
		    POD(USE("a")), FITS, "", NULL },
		{ "by a pod of another namespace", NODES SOLE("a")
			W_POD_IN("x", "q", "", "n1", VOLUMES(USE("a")), ""),
		    POD(USE("a")), FITS, "", NULL },
		{ "by a pod that is done", NODES SOLE("a")
			W_POD_IN("default", "q", "", "n1", VOLUMES(USE("a")),
			    "phase: Succeeded"),
		    POD(USE("a")), FITS, "", NULL },
		{ "another access mode", NODES
			CLAIM_OF("a", "", "accessModes: [ReadWriteOnce]")
			THERE("q", USE("a")), POD(USE("a")), FITS, "", NULL },
		{ "a missing claim", NODES THERE("q", USE("a")),
		    POD(USE("a")), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_read_write_once_pod, NULL, rows);
}

static void
before_there_were_any(void)
{
	static const struct {
		int minor;
		enum verdict verdict;
		const char *why;
	} rows[] = {
		{ 15, FITS, "" },
		{ 21, FITS, "" },
		{ 22, UNFIT,
		    "node has pod using PersistentVolumeClaim with the same "
		    "name and ReadWriteOncePod access mode" },
		{ 34, UNFIT, IN_USE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world *world =
		    world_new(NODES SOLE("a") THERE("q", USE("a")));
		struct outcome o;

		world->cluster->kubernetes_minor = rows[i].minor;
		world_pod(world, POD(USE("a")));
		o = world_check(world, &predicate_read_write_once_pod, NULL,
		    "n1");
		t_int("verdict", o.verdict, rows[i].verdict);
		t_str("why", o.why, rows[i].why);
		world->profile->strict = true;
		o = world_check(world, &predicate_read_write_once_pod, NULL,
		    "n1");
		t_int("--strict-policy", o.verdict, FITS);
		world_free(world);
	}
}

/* Preemption takes it away. */
static void
taking_the_other_pod_away_helps(void)
{
	const struct predicate *p = &predicate_read_write_once_pod;
	struct world *world =
	    world_new(NODES SOLE("a") THERE("q", USE("a")) THERE("r", ""));
	const struct node_info *node;
	void *prep;

	world->cluster->kubernetes_minor = 36;
	world_pod(world, POD(USE("a")));
	node = world_node(world, "n1");
	prep = world_prepare(world, p, NULL);
	for (uint32_t i = 0; i < node->npods; i++)
		world_simulate(world, p, prep, node, node->pods[i], -1);
	t_int("without them",
	    world_check_prepared(world, p, prep, node).verdict, FITS);
	for (uint32_t i = 0; i < node->npods; i++)
		world_simulate(world, p, prep, node, node->pods[i], 1);
	t_int("with them again",
	    world_check_prepared(world, p, prep, node).verdict, UNFIT);
	world_free(world);
}

/* The reference does not compare namespaces; under a policy that does no harm. */
static void
evicting_the_user_of_another_claim_of_that_name(void)
{
	static const struct {
		int release;
		enum verdict verdict;
	} rows[] = { { 15, UNFIT }, { 27, FITS }, { 36, FITS } };
	const struct predicate *p = &predicate_read_write_once_pod;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world *world = world_new(
		    NODES SOLE("a") W_POD("q", "", "n2", VOLUMES(USE("a")))
			W_POD_IN("x", "r", "", "n1", VOLUMES(USE("a")), ""));
		const struct node_info *node;
		void *prep;

		world->cluster->kubernetes_minor = 36;
		world->profile->release = rows[i].release;
		world_pod(world, POD(USE("a")));
		node = world_node(world, "n1");
		prep = world_prepare(world, p, NULL);
		world_simulate(world, p, prep, node, node->pods[0], -1);
		t_int("verdict",
		    world_check_prepared(world, p, prep, node).verdict,
		    rows[i].verdict);
		world_free(world);
	}
}

static void
missing_claims_are_rejected_before_filter(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no claims", NODES, POD(GCE("g")), FITS, "", NULL },
		{ "one that is in use", NODES SOLE("a") THERE("q", USE("a")),
		    POD(USE("a")), FITS, "", NULL },
		{ "the first that is missing", NODES SOLE("a"),
		    POD(USE("a") USE("b") USE("c")), UNFIT_FOREVER,
		    "persistentvolumeclaim \"b\" not found", NULL },
	};
	/* clang-format on */

	t_prefilter_of(36, &plugin_volume_restrictions, false, rows);
}

T_MAIN(T(a_claim_for_one_pod_is_used_once), T(before_there_were_any),
    T(taking_the_other_pod_away_helps),
    T(evicting_the_user_of_another_claim_of_that_name),
    T(missing_claims_are_rejected_before_filter))
