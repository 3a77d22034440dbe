#include "config.h"

#include "t/simulation/caches.h"

#include <json-c/json.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/scheduler.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"
#include "t/simulation/volumes.h"

#define DAEMONS 8
#define WAY (4 * SECOND)

/* Each daemon makes one. */
static struct {
	const struct event_base *base;
	const struct scheduler *scheduler;
} made[DAEMONS];
static unsigned nmade;

struct scheduler *__real_scheduler_new(const struct scheduler_options *options);
struct scheduler *__wrap_scheduler_new(const struct scheduler_options *options);

struct scheduler *
__wrap_scheduler_new(const struct scheduler_options *options)
{
	struct scheduler *scheduler = __real_scheduler_new(options);
	unsigned i = nmade++ % DAEMONS;

	made[i].base = options->base;
	made[i].scheduler = scheduler;
	return scheduler;
}

/* The last that was made: another's event loop may have been at the same address. */
const struct scheduler *
scheduler_of(const struct event_base *base)
{
	for (unsigned i = 1; i <= DAEMONS && i <= nmade; i++)
		if (made[(nmade - i) % DAEMONS].base == base)
			return made[(nmade - i) % DAEMONS].scheduler;
	return NULL;
}

void
scheduler_forget(const struct event_base *base)
{
	for (size_t i = 0; i < DAEMONS; i++)
		if (made[i].base == base)
			made[i].base = NULL;
}

struct compare {
	const struct scheduler *scheduler;
	const char *who;
	size_t nwaiting;
};

/* A pod without a node. */
static void
compare_waiting(struct compare *c, const struct object *pod)
{
	const struct flight *flight =
	    flight_find(&c->scheduler->flights, pod->uid);
	const struct pod *held =
	    queue_find(c->scheduler->queue, pod->uid, NULL);

	c->nwaiting++;
	if (flight == NULL || !flight->waits || held == NULL)
		promise_breaks("%s does not know that %s waits", c->who,
		    pod->name);
	else if (strcmp(held->object.resource_version, pod->resource_version) !=
	    0)
		promise_breaks("%s has version %s of %s, which waits, not %s",
		    c->who, held->object.resource_version, pod->name,
		    pod->resource_version);
}

static void
look_for_claim(void *arg, struct json_object *pod)
{
	const struct compare *c = arg;
	const struct flight *flight =
	    flight_find(&c->scheduler->flights, json_text(pod, "metadata.uid"));

	if (flight == NULL || flight->binding == NULL)
		return;
	if (volumes_lacks(pod))
		promise_breaks("%s waits on its node for a claim that is gone",
		    json_text(pod, "metadata.name"));
	if (volumes_elsewhere(pod, sym_text(flight->binding->at.node)))
		promise_breaks("%s waits on its node for a claim that others "
			       "have selected another for",
		    json_text(pod, "metadata.name"));
}

static void
compare_object(void *arg, struct json_object *json)
{
	struct compare *c = arg;
	const char *phase = json_text(json, "status.phase");
	struct object *object;
	const struct object *held;

	if (strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0)
		return;
	object = promised_object(json);
	if (object == NULL)
		return;
	if (object->kind == OBJECT_POD &&
	    ((struct pod *)object)->node == SYM_EMPTY) {
		compare_waiting(c, object);
	} else {
		held = cluster_object(c->scheduler->options.cluster, object);
		if (held == NULL)
			promise_breaks("%s does not know %s %s", c->who,
			    json_text(json, "kind"), object->name);
		else if (strcmp(held->resource_version,
			     object->resource_version) != 0)
			promise_breaks("%s has version %s of %s %s, not %s",
			    c->who, held->resource_version,
			    json_text(json, "kind"), object->name,
			    object->resource_version);
	}
	object_unref(object);
}

static void
same_number(const char *who, const char *what, size_t held, size_t of)
{
	if (held != of)
		promise_breaks("%s holds %zu %s, and there are %zu", who, held,
		    what, of);
}

/* Of nodes a version that is alike in all that matters is not taken. */
static bool
is_alike(const struct node *a, const struct node *b)
{
	return a->unschedulable == b->unschedulable &&
	    labels_equal(&a->labels, &b->labels) && node_taints_equal(a, b) &&
	    resources_equal(&a->allocatable, &b->allocatable);
}

static void
compare_nodes(const char *who, const struct cluster *held,
    const struct cluster *of)
{
	same_number(who, "nodes", held->nnodes, of->nnodes);
	for (uint32_t i = 0; i < of->nnodes; i++) {
		const struct node_info *node = of->nodes[i];
		const struct node_info *its = cluster_node(held, node->name);

		if (its == NULL || its->node == NULL ||
		    !is_alike(its->node, node->node)) {
			promise_breaks("%s has another version of %s", who,
			    sym_text(node->name));
			continue;
		}
		same_number(who, "pods on a node", its->npods, node->npods);
		same_number(who, "nominated pods", its->nnominated,
		    node->nnominated);
		same_number(who, "host ports", its->nports, node->nports);
		if (!resources_equal(&its->requested, &node->requested))
			promise_breaks("%s takes the sum of what the pods on "
				       "%s request for another",
			    who, sym_text(node->name));
	}
}

static void
compare_budgets(const char *who, const struct cluster *held,
    const struct cluster *of, const char *namespace)
{
	static const struct namespace_info none;
	sym name = sym_find(namespace);
	const struct namespace_info *its = cluster_namespace(held, name);
	const struct namespace_info *all = cluster_namespace(of, name);
	const struct object_list *budgets;

	its = its != NULL ? its : &none;
	all = all != NULL ? all : &none;
	budgets = &all->lists[SELECTING_BUDGETS];
	same_number(who, "disruption budgets", its->lists[SELECTING_BUDGETS].n,
	    budgets->n);
	for (size_t i = 0; i < budgets->n && promise_broken() == NULL; i++)
		same_number(who, "disruptions",
		    (size_t)budget_at(its, i)->disruptions_allowed,
		    (size_t)budget_at(all, i)->disruptions_allowed);
}

/* Beside the objects: what is kept of those that are gone. */
static void
compare_sizes(const char *who, const struct cluster *held,
    const struct cluster *of)
{
	same_number(who, "pods", held->pods.n, of->pods.n);
	same_number(who, "names of nodes", held->node_infos.n,
	    of->node_infos.n);
	same_number(who, "priorities", held->npriorities, of->npriorities);
	for (size_t i = 0; i < OBJECT_KINDS; i++)
		same_number(who, object_kind_name(i), held->named[i].n,
		    of->named[i].n);
	same_number(who, "claims in use", held->claim_users.n,
	    of->claim_users.n);
	same_number(who, "volumes with claims", held->claims_naming.n,
	    of->claims_naming.n);
}

void
promise_caches(const struct event_base *base, const char *who,
    struct cluster **server)
{
	static const char *const resources[] = { "pods", "services",
		"persistentvolumes", "persistentvolumeclaims", "storageclasses",
		"resourceslices", "resourceclaims" };
	struct compare c = { scheduler_of(base), who, 0 };
	struct cluster *of;

	/* What has just changed may still be on its way. */
	if (c.scheduler == NULL ||
	    loop_now() - apiserver_others_changed_at("", "", "") < WAY)
		return;
	/* A pod may wait on its node for ten minutes for its claims. */
	if (c.scheduler->flights.nassumed > 0 &&
	    apiserver_count("persistentvolumeclaims") > 0) {
		apiserver_each("pods", look_for_claim, &c);
		return;
	}
	if (*server == NULL)
		*server = promised_cluster();
	of = *server;
	for (size_t i = 0; i < LENGTH(resources); i++)
		apiserver_each(resources[i], compare_object, &c);
	compare_nodes(who, c.scheduler->options.cluster, of);
	compare_sizes(who, c.scheduler->options.cluster, of);
	compare_budgets(who, c.scheduler->options.cluster, of, "red");
	compare_budgets(who, c.scheduler->options.cluster, of, "blue");
	same_number(who, "records of waiting pods", c.scheduler->flights.all.n,
	    c.nwaiting);
	same_number(who, "assumed pods", c.scheduler->flights.nassumed, 0);
}
