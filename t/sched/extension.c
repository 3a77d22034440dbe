/* Answers of extenders, as decide() and preempt() use them. */
#include "config.h"

#include "decide/framework/extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define EXTENDERS ",\"extenders\":[{\"urlPrefix\":\"http://127.0.0.1:1\"}]}"
#define POLICY                                                                 \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":["          \
	"{\"name\":\"PodFitsResources\"}],\"priorities\":["                    \
	"{\"name\":\"LeastRequestedPriority\",\"weight\":1}]" EXTENDERS
#define NO_PRIORITIES                                                          \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[],"        \
	"\"priorities\":[]" EXTENDERS
#define THREE_NODES                                                            \
	W_NODE("n1", "", "") W_NODE("n2", "", "") W_NODE("n3", "", "")

/* Decides about a pod that asks for so much. */
static struct decision *
decided(struct world *w, const struct profile *p, const struct extension *e,
    const char *pod)
{
	world_pod(w, pod);
	w->cycle.profile = p;
	w->cycle.extension = e;
	return decide(&w->cycle);
}

static const char *
chosen(const struct decision *d)
{
	return d->chosen != NULL ? sym_text(d->chosen->name) : "none";
}

static void
leave(struct extension *e, const char *a, const char *b)
{
	sym nodes[2] = { sym_intern(a), sym_intern(b) };

	extension_restrict(e, nodes, 2);
}

static void
only_what_is_left_is_chosen(void)
{
	struct profile *p = t_profile(POLICY, NULL);
	struct world *w = world_new(THREE_NODES);
	struct extension e = { 0 };
	struct decision *d = decided(w, p, &e, W_POD("p", "", "", ""));

	t_int("nothing said: all fit", d->nfeasible, 3);
	leave(&e, "n1", "n3");
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_int("two are left", d->nfeasible, 2);
	t_true("one of them", strcmp(chosen(d), "n2") != 0);
	leave(&e, "n3", "gone");
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_str("the last word counts", chosen(d), "n3");
	world_put(w, W_NODE("gone", "", ""));
	world_remove(w, W_NODE("n3", "", ""));
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_str("names count, not places", chosen(d), "gone");
	extension_restrict(&e, NULL, 0);
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_str("nothing is left", chosen(d), "none");
	t_str("without a reason", decision_message(&w->cycle, d),
	    "0/3 nodes are available: .");
	extension_fini(&e);
	world_free(w);
	profile_free(p);
}

static void
reasons_are_counted(void)
{
	struct profile *p = t_profile(POLICY, NULL);
	struct world *w = world_new(THREE_NODES W_NODE_STATUS("small", "", "",
	    "allocatable: {pods: 110, cpu: 1, memory: 1Gi}"));
	struct extension e = { 0 };
	struct decision *d;

	extension_restrict(&e, NULL, 0);
	extension_refuse(&e, sym_intern("n1"), "no licence", false);
	extension_refuse(&e, sym_intern("n2"), "no licence", false);
	extension_refuse(&e, sym_intern("n3"), "too loud", false);
	extension_refuse(&e, sym_intern("n3"), "too hot", false);
	d = decided(w, p, &e, W_POD("p", "", "", W_REQUESTS("cpu: 2")));
	t_str("of each node", decision_message(&w->cycle, d),
	    "0/4 nodes are available: 1 Insufficient cpu, 1 too hot, "
	    "1 too loud, 2 no licence.");
	extension_refuse(&e, sym_intern("small"), "no licence", false);
	extension_refuse(&e, SYM_NONE, "no licence", false);
	extension_refuse(&e, sym_intern("unknown"), "odd", false);
	d = decided(w, p, &e, W_POD("p", "", "", W_REQUESTS("cpu: 2")));
	t_str("also where predicates refuse, and of unknown nodes",
	    decision_message(&w->cycle, d),
	    "0/4 nodes are available: 1 Insufficient cpu, 1 odd, 1 too hot, "
	    "1 too loud, 4 no licence.");
	leave(&e, "n1", "n2");
	d = decided(w, p, &e, W_POD("p", "", "", W_REQUESTS("cpu: 2")));
	t_int("but not of nodes that are left", d->nfeasible, 2);
	extension_fini(&e);
	world_free(w);
	profile_free(p);
}

static void
scores_are_added(void)
{
	struct profile *p = t_profile(POLICY, NULL);
	struct profile *bare = t_profile(NO_PRIORITIES, NULL);
	struct world *w = world_new(THREE_NODES);
	struct extension e = { 0 };
	struct decision *d;

	world_put(w, W_POD("big", "", "n2", W_REQUESTS("cpu: 4, memory: 8Gi")));
	extension_score(&e, sym_intern("n1"), 3);
	extension_score(&e, sym_intern("n2"), 20);
	extension_score(&e, sym_intern("n2"), -15);
	extension_score(&e, sym_intern("who"), 99);
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_str("they tip the choice", chosen(d), "n1");
	t_int("of totals", d->best_total, 13); /* 10 by LeastRequested */
	d = decided(w, bare, &e, W_POD("p", "", "", ""));
	t_str("without priorities they are all there is", chosen(d), "n2");
	t_int("from 0", d->best_total, 5);
	extension_score(&e, sym_intern("n3"), INT64_MAX);
	extension_score(&e, sym_intern("n3"), INT64_MAX);
	d = decided(w, p, &e, W_POD("p", "", "", ""));
	t_str("nonsense does no harm", chosen(d), "n1");
	extension_fini(&e);
	world_free(w);
	profile_free(p);
	profile_free(bare);
}

static void
what_is_kept_changes_nothing(void)
{
	struct profile *p = t_profile(POLICY, NULL);
	struct world *w = world_new(THREE_NODES);
	struct ecache *ecache = ecache_new(w->cluster, p, ECACHE_BYTES_DEFAULT);
	struct extension e = { 0 };
	struct decision *d;

	leave(&e, "n2", "n3");
	extension_score(&e, sym_intern("n3"), 1);
	for (int i = 0; i < 2; i++) {
		world_pod(w, W_POD("p", "", "", ""));
		w->cycle.profile = p;
		w->cycle.ecache = ecache;
		w->cycle.extension = i == 0 ? NULL : &e;
		d = decide(&w->cycle);
		t_int("nodes", d->nfeasible, i == 0 ? 3 : 2);
	}
	t_str("the same with kept results", chosen(d), "n3");
	ecache_free(ecache);
	extension_fini(&e);
	world_free(w);
	profile_free(p);
}

/* A node that an extender refuses may fit once pods are evicted, as in the
 * reference; where it says that it will not, no pod is. */
static void
preemption_looks_where_it_may_help(void)
{
	struct profile *p = t_profile(POLICY, NULL);
	struct world *w = world_new(W_NODE("n1", "", "") W_NODE("n2", "", ""));
	struct extension e = { 0 };
	struct preemption_candidate *candidates;
	struct decision *d;
	size_t n;

	extension_restrict(&e, NULL, 0);
	extension_refuse(&e, sym_intern("n1"), "full", false);
	extension_refuse(&e, sym_intern("n2"), "never", true);
	d = decided(w, p, &e, W_POD("p", "", "", "priority: 5"));
	t_str("where it says that it would not help there is none",
	    sym_text(preempt(&w->cycle, d)->node->name), "n1");
	candidates = preempt_candidates(&w->cycle, d, &n);
	t_int("one candidate", (int)n, 1);
	t_str("which is", sym_text(candidates[0].node->name), "n1");
	t_str("the one that extenders leave is taken",
	    sym_text(preempt_among(&w->cycle, candidates, 1)->node->name),
	    "n1");
	t_true("they may leave none",
	    preempt_among(&w->cycle, NULL, 0)->node == NULL);
	extension_fini(&e);
	world_free(w);
	profile_free(p);
}

T_MAIN(T(only_what_is_left_is_chosen), T(reasons_are_counted),
    T(scores_are_added), T(what_is_kept_changes_nothing),
    T(preemption_looks_where_it_may_help))
