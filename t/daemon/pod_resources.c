/* /metrics/resources */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "daemon/pod_resources.h"
#include "model/pod.h"
#include "queue/queue.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static bool
is_named_assumed(void *arg, const struct pod *pod)
{
	return strcmp(pod->object.name, "assumed") == 0;
}

static char *
written(const struct world *w, struct queue *queue, const char *pod)
{
	struct pod *waits = world_decode_pod(pod);
	struct text text = { 0 };

	queue_add(queue, waits, 0);
	pod_resources_write(w->cluster, queue, is_named_assumed, NULL, &text);
	pod_unref(waits);
	return text_take(&text);
}

#define LABELS(node, pod, priority, resource, unit)                            \
	"{namespace=\"default\",node=\"" node "\",pod=\"" pod                  \
	"\",priority=\"" priority "\",resource=\"" resource                    \
	"\",scheduler=\"default-scheduler\",unit=\"" unit "\"} "

static void
pods_show_what_they_request(void)
{
	struct world *w = world_new(W_NODE("n1", "", "") W_POD("a", "", "n1",
	    "priority: 5, containers: [{name: c, resources: {"
	    "requests: {cpu: 1500m, memory: 1Gi, x.com/gpu: 2, "
	    "hugepages-2Mi: 4Mi}, limits: {cpu: 2}}}]") W_POD_IN("default",
	    "ended", "", "n1", W_REQUESTS("cpu: 1"), "phase: Succeeded"));
	struct queue *queue = queue_new(&queue_options_default, 0);
	AUTOFREE char *got =
	    written(w, queue, W_POD("waits", "", "", W_REQUESTS("cpu: 100m")));
	AUTOFREE char *again = written(w, queue,
	    W_POD("assumed", "", "", W_REQUESTS("cpu: 100m")));

	t_has("cpu in cores", got,
	    "\nkube_pod_resource_request" LABELS("n1", "a", "5", "cpu",
		"cores") "1.5\n");
	t_has("memory in bytes", got,
	    "\nkube_pod_resource_request" LABELS("n1", "a", "5", "memory",
		"bytes") "1073741824\n");
	t_has("an extended resource", got,
	    "\nkube_pod_resource_request" LABELS("n1", "a", "5", "x.com/gpu",
		"") "2\n");
	t_has("huge pages", got,
	    LABELS("n1", "a", "5", "hugepages-2Mi", "bytes") "4194304\n");
	t_has("limits", got,
	    "\nkube_pod_resource_limit" LABELS("n1", "a", "5", "cpu",
		"cores") "2\n");
	t_has("who waits, without a priority", got,
	    "\nkube_pod_resource_request" LABELS("", "waits", "", "cpu",
		"cores") "0.1\n");
	t_true("not who has ended", strstr(got, "ended") == NULL);
	t_has("the type", got, "\n# TYPE kube_pod_resource_request gauge\n");
	t_true("no pod twice", strstr(again, "assumed") == NULL);
	queue_free(queue);
	world_free(w);
}

T_MAIN(T(pods_show_what_they_request))
