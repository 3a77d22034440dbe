/* Host ports: the index of all nodes, and the ports of one node in order, agree
 * with the pods there, whatever came and went. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cluster/host_ports.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 6
#define PODS 30
#define CHANGES 3000

static const char six_nodes[] =
    W_NODE("n0", "", "") W_NODE("n1", "", "") W_NODE("n2", "", "")
	W_NODE("n3", "", "") W_NODE("n4", "", "") W_NODE("n5", "", "");

static uint64_t state;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

/* On the node of this number; NODES: on none. */
static const char *
pod_text(unsigned number, unsigned node)
{
	static const char *const ips[] = { "", "0.0.0.0", "10.0.0.1",
		"10.0.0.2", "::" };
	static char text[2048];
	unsigned nports = any(8);
	char where[16] = "";
	size_t at;

	if (node < NODES)
		snprintf(where, sizeof(where), "n%u", node);
	at = (size_t)snprintf(text, sizeof(text),
	    "--- {kind: Pod, metadata: "
	    "{name: p%u, namespace: default}, spec: {nodeName: '%s', "
	    "containers: [{name: c, ports: [",
	    number, where);
	for (unsigned i = 0; i < nports; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
		    "{hostPort: %u, protocol: %s, hostIP: '%s'}, ", 1 + any(5),
		    any(3) == 0 ? "UDP" : "TCP", ips[any(LENGTH(ips))]);
	snprintf(text + at, sizeof(text) - at, "]}]}}\n");
	return text;
}

static bool
collide(const struct host_port *a, const struct host_port *b)
{
	sym any_ip = sym_intern("0.0.0.0");

	return a->port == b->port && a->protocol == b->protocol &&
	    (a->ip == b->ip || a->ip == any_ip || b->ip == any_ip);
}

static bool
class_collides(const struct pod_class *class, const struct host_port *port)
{
	for (uint32_t i = 0; i < class->nports; i++)
		if (collide(&class->ports[i], port))
			return true;
	return false;
}

/* Whether a port of the class collides with one of a pod on the node. */
static bool
is_taken(const struct node_info *node, const struct pod_class *class)
{
	for (uint32_t i = 0; i < node->npods; i++)
		for (uint32_t j = 0; j < class->nports; j++)
			if (class_collides(node->pods[i]->class,
				&class->ports[j]))
				return true;
	return false;
}

static bool
node_says_so(const struct node_info *node, const struct pod_class *class)
{
	for (uint32_t i = 0; i < class->nports; i++)
		if (host_ports_collide(node->ports, node->nports,
			&class->ports[i]))
			return true;
	return false;
}

static void
index_and_nodes_agree_with_pods(void)
{
	struct world *w = world_new(six_nodes);
	unsigned refused = 0;

	for (unsigned i = 0; i < CHANGES; i++) {
		const struct pod_class *class;
		const uint8_t *collide_at;
		bool right = true;

		if (any(3) == 0)
			world_remove(w, pod_text(any(PODS), 1));
		else
			world_put(w, pod_text(any(PODS), any(NODES)));
		world_pod(w, pod_text(PODS, NODES));
		class = w->pod->class;
		collide_at = cluster_port_collisions(w->cluster, class->ports,
		    class->nports);
		for (uint32_t j = 0; right && j < w->cluster->nnodes; j++) {
			const struct node_info *node = w->cluster->nodes[j];
			bool taken = is_taken(node, class);

			refused += taken;
			right = t_int("index", collide_at[j], taken) &&
			    t_int("node", node_says_so(node, class), taken);
		}
		if (!right)
			break;
	}
	t_true("many collided", refused > CHANGES / 4);
	world_free(w);
}

static void
simulations_free_every_use(void)
{
	struct world *w = world_new(W_NODE("n1", "", "") W_POD("p", "", "n1",
	    "containers: [{name: c, ports: [{hostPort: 2},"
	    " {hostPort: 1}]}]") W_POD("q", "", "n1",
	    "containers: [{name: c, "
	    "ports: [{hostPort: 1}, {hostPort: 3}]}]"));
	const struct node_info *node = world_node(w, "n1");
	struct node_info *copy = node_info_copy(&w->arena, node);
	const struct pod *p = node->pods[0];

	t_int("one entry a use", node->nports, 4);
	t_true("p goes", node_info_remove(&w->arena, copy, 15, p));
	t_int("with the use of q", copy->nports, 1);
	t_int("which keeps the other", copy->ports[0].port, 3);
	node_info_add(&w->arena, copy, 15, p);
	t_int("p comes back", copy->nports, 3);
	for (uint32_t i = 0; i < copy->nports; i++)
		t_int("in order", copy->ports[i].port, i + 1);
	world_remove(w, W_POD("p", "", "n1", ""));
	t_int("q keeps both on the node", node->nports, 2);
	world_free(w);
}

T_MAIN(T(index_and_nodes_agree_with_pods), T(simulations_free_every_use))
