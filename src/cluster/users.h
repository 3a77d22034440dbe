/* Lists by key of what uses something: each user once, with how often it does. */
#ifndef CLUSTER_USERS_H
#define CLUSTER_USERS_H

#include "base/map.h"

struct users {
	size_t n, cap; /* n is never 0 */
	struct user {
		const void *who;
		uint32_t times;
	} * at; /* by address */
};

/* One use more (sign 1) or less (-1) of what the key stands for. */
void users_count(struct map *lists, uint64_t key, const void *who, int sign);

/* NULL: it has no users.  Valid until the next count. */
static inline const struct users *
users_of(const struct map *lists, uint64_t key)
{
	return map_get(lists, key);
}

void users_fini(struct map *lists);

#endif
