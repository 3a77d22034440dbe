/*
 * A random history of a small cluster is recorded, in one file after the
 * other, and every decision in them has the same result again.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"
#include "objects/resource_claim.h"
#include "daemon/record/reader.h"
#include "daemon/record/recorder.h"
#include "daemon/record/writer.h"
#include "decide/sched/decide.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"

#define NODES 12
#define STEPS 6000
#define SIZE ((uint64_t)400 << 10)

#define POLICY                                                                 \
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsResources\"},{\"name\":" \
		 "\"MatchInterPodAffinity\"}],\"priorities\":[{\"name\":"      \
		 "\"LeastRequestedPriority\",\"weight\":1}]")

/* ---- recording ---- */

struct history {
	struct recorder *recorder;
	struct cluster *cluster;
	struct profile *profile;
	struct pod *waiting[40]; /* NULL: none */
	struct pod *placed[60];
	uint64_t random, ndecisions, npods;
	bool has_node[NODES];
};

static uint64_t
pick(struct history *h, uint64_t n)
{
	h->random = hash_mix(h->random + 1);
	return h->random % n;
}

/* As the reflectors do; you own it. */
static struct object *
decoded(struct history *h, const char *text)
{
	struct doc *doc =
	    doc_parse("t", text, strlen(text), &doc_limits_people, NULL);
	struct object *object;

	if (doc == NULL ||
	    object_decode(NULL, doc_root(doc), "", &object, NULL, NULL) != 1)
		abort();
	recorder_decoded(h->recorder, object, doc_root(doc));
	recorder_object(h->recorder, object);
	doc_free(doc);
	return object;
}

/* And as the caches do. */
static struct object *
arrive(struct history *h, const char *text)
{
	struct object *object = decoded(h, text);

	cluster_put(h->cluster, object);
	return object;
}

static void
change_node(struct history *h)
{
	unsigned i = (unsigned)pick(h, NODES);
	AUTOFREE char *text = xasprintf(
	    "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n%u\",\"labels\":{"
	    "\"zone\":\"z%u\"}},\"spec\":{\"unschedulable\":%s},\"status\":{"
	    "\"allocatable\":{\"cpu\":\"8\",\"memory\":\"8Gi\",\"pods\":"
	    "\"20\"}}}",
	    i, (unsigned)pick(h, 3), pick(h, 8) == 0 ? "true" : "false");
	struct object *node = arrive(h, text);

	h->has_node[i] = true;
	if (pick(h, 6) == 0) {
		cluster_remove(h->cluster, node);
		recorder_gone(h->recorder, node);
		h->has_node[i] = false;
	}
	object_unref(node);
}

static char *
pod_text(uint64_t number, const char *node, unsigned version)
{
	return xasprintf(
	    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%d\",\"namespace\":"
	    "\"d\",\"uid\":\"u%d\",\"resourceVersion\":\"%u\",\"labels\":{"
	    "\"app\":\"a%d\"}},\"spec\":{\"nodeName\":\"%s\","
	    "\"schedulerName\":\"default-scheduler\",\"affinity\":{"
	    "\"podAntiAffinity\":{"
	    "\"requiredDuringSchedulingIgnoredDuringExecution\":[{"
	    "\"labelSelector\":{\"matchLabels\":{\"app\":\"a%d\"}},"
	    "\"topologyKey\":\"kubernetes.io/hostname\"}]}},\"containers\":[{"
	    "\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%d\"}}}]}}",
	    (int)number, (int)number, version, (int)number % 30, node,
	    (int)number % 30, (int)number % 4);
}

static size_t
number_of(const struct pod *pod)
{
	return (size_t)strtoull(pod->object.uid + 1, NULL, 10);
}

static void
new_pod(struct history *h, struct pod **at)
{
	AUTOFREE char *text = pod_text(h->npods++, "", 1);
	struct object *object = arrive(h, text);

	*at = cluster_confined(h->cluster, (struct pod *)object);
}

static void
nominate(struct history *h, struct pod **at)
{
	char name[16];
	struct pod *nominated;

	snprintf(name, sizeof(name), "n%u", (unsigned)pick(h, NODES));
	nominated = pod_nominated_to(*at,
	    pick(h, 3) == 0 ? SYM_EMPTY : sym_intern(name));
	cluster_put(h->cluster, &nominated->object);
	pod_unref(*at);
	*at = nominated;
}

/* The API server confirms it, or not; then it is as it was. */
static void
place(struct history *h, struct pod **at, sym node)
{
	struct pod **to = &h->placed[pick(h, LENGTH(h->placed))];
	AUTOFREE char *text = pod_text(number_of(*at), sym_text(node), 2);
	struct object *before;

	cluster_assume(h->cluster, *at, node, NULL);
	if (pick(h, 4) == 0) {
		cluster_forget(h->cluster, *at);
		cluster_put(h->cluster, &(*at)->object);
		return;
	}
	if (pick(h, 8) == 0)
		change_node(h);
	before = *to != NULL ? &(*to)->object : NULL;
	*to = (struct pod *)arrive(h, text);
	if (before != NULL) {
		cluster_remove(h->cluster, before);
		recorder_gone(h->recorder, before);
		object_unref(before);
	}
	pod_unref(*at);
	*at = NULL;
}

static void
decide_about(struct history *h, struct pod **at)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = {
		.cluster = h->cluster,
		.profile = h->profile,
		.pod = *at,
		.class = (*at)->class,
		.arena = &arena,
		.seed = hash_mix(h->ndecisions++),
	};
	struct decision *d = decide(&cycle);
	const char *message =
	    d->chosen == NULL ? decision_message(&cycle, d) : "";
	sym node = d->chosen != NULL ? d->chosen->name : SYM_NONE;

	recorder_begin(h->recorder);
	recorder_decision(h->recorder,
	    &(struct record_decision){ .pod = pod_full_name(*at),
		.uid = (*at)->object.uid,
		.resource_version = (*at)->object.resource_version,
		.nominated = sym_text((*at)->nominated),
		.seed = cycle.seed,
		.node = node != SYM_NONE ? sym_text(node) : NULL,
		.message = message,
		.nnodes = d->nnodes,
		.nfeasible = d->nfeasible,
		.nbest = d->nbest,
		.score = d->best_total });
	arena_fini(&arena);
	if (node != SYM_NONE)
		place(h, at, node);
}

static void
step(struct history *h)
{
	struct pod **at = &h->waiting[pick(h, LENGTH(h->waiting))];

	if (pick(h, 10) == 0)
		change_node(h);
	if (*at == NULL)
		new_pod(h, at);
	else if (pick(h, 5) == 0)
		nominate(h, at);
	else
		decide_about(h, at);
	recorder_tick(h->recorder);
}

static void
make_history(struct history *h, const char *folder)
{
	struct err err;

	h->cluster = cluster_new();
	h->profile = t_profile(POLICY, NULL);
	h->recorder = recorder_new(&(struct recorder_options){ .folder = folder,
				       .size = SIZE,
				       .cluster = h->cluster,
				       .pod_limits = "",
				       .gates = gates_default },
	    &err);
	if (h->recorder == NULL)
		abort();
	h->cluster->changed = recorder_changed;
	h->cluster->changed_arg = h->recorder;
	recorder_policy(h->recorder,
	    &(struct record_policy){ .name = "p",
		.text = POLICY,
		.len = strlen(POLICY),
		.options = { .gates = gates_default } });
	for (int i = 0; i < STEPS; i++)
		step(h);
}

static void
history_fini(struct history *h)
{
	h->cluster->changed = NULL;
	recorder_free(h->recorder);
	for (size_t i = 0; i < LENGTH(h->waiting); i++)
		pod_unref(h->waiting[i]);
	for (size_t i = 0; i < LENGTH(h->placed); i++)
		pod_unref(h->placed[i]);
	profile_free(h->profile);
	cluster_free(h->cluster);
}

/* ---- replaying ---- */

struct again {
	struct profile *profile;
	struct cluster *cluster;
	unsigned n, unknown, wrong;
};

static void
on_begin(void *arg, struct cluster *cluster)
{
	struct again *again = arg;

	again->cluster = cluster;
}

static void
on_end(void *arg)
{
}

static int
on_policy(void *arg, const struct record_policy *policy, struct err *err)
{
	return 0;
}

static void
on_decision(void *arg, const struct record_decision *recorded,
    const struct pod *pod)
{
	struct again *again = arg;
	struct arena arena = ARENA_INIT;
	struct cycle cycle = { .cluster = again->cluster,
		.profile = again->profile,
		.pod = pod,
		.arena = &arena,
		.seed = recorded->seed };
	struct decision *d;

	again->n++;
	if (pod == NULL) {
		again->unknown++;
		return;
	}
	cycle.class = pod->class;
	d = decide(&cycle);
	again->wrong += d->nfeasible != recorded->nfeasible ||
	    d->nnodes != recorded->nnodes ||
	    (d->chosen != NULL) != (recorded->node != NULL) ||
	    (d->chosen != NULL &&
		strcmp(sym_text(d->chosen->name), recorded->node) != 0);
	arena_fini(&arena);
}

static void
recorded_decisions_come_out_again(void)
{
	static const struct record_ops ops = { on_begin, on_policy, on_decision,
		on_end };
	char folder[] = "/tmp/recorder.XXXXXX";
	struct again again = { .profile = t_profile(POLICY, NULL) };
	struct recorder_counts counts;
	struct history h = { .random = 1 };
	uint64_t bytes = 0;
	size_t n, lines;
	bool truncated;
	struct err err = { "" };
	struct stat st;
	char **paths;

	if (mkdtemp(folder) == NULL)
		abort();
	make_history(&h, folder);
	recorder_count(h.recorder, &counts);
	history_fini(&h);
	t_int("none is lost", (int)counts.lost, 0);
	t_int("all are counted", (int)counts.written, (int)h.ndecisions);
	paths = record_list_folder(folder, &n, &err);
	t_true("several files were begun, and some deleted", n > 1 && n < 10);
	for (size_t i = 0; i < n; i++) {
		t_int(paths[i],
		    record_read_file(paths[i], &ops, &again, &lines, &truncated,
			&err),
		    0);
		t_str("no error", err.text, "");
		t_true("whole", !truncated);
		bytes += stat(paths[i], &st) == 0 ? (uint64_t)st.st_size : 0;
		unlink(paths[i]);
		free(paths[i]);
	}
	free(paths);
	rmdir(folder);
	t_true("no more than may be", bytes <= SIZE + (64 << 10));
	/* what one file holds; the newest one may just have begun */
	t_true("enough to prove it", again.n > 150);
	t_int("all are known", (int)again.unknown, 0);
	t_int("all are the same", (int)again.wrong, 0);
	profile_free(again.profile);
}

/* ---- claims ---- */

#define GIVEN                                                                  \
	"\"allocation\":{\"devices\":{\"results\":[{\"request\":\"r\","        \
	"\"driver\":\"d\",\"pool\":\"p\",\"device\":\"g\"}]}}"

static struct object *
claim(const char *name, const char *status)
{
	AUTOFREE char *text =
	    xasprintf("{\"kind\":\"ResourceClaim\",\"metadata\":{"
		      "\"namespace\":\"d\",\"name\":\"%s\",\"uid\":\"%s\"},"
		      "\"spec\":{\"devices\":{\"requests\":[{"
		      "\"name\":\"r\",\"exactly\":{"
		      "\"deviceClassName\":\"c\"}}]}},"
		      "\"status\":{%s}}",
		name, name, status);
	struct doc *doc =
	    doc_parse("t", text, strlen(text), &doc_limits_people, NULL);
	struct object *object = NULL;

	object_decode(NULL, doc_root(doc), "", &object, NULL, NULL);
	doc_free(doc);
	return object;
}

/* The cluster has it with devices that the scheduler has given it. */
static void
hold(struct history *h, struct object *object, struct object *given)
{
	struct resource_claim *pending =
	    resource_claim_pending((struct resource_claim *)object,
		(struct resource_claim *)given);

	cluster_put(h->cluster, &pending->object);
	object_unref(&pending->object);
}

static void
decide_something(struct history *h)
{
	recorder_begin(h->recorder);
	recorder_decision(h->recorder,
	    &(struct record_decision){ .pod = "d/p",
		.uid = "u",
		.resource_version = "1",
		.nominated = "",
		.message = "" });
}

struct held {
	struct cluster *cluster;
	/* Of those that hold devices, at each decision; "*": it requests some. */
	char names[256];
};

static void
on_held_begin(void *arg, struct cluster *cluster)
{
	((struct held *)arg)->cluster = cluster;
}

static void
on_held_decision(void *arg, const struct record_decision *recorded,
    const struct pod *pod)
{
	static const char *const names[] = { "made", "other" };
	struct held *held = arg;

	for (size_t i = 0; i < LENGTH(names); i++) {
		const struct resource_claim *c =
		    cluster_resource_claim(held->cluster, sym_intern("d"),
			sym_intern(names[i]));

		if (c != NULL && c->nresults > 0)
			strcat(strcat(held->names, " "), names[i]);
		if (c != NULL && c->wishes.nrequests > 0)
			strcat(held->names, "*");
	}
	strcat(held->names, ";");
}

/* One that is made for a pod, and one that the watch shows again without its devices. */
static void
claims_hold_their_devices(void)
{
	static const struct record_ops ops = { on_held_begin, on_policy,
		on_held_decision, on_end };
	char folder[] = "/tmp/recorder.XXXXXX";
	struct history h = { .cluster = cluster_new() };
	struct object *made = claim("made", GIVEN), *bare = claim("made", ""),
		      *given = claim("other", GIVEN), *other;
	struct held held = { .names = "" };
	struct err err = { "" };
	bool truncated;
	size_t n, lines;
	char **paths;

	if (mkdtemp(folder) == NULL)
		abort();
	h.recorder = recorder_new(&(struct recorder_options){ .folder = folder,
				      .size = SIZE,
				      .cluster = h.cluster,
				      .pod_limits = "" },
	    &err);
	h.cluster->changed = recorder_changed;
	h.cluster->changed_arg = h.recorder;
	recorder_policy(h.recorder,
	    &(struct record_policy){ .kind = RECORD_POLICY,
		.name = "policy.cfg",
		.text = POLICY,
		.len = strlen(POLICY),
		.options = { .gates = gates_default } });
	hold(&h, made, made);
	decide_something(&h); /* in the first lines of the file */
	cluster_put(h.cluster, bare);
	decide_something(&h);
	hold(&h, bare, made);
	decide_something(&h);
	cluster_remove(h.cluster, bare);
	other = arrive(&h,
	    "{\"kind\":\"ResourceClaim\",\"metadata\":{\"namespace\":\"d\","
	    "\"name\":\"other\",\"uid\":\"other\"}}");
	decide_something(&h);
	object_unref(other);
	other = decoded(&h,
	    "{\"kind\":\"ResourceClaim\",\"metadata\":{\"namespace\":\"d\","
	    "\"name\":\"other\",\"uid\":\"other\",\"labels\":{\"a\":\"b\"},"
	    "\"resourceVersion\":\"2\"}}");
	hold(&h, other, given);
	decide_something(&h);
	h.cluster->changed = NULL;
	recorder_free(h.recorder);
	cluster_free(h.cluster);
	object_unref(made);
	object_unref(bare);
	object_unref(given);
	object_unref(other);
	paths = record_list_folder(folder, &n, &err);
	t_int("one file", (int)n, 1);
	t_int("it is read",
	    record_read_file(paths[0], &ops, &held, &lines, &truncated, &err),
	    0);
	t_str("no error", err.text, "");
	t_str("who has devices", held.names, " made*;*; made*;; other;");
	unlink(paths[0]);
	free(paths[0]);
	free(paths);
	rmdir(folder);
}

/* ---- folders ---- */

static void
folders_are_checked(void)
{
	char folder[] = "/tmp/recorder.XXXXXX";
	AUTOFREE char *file = NULL, *deep = NULL, *made = NULL, *link = NULL;
	struct err err;

	if (mkdtemp(folder) == NULL)
		abort();
	file = xasprintf("%s/file", folder);
	deep = xasprintf("%s/a/b", folder);
	made = xasprintf("%s/made", folder);
	link = xasprintf("%s/link", folder);
	fclose(fopen(file, "w"));
	t_int("ours", writer_check_folder(folder, &err), 0);
	t_int("made", writer_check_folder(made, &err), 0);
	t_int("no folder", writer_check_folder(file, &err), -1);
	t_has("no folder", err.text, "Not a directory");
	t_int("nothing there", writer_check_folder(deep, &err), -1);
	t_has("nothing there", err.text, "No such file or directory");
	t_int("our link", symlink(made, link), 0);
	t_int("our link", writer_check_folder(link, &err), 0);
	if (lchown(link, 4711, 4711) == 0) { /* only root can */
		t_int("a link", writer_check_folder(link, &err), -1);
		t_has("a link", err.text, "it is a symbolic link of user 4711");
	}
	unlink(link);
	chmod(folder, 0770);
	t_int("others' too", writer_check_folder(folder, &err), -1);
	t_has("others' too", err.text, "other users may write there");
	unlink(file);
	rmdir(made);
	rmdir(folder);
}

static void
a_link_is_not_followed(void)
{
	char folder[] = "/tmp/recorder.XXXXXX";
	AUTOFREE char *target = NULL, *link = NULL;
	struct writer *writer;
	struct err err;

	if (mkdtemp(folder) == NULL)
		abort();
	target = xasprintf("%s/target", folder);
	link = xasprintf("%s/link", folder);
	mkdir(target, 0700);
	mkdir(link, 0700);
	writer = writer_new(link, 1 << 20, &err);
	rmdir(link);
	t_int("it takes the folder's place", symlink(target, link), 0);
	writer_add(writer, NULL, true);
	writer_add(writer, line_new("{}\n", 3), false);
	writer_free(writer, 10000);
	t_int("nothing is written there", rmdir(target), 0);
	unlink(link);
	rmdir(folder);
}

T_MAIN(T(a_link_is_not_followed), T(recorded_decisions_come_out_again),
    T(claims_hold_their_devices), T(folders_are_checked))
