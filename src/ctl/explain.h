/* The results of explain, for people. */
#ifndef CTL_EXPLAIN_H
#define CTL_EXPLAIN_H

#include "ctl/options.h"
#include "explain/explanation.h"

/* explanation_json() about a pod that waits, with the diagnosis and what each node
 * lacks; roughly max_bytes, 0: no limit. */
void explain_json(const struct options *options, const struct profile *profile,
    struct cluster *cluster, const struct pod *pod, size_t max_bytes,
    FILE *out);

void explain_table(const struct options *options,
    const struct explanation *found);

/* The nodes that fit, best first, then by name; nfeasible of the decision.  In the
 * cycle's arena. */
const struct node_info **explain_fitting(const struct explanation *found);

#endif
