/* CheckVolumeBinding's parts, which LeafNodeVolumeBinding shares. */
#ifndef PREDICATES_VOLUME_BINDING_H
#define PREDICATES_VOLUME_BINDING_H

#include <stdbool.h>

#include "framework/verdict.h"

struct cycle;
struct column_block;
struct node_info;

const void *volume_binding_prepare(struct cycle *cycle, const void *args);
enum verdict volume_binding_check(struct cycle *cycle,
    const struct node_info *node, const void *prep, struct why *why);
bool volume_binding_check_block(struct cycle *cycle,
    const struct column_block *block, const void *prep, uint8_t *codes);
const char *volume_binding_miss(struct cycle *cycle,
    const struct node_info *node, const void *prep);

#endif
