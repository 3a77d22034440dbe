#include "config.h"

#include "priorities/registry.h"

const struct priority *const priorities[] = {
#define PRIORITY(x) &priority_##x,
#include "priorities/table.h"
#undef PRIORITY
};

const size_t npriorities = LENGTH(priorities);
