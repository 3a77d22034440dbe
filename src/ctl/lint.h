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
 * checks that need pods are skipped if it has none.  Of several profiles warnings
 * name theirs.
 */
void lint(const struct profiles *profiles, const struct load *load,
    struct problems *problems);

/* Adds a note for every rule of the profiles: whether it can change an answer on
 * this cluster, and if not, why.  Their severity means nothing. */
void lint_rules(const struct profiles *profiles, const struct load *load,
    struct problems *notes);

#endif
