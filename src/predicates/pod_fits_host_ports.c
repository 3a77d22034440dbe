/*
 * PodFitsHostPorts: every host port that the pod requests is free on the node.
 *
 * Two ports collide when number and protocol are equal and the host IPs are
 * equal or one of them is 0.0.0.0; "::" has no special meaning.  Ports of init
 * containers do not count.  Ports of assumed pods do: their bind may still be
 * on its way to the API server.
 *
 * Same rule as kube-scheduler 1.15, PodFitsHostPorts.
 */
#include "config.h"

#include <inttypes.h>

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

#define WHY_TAKEN "node(s) didn't have free ports for the requested pod ports"

struct wanted {
	sym any_ip; /* 0.0.0.0 */
	uint32_t n;
	const struct host_port *ports;
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct wanted *wanted;

	if (cycle->class->nports == 0)
		return NULL;
	wanted = arena_alloc(cycle->arena, sizeof(*wanted));
	wanted->any_ip = sym_intern("0.0.0.0");
	wanted->n = cycle->class->nports;
	wanted->ports = cycle->class->ports;
	return wanted;
}

static inline bool
collide(const struct host_port *a, const struct host_port *b, sym any_ip)
{
	return a->port == b->port && a->protocol == b->protocol &&
	    (a->ip == b->ip || a->ip == any_ip || b->ip == any_ip);
}

/* The first wanted port that collides with one of n used ones, or NULL. */
static const struct host_port *
taken(const struct wanted *wanted, uint32_t n, const struct host_port *used)
{
	for (uint32_t i = 0; i < wanted->n; i++)
		for (uint32_t j = 0; j < n; j++)
			if (collide(&wanted->ports[i], &used[j],
				wanted->any_ip))
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
check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	column_codes(b, COLUMN_PORTS, CODE_ASK, codes);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	for (uint32_t i = 0; i < node->npods; i++) {
		const struct pod_class *class = node->pods[i]->class;
		const struct host_port *port =
		    taken(prep, class->nports, class->ports);

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
	.reads = READS_NODE,
	.aspects = ASPECT_PORTS,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
