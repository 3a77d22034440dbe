/*
 * PodFitsHostPorts: every host port that the pod requests is free on the node.
 *
 * Two ports collide when number and protocol are equal and the host IPs are
 * equal or one of them is 0.0.0.0; "::" has no special meaning.  Ports of init
 * containers do not count, those of sidecars do from 1.34 on.  Ports of assumed
 * pods count: their bind may still be on its way to the API server.
 *
 * Same rule as kube-scheduler 1.15, PodFitsHostPorts, and 1.36, NodePorts.
 */
#include "config.h"

#include <inttypes.h>

#include "cluster/columns.h"
#include "cluster/host_ports.h"
#include "cluster/node_info.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

/* Ports of two pods are compared one by one up to so many comparisons. */
#define COMPARED_MAX 4096

#define WHY_TAKEN "node(s) didn't have free ports for the requested pod ports"

struct wanted {
	uint32_t n;
	const struct host_port *ports;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct wanted *wanted = arena_alloc(cycle->arena, sizeof(*wanted));

	wanted->n = pod_nports(cycle->class, cycle_release(cycle));
	wanted->ports = cycle->class->ports;
	return wanted->n > 0 ? wanted : NULL;
}

/* The first wanted port that collides with one of n used ones, which are in
 * order, or NULL. */
static const struct host_port *
taken(const struct wanted *wanted, uint32_t n, const struct host_port *used)
{
	for (uint32_t i = 0; n > 0 && i < wanted->n; i++)
		if (host_ports_collide(used, n, &wanted->ports[i]))
			return &wanted->ports[i];
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	if (taken(prep, node->nports, node->ports) != NULL)
		return refuse(why, UNFIT, WHY_TAKEN);
	return FITS;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	const struct wanted *wanted = prep;

	if ((b->any & COLUMN_PORTS) == 0)
		memset(codes, 0, COLUMN_ROWS);
	else
		memcpy(codes,
		    cluster_port_collisions(cycle->cluster, wanted->ports,
			wanted->n) +
			b->first,
		    COLUMN_ROWS);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		const struct pod_class *class = node->pods[i]->class;
		uint32_t n =
		    pod_nports(class, cycle->cluster->kubernetes_minor);
		const struct host_port *port =
		    taken(prep, n, host_ports_of_class(cycle->arena, class, n));

		if (port != NULL)
			return arena_printf(cycle->arena,
			    "host port %s/%" PRId32 " is taken by %s",
			    sym_text(port->protocol), port->port,
			    pod_full_name(node->pods[i]));
	}
	return NULL;
}

const struct predicate predicate_pod_fits_host_ports = {
	.name = "PodFitsHostPorts",
	.policy = { .in = REGISTERED, .other = "PodFitsPorts" },
	.reads = READS_NODE | ASPECT_PORTS,
	.plugin = PLUGIN_NODE_PORTS,
	.needs = NEEDS_POD_PORTS,
	.kubelet = { "host ports", "NodePorts" },
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static bool
shares_port(const struct pod_class *class, const struct pod_class *left)
{
	return (uint64_t) class->nports * left->nports > COMPARED_MAX ||
	    ANY(i, class->nports,
		ANY(j, left->nports,
		    class->ports[i].port == left->ports[j].port));
}

static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	return change->left != NULL ? shares_port(class, change->left) :
				      change_adds_node(change);
}

const struct plugin plugin_node_ports = {
	.name = "NodePorts",
	.points = EARLY_AND_LATER(AT_POINT(PRE_FILTER) | AT_POINT(FILTER)),
	.filters = { &predicate_pod_fits_host_ports },
	.enabled = true,
	.no_pre_filter = "reading \"PreFilterNodePorts\" from "
			 "cycleState: not found",
	.wakes = wakes,
	.aspects = ASPECT_PORTS,
};
