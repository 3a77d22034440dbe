#include "config.h"

#include "framework/verdict.h"

#include "base/arena.h"

const char *
why_text(struct arena *arena, const char *reason, const char *node_name)
{
	const char *mark = strstr(reason, WHY_NODE);

	if (mark == NULL)
		return reason;
	return arena_printf(arena, "%.*s%s%s", (int)(mark - reason), reason,
	    node_name, mark + strlen(WHY_NODE));
}

void
why_add(struct why *why, const char *reason)
{
	if (why == NULL)
		return;
	arena_room(why->arena, why->reasons, why->n, &why->cap);
	why->reasons[why->n++] = reason;
}
