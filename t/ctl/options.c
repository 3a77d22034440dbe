#include "config.h"

#include "tool/commands/options.h"

#include "base/xmalloc.h"
#include "t/lib/t.h"

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
	t_int("no release is named", o.kubernetes_minor, 0);
	options_fini(&o);
}

T_MAIN(T(a_whole_command_line))
