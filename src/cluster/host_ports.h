/*
 * Host ports in use: on one node, and by which nodes.
 *
 * Two ports collide when number and protocol are equal and the host IPs are
 * equal or one of them is 0.0.0.0; "::" is an address like any other.
 *
 * Ports of a node (node_info.h) are in order of number, protocol and address,
 * the latter two by symbol.  One entry is one use: two pods may hold the same
 * port.
 */
#ifndef CLUSTER_HOST_PORTS_H
#define CLUSTER_HOST_PORTS_H

#include "objects/pod.h"

struct cluster;
struct node_info;

/* Whether the port collides with one of these n, which are in order. */
bool host_ports_collide(const struct host_port *ports, uint32_t n,
    const struct host_port *wanted);

/* The class's first nports ports (pod_nports() of node_info.h) in order; in the
 * arena unless they are so already. */
const struct host_port *host_ports_of_class(struct arena *arena,
    const struct pod_class *class, uint32_t nports);

/*
 * By node index 1 for nodes on which one of these n ports collides with one in
 * use, else 0; goes on to the end of the last block of columns.h.  Valid until
 * the next call.  Costs the number of nodes that use the numbers, once for each
 * change of the cluster or the ports.
 */
const uint8_t *cluster_port_collisions(struct cluster *cluster,
    const struct host_port *ports, uint32_t n);

/* For cluster.c and node_info.c */

/* Adds the class's first nports ports to the n, which have room; the new
 * number. */
uint32_t host_ports_add(struct host_port *ports, uint32_t n,
    const struct pod_class *class, uint32_t nports);
/* Takes these ports out: each once, or every use; the new number. */
uint32_t host_ports_remove(struct host_port *ports, uint32_t n,
    const struct pod_class *class, uint32_t nports, bool every_use);

/* A pod of the class is added to (sign 1) or removed from (sign -1) the node. */
void port_users_count(struct cluster *cluster, const struct node_info *node,
    const struct pod_class *class, int sign);
/* Drops results that hold symbols. */
void port_users_forget(struct cluster *cluster);
void port_users_free(struct cluster *cluster);

#endif
