#include "config.h"

#include "ctl/absent.h"

#include <string.h>

#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "ctl/ctl.h"
#include "ctl/live.h"
#include "model/pod.h"
#include "model/storage.h"

enum absent {
	ABSENT_CLAIMS,
	ABSENT_VOLUMES,
	ABSENT_CLASSES,
	ABSENT_PRIORITIES,
	ABSENTS,
};

/* The kind, and its resource's name for kubectl and in roles. */
static const struct {
	enum object_kind kind;
	const char *plural, *resource, *role;
} kinds[ABSENTS] = {
	[ABSENT_CLAIMS] = { OBJECT_PERSISTENT_VOLUME_CLAIM,
	    "PersistentVolumeClaims", "pvc", "persistentvolumeclaims" },
	[ABSENT_VOLUMES] = { OBJECT_PERSISTENT_VOLUME, "PersistentVolumes",
	    "pv", "persistentvolumes" },
	[ABSENT_CLASSES] = { OBJECT_STORAGE_CLASS, "StorageClasses", "sc",
	    "storageclasses" },
	[ABSENT_PRIORITIES] = { OBJECT_PRIORITY_CLASS, "PriorityClasses", "pc",
	    "priorityclasses" },
};

static void
look_at_claim(const struct cluster *cluster, const struct pod *pod, sym name,
    bool named[ABSENTS])
{
	const struct persistent_volume_claim *claim =
	    cluster_claim(cluster, pod->object.namespace, name);

	named[ABSENT_CLAIMS] = true;
	if (claim == NULL)
		return;
	named[ABSENT_VOLUMES] |= claim->volume_name != SYM_EMPTY;
	named[ABSENT_CLASSES] |= claim->volume_name == SYM_EMPTY &&
	    claim->has_class && claim->class != SYM_EMPTY;
}

/* Kubernetes makes system-… itself (ctl/load.c). */
static bool
names_class(const struct pod *pod)
{
	return !pod->has_priority && pod->priority_class != SYM_EMPTY &&
	    strncmp(sym_text(pod->priority_class), "system-", 7) != 0;
}

static void
look_at_pod(const struct cluster *cluster, const struct pod *pod,
    bool named[ABSENTS])
{
	const struct pod_class *class = pod->class;

	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (volume_is_claim(class->volumes[i].kind,
			cluster->kubernetes_minor))
			look_at_claim(cluster, pod, class->volumes[i].id,
			    named);
	named[ABSENT_PRIORITIES] |= names_class(pod);
}

static bool
has_any(const struct map *map)
{
	return map->n > 0;
}

static void
say(const struct live *live, enum absent which)
{
	const char *plural = kinds[which].plural;

	if (live->server == NULL)
		ctl_say("the dump holds no %s, which pending pods use; add %s "
			"to kubectl get",
		    plural, kinds[which].resource);
	else if (live->states[kinds[which].kind] == LIVE_FORBIDDEN)
		ctl_say("not allowed to list %s, which pending pods use; a "
			"role needs get and list for %s",
		    plural, kinds[which].role);
	else if (live->states[kinds[which].kind] == LIVE_NOT_SERVED)
		ctl_say("the API server has no %s, which pending pods use",
		    plural);
}

void
absent_say(const struct cluster *cluster, const struct live *live, size_t npods,
    struct pod *const *pods)
{
	const bool held[ABSENTS] = {
		[ABSENT_CLAIMS] =
		    has_any(&cluster->named[OBJECT_PERSISTENT_VOLUME_CLAIM]),
		[ABSENT_VOLUMES] =
		    has_any(&cluster->named[OBJECT_PERSISTENT_VOLUME]),
		[ABSENT_CLASSES] =
		    has_any(&cluster->named[OBJECT_STORAGE_CLASS]),
		[ABSENT_PRIORITIES] =
		    has_any(&cluster->named[OBJECT_PRIORITY_CLASS]),
	};
	bool named[ABSENTS] = { false };

	for (size_t i = 0; i < npods; i++)
		if (pods[i]->node == SYM_EMPTY)
			look_at_pod(cluster, pods[i], named);
	for (enum absent i = 0; i < ABSENTS; i++)
		if (named[i] && !held[i])
			say(live, i);
}
