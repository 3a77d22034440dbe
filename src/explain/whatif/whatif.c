#include "config.h"

#include "explain/whatif/whatif.h"

#include "base/hash.h"
#include "base/sorted.h"
#include "base/text.h"
#include "cluster/confines.h"
#include "cluster/volume_binding.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/cycle_devices.h"
#include "objects/workload.h"

/* From this release on kubectl dumps policy/v1, where a budget with an empty
 * selector covers all pods of its namespace; before, none
 * (https://kubernetes.io/docs/reference/using-api/deprecation-guide). */
#define EMPTY_COVERS_ALL_FROM 21

const struct profile *
whatif_by_name(const void *arg, const struct profiles *profiles,
    const struct pod *pod)
{
	return profiles_serving(profiles, sym_text(pod->class->scheduler_name));
}

void
whatif_init(struct whatif *w)
{
	w->arena = (struct arena)ARENA_INIT;
	w->ecaches = xcalloc(w->profiles->n, sizeof(struct ecache *));
	for (size_t i = 0; i < w->profiles->n; i++)
		w->ecaches[i] = ecache_new(w->cluster, w->profiles->at[i],
		    ECACHE_BYTES_DEFAULT);
}

void
whatif_fini(struct whatif *w)
{
	for (size_t i = 0; i < w->profiles->n; i++)
		ecache_free(w->ecaches[i]);
	free(w->ecaches);
	arena_fini(&w->arena);
}

size_t
whatif_place_of(const struct whatif *w, const struct profile *profile)
{
	size_t i = 0;

	while (w->profiles->at[i] != profile)
		i++;
	return i;
}

bool
whatif_begin(struct whatif *w, const struct pod *pod, uint64_t n)
{
	const struct profile *profile =
	    w->serving(w->serving_arg, w->profiles, pod);

	if (profile == NULL)
		return false;
	arena_reset(&w->arena);
	w->stay = SYM_NONE;
	w->cycle = (struct cycle){
		.cluster = w->cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &w->arena,
		.ecache = w->ecaches[whatif_place_of(w, profile)],
		.seed = hash_mix(w->seed + n * UINT64_C(0x9e3779b97f4a7c15)),
	};
	return true;
}

/* The decision, but for the pod's node among equals. */
static struct decision *
stayed(const struct whatif *w, struct decision *d)
{
	if (w->stay != SYM_NONE && w->stay != SYM_EMPTY)
		decision_stay(d, w->cluster, w->stay);
	return d;
}

struct decision *
whatif_decide(struct whatif *w, const struct pod *pod, uint64_t n)
{
	return whatif_decide_staying(w, pod, n, SYM_NONE);
}

struct decision *
whatif_decide_staying(struct whatif *w, const struct pod *pod, uint64_t n,
    sym node)
{
	return whatif_begin(w, pod, n) ? whatif_decide_begun(w, node) : NULL;
}

struct decision *
whatif_decide_begun(struct whatif *w, sym node)
{
	w->stay = node;
	return stayed(w, decide(&w->cycle));
}

struct decision *
whatif_decide_again(struct whatif *w)
{
	struct decision *d;

	w->cycle.keep_scores = true;
	w->cycle.ecache = NULL;
	d = decide(&w->cycle);
	if (d->error == NULL)
		decision_spell_out(&w->cycle, d);
	return stayed(w, d);
}

const char **
whatif_reasons(struct arena *arena, const struct why *why, uint32_t first,
    uint32_t n, sym node)
{
	const char **texts = arena_array(arena, const char *, n);

	for (uint32_t i = 0; i < n; i++) {
		texts[i] =
		    why_text(arena, why->reasons[first + i], sym_text(node));
		texts[i] = arena_strdup(arena, texts[i]);
	}
	return texts;
}

int
whatif_place(struct whatif *w, const struct pod *pod, sym node, struct err *err)
{
	const struct profile *profile =
	    w->serving(w->serving_arg, w->profiles, pod);
	struct volume_rules rules = { .release = w->cluster->kubernetes_minor };

	if (profile != NULL)
		rules =
		    profile_volume_rules(profile, w->cluster->kubernetes_minor);
	cluster_assume_volumes(w->cluster, pod, node, &rules);
	if (profile != NULL)
		devices_assume(w->cluster, profile, pod, node);
	return cluster_assume(w->cluster, pod, node, err);
}

struct pod *
whatif_waiting(const struct whatif *w, const struct pod *pod)
{
	struct pod *unbound = pod_on_node(pod, SYM_EMPTY);
	struct pod *waiting = pod_nominated_to(unbound, SYM_EMPTY);

	pod_unref(unbound);
	return cluster_confined(w->cluster, waiting);
}

struct pod *
whatif_lift(struct whatif *w, const struct pod *pod)
{
	struct pod *kept = pod_ref((struct pod *)pod), *waiting;

	cluster_remove(w->cluster, &kept->object);
	waiting = whatif_waiting(w, kept);
	pod_unref(kept);
	return waiting;
}

static void
save_objects(struct whatif_claims *claims, const struct map *map)
{
	EACH_VALUE (map, struct object, object) {
		vec_room(claims->at, claims->n, &claims->cap);
		claims->at[claims->n++] = object_ref(object);
	}
}

void
whatif_claims_save(struct whatif_claims *claims, const struct cluster *cluster)
{
	memset(claims, 0, sizeof(*claims));
	save_objects(claims, &cluster->named[OBJECT_PERSISTENT_VOLUME_CLAIM]);
	save_objects(claims, &cluster->named[OBJECT_PERSISTENT_VOLUME]);
	save_objects(claims, &cluster->named[OBJECT_RESOURCE_CLAIM]);
}

void
whatif_claims_restore(const struct whatif_claims *claims,
    struct cluster *cluster)
{
	struct whatif_claims now;

	/* those of extended resources are made when a pod is placed */
	whatif_claims_save(&now, cluster);
	for (size_t i = 0; now.n > claims->n && i < now.n; i++)
		if (!ANY(at, claims->n,
			claims->at[at]->kind == now.at[i]->kind &&
			    object_compare_names(claims->at[at], now.at[i]) ==
				0))
			cluster_remove(cluster, now.at[i]);
	whatif_claims_fini(&now);
	for (size_t i = 0; i < claims->n; i++) {
		struct object *was = claims->at[i];

		if (cluster_named(cluster, was->kind,
			was->kind == OBJECT_PERSISTENT_VOLUME ? SYM_EMPTY :
								was->namespace,
			sym_intern(was->name)) != was)
			cluster_put(cluster, was);
	}
}

void
whatif_claims_fini(struct whatif_claims *claims)
{
	for (size_t i = 0; i < claims->n; i++)
		object_unref(claims->at[i]);
	free(claims->at);
}

const char *
whatif_message(struct whatif *w, struct decision *decision,
    const struct pod *pod, struct arena *arena)
{
	const char *text;

	if (decision == NULL)
		return arena_printf(arena,
		    "no profile serves schedulerName \"%s\"",
		    sym_text(pod->class->scheduler_name));
	text = decision_message(&w->cycle, decision);
	return arena_strdup(arena, text);
}

int
whatif_compare_pods(const struct pod *a, const struct pod *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->object.created != b->object.created)
		return a->object.created < b->object.created ? -1 : 1;
	return whatif_compare_names(&a, &b);
}

int
whatif_compare_first_pods(const void *a, const void *b)
{
	return whatif_compare_pods(*(const struct pod *const *)a,
	    *(const struct pod *const *)b);
}

int
whatif_compare_names(const void *a, const void *b)
{
	const struct pod *x = *(const struct pod *const *)a;
	const struct pod *y = *(const struct pod *const *)b;

	return object_compare_names(&x->object, &y->object);
}

/* Of a budget in the pod's namespace. */
static bool
covers(const struct cluster *cluster,
    const struct pod_disruption_budget *budget, const struct pod *pod)
{
	if (!budget->has_selector || budget->selector.error != NULL)
		return false;
	if (selector_is_empty(&budget->selector))
		return cluster->kubernetes_minor >= EMPTY_COVERS_ALL_FROM;
	return selector_matches(&budget->selector, &pod->class->labels);
}

/*
 * Whether the API server asks no budget before it evicts the pod (its
 * pkg/registry/core/pod/storage/eviction.go, as of 1.36): it runs no more or not yet,
 * or is not ready and its only budget lets such pods go.
 */
static bool
is_unguarded(const struct cluster *cluster, const struct namespace_info *ns,
    const struct pod *pod)
{
	bool frees = true;
	size_t n = 0;

	if (pod_has_ended(pod) || pod->phase == POD_PENDING ||
	    pod->object.deleting)
		return true;
	for (size_t i = 0; !pod->ready && i < ns->lists[SELECTING_BUDGETS].n;
	     i++) {
		const struct pod_disruption_budget *budget = budget_at(ns, i);

		if (!covers(cluster, budget, pod))
			continue;
		frees &= budget->frees_unready;
		n++;
	}
	return n == 1 && frees;
}

struct whatif_budget *
whatif_next_budget(struct whatif_budgets *budgets, struct arena *arena,
    const struct cluster *cluster, const struct pod *pod, size_t *at)
{
	const struct namespace_info *ns =
	    cluster_namespace(cluster, pod->object.namespace);

	if (ns == NULL || (*at == 0 && is_unguarded(cluster, ns, pod)))
		return NULL;
	while (*at < ns->lists[SELECTING_BUDGETS].n) {
		const struct pod_disruption_budget *budget =
		    budget_at(ns, (*at)++);

		struct whatif_budget *b;

		if (!covers(cluster, budget, pod))
			continue;
		for (size_t i = 0; i < budgets->n; i++)
			if (budgets->at[i]->budget == budget)
				return budgets->at[i];
		b = arena_array(arena, struct whatif_budget, 1);
		*b = (struct whatif_budget){ budget,
			budget->disruptions_allowed, 0 };
		arena_room(arena, budgets->at, budgets->n, &budgets->cap);
		budgets->at[budgets->n++] = b;
		return b;
	}
	return NULL;
}

const char *
whatif_why_stays(const struct pod *pod)
{
	if (pod->class->of_daemon_set)
		return "of a DaemonSet";
	if (pod->class->controller_kind == sym_intern("Node"))
		return "mirror pod";
	if (pod->object.deleting)
		return "being deleted";
	return NULL;
}

bool
whatif_may_move(const struct pod *pod)
{
	return !pod_has_ended(pod) && pod->class->ngates == 0 &&
	    pod->object.partial == PARTIAL_NONE &&
	    whatif_why_stays(pod) == NULL;
}

/* ---- reasons ---- */

static void
mark_given(bool *given, const struct node_verdict *v)
{
	for (uint32_t i = 0; i < v->nreasons; i++)
		given[v->first_reason + i] = true;
}

/* A decision's reasons, each once: pods that stay pending share them while the
 * numbers of nodes differ.  Among d->why there may be some that no node gives any
 * more. */
static size_t
list_reasons(struct cycle *cycle, const struct decision *d,
    const char **reasons)
{
	bool *given = arena_array(cycle->arena, bool, d->why.n);
	size_t n = 0, distinct = 0;

	for (uint32_t i = 0; i < d->ncells; i++)
		mark_given(given, &d->verdicts[i]);
	mark_given(given, &d->unknown);
	for (size_t i = 0; i < d->why.n; i++)
		if (given[i])
			reasons[n++] = d->why.reasons[i];
	SORT(reasons, n, text_compare);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(reasons[distinct - 1], reasons[i]) != 0)
			reasons[distinct++] = reasons[i];
	return distinct;
}

const char *
whatif_summary(struct cycle *cycle, const struct decision *d)
{
	const char **reasons;
	size_t n;

	if (d->error != NULL)
		return d->error;
	reasons = arena_array(cycle->arena, const char *, d->why.n);
	n = list_reasons(cycle, d, reasons);
	for (size_t i = 0; i < n; i++)
		reasons[i] = why_text(cycle->arena, reasons[i], "*");
	return arena_printf(cycle->arena, "no node fits: %s",
	    arena_join(cycle->arena, n, reasons, "; "));
}
