#include "config.h"

#include "cluster/pod_priority.h"

#include "cluster/cluster.h"
#include "objects/pod.h"
#include "objects/workload.h"

/* Kubernetes' own two classes need not be in the dump. */
static bool
system_priority(const char *name, int32_t *out)
{
	if (strcmp(name, "system-cluster-critical") == 0)
		*out = 2000000000;
	else if (strcmp(name, "system-node-critical") == 0)
		*out = 2000001000;
	else
		return false;
	return true;
}

/* The global default with the lowest value, as the API server's admission
 * chooses; or NULL. */
static const struct priority_class *
global_default(const struct cluster *cluster)
{
	const struct map *map = &cluster->named[OBJECT_PRIORITY_CLASS];
	const struct priority_class *found = NULL;

	EACH_VALUE (map, const struct priority_class, class)
		if (class->global_default &&
		    (found == NULL || class->value < found->value))
			found = class;
	return found;
}

struct pod *
cluster_prioritized(const struct cluster *cluster, struct pod *pod)
{
	const struct priority_class *class;
	int32_t value = 0;
	struct pod *changed;

	if (pod->has_priority)
		return pod;
	class = pod->priority_class != SYM_EMPTY ?
	    cluster_priority_class(cluster, pod->priority_class) :
	    global_default(cluster);
	if (class != NULL)
		value = class->value;
	else if (!system_priority(sym_text(pod->priority_class), &value))
		return pod;
	changed = pod_nominated_to(pod, pod->nominated);
	changed->priority = value;
	changed->has_priority = true;
	changed->never_preempts |= class != NULL && class->never_preempts;
	pod_unref(pod);
	return changed;
}
