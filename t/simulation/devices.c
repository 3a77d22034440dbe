#include "config.h"

#include "t/simulation/devices.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"
#include "t/simulation/world.h"

#define PER_NAMESPACE 6
#define RESOURCE "example.org/gpu" /* which a device stands for */
/* What a daemon may not have heard of yet. */
#define LAG (calm ? 10 * SECOND : 120 * SECOND)

static const char *const namespaces[] = { "red", "blue" };
/* When a claim of this name was last deleted; 0: never. */
static int64_t hurt[LENGTH(namespaces)][PER_NAMESPACE];
static struct json_object *givers; /* who gave a device last */
static bool here, calm, resting;
static char doomed[128]; /* the name of a claim that was made for a pod */
static char gone[128];   /* and when it was deleted */
static int64_t doomed_at;
/* So long the server does not say of it that it is gone. */
#define SILENCE (12 * SECOND)

static int64_t *
hurt_of(const char *namespace, const char *name)
{
	static int64_t of_a_pod;
	unsigned n = 0;

	of_a_pod = 0;
	if (sscanf(name, "gpu-%u", &n) != 1)
		return &of_a_pod;
	return &hurt[strcmp(namespace, namespaces[1]) == 0][n % PER_NAMESPACE];
}

/* ---- drivers and users ---- */

/* n devices of a node, or 0. */
static void
publish(const char *node, unsigned n)
{
	struct json_object *slice =
	    json_of("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1',"
		    "'metadata':{'name':'%s'},'spec':{'driver':'example.org',"
		    "'nodeName':'%s','pool':{'name':'%s','generation':1,"
		    "'resourceSliceCount':1},'devices':[]}}",
		node, node, node);

	for (unsigned i = 0; i < n; i++)
		json_object_array_add(json_at(slice, "spec.devices"),
		    json_of("{'name':'gpu-%u'}", i));
	apiserver_put("resourceslices", slice);
}

static void
on_node(void *arg, struct json_object *node)
{
	const char *name = json_text(node, "metadata.name");

	if (apiserver_get("resourceslices", "", name) == NULL)
		publish(name, 1 + loop_below(2));
	else if (!resting && loop_one_in(20))
		publish(name, loop_below(3));
}

static void
on_slice(void *arg, struct json_object *slice)
{
	const char *name = json_text(slice, "metadata.name");

	if (apiserver_get("nodes", "", name) == NULL)
		apiserver_delete("resourceslices", "", name);
}

static void
on_driver(void *arg)
{
	apiserver_each("nodes", on_node, NULL);
	apiserver_each("resourceslices", on_slice, NULL);
	loop_after(loop_between(SECOND, 20 * SECOND), on_driver, NULL);
}

static void
add_claim(const char *namespace, const char *name)
{
	apiserver_put("resourceclaims",
	    json_of("{'kind':'ResourceClaim','apiVersion':"
		    "'resource.k8s.io/v1','metadata':{'namespace':'%s',"
		    "'name':'%s'},'spec':{'devices':{'requests':[{"
		    "'name':'gpu','exactly':{'deviceClassName':'gpu',"
		    "'allocationMode':'ExactCount','count':1}}]}}}",
		namespace, name));
}

static void
remove_claim(void *arg, struct json_object *claim)
{
	*hurt_of(json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name")) = loop_now();
	apiserver_delete("resourceclaims",
	    json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));
}

/* It goes when no pod uses it. */
static void
delete_claim(struct json_object *claim)
{
	if (json_at(claim, "metadata.deletionTimestamp") != NULL)
		return;
	trace("claim %s/%s is deleted", json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));
	*hurt_of(json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name")) = loop_now();
	claim = json_copy(claim);
	json_set(claim, "metadata.deletionTimestamp",
	    json_object_new_string(world_time()));
	apiserver_put("resourceclaims", claim);
}

void
devices_change(void)
{
	const char *namespace = namespaces[loop_below(LENGTH(namespaces))];
	struct json_object *claim;
	char name[32];

	snprintf(name, sizeof(name), "gpu-%u", loop_below(PER_NAMESPACE));
	claim = apiserver_get("resourceclaims", namespace, name);
	if (claim == NULL)
		add_claim(namespace, name);
	else if (loop_one_in(3))
		delete_claim(claim);
}

static void
on_user(void *arg)
{
	if (!resting)
		devices_change();
	loop_after(loop_between(SECOND, 20 * SECOND), on_user, NULL);
}

static struct json_object *
requests_of(struct json_object *pod)
{
	return json_at(json_object_array_get_idx(json_at(pod,
						     "spec.containers"),
			   0),
	    "resources.requests");
}

void
devices_claim(struct json_object *pod)
{
	unsigned n;

	if (!here)
		return;
	if (loop_one_in(3)) {
		json_object_object_add(requests_of(pod), RESOURCE,
		    json_object_new_string("1"));
		return;
	}
	n = loop_below(PER_NAMESPACE);
	trace("%s is new and has claim %s/gpu-%u",
	    json_text(pod, "metadata.name"),
	    json_text(pod, "metadata.namespace"), n);
	json_set(pod, "spec.resourceClaims",
	    json_of("[{'name':'gpu','resourceClaimName':'gpu-%u'}]", n));
}

void
devices_leave_out(struct json_object *pod)
{
	json_remove(pod, "spec.resourceClaims");
	json_object_object_del(requests_of(pod), RESOURCE);
}

/* ---- the controller ---- */

static bool
uses(struct json_object *user, const char *namespace)
{
	struct json_object *pod =
	    apiserver_get("pods", namespace, json_text(user, "name"));
	const char *phase = json_text(pod, "status.phase");

	return pod != NULL &&
	    strcmp(json_text(pod, "metadata.uid"), json_text(user, "uid")) ==
	    0 &&
	    strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0;
}

/* A claim for an extended resource whose pod is gone. */
static bool
is_left_behind(struct json_object *claim)
{
	struct json_object *owners = json_at(claim, "metadata.ownerReferences");

	return owners != NULL &&
	    !uses(json_object_array_get_idx(owners, 0),
		json_text(claim, "metadata.namespace"));
}

/* Takes back what pods that are gone had. */
static void
look_after(void *arg, struct json_object *claim)
{
	const char *namespace = json_text(claim, "metadata.namespace");
	struct json_object *users = json_at(claim, "status.reservedFor");
	size_t n = users != NULL ? json_object_array_length(users) : 0, left;
	struct json_object *kept;

	if (json_at(claim, "status.allocation") == NULL) {
		if (json_at(claim, "metadata.deletionTimestamp") == NULL &&
		    !is_left_behind(claim))
			return;
		*hurt_of(namespace, json_text(claim, "metadata.name")) =
		    loop_now();
		apiserver_delete("resourceclaims", namespace,
		    json_text(claim, "metadata.name"));
		return;
	}
	kept = json_object_new_array();
	for (size_t i = 0; i < n; i++) {
		struct json_object *user = json_object_array_get_idx(users, i);

		if (uses(user, namespace))
			json_object_array_add(kept, json_object_get(user));
	}
	left = json_object_array_length(kept);
	if (left == n && n > 0) {
		json_object_put(kept);
		return;
	}
	claim = json_copy(claim);
	json_set(claim, "status.reservedFor", kept);
	if (left == 0) {
		world_leaves();
		trace("claim %s gives its device back",
		    json_text(claim, "metadata.name"));
		json_remove(claim, "status");
		json_remove(claim, "metadata.finalizers");
	}
	apiserver_put("resourceclaims", claim);
}

static void
on_controller(void *arg)
{
	apiserver_each("resourceclaims", look_after, NULL);
	loop_after(loop_between(SECOND, 4 * SECOND), on_controller, NULL);
}

/* ---- what others do to claims in a daemon's hands ---- */

static void
look_for_newest(void *arg, struct json_object *claim)
{
	struct json_object **newest = arg;

	if (json_at(claim, "metadata.ownerReferences") != NULL)
		*newest = claim;
}

static void
remove_doomed(void *arg, struct json_object *claim)
{
	const char *namespace = json_text(claim, "metadata.namespace");
	struct json_object *owners = json_at(claim, "metadata.ownerReferences");

	if (strcmp(json_text(claim, "metadata.name"), doomed) != 0)
		return;
	trace("claim %s is deleted with its pod", doomed);
	apiserver_end_watches();
	apiserver_delete("pods", namespace,
	    json_text(json_object_array_get_idx(owners, 0), "name"));
	apiserver_delete("resourceclaims", namespace, doomed);
	apiserver_compact();
	snprintf(gone, sizeof(gone), "%s", doomed);
	doomed_at = loop_now();
	world_leaves();
}

/* Of the claim that is deleted with its pod, while its device is written. */
static bool
is_doomed(const char *method, const char *path)
{
	const char *found = doomed[0] != '\0' && strcmp(method, "PATCH") == 0 ?
	    strstr(path, doomed) :
	    NULL;

	return found != NULL && strcmp(found + strlen(doomed), "/status") == 0;
}

bool
devices_meddle(const char *method, const char *path, bool after, bool begins)
{
	struct json_object *newest = NULL;
	size_t len = strlen(path);
	static const char end[] = "/resourceclaims";

	if (!after && is_doomed(method, path)) {
		apiserver_each("resourceclaims", remove_doomed, NULL);
		doomed[0] = '\0';
		return true;
	}
	if (!after && gone[0] != '\0' && strstr(path, gone) != NULL &&
	    loop_now() - doomed_at < SILENCE) {
		world_leaves(); /* its device stays taken for as long */
		return true;
	}
	if (strcmp(method, "POST") != 0 || len < sizeof(end) ||
	    strcmp(path + len - sizeof(end) + 1, end) != 0)
		return false;
	if (!after) {
		snprintf(doomed, sizeof(doomed), "%s", begins ? "?" : "");
		if (begins)
			apiserver_end_watches();
	} else if (doomed[0] == '?') {
		apiserver_each("resourceclaims", look_for_newest, &newest);
		snprintf(doomed, sizeof(doomed), "%s",
		    newest != NULL ? json_text(newest, "metadata.name") : "");
		apiserver_compact();
	}
	return false;
}

/* ---- promises ---- */

/* "POOL/DEVICE", "": none. */
static const char *
device_of(struct json_object *claim, char *out, size_t size)
{
	struct json_object *results =
	    json_at(claim, "status.allocation.devices.results");
	struct json_object *result =
	    results != NULL ? json_object_array_get_idx(results, 0) : NULL;

	out[0] = '\0';
	if (result != NULL)
		snprintf(out, size, "%s/%s", json_text(result, "pool"),
		    json_text(result, "device"));
	return out;
}

struct same {
	const char *device, *uid;
	struct json_object *found;
};

static void
look_for_device(void *arg, struct json_object *claim)
{
	struct same *same = arg;
	char device[160];

	if (strcmp(device_of(claim, device, sizeof(device)), same->device) ==
		0 &&
	    strcmp(json_text(claim, "metadata.uid"), same->uid) != 0)
		same->found = claim;
}

/* Another replica, a moment ago: this one may not have heard of it. */
static bool
another_gave_it(const char *who, struct json_object *claim, const char *device)
{
	struct json_object *giver = json_object_object_get(givers, device);
	int64_t when = apiserver_changed_at("resourceclaims",
	    json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));

	return strcmp(json_object_get_string(giver), who) != 0 &&
	    loop_now() - when < LAG;
}

const char *
promise_device(const char *who, struct json_object *before,
    struct json_object *after)
{
	char was[160], is[160];
	struct same same = { is, json_text(after, "metadata.uid"), NULL };

	device_of(before, was, sizeof(was));
	device_of(after, is, sizeof(is));
	if (is[0] == '\0')
		return json_at(after, "status.reservedFor") != NULL ?
		    "reservedFor: may not be set when not allocated" :
		    NULL;
	if (was[0] != '\0')
		return strcmp(was, is) != 0 ?
		    "status.allocation: field is immutable" :
		    NULL;
	if (json_at(before, "metadata.deletionTimestamp") != NULL)
		return "it is being deleted";
	world_leaves();
	trace("%s gives %s to claim %s", who, is,
	    json_text(after, "metadata.name"));
	apiserver_each("resourceclaims", look_for_device, &same);
	if (same.found != NULL && !another_gave_it(who, same.found, is))
		promise_breaks("device %s is given to %s, and %s has it", is,
		    json_text(after, "metadata.name"),
		    json_text(same.found, "metadata.name"));
	json_object_object_add(givers, is, json_object_new_string(who));
	return NULL;
}

/* NULL: it needs no device; "": there is none yet. */
static const char *
claim_of(struct json_object *pod)
{
	struct json_object *claims = json_at(pod, "spec.resourceClaims");

	if (claims != NULL)
		return json_text(json_object_array_get_idx(claims, 0),
		    "resourceClaimName");
	return json_object_object_get_ex(requests_of(pod), RESOURCE, NULL) ?
	    json_text(pod,
		"status.extendedResourceClaimStatus.resourceClaimName") :
	    NULL;
}

void
promise_devices(struct json_object *pod, const char *node)
{
	const char *namespace = json_text(pod, "metadata.namespace");
	const char *name = claim_of(pod);
	struct json_object *claim, *users;
	char device[160];
	int64_t when;
	bool is_user = false;

	if (name == NULL)
		return;
	claim = apiserver_get("resourceclaims", namespace, name);
	when = *hurt_of(namespace, name);
	if (when == 0 && json_at(claim, "metadata.ownerReferences") != NULL)
		when = doomed_at;
	if (when != 0 && loop_now() - when < LAG)
		return;
	users = json_at(claim, "status.reservedFor");
	for (size_t i = 0; users != NULL && i < json_object_array_length(users);
	     i++)
		is_user |= strcmp(json_text(json_object_array_get_idx(users, i),
				      "uid"),
			       json_text(pod, "metadata.uid")) == 0;
	device_of(claim, device, sizeof(device));
	if (strncmp(device, node, strlen(node)) != 0 ||
	    device[strlen(node)] != '/' || !is_user)
		promise_breaks("%s is bound to %s, and its claim %s has '%s'%s",
		    json_text(pod, "metadata.name"), node, name, device,
		    is_user ? "" : " for others");
}

/* ---- all of it ---- */

bool
devices_exist(void)
{
	return here;
}

void
devices_anew(void)
{
	char name[32];

	if (!here)
		return;
	apiserver_each("resourceclaims", remove_claim, NULL);
	for (size_t i = 0; i < LENGTH(namespaces); i++)
		for (unsigned n = 0; n < PER_NAMESPACE; n++) {
			snprintf(name, sizeof(name), "gpu-%u", n);
			add_claim(namespaces[i], name);
		}
}

void
devices_rest(bool rest)
{
	resting = rest;
}

void
devices_start(bool on, bool is_calm)
{
	here = on;
	calm = is_calm;
	memset(hurt, 0, sizeof(hurt));
	doomed[0] = gone[0] = '\0';
	doomed_at = 0;
	json_object_put(givers);
	givers = json_object_new_object();
	if (!here)
		return;
	apiserver_put("deviceclasses",
	    json_of("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1',"
		    "'metadata':{'name':'gpu'},'spec':{"
		    "'extendedResourceName':'" RESOURCE "'}}"));
	on_driver(NULL);
	on_user(NULL);
	on_controller(NULL);
}

void
devices_serve(void)
{
	devices_start(false, true);
	here = true;
}
