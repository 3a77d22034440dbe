#include "config.h"

#include "sched/verdict.h"

#include "base/arena.h"

void
why_add(struct why *why, const char *reason)
{
	if (why == NULL)
		return;
	arena_room(why->arena, why->reasons, why->n, &why->cap);
	why->reasons[why->n++] = reason;
}
