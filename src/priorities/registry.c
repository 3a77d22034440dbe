#include "config.h"

#include "priorities/registry.h"

const struct priority *const priorities[] = {
#define PRIORITY(x) &priority_##x,
#include "decide/framework/rule_table.h"
};

const size_t npriorities = LENGTH(priorities);
