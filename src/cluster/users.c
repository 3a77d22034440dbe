#include "config.h"

#include "cluster/users.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

/* Where the user is, or belongs. */
static size_t
find(const struct users *users, const void *who)
{
	size_t low = 0, high = users->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((uintptr_t)users->at[middle].who < (uintptr_t)who)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
users_count(struct map *lists, uint64_t key, const void *who, int sign)
{
	struct users *users = map_get(lists, key);
	struct user *user;
	size_t i;

	if (users == NULL) {
		users = xcalloc(1, sizeof(*users));
		map_put(lists, key, users);
	}
	i = find(users, who);
	if (i == users->n || users->at[i].who != who) {
		vec_room(users->at, users->n, &users->cap);
		memmove(&users->at[i + 1], &users->at[i],
		    (users->n++ - i) * sizeof(*users->at));
		users->at[i] = (struct user){ who, 0 };
	}
	user = &users->at[i];
	user->times += (uint32_t)sign;
	if (user->times > 0)
		return;
	memmove(user, user + 1, (--users->n - i) * sizeof(*user));
	if (users->n > 0)
		return;
	map_del(lists, key);
	free(users->at);
	free(users);
}

void
users_fini(struct map *lists)
{
	EACH_VALUE (lists, struct users, users) {
		free(users->at);
		free(users);
	}
	map_fini(lists);
}
