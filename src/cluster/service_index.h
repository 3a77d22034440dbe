/*
 * The services of a namespace that may select a pod, by the pod's labels: there may be
 * thousands of services, and each pod has few labels.
 *
 * Made when it is asked for, and again after workloads have changed.
 */
#ifndef CLUSTER_SERVICE_INDEX_H
#define CLUSTER_SERVICE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cluster/cluster.h"

struct labels;
struct service_index;

/* Numbers in ns->services, ascending, of all services whose selector matches the
 * labels, and perhaps of others; *n of them, from the arena. */
const uint32_t *services_maybe(struct namespace_info *ns,
    const struct labels *labels, struct arena *arena, size_t *n);

void service_index_free(struct service_index *index); /* NULL is fine */

#endif
