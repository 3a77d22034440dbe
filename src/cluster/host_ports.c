#include "config.h"

#include "cluster/host_ports.h"

#include "base/arena.h"
#include "base/sorted.h"
#include "cluster/cluster.h"
#include "cluster/columns.h"
#include "cluster/users.h"

static sym
any_ip(void)
{
	static sym any;

	if (any == SYM_EMPTY)
		any = sym_intern("0.0.0.0");
	return any;
}

static int
compare(const struct host_port *a, const struct host_port *b)
{
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	if (a->protocol != b->protocol)
		return a->protocol < b->protocol ? -1 : 1;
	return (a->ip > b->ip) - (a->ip < b->ip);
}

static int
by_port(const void *a, const void *b)
{
	return compare(a, b);
}

/* A copy in order, NULL if the ports are so already; you own it. */
static struct host_port *
sorted_copy(const struct host_port *ports, uint32_t n)
{
	size_t size = n * sizeof(*ports);
	struct host_port *copy;

	if (!ANY(i, n, i > 0 && compare(&ports[i - 1], &ports[i]) > 0))
		return NULL;
	copy = xmalloc(size);
	memcpy(copy, ports, size);
	qsort(copy, n, sizeof(*copy), by_port);
	return copy;
}

const struct host_port *
host_ports_of_class(struct arena *arena, const struct pod_class *class,
    uint32_t nports)
{
	AUTOFREE struct host_port *sorted = sorted_copy(class->ports, nports);

	return sorted == NULL ?
	    class->ports :
	    arena_memdup(arena, sorted, nports * sizeof(*sorted));
}

uint32_t
host_ports_add(struct host_port *ports, uint32_t n,
    const struct pod_class *class, uint32_t nports)
{
	AUTOFREE struct host_port *sorted = sorted_copy(class->ports, nports);
	const struct host_port *added = sorted != NULL ? sorted : class->ports;
	uint32_t left = nports, end = n + left;

	/* from the back, as the room is there */
	for (uint32_t at = end; left > 0; at--) {
		if (n > 0 && compare(&ports[n - 1], &added[left - 1]) > 0)
			ports[at - 1] = ports[--n];
		else
			ports[at - 1] = added[--left];
	}
	return end;
}

uint32_t
host_ports_remove(struct host_port *ports, uint32_t n,
    const struct pod_class *class, uint32_t nports, bool every_use)
{
	AUTOFREE struct host_port *sorted = sorted_copy(class->ports, nports);
	const struct host_port *gone = sorted != NULL ? sorted : class->ports;
	uint32_t kept = 0, next = 0;

	if (nports == 0)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		while (next < nports && compare(&gone[next], &ports[i]) < 0)
			next++;
		if (next == nports || compare(&gone[next], &ports[i]) != 0)
			ports[kept++] = ports[i];
		else
			next += every_use ? 0 : 1;
	}
	return kept;
}

/* Where the port is, or belongs. */
static uint32_t
find(const struct host_port *ports, uint32_t n, const struct host_port *wanted)
{
	size_t i;

	SORTED_FIND(i, n, compare(&ports[i], wanted) < 0);
	return (uint32_t)i;
}

static bool
is_used(const struct host_port *ports, uint32_t n, int32_t port, sym protocol,
    sym ip)
{
	const struct host_port wanted = { .ip = ip,
		.protocol = protocol,
		.port = port };
	uint32_t at = find(ports, n, &wanted);

	return at < n && compare(&ports[at], &wanted) == 0;
}

bool
host_ports_collide(const struct host_port *ports, uint32_t n,
    const struct host_port *wanted)
{
	/* no address has a lesser symbol */
	const struct host_port least = { .ip = 0,
		.protocol = wanted->protocol,
		.port = wanted->port };
	uint32_t at;

	if (wanted->ip != any_ip())
		return is_used(ports, n, wanted->port, wanted->protocol,
			   wanted->ip) ||
		    is_used(ports, n, wanted->port, wanted->protocol, any_ip());
	at = find(ports, n, &least);
	return at < n && ports[at].port == wanted->port &&
	    ports[at].protocol == wanted->protocol;
}

/* By which nodes */

struct port_index {
	struct map users; /* number, protocol -> nodes; users.h */

	/* The last question, the cluster's generation then and the answer. */
	uint64_t generation;
	uint32_t nasked;
	struct host_port *asked;
	uint8_t *collide;
};

static uint64_t
key_of(const struct host_port *port)
{
	return (uint64_t)(uint32_t)port->port << 32 | port->protocol;
}

void
port_users_count(struct cluster *cluster, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	uint32_t nports = pod_nports(class, cluster->kubernetes_minor);

	if (nports > 0 && cluster->ports == NULL)
		cluster->ports = xcalloc(1, sizeof(*cluster->ports));
	for (uint32_t i = 0; i < nports; i++)
		users_count(&cluster->ports->users, key_of(&class->ports[i]),
		    node, sign);
}

const uint8_t *
cluster_port_collisions(struct cluster *cluster, const struct host_port *ports,
    uint32_t n)
{
	size_t nrows = column_rows(cluster->nnodes);
	struct port_index *index = cluster->ports;

	if (index == NULL)
		index = cluster->ports = xcalloc(1, sizeof(*index));
	if (index->collide != NULL &&
	    index->generation == cluster->generation && index->nasked == n &&
	    (n == 0 || memcmp(index->asked, ports, n * sizeof(*ports)) == 0))
		return index->collide;
	index->generation = cluster->generation;
	index->nasked = n;
	index->asked = xrealloc(index->asked, (size_t)n + 1, sizeof(*ports));
	if (n > 0)
		memcpy(index->asked, ports, n * sizeof(*ports));
	index->collide = xrealloc(index->collide, nrows, 1);
	memset(index->collide, 0, nrows);
	for (uint32_t i = 0; i < n; i++) {
		const struct users *users =
		    users_of(&index->users, key_of(&ports[i]));

		for (size_t k = 0; users != NULL && k < users->n; k++) {
			const struct node_info *node = users->at[k].who;

			if (node->index != NODE_INDEX_NONE &&
			    (ports[i].ip == any_ip() ||
				host_ports_collide(node->ports, node->nports,
				    &ports[i])))
				index->collide[node->index] = 1;
		}
	}
	return index->collide;
}

void
port_users_forget(struct cluster *cluster)
{
	struct port_index *index = cluster->ports;

	if (index == NULL)
		return;
	free(index->asked);
	free(index->collide);
	index->asked = NULL;
	index->collide = NULL;
}

void
port_users_free(struct cluster *cluster)
{
	struct port_index *index = cluster->ports;

	if (index == NULL)
		return;
	port_users_forget(cluster);
	users_fini(&index->users);
	free(index);
	cluster->ports = NULL;
}
