/* EqualPriority: 1 for every node, on any scale. */
#include "config.h"

#include "objects/pod.h"
#include "priorities/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	return PREP_UNIFORM(1);
}

const struct priority priority_equal_priority = {
	.name = "EqualPriority",
	.policy = { .in = REGISTERED, .aliases = "EqualPriorityMap" },
	.reads = READS_NODE | ASPECT_NOTHING,
	.prepare = prepare,
	.needs = NEEDS_THE_IMPOSSIBLE,
};
