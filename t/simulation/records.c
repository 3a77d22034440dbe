/* The program is linked with --wrap for what is called through here. */
#include "config.h"

#include "t/simulation/records.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "policy/configuration/configuration.h"
#include "decide/framework/profiles.h"
#include "objects/pod.h"
#include "policy/policy.h"
#include "daemon/record/reader.h"
#include "daemon/record/recorder.h"
#include "daemon/record/writer.h"
#include "decide/sched/decide.h"
#include "t/simulation/promises.h"

/* Of all files: so small that a new one is begun every few minutes, at any moment. */
#define SIZE 300000

struct writer {
	FILE *file;
	bool begun;
};

struct recorder *__real_recorder_new(const struct recorder_options *options,
    struct err *err);
struct recorder *__wrap_recorder_new(const struct recorder_options *options,
    struct err *err);
int __wrap_writer_check_folder(const char *folder, struct err *err);
struct writer *__wrap_writer_new(const char *folder, uint64_t size,
    struct err *err);
void __wrap_writer_free(struct writer *writer, int64_t wait_ms);
bool __wrap_writer_add(struct writer *writer, struct line *line, bool must);
void __wrap_writer_flush(struct writer *writer);
void __wrap_writer_look(struct writer *writer, struct writer_state *state);

static size_t count;

/* ---- reading ---- */

struct again {
	struct cluster *cluster;
	struct profiles *profiles;
	struct arena arena;
};

static void
on_begin(void *arg, struct cluster *cluster)
{
	((struct again *)arg)->cluster = cluster;
}

static void
on_end(void *arg)
{
	struct again *again = arg;

	profiles_free(again->profiles);
	again->profiles = NULL;
}

static int
on_policy(void *arg, const struct record_policy *policy, struct err *err)
{
	struct again *again = arg;
	struct problems problems = { 0 };
	struct profile *profile = NULL;
	struct profiles *profiles = NULL;

	if (policy->kind == RECORD_CONFIGURATION)
		profiles = configuration_read(policy->name, policy->text,
		    policy->len, &policy->options, &problems, err);
	else
		profile = policy_read(policy->name, policy->text, policy->len,
		    &policy->options, &problems, err);
	problems_fini(&problems);
	if (profile != NULL)
		profiles = profiles_of_one(profile);
	if (profiles == NULL)
		return -1;
	profiles_free(again->profiles);
	again->profiles = profiles;
	return 0;
}

static void
on_decision(void *arg, const struct record_decision *recorded,
    const struct pod *pod)
{
	struct again *again = arg;
	const struct profile *profile;
	struct cycle cycle;
	const struct decision *d;
	const char *node;

	if (pod == NULL) { /* it may change while extenders are asked */
		if (recorded->extension == NULL && !recorded->incomplete)
			promise_breaks("the record decides on %s, which it "
				       "does not know",
			    recorded->pod);
		return;
	}
	profile = profiles_serving(again->profiles,
	    sym_text(pod->class->scheduler_name));
	if (recorded->incomplete || profile == NULL || promise_broken() != NULL)
		return;
	cycle = (struct cycle){ .cluster = again->cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &again->arena,
		.seed = recorded->seed,
		.percentage_of_nodes = profile->percentage_of_nodes >= 0 ?
		    profile->percentage_of_nodes :
		    recorded->percentage_of_nodes,
		.now = recorded->seconds,
		.extension = recorded->extension };
	count++;
	d = decide(&cycle);
	node = d->chosen != NULL ? sym_text(d->chosen->name) : NULL;
	if ((node == NULL) != (recorded->node == NULL) ||
	    (node != NULL && strcmp(node, recorded->node) != 0) ||
	    d->nfeasible != recorded->nfeasible ||
	    d->nnodes != recorded->nnodes)
		promise_breaks("by the record %s goes to %s (%u of %u nodes "
			       "fit), not to %s (%u of %u): %s",
		    recorded->pod, node != NULL ? node : "none", d->nfeasible,
		    d->nnodes, recorded->node != NULL ? recorded->node : "none",
		    recorded->nfeasible, recorded->nnodes, recorded->message);
	arena_reset(&again->arena);
}

static const struct record_ops ops = {
	.begin = on_begin,
	.policy = on_policy,
	.decision = on_decision,
	.end = on_end,
};

static void
read_again(struct writer *w)
{
	struct again again = { .arena = ARENA_INIT };
	char path[32];
	size_t lines;
	bool truncated;
	struct err err;

	fflush(w->file);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(w->file));
	if (record_read_file(path, &ops, &again, &lines, &truncated, &err) != 0)
		promise_breaks("the record cannot be read: %s", err.text);
	arena_fini(&again.arena);
}

/* ---- writing ---- */

struct recorder *
__wrap_recorder_new(const struct recorder_options *options, struct err *err)
{
	struct recorder_options small = *options;

	small.size = SIZE;
	return __real_recorder_new(&small, err);
}

int
__wrap_writer_check_folder(const char *folder, struct err *err)
{
	return 0;
}

struct writer *
__wrap_writer_new(const char *folder, uint64_t size, struct err *err)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->file = tmpfile();
	if (w->file == NULL) {
		errf(err, "no file for a record");
		free(w);
		return NULL;
	}
	return w;
}

void
__wrap_writer_free(struct writer *w, int64_t wait_ms)
{
	if (w == NULL)
		return;
	if (w->begun)
		read_again(w);
	fclose(w->file);
	free(w);
}

bool
__wrap_writer_add(struct writer *w, struct line *line, bool must)
{
	if (line != NULL) {
		fwrite(line->bytes, 1, line->len, w->file);
		line_unref(line);
		return true;
	}
	if (w->begun)
		read_again(w);
	w->begun = true;
	rewind(w->file);
	if (ftruncate(fileno(w->file), 0) != 0)
		promise_breaks("the record cannot be begun anew");
	return true;
}

void
__wrap_writer_flush(struct writer *w)
{
}

void
__wrap_writer_look(struct writer *w, struct writer_state *state)
{
	*state = (struct writer_state){ 0 };
}

size_t
records_count(void)
{
	return count;
}
