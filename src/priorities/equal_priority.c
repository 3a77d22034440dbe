/* EqualPriority: 1 for every node, on any scale. */
#include "config.h"

#include "model/pod.h"
#include "priorities/registry.h"

static int64_t
score(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	return 1;
}

static bool
uniform(const struct cycle *cycle, const void *prep, int64_t *raw)
{
	*raw = 1;
	return true;
}

const struct priority priority_equal_priority = {
	.name = "EqualPriority",
	.reads = READS_NODE,
	.aspects = ASPECT_NOTHING,
	.score = score,
	.uniform = uniform,
};
