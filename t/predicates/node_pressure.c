/*
 * CheckNodeMemoryPressure, CheckNodeDiskPressure, CheckNodePIDPressure: one
 * rule about three conditions.  Memory pressure refuses best-effort pods alone.
 */
#include "config.h"

#include "base/arena.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

enum { MEMORY, DISK, PID, NPRESSURES };

static const struct {
	const struct predicate *unit;
	const char *condition, *why;
} pressures[NPRESSURES] = {
	[MEMORY] = { &predicate_check_node_memory_pressure, "MemoryPressure",
	    "node(s) had memory pressure" },
	[DISK] = { &predicate_check_node_disk_pressure, "DiskPressure",
	    "node(s) had disk pressure" },
	[PID] = { &predicate_check_node_pid_pressure, "PIDPressure",
	    "node(s) had pid pressure" },
};

#define POD(spec) W_POD("p", "", "", spec)

static const struct {
	const char *name;
	const char *status; /* of the condition, NULL: not reported */
	const char *pod;
	bool refused[NPRESSURES];
} rows[] = {
	/* clang-format off */
	{ "under pressure", "True", POD(""), { true, true, true } },
	{ "not under pressure", "False", POD(""), { false, false, false } },
	{ "unknown", "Unknown", POD(""), { false, false, false } },
	{ "not reported", NULL, POD(""), { false, false, false } },
	{ "a pod that requests a CPU", "True", POD(W_REQUESTS("cpu: 1")),
	    { false, true, true } },
	{ "the smallest request", "True", POD(W_REQUESTS("cpu: 1m")),
	    { false, true, true } },
	{ "a limit without a request", "True",
	    POD("containers: [{name: c, resources: {limits: {memory: 1}}}]"),
	    { false, true, true } },
	{ "an extended resource makes no QoS class", "True",
	    POD(W_REQUESTS("x.com/y: 1")), { true, true, true } },
	{ "a request of zero is none", "True", POD(W_REQUESTS("cpu: 0")),
	    { true, true, true } },
	/* clang-format on */
};

static void
a_node_under_pressure_refuses(void)
{
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < LENGTH(rows) * NPRESSURES; i++) {
		size_t r = i / NPRESSURES, p = i % NPRESSURES;
		struct world_row row = {
			.name = arena_printf(&arena, "%s: %s",
			    pressures[p].condition, rows[r].name),
			.objects = W_NODE("n1", "", ""),
			.pod = rows[r].pod,
			.verdict = rows[r].refused[p] ? UNFIT_FOREVER : FITS,
			.why = rows[r].refused[p] ? pressures[p].why : "",
		};

		if (rows[r].status != NULL)
			row.objects = arena_printf(&arena,
			    W_NODE_STATUS("n1", "", "",
				"conditions: [{type: %s, status: '%s'}]"),
			    pressures[p].condition, rows[r].status);
		t_predicate_(__FILE__, __LINE__, pressures[p].unit, NULL, 1,
		    &row);
	}
	arena_fini(&arena);
}

T_MAIN(T(a_node_under_pressure_refuses))
