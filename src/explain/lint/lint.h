/*
 * The effect of a policy on a particular cluster: finds valid rules without
 * effect there, or with an unintended one.
 */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "decide/framework/profiles.h"
#include "policy/policy.h"

/* The cluster that rules are compared with, and its pods. */
struct lint_cluster {
	const struct cluster *cluster;
	size_t npods;
	struct pod *const *pods;
	/* By enum unsupported: the objects that have it, but for pods. */
	const size_t *nunsupported;
};

/*
 * Adds a warning for everything found; never an error.  The cluster has nodes;
 * checks that need pods are skipped if it has none.  Of several profiles warnings
 * name theirs.
 */
void lint(const struct profiles *profiles, const struct lint_cluster *on,
    struct problems *problems);

/* Adds a note for every rule of the profiles: whether it can change an answer on
 * this cluster, and if not, why.  Their severity means nothing. */
void lint_rules(const struct profiles *profiles, const struct lint_cluster *on,
    struct problems *notes);

#endif
