/* Nodes of which the same is said, collapsed into one line each. */
#ifndef CTL_NODE_GROUPS_H
#define CTL_NODE_GROUPS_H

#include "base/arena.h"
#include "cluster/cluster.h"
#include "tool/commands/table.h"

/*
 * Names of nodes on a narrow screen: without the domain that all of them end in,
 * as clouds name them ("ip-10-0-131-204.eu-west-1.compute.internal").
 */
struct names {
	size_t suffix; /* bytes at the end of every name that are not shown */
	const char *domain; /* these; "" for none */
};

/* None on a screen of any width.  Valid as long as the nodes. */
struct names names_of(const struct cluster *cluster,
    const struct screen *screen);

/* The name as it is shown, for "%.*s": its length. */
int names_len(const struct names *names, const char *name);

struct node_group {
	const char *text;
	uint32_t n;
	size_t cap;
	const struct node_info **nodes;
};

struct node_groups {
	struct arena *arena; /* of all of it */
	const struct cluster *cluster;
	struct names names;
	struct node_group *at;
	size_t n, cap;
};

/* The text must stay valid as long as the groups. */
void node_groups_add(struct node_groups *groups, const char *text,
    const struct node_info *node);

/* The largest first, then by text. */
void node_groups_sort(struct node_groups *groups);

/*
 * Which nodes they are: the names of a few; of more, how many are in which zone, a
 * label that all of them have and no other node, and some names.
 */
const char *node_group_where(const struct node_groups *groups,
    const struct node_group *group);
/* The same with the number of nodes before it, if there are more than a few. */
const char *node_group_counted(const struct node_groups *groups,
    const struct node_group *group);

#endif
