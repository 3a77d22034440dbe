#include "config.h"

#include "daemon/pod_resources.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/node_info.h"
#include "scheduler/scheduler.h"
#include "metrics/metrics.h"
#include "model/pod.h"

static const struct family {
	const char *name, *help;
	const struct resources *(*of)(const struct pod_class *class);
} families[];

struct writing {
	const struct family *family;
	const struct scheduler *scheduler;
	struct text *out;
};

static const struct resources *
requests_of(const struct pod_class *class)
{
	return class->from_32.held;
}

static const struct resources *
limits_of(const struct pod_class *class)
{
	return &class->limits;
}

static const struct family families[] = {
	{ "kube_pod_resource_request",
	    "Resources that a pod requests, in the unit of the label unit.",
	    requests_of },
	{ "kube_pod_resource_limit",
	    "Resources that a pod may use, in the unit of the label unit.",
	    limits_of },
};

static const char *
unit_of(const char *resource)
{
	if (strcmp(resource, "cpu") == 0)
		return "cores";
	if (strcmp(resource, "memory") == 0 ||
	    strcmp(resource, "ephemeral-storage") == 0 ||
	    strncmp(resource, "hugepages-", strlen("hugepages-")) == 0)
		return "bytes";
	if (strncmp(resource, "attachable-volumes-",
		strlen("attachable-volumes-")) == 0)
		return "integer";
	return "";
}

static void
put_label(struct text *out, const char *before, const char *label,
    const char *value)
{
	text_put(out, before);
	text_put(out, label);
	text_put(out, "=\"");
	metrics_put_label_value(out, value);
	text_put(out, "\"");
}

static void
write_amount(struct writing *w, const struct pod *pod, const char *resource,
    double amount)
{
	char priority[16] = "";

	if (amount == 0)
		return;
	if (pod->has_priority)
		snprintf(priority, sizeof(priority), "%d", (int)pod->priority);
	text_put(w->out, w->family->name);
	put_label(w->out, "{", "namespace", sym_text(pod->object.namespace));
	put_label(w->out, ",", "node", sym_text(pod->node));
	put_label(w->out, ",", "pod", pod->object.name);
	put_label(w->out, ",", "priority", priority);
	put_label(w->out, ",", "resource", resource);
	put_label(w->out, ",", "scheduler",
	    sym_text(pod->class->scheduler_name));
	put_label(w->out, ",", "unit", unit_of(resource));
	text_put(w->out, "} ");
	metrics_put_number(w->out, amount);
	text_put(w->out, "\n");
}

static void
write_pod(struct writing *w, const struct pod *pod)
{
	const struct resources *r = w->family->of(pod->class);

	if (pod->node != SYM_EMPTY &&
	    (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED))
		return;
	write_amount(w, pod, "cpu", (double)r->cpu_milli / 1000);
	write_amount(w, pod, "memory", (double)r->memory);
	write_amount(w, pod, "ephemeral-storage", (double)r->ephemeral_storage);
	for (uint32_t i = 0; i < r->nscalars; i++)
		write_amount(w, pod, sym_text(r->scalars[i].name),
		    (double)r->scalars[i].amount);
}

static bool
write_waiting(const struct queue_waiting *waiting, void *arg)
{
	struct writing *w = arg;

	/* the cluster has it on a node */
	if (!flight_is_bound(&w->scheduler->flights, waiting->pod))
		write_pod(w, waiting->pod);
	return true;
}

void
pod_resources_write(const struct scheduler *s, struct text *out)
{
	const struct cluster *cluster = s->options.cluster;

	for (size_t i = 0; i < LENGTH(families); i++) {
		struct writing w = { &families[i], s, out };

		text_put(out, "# HELP ");
		text_put(out, families[i].name);
		text_put(out, " [STABLE] ");
		text_put(out, families[i].help);
		text_put(out, "\n# TYPE ");
		text_put(out, families[i].name);
		text_put(out, " gauge\n");
		for (size_t j = 0; j < cluster->node_infos.nslots; j++) {
			const struct node_info *node =
			    cluster->node_infos.slots[j].value;

			for (uint32_t k = 0; node != NULL && k < node->npods;
			     k++)
				write_pod(&w, node->pods[k]);
		}
		queue_walk(s->queue, 0, SIZE_MAX, write_waiting, &w);
	}
}
