/*
 * Selects the distribution policy of a pod (objects/distribution_policy.h).
 *
 * Every selector of the policies of the pod's namespace, and of the cluster's,
 * either skips the pod or matches it at one level, its best:
 *
 *	namespace   name > namePrefix > labelSelector
 *	cluster     name > namePrefix > labelSelector
 *
 * The highest level wins, any of the namespace's before any of the cluster's.
 * Among equals the longest prefix, then the oldest policy, then the policy whose
 * name comes first; within one policy the selector that comes last.  Names are
 * those of pods, and labels those of pods; a labelSelector is one like any
 * other, {} selects everything.  Pods of DaemonSets go where they must.
 *
 * These are the rules of Kosmos' documentation.  Its code differs (only the last
 * policy of the list counts; one equal pair of matchLabels is enough;
 * matchExpressions are ignored) and is not followed.
 */
#ifndef CLUSTER_DISTRIBUTION_H
#define CLUSTER_DISTRIBUTION_H

#include "objects/confines.h"

struct arena;
struct cluster;
struct pod;
struct resource_selector;

/* .policy is SYM_EMPTY when nothing selects the pod.  The arrays are the
 * policy's. */
struct distribution distribution_of(const struct cluster *cluster,
    const struct pod *pod);

/* "DistributionPolicy ns/name, term leaf: only leaf nodes"; .policy is set. */
const char *distribution_text(struct arena *arena,
    const struct distribution *distribution);

/* Whether the selector matches the pod at any level. */
bool resource_selector_matches(const struct resource_selector *selector,
    const struct pod *pod);

#endif
