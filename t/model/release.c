#include "config.h"

#include "base/xmalloc.h"
#include "objects/release.h"
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
kubelets_of_virtual_nodes_have_none(void)
{
	static const struct {
		const char *text;
		int want;
	} rows[] = {
		{ "v1.13.1-vk-v0.10.0", -1 },
		{ "v1.19.10-vk", -1 },
		{ "v1.24.1-vke.3", 24 },
		{ "v1.27.0-virtual-kubelet", -1 },
		{ "v1.29.0-fake", -1 },
		{ "v1.29.0-kwok.1", -1 },
		{ "kwok-v0.4.0", -1 },
		{ "fake", -1 },
		{ "0.3.2", -1 },
		{ "v1.30.4-eks-036c24b", 30 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].text, release_of_kubelet(rows[i].text),
		    rows[i].want);
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

T_MAIN(T(versions_are_parsed), T(kubelets_of_virtual_nodes_have_none),
    T(releases_before_1_15_are_one))
