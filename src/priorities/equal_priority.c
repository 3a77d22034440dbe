/* EqualPriority: 1 for every node, on any scale. */
#include "config.h"

#include "priorities/registry.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return 1;
}

const struct priority priority_equal_priority = {
	.name = "EqualPriority",
	.reads = READS_NODE,
	.score = score,
};
