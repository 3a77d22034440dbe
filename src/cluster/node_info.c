#include "config.h"

#include "cluster/node_info.h"

#include "base/arena.h"
#include "cluster/host_ports.h"
#include "cluster/node_info_internal.h"
#include "objects/changes.h"

enum scored_by
scored_by(int release)
{
	if (release >= SINCE_SHARE_SIDECARS)
		return SCORED_BY_32;
	if (release >= SINCE_SHARE_OVERHEAD)
		return SCORED_BY_27;
	return release >= SINCE_FRAMEWORK ? SCORED_BY_20 : SCORED_BY_POLICY;
}

uint32_t
pod_nports(const struct pod_class *class, int minor)
{
	return minor >= SINCE_SIDECAR_PORTS ? class->nports : class->napp_ports;
}

/* All totals but the requested resources. */
static void
count(struct node_info *node, int minor, const struct pod_class *class,
    int sign)
{
	for (enum scored_by by = 0; by < NSCORED_BY; by++) {
		struct nonzero_requests held =
		    pod_nonzero_held(class, by, minor);
		struct nonzero_requests *sum = &node->scored[by];

		sum->cpu_milli =
		    wrap_add(sum->cpu_milli, wrap_mul(sign, held.cpu_milli));
		sum->memory =
		    wrap_add(sum->memory, wrap_mul(sign, held.memory));
	}
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *volume = &class->volumes[i];

		if (volume_is_attachable(volume->kind))
			node->nattachable += (uint32_t)sign;
		if (volume->kind == VOLUME_CLAIM && volume->id == SYM_EMPTY)
			node->nnameless += (uint32_t)sign;
	}
}

void
node_info_tally(struct node_info *node, int minor,
    const struct pod_class *class, int sign)
{
	resources_tally(&node->requested, pod_held(class, minor), sign);
	count(node, minor, class, sign);
}

struct node_info *
node_info_copy(struct arena *arena, const struct node_info *node)
{
	struct node_info *copy = arena_memdup(arena, node, sizeof(*node));

	copy->pods =
	    arena_memdup(arena, node->pods, node->npods * sizeof(*node->pods));
	copy->pods_cap = node->npods;
	copy->ports = arena_memdup(arena, node->ports,
	    node->nports * sizeof(*node->ports));
	copy->ports_cap = node->nports;
	copy->requested = resources_copy(arena, &node->requested);
	return copy;
}

void
node_info_add(struct arena *arena, struct node_info *copy, int minor,
    const struct pod *pod)
{
	const struct pod_class *class = pod->class;
	uint32_t nports = pod_nports(class, minor);

	resources_add(arena, &copy->requested, pod_held(class, minor), 1);
	count(copy, minor, class, 1);
	arena_room(arena, copy->pods, copy->npods, &copy->pods_cap);
	copy->pods[copy->npods++] = pod;
	if (nports == 0)
		return;
	while (copy->ports_cap < copy->nports + nports)
		arena_room(arena, copy->ports, copy->ports_cap,
		    &copy->ports_cap);
	copy->nports = host_ports_add(copy->ports, copy->nports, class, nports);
}

/* Its place, npods if it is not there.  Those that were added last are found first:
 * one that is added to see whether it fits is taken away again. */
static uint32_t
find_pod(const struct node_info *node, const struct pod *pod)
{
	for (uint32_t i = node->npods; i-- > 0;)
		if (node->pods[i] == pod)
			return i;
	for (uint32_t i = 0; i < node->npods; i++)
		if (strcmp(node->pods[i]->object.uid, pod->object.uid) == 0)
			return i;
	return node->npods;
}

bool
node_info_remove(struct arena *arena, struct node_info *copy, int minor,
    const struct pod *pod)
{
	const struct pod_class *class = pod->class;
	uint32_t at;

	at = find_pod(copy, pod);
	if (at == copy->npods)
		return false;
	copy->pods[at] = copy->pods[--copy->npods];
	resources_add(arena, &copy->requested, pod_held(class, minor), -1);
	count(copy, minor, class, -1);
	if (pod_nports(class, minor) > 0)
		copy->nports = host_ports_remove(copy->ports, copy->nports,
		    class, pod_nports(class, minor), true);
	return true;
}
