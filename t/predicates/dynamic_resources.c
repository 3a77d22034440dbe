#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

#define NODE1 W_NODE("n1", "zone: a", "")
#define DEVICES(name, status)                                                  \
	W_OBJECT("ResourceClaim", "name: " name, "status: {" status "}")
/* A pod that names the claim, or gets it from a template. */
#define WANTS(claim)                                                           \
	W_OBJECT("Pod", "name: p, uid: u1",                                    \
	    "spec: {resourceClaims: [{name: r, resourceClaimName: " claim      \
	    "}]}")
#define MADE(statuses)                                                         \
	W_OBJECT("Pod", "name: p, uid: u1",                                    \
	    "spec: {resourceClaims: [{name: r, "                               \
	    "resourceClaimTemplateName: t}]}, "                                \
	    "status: {resourceClaimStatuses: [" statuses "]}")
#define OWNED(uid)                                                             \
	W_OBJECT("ResourceClaim",                                              \
	    "name: c, ownerReferences: [{kind: Pod, uid: " uid                 \
	    ", controller: true}]",                                            \
	    "status: {allocation: {}}")
#define ON(requirement)                                                        \
	"allocation: {nodeSelector: {nodeSelectorTerms: [{" requirement "}]}}"
#define ZONE(zones)                                                            \
	"matchExpressions: [{key: zone, operator: In, values: [" zones "]}]"
#define RESULT                                                                 \
	"driver: d, pool: p, device: x, bindingConditions: [ready], "          \
	"bindingFailureConditions: [broken]"
#define STATE(conditions)                                                      \
	"allocation: {devices: {results: [{" RESULT "}]}}, devices: "          \
	"[{driver: d, pool: p, device: x, conditions: [" conditions "]}]"
#define ASKS(class, count)                                                        \
	"spec: {devices: {requests: [{name: q, exactly: {deviceClassName: " class \
	    ", allocationMode: ExactCount, count: " count "}}]}}"
#define ELSEWHERE "resourceclaim not available on the node"

static void
allocated_claims_say_where(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "anywhere", NODE1 DEVICES("c", "allocation: {}"), WANTS("c"),
		    FITS, "", NULL },
		{ "here", NODE1 DEVICES("c", ON(ZONE("b, a"))), WANTS("c"),
		    FITS, "", NULL },
		{ "elsewhere", NODE1 DEVICES("c", ON(ZONE("b"))), WANTS("c"),
		    UNFIT_FOREVER, ELSEWHERE,
		    "the devices of resource claim c are elsewhere" },
		{ "here, by name", NODE1 DEVICES("c",
			ON("matchFields: [{key: metadata.name, operator: In, "
			    "values: [n1]}]")), WANTS("c"), FITS, "", NULL },
		{ "elsewhere, by name", NODE1 DEVICES("c",
			ON("matchFields: [{key: metadata.name, operator: In, "
			    "values: [n2]}]")), WANTS("c"), UNFIT_FOREVER,
		    ELSEWHERE, "the devices of resource claim c are on n2" },
		{ "nowhere", NODE1
			DEVICES("c", "allocation: {nodeSelector: {}}"),
		    WANTS("c"), UNFIT_FOREVER, ELSEWHERE, NULL },
		{ "in v1alpha2", NODE1 DEVICES("c", "allocation: "
			"{availableOnNodes: {nodeSelectorTerms: [{"
			ZONE("b") "}]}}"), WANTS("c"), UNFIT_FOREVER,
		    ELSEWHERE, NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_dynamic_resources, NULL, rows);
}

static void
claims_that_cannot_be_used_refuse_every_node(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "missing", NODE1, WANTS("c"), UNFIT_FOREVER,
		    "could not find ResourceClaim \"default/c\"", NULL },
		{ "being deleted", NODE1 W_OBJECT("ResourceClaim",
			"name: c, deletionTimestamp: '2020-01-01T00:00:00Z'",
			"status: {allocation: {}}"), WANTS("c"), UNFIT_FOREVER,
		    "resourceclaim \"c\" is being deleted", NULL },
		{ "not made yet", NODE1, MADE(""), UNFIT_FOREVER,
		    "pod \"default/p\": ResourceClaim not created yet", NULL },
		{ "none needed", NODE1, MADE("{name: r}"), FITS, "", NULL },
		{ "made, and not seen yet", NODE1,
		    MADE("{name: r, resourceClaimName: c}"), UNFIT_FOREVER,
		    "could not find ResourceClaim \"default/c\"", NULL },
		{ "made for the pod", NODE1 OWNED("u1"),
		    MADE("{name: r, resourceClaimName: c}"), FITS, "", NULL },
		{ "made for another", NODE1 OWNED("u2"),
		    MADE("{name: r, resourceClaimName: c}"), UNFIT_FOREVER,
		    "ResourceClaim default/c was not created for Pod "
		    "default/p (Pod is not owner)", NULL },
		{ "another's, by name", NODE1 OWNED("u2"), WANTS("c"), FITS, "",
		    NULL },
		{ "up to 1.30", NODE1, W_OBJECT("Pod",
			"name: p", "spec: {resourceClaims: [{name: r, source: "
			"{resourceClaimName: c}}]}"), UNFIT_FOREVER,
		    "could not find ResourceClaim \"default/c\"", NULL },
		{ "of a class that is not there", NODE1
			W_OBJECT("ResourceClaim", "name: c", ASKS("k", "1")),
		    WANTS("c"), UNFIT_FOREVER,
		    "request q: device class k does not exist", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_dynamic_resources, NULL, rows);
}

/* Where devices are allocated elsewhere, and in releases before their present form. */
static void
claims_may_have_to_wait(void)
{
	for (int minor = 31; minor <= 36; minor++) {
		struct world *world = world_new(
		    NODE1 W_OBJECT("ResourceClaim", "name: c", ASKS("k", "1"))
			W_OBJECT("DeviceClass", "name: k", "spec: {}"));
		struct outcome o;

		world->cluster->kubernetes_minor = minor;
		world->cluster->allocates_devices = minor < 36;
		world_pod(world, WANTS("c"));
		o = world_check(world, &predicate_dynamic_resources, NULL,
		    "n1");
		t_int("verdict", o.verdict, UNFIT_FOREVER);
		t_str("why", o.why,
		    minor > 31 && minor < 36 ?
			"cannot allocate all claims" :
			"resource claim default/c is not allocated");
		world_free(world);
	}
}

/* Devices of the node n1, and of all nodes. */
#define SLICE(name, where, devices)                                            \
	W_OBJECT("ResourceSlice", "name: " name,                               \
	    "spec: {driver: d, pool: {name: " name                             \
	    ", generation: 1, resourceSliceCount: 1}, " where                  \
	    ", devices: [" devices "]}")
#define K W_OBJECT("DeviceClass", "name: k", "spec: {}")
#define ASKING(count) W_OBJECT("ResourceClaim", "name: c", ASKS("k", count))
#define USER(result)                                                           \
	W_OBJECT("ResourceClaim", "name: other",                               \
	    "status: {allocation: {devices: {results: [{request: q, "          \
	    "driver: d, pool: s, " result "}]}}}")
#define NONE "cannot allocate all claims"

static void
claims_get_devices(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "a free one", NODE1 K SLICE("s", "nodeName: n1",
			"{name: x}") ASKING("1"), WANTS("c"), FITS, "", NULL },
		{ "of all nodes", NODE1 K SLICE("s", "allNodes: true",
			"{name: x}") ASKING("1"), WANTS("c"), FITS, "", NULL },
		{ "another node's", NODE1 K SLICE("s", "nodeName: n2",
			"{name: x}") ASKING("1"), WANTS("c"), UNFIT_FOREVER,
		    NONE, NULL },
		{ "one that is taken", NODE1 K SLICE("s", "nodeName: n1",
			"{name: x}") USER("device: x") ASKING("1"),
		    WANTS("c"), UNFIT_FOREVER, NONE, NULL },
		{ "taken by an administrator", NODE1 K SLICE("s",
			"nodeName: n1", "{name: x}")
			USER("device: x, adminAccess: true") ASKING("1"),
		    WANTS("c"), FITS, "", NULL },
		{ "two of one", NODE1 K SLICE("s", "nodeName: n1",
			"{name: x}") ASKING("2"), WANTS("c"),
		    UNFIT_FOREVER, NONE, NULL },
		{ "a tainted one", NODE1 K SLICE("s", "nodeName: n1",
			"{name: x, taints: [{key: a, effect: NoSchedule}]}")
			ASKING("1"), WANTS("c"), UNFIT_FOREVER, NONE, NULL },
		{ "a pool that is not whole", NODE1 K
			W_OBJECT("ResourceSlice", "name: s",
			    "spec: {driver: d, pool: {name: s, generation: 1, "
			    "resourceSliceCount: 2}, nodeName: n1, "
			    "devices: [{name: x}]}") ASKING("1"), WANTS("c"),
		    UNFIT_FOREVER, NONE, NULL },
		{ "a pool that is wrong", NODE1 K SLICE("s",
			"nodeName: n1", "{name: x}, {name: x}") ASKING("1"),
		    WANTS("c"), UNFIT_FOREVER,
		    "invalid resource pools were encountered", NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_dynamic_resources, NULL, rows);
}

/* Four devices: x and v of model a, v tainted; z of model b; w with 10 of memory. */
#define MANY                                                                   \
	NODE1 K SLICE("s", "nodeName: n1",                                     \
	    "{name: w, attributes: {d/m: {string: c}}, capacity: {mem: "       \
	    "{value: '10'}}}, {name: x, attributes: {d/m: {string: a}}}, "     \
	    "{name: v, attributes: {d/m: {string: a}}, taints: [{key: t, "     \
	    "effect: NoSchedule}]}, {name: z, attributes: {d/m: {string: b}}}")
#define REQUEST(name, count, more)                                             \
	"{name: " name ", exactly: {deviceClassName: k, allocationMode: "      \
	"ExactCount, count: " count more "}}"
#define CLAIMING(requests, more)                                               \
	W_OBJECT("ResourceClaim", "name: c",                                   \
	    "spec: {devices: {requests: [" requests "]" more "}}")
#define MODEL(m)                                                               \
	", selectors: [{cel: {expression: \"device.attributes['d'].m == "      \
	"'" m "'\"}}]"

static void
misses_say_what_is_short(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "taken and tainted", MANY USER("device: x")
			CLAIMING(REQUEST("q", "3", ""), ""), WANTS("c"),
		    UNFIT_FOREVER, NONE, "request q: 1 device of class k short ("
			"4 here, 1 in use, 1 tainted)" },
		{ "selectors", MANY CLAIMING(REQUEST("q", "1", MODEL("h")), ""),
		    WANTS("c"), UNFIT_FOREVER, NONE, "request q: 1 device of "
			"class k short (4 here, 4 rejected by its selectors)" },
		{ "another class", NODE1 W_OBJECT("DeviceClass", "name: k",
			"spec: {selectors: [{cel: {expression: 'false'}}]}")
			SLICE("s", "nodeName: n1", "{name: x}") ASKING("1"),
		    WANTS("c"), UNFIT_FOREVER, NONE,
		    "request q: 1 device of class k short (0 here)" },
		{ "all of them", MANY USER("device: x") W_OBJECT("ResourceClaim",
			"name: c", "spec: {devices: {requests: [{name: q, "
			"exactly: {deviceClassName: k, allocationMode: All}}]}}"),
		    WANTS("c"), UNFIT_FOREVER, NONE, "request q: 2 devices of "
			"class k short (4 here, 1 in use, 1 tainted)" },
		{ "capacity", MANY CLAIMING(REQUEST("q", "1",
			", capacity: {requests: {mem: '20'}}"), ""), WANTS("c"),
		    UNFIT_FOREVER, NONE, "request q: 1 device of class k short ("
			"4 here, 1 tainted, 3 without the capacity)" },
		{ "the first alternative, if none can be had", MANY
			CLAIMING("{name: q, firstAvailable: [{name: a, "
			    "deviceClassName: k, allocationMode: ExactCount, "
			    "count: 4}, {name: b, deviceClassName: k, "
			    "allocationMode: ExactCount, count: 5}]}", ""),
		    WANTS("c"), UNFIT_FOREVER, NONE, "request q/a: 1 device of "
			"class k short (4 here, 1 tainted)" },
		{ "two requests", MANY CLAIMING(REQUEST("q", "2", ",")
			"," REQUEST("r", "2", ""), ""), WANTS("c"),
		    UNFIT_FOREVER, NONE, "its requests want more devices "
			"together than are free here" },
		{ "a constraint", MANY CLAIMING(REQUEST("q", "2", ""),
			", constraints: [{matchAttribute: d/m}]"), WANTS("c"),
		    UNFIT_FOREVER, NONE, "no free devices here have the same "
			"d/m, as claim c wants" },
		{ "an incomplete pool", NODE1 K W_OBJECT("ResourceSlice",
			"name: s", "spec: {driver: d, pool: {name: s, "
			"generation: 1, resourceSliceCount: 2}, nodeName: n1, "
			"devices: [{name: x}]}") ASKING("1"), WANTS("c"),
		    UNFIT_FOREVER, NONE, "request q: 1 device of class k short ("
			"0 here, pool d/s is being updated)" },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_dynamic_resources, NULL, rows);
}

/* 13 requests, for 12 devices that a constraint distinguishes. */
static void
a_search_ends(void)
{
	struct world *world = world_new(NODE1 K);
	AUTOFREE char *devices = xstrdup("{name: x}"), *slice = NULL;
	AUTOFREE char *claim = NULL;
	AUTOFREE char *requests = xstrdup(REQUEST("q", "1", ""));
	struct outcome o;

	for (int i = 0; i < 12; i++) {
		char *more = xasprintf("%s, {name: x%d, attributes: {d/m: "
				       "{int: %d}}}",
		    devices, i, i);
		char *another =
		    xasprintf("%s, " REQUEST("r%d", "1", ""), requests, i);

		free(requests);
		requests = another;

		free(devices);
		devices = more;
	}
	slice = xasprintf(SLICE("s", "nodeName: n1", "%s"), devices);
	world->cluster->kubernetes_minor = 36;
	world_put(world, slice);
	claim = xasprintf(CLAIMING("%s",
			      ", constraints: [{distinctAttribute: d/m}]"),
	    requests);
	world_put(world, claim);
	world_pod(world, WANTS("c"));
	o = world_check(world, &predicate_dynamic_resources, NULL, "n1");
	t_int("verdict", o.verdict, BROKEN);
	t_str("error", o.error,
	    "node n1: timed out trying to allocate devices");
	world_free(world);
}

static void
devices_have_to_be_ready(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no status", NODE1 DEVICES("c", "allocation: {devices: "
			"{results: [{" RESULT "}]}}"), WANTS("c"),
		    FITS, "", NULL },
		{ "no status for long", NODE1 DEVICES("c", "allocation: {"
			"allocationTimestamp: '2020-01-01T00:00:00Z', "
			"devices: {results: [{" RESULT "}]}}"), WANTS("c"),
		    UNFIT_FOREVER, ELSEWHERE, "its devices are not ready" },
		{ "not yet", NODE1 DEVICES("c",
			STATE("{type: ready, status: 'False'}")), WANTS("c"),
		    FITS, "", NULL },
		{ "ready", NODE1 DEVICES("c",
			STATE("{type: ready, status: 'True'}")), WANTS("c"),
		    FITS, "", NULL },
		{ "broken", NODE1 DEVICES("c",
			STATE("{type: ready, status: 'True'}, "
			    "{type: broken, status: 'True'}")), WANTS("c"),
		    UNFIT_FOREVER, ELSEWHERE, NULL },
	};
	/* clang-format on */

	t_predicate_in(36, &predicate_dynamic_resources, NULL, rows);
}

static void
a_broken_selector_fails_the_attempt(void)
{
	struct world *world = world_new(NODE1 DEVICES("c",
	    ON("matchExpressions: [{key: zone, operator: Bogus}]")));
	struct outcome o;

	world->cluster->kubernetes_minor = 36;
	world_pod(world, WANTS("c"));
	o = world_check(world, &predicate_dynamic_resources, NULL, "n1");
	t_int("verdict", o.verdict, BROKEN);
	t_true("error", strstr(o.error, "Bogus") != NULL);
	world_free(world);
}

static void
before_there_were_any(void)
{
	struct world *world = world_new(NODE1);
	struct outcome o;

	for (int minor = 25; minor <= 26; minor++) {
		world->cluster->kubernetes_minor = minor;
		world_pod(world, WANTS("c"));
		o = world_check(world, &predicate_dynamic_resources, NULL,
		    "n1");
		t_int("verdict", o.verdict, minor < 26 ? FITS : UNFIT_FOREVER);
	}
	world->profile->strict = true;
	o = world_check(world, &predicate_dynamic_resources, NULL, "n1");
	t_int("--strict-policy", o.verdict, FITS);
	world_free(world);
}

static void
profiles_reject_unusable_claims_before_filter(void)
{
	/* clang-format off */
	static const struct world_row rejected[] = {
		{ "no claim", NODE1, POD(""), FITS, "", NULL },
		{ "a missing one", NODE1, WANTS("c"), UNFIT_FOREVER,
		    "could not find ResourceClaim \"default/c\"", NULL },
		{ "one that is not made yet", NODE1, MADE(""), UNFIT_FOREVER,
		    "pod \"default/p\": ResourceClaim not created yet", NULL },
		{ "another pod's", NODE1 OWNED("u2"),
		    MADE("{name: r, resourceClaimName: c}"), UNFIT_FOREVER,
		    "ResourceClaim default/c was not created for Pod default/p "
			"(Pod is not owner)", NULL },
		{ "one that is not allocated is left to Filter",
		    NODE1 DEVICES("c", ""), WANTS("c"), FITS, "", NULL },
	};
	static const struct world_row broken[] = {
		{ "a selector that cannot be used", NODE1 DEVICES("c",
			ON("matchExpressions: [{key: a, operator: Bogus}]")),
		    WANTS("c"), BROKEN,
		    "nodeSelectorTerms[0].matchExpressions[0].operator: "
			"Unsupported value: \"Bogus\": supported values: \"In\", "
			"\"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"",
		    NULL },
		{ "of several problems all", NODE1 DEVICES("c",
			ON("matchFields: [{key: metadata.name, operator: In}, "
			    "{key: metadata.name, operator: NotIn}]")),
		    WANTS("c"), BROKEN,
		    "[nodeSelectorTerms[0].matchFields[0].values: Invalid "
			"value: null: must have one element, "
			"nodeSelectorTerms[0].matchFields[1].values: Invalid "
			"value: null: must have one element]", NULL },
	};
	static const struct world_row queued[] = {
		{ "a selector that cannot be used is no reason to wait", NODE1
			DEVICES("c", ON("matchExpressions: [{key: a, operator: "
			    "Bogus}]")), WANTS("c"), FITS, "", NULL },
	};
	/* clang-format on */

	t_prefilter_of(36, &plugin_dynamic_resources, false, rejected);
	t_prefilter_of(36, &plugin_dynamic_resources, true, rejected);
	t_prefilter_of(36, &plugin_dynamic_resources, false, broken);
	t_prefilter_of(36, &plugin_dynamic_resources, true, queued);
}

/* 256 at most; the API server refuses the next one. */
static void
a_claim_with_all_its_users_refuses_no_node(void)
{
	struct world *w = world_new(NODE1);
	struct text claim = { 0 };

	text_put(&claim,
	    "--- {kind: ResourceClaim, metadata: {name: c}, "
	    "status: {allocation: {}, reservedFor: [");
	for (int i = 0; i < 256; i++)
		text_put(&claim, "{uid: u}, ");
	text_put(&claim, "]}}\n");
	w->cluster->kubernetes_minor = 36;
	world_put(w, claim.bytes);
	world_pod(w, WANTS("c"));
	t_str("no reason",
	    world_check(w, &predicate_dynamic_resources, NULL, "n1").why, "");
	text_fini(&claim);
	world_free(w);
}

static void
without_their_gate_conditions_are_not_looked_at(void)
{
	struct world *w = world_new(
	    NODE1 DEVICES("c", STATE("{type: broken, status: 'True'}")));

	w->cluster->kubernetes_minor = 36;
	w->profile->gates.dra_binding_conditions = false;
	world_pod(w, WANTS("c"));
	t_int("fits",
	    world_check(w, &predicate_dynamic_resources, NULL, "n1").verdict,
	    FITS);
	world_free(w);
}

static void
without_their_gate_devices_that_share_counters_are_missing(void)
{
	struct world *w = world_new(NODE1 K W_OBJECT("ResourceSlice", "name: s",
	    "spec: {driver: d, pool: {name: s, generation: 1, "
	    "resourceSliceCount: 2}, nodeName: n1, devices: [{name: x, "
	    "consumesCounters: [{counterSet: g, counters: {m: {value: '1'}}}]}]}")
		W_OBJECT("ResourceSlice", "name: t",
		    "spec: {driver: d, pool: {name: s, generation: 1, "
		    "resourceSliceCount: 2}, nodeName: n1, sharedCounters: "
		    "[{name: g, counters: {m: {value: '8'}}}]}") ASKING("1"));

	w->cluster->kubernetes_minor = 36;
	for (int on = 0; on <= 1; on++) {
		struct outcome o;

		w->profile->gates.dra_partitionable_devices = on;
		world_pod(w, WANTS("c"));
		o = world_check(w, &predicate_dynamic_resources, NULL, "n1");
		t_str("why", o.why, on ? "" : NONE);
		t_str("miss", o.miss,
		    on ? NULL :
			 "request q: 1 device of class k short (1 here, 1 "
			 "without the capacity)");
	}
	world_free(w);
}

static void
before_1_36_other_words_name_the_owner(void)
{
	struct world *w = world_new(NODE1 OWNED("u2"));

	w->cluster->kubernetes_minor = 35;
	world_pod(w, MADE("{name: r, resourceClaimName: c}"));
	t_str("pod",
	    world_check(w, &predicate_dynamic_resources, NULL, "n1").why,
	    "ResourceClaim default/c was not created for pod default/p "
	    "(pod is not owner)");
	world_free(w);
}

T_MAIN(T(allocated_claims_say_where),
    T(claims_that_cannot_be_used_refuse_every_node), T(claims_may_have_to_wait),
    T(claims_get_devices), T(misses_say_what_is_short), T(a_search_ends),
    T(devices_have_to_be_ready),
    T(without_their_gate_conditions_are_not_looked_at),
    T(without_their_gate_devices_that_share_counters_are_missing),
    T(before_1_36_other_words_name_the_owner),
    T(a_claim_with_all_its_users_refuses_no_node),
    T(a_broken_selector_fails_the_attempt), T(before_there_were_any),
    T(profiles_reject_unusable_claims_before_filter))
