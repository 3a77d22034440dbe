/* Clusters from and to files. */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "t/lib/cluster_gen.h"
#include "t/speed/cell.h"

void
die(const char *fmt, ...)
{
	va_list ap;

	fputs("bench: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

struct object *
object_of_text(const char *text, size_t len)
{
	struct err err;
	struct object *object = NULL;
	struct doc *doc =
	    doc_parse("bench", text, len, &doc_limits_people, &err);

	if (doc == NULL ||
	    object_decode(NULL, doc_root(doc), "", &object, NULL, &err) != 1)
		die("%s", err.text);
	doc_free(doc);
	return object;
}

/* A file without a name. */
static FILE *
scratch(void)
{
	FILE *file = tmpfile();

	if (file == NULL)
		die("cannot make a temporary file");
	return file;
}

/* Under which others can open it as long as it is open here. */
static char *
path_of(FILE *file)
{
	return xasprintf("/proc/%ld/fd/%d", (long)getpid(), fileno(file));
}

/* Runs the program, output to the file; its exit code. */
static int
run_to(FILE *out, const char *const *argv, struct rusage *usage)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		dup2(fileno(out), STDOUT_FILENO);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, usage) != pid)
		die("cannot run %s", argv[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
take(struct work *w, struct object *object)
{
	struct pod *pod = (struct pod *)object;

	if (object->kind == OBJECT_POD && pod->node == SYM_EMPTY) {
		vec_room(w->attempts, w->n, &w->cap);
		w->attempts[w->n++] = (struct attempt){ .pod = pod };
		return;
	}
	cluster_put(w->cluster, object);
	object_unref(object);
}

static void
read_objects(struct work *w, const char *path, const char *name)
{
	struct err err;
	struct doc_reader *reader =
	    doc_open_file(path, &doc_limits_dump, true, &err);
	const struct doc_node *root;
	struct object *object;
	int rc = reader != NULL ? 1 : -1;

	while (rc > 0 && (rc = doc_next(reader, &root, &err)) == 1) {
		rc = object_decode(NULL, root, doc_item_kind(reader), &object,
		    NULL, &err);
		if (rc == 1)
			take(w, object);
		rc = rc < 0 ? -1 : 1;
	}
	if (rc < 0)
		die("%s: %s", name, err.text);
	doc_close(reader);
}

void
work_read_file(struct work *w, const char *path)
{
	const char *gunzip[] = { "gzip", "-dc", "--", path, NULL };
	size_t len = strlen(path);
	AUTOFREE char *unzipped = NULL;
	struct rusage usage;
	FILE *file;

	if (len < 3 || strcmp(path + len - 3, ".gz") != 0) {
		read_objects(w, path, path);
		return;
	}
	file = scratch();
	if (run_to(file, gunzip, &usage) != 0)
		die("%s cannot be unzipped", path);
	unzipped = path_of(file);
	read_objects(w, unzipped, path);
	fclose(file);
}

/* The dump of predicatectl's cluster. */

static void
write_dump(FILE *file, unsigned nodes, unsigned pods)
{
	struct cluster_gen gen = { .nodes = nodes,
		.apps = 200,
		.bound = true,
		.stored = true,
		.now = 1577836800 };
	struct text item = { 0 };

	fputs("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n", file);
	for (unsigned i = 0; i < nodes; i++) {
		cluster_gen_node(&gen, i, &item);
		text_put(&item, ",\n");
	}
	for (unsigned i = 0; i < gen.apps; i++) {
		cluster_gen_service(&gen, i, &item);
		text_put(&item, ",\n");
	}
	for (unsigned i = 0; i <= pods; i++) {
		gen.bound = i < pods;
		cluster_gen_pod(&gen, i, &item);
		text_put(&item, i < pods ? ",\n" : "\n]}\n");
		fwrite(item.bytes, 1, item.len, file);
		item.len = 0;
	}
	text_fini(&item);
	if (fflush(file) != 0 || ferror(file))
		die("cannot write a temporary file");
}

static double
seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
cold_start(const struct options *o, unsigned nodes, struct result *r)
{
	unsigned pods = nodes * pods_on_each(o, nodes);
	FILE *dump = scratch(), *out = scratch();
	AUTOFREE char *path = path_of(dump);
	const char *argv[] = { o->predicatectl, "simulate", "--cluster", path,
		"-o", "json", NULL };
	struct rusage usage;
	double start;

	write_dump(dump, nodes, pods);
	start = now();
	if (run_to(out, argv, &usage) != 0)
		result_wrong(r, "%s simulate does not place the pod",
		    o->predicatectl);
	r->wall_s = now() - start;
	r->cpu_s = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
	r->pods = pods;
	r->tried = r->placed = 1;
	r->peak_mib = (double)usage.ru_maxrss / 1024;
	fclose(dump);
	fclose(out);
}
