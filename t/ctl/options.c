#include "config.h"

#include "ctl/options.h"

#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
versions_of_kubernetes(void)
{
	static const struct {
		const char *text;
		int want;
	} rows[] = {
		{ "1.21", 21 },
		{ "v1.21.3", 21 },
		{ "1.18.0-rc.1", 18 },
		{ "v1.27.6+f67aeb3", 27 },
		{ "1.20+", 20 },
		{ "1.17", 15 },
		{ "1.0", 15 },
		{ "1", -1 },
		{ "", -1 },
		{ "v", -1 },
		{ "2.3", -1 },
		{ "1.21x", -1 },
		{ "1.-3", -1 },
		{ " 1.21", -1 },
		{ "+1.21", -1 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_int(rows[i].text, kubernetes_minor_parse(rows[i].text),
		    rows[i].want);
}

static void
a_whole_command_line(void)
{
	char *argv[] = { "predicatectl", "explain", "--pod", "shop/web",
		"--cluster", "a.json", "-o", "json", "--cluster=b.yaml",
		"--policy", "-", "--strict-policy", "--feature-gates",
		"EvenPodsSpread=true", "--seed", "7", NULL };
	struct options o;

	options_init(&o, "predicatectl");
	t_int("outcome", options_parse(&o, LENGTH(argv) - 1, argv),
	    OPTIONS_RUN);
	t_int("command", o.command, COMMAND_EXPLAIN);
	t_str("pod", o.pod, "shop/web");
	t_int("clusters", o.nclusters, 2);
	t_str("the first", o.clusters[0], "a.json");
	t_str("the second", o.clusters[1], "b.yaml");
	t_str("policy", o.policy, "-");
	t_true("json", o.json);
	t_true("strict", o.policy_options.strict);
	t_true("gate", o.policy_options.gates.even_pods_spread);
	t_int("seed", o.seed, 7);
	t_int("as 1.15", o.kubernetes_minor, 15);
	options_fini(&o);
}

T_MAIN(T(versions_of_kubernetes), T(a_whole_command_line))
