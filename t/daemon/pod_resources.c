/* /metrics/resources */
#include "config.h"

#include <string.h>

#include "daemon/scheduler/binder.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "daemon/gauges.h"
#include "daemon/scheduler/scheduler.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

static char *
written(struct scheduler *s, const char *pod, const char *node)
{
	struct pod *waits = world_decode_pod(pod);
	struct placement placement = { .pod = waits };
	struct text text = { 0 };
	struct err err = { "" };

	queue_add(s->queue, waits, 0);
	if (node != NULL) {
		placement.node = sym_find(node);
		t_int(node, binding_assume(&s->flights, &placement, &err), 0);
	}
	pod_resources_write(s, &text);
	pod_unref(waits);
	return text_take(&text);
}

/* How often text has part. */
static int
count(const char *text, const char *part)
{
	int n = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		n++;
	}
	return n;
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
	struct scheduler s = { .options.cluster = w->cluster,
		.queue = queue_new(&queue_options_default, 0),
		.flights.cluster = w->cluster };
	AUTOFREE char *got =
	    written(&s, W_POD("waits", "", "", W_REQUESTS("cpu: 100m")), NULL);
	AUTOFREE char *again = written(&s,
	    W_POD("assumed", "", "", W_REQUESTS("cpu: 100m")), "n1");

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
	t_int("no pod twice", count(again, "assumed"), 1);
	t_has("the assumed one is on its node", again,
	    LABELS("n1", "assumed", "", "cpu", "cores") "0.1\n");
	flights_fini(&s.flights);
	queue_free(s.queue);
	world_free(w);
}

T_MAIN(T(pods_show_what_they_request))
