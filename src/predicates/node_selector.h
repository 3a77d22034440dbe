/* Results of the rules about node selectors. */
#ifndef PREDICATES_NODE_SELECTOR_H
#define PREDICATES_NODE_SELECTOR_H

#define WHY_NO_MATCH "node(s) didn't match node selector"

#endif
