/* Every priority there is (decide/framework/rule_table.h). */
#ifndef PRIORITIES_REGISTRY_H
#define PRIORITIES_REGISTRY_H

#include "decide/framework/priority.h"

#define PRIORITY(x) extern const struct priority priority_##x;
#include "decide/framework/rule_table.h"

/* In the order of their names; npriorities of them. */
extern const struct priority *const priorities[];
extern const size_t npriorities;

#endif
