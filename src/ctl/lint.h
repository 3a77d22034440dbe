/*
 * The effect of a policy on a particular cluster: finds valid rules without
 * effect there, or with an unintended one.
 */
#ifndef CTL_LINT_H
#define CTL_LINT_H

#include "ctl/load.h"
#include "policy/policy.h"

/*
 * Adds a warning for everything found; never an error.  The cluster has nodes;
 * checks that need pods are skipped if it has none.  several: it is one of the
 * profiles of a configuration, whose warnings name it.
 */
void lint(const struct profile *profile, bool several, const struct load *load,
    struct problems *problems);

/* Adds a note for every rule of the profile: whether it can change an answer on
 * this cluster, and if not, why.  Their severity means nothing. */
void lint_rules(const struct profile *profile, bool several,
    const struct load *load, struct problems *notes);

#endif
