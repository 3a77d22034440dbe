/* By which name a change of an object counts. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "daemon/gauges.h"
#include "wire/metrics/metrics.h"
#include "objects/object.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

/* NULL for NULL; you own it. */
static struct object *
decode(const char *kind, const char *rest)
{
	AUTOFREE char *text = rest == NULL ?
	    NULL :
	    xasprintf("--- {kind: %s, metadata: {name: x}, %s}", kind, rest);

	return t_object(text);
}

static void
events_are_named_as_by_kube_scheduler(void)
{
	static const char s[] = "spec: {}", bound[] = "spec: {nodeName: n1}";
	static const struct {
		const char *kind, *before, *after, *event; /* "": none */
	} rows[] = {
		{ "Pod", NULL, s, "UnschedulablePodAdd" },
		{ "Pod", s, s, "UnschedulablePodUpdate" },
		{ "Pod", s, NULL, "UnschedulablePodDelete" },
		{ "Pod", s, bound, "AssignedPodAdd" },
		{ "Pod", NULL, bound, "AssignedPodAdd" },
		{ "Pod", bound, bound, "AssignedPodUpdate" },
		{ "Pod", bound, NULL, "AssignedPodDelete" },
		{ "Node", NULL, s, "NodeAdd" },
		{ "Node", s, NULL, "NodeDelete" },
		{ "Node", s, s, "" },
		{ "Node", s, "status: {allocatable: {cpu: 1}}",
		    "NodeUpdateNodeAllocatable" },
		{ "Node", s, "spec: {taints: [{key: k}]}",
		    "NodeUpdateNodeTaint" },
		{ "Node", s,
		    "status: {conditions: [{type: Ready, status: 'True'}]}",
		    "NodeUpdateNodeCondition" },
		{ "PersistentVolume", NULL, s, "PersistentVolumeAdd" },
		{ "PersistentVolumeClaim", s, s,
		    "PersistentVolumeClaimUpdate" },
		{ "StorageClass", NULL, "provisioner: p",
		    "storage.k8s.io/StorageClassAdd" },
		{ "CSINode", NULL, s, "storage.k8s.io/CSINodeAdd" },
		{ "ReplicaSet", NULL, s, "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct object *before = decode(rows[i].kind, rows[i].before);
		struct object *after = decode(rows[i].kind, rows[i].after);
		struct metrics *metrics = metrics_new();
		struct text text = { 0 };
		AUTOFREE char *got = NULL, *want = NULL;

		event_times_observe(metrics, before, after, 0.001);
		metrics_write(metrics, false, &text);
		got = text_take(&text);
		want = xasprintf("scheduler_event_handling_duration_seconds_"
				 "count{event=\"%s\"} 1\n",
		    rows[i].event);
		if (rows[i].event[0] != '\0')
			t_has(rows[i].event, got, want);
		else
			t_true(rows[i].kind,
			    strstr(got, "event_handling") == NULL);
		metrics_free(metrics);
		object_unref(before);
		object_unref(after);
	}
}

T_MAIN(T(events_are_named_as_by_kube_scheduler))
