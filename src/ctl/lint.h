/*
 * What a policy means on a particular cluster: rules that are written correctly
 * and yet do nothing there, or not what was meant.
 */
#ifndef CTL_LINT_H
#define CTL_LINT_H

#include "ctl/load.h"
#include "policy/policy.h"

/*
 * Adds a warning for everything found; never an error.  Without nodes in the
 * cluster there is only one, which says so; what depends on pods is left out
 * when it has none.
 */
void lint(const struct profile *profile, const struct load *load,
    struct problems *problems);

#endif
