/*
 * Searches for devices that leave out what is alike have the results of those that try
 * everything, and take few steps.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/devices/demand.h"
#include "cluster/devices/inventory.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WORLDS 800
#define NODES 3
#define ENOUGH 100000000
#define TIMED_OUT "outcome 4" /* DEVICES_TIMED_OUT */

static const struct device_features all_features = {
	.admin = true,
	.prioritized = true,
	.partitionable = true,
	.taints = true,
	.taint_rules = true,
	.conditions = true,
	.consumable = true,
};

static uint64_t state;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

struct yaml {
	char *at;
};

__attribute__((format(printf, 2, 3))) static void
add(struct yaml *t, const char *fmt, ...)
{
	va_list ap;
	char *more, *both;

	va_start(ap, fmt);
	more = xvasprintf(fmt, ap);
	va_end(ap);
	both = xasprintf("%s%s", t->at != NULL ? t->at : "", more);
	free(t->at);
	free(more);
	t->at = both;
}

static void
add_device(struct yaml *t, unsigned i)
{
	add(t, "{name: x%u, attributes: {a: {int: %u}", i, any(3));
	if (any(4) > 0)
		add(t, ", b: {string: v%u}", any(2));
	if (any(20) == 0)
		add(t, ", c: {int: 1}");
	add(t, "}");
	if (any(8) == 0)
		add(t, ", capacity: {m: {value: %u}}", 1 + any(2));
	if (any(10) == 0)
		add(t, ", taints: [{key: k, effect: NoSchedule}]");
	if (any(40) == 0)
		add(t, ", allowMultipleAllocations: true");
	add(t, "}, ");
}

static void
add_slices(struct yaml *t)
{
	add(t, "%s%s", W_OBJECT("DeviceClass", "name: k", "spec: {}"),
	    W_OBJECT("DeviceClass", "name: l",
		"spec: {selectors: [{cel: {expression: "
		"'device.attributes[\"d\"].a < 2'}}]}"));
	for (unsigned n = 0; n < NODES; n++) {
		add(t, "--- {kind: Node, metadata: {name: n%u}}\n", n);
		for (unsigned s = 0; s < 1 + any(2); s++) {
			add(t,
			    "--- {kind: ResourceSlice, metadata: {name: s%u-%u}, "
			    "spec: {driver: d, nodeName: n%u, pool: {name: "
			    "s%u-%u, generation: 1, resourceSliceCount: 1}, "
			    "devices: [",
			    n, s, n, n, s);
			for (unsigned i = 1 + any(4); i > 0; i--)
				add_device(t, i);
			add(t, "]}}\n");
		}
	}
}

static void
add_wish(struct yaml *t, const char *name, unsigned i)
{
	static const char *const selectors[] = {
		"device.attributes[\"d\"].a == 0",
		"device.attributes[\"d\"].a > 0",
		"device.attributes[\"d\"].?b.orValue(\"\") == \"v1\"",
		"device.attributes[\"d\"].b == \"v0\"", /* an error without b */
	};

	add(t, "name: %s%u, deviceClassName: %s, ", name, i,
	    any(4) > 0 ? "k" : "l");
	if (any(20) == 0)
		add(t, "allocationMode: All");
	else
		add(t, "allocationMode: ExactCount, count: %u",
		    any(4) > 0 ? 1 : 1 + any(3));
	if (any(4) == 0)
		add(t, ", selectors: [{cel: {expression: '%s'}}]",
		    selectors[any(any(10) > 0 ? 3 : 4)]);
	if (any(10) == 0)
		add(t, ", tolerations: [{operator: Exists}]");
	if (any(20) == 0)
		add(t, ", adminAccess: true");
	if (any(20) == 0)
		add(t, ", capacity: {requests: {m: 1}}");
}

static void
add_claim(struct yaml *t, const char *name)
{
	unsigned n = 1 + any(5);

	add(t,
	    "--- {kind: ResourceClaim, metadata: {name: %s, namespace: default}"
	    ", spec: {devices: {requests: [",
	    name);
	for (unsigned i = 0; i < n; i++) {
		if (any(3) > 0) {
			add(t, "{name: q%u, exactly: {", i);
			add_wish(t, "e", i);
			add(t, "}}, ");
			continue;
		}
		add(t, "{name: q%u, firstAvailable: [", i);
		for (unsigned k = 0; k < 2 + any(2); k++) {
			add(t, "{");
			add_wish(t, "f", k);
			add(t, "}, ");
		}
		add(t, "]}, ");
	}
	add(t, "]");
	if (any(2) == 0)
		add(t, ", constraints: [{%s: d/%c%s}]",
		    any(3) > 0 ? "matchAttribute" : "distinctAttribute",
		    any(4) > 0 ? 'a' : 'b',
		    any(3) > 0 ? "" : ", requests: [q0]");
	add(t, "}}}\n");
}

/* Results of all nodes as one text; you own it. */
static char *
results(struct world *w, const struct resource_claim *const *claims,
    uint32_t nclaims, uint64_t alike_from)
{
	struct device_search search = { .steps = ENOUGH,
		.alike_from = alike_from };
	struct demand *demand;
	struct yaml t = { xstrdup("") };

	demands_forget(devices_of(w->cluster));
	demand = device_demand(devices_of(w->cluster), &all_features, nclaims,
	    claims);
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];
		const struct device_answer *answer;
		const struct device_allocation *got;

		search.steps = ENOUGH;
		answer = demand_ask(demand, node, &search);
		add(&t, "outcome %u, score %d %s", answer->outcome,
		    answer->score, answer->error != NULL ? answer->error : "");
		got = demand_allocate(demand, node, &w->arena, &search);
		for (uint32_t c = 0; got != NULL && c < nclaims; c++)
			for (uint32_t k = 0; k < got[c].nresults; k++)
				add(&t, " %s=%s",
				    sym_text(got[c].results[k].request),
				    sym_text(got[c].results[k].device));
		add(&t, "\n");
	}
	return t.at;
}

static const struct resource_claim *
claim_of(const struct world *w, const char *name)
{
	return cluster_resource_claim(w->cluster, sym_intern("default"),
	    sym_intern(name));
}

static void
results_are_those_of_searches_that_try_everything(void)
{
	unsigned found = 0, missing = 0, timed_out = 0;

	for (unsigned i = 0; i < WORLDS; i++) {
		struct yaml t = { NULL };
		const struct resource_claim *claims[2];
		uint32_t nclaims;
		struct world *w;
		char *fast, *slow;

		state = i + 1;
		add_slices(&t);
		add_claim(&t, "c0");
		add_claim(&t, "c1");
		w = world_new(t.at);
		w->cluster->kubernetes_minor = 36;
		claims[0] = claim_of(w, "c0");
		claims[1] = claim_of(w, "c1");
		nclaims = 1 + any(2);
		fast = results(w, claims, nclaims, 1);
		slow = results(w, claims, nclaims, UINT64_MAX);
		/* some take too long without */
		if (strstr(slow, TIMED_OUT) != NULL)
			timed_out++;
		else if (strcmp(fast, slow) != 0)
			t_str(t.at, fast, slow);
		found += strstr(fast, "outcome 0") != NULL;
		missing += strstr(fast, "outcome 1") != NULL;
		free(fast);
		free(slow);
		free(t.at);
		world_free(w);
	}
	t_true("some are found", found > WORLDS / 10);
	t_true("some are not", missing > WORLDS / 10);
	t_true("nearly all end", timed_out < WORLDS / 50);
}

/* Nodes with so many devices each: no two have the same u, 31 the same m. */
static struct world *
nodes_with(unsigned nnodes, unsigned ndevices, const char *claim)
{
	struct yaml t = { NULL };
	struct world *w;

	add(&t, "%s%s", W_OBJECT("DeviceClass", "name: k", "spec: {}"), claim);
	for (unsigned n = 0; n < nnodes; n++) {
		add(&t,
		    "--- {kind: Node, metadata: {name: n%u}}\n"
		    "--- {kind: ResourceSlice, metadata: {name: s%u}, spec: "
		    "{driver: d, nodeName: n%u, pool: {name: s%u, generation: "
		    "1, resourceSliceCount: 1}, devices: [",
		    n, n, n, n);
		for (unsigned i = 0; i < ndevices; i++)
			add(&t,
			    "{name: x%u, attributes: {u: {int: %u}, m: "
			    "{int: %u}}}, ",
			    i, 1000 * n + i, 1000 * n + i / 31);
		add(&t, "]}}\n");
	}
	w = world_new(t.at);
	w->cluster->kubernetes_minor = 36;
	free(t.at);
	return w;
}

#define CLAIM(requests, constraints)                                           \
	"--- {kind: ResourceClaim, metadata: {name: c, namespace: default}, "  \
	"spec: {devices: {requests: [" requests                                \
	"], constraints: [" constraints "]}}}\n"
#define ONE(name)                                                              \
	"{name: " name ", exactly: {deviceClassName: k, allocationMode: "      \
	"ExactCount, count: 1}}, "
#define NINE                                                                   \
	ONE("a")                                                               \
	ONE("b") ONE("c") ONE("d") ONE("e") ONE("f") ONE("g") ONE("h") ONE("i")
#define SOME(n)                                                                \
	"{name: q, exactly: {deviceClassName: k, allocationMode: ExactCount, " \
	"count: " n "}}"
/* The outcome of all nodes, and the steps that it took. */
static enum device_outcome
ask_all(struct world *w, uint64_t *steps)
{
	const struct resource_claim *claim = claim_of(w, "c");
	struct demand *demand =
	    device_demand(devices_of(w->cluster), &all_features, 1, &claim);
	enum device_outcome outcome = DEVICES_FOUND;
	struct device_search search = { .steps = DEVICE_STEPS };

	for (uint32_t i = 0; i < w->cluster->nnodes; i++)
		outcome =
		    demand_ask(demand, w->cluster->nodes[i], &search)->outcome;
	*steps = DEVICE_STEPS - search.steps;
	return outcome;
}

static void
few_steps_suffice(void)
{
	static const struct {
		const char *name, *claim;
		unsigned ndevices;
		uint64_t steps; /* for each of 40 nodes */
	} rows[] = {
		{ "nine of eight", CLAIM(NINE, ""), 8, 700 },
		{ "of equal ones", CLAIM(SOME("32"), ""), 31, 1500 },
		{ "unequal", CLAIM(SOME("8"), "{matchAttribute: d/u}"), 64,
		    5000 },
		{ "two of one model",
		    CLAIM(SOME("2") ", " NINE, "{matchAttribute: d/m}"), 10,
		    1500 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w =
		    nodes_with(40, rows[i].ndevices, rows[i].claim);
		uint64_t steps;

		t_int(rows[i].name, ask_all(w, &steps), DEVICES_NOT_FOUND);
		if (!t_true(rows[i].name, steps <= 40 * rows[i].steps))
			printf("# %" PRIu64 " steps a node\n", steps / 40);
		world_free(w);
	}
}

/* All orders of devices differ to the constraint. */
static void
a_search_that_took_too_long_is_not_tried_again(void)
{
	struct world *w =
	    nodes_with(1, 8, CLAIM(NINE, "{distinctAttribute: d/u}"));
	const struct resource_claim *claim = claim_of(w, "c");
	struct demand *demand =
	    device_demand(devices_of(w->cluster), &all_features, 1, &claim);
	const struct node_info *node = world_node(w, "n0");
	struct device_search some = { .steps = DEVICE_STEPS / 2 };
	struct device_search all = { .steps = DEVICE_STEPS };
	const struct device_answer *answer = demand_ask(demand, node, &some);

	t_int("of half of the steps", answer->outcome, DEVICES_TIMED_OUT);
	t_true("is tried again", answer->generation == 0);
	t_true("so the decision goes on", !some.gave_up);
	answer = demand_ask(demand, node, &all);
	t_int("of all", answer->outcome, DEVICES_TIMED_OUT);
	t_true("is not", answer->generation != 0);
	t_true("and the decision fails", all.gave_up);
	world_free(w);
}

/* With so few steps that each decision gets as far as some nodes. */
static void
a_decision_goes_on_where_the_last_one_ended(void)
{
	struct world *w =
	    nodes_with(40, 8, CLAIM(SOME("8"), "{matchAttribute: d/u}"));
	const struct resource_claim *claim = claim_of(w, "c");
	struct demand *demand =
	    device_demand(devices_of(w->cluster), &all_features, 1, &claim);
	unsigned ndecisions = 0;
	bool unfinished = true;

	for (; unfinished && ndecisions < 41; ndecisions++) {
		struct device_search search = { .steps = 1000 };

		unfinished = false;
		for (uint32_t i = 0; i < 40; i++)
			unfinished |=
			    demand_ask(demand, w->cluster->nodes[i], &search)
				->outcome == DEVICES_TIMED_OUT;
		t_true("nothing took too long", !search.gave_up);
	}
	t_true("it ends", !unfinished);
	if (!t_true("after several", ndecisions > 1))
		printf("# %u decisions\n", ndecisions);
	world_free(w);
}

T_MAIN(T(results_are_those_of_searches_that_try_everything),
    T(few_steps_suffice), T(a_search_that_took_too_long_is_not_tried_again),
    T(a_decision_goes_on_where_the_last_one_ended))
