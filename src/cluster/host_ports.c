#include "config.h"

#include "cluster/host_ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/columns.h"

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

static bool
is_in_order(const struct host_port *ports, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (compare(&ports[i - 1], &ports[i]) > 0)
			return false;
	return true;
}

/* A copy in order, NULL if the ports are so already; you own it. */
static struct host_port *
sorted_copy(const struct host_port *ports, uint32_t n)
{
	size_t size = n * sizeof(*ports);
	struct host_port *copy;

	if (is_in_order(ports, n))
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
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare(&ports[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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

/*
 * By which nodes.  A port is counted twice: with its address, and with none
 * (SYM_NONE) among all uses of its number and protocol.
 */
struct port_use {
	const struct node_info *node;
	uint32_t times;
};

struct port_users {
	struct host_port port; /* its symbols are those of pods that use it */
	uint32_t n;
	size_t cap;
	struct port_use *at; /* by the address of the node */
};

struct port_index {
	struct content_map users; /* struct port_users */

	/* The last question, the cluster's generation then and the answer. */
	uint64_t generation;
	uint32_t nasked;
	struct host_port *asked;
	uint8_t *collide;
};

static uint64_t
hash_port(const struct host_port *port)
{
	const uint32_t key[] = { (uint32_t)port->port, port->protocol, port->ip,
		0 };

	return hash_bytes64(key, sizeof(key));
}

static bool
is_of_port(const void *value, const void *key)
{
	const struct port_users *users = value;

	return compare(&users->port, key) == 0;
}

static struct port_users *
users_of(const struct port_index *index, const struct host_port *port)
{
	return content_map_get(&index->users, hash_port(port), is_of_port,
	    port);
}

static uint32_t
find_use(const struct port_users *users, const struct node_info *node)
{
	uint32_t low = 0, high = users->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((uintptr_t)users->at[middle].node < (uintptr_t)node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
add_use(struct port_index *index, const struct host_port *port,
    const struct node_info *node)
{
	struct port_users *users = users_of(index, port);
	uint32_t i;

	if (users == NULL) {
		users = xcalloc(1, sizeof(*users));
		users->port = *port;
		content_map_add(&index->users, hash_port(port), users);
	}
	i = find_use(users, node);
	if (i < users->n && users->at[i].node == node) {
		users->at[i].times++;
		return;
	}
	vec_room(users->at, users->n, &users->cap);
	memmove(&users->at[i + 1], &users->at[i],
	    (users->n++ - i) * sizeof(*users->at));
	users->at[i] = (struct port_use){ node, 1 };
}

static void
users_free(struct port_users *users)
{
	free(users->at);
	free(users);
}

static void
drop_use(struct port_index *index, const struct host_port *port,
    const struct node_info *node)
{
	struct port_users *users = users_of(index, port);
	uint32_t i = find_use(users, node);

	if (--users->at[i].times > 0)
		return;
	memmove(&users->at[i], &users->at[i + 1],
	    (--users->n - i) * sizeof(*users->at));
	if (users->n > 0)
		return;
	content_map_del(&index->users, hash_port(port), users);
	users_free(users);
}

void
port_users_count(struct cluster *cluster, const struct node_info *node,
    const struct pod_class *class, int sign)
{
	void (*count)(struct port_index *, const struct host_port *,
	    const struct node_info *) = sign > 0 ? add_use : drop_use;
	uint32_t nports = pod_nports(class, cluster->kubernetes_minor);

	if (nports > 0 && cluster->ports == NULL)
		cluster->ports = xcalloc(1, sizeof(*cluster->ports));
	for (uint32_t i = 0; i < nports; i++) {
		struct host_port port = class->ports[i];

		count(cluster->ports, &port, node);
		port.ip = SYM_NONE;
		count(cluster->ports, &port, node);
	}
}

static void
mark(const struct port_users *users, uint8_t *collide)
{
	for (uint32_t i = 0; users != NULL && i < users->n; i++)
		if (users->at[i].node->index != NODE_INDEX_NONE)
			collide[users->at[i].node->index] = 1;
}

static void
mark_collisions(struct port_index *index, const struct host_port *wanted)
{
	struct host_port port = *wanted;

	if (wanted->ip == any_ip()) {
		port.ip = SYM_NONE;
		mark(users_of(index, &port), index->collide);
		return;
	}
	mark(users_of(index, &port), index->collide);
	port.ip = any_ip();
	mark(users_of(index, &port), index->collide);
}

static bool
was_asked(const struct cluster *cluster, const struct host_port *ports,
    uint32_t n)
{
	const struct port_index *index = cluster->ports;

	return index->collide != NULL &&
	    index->generation == cluster->generation && index->nasked == n &&
	    (n == 0 || memcmp(index->asked, ports, n * sizeof(*ports)) == 0);
}

const uint8_t *
cluster_port_collisions(struct cluster *cluster, const struct host_port *ports,
    uint32_t n)
{
	size_t nrows = column_rows(cluster->nnodes);
	struct port_index *index = cluster->ports;

	if (index == NULL)
		index = cluster->ports = xcalloc(1, sizeof(*index));
	if (was_asked(cluster, ports, n))
		return index->collide;
	index->generation = cluster->generation;
	index->nasked = n;
	index->asked = xrealloc(index->asked, (size_t)n + 1, sizeof(*ports));
	if (n > 0)
		memcpy(index->asked, ports, n * sizeof(*ports));
	index->collide = xrealloc(index->collide, nrows, 1);
	memset(index->collide, 0, nrows);
	for (uint32_t i = 0; i < n; i++)
		mark_collisions(index, &ports[i]);
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
	for (size_t i = 0; i < index->users.nslots; i++)
		if (index->users.slots[i].value != NULL)
			users_free(index->users.slots[i].value);
	content_map_fini(&index->users);
	free(index);
	cluster->ports = NULL;
}
