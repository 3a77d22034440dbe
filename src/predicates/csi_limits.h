/* How many volumes of CSI drivers a node would have attached: for the
 * Max…VolumeCount predicates in clusters of SINCE_CSI_LIMITS and later. */
#ifndef PREDICATES_CSI_LIMITS_H
#define PREDICATES_CSI_LIMITS_H

#include "base/sym.h"
#include "decide/framework/verdict.h"

struct cycle;
struct column_block;
struct node_info;

/* The node's allocatable that limits a driver's volumes (volume/util,
 * GetCSIAttachLimitKey); SYM_NONE if no node has it. */
sym csi_limit_name(sym driver);

/* Implementations of a predicate's functions of these names; driver: count its
 * volumes alone, NULL: each driver's. */
const void *csi_limits_prepare(struct cycle *cycle, const char *driver);
enum verdict csi_limits_check(struct cycle *cycle, const struct node_info *node,
    const void *prep, struct why *why);
bool csi_limits_check_block(struct cycle *cycle,
    const struct column_block *block, const void *prep, uint8_t *codes);
const char *csi_limits_miss(struct cycle *cycle, const struct node_info *node,
    const void *prep);

#endif
