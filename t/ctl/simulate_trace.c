/*
 * A whole trace of pods is placed: every pod is placed once or left pending with
 * a reason, no node holds more than it has, no pod is left that fits, and the
 * same seed gives the same answer.  All of it is read from the program's output.
 *
 * The traces are made by make_trace.sh; a real one is used as well where it
 * stands beside the checkout.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "objects/node.h"
#include "objects/pod.h"
#include "t/lib/t.h"

struct holder {
	struct node *node;
	struct resources used;
	size_t npods;
};

struct trace {
	struct arena arena;
	struct strmap holders; /* by node name */
	struct strmap pods;    /* not yet accounted for, by full name */
	size_t npods, nplaced, npending;
	struct pod **left; /* pending, in the arena */
};

static char *
text_of(const char *path, size_t *len)
{
	FILE *in = fopen(path, "r");
	char *text;

	if (in == NULL)
		return NULL;
	fseek(in, 0, SEEK_END);
	*len = (size_t)ftell(in);
	rewind(in);
	text = xcalloc(1, *len + 1);
	if (fread(text, 1, *len, in) != *len)
		abort();
	fclose(in);
	return text;
}

static void
trace_add(struct trace *trace, struct object *object)
{
	struct holder *holder;

	if (object->kind == OBJECT_NODE) {
		holder = arena_array(&trace->arena, struct holder, 1);
		holder->node = (struct node *)object;
		strmap_put(&trace->holders, object->name, holder);
	} else if (object->kind == OBJECT_POD) {
		const char *name = arena_printf(&trace->arena, "%s/%s",
		    sym_text(object->namespace), object->name);

		strmap_put(&trace->pods, name, object);
		trace->npods++;
	} else {
		object_unref(object);
	}
}

static bool
trace_read(struct trace *trace, const char *path)
{
	struct doc_reader *reader;
	const struct doc_node *root;
	struct object *object;
	struct err err;
	int rc;

	reader = doc_open_file(path, &doc_limits_dump, true, &err);
	if (reader == NULL)
		return false;
	while ((rc = doc_next(reader, &root, &err)) == 1)
		if (object_decode(NULL, root, doc_item_kind(reader), &object,
			NULL, &err) == 1)
			trace_add(trace, object);
	doc_close(reader);
	return rc == 0;
}

static void
trace_fini(struct trace *trace)
{
	for (size_t i = 0; i < trace->pods.nslots; i++)
		object_unref(trace->pods.slots[i].value);
	for (size_t i = 0; i < trace->npending; i++)
		pod_unref(trace->left[i]);
	for (size_t i = 0; i < trace->holders.nslots; i++) {
		struct holder *holder = trace->holders.slots[i].value;

		if (holder != NULL)
			object_unref(&holder->node->object);
	}
	strmap_fini(&trace->pods);
	strmap_fini(&trace->holders);
	arena_fini(&trace->arena);
}

static const char *
string_at(const struct doc_node *node, const char *key)
{
	const struct doc_node *value = doc_get(node, key);

	return value != NULL && value->kind == DOC_STRING ? value->text : "";
}

static void
place(struct trace *trace, const struct doc_node *entry)
{
	const char *name = string_at(entry, "pod");
	struct holder *holder =
	    strmap_get(&trace->holders, string_at(entry, "node"));
	struct pod *pod = strmap_del(&trace->pods, name);

	if (pod == NULL || holder == NULL) {
		t_true(name, false);
		pod_unref(pod);
		return;
	}
	resources_add(&trace->arena, &holder->used, &pod->class->requested, 1);
	holder->npods++;
	trace->nplaced++;
	pod_unref(pod);
}

static void
leave(struct trace *trace, const struct doc_node *entry)
{
	const char *name = string_at(entry, "pod");
	struct pod *pod = strmap_del(&trace->pods, name);

	if (pod == NULL || string_at(entry, "message")[0] == '\0')
		t_true(name, false);
	if (pod != NULL)
		trace->left[trace->npending++] = pod;
}

/* The node has room for its pods and this one. */
static bool
holds(const struct holder *holder, const struct resources *more, int64_t npods)
{
	struct arena arena = ARENA_INIT;
	const struct resources *has = &holder->node->allocatable;
	struct resources used = resources_copy(&arena, &holder->used);
	bool fits;

	resources_add(&arena, &used, more, 1);
	fits = used.cpu_milli <= has->cpu_milli && used.memory <= has->memory &&
	    used.ephemeral_storage <= has->ephemeral_storage &&
	    (int64_t)holder->npods + npods <= has->pods;
	for (uint32_t i = 0; fits && i < used.nscalars; i++) {
		const struct scalar *s =
		    resources_scalar(has, used.scalars[i].name);

		fits = used.scalars[i].amount <= (s != NULL ? s->amount : 0);
	}
	arena_fini(&arena);
	return fits;
}

/* By its resources and its required node affinity. */
static bool
fits_on(const struct pod *pod, const struct holder *holder)
{
	const struct pod_class *class = pod->class;

	return (!class->has_required_node_affinity ||
		   node_selector_matches(&class->required_node_affinity,
		       &holder->node->labels, holder->node->name)) &&
	    holds(holder, &class->requested, 1);
}

/* Nodes only fill up, so a pod without a node still fits nowhere. */
static void
check_left(const struct trace *trace, const struct holder *holder)
{
	for (size_t i = 0; i < trace->npending; i++)
		if (fits_on(trace->left[i], holder))
			t_true(pod_full_name(trace->left[i]), false);
}

/* The answer accounts for every pod and fills no node beyond its capacity. */
static void
verify(const char *name, struct trace *trace, const char *answer, size_t len)
{
	const struct resources nothing = { 0 };
	const struct doc_node *root, *e;
	struct doc *doc;
	struct err err;

	trace->left = arena_array(&trace->arena, struct pod *, trace->npods);
	doc = doc_parse("answer", answer, len, &doc_limits_dump, &err);
	if (!t_true(name, doc != NULL))
		return;
	root = doc_root(doc);
	for (e = doc_get(root, "placed")->first; e != NULL; e = e->next)
		place(trace, e);
	for (e = doc_get(root, "pending")->first; e != NULL; e = e->next)
		leave(trace, e);
	t_int(name, trace->pods.n, 0);
	t_int(name, trace->nplaced + trace->npending, trace->npods);
	for (size_t i = 0; i < trace->holders.nslots; i++) {
		const struct holder *holder = trace->holders.slots[i].value;

		if (holder == NULL)
			continue;
		if (!holds(holder, &nothing, 0))
			t_true(holder->node->object.name, false);
		check_left(trace, holder);
	}
	t_true("some are placed", trace->nplaced > 0);
	t_true("some are not", trace->npending > 0);
	printf("# %s: %zu placed, %zu pending\n", name, trace->nplaced,
	    trace->npending);
	doc_free(doc);
}

/* The program's answer, up to the time it took; you own it. */
static char *
simulate(const char *cluster, unsigned seed)
{
	const char *build = getenv("BUILDDIR");
	char out[] = P_tmpdir "/predicated-answer-XXXXXX", *text, *end;
	AUTOFREE char *command = NULL;
	int fd = mkstemp(out), status;
	size_t len = 0;

	if (fd < 0)
		return NULL;
	close(fd);
	command = xasprintf("'%s/predicatectl' simulate -o json --seed %u "
			    "--policy '%s' --cluster '%s' >%s",
	    build != NULL ? build : ".", seed,
	    t_path("etc/examples/openshift-default.cfg"), cluster, out);
	status = system(command);
	t_true("0 or 1: pods are left pending",
	    status == 0 || status == 1 << 8);
	text = text_of(out, &len);
	unlink(out);
	end = text != NULL ? strstr(text, "\"seconds\"") : NULL;
	if (end == NULL) {
		free(text);
		return NULL;
	}
	strcpy(end, "\"end\":0}");
	return text;
}

static void
check_trace(const char *name, const char *cluster)
{
	AUTOFREE char *first = NULL, *again = NULL, *other = NULL;
	struct trace trace = { .arena = ARENA_INIT };

	if (!t_true(name, trace_read(&trace, cluster)))
		return;
	first = simulate(cluster, 7);
	again = simulate(cluster, 7);
	other = simulate(cluster, 8);
	if (t_true(name, first != NULL && again != NULL && other != NULL)) {
		verify(name, &trace, first, strlen(first));
		t_true("same seed, same answer", strcmp(first, again) == 0);
		t_true("another seed, other ties", strcmp(first, other) != 0);
	}
	trace_fini(&trace);
}

/* Runs the command, its output in a new file; you own the path and remove the
 * file. */
static char *
output_of(const char *command)
{
	char *path = xstrdup(P_tmpdir "/predicated-trace-XXXXXX");
	AUTOFREE char *redirected = NULL;
	int fd = mkstemp(path);

	if (!t_true("a file for it", fd >= 0))
		return path;
	close(fd);
	redirected = xasprintf("%s >%s", command, path);
	t_int(command, system(redirected), 0);
	return path;
}

static char *
made_trace(unsigned seed, unsigned nodes, unsigned pods)
{
	AUTOFREE char *command = xasprintf("sh '%s' %u %u %u",
	    t_path("t/ctl/make_trace.sh"), seed, nodes, pods);

	return output_of(command);
}

static void
a_seed_makes_the_same_trace_again(void)
{
	static const struct {
		const char *name;
		unsigned seed, nodes, pods;
		bool same;
	} rows[] = {
		{ "the same", 3, 20, 50, true },
		{ "another seed", 4, 20, 50, false },
		{ "a node more", 3, 21, 50, false },
		{ "a pod more", 3, 20, 51, false },
	};
	AUTOFREE char *path = made_trace(3, 20, 50), *text = NULL;
	size_t len = 0;

	text = text_of(path, &len);
	unlink(path);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct trace trace = { .arena = ARENA_INIT };
		AUTOFREE char *other =
		    made_trace(rows[i].seed, rows[i].nodes, rows[i].pods);
		AUTOFREE char *bytes = NULL;

		if (t_true(rows[i].name, trace_read(&trace, other))) {
			t_int(rows[i].name, trace.holders.n, rows[i].nodes);
			t_int(rows[i].name, trace.pods.n, rows[i].pods);
		}
		trace_fini(&trace);
		bytes = text_of(other, &len);
		unlink(other);
		t_int(rows[i].name, strcmp(bytes, text) == 0, rows[i].same);
	}
}

static void
made_traces_are_placed(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		AUTOFREE char *path = made_trace(seed, 60, 400);
		AUTOFREE char *name = xasprintf("trace %u", seed);

		check_trace(name, path);
		unlink(path);
	}
}

static void
a_real_trace_is_placed(void)
{
	AUTOFREE char *packed =
	    xstrdup(t_path("../shared/clusters/openb.json.gz"));
	AUTOFREE char *command = NULL, *path = NULL;

	if (access(packed, R_OK) != 0) {
		printf("# there is no real trace here\n");
		return;
	}
	command = xasprintf("gunzip -c '%s'", packed);
	path = output_of(command);
	check_trace("real trace", path);
	unlink(path);
}

T_MAIN(T(a_seed_makes_the_same_trace_again), T(made_traces_are_placed),
    T(a_real_trace_is_placed))
