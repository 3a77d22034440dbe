/*
 * Claims that get devices while the watch lags, writes fail, get lost or arrive late:
 * no device is given twice.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/flight.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/framework/cycle_devices.h"
#include "objects/pod.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define DEVICES 4
#define CLAIMS 9
#define EVENTS 400

/* As the API server has it, and the versions that the watch has not brought. */
struct served {
	unsigned version, shown; /* shown < version: these are on their way */
	int device[EVENTS];      /* by version; -1: none */
	unsigned uid;            /* it is deleted and made again */
	bool in_flight, sent;
	unsigned late; /* the version that a write under way is for; 0: none */
	int late_device;
};

struct run {
	uint64_t state;
	struct world *world;
	struct flights flights;
	struct pod *pods[CLAIMS];
	struct served claims[CLAIMS];
};

static struct object *
claim_object(const struct run *run, unsigned i, unsigned version)
{
	const struct served *c = &run->claims[i];
	AUTOFREE char *device = c->device[version] < 0 ?
	    xstrdup("") :
	    xasprintf("allocation: {devices: {results: [{request: q, "
		      "driver: d, pool: s, device: x%d}]}}",
		c->device[version]);
	AUTOFREE char *text = xasprintf(
	    "--- {kind: ResourceClaim, metadata: {name: c%u, uid: u%u-%u, "
	    "resourceVersion: '%u'}, spec: {devices: {requests: [{name: q, "
	    "exactly: {deviceClassName: k, allocationMode: ExactCount, "
	    "count: 1}}]}}, status: {%s}}",
	    i, i, c->uid, version, device);

	return t_object(text);
}

static void
show(struct run *run, unsigned i)
{
	struct served *c = &run->claims[i];
	struct object *object = claim_object(run, i, ++c->shown);
	struct object *now = claims_seen(&run->flights, object);

	cluster_put(run->world->cluster, now);
	object_unref(now);
	object_unref(object);
}

/* The next version; false: there is no room for more. */
static bool
serve(struct run *run, unsigned i, int device)
{
	struct served *c = &run->claims[i];

	if (c->version + 1 == EVENTS)
		return false;
	for (unsigned k = 0; k < CLAIMS && device >= 0; k++)
		if (k != i &&
		    run->claims[k].device[run->claims[k].version] == device)
			t_int("a device given twice", (int)k, -1);
	c->device[++c->version] = device;
	return true;
}

static const char *
uid_of(const struct run *run, unsigned i)
{
	static char uid[32];

	snprintf(uid, sizeof(uid), "u%u-%u", i, run->claims[i].uid);
	return uid;
}

static void
attempt(struct run *run, unsigned i)
{
	struct cluster *cluster = run->world->cluster;
	struct resource_claim *claims[2];
	const struct object *server;
	AUTOFREE char *name = xasprintf("c%u", i);
	const struct resource_claim *claim = cluster_resource_claim(cluster,
	    sym_intern("default"), sym_intern(name));
	size_t n;

	if (run->claims[i].in_flight || claim == NULL || claim->allocated)
		return;
	if (!devices_allocate(cluster, run->world->profile, run->pods[i],
		sym_intern("n1"), claims, &n))
		return;
	t_int("one claim", (int)n, 1);
	server = cluster_object(cluster, &claims[0]->object);
	claims_hold(&run->flights, claims[0], server);
	run->claims[i].in_flight = true;
}

/* The device that a claim in flight is to have. */
static int
device_of(const struct run *run, unsigned i)
{
	AUTOFREE char *name = xasprintf("c%u", i);
	const struct resource_claim *claim =
	    cluster_resource_claim(run->world->cluster, sym_intern("default"),
		sym_intern(name));

	return claim != NULL && claim->nresults == 1 && claim->pending ?
	    atoi(sym_text(claim->results[0].device) + 1) :
	    -1;
}

/* The steps of its binding, each of which may be the last. */
static void
bind(struct run *run, unsigned i)
{
	struct served *c = &run->claims[i];
	int device = device_of(run, i);
	const char *uid = uid_of(run, i);

	if (!c->in_flight)
		return;
	c->in_flight = false;
	/* the finalizer; the answer has the version */
	if (device < 0 || c->device[c->version] >= 0 || c->late != 0 ||
	    t_any(&run->state, 8) == 0 || !serve(run, i, -1)) {
		claims_release(&run->flights, uid);
		return;
	}
	claims_sent(&run->flights, uid, c->version);
	switch (t_any(&run->state, 5)) {
	case 0: /* refused */
		claims_sent(&run->flights, uid, 0);
		claims_release(&run->flights, uid);
		break;
	case 1: /* it arrives late, or never; the answer is lost */
		c->late = c->version;
		c->late_device = device;
		claims_release(&run->flights, uid);
		break;
	case 2: /* the watch is faster than the answer */
		if (!serve(run, i, device))
			break;
		while (c->shown < c->version)
			show(run, i);
		claims_written(&run->flights, uid, c->version);
		break;
	case 3: /* only the answer is lost */
		serve(run, i, device);
		claims_release(&run->flights, uid);
		break;
	case 4:
		if (serve(run, i, device))
			claims_written(&run->flights, uid, c->version);
		claims_release(&run->flights, uid); /* of no effect */
		break;
	}
}

static void
land(struct run *run, unsigned i)
{
	struct served *c = &run->claims[i];

	if (c->late == c->version && c->late != 0)
		serve(run, i, c->late_device);
	c->late = 0;
}

static void
step(struct run *run)
{
	unsigned i = t_any(&run->state, CLAIMS);
	struct served *c = &run->claims[i];

	switch (t_any(&run->state, 8)) {
	case 0:
	case 1:
		attempt(run, i);
		break;
	case 2:
	case 3:
		bind(run, i);
		break;
	case 4:
	case 5:
		if (c->shown < c->version)
			show(run, i);
		break;
	case 6: /* another client: no device any more, or nothing */
		if (t_any(&run->state, 2) == 0 && !c->in_flight)
			serve(run, i, -1);
		else
			serve(run, i, c->device[c->version]);
		break;
	case 7:
		land(run, i);
		break;
	}
}

static void
run_seed(uint64_t seed)
{
	struct run run = { .state = seed };
	int used = 0, given = 0;

	run.world = world_new(W_NODE("n1", "", "") W_OBJECT("DeviceClass",
	    "name: k", "spec: {}") W_OBJECT("ResourceSlice", "name: s",
	    "spec: {driver: d, pool: {name: s, generation: 1, "
	    "resourceSliceCount: 1}, nodeName: n1, devices: ["
	    "{name: x0}, {name: x1}, {name: x2}, {name: x3}]}"));
	run.world->cluster->kubernetes_minor = 36;
	run.flights.cluster = run.world->cluster;
	for (unsigned i = 0; i < CLAIMS; i++) {
		AUTOFREE char *pod = xasprintf(
		    "--- {kind: Pod, metadata: {name: p%u, uid: p%u}, spec: "
		    "{resourceClaims: [{name: r, resourceClaimName: c%u}]}}",
		    i, i, i);

		run.pods[i] = (struct pod *)t_object(pod);
		run.claims[i].device[0] = -1;
		serve(&run, i, -1);
		show(&run, i);
	}
	for (int i = 0; i < 1500; i++)
		step(&run);
	/* in the end the cluster is as the API server has it */
	for (unsigned i = 0; i < CLAIMS; i++) {
		if (run.claims[i].in_flight)
			claims_release(&run.flights, uid_of(&run, i));
		serve(&run, i, run.claims[i].device[run.claims[i].version]);
		while (run.claims[i].shown < run.claims[i].version)
			show(&run, i);
		for (unsigned k = 0; k < run.claims[i].version; k++)
			given += run.claims[i].device[k] < 0 &&
			    run.claims[i].device[k + 1] >= 0;
	}
	t_int("none is held", (int)run.flights.held_claims.n, 0);
	for (unsigned i = 0; i < CLAIMS; i++) {
		AUTOFREE char *name = xasprintf("c%u", i);
		const struct resource_claim *claim =
		    cluster_resource_claim(run.world->cluster,
			sym_intern("default"), sym_intern(name));
		int device = run.claims[i].device[run.claims[i].version];

		t_int("allocated", claim->allocated, device >= 0);
		t_int("pending", claim->pending, 0);
		used += device >= 0;
	}
	t_true("devices are given", given > 10 && used <= DEVICES);
	for (unsigned i = 0; i < CLAIMS; i++)
		pod_unref(run.pods[i]);
	flights_fini(&run.flights);
	world_free(run.world);
}

static void
no_device_is_given_twice(void)
{
	for (uint64_t seed = 1; seed <= 200; seed++)
		run_seed(seed);
}

/* One that was made here may be gone before the watch shows it: it is held, and asked
 * for, until the watch does. */
static void
what_the_watch_has_not_shown_is_held(void)
{
	struct run run = { .world = world_new("") };
	struct object *made = claim_object(&run, 0, 0), *created;

	run.flights.cluster = run.world->cluster;
	run.claims[0].device[0] = run.claims[0].device[1] = -1;
	run.claims[0].uid = 1;
	created = claim_object(&run, 0, 1);
	claims_hold(&run.flights, (struct resource_claim *)object_ref(made),
	    NULL);
	claims_created(&run.flights, made->uid,
	    (const struct resource_claim *)created);
	claims_release(&run.flights, created->uid);
	t_int("held", (int)run.flights.held_claims.n, 1);
	object_unref(claims_seen(&run.flights, created));
	t_int("no longer", (int)run.flights.held_claims.n, 0);
	object_unref(created);
	object_unref(made);
	flights_fini(&run.flights);
	world_free(run.world);
}

T_MAIN(T(no_device_is_given_twice), T(what_the_watch_has_not_shown_is_held))
