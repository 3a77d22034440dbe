#include "config.h"

#include "t/lib/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/confines.h"
#include "t/lib/t.h"

static _Noreturn void
bail_out(const char *why)
{
	printf("Bail out! %s\n", why);
	exit(99);
}

/* Calls each() with every object in yaml; each() owns nothing. */
static void
decode(const char *yaml, void (*each)(struct object *object, void *arg),
    void *arg)
{
	struct doc_reader *reader =
	    doc_open_text("test", yaml, strlen(yaml), &doc_limits_people, true);
	const struct doc_node *root;
	const char *kind;
	struct object *object;
	struct err err;
	int rc;

	while ((rc = doc_next(reader, &root, &err)) == 1) {
		rc = object_decode(NULL, root, doc_item_kind(reader), &object,
		    &kind, &err);
		if (rc < 0)
			break;
		if (rc == 0)
			bail_out(kind);
		each(object, arg);
		object_unref(object);
	}
	if (rc < 0)
		bail_out(err.text);
	doc_close(reader);
}

static void
put(struct object *object, void *arg)
{
	cluster_put(arg, object);
}

static void
remove_(struct object *object, void *arg)
{
	cluster_remove(arg, object);
}

static void
keep_pod(struct object *object, void *arg)
{
	struct pod **pod = arg;

	if (object->kind != OBJECT_POD || *pod != NULL)
		bail_out("one pod, please");
	*pod = (struct pod *)object_ref(object);
}

struct world *
world_new(const char *yaml)
{
	struct world *world = xcalloc(1, sizeof(*world));

	world->cluster = cluster_new();
	world->profile = xcalloc(1, sizeof(*world->profile));
	world->profile->gates = gates_default;
	world->profile->gates.even_pods_spread = true;
	world->profile->score_max = 10;
	world->profile->hard_pod_affinity_symmetric_weight = 1;
	world_put(world, yaml);
	return world;
}

void
world_free(struct world *world)
{
	if (world == NULL)
		return;
	arena_fini(&world->arena);
	pod_unref(world->pod);
	cluster_free(world->cluster);
	profile_free(world->profile);
	free(world);
}

void
world_put(struct world *world, const char *yaml)
{
	decode(yaml, put, world->cluster);
}

void
world_remove(struct world *world, const char *yaml)
{
	decode(yaml, remove_, world->cluster);
}

struct pod *
world_decode_pod(const char *yaml)
{
	struct pod *pod = NULL;

	decode(yaml, keep_pod, &pod);
	if (pod == NULL)
		bail_out("no pod to place");
	return pod;
}

void
world_pod(struct world *world, const char *yaml)
{
	pod_unref(world->pod);
	world->pod = cluster_confined(world->cluster, world_decode_pod(yaml));
	arena_reset(&world->arena);
	world->cycle = (struct cycle){
		.cluster = world->cluster,
		.profile = world->profile,
		.pod = world->pod,
		.class = world->pod->class,
		.arena = &world->arena,
		.keep_scores = true,
	};
}

struct node_info *
world_node(struct world *world, const char *name)
{
	struct node_info *node = cluster_node(world->cluster, sym_intern(name));

	if (node == NULL)
		bail_out(name);
	return node;
}

static const char *
joined(struct arena *arena, size_t n, const char *const *reasons, sym node)
{
	const char *all = "", *text;

	for (size_t i = 0; i < n; i++) {
		text = why_text(arena, reasons[i], sym_text(node));
		all = i == 0 ? text : arena_printf(arena, "%s; %s", all, text);
	}
	return all;
}

void *
world_prepare(struct world *world, const struct predicate *predicate,
    const void *args)
{
	if (predicate->prepare == NULL)
		return (void *)args;
	return (void *)predicate->prepare(&world->cycle, args);
}

void
world_simulate(struct world *world, const struct predicate *predicate,
    void *prep, const struct node_info *node, const struct pod *pod, int sign)
{
	predicate->update(&world->cycle, prep, node, pod, sign);
}

struct outcome
world_check_prepared(struct world *world, const struct predicate *predicate,
    const void *prep, const struct node_info *node)
{
	struct cycle *cycle = &world->cycle;
	struct why why = { .arena = cycle->arena };
	struct outcome o = { .verdict = FITS, .why = "", .error = "" };
	size_t nerrors = cycle->nerrors;

	if (prep == NULL && predicate->prepare != NULL)
		return o;
	o.verdict = predicate->check(cycle, node, prep, &why);
	o.why = joined(cycle->arena, why.n, why.reasons, node->name);
	if (cycle->nerrors > nerrors)
		o.error = cycle->errors[nerrors].text;
	if ((o.verdict == UNFIT || o.verdict == UNFIT_FOREVER) &&
	    predicate->miss != NULL)
		o.miss = predicate->miss(cycle, node, prep);
	return o;
}

struct outcome
world_check(struct world *world, const struct predicate *predicate,
    const void *args, const char *node)
{
	const void *prep = world_prepare(world, predicate, args);

	return world_check_prepared(world, predicate, prep,
	    world_node(world, node));
}

void
t_predicate_(const char *file, int line, const struct predicate *predicate,
    const void *args, size_t n, const struct world_row *rows)
{
	t_predicate_in_(file, line, 15, predicate, args, n, rows);
}

static void
compare_rows(const char *file, int line, int minor, int release,
    const struct predicate *predicate, const void *args, size_t n,
    const struct world_row *rows)
{
	for (size_t i = 0; i < n; i++) {
		const struct world_row *row = &rows[i];
		struct world *world = world_new(row->objects);
		struct outcome o;

		world->cluster->kubernetes_minor = minor;
		world->profile->release = release;
		world_pod(world, row->pod);
		o = world_check(world, predicate, args, "n1");
		t_int_(file, line, row->name, o.verdict, row->verdict);
		t_str_(file, line, row->name, o.why,
		    row->verdict == BROKEN ? "" : row->why);
		t_str_(file, line, row->name, o.error,
		    row->verdict == BROKEN ? row->why : "");
		if (row->miss != NULL && o.verdict != FITS)
			t_str_(file, line, row->name, o.miss, row->miss);
		world_free(world);
	}
}

void
t_predicate_in_(const char *file, int line, int minor,
    const struct predicate *predicate, const void *args, size_t n,
    const struct world_row *rows)
{
	compare_rows(file, line, minor, 0, predicate, args, n, rows);
}

void
t_predicate_of_(const char *file, int line, int release,
    const struct predicate *predicate, const void *args, size_t n,
    const struct world_row *rows)
{
	compare_rows(file, line, release, release, predicate, args, n, rows);
}

struct outcome
world_prefilter(struct world *world, const struct plugin *plugin,
    const void *args, bool enqueues)
{
	struct cycle *cycle = &world->cycle;
	struct why why = { .arena = cycle->arena };
	struct outcome o = { .error = "" };
	size_t nerrors = cycle->nerrors;

	o.verdict = (enqueues ? plugin->pre_enqueue : plugin->pre_filter)(cycle,
	    args, &why);
	o.why = joined(cycle->arena, why.n, why.reasons, SYM_EMPTY);
	if (cycle->nerrors > nerrors)
		o.error = cycle->errors[nerrors].text;
	return o;
}

void
t_prefilter_of_(const char *file, int line, int release,
    const struct plugin *plugin, bool enqueues, size_t n,
    const struct world_row *rows)
{
	for (size_t i = 0; i < n; i++) {
		struct world *world = world_new(rows[i].objects);
		struct outcome o;

		world->cluster->kubernetes_minor = release;
		world->profile->release = release;
		world_pod(world, rows[i].pod);
		o = world_prefilter(world, plugin, NULL, enqueues);
		t_int_(file, line, rows[i].name, o.verdict, rows[i].verdict);
		t_str_(file, line, rows[i].name,
		    o.verdict == BROKEN ? o.error : o.why, rows[i].why);
		world_free(world);
	}
}

static int
by_name(const void *a, const void *b)
{
	const struct node_info *const *x = a, *const *y = b;

	return sym_cmp((*x)->name, (*y)->name);
}

static const char *
scores(struct world *world, const struct priority *priority, const void *args,
    bool reduced)
{
	struct cycle *cycle = &world->cycle;
	size_t n = world->cluster->nnodes;
	const struct node_info **nodes =
	    arena_array(cycle->arena, const struct node_info *, n);
	int64_t *points = arena_array(cycle->arena, int64_t, n);
	uint32_t *at = arena_array(cycle->arena, uint32_t, n);
	uint32_t *times = arena_array(cycle->arena, uint32_t, n);
	const char *all = "";
	const void *prep = args;
	int64_t final;
	bool uniform;

	if (n == 0)
		return "";
	memcpy(nodes, world->cluster->nodes, n * sizeof(nodes[0]));
	qsort(nodes, n, sizeof(nodes[0]), by_name);
	if (priority->prepare != NULL)
		prep = priority->prepare(cycle, args);
	if (prep == PREP_SKIPPED)
		return "skipped";
	uniform = prep_is_uniform(prep, &final);
	for (size_t i = 0; i < n; i++) {
		at[i] = nodes[i]->index;
		times[i] = 1;
		if (!uniform)
			points[i] = priority->score(cycle, nodes[i], prep);
		else
			points[i] = final;
	}
	if (reduced && !uniform && priority->reduce != NULL)
		priority->reduce(cycle, prep, n, at, times, points);
	for (size_t i = 0; i < n; i++)
		all = arena_printf(cycle->arena, "%s%s%s=%" PRId64, all,
		    i > 0 ? " " : "", sym_text(nodes[i]->name), points[i]);
	return all;
}

const char *
world_scores(struct world *world, const struct priority *priority,
    const void *args)
{
	return scores(world, priority, args, true);
}

const char *
world_raw_scores(struct world *world, const struct priority *priority,
    const void *args)
{
	return scores(world, priority, args, false);
}
