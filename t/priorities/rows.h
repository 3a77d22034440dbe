/*
 * A priority's rows: a world, a pod, and the scores of its nodes on both
 * scales.  Divisions truncate, so the scale of 100 does not follow from the
 * scale of 10: it can order nodes differently.
 */
#ifndef T_PRIORITIES_ROWS_H
#define T_PRIORITIES_ROWS_H

#include "t/lib/t.h"
#include "t/lib/world.h"

#include "base/xmalloc.h"
#include "priorities/registry.h"

struct row {
	const char *name;
	const char *world;
	const char *pod;
	const char *of_10, *of_100;
};

static inline void
check_rows_(const char *file, int line, const struct priority *priority,
    const void *args, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		struct world *w = world_new(row->world);

		world_pod(w, row->pod);
		t_str_(file, line, row->name, world_scores(w, priority, args),
		    row->of_10);
		w->profile->score_max = 100;
		t_str_(file, line, row->name, world_scores(w, priority, args),
		    row->of_100);
		t_int_(file, line, row->name, (int64_t)w->cycle.nerrors, 0);
		world_free(w);
	}
}

#define check_rows(priority, args, rows)                                       \
	check_rows_(__FILE__, __LINE__, (priority), (args), (rows),            \
	    LENGTH(rows))

/* A row of a plugin: the scores of nodes on the scale of 100, or "error: ...". */
struct plugin_row {
	const char *name;
	const char *world;
	const char *pod;
	const char *scores;
};

/* A profile of this release, in a cluster of it. */
static inline struct world *
plugin_world(int release, const char *objects)
{
	struct world *w = world_new("");

	w->profile->release = release;
	w->profile->score_max = 100;
	w->cluster->kubernetes_minor = release;
	world_put(w, objects);
	return w;
}

static inline void
check_plugin_rows_(const char *file, int line, int release,
    const struct priority *priority, const void *args,
    const struct plugin_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct plugin_row *row = &rows[i];
		struct world *w = plugin_world(release, row->world);
		const char *scores;

		world_pod(w, row->pod);
		w->cycle.keep_scores = true;
		scores = world_scores(w, priority, args);
		if (w->cycle.nerrors > 0)
			scores = arena_printf(&w->arena, "error: %s",
			    w->cycle.errors[0].text);
		t_str_(file, line, row->name, scores, row->scores);
		world_free(w);
	}
}

#define check_plugin_rows(release, priority, args, rows)                       \
	check_plugin_rows_(__FILE__, __LINE__, (release), (priority), (args),  \
	    (rows), LENGTH(rows))

/* A node with this much to give, a pod that uses some of it, one that asks. */
#define NODE(name, cpu, memory)                                                \
	W_NODE_STATUS(name, "", "",                                            \
	    "allocatable: {cpu: " cpu ", memory: " memory "}")
#define USED(node, cpu, memory)                                                \
	W_POD("on-" node, "", node, W_REQUESTS("cpu: " cpu ", memory: " memory))
#define ASKS(cpu, memory)                                                      \
	W_POD("p", "", "", W_REQUESTS("cpu: " cpu ", memory: " memory))

#define NO_CONTAINERS W_POD("p", "", "", "")

#endif
