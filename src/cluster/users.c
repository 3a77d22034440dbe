#include "config.h"

#include "cluster/users.h"

#include "base/sorted.h"

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
	SORTED_FIND(i, users->n, (uintptr_t)users->at[i].who < (uintptr_t)who);
	if (i == users->n || users->at[i].who != who) {
		SORTED_INSERT(users->at, users->n, &users->cap, i);
		users->at[i] = (struct user){ who, 0 };
	}
	user = &users->at[i];
	user->times += (uint32_t)sign;
	if (user->times > 0)
		return;
	SORTED_REMOVE(users->at, users->n, i);
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
