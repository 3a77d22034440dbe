#include "config.h"

#include "decide/framework/verdict.h"

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
	if (why->n == why->cap) {
		size_t cap = why->cap;

		arena_room(why->arena, why->plugins, why->n, &cap);
		arena_room(why->arena, why->reasons, why->n, &why->cap);
	}
	why->plugins[why->n] = why->plugin;
	why->reasons[why->n++] = reason;
}

void
why_add_of(struct why *why, const struct why *from, size_t i)
{
	why_set_plugin(why, from->plugins[i]);
	why_add(why, from->reasons[i]);
}
