#include "config.h"

#include "daemon/queue/hints.h"

#include "decide/framework/predicate.h"
#include "objects/node.h"
#include "objects/pod.h"

static struct object_change
change_of(const struct object *before, const struct object *after)
{
	struct object_change change = { .before = before, .after = after };

	change.kind = (after != NULL ? after : before)->kind;
	if (change.kind == OBJECT_NODE) {
		change.was = (const struct node *)before;
		change.is = (const struct node *)after;
	} else if (change.kind == OBJECT_POD && after == NULL) {
		change.left = ((const struct pod *)before)->class;
	}
	return change;
}

bool
hints_of_itself(uint64_t refusers, const struct pod_class *was,
    const struct pod_class *is)
{
	unsigned aspects = refusers == 0 ? ASPECT_ALL : 0;
	AUTOFREE void *before = NULL;
	const void *bytes;
	size_t size, len;

	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (refusers & PLUGIN_BIT(i))
			aspects |= aspects_read(all_plugins[i]->aspects);
	bytes = pod_class_aspects(was, aspects, &size);
	before = xmalloc(size);
	memcpy(before, bytes, size);
	bytes = pod_class_aspects(is, aspects, &len);
	return len != size || memcmp(before, bytes, len) != 0;
}

uint64_t
hints_of(uint64_t refusers, const struct pod_class *class,
    const struct object *before, const struct object *after)
{
	const struct object_change change = change_of(before, after);
	uint64_t hints = 0;

	/* Services move all pods, as in 1.15: 1.36 has no rule that reads them */
	if (refusers & PLUGIN_BIT(PLUGIN_OTHER) ||
	    change.kind == OBJECT_SERVICE)
		return refusers;
	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (refusers & PLUGIN_BIT(i) &&
		    (all_plugins[i]->wakes == NULL ||
			all_plugins[i]->wakes(class, &change)))
			hints |= PLUGIN_BIT(i);
	return hints;
}

uint64_t
hints_of_pods(void)
{
	uint64_t hints = 0;

	for (enum plugin_number i = 0; i < PLUGINS; i++)
		if (all_plugins[i]->of_pods)
			hints |= PLUGIN_BIT(i);
	return hints;
}
