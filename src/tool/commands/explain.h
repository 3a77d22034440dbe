/* The results of explain, for people. */
#ifndef CTL_EXPLAIN_H
#define CTL_EXPLAIN_H

#include "tool/commands/options.h"
#include "explain/explanation.h"

void explain_table(const struct options *options,
    const struct explanation *found);

/* The nodes that fit, best first, then by name; nfeasible of the decision.  In the
 * cycle's arena. */
const struct node_info **explain_fitting(const struct explanation *found);

#endif
