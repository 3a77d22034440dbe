/*
 * Volumes that count once, however many pods use them.
 */
#ifndef CLUSTER_VOLUME_SET_H
#define CLUSTER_VOLUME_SET_H

#include "base/sym.h"

struct arena;

struct counted_volume {
	uint64_t id;
	sym limit; /* against which it counts: an allocatable, a CSI driver */
	uint32_t order; /* of coming in */
};

struct volume_set {
	size_t n, cap;
	struct counted_volume *at;
};

void volume_set_add(struct arena *arena, struct volume_set *set, uint64_t id,
    sym limit);
/* Call this after all are added: keeps each volume once, as it was added
 * last. */
void volume_set_settle(struct volume_set *set);
/* In a settled set. */
bool volume_set_has(const struct volume_set *set, uint64_t id);

#endif
