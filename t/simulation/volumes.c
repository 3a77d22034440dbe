#include "config.h"

#include "t/simulation/volumes.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/policies.h"
#include "t/simulation/promises.h"

#define ZONE "topology.kubernetes.io/zone"
#define SELECTED_NODE "volume.kubernetes.io/selected-node"
#define BIND_COMPLETED "pv.kubernetes.io/bind-completed"
#define PER_NAMESPACE 5
#define ELSEWHERE "node-of-others"
/* What a daemon may not have heard of yet. */
#define LAG (calm ? 10 * SECOND : 120 * SECOND)

/* Of a claim, or of one of its name. */
struct past {
	int64_t hurt; /* when it or its volume went; 0: never */
	int64_t bound_at;
	char bound_by[32]; /* who bound its last pod */
};

static const char *const namespaces[] = { "red", "blue" };
static const char *const zones[] = { "a", "b", "c" };
static struct past pasts[LENGTH(namespaces)][PER_NAMESPACE];
static bool here, calm, resting;
static unsigned serial;
static int64_t slow_until; /* controllers do nothing before */
/* Which things happen in this world, and to which class most claims belong. */
static uint32_t changes_of, most;
/* Little happens but that storage class late is for other zones, or for none that has
 * nodes: it is for a pod that this wakes. */
static bool narrow;
/* All claims are for one pod each. */
static bool exclusive;

static struct past *
past_of(const char *namespace, const char *name)
{
	unsigned n = 0;

	sscanf(name, "claim-%u", &n);
	return &pasts[strcmp(namespace, namespaces[1]) == 0][n % PER_NAMESPACE];
}

static struct past *
past_of_claim(struct json_object *claim)
{
	return past_of(json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));
}

/* Of a label or annotation, whose names have dots; "": it is missing. */
static const char *
member(struct json_object *object, const char *path, const char *name)
{
	struct json_object *all = json_at(object, path), *value = NULL;

	return all != NULL && json_object_object_get_ex(all, name, &value) ?
	    json_object_get_string(value) :
	    "";
}

static void
annotate(struct json_object *object, const char *name, const char *value)
{
	struct json_object *all = json_at(object, "metadata.annotations");

	if (all == NULL) {
		all = json_object_new_object();
		json_set(object, "metadata.annotations", all);
	}
	if (value != NULL)
		json_object_object_add(all, name,
		    json_object_new_string(value));
	else
		json_object_object_del(all, name);
}

/* ---- what users do ---- */

static void
add_class(const char *name, const char *provisioner, const char *mode)
{
	if (apiserver_get("storageclasses", "", name) != NULL)
		return;
	trace("storage class %s is new", name);
	apiserver_put("storageclasses",
	    json_of("{'kind':'StorageClass','apiVersion':"
		    "'storage.k8s.io/v1','metadata':{'name':'%s'},"
		    "'provisioner':'%s','volumeBindingMode':'%s'}",
		name, provisioner, mode));
}

static void
delete_class(const char *name)
{
	trace("storage class %s is deleted", name);
	apiserver_delete("storageclasses", "", name);
}

static void
add_classes(void)
{
	add_class("now", "example.org/disk", "Immediate");
	add_class("late", "example.org/disk", "WaitForFirstConsumer");
	add_class("local", "kubernetes.io/no-provisioner",
	    "WaitForFirstConsumer");
}

static void
change_topologies(void)
{
	struct json_object *class =
	    apiserver_copy("storageclasses", "", "late");
	uint32_t first = loop_below(LENGTH(zones));

	if (class == NULL)
		return;
	if (loop_one_in(4))
		json_remove(class, "allowedTopologies");
	else if (narrow && loop_one_in(2))
		json_set(class, "allowedTopologies",
		    json_of("[{'matchLabelExpressions':[{'key':'" ZONE
			    "','values':['none']}]}]"));
	else
		json_set(class, "allowedTopologies",
		    json_of("[{'matchLabelExpressions':[{'key':'" ZONE
			    "','values':['%s','%s']}]}]",
			zones[first],
			zones[(first + loop_below(2)) % LENGTH(zones)]));
	trace("storage class late is for other zones");
	apiserver_put("storageclasses", class);
}

static void
add_claim(const char *namespace, unsigned n)
{
	static const char *const classes[] = { "now", "late", "local" };
	char name[32];

	snprintf(name, sizeof(name), "claim-%u", n);
	if (apiserver_get("persistentvolumeclaims", namespace, name) != NULL)
		return;
	trace("claim %s/%s is new", namespace, name);
	apiserver_put("persistentvolumeclaims",
	    json_of("{'kind':'PersistentVolumeClaim','apiVersion':'v1',"
		    "'metadata':{'namespace':'%s','name':'%s'},'spec':{"
		    "'accessModes':['%s'],'storageClassName':'%s','resources':{"
		    "'requests':{'storage':'1Gi'}}},"
		    "'status':{'phase':'Pending'}}",
		namespace, name,
		(exclusive || loop_one_in(2)) && apiserver_minor() >= 22 ?
		    "ReadWriteOncePod" :
		    "ReadWriteOnce",
		classes[loop_one_in(2) ? most : loop_below(3)]));
}

/* A disk of a node. */
static void
add_local_volume(void)
{
	struct json_object *node = apiserver_any("nodes");

	if (node == NULL || apiserver_count("persistentvolumes") > 16)
		return;
	apiserver_put("persistentvolumes",
	    json_of("{'kind':'PersistentVolume','apiVersion':'v1','metadata':{"
		    "'name':'disk-%u'},'spec':{'capacity':{'storage':'%uGi'},"
		    "'accessModes':['ReadWriteOnce','ReadWriteOncePod'],"
		    "'storageClassName':'local','local':{'path':'/disk'},"
		    "'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
		    "'matchExpressions':[{'key':'kubernetes.io/hostname',"
		    "'operator':'In','values':['%s']}]}]}}},"
		    "'status':{'phase':'Pending'}}",
		++serial, 1 + loop_below(3), json_text(node, "metadata.name")));
}

static bool
is_free(struct json_object *volume)
{
	return json_at(volume, "spec.claimRef") == NULL;
}

/* A claim's volume only in some worlds. */
static void
delete_volume(bool also_claimed)
{
	struct json_object *volume = apiserver_any("persistentvolumes");
	struct json_object *ref = json_at(volume, "spec.claimRef");

	if (volume == NULL || (ref != NULL && !also_claimed))
		return;
	trace("volume %s is deleted", json_text(volume, "metadata.name"));
	if (ref != NULL)
		past_of(json_text(ref, "namespace"), json_text(ref, "name"))
		    ->hurt = loop_now();
	apiserver_delete("persistentvolumes", "",
	    json_text(volume, "metadata.name"));
}

static void
remove_volume(void *arg, struct json_object *volume)
{
	apiserver_delete("persistentvolumes", "",
	    json_text(volume, "metadata.name"));
}

static void
remove_claim(void *arg, struct json_object *claim)
{
	past_of_claim(claim)->hurt = loop_now();
	apiserver_delete("persistentvolumeclaims",
	    json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));
}

/* It goes when no pod on a node uses it. */
static void
delete_this(struct json_object *claim)
{
	if (json_at(claim, "metadata.deletionTimestamp") != NULL)
		return;
	trace("claim %s/%s is deleted", json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"));
	past_of_claim(claim)->hurt = loop_now();
	claim = json_copy(claim);
	json_set(claim, "metadata.deletionTimestamp",
	    json_object_new_string(world_time()));
	apiserver_put("persistentvolumeclaims", claim);
}

static void
delete_claim(void)
{
	struct json_object *claim = apiserver_any("persistentvolumeclaims");

	if (claim != NULL)
		delete_this(claim);
}

static void
change_something(void)
{
	uint32_t what = loop_below(narrow ? 3 : 8);

	if (!(changes_of & 1U << what))
		return;
	switch (what) {
	case 0:
	case 1:
		change_topologies();
		break;
	case 2:
		delete_claim();
		break;
	case 3:
	case 4:
		add_local_volume();
		break;
	case 5:
		delete_volume(false);
		break;
	case 6:
		if (loop_one_in(2))
			delete_class(loop_one_in(2) ? "late" : "local");
		else
			add_classes();
		break;
	case 7:
		delete_volume(true);
		break;
	}
}

static void
add_some_claim(void)
{
	add_claim(namespaces[loop_below(LENGTH(namespaces))],
	    loop_below(PER_NAMESPACE));
}

void
volumes_change(void)
{
	if (loop_one_in(3))
		change_topologies();
	else if (loop_one_in(2))
		add_local_volume();
	else
		add_claim(namespaces[0], loop_below(PER_NAMESPACE));
}

static void
on_user(void *arg)
{
	if (!resting) {
		change_something();
		if (loop_one_in(2))
			add_some_claim();
	}
	loop_after(loop_between(SECOND, 30 * SECOND), on_user, NULL);
}

void
volumes_mount(struct json_object *pod)
{
	unsigned n = loop_below(PER_NAMESPACE);

	if (loop_one_in(exclusive ? 2 : 6)) {
		trace("%s is new and has the disk",
		    json_text(pod, "metadata.name"));
		json_set(pod, "spec.volumes",
		    json_of("[{'name':'v','gcePersistentDisk':{"
			    "'pdName':'disk'}}]"));
		return;
	}
	trace("%s is new and has claim %s/claim-%u",
	    json_text(pod, "metadata.name"),
	    json_text(pod, "metadata.namespace"), n);
	json_set(pod, "spec.volumes",
	    json_of("[{'name':'v','persistentVolumeClaim':{"
		    "'claimName':'claim-%u'}}]",
		n));
}

/* ---- what others do to claims in a daemon's hands ---- */

static void
select_elsewhere(struct json_object *claim, const char *node)
{
	trace("others select %s for claim %s", node != NULL ? node : "no node",
	    json_text(claim, "metadata.name"));
	claim = json_copy(claim);
	annotate(claim, SELECTED_NODE, node);
	apiserver_put("persistentvolumeclaims", claim);
}

static struct json_object *
claim_at(const char *path)
{
	char namespace[64], name[64];

	if (sscanf(path,
		"/api/v1/namespaces/%63[^/]/persistentvolumeclaims/%63[^/?]",
		namespace, name) != 2)
		return NULL;
	return apiserver_get("persistentvolumeclaims", namespace, name);
}

void
volumes_are_slow(void)
{
	slow_until = loop_now() + loop_between(5 * SECOND, 15 * SECOND);
}

/* They have no use for it any more. */
static void
on_select_none(void *arg)
{
	struct json_object *claim = claim_at(arg);

	if (resting) {
		loop_after_text(10 * SECOND, on_select_none, arg);
	} else if (claim != NULL &&
	    strcmp(member(claim, "metadata.annotations", SELECTED_NODE),
		ELSEWHERE) == 0) {
		select_elsewhere(claim, NULL);
	}
}

void
volumes_meddle(const char *path)
{
	struct json_object *claim = claim_at(path);

	if (resting || claim == NULL ||
	    json_text(claim, "spec.volumeName")[0] != '\0' ||
	    member(claim, "metadata.annotations", SELECTED_NODE)[0] == '\0')
		return;
	if (loop_one_in(2)) {
		select_elsewhere(claim, ELSEWHERE);
		loop_after_text(loop_between(MINUTE, 4 * MINUTE),
		    on_select_none, path);
	} else {
		delete_this(claim);
	}
}

/* ---- the controllers ---- */

/* The claim that a pod mounts, NULL: none. */
static const char *
claim_of(struct json_object *pod)
{
	struct json_object *all = json_at(pod, "spec.volumes");
	struct json_object *name = all != NULL ?
	    json_at(json_object_array_get_idx(all, 0),
		"persistentVolumeClaim.claimName") :
	    NULL;

	return json_object_get_string(name);
}

/* Pods on nodes that use a claim. */
struct use {
	const char *namespace, *claim;
	bool also_lost;          /* those whose node is gone, too */
	struct json_object *pod; /* one of them */
};

static void
look_for_use(void *arg, struct json_object *pod)
{
	struct use *use = arg;
	const char *claim = claim_of(pod);
	const char *phase = json_text(pod, "status.phase");
	const char *node = json_text(pod, "spec.nodeName");

	if (claim != NULL && strcmp(claim, use->claim) == 0 &&
	    strcmp(json_text(pod, "metadata.namespace"), use->namespace) == 0 &&
	    node[0] != '\0' &&
	    (use->also_lost || apiserver_get("nodes", "", node) != NULL) &&
	    strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0)
		use->pod = pod;
}

static struct json_object *
user_of(struct json_object *claim, bool also_lost)
{
	struct use use = { json_text(claim, "metadata.namespace"),
		json_text(claim, "metadata.name"), also_lost, NULL };

	apiserver_each("pods", look_for_use, &use);
	return use.pod;
}

/* The volume that names a claim, else a free one if it may have any. */
struct match {
	struct json_object *claim, *reserved, *free;
};

static bool
is_for(struct json_object *volume, struct json_object *claim)
{
	struct json_object *ref = json_at(volume, "spec.claimRef");
	const char *uid = json_text(ref, "uid");

	return ref != NULL &&
	    strcmp(json_text(ref, "name"), json_text(claim, "metadata.name")) ==
	    0 &&
	    strcmp(json_text(ref, "namespace"),
		json_text(claim, "metadata.namespace")) == 0 &&
	    (uid[0] == '\0' ||
		strcmp(uid, json_text(claim, "metadata.uid")) == 0);
}

static void
match_volume(void *arg, struct json_object *volume)
{
	struct match *match = arg;

	if (is_for(volume, match->claim))
		match->reserved = volume;
	else if (is_free(volume) &&
	    strcmp(json_text(volume, "spec.storageClassName"),
		json_text(match->claim, "spec.storageClassName")) == 0)
		match->free = volume;
}

static void
refer(struct json_object *volume, struct json_object *claim)
{
	json_set(volume, "spec.claimRef",
	    json_of("{'kind':'PersistentVolumeClaim','apiVersion':'v1',"
		    "'namespace':'%s','name':'%s','uid':'%s'}",
		json_text(claim, "metadata.namespace"),
		json_text(claim, "metadata.name"),
		json_text(claim, "metadata.uid")));
}

/* First the volume, then the claim, as the controller does it. */
static void
bind(struct json_object *volume, struct json_object *claim)
{
	if (strcmp(json_text(volume, "status.phase"), "Bound") != 0) {
		volume = json_copy(volume);
		refer(volume, claim);
		json_set(volume, "status.phase",
		    json_object_new_string("Bound"));
		apiserver_put("persistentvolumes", volume);
		return;
	}
	trace("claim %s/%s is bound to %s",
	    json_text(claim, "metadata.namespace"),
	    json_text(claim, "metadata.name"),
	    json_text(volume, "metadata.name"));
	claim = json_copy(claim);
	json_set(claim, "spec.volumeName",
	    json_object_new_string(json_text(volume, "metadata.name")));
	json_set(claim, "status.phase", json_object_new_string("Bound"));
	annotate(claim, BIND_COMPLETED, "yes");
	apiserver_put("persistentvolumeclaims", claim);
}

static bool
allows(struct json_object *class, const char *zone)
{
	struct json_object *terms = json_at(class, "allowedTopologies");
	const char *text = terms != NULL ?
	    json_object_to_json_string_ext(terms, JSON_C_TO_STRING_PLAIN) :
	    NULL;
	char quoted[32];

	snprintf(quoted, sizeof(quoted), "\"%s\"", zone);
	return text == NULL || strstr(text, quoted) != NULL;
}

static void
provision(struct json_object *claim, const char *zone)
{
	struct json_object *volume =
	    json_of("{'kind':'PersistentVolume','apiVersion':'v1','metadata':{"
		    "'name':'pvc-%u'},'spec':{'capacity':{'storage':'1Gi'},"
		    "'accessModes':['ReadWriteOnce','ReadWriteOncePod'],"
		    "'storageClassName':'%s','hostPath':{'path':'/volume'},"
		    "'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
		    "'matchExpressions':[{'key':'" ZONE "','operator':'In',"
		    "'values':['%s']}]}]}}},'status':{'phase':'Bound'}}",
		++serial, json_text(claim, "spec.storageClassName"), zone);

	refer(volume, claim);
	if (loop_one_in(2))
		json_set(volume, "metadata.labels",
		    json_of("{'" ZONE "':'%s'}", zone));
	trace("volume %s in zone %s is made for claim %s",
	    json_text(volume, "metadata.name"), zone,
	    json_text(claim, "metadata.name"));
	apiserver_put("persistentvolumes", volume);
}

/* One minute of three, in which claims go that wait for it. */
static bool
provisioner_pauses(void)
{
	return !resting && !calm && loop_now() / MINUTE % 3 == 0;
}

/* For the node that the scheduler has selected; where that cannot be, it is told, also
 * if the class is gone, which nobody would tell it in a real cluster. */
static void
provision_on_node(struct json_object *claim, struct json_object *class)
{
	const char *selected =
	    member(claim, "metadata.annotations", SELECTED_NODE);
	struct json_object *node = apiserver_get("nodes", "", selected);
	const char *zone = member(node, "metadata.labels", ZONE);

	if (selected[0] == '\0' || strcmp(selected, ELSEWHERE) == 0 ||
	    provisioner_pauses())
		return;
	if (class != NULL && zone[0] != '\0' && allows(class, zone) &&
	    (resting || calm || !loop_one_in(6))) {
		provision(claim, zone);
		return;
	}
	trace("claim %s cannot have a volume on %s",
	    json_text(claim, "metadata.name"), selected);
	claim = json_copy(claim);
	annotate(claim, SELECTED_NODE, NULL);
	apiserver_put("persistentvolumeclaims", claim);
}

static void
find_volume(struct json_object *claim)
{
	struct json_object *class = apiserver_get("storageclasses", "",
	    json_text(claim, "spec.storageClassName"));
	bool waits = strcmp(json_text(class, "volumeBindingMode"),
			 "WaitForFirstConsumer") == 0;
	struct match match = { .claim = claim };

	apiserver_each("persistentvolumes", match_volume, &match);
	if (match.reserved != NULL)
		bind(match.reserved, claim);
	else if (class == NULL)
		provision_on_node(claim, NULL);
	else if (!waits && match.free != NULL)
		bind(match.free, claim);
	else if (!waits)
		provision(claim, zones[loop_below(LENGTH(zones))]);
	else if (strcmp(json_text(class, "provisioner"), "example.org/disk") ==
	    0)
		provision_on_node(claim, class);
}

static void
look_after_claim(void *arg, struct json_object *claim)
{
	const char *volume = json_text(claim, "spec.volumeName");

	if (json_at(claim, "metadata.deletionTimestamp") != NULL) {
		if (user_of(claim, true) != NULL)
			return;
		past_of_claim(claim)->hurt = loop_now();
		apiserver_delete("persistentvolumeclaims",
		    json_text(claim, "metadata.namespace"),
		    json_text(claim, "metadata.name"));
	} else if (volume[0] == '\0') {
		find_volume(claim);
	} else if (apiserver_get("persistentvolumes", "", volume) == NULL &&
	    strcmp(json_text(claim, "status.phase"), "Lost") != 0) {
		claim = json_copy(claim);
		json_set(claim, "status.phase", json_object_new_string("Lost"));
		apiserver_put("persistentvolumeclaims", claim);
	}
}

static void
look_after_volume(void *arg, struct json_object *volume)
{
	struct json_object *ref = json_at(volume, "spec.claimRef"), *claim;

	if (ref == NULL) {
		if (strcmp(json_text(volume, "status.phase"), "Available") == 0)
			return;
		volume = json_copy(volume);
		json_set(volume, "status.phase",
		    json_object_new_string("Available"));
		apiserver_put("persistentvolumes", volume);
		return;
	}
	claim = apiserver_get("persistentvolumeclaims",
	    json_text(ref, "namespace"), json_text(ref, "name"));
	if (claim == NULL || !is_for(volume, claim))
		apiserver_delete("persistentvolumes", "",
		    json_text(volume, "metadata.name"));
}

static void
on_controller(void *arg)
{
	static const char *const kinds[] = { "persistentvolumeclaims",
		"persistentvolumes", "storageclasses", "pods", "nodes" };
	static uint64_t seen;

	if (loop_now() >= slow_until &&
	    apiserver_has_changed(&seen, LENGTH(kinds), kinds)) {
		apiserver_each("persistentvolumeclaims", look_after_claim,
		    NULL);
		apiserver_each("persistentvolumes", look_after_volume, NULL);
	}
	if (provisioner_pauses())
		seen = 0; /* what it has left is done afterwards */
	loop_after(loop_between(SECOND / 4, 2 * SECOND), on_controller, NULL);
}

/* ---- promises ---- */

static bool
reaches(struct json_object *volume, struct json_object *node)
{
	struct json_object *terms =
	    json_at(volume, "spec.nodeAffinity.required.nodeSelectorTerms");
	struct json_object *expression =
	    json_object_array_get_idx(json_at(json_object_array_get_idx(terms,
						  0),
					  "matchExpressions"),
		0);
	const char *value = json_object_get_string(
	    json_object_array_get_idx(json_at(expression, "values"), 0));

	return strcmp(member(node, "metadata.labels",
			  json_text(expression, "key")),
		   value) == 0;
}

static bool
is_recent(int64_t time)
{
	return time != 0 && loop_now() - time < LAG;
}

/* Whether it is the claim of one pod, and another has it.  Not if another replica bound
 * that a moment ago; and pods whose node is gone do not count, as in kube-scheduler. */
static bool
is_anothers(struct json_object *claim, const char *who)
{
	const struct past *past = past_of_claim(claim);
	const char *mode = json_object_get_string(
	    json_object_array_get_idx(json_at(claim, "spec.accessModes"), 0));

	return strcmp(mode, "ReadWriteOncePod") == 0 &&
	    user_of(claim, false) != NULL &&
	    (strcmp(past->bound_by, who) == 0 || !is_recent(past->bound_at));
}

bool
volumes_lacks(struct json_object *pod)
{
	const char *claim = claim_of(pod);

	return claim != NULL &&
	    apiserver_get("persistentvolumeclaims",
		json_text(pod, "metadata.namespace"), claim) == NULL;
}

bool
volumes_elsewhere(struct json_object *pod, const char *node)
{
	const char *name = claim_of(pod), *selected;
	struct json_object *claim = name != NULL ?
	    apiserver_get("persistentvolumeclaims",
		json_text(pod, "metadata.namespace"), name) :
	    NULL;

	selected = member(claim, "metadata.annotations", SELECTED_NODE);
	return selected[0] != '\0' && strcmp(selected, node) != 0 &&
	    json_text(claim, "spec.volumeName")[0] == '\0';
}

void
promise_volumes(const char *who, struct json_object *pod,
    struct json_object *node)
{
	const char *name = claim_of(pod), *uses;
	const char *namespace = json_text(pod, "metadata.namespace");
	struct json_object *claim, *volume;
	struct past *past;
	/* a policy that names its predicates, but not this one, binds no claims */
	bool binds_claims = !policies_in_doubt() &&
	    (strstr(policies_text(), "predicates") == NULL ||
		strstr(policies_text(), "CheckVolumeBinding") != NULL);

	if (name == NULL)
		return;
	past = past_of(namespace, name);
	claim = apiserver_get("persistentvolumeclaims", namespace, name);
	uses = json_text(claim, "spec.volumeName");
	volume = apiserver_get("persistentvolumes", "", uses);
	if (binds_claims && !is_recent(past->hurt)) {
		if (claim == NULL || volume == NULL ||
		    json_at(claim, "metadata.deletionTimestamp") != NULL ||
		    member(claim, "metadata.annotations", BIND_COMPLETED)[0] ==
			'\0')
			promise_breaks("%s is bound and its claim %s is not",
			    json_text(pod, "metadata.name"), name);
		else if (node != NULL && !reaches(volume, node))
			promise_breaks("%s is bound to %s, which does not "
				       "reach its volume %s",
			    json_text(pod, "metadata.name"),
			    json_text(node, "metadata.name"), uses);
	}
	if (binds_claims && claim != NULL && is_anothers(claim, who))
		promise_breaks("%s is bound with claim %s, which is for one "
			       "pod, and %s has it",
		    json_text(pod, "metadata.name"), name,
		    json_text(user_of(claim, false), "metadata.name"));
	past->bound_at = loop_now();
	snprintf(past->bound_by, sizeof(past->bound_by), "%s", who);
}

void
promise_volume(const char *who, struct json_object *before,
    struct json_object *after)
{
	const char *was = json_text(before, "spec.claimRef.uid");
	const char *is = json_text(after, "spec.claimRef.uid");

	trace("%s gives volume %s to claim %s", who,
	    json_text(after, "metadata.name"),
	    json_text(after, "spec.claimRef.name"));
	if (was[0] != '\0' && strcmp(was, is) != 0)
		promise_breaks("volume %s is given to two claims",
		    json_text(after, "metadata.name"));
}

/* ---- all of it ---- */

/* The claims that pods may have, but for one in so many. */
static void
add_claims(uint32_t missing)
{
	for (size_t i = 0; i < LENGTH(namespaces); i++)
		for (unsigned n = 0; n < PER_NAMESPACE; n++)
			if (!loop_one_in(missing))
				add_claim(namespaces[i], n);
}

void
volumes_anew(void)
{
	if (!here)
		return;
	apiserver_each("persistentvolumeclaims", remove_claim, NULL);
	apiserver_each("persistentvolumes", remove_volume, NULL);
	narrow = loop_one_in(2);
	most = narrow ? 1 : loop_below(3);
	exclusive = loop_one_in(2);
	change_topologies();
	add_claims(2);
}

void
volumes_rest(bool rest)
{
	resting = rest;
}

void
volumes_start(bool on, bool is_calm)
{
	here = on;
	calm = is_calm;
	serial = 0;
	slow_until = 0;
	exclusive = false;
	memset(pasts, 0, sizeof(pasts));
	if (!here)
		return;
	changes_of = (uint32_t)loop_random();
	most = loop_below(3);
	narrow = (changes_of >> 8 & 3) == 1;
	if (narrow) {
		changes_of = 7;
		most = 1;
	}
	add_classes();
	for (unsigned i = 0; i < 6; i++)
		add_local_volume();
	add_claims(4);
	on_user(NULL);
	on_controller(NULL);
}
