/*
 * predicatectl replay: makes recorded decisions again, with the recorded policy, which
 * must give the same results, or with another.
 */
#include "config.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "wire/api/writes.h"
#include "cluster/cluster.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "decide/framework/profile.h"
#include "policy/configuration/configuration.h"
#include "daemon/record/reader.h"
#include "explain/whatif/diff.h"

/* The daemon cuts longer messages, and adds " ...". */
#define MESSAGE_MAX 16384

/* A decision whose result is another now. */
struct unlike {
	const char *pod, *time, *recorded, *replayed; /* nodes, or NULL */
	const char *difference;                       /* a sentence */
};

struct replay {
	const struct options *options;
	struct profiles *other; /* of --policy or --config, or NULL */

	struct cluster *cluster;   /* of the file in hand */
	struct profiles *recorded; /* of as_recorded; NULL: none yet */
	struct whatif as_recorded, as_other;

	struct arena arena;
	size_t nfiles, ntruncated;
	size_t ndecisions, nsame, nskipped;
	size_t nunlike, unlike_cap;
	struct unlike *unlike;
	struct diff diff; /* with other */
};

/* ---- profiles ---- */

static struct whatif
whatif_of(const struct replay *r, const struct profiles *profiles,
    whatif_serving *how)
{
	return (struct whatif){ .cluster = r->cluster,
		.profiles = profiles,
		.serving = how,
		.serving_arg = r->options };
}

static struct profiles *
read_profiles(const struct record_policy *policy, struct err *err)
{
	struct problems problems = { 0 };
	struct profiles *profiles = NULL;
	struct profile *profile = NULL;

	switch (policy->kind) {
	case RECORD_CONFIGURATION:
		profiles = configuration_read(policy->name, policy->text,
		    policy->len, &policy->options, &problems, err);
		break;
	case RECORD_POLICY:
		profile = policy_read(policy->name, policy->text, policy->len,
		    &policy->options, &problems, err);
		break;
	case RECORD_PROVIDER:
		profile = policy_provider(policy->name, &policy->options);
		if (profile == NULL)
			errf(err, "provider \"%s\" is unknown", policy->name);
		break;
	case RECORD_OPENSHIFT:
		profile = policy_openshift_profile(policy->name,
		    &policy->options, err);
		break;
	case RECORD_POLICY_KINDS:
		break;
	}
	problems_fini(&problems);
	return profile != NULL ? profiles_of_one(profile) : profiles;
}

static void
drop_recorded(struct replay *r)
{
	if (r->recorded == NULL)
		return;
	whatif_fini(&r->as_recorded);
	profiles_free(r->recorded);
	r->recorded = NULL;
}

/* ---- decisions ---- */

/* whatif_decide_staying() as it was recorded; NULL: no profile serves the pod. */
static struct decision *
decide_as(struct whatif *w, const struct record_decision *recorded,
    const struct pod *pod, sym stay)
{
	int64_t own;

	if (!whatif_begin(w, pod, 0))
		return NULL;
	own = w->cycle.profile->percentage_of_nodes;
	w->cycle.seed = recorded->seed;
	w->cycle.percentage_of_nodes =
	    own >= 0 ? own : recorded->percentage_of_nodes;
	w->cycle.extension = recorded->extension;
	return whatif_decide_begun(w, stay);
}

/* The difference as a sentence in the replay's arena; NULL: there is none. */
static const char *
difference(struct replay *r, const struct record_decision *recorded,
    struct decision *d)
{
	const char *node, *message;

	if (d == NULL)
		return "no recorded profile serves the pod";
	node = d->chosen != NULL ? sym_text(d->chosen->name) : NULL;
	if ((node == NULL) != (recorded->node == NULL) ||
	    (node != NULL && strcmp(node, recorded->node) != 0))
		return "another node";
	if (d->nfeasible != recorded->nfeasible ||
	    d->nnodes != recorded->nnodes)
		return arena_printf(&r->arena,
		    "%u of %u nodes fit, not %u of %u", d->nfeasible, d->nnodes,
		    recorded->nfeasible, recorded->nnodes);
	if (node != NULL &&
	    (d->best_total != recorded->score || d->nbest != recorded->nbest))
		return arena_printf(&r->arena,
		    "%u nodes have the score %" PRId64 ", not %u %" PRId64,
		    d->nbest, d->best_total, recorded->nbest, recorded->score);
	if (node != NULL)
		return NULL;
	message = decision_message(&r->as_recorded.cycle, d);
	if (strlen(message) <= MESSAGE_MAX ?
		strcmp(recorded->message, message) == 0 :
		strncmp(recorded->message, message, MESSAGE_MAX) == 0)
		return NULL;
	return arena_printf(&r->arena, "the message is \"%s\", not \"%s\"",
	    message, recorded->message);
}

static const char *
kept(struct replay *r, const char *text)
{
	return text != NULL ? arena_strndup(&r->arena, text, strlen(text)) :
			      NULL;
}

/* ---- from the reader ---- */

static void
on_begin(void *arg, struct cluster *cluster)
{
	struct replay *r = arg;

	r->cluster = cluster;
	if (r->other == NULL)
		return;
	r->as_other = whatif_of(r, r->other, load_serving);
	whatif_init(&r->as_other);
}

static void
on_end(void *arg)
{
	struct replay *r = arg;

	drop_recorded(r);
	if (r->other != NULL)
		whatif_fini(&r->as_other);
}

static int
on_policy(void *arg, const struct record_policy *policy, struct err *err)
{
	struct replay *r = arg;
	struct profiles *profiles = read_profiles(policy, err);

	if (profiles == NULL)
		return -1;
	drop_recorded(r);
	r->recorded = profiles;
	r->as_recorded = whatif_of(r, profiles, whatif_by_name);
	whatif_init(&r->as_recorded);
	return 0;
}

static void
on_decision(void *arg, const struct record_decision *recorded,
    const struct pod *pod)
{
	struct replay *r = arg;
	const char *at = r->options->at, *text;
	struct decision *d;
	char time[32];

	api_time(time, sizeof(time), recorded->seconds, recorded->microseconds);
	if (at != NULL && strncmp(time, at, strlen(at)) != 0)
		return;
	if (pod == NULL || recorded->incomplete || r->recorded == NULL) {
		r->nskipped++;
		return;
	}
	d = decide_as(&r->as_recorded, recorded, pod, SYM_NONE);
	r->ndecisions++;
	text = difference(r, recorded, d);
	if (text == NULL) {
		r->nsame++;
	} else {
		arena_room(&r->arena, r->unlike, r->nunlike, &r->unlike_cap);
		r->unlike[r->nunlike++] = (struct unlike){
			.pod = kept(r, recorded->pod),
			.time = kept(r, time),
			.recorded = kept(r, recorded->node),
			.replayed = d != NULL && d->chosen != NULL ?
			    kept(r, sym_text(d->chosen->name)) :
			    NULL,
			.difference = text,
		};
	}
	if (r->other != NULL)
		diff_add(&r->diff, pod, &r->as_recorded, d, &r->as_other,
		    decide_as(&r->as_other, recorded, pod, whatif_chosen(d)));
}

static const struct record_ops ops = {
	.begin = on_begin,
	.policy = on_policy,
	.decision = on_decision,
	.end = on_end,
};

/* ---- results ---- */

static void
report(const struct replay *replay)
{
	struct report r;

	report_begin(&r, replay->options);
	json_members(&r.json,
	    "files:d truncated:d decisions:d same:d notReplayed:d",
	    (int64_t)replay->nfiles, (int64_t)replay->ntruncated,
	    (int64_t)replay->ndecisions, (int64_t)replay->nsame,
	    (int64_t)replay->nskipped);
	report_print(&r, STYLE_HEAD,
	    "Of %zu decision%s %zu ha%s the same result, %zu another\n",
	    replay->ndecisions, plural_of(replay->ndecisions), replay->nsame,
	    replay->nsame == 1 ? "s" : "ve", replay->nunlike);
	report_rows(&r, "differences",
	    "^time=TIME|pod=POD|recorded=RECORDED|replayed=!REPLAYED|"
	    "difference=DIFFERENCE");
	for (size_t i = 0; i < replay->nunlike; i++) {
		const struct unlike *u = &replay->unlike[i];

		report_row(&r, cell_text(u->time), cell_text(u->pod),
		    cell_text(u->recorded), cell_text(u->replayed),
		    cell_text(u->difference));
	}
	report_rows_end(&r);
	report_end(&r);
}

/* Prints the answer; returns the exit code. */
static int
conclude(struct replay *r)
{
	if (r->nskipped > 0)
		ctl_print(
		    "not replayed: %zu decision%s that the rules alone did "
		    "not make, or about a pod that changed meanwhile",
		    r->nskipped, plural_of(r->nskipped));
	if (r->other == NULL) {
		report(r);
		return r->nunlike > 0 ? EXIT_NEGATIVE : EXIT_DONE;
	}
	if (r->nunlike > 0)
		ctl_print("warning: %zu of %zu decisions are not replayed as "
			  "they were recorded",
		    r->nunlike, r->ndecisions);
	diff_sort_rules(&r->diff);
	diff_print(&r->diff, r->options, "decision", NULL);
	return r->diff.nunschedulable > 0 ? EXIT_NEGATIVE : EXIT_DONE;
}

/* ---- the command ---- */

static int
replay_file(struct replay *r, const char *path)
{
	bool truncated;
	size_t lines;
	struct err err;

	if (record_read_file(path, &ops, r, &lines, &truncated, &err) != 0)
		return ctl_fail(&err);
	r->nfiles++;
	if (!truncated)
		return EXIT_DONE;
	r->ntruncated++;
	ctl_print("%s:%zu: the last record is not complete and left out", path,
	    lines + 1);
	return EXIT_DONE;
}

static int
replay_folder(struct replay *r, const char *folder)
{
	struct err err;
	size_t n;
	char **paths = record_list_folder(folder, &n, &err);
	int code = EXIT_DONE;

	if (paths == NULL)
		return ctl_fail(&err);
	if (n == 0) {
		ctl_print("%s: there are no records in it", folder);
		code = EXIT_INPUT;
	}
	for (size_t i = 0; i < n; i++) {
		if (code == EXIT_DONE)
			code = replay_file(r, paths[i]);
		free(paths[i]);
	}
	free(paths);
	return code;
}

static int
replay_all(struct replay *r)
{
	const struct options *options = r->options;
	int code = EXIT_DONE;
	struct stat st;

	for (size_t i = 0; i < options->nwords && code == EXIT_DONE; i++) {
		const char *path = options->words[i];

		if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
			code = replay_folder(r, path);
		else
			code = replay_file(r, path);
	}
	return code == EXIT_DONE ? conclude(r) : code;
}

int
replay_run(const struct options *options)
{
	struct replay r = { .options = options };
	int code = EXIT_DONE;

	if (options->policy != NULL || options->config != NULL)
		code = load_profiles(options, &r.other);
	if (code != EXIT_DONE)
		return code;
	code = replay_all(&r);
	diff_fini(&r.diff);
	arena_fini(&r.arena);
	profiles_free(r.other);
	return code;
}
