#include "config.h"

#include "predicates/registry.h"

const struct predicate *const predicates[] = {
#define PREDICATE(x) &predicate_##x,
#include "predicates/table.h"
#undef PREDICATE
};

const size_t npredicates = LENGTH(predicates);
