/* --feature-gates */
#include "config.h"

#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "decide/framework/gates.h"
#include "t/lib/t.h"

static void
gates_are_read_as_kubernetes_reads_them(void)
{
	struct gates gates = gates_default;
	struct err err = { "" };

	t_true("on by default", gates.taint_nodes_by_condition);
	t_int("list",
	    gates_parse("TaintNodesByCondition=false,,"
			"EvenPodsSpread=T",
		&gates, NULL, NULL, &err),
	    0);
	t_true("switched off", !gates.taint_nodes_by_condition);
	t_true("switched on", gates.even_pods_spread);
	t_true("untouched", gates.attach_volume_limit);
	t_int("empty", gates_parse("", &gates, NULL, NULL, &err), 0);
}

static void
a_bad_list_changes_nothing(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "EvenPodsSpread=true,NoSuchGate=true",
		    "unrecognized feature gate: NoSuchGate" },
		{ "EvenPodsSpread", "missing bool value for EvenPodsSpread" },
		{ "EvenPodsSpread=maybe", "must be true or false" },
		{ "=", "invalid value of =: must be true or false" },
		{ "=true", "unrecognized feature gate" },
		{ "kube:=true", "unrecognized feature gate" },
		{ "NativeHistograms=true",
		    "unrecognized feature gate: NativeHistograms" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct gates gates = gates_default;
		struct err err = { "" };

		t_int(rows[i].text,
		    gates_parse(rows[i].text, &gates, NULL, NULL, &err), -1);
		t_has(rows[i].text, err.text, rows[i].want);
		t_true(rows[i].text, !gates.even_pods_spread);
	}
}

static bool
collect(void *arg, const char *name, bool known)
{
	text_put(arg, name);
	text_put(arg, known ? " " : "? ");
	return known;
}

/* Some of each release. */
static void
gates_of_kubernetes_are_known(void)
{
	struct gates gates = gates_default;
	struct text others = { 0 };
	struct err err = { "" };

	t_int("known",
	    gates_parse("AllAlpha=true,EnableAggregatedDiscoveryTimeout=true,"
			"EvenPodsSpread=true,PodOverhead=false,"
			"kube:NativeHistograms=true,"
			"MatchLabelKeysInPodTopologySpreadSelectorMerge=true,"
			"CSIMigration=true,SystemdWatchdog=true,"
			"CoordinatedLeaderElection=true,"
			"ZeroLimitedNominalConcurrencyShares=false",
		&gates, collect, &others, &err),
	    0);
	t_str("they do nothing", others.bytes,
	    "AllAlpha EnableAggregatedDiscoveryTimeout PodOverhead "
	    "NativeHistograms "
	    "MatchLabelKeysInPodTopologySpreadSelectorMerge CSIMigration "
	    "SystemdWatchdog CoordinatedLeaderElection "
	    "ZeroLimitedNominalConcurrencyShares ");
	t_true("ours does", gates.even_pods_spread);
	t_int("unknown",
	    gates_parse("PodOverheat=true", &gates, collect, &others, &err),
	    -1);
	t_has("with its name", err.text, "gate: PodOverheat (there are: A");
	text_fini(&others);
}

struct seen {
	size_t n;
	char text[32768];
};

static void
see(void *arg, const char *name, const char *stage, bool on)
{
	struct seen *seen = arg;
	size_t used = strlen(seen->text);

	seen->n++;
	snprintf(seen->text + used, sizeof(seen->text) - used, "%s %s %d\n",
	    name, stage, on);
}

static void
gates_of_the_newest_release_have_a_stage(void)
{
	struct gates gates = gates_default;
	struct seen seen = { 0 };
	struct err err = { "" };

	gates_parse("DRAExtendedResource=false", &gates, NULL, NULL, &err);
	gates_each(&gates, see, &seen);
	t_true("they are many", seen.n > 200);
	t_has("on", seen.text, "\nSchedulerQueueingHints  1\n");
	t_has("beta", seen.text, "\nOpportunisticBatching BETA 1\n");
	t_has("alpha", seen.text, "\nGangScheduling ALPHA 0\n");
	t_has("ours, as it is set", seen.text,
	    "\nDRAExtendedResource BETA 0\n");
	t_true("none of before", strstr(seen.text, "EvenPodsSpread") == NULL);
}

T_MAIN(T(gates_of_the_newest_release_have_a_stage),
    T(gates_are_read_as_kubernetes_reads_them), T(a_bad_list_changes_nothing),
    T(gates_of_kubernetes_are_known))
