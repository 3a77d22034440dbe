#include "config.h"

#include "base/xmalloc.h"
#include "model/release.h"
#include "t/lib/t.h"

static void
versions_are_parsed(void)
{
	static const struct {
		const char *text;
		int want;
	} rows[] = {
		{ "1.21", 21 },
		{ "v1.21.3", 21 },
		{ "1.18.0-rc.1", 18 },
		{ "v1.27.6+f67aeb3", 27 },
		{ "v1.30.4-eks-036c24b", 30 },
		{ "1.20+", 20 },
		{ "1.0", 0 },
		{ "1", -1 },
		{ "1.", -1 },
		{ "", -1 },
		{ "v", -1 },
		{ "2.3", -1 },
		{ "1.21x", -1 },
		{ "1.1000", -1 },
		{ "1.-3", -1 },
		{ " 1.21", -1 },
		{ "+1.21", -1 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].text, release_parse(rows[i].text), rows[i].want);
}

static void
releases_before_1_15_are_one(void)
{
	t_int("1.0", release_of_rules(0), 15);
	t_int("1.14", release_of_rules(14), 15);
	t_int("1.17", release_of_rules(17), 17);
	t_int("1.18", release_of_rules(18), 18);
	t_int("1.36", release_of_rules(36), 36);
}

T_MAIN(T(versions_are_parsed), T(releases_before_1_15_are_one))
