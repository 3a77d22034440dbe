/*
 * Takes remedies at their word: what `explain` proposes for the pods of a cluster that
 * fit nowhere is applied to the cluster's objects as JSON, by code that knows nothing of
 * the rules, and the pod is decided about again.
 *
 *	remedies [--print] FILE...
 *	remedies --kinds
 *
 * Each file is a List in JSON, as `predicatectl dump` writes it.  A proven remedy that
 * does not let its pod in, or that breaks a rule of doc/troubleshooting.md, is printed
 * and ends the program with 1.  The last line counts pods, remedies and those of each
 * kind.  --kinds prints them in their order, as doc/troubleshooting.md has them.
 */
#include "config.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/remedy.h"
#include "decide/framework/profile.h"
#include "policy/policy.h"
#include "t/lib/profile.h"

static struct profile *profiles[2];
static unsigned npods, nhelped, nremedies, nproven, nfailed;
static unsigned kinds[REMEDY_KINDS];
static bool print;

/* ---- JSON, without the engine ---- */

static struct json_object *
at(struct json_object *object, const char *path)
{
	char key[128];

	while (object != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");

		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		if (!json_object_is_type(object, json_type_object) ||
		    !json_object_object_get_ex(object, key, &object))
			return NULL;
		path += len + (path[len] == '.');
	}
	return object;
}

static const char *
text(struct json_object *object, const char *path)
{
	struct json_object *found = at(object, path);

	return found != NULL ? json_object_get_string(found) : "";
}

/* RFC 7396; the target is changed. */
static void
merge(struct json_object *target, struct json_object *patch)
{
	json_object_object_foreach(patch, key, value)
	{
		struct json_object *old = NULL;

		if (value == NULL) {
			json_object_object_del(target, key);
			continue;
		}
		json_object_object_get_ex(target, key, &old);
		if (json_object_is_type(value, json_type_object)) {
			if (!json_object_is_type(old, json_type_object)) {
				old = json_object_new_object();
				json_object_object_add(target, key, old);
			}
			merge(old, value);
			continue;
		}
		json_object_object_add(target, key, json_object_get(value));
	}
}

static bool
is_named(struct json_object *object, const char *kind, const char *namespace,
    const char *name)
{
	return strcmp(text(object, "kind"), kind) == 0 &&
	    strcmp(text(object, "metadata.name"), name) == 0 &&
	    strcmp(text(object, "metadata.namespace"), namespace) == 0;
}

static size_t
find(struct json_object *items, const char *kind, const char *namespace,
    const char *name)
{
	size_t n = json_object_array_length(items);

	for (size_t i = 0; i < n; i++)
		if (is_named(json_object_array_get_idx(items, i), kind,
			namespace, name))
			return i;
	return SIZE_MAX;
}

/* NULL: it was done; or why not. */
static const char *
apply(struct json_object *items, struct json_object *change)
{
	const char *op = text(change, "op");
	size_t i;

	if (strcmp(op, "add") == 0) {
		json_object_array_add(items,
		    json_object_get(at(change, "object")));
		return NULL;
	}
	i = find(items, text(change, "kind"), text(change, "namespace"),
	    text(change, "name"));
	if (i == SIZE_MAX)
		return "a change of an object that is not there";
	if (strcmp(op, "delete") == 0)
		json_object_array_del_idx(items, i, 1);
	else if (strcmp(op, "merge") == 0)
		merge(json_object_array_get_idx(items, i), at(change, "patch"));
	else
		return "an unknown op";
	return NULL;
}

/* ---- what no remedy does ---- */

static bool
is_tolerated(struct json_object *pod, const char *key)
{
	struct json_object *all = at(pod, "spec.tolerations");
	size_t n = all != NULL ? json_object_array_length(all) : 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(text(json_object_array_get_idx(all, i), "key"),
			key) == 0)
			return true;
	return false;
}

static bool
is_owned(struct json_object *pod, const char *kind)
{
	struct json_object *all = at(pod, "metadata.ownerReferences");
	size_t n = all != NULL ? json_object_array_length(all) : 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(text(json_object_array_get_idx(all, i), "kind"),
			kind) == 0)
			return true;
	return false;
}

static int
priority_of(struct json_object *pod)
{
	return json_object_get_int(at(pod, "spec.priority"));
}

/* Nodes may be ready only once it runs. */
static bool
starts_nodes(struct json_object *pod)
{
	return json_object_get_boolean(at(pod, "spec.hostNetwork")) &&
	    priority_of(pod) >= 2000000000;
}

/* The rule that the change breaks; NULL: none. */
static const char *
broken_rule(struct json_object *items, struct json_object *pod,
    struct json_object *change)
{
	static const char *const conditions[] = { "not-ready", "unreachable",
		"disk-pressure", "memory-pressure", "pid-pressure",
		"network-unavailable" };
	static const char *const facts[] = { "kubernetes.io/arch",
		"kubernetes.io/os", "kubernetes.io/hostname",
		"topology.kubernetes.io/zone", "topology.kubernetes.io/region",
		"node.kubernetes.io/instance-type" };
	struct json_object *victim = NULL, *labels;
	const char *kind = text(change, "kind"), *op = text(change, "op");
	char key[64];

	if (strcmp(op, "merge") == 0 && strcmp(kind, "Pod") == 0)
		for (size_t i = 0; i < LENGTH(conditions); i++) {
			snprintf(key, sizeof(key), "node.kubernetes.io/%s",
			    conditions[i]);
			if (starts_nodes(pod) &&
			    (strcmp(conditions[i], "not-ready") == 0 ||
				strcmp(conditions[i], "network-unavailable") ==
				    0))
				continue;
			if (is_tolerated(at(change, "patch"), key) &&
			    !is_tolerated(pod, key))
				return "tolerates the taint of a condition";
		}
	labels = strcmp(op, "merge") == 0 && strcmp(kind, "Node") == 0 ?
	    at(change, "patch.metadata.labels") :
	    NULL;
	for (size_t i = 0; labels != NULL && i < LENGTH(facts); i++)
		if (json_object_object_get_ex(labels, facts[i], NULL))
			return "changes a label that states a fact";
	if (strcmp(op, "delete") != 0)
		return NULL;
	victim = json_object_array_get_idx(items,
	    find(items, kind, text(change, "namespace"), text(change, "name")));
	if (at(victim, "metadata.deletionTimestamp") != NULL)
		return NULL; /* one that waits for it */
	if (is_owned(victim, "Node") || is_owned(victim, "DaemonSet"))
		return "deletes a pod that belongs to its node";
	if (priority_of(victim) > priority_of(pod))
		return "deletes a pod of higher priority";
	return NULL;
}

/* ---- the engine ---- */

struct asked {
	struct cluster *cluster;
	struct pod *pod;
	struct arena arena;
	struct cycle cycle;
};

/* But the pod itself, which is decided about. */
static void
fill(struct asked *a, struct json_object *root, const char *namespace,
    const char *name)
{
	const char *json = json_object_to_json_string(root);
	struct doc_reader *reader =
	    doc_open_text("test", json, strlen(json), &doc_limits_people, true);
	const struct doc_node *node;
	struct object *object;
	const char *kind;
	struct err err;

	while (doc_next(reader, &node, &err) == 1) {
		if (object_decode(NULL, node, doc_item_kind(reader), &object,
			&kind, &err) != 1)
			continue;
		if (object->kind == OBJECT_POD &&
		    strcmp(object->name, name) == 0 &&
		    strcmp(sym_text(object->namespace), namespace) == 0)
			a->pod = (struct pod *)object_ref(object);
		else
			cluster_put(a->cluster, object);
		object_unref(object);
	}
	doc_close(reader);
}

static void
ask(struct asked *a, struct json_object *root, struct json_object *pod,
    const struct profile *profile)
{
	*a = (struct asked){ .cluster = cluster_new() };
	a->cluster->kubernetes_minor = profile->release > 0 ? 36 : 20;
	fill(a, root, text(pod, "metadata.namespace"),
	    text(pod, "metadata.name"));
	if (a->pod == NULL)
		return;
	a->pod = cluster_confined(a->cluster, a->pod);
	a->cycle = (struct cycle){ .cluster = a->cluster,
		.profile = profile,
		.pod = a->pod,
		.class = a->pod->class,
		.arena = &a->arena,
		.seed = 1,
		.keep_scores = true };
}

static void
end(struct asked *a)
{
	arena_fini(&a->arena);
	pod_unref(a->pod);
	cluster_free(a->cluster);
}

/* ---- remedies ---- */

static void
fails(const char *file, struct json_object *pod, const struct remedy *r,
    const char *why)
{
	printf("%s: %s/%s: \"%s\": %s\n  %s\n", file,
	    text(pod, "metadata.namespace"), text(pod, "metadata.name"),
	    r->text, why, r->changes);
	nfailed++;
}

static bool
fits_in(struct json_object *root, struct json_object *pod,
    const struct profile *profile)
{
	struct asked a;
	bool fits = false;

	ask(&a, root, pod, profile);
	if (a.pod != NULL) {
		struct decision *d = decide(&a.cycle);

		fits = d->error == NULL && d->chosen != NULL;
	}
	end(&a);
	return fits;
}

static void
check_remedy(const char *file, struct json_object *root,
    struct json_object *pod, const struct profile *profile,
    const struct remedy *r)
{
	AUTOFREE char *list = xasprintf("[%s]", r->changes);
	struct json_object *changes, *changed = NULL;
	const char *why = NULL;
	size_t n;

	nremedies++;
	kinds[r->kind]++;
	if (!r->proven)
		return;
	nproven++;
	changes = json_tokener_parse(list);
	json_object_deep_copy(root, &changed, NULL);
	n = changes != NULL ? json_object_array_length(changes) : 0;
	if (n == 0)
		why = "no changes";
	for (size_t i = 0; i < n && why == NULL; i++) {
		struct json_object *change =
		    json_object_array_get_idx(changes, i);

		/* kube-scheduler's own preemption knows none of these */
		if (r->kind != REMEDY_WAIT)
			why = broken_rule(at(root, "items"), pod, change);
		if (why == NULL)
			why = apply(at(changed, "items"), change);
	}
	if (why == NULL && !fits_in(changed, pod, profile))
		why = "the pod fits nowhere then";
	if (why != NULL)
		fails(file, pod, r, why);
	json_object_put(changed);
	json_object_put(changes);
}

static void
check_pod(const char *file, struct json_object *root, struct json_object *pod,
    const struct profile *profile)
{
	const struct diagnosis *d;
	struct explanation e = { 0 };
	struct asked a;

	ask(&a, root, pod, profile);
	if (a.pod == NULL) {
		end(&a);
		return;
	}
	e.own = a.cluster;
	explanation_find(&e, &a.cycle);
	d = diagnosis_find(&e);
	npods += d != NULL;
	nhelped += d != NULL && d->nremedies > 0 && d->remedies[0].proven;
	if (print && d != NULL)
		printf("%s: %s: %s; %s\n", file, text(pod, "metadata.name"),
		    d->text, d->remedy);
	for (size_t i = 0; d != NULL && i < d->nremedies; i++) {
		for (size_t j = 0; j < i; j++)
			if (strcmp(d->remedies[i].text, d->remedies[j].text) ==
			    0)
				fails(file, pod, &d->remedies[i], "said twice");
		check_remedy(file, root, pod, profile, &d->remedies[i]);
	}
	end(&a);
}

/* Two pods of one node with the same host port: no cluster has that. */
static bool
is_impossible(struct json_object *items)
{
	char seen[4096] = " ", port[256];
	size_t n = json_object_array_length(items), len = 1;

	for (size_t i = 0; i < n; i++) {
		struct json_object *pod = json_object_array_get_idx(items, i);
		struct json_object *all = at(pod, "spec.containers"), *ports;

		if (all == NULL || json_object_array_length(all) == 0 ||
		    text(pod, "spec.nodeName")[0] == '\0')
			continue;
		ports = at(json_object_array_get_idx(all, 0), "ports");
		if (ports == NULL || json_object_array_length(ports) == 0)
			continue;
		snprintf(port, sizeof(port), " %s:%s ",
		    text(pod, "spec.nodeName"),
		    text(json_object_array_get_idx(ports, 0), "hostPort"));
		if (strstr(seen, port) != NULL)
			return true;
		if (len + strlen(port) < sizeof(seen)) {
			strcpy(seen + len, port);
			len += strlen(port);
		}
	}
	return false;
}

static void
check_file(const char *file)
{
	struct json_object *root = json_object_from_file(file);
	struct json_object *items = at(root, "items");
	size_t n = items != NULL ? json_object_array_length(items) : 0;

	if (items == NULL) {
		printf("%s: no List: %s\n", file, json_util_get_last_err());
		nfailed++;
	}
	if (items != NULL && is_impossible(items))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		struct json_object *pod = json_object_array_get_idx(items, i);

		if (strcmp(text(pod, "kind"), "Pod") != 0 ||
		    text(pod, "spec.nodeName")[0] != '\0')
			continue;
		for (size_t j = 0; j < LENGTH(profiles); j++)
			check_pod(file, root, pod, profiles[j]);
	}
	json_object_put(root);
}

int
main(int argc, char **argv)
{
	struct policy_options options = { .gates = gates_default };

	if (argc == 2 && strcmp(argv[1], "--kinds") == 0) {
		for (size_t i = 0; i < REMEDY_KINDS; i++)
			printf("| %s | %s | %s |\n", remedy_words[i].kind,
			    remedy_words[i].harm, remedy_words[i].who);
		return 0;
	}
	profiles[0] = policy_provider("DefaultProvider", &options);
	profiles[1] = t_configured_profile("v1",
	    "\"schedulerName\":\"default-scheduler\"");
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--print") == 0)
			print = true;
		else
			check_file(argv[i]);
	}
	printf(
	    "%u pods that fit nowhere, %u with a proven remedy, %u remedies, "
	    "%u proven:",
	    npods, nhelped, nremedies, nproven);
	for (size_t i = 0; i < REMEDY_KINDS; i++)
		if (kinds[i] > 0)
			printf(" %u %s", kinds[i], remedy_words[i].kind);
	printf("\n");
	for (size_t i = 0; i < LENGTH(profiles); i++)
		profile_free(profiles[i]);
	return nfailed > 0;
}
