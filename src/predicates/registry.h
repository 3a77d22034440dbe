/* Every predicate and prefilter there is: table.h and prefilter_table.h list
 * them. */
#ifndef PREDICATES_REGISTRY_H
#define PREDICATES_REGISTRY_H

#include "framework/predicate.h"
#include "framework/prefilter.h"

#define PREDICATE(x) extern const struct predicate predicate_##x;
#include "predicates/table.h"
#undef PREDICATE

#define PREFILTER(x) extern const struct prefilter prefilter_##x;
#include "predicates/prefilter_table.h"
#undef PREFILTER

/* In the order in which they are tried on a node; npredicates of them. */
extern const struct predicate *const predicates[];
extern const size_t npredicates;

#endif
