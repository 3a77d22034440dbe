#include "config.h"

#include "decide/framework/cycle.h"

#include <stdarg.h>
#include <stdio.h>

#include "decide/framework/profile.h"
#include "objects/changes.h"

bool
cancellation_look(struct cancellation *c)
{
	if (++c->looks >= c->at_look)
		c->requested = 1;
	return c->requested != 0;
}

int
cycle_rules(const struct cycle *cycle)
{
	int own = cycle->profile->release;

	return own >= SINCE_FRAMEWORK ? own : cycle_release(cycle);
}

bool
cycle_compares_tolerations(const struct cycle *cycle)
{
	return cycle_release(cycle) >= SINCE_TOLERATION_OPERATORS &&
	    cycle->profile->gates.taint_toleration_comparison;
}

bool
cycle_yields_to(const struct cycle *cycle, const struct pod *nominated)
{
	return nominated->priority >= cycle->pod->priority &&
	    strcmp(nominated->object.uid, cycle->pod->object.uid) != 0;
}

uint32_t
cycle_own_node(const struct cycle *cycle)
{
	const struct pod *own = cycle->cluster->nnominated == 0 ?
	    NULL :
	    cluster_nominated_pod(cycle->cluster, cycle->pod->object.uid);

	return own != NULL ?
	    cluster_node(cycle->cluster, own->nominated)->index :
	    NODE_INDEX_NONE;
}

struct node_info *
cycle_with_nominated(const struct cycle *cycle, const struct node_info *node)
{
	struct node_info *copy = NULL;

	for (uint32_t i = 0; i < node->nnominated; i++) {
		if (!cycle_yields_to(cycle, node->nominated[i]))
			continue;
		if (copy == NULL)
			copy = node_info_copy(cycle->arena, node);
		node_info_add(cycle->arena, copy,
		    cycle->cluster->kubernetes_minor, node->nominated[i]);
	}
	return copy;
}

/* How errors of the plugin begin, in kube-scheduler.  You own it. */
static char *
error_prefix(const struct cycle *cycle)
{
	if (cycle->plugin == NULL || cycle->profile->release < SINCE_FRAMEWORK)
		return xstrdup("");
	if (cycle->point == POINT_SCORE)
		return xasprintf(
		    "running Score plugins: plugin \"%s\" failed with: ",
		    cycle->plugin);
	if (cycle->point != POINT_FILTER)
		return xasprintf("running %s plugin \"%s\": ",
		    extension_point_titles[cycle->point], cycle->plugin);
	return cycle->profile->release < SINCE_SHORT_FILTER_ERRORS ?
	    xasprintf("running \"%s\" filter plugin for pod \"%s\": ",
		cycle->plugin, cycle->pod->object.name) :
	    xasprintf("running \"%s\" filter plugin: ", cycle->plugin);
}

void
cycle_fail(struct cycle *cycle, const char *fmt, ...)
{
	struct cycle_error *error;
	AUTOFREE char *text = NULL, *message = NULL, *prefix = NULL;
	va_list ap;

	if (cycle->simulating)
		return;
	va_start(ap, fmt);
	message = xvasprintf(fmt, ap);
	va_end(ap);
	prefix = error_prefix(cycle);
	text = xasprintf("%s%s", prefix, message);
	for (size_t i = 0; i < cycle->nerrors; i++)
		if (strcmp(cycle->errors[i].text, text) == 0) {
			cycle->errors[i].times++;
			return;
		}
	arena_room(cycle->arena, cycle->errors, cycle->nerrors,
	    &cycle->errors_cap);
	error = &cycle->errors[cycle->nerrors++];
	error->text = arena_strdup(cycle->arena, text);
	error->times = 1;
}

const char *
cycle_errors(struct cycle *cycle, bool repeats)
{
	const char **texts, *all;

	if (cycle->profile->release >= SINCE_FRAMEWORK && cycle->nerrors > 0)
		return cycle->errors[0].text;
	texts = arena_alloc(cycle->arena, cycle->nerrors * sizeof(*texts));
	for (size_t i = 0; i < cycle->nerrors; i++) {
		const struct cycle_error *error = &cycle->errors[i];

		texts[i] = repeats && error->times > 1 ?
		    arena_printf(cycle->arena, "%s (repeated %u times)",
			error->text, error->times) :
		    error->text;
	}
	all = arena_join(cycle->arena, cycle->nerrors, texts, ", ");
	return cycle->nerrors > 1 ? arena_printf(cycle->arena, "[%s]", all) :
				    all;
}
