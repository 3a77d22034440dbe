/* Every predicate there is: table.h declares and lists them. */
#ifndef PREDICATES_REGISTRY_H
#define PREDICATES_REGISTRY_H

#include <stddef.h>

#include "framework/predicate.h"
#include "framework/prefilter.h"

#define PREDICATE(x) extern const struct predicate predicate_##x;
#include "predicates/table.h"
#undef PREDICATE

/* PreFilter of the plugins whose rules these predicates are. */
extern const struct prefilter prefilter_check_volume_binding;
extern const struct prefilter prefilter_no_volume_zone_conflict;
extern const struct prefilter prefilter_read_write_once_pod;
extern const struct prefilter prefilter_resource_claims;
extern const struct prefilter prefilter_scheduling_gates;

/* In the order in which they are tried on a node; npredicates of them. */
extern const struct predicate *const predicates[];
extern const size_t npredicates;

#endif
