#include "config.h"

#include "predicates/volume_count.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

static void
the_environment_variable_is_a_positive_number(void)
{
	static const struct {
		const char *text;
		int64_t want;
	} rows[] = {
		{ NULL, 0 },
		{ "", 0 },
		{ "7", 7 },
		{ "+7", 7 },
		{ "007", 7 },
		{ "0", 0 },
		{ "-7", 0 },
		{ " 7", 0 },
		{ "7 ", 0 },
		{ "7a", 0 },
		{ "+", 0 },
		{ "+-7", 0 },
		{ "0x10", 0 },
		{ "1e3", 0 },
		{ "9223372036854775807", INT64_MAX },
		{ "9223372036854775808", 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].text != NULL ? rows[i].text : "unset",
		    max_pd_vols_parse(rows[i].text), rows[i].want);
}

static void
the_environment_is_between_allocatable_and_usual(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "instead of the usual 39", W_NODE("n1", "", "")
			THERE("q", EBS("a") EBS("b")), POD(EBS("c")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 2" },
		{ "instead of the usual 25",
		    W_NODE("n1", "beta.kubernetes.io/instance-type: m5.large",
			"") THERE("q", EBS("a")), POD(EBS("c")), FITS, "",
		    NULL },
		{ "the node knows better", W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 3}")
			THERE("q", EBS("a") EBS("b")), POD(EBS("c")), FITS, "",
		    NULL },
	};
	/* clang-format on */

	/* Before anything has asked for it. */
	setenv("KUBE_MAX_PD_VOLS", "2", 1);
	t_predicate(&predicate_max_ebs_volume_count, NULL, rows);
}

static void
of_equal_volumes_the_last_one_stays(void)
{
	struct arena arena = ARENA_INIT;
	struct volume_set set = { 0 };

	volume_set_settle(&set);
	t_int("empty", set.n, 0);
	t_true("nothing in it", !volume_set_has(&set, 1));
	for (uint32_t i = 0; i < 100; i++)
		volume_set_add(&arena, &set, i * 7 % 10, i);
	volume_set_settle(&set);
	t_int("distinct", set.n, 10);
	for (uint32_t i = 0; i < 10; i++) {
		t_int("in order", set.at[i].id, i);
		t_int("the last", set.at[i].limit, 90 + i * 3 % 10);
		t_true("found", volume_set_has(&set, i));
	}
	t_true("not found", !volume_set_has(&set, 10));
	arena_fini(&arena);
}

static void
names_and_claims_never_meet(void)
{
	t_true("same symbol", volume_id_real(5) != volume_id_claimed(0, 5));
	t_true("two namespaces",
	    volume_id_claimed(1, 5) != volume_id_claimed(2, 5));
}

T_MAIN(T(the_environment_variable_is_a_positive_number),
    T(the_environment_is_between_allocatable_and_usual),
    T(of_equal_volumes_the_last_one_stays), T(names_and_claims_never_meet))
