/* CheckVolumeBinding's parts, which LeafNodeVolumeBinding shares. */
#ifndef PREDICATES_VOLUME_BINDING_H
#define PREDICATES_VOLUME_BINDING_H

#include <stdbool.h>

#include "framework/verdict.h"

struct cycle;
struct refinement;
struct node_info;

const void *volume_binding_prepare(struct cycle *cycle, const void *args);
enum verdict volume_binding_check(struct cycle *cycle,
    const struct node_info *node, const void *prep, struct why *why);
bool volume_binding_distinguish(struct cycle *cycle, const void *prep,
    struct refinement *refinement);
const char *volume_binding_miss(struct cycle *cycle,
    const struct node_info *node, const void *prep);

#endif
