/* --feature-gates */
#include "config.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "framework/gates.h"
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
		&gates, &err),
	    0);
	t_true("switched off", !gates.taint_nodes_by_condition);
	t_true("switched on", gates.even_pods_spread);
	t_true("untouched", gates.attach_volume_limit);
	t_int("empty", gates_parse("", &gates, &err), 0);
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
		{ "=", "unrecognized feature gate" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct gates gates = gates_default;
		struct err err = { "" };

		t_int(rows[i].text, gates_parse(rows[i].text, &gates, &err),
		    -1);
		t_has(rows[i].text, err.text, rows[i].want);
		t_true(rows[i].text, !gates.even_pods_spread);
	}
}

T_MAIN(T(gates_are_read_as_kubernetes_reads_them),
    T(a_bad_list_changes_nothing))
