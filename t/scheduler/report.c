/* Events and conditions of a pod. */
#include "config.h"

#include "daemon/scheduler/report.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static void
conditions_have_a_generation_from_1_34_on(void)
{
	struct cluster *cluster = cluster_new();
	struct pod *pod = world_decode_pod(
	    "--- {kind: Pod, metadata: {name: p, generation: 7}}");
	struct pod *without =
	    world_decode_pod("--- {kind: Pod, metadata: {name: p}}");

	cluster->kubernetes_minor = 33;
	t_int("1.33", report_generation(cluster, pod), 0);
	cluster->kubernetes_minor = 34;
	t_int("1.34", report_generation(cluster, pod), 7);
	t_int("none", report_generation(cluster, without), 0);
	pod_unref(pod);
	pod_unref(without);
	cluster_free(cluster);
}

T_MAIN(T(conditions_have_a_generation_from_1_34_on))
