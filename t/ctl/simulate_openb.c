/*
 * A real trace of pods is placed whole: every pod is placed once or left
 * pending with a reason, no node holds more than it has to give, the same seed
 * gives the same answer, and it takes seconds.  Proven from what the program
 * prints.
 *
 * An extract of the trace is in the tree; all of it is used where it stands
 * beside the checkout.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "model/node.h"
#include "model/pod.h"
#include "t/lib/t.h"

#define CPU_SECONDS 10.0
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

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
		if (object_decode(root, doc_item_kind(reader), &object, NULL,
			&err) == 1)
			trace_add(trace, object);
	doc_close(reader);
	return rc == 0;
}

static void
trace_fini(struct trace *trace)
{
	for (size_t i = 0; i < trace->pods.nslots; i++)
		object_unref(trace->pods.slots[i].value);
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
	trace->npending++;
	pod_unref(pod);
}

static bool
holds(const struct holder *holder)
{
	const struct resources *has = &holder->node->allocatable;
	const struct resources *used = &holder->used;

	for (uint32_t i = 0; i < used->nscalars; i++) {
		const struct scalar *s =
		    resources_scalar(has, used->scalars[i].name);

		if (used->scalars[i].amount > (s != NULL ? s->amount : 0))
			return false;
	}
	return used->cpu_milli <= has->cpu_milli &&
	    used->memory <= has->memory &&
	    used->ephemeral_storage <= has->ephemeral_storage &&
	    (int64_t)holder->npods <= has->pods;
}

/* The answer, read back, accounts for every pod and fills no node beyond what
 * it has. */
static void
verify(const char *name, struct trace *trace, const char *answer, size_t len)
{
	const struct doc_node *root, *e;
	struct doc *doc;
	struct err err;

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

		if (holder != NULL && !holds(holder))
			t_true(holder->node->object.name, false);
	}
	t_true("something is placed", trace->nplaced > 0);
	printf("# %s: %zu placed, %zu pending\n", name, trace->nplaced,
	    trace->npending);
	doc_free(doc);
}

static double
child_cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* The program's answer, up to the time it took; you own it. */
static char *
simulate(const char *cluster, unsigned seed, double *cpu)
{
	const char *build = getenv("BUILDDIR");
	char out[] = P_tmpdir "/predicated-openb-XXXXXX", *text, *end;
	AUTOFREE char *command = NULL;
	double before = child_cpu();
	int fd = mkstemp(out), status;
	size_t len = 0;

	if (fd < 0)
		return NULL;
	close(fd);
	command = xasprintf("'%s/predicatectl' simulate -o json --seed %u "
	    "--policy '%s' --cluster '%s' >%s", build != NULL ? build : ".",
	    seed, t_path("etc/examples/openshift-default.cfg"), cluster, out);
	status = system(command);
	*cpu = child_cpu() - before;
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
	double cpu, ignored;

	if (!t_true(name, trace_read(&trace, cluster)))
		return;
	first = simulate(cluster, 7, &cpu);
	again = simulate(cluster, 7, &ignored);
	other = simulate(cluster, 8, &ignored);
	if (t_true(name, first != NULL && again != NULL && other != NULL)) {
		verify(name, &trace, first, strlen(first));
		t_true("same seed, same answer", strcmp(first, again) == 0);
		t_true("another seed, other ties", strcmp(first, other) != 0);
	}
	printf("# %s: %.2f s of CPU\n", name, cpu);
	t_true("in time", SLOW_BUILD || cpu < CPU_SECONDS);
	trace_fini(&trace);
}

static void
an_extract_of_the_trace(void)
{
	AUTOFREE char *path = xstrdup(t_path("t/data/ctl/openb-small.json"));

	check_trace("extract", path);
}

static void
the_whole_trace(void)
{
	AUTOFREE char *packed =
	    xstrdup(t_path("../shared/clusters/openb.json.gz"));
	char path[] = P_tmpdir "/predicated-trace-XXXXXX";
	AUTOFREE char *command = NULL;
	int fd;

	if (access(packed, R_OK) != 0) {
		printf("# the whole trace is not here\n");
		return;
	}
	fd = mkstemp(path);
	if (!t_true("a file for it", fd >= 0))
		return;
	close(fd);
	command = xasprintf("gunzip -c '%s' >%s", packed, path);
	if (t_int("unpacks", system(command), 0))
		check_trace("whole trace", path);
	unlink(path);
}

T_MAIN(T(an_extract_of_the_trace), T(the_whole_trace))
