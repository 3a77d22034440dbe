/* The public face of the engine: texts in, decisions out. */
#include "config.h"

#include "include/predicated.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "cluster/pod_priority.h"
#include "policy/configuration/configuration.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/miss.h"
#include "objects/pod.h"
#include "objects/release.h"
#include "explain/whatif/whatif.h"

struct predicated {
	struct cluster *cluster;
	struct policy_options how;
	struct profiles *profiles;
	struct whatif whatif;
	struct strmap pods; /* by "namespace/name": a struct known */
	struct err err;
};

/* A pod as it was put; on the node to which it is bound. */
struct known {
	struct pod *pod;
	char name[];
};

/* Takes the profiles in the place of those that are there. */
static void
use_profiles(struct predicated *p, struct profiles *profiles)
{
	if (p->profiles != NULL) {
		whatif_fini(&p->whatif);
		profiles_free(p->profiles);
	}
	p->profiles = profiles;
	p->whatif = (struct whatif){ .cluster = p->cluster,
		.profiles = profiles,
		.serving = whatif_by_name };
	whatif_init(&p->whatif);
}

struct predicated *
predicated_new(const char *release)
{
	int minor = release != NULL ? release_parse(release) : -1;
	struct predicated *p;

	if (minor < RELEASE_OLDEST || minor > RELEASE_NEWEST)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->cluster = cluster_new();
	p->cluster->kubernetes_minor = minor;
	p->cluster->device_steps = DEVICE_STEPS_AT_LEISURE;
	p->how = (struct policy_options){ .gates = gates_default,
		.kubernetes_minor = minor,
		.without_extenders = true };
	use_profiles(p,
	    profiles_of_one(policy_provider("DefaultProvider", &p->how)));
	return p;
}

void
predicated_free(struct predicated *p)
{
	if (p == NULL)
		return;
	whatif_fini(&p->whatif);
	profiles_free(p->profiles);
	EACH_VALUE (&p->pods, struct known, known) {
		pod_unref(known->pod);
		free(known);
	}
	strmap_fini(&p->pods);
	cluster_free(p->cluster);
	free(p);
}

const char *
predicated_error(const struct predicated *p)
{
	return p->err.text;
}

int
predicated_rules(struct predicated *p, const char *name, const char *text,
    size_t len)
{
	AUTOFREE char *copy = xstrndup(text, len);
	struct problems problems = { 0 };
	struct profiles *profiles = NULL;
	struct profile *profile;

	/* kube-scheduler 1.15 reads it as {}; the command that wrote it failed */
	if (len == 0)
		return errf(&p->err, "%s: it is empty", name);
	if (configuration_is(copy)) {
		profiles = configuration_read(name, copy, len, &p->how,
		    &problems, &p->err);
	} else {
		profile =
		    policy_read(name, copy, len, &p->how, &problems, &p->err);
		if (profile != NULL)
			profiles = profiles_of_one(profile);
	}
	problems_fini(&problems);
	if (profiles == NULL)
		return -1;
	if (profiles->at[0]->first_reader > p->how.kubernetes_minor) {
		errf(&p->err, "%s: it is for Kubernetes 1.%d or later", name,
		    profiles->at[0]->first_reader);
		profiles_free(profiles);
		return -1;
	}
	use_profiles(p, profiles);
	return 0;
}

/* ---- objects ---- */

/* All that are decoded of the text, in the arena; -1: err. */
static int
read_objects(struct arena *arena, const char *name, const char *text,
    size_t len, struct object ***objects, size_t *n, struct err *err)
{
	struct doc_reader *reader =
	    doc_open_text(name, text, len, &doc_limits_dump, true);
	const struct doc_node *root;
	struct object *object;
	size_t cap = 0;
	int rc;

	*objects = NULL;
	*n = 0;
	while ((rc = doc_next(reader, &root, err)) == 1) {
		rc = object_decode(NULL, root, doc_item_kind(reader), &object,
		    NULL, err);
		if (rc < 0)
			break;
		if (rc == 0)
			continue;
		arena_room(arena, *objects, *n, &cap);
		(*objects)[(*n)++] = object;
	}
	doc_close(reader);
	for (size_t i = 0; rc < 0 && i < *n; i++)
		object_unref((*objects)[i]);
	return rc;
}

static struct known *
find(const struct predicated *p, const char *namespace, const char *name)
{
	AUTOFREE char *full = xasprintf("%s/%s", namespace, name);

	return strmap_get(&p->pods, full);
}

static void
remove_pod(struct predicated *p, struct known *known)
{
	cluster_remove(p->cluster, &known->pod->object);
	strmap_del(&p->pods, known->name);
	pod_unref(known->pod);
	free(known);
}

static void
put_pod(struct predicated *p, struct pod *pod)
{
	struct known *known =
	    find(p, sym_text(pod->object.namespace), pod->object.name);
	const char *name = pod_full_name(pod);

	if (known != NULL)
		remove_pod(p, known);
	known = xmalloc(sizeof(*known) + strlen(name) + 1);
	memcpy(known->name, name, strlen(name) + 1);
	known->pod = cluster_prioritized(p->cluster, pod_ref(pod));
	strmap_put(&p->pods, known->name, known);
	cluster_put(p->cluster, &known->pod->object);
}

long
predicated_put(struct predicated *p, const char *name, const char *text,
    size_t len)
{
	struct arena arena = ARENA_INIT;
	struct object **objects;
	long done = -1;
	size_t n;

	if (read_objects(&arena, name, text, len, &objects, &n, &p->err) == 0) {
		/* Priority classes before the pods that name them. */
		for (size_t i = 0; i < n; i++)
			if (objects[i]->kind != OBJECT_POD)
				cluster_put(p->cluster, objects[i]);
		for (size_t i = 0; i < n; i++)
			if (objects[i]->kind == OBJECT_POD)
				put_pod(p, (struct pod *)objects[i]);
		for (size_t i = 0; i < n; i++)
			object_unref(objects[i]);
		done = (long)n;
	}
	arena_fini(&arena);
	return done;
}

int
predicated_remove(struct predicated *p, const char *kind, const char *namespace,
    const char *name)
{
	struct text text = { 0 };
	struct object *object;
	enum object_kind number;
	struct known *known;
	struct doc *doc;

	if (!object_kind_parse(kind, &number))
		return errf(&p->err, "there is no kind %s", kind);
	if (namespace == NULL)
	namespace = "";
	if (number == OBJECT_POD) {
		known = find(p, namespace, name);
		if (known != NULL)
			remove_pod(p, known);
		return 0;
	}
	/* One that is called so stands for it. */
	json_put(&text, "{'metadata':{'namespace':%s,'name':%s}}", namespace,
	    name);
	doc = doc_parse("", text.bytes, text.len, &doc_limits_people, &p->err);
	object = doc != NULL ?
	    object_decode_as(NULL, number, doc_root(doc), &p->err) :
	    NULL;
	if (object != NULL)
		cluster_remove(p->cluster, object);
	object_unref(object);
	doc_free(doc);
	text_fini(&text);
	return object != NULL ? 0 : -1;
}

/* ---- questions ---- */

/* The pod as it waits; you own it.  NULL: there is none that does. */
static struct pod *
waiting(struct predicated *p, const char *namespace, const char *name)
{
	const struct known *known = find(p, namespace, name);

	if (known == NULL)
		errf(&p->err, "pod %s/%s is not in the cluster", namespace,
		    name);
	else if (known->pod->node != SYM_EMPTY)
		errf(&p->err, "pod %s is on node %s", known->name,
		    sym_text(known->pod->node));
	else if (whatif_by_name(NULL, p->profiles, known->pod) == NULL)
		errf(&p->err, "no profile is for the schedulerName \"%s\"",
		    sym_text(known->pod->class->scheduler_name));
	else
		return cluster_confined(p->cluster, pod_ref(known->pod));
	return NULL;
}

int
predicated_decide(struct predicated *p, const char *namespace, const char *name,
    uint64_t seed, struct predicated_decision *decision)
{
	struct pod *pod = waiting(p, namespace, name);
	struct decision *d;

	if (pod == NULL)
		return -1;
	whatif_begin(&p->whatif, pod, 0);
	p->whatif.cycle.seed = seed;
	d = whatif_decide_begun(&p->whatif, SYM_NONE);
	*decision = (struct predicated_decision){ .message = "" };
	if (d->error == NULL && d->chosen != NULL) {
		decision->node = sym_text(d->chosen->name);
		decision->nfeasible = d->nfeasible;
	} else {
		decision->message =
		    whatif_message(&p->whatif, d, pod, &p->whatif.arena);
	}
	pod_unref(pod);
	return 0;
}

int
predicated_bind(struct predicated *p, const char *namespace, const char *name,
    const char *node)
{
	struct pod *pod = waiting(p, namespace, name);
	sym at = sym_intern(node);
	const struct node_info *info = cluster_node(p->cluster, at);
	struct known *known;
	int rc;

	if (pod == NULL)
		return -1;
	if (info == NULL || info->node == NULL)
		rc = errf(&p->err, "node %s is not in the cluster", node);
	else
		rc = whatif_place(&p->whatif, pod, at, &p->err);
	if (rc == 0) {
		known = find(p, namespace, name);
		pod_unref(known->pod);
		known->pod = pod_on_node(pod, at);
		cluster_put(p->cluster, &known->pod->object);
	}
	pod_unref(pod);
	return rc;
}

char *
predicated_explain(struct predicated *p, const char *namespace,
    const char *name, uint64_t seed)
{
	struct pod *pod = waiting(p, namespace, name);
	struct explanation e = { .own = p->cluster };
	char *text = NULL;
	size_t len;
	FILE *out;

	if (pod == NULL)
		return NULL;
	whatif_begin(&p->whatif, pod, 0);
	p->whatif.cycle.seed = seed;
	p->whatif.cycle.ecache = NULL;
	p->whatif.cycle.keep_scores = true;
	explanation_find(&e, &p->whatif.cycle);
	e.diagnosis = diagnosis_find(&e);
	if (e.diagnosis != NULL)
		e.misses = misses_by_node(&e);
	out = open_memstream(&text, &len);
	explanation_json(&e, out);
	fclose(out);
	pod_unref(pod);
	return text;
}
