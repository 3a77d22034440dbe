/* Every predicate there is (decide/framework/rule_table.h). */
#ifndef PREDICATES_REGISTRY_H
#define PREDICATES_REGISTRY_H

#include "decide/framework/predicate.h"

#define PREDICATE(x) extern const struct predicate predicate_##x;
#include "decide/framework/rule_table.h"

/* In the order in which they are tried on a node; npredicates of them. */
extern const struct predicate *const predicates[];
extern const size_t npredicates;

#endif
