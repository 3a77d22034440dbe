#include "config.h"

#include "cluster/confines.h"

#include "cluster/distribution.h"
#include "model/confines.h"
#include "model/pod.h"

struct pod *
cluster_confined(const struct cluster *cluster, struct pod *takes)
{
	struct confines confines = {
		.distribution = distribution_of(cluster, takes),
	};
	struct pod *pod = pod_confined(takes, &confines);

	pod_unref(takes);
	return pod;
}
