/* CheckVolumeBinding's parts, which LeafNodeVolumeBinding shares. */
#ifndef PREDICATES_VOLUME_BINDING_H
#define PREDICATES_VOLUME_BINDING_H

#include "sched/verdict.h"

struct cycle;
struct node_info;

const void *volume_binding_prepare(struct cycle *cycle, const void *args);
enum verdict volume_binding_check(struct cycle *cycle,
    const struct node_info *node, const void *prep, struct why *why);
const char *volume_binding_miss(struct cycle *cycle,
    const struct node_info *node, const void *prep);

#endif
