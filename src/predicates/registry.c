#include "config.h"

#include "predicates/registry.h"

const struct predicate *const predicates[] = {
#define PREDICATE(x) &predicate_##x,
#include "decide/framework/rule_table.h"
};

const size_t npredicates = LENGTH(predicates);
