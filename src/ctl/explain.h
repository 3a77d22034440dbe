/* The results of explain, for people. */
#ifndef CTL_EXPLAIN_H
#define CTL_EXPLAIN_H

#include "ctl/options.h"
#include "explain/explanation.h"

/* explanation_json() with the diagnosis and what each node lacks; roughly max_bytes,
 * 0: no limit. */
void explain_json(struct cycle *cycle, size_t max_bytes, FILE *out);

void explain_table(const struct options *options,
    const struct explanation *found);

/* The nodes that fit, best first, then by name; nfeasible of the decision.  In the
 * cycle's arena. */
const struct node_info **explain_fitting(const struct explanation *found);

#endif
