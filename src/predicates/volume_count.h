/*
 * How many volumes a node would have attached: for the Max…VolumeCount
 * predicates.
 */
#ifndef PREDICATES_VOLUME_COUNT_H
#define PREDICATES_VOLUME_COUNT_H

#include "cluster/volume_set.h"
#include "objects/pod.h"

struct cycle;
struct column_block;
struct object_change;

#define WHY_MAX_VOLUMES "node(s) exceed max volume count"
#define ERROR_CLAIM_WITHOUT_NAME "PersistentVolumeClaim had no name"

/*
 * A volume is identified by its real name or, while that is unknown, by its
 * claim.  Names of the two sorts are never equal, so that a volume whose claim
 * was bound in the meantime may count twice.
 */
static inline uint64_t
volume_id_real(sym name)
{
	return (uint64_t)SYM_NONE << 32 | name;
}

static inline uint64_t
volume_id_claimed(sym namespace, sym claim)
{
	return (uint64_t) namespace << 32 | claim;
}

/* wakes() of plugins whose rule depends on any volumes: a node, a pod with volumes that
 * has left, or another object that is not about devices may help. */
bool volume_change_wakes(const struct pod_class *class,
    const struct object_change *change);

/*
 * Adds to *n the volumes of this kind and the claims among a pod's volumes: at
 * most so many of the kind it has.  VOLUME_CLAIM counts claims alone.  False:
 * one of the claims has no name.
 */
bool volume_count_at_most(const struct pod_class *class, enum volume_kind kind,
    int64_t *n);

/* For a check_block(): nodes that may lack room for n more volumes of the kind
 * (VOLUME_CLAIM for all) are to be checked; limit: of nodes without one of their
 * own. */
void volume_limits_check_block(const struct column_block *block,
    enum volume_kind kind, uint32_t n, int64_t limit, uint8_t *codes);

/* "3 volumes over the limit of 39" in the cycle's arena. */
const char *volume_count_excess(struct cycle *cycle, int64_t volumes,
    int64_t limit);

/* The value of KUBE_MAX_PD_VOLS: 0 unless it is a positive decimal number of 64
 * bits (strconv.Atoi); text may be NULL. */
int64_t max_pd_vols_parse(const char *text);

#endif
