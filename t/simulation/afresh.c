/* The program is linked with --wrap for what is called through here. */
#include "config.h"

#include "t/simulation/afresh.h"

#include <string.h>

#include "base/arena.h"
#include "cluster/cluster.h"
#include "cluster/node_info.h"
#include "decide/framework/profile.h"
#include "decide/sched/decide.h"
#include "decide/sched/post_filter.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

/* Changes that a daemon's journal remembers: so few that who reads them seldom must
 * begin again. */
#define JOURNAL 32

struct decision *__real_decide(struct cycle *cycle);
struct decision *__wrap_decide(struct cycle *cycle);
struct post_filter *__real_post_filter(struct cycle *cycle, struct decision *d);
struct post_filter *__wrap_post_filter(struct cycle *cycle, struct decision *d);
void __real_journal_init(struct journal *journal);
void __wrap_journal_init(struct journal *journal);

uint32_t afresh_one_in;

void
__wrap_journal_init(struct journal *journal)
{
	__real_journal_init(journal);
	if (afresh_one_in > 0)
		journal->cap = JOURNAL;
}

/* ---- another cluster of the same objects ---- */

static void
put_pods(struct cluster *copy, const struct node_info *node)
{
	struct err err;

	for (uint32_t i = 0; i < node->npods; i++) {
		const struct pod *pod = node->pods[i];

		if (pod->node != SYM_EMPTY)
			cluster_put(copy, (struct object *)&pod->object);
		else if (cluster_assume(copy, pod, node->name, &err) != 0)
			promise_breaks("%s is assumed twice: %s",
			    pod->object.name, err.text);
	}
	for (uint32_t i = 0; i < node->nnominated; i++)
		cluster_put(copy, (struct object *)&node->nominated[i]->object);
}

static struct cluster *
copy_of(const struct cluster *cluster)
{
	struct cluster *copy = cluster_new();

	copy->kubernetes_minor = cluster->kubernetes_minor;
	copy->allocates_devices = cluster->allocates_devices;
	cluster_set_scheduler_names(copy, cluster->nscheduler_names,
	    cluster->scheduler_names);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		cluster_put(copy,
		    (struct object *)&cluster->nodes[i]->node->object);
	for (size_t kind = 0; kind < OBJECT_KINDS; kind++)
		EACH_VALUE (&cluster->named[kind], struct object, object)
			cluster_put(copy, object);
	EACH_VALUE (&cluster->namespaces, const struct namespace_info, ns)
		for (size_t list = 0; list < NAMESPACE_LISTS; list++)
			for (size_t i = 0; i < ns->lists[list].n; i++)
				cluster_put(copy, ns->lists[list].at[i]);
	EACH_VALUE (&cluster->node_infos, const struct node_info, node)
		put_pods(copy, node);
	return copy;
}

/* ---- decisions ---- */

static bool
is_looked_at(const struct cycle *cycle)
{
	bool looked;

	if (loop_running == NULL || cycle->ecache == NULL)
		return false;
	loop_aside();
	looked = loop_one_in(afresh_one_in);
	loop_aside();
	return looked;
}

/* Of the cycle, in the copy. */
static struct cycle
again(const struct cycle *cycle, struct cluster *copy, struct arena *arena)
{
	return (struct cycle){ .cluster = copy,
		.profile = cycle->profile,
		.pod = cycle->pod,
		.class = cycle->class,
		.arena = arena,
		.seed = cycle->seed,
		.percentage_of_nodes = cycle->percentage_of_nodes,
		.now = cycle->now,
		.extension = cycle->extension };
}

static const char *
name_of(const struct node_info *node)
{
	return node != NULL ? sym_text(node->name) : "none";
}

/* A daemon decides by the rules of the release that it found. */
static void
look_at_release(const struct cycle *cycle)
{
	int minor = cycle->cluster->kubernetes_minor;

	if (loop_running != NULL && cycle->ecache != NULL &&
	    profile_follows(cycle->profile, minor))
		promise_breaks("%s is decided as by Kubernetes 1.%d, and the "
			       "server is 1.%d",
		    cycle->pod->object.name, cycle->profile->release, minor);
}

struct decision *
__wrap_decide(struct cycle *cycle)
{
	struct decision *d = __real_decide(cycle), *other;
	struct arena arena = ARENA_INIT;
	struct cluster *copy;
	struct cycle cold;

	look_at_release(cycle);
	if (!is_looked_at(cycle) || d->abandoned)
		return d;
	copy = copy_of(cycle->cluster);
	cold = again(cycle, copy, &arena);
	other = __real_decide(&cold);
	if (strcmp(name_of(d->chosen), name_of(other->chosen)) != 0 ||
	    d->nfeasible != other->nfeasible ||
	    (d->error == NULL) != (other->error == NULL) ||
	    (d->chosen != NULL && d->best_total != other->best_total))
		promise_breaks("%s would go to %s (%u nodes, %lld), not %s "
			       "(%u, %lld), if nothing were remembered",
		    cycle->pod->object.name, name_of(other->chosen),
		    other->nfeasible, (long long)other->best_total,
		    name_of(d->chosen), d->nfeasible, (long long)d->best_total);
	arena_fini(&arena);
	cluster_free(copy);
	return d;
}

/* Whether both evict the same pods from the same node. */
static bool
evict_alike(const struct preemption *a, const struct preemption *b)
{
	if ((a == NULL) != (b == NULL))
		return false;
	if (a == NULL)
		return true;
	if (strcmp(name_of(a->node), name_of(b->node)) != 0 ||
	    a->nvictims != b->nvictims)
		return false;
	for (size_t i = 0; i < a->nvictims; i++)
		if (a->victims[i] != b->victims[i])
			return false;
	return true;
}

struct post_filter *
__wrap_post_filter(struct cycle *cycle, struct decision *d)
{
	struct post_filter *post = __real_post_filter(cycle, d), *other;
	const struct preemption *p = post->preemption, *q;
	struct arena arena = ARENA_INIT;
	struct cluster *copy;
	struct cycle cold;

	if (!is_looked_at(cycle) || d->abandoned)
		return post;
	copy = copy_of(cycle->cluster);
	cold = again(cycle, copy, &arena);
	other = __real_post_filter(&cold, __real_decide(&cold));
	q = other->preemption;
	if (!evict_alike(p, q))
		promise_breaks("%s would evict %zu pods of %s, not %zu of %s, "
			       "if nothing were remembered",
		    cycle->pod->object.name, q != NULL ? q->nvictims : 0,
		    name_of(q != NULL ? q->node : NULL),
		    p != NULL ? p->nvictims : 0,
		    name_of(p != NULL ? p->node : NULL));
	arena_fini(&arena);
	cluster_free(copy);
	return post;
}
