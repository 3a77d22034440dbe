/*
 * The objects of a namespace that may select a pod, by the pod's labels: there may be
 * thousands of each kind, and each pod has few labels.
 *
 * Made on demand, and again after such an object has changed.
 */
#ifndef CLUSTER_SELECTOR_INDEX_H
#define CLUSTER_SELECTOR_INDEX_H

#include "base/arena.h"
#include "cluster/cluster.h"
#include "objects/selector.h"

struct selector_index;

/*
 * Users choose how many objects select a pod, and how long their selectors are.
 * Beyond so many requirements and values, the objects that may select it are not
 * looked at: `too_many`, and there are none.  No pod in use has nearly as many.
 */
#define WORKLOAD_REQUIREMENTS_MAX SELECTOR_REQUIREMENTS_MAX
#define BUDGET_REQUIREMENTS_MAX 200

/* Numbers in the list of the namespace, ascending, of all objects whose selector
 * matches the labels, and perhaps of others. */
struct maybe_selecting {
	bool too_many;
	size_t n, cap;
	uint32_t *at;
	/* Of their selectors; begins with those of other lists. */
	size_t nrequirements;
};

/* Of the Services and the other workloads.  One with a malformed selector makes its
 * list empty, as in kube-scheduler 1.15. */
struct maybe_selecting selecting_workloads(const struct namespace_info *ns,
    enum namespace_list list, const struct labels *labels, size_t nrequirements,
    struct arena *arena);

/* Of the budgets; none of those that cover no pod is among them. */
struct maybe_selecting selecting_budgets(const struct namespace_info *ns,
    const struct labels *labels, struct arena *arena);

/* How much of the budget is left, for the caller to count down; in a new round,
 * it is all that the budget allows. */
int64_t *budget_left(const struct namespace_info *ns, uint32_t number,
    uint64_t round);

void selector_index_free(struct selector_index *index); /* NULL is fine */

#endif
