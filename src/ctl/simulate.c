/*
 * predicatectl simulate: places the pending pods in the order of the
 * scheduler's queue, each placed pod counting for the next.
 *
 * Only pods change: no controller replaces an evicted pod, no node is added or
 * deleted, and a pod left pending is not tried again.
 */
#include "config.h"

#include "ctl/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "cluster/volume_binding.h"
#include "ctl/ctl.h"
#include "ctl/whatif.h"
#include "ctl/progress.h"
#include "ctl/serving.h"
#include "ecache/ecache.h"
#include "framework/profile.h"
#include "sched/decide.h"
#include "sched/pre_enqueue.h"
#include "sched/preempt.h"
#include "whatif/whatif.h"

/* ---- the queue ---- */

/* Higher priority first, then older, then earlier in the input. */
static int
compare_queue(const void *a, const void *b)
{
	const struct outcome *x = a, *y = b;

	if (x->pod->priority != y->pod->priority)
		return x->pod->priority > y->pod->priority ? -1 : 1;
	if (x->pod->object.created != y->pod->object.created)
		return x->pod->object.created < y->pod->object.created ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void
fill_queue(struct simulation *s)
{
	for (size_t i = 0; i < s->load->npods; i++) {
		struct outcome *o;

		if (!serving_waits(s->options, s->profiles, s->load->pods[i]))
			continue;
		vec_room(s->outcomes, s->noutcomes, &s->outcomes_cap);
		o = &s->outcomes[s->noutcomes++];
		*o = (struct outcome){ s->load->pods[i], i, SYM_NONE, "", "" };
	}
	if (s->noutcomes > 0)
		qsort(s->outcomes, s->noutcomes, sizeof(*s->outcomes),
		    compare_queue);
}

/* ---- one pod ---- */

/* The message that lives as long as the simulation; most repeat. */
static const char *
keep_text(struct simulation *s, const char *text)
{
	char *kept = strmap_get(&s->texts, text);

	if (kept == NULL) {
		kept = arena_strndup(&s->arena, text, strlen(text));
		strmap_put(&s->texts, kept, kept);
	}
	return kept;
}

static void
leave(struct simulation *s, struct outcome *o, const char *message,
    const char *summary)
{
	o->message = keep_text(s, message);
	o->summary = keep_text(s, summary);
}

/* Why a pod is not even tried; NULL when it is. */
static const char *
not_tried(struct cycle *cycle)
{
	if (cycle->pod->object.deleting)
		return arena_printf(cycle->arena,
		    "skip schedule deleting pod:"
		    " %s",
		    pod_full_name(cycle->pod));
	return pre_enqueue_refusal(cycle);
}

/* Everything that follows from placing a pod happens here. */
static void
place(struct simulation *s, const struct cycle *cycle, struct outcome *o,
    sym node)
{
	struct volume_rules rules = cycle_volume_rules(cycle);
	struct err err;

	cluster_assume_volumes(s->load->cluster, o->pod, node, &rules);
	if (cluster_assume(s->load->cluster, o->pod, node, &err) != 0) {
		leave(s, o, err.text, err.text);
		return;
	}
	o->node = node;
	s->nplaced++;
}

static void
evict(struct simulation *s, const struct pod *victim, sym node,
    const struct pod *by)
{
	struct eviction *e;

	vec_room(s->evictions, s->nevictions, &s->evictions_cap);
	e = &s->evictions[s->nevictions++];
	*e = (struct eviction){ pod_ref(victim), node, by };
	cluster_remove(s->load->cluster, &e->pod->object);
}

static void
nominate(struct simulation *s, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(s->load->cluster, &nominated->object);
	pod_unref(nominated);
}

/* Evicts for the pod; whether it is worth trying it again. */
static bool
make_room(struct simulation *s, struct cycle *cycle, struct decision *decision)
{
	struct preemption *p = preempt(cycle, decision);
	sym node;

	if (p == NULL)
		return false;
	for (size_t i = 0; i < p->nclears; i++)
		nominate(s, p->clears[i], SYM_EMPTY);
	if (p->node == NULL)
		return false;
	node = p->node->name;
	for (size_t i = 0; i < p->nvictims; i++)
		evict(s, p->victims[i], node, cycle->pod);
	nominate(s, cycle->pod, node);
	return true;
}

static struct decision *
decide_counted(struct simulation *s, struct cycle *cycle)
{
	s->ndecisions++;
	return decide(cycle);
}

static void
try_pod(struct simulation *s, struct cycle *cycle, struct outcome *o)
{
	struct decision *decision;
	const char *text = not_tried(cycle);

	if (text != NULL) {
		leave(s, o, text, text);
		return;
	}
	decision = decide_counted(s, cycle);
	if (decision->chosen == NULL && decision->error == NULL &&
	    s->options->preempt && make_room(s, cycle, decision))
		decision = decide_counted(s, cycle);
	if (decision->chosen != NULL)
		place(s, cycle, o, decision->chosen->name);
	else
		leave(s, o, decision_message(cycle, decision),
		    whatif_summary(cycle, decision));
}

static struct ecache *
ecache_for(const struct simulation *s, const struct profile *profile)
{
	size_t i = 0;

	while (s->profiles->at[i] != profile)
		i++;
	return s->ecaches[i];
}

static void
run(struct simulation *s)
{
	struct arena arena = ARENA_INIT;
	struct progress progress;
	double start = clock_seconds();

	s->ecaches = xcalloc(s->profiles->n, sizeof(struct ecache *));
	for (size_t i = 0; i < s->profiles->n; i++)
		s->ecaches[i] = ecache_new(s->load->cluster, s->profiles->at[i],
		    ECACHE_BYTES_DEFAULT);
	progress_init(&progress);
	for (size_t i = 0; i < s->noutcomes; i++) {
		struct outcome *o = &s->outcomes[i];
		struct cycle cycle = {
			.cluster = s->load->cluster,
			.profile =
			    serving_profile(s->options, s->profiles, o->pod),
			.pod = o->pod,
			.class = o->pod->class,
			.arena = &arena,
			.seed = hash_mix(s->options->seed +
			    i * UINT64_C(0x9e3779b97f4a7c15)),
		};

		cycle.ecache = ecache_for(s, cycle.profile);
		try_pod(s, &cycle, o);
		arena_reset(&arena);
		progress_show(&progress, "tried", i + 1, s->noutcomes);
	}
	progress_end(&progress);
	arena_fini(&arena);
	for (size_t i = 0; i < s->profiles->n; i++)
		ecache_free(s->ecaches[i]);
	free(s->ecaches);
	s->seconds = clock_seconds() - start;
}

/* ---- for programs ---- */

#define FLUSH_BYTES 65536

static void
json_outcomes(struct json_out *json, const struct simulation *s, bool placed)
{
	json_key(json, placed ? "placed" : "pending");
	json_open(json, '[');
	for (size_t i = 0; i < s->noutcomes; i++) {
		const struct outcome *o = &s->outcomes[i];

		if ((o->node != SYM_NONE) != placed)
			continue;
		json_begin_item(json);
		json_pair(json, "pod", pod_full_name(o->pod));
		json_pair(json, placed ? "node" : "message",
		    placed ? sym_text(o->node) : o->message);
		json_close(json, '}');
		if (json->text->len > FLUSH_BYTES)
			text_flush(json->text, stdout);
	}
	json_close(json, ']');
}

static void
json_evictions(struct json_out *json, const struct simulation *s)
{
	json_begin(json, "evicted");
	for (size_t i = 0; i < s->nevictions; i++) {
		json_begin_item(json);
		json_pair(json, "pod", pod_full_name(s->evictions[i].pod));
		json_pair(json, "node", sym_text(s->evictions[i].node));
		json_pair(json, "by", pod_full_name(s->evictions[i].by));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
simulate_json(const struct simulation *s)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_outcomes(&json, s, true);
	json_break(&json, " ");
	json_outcomes(&json, s, false);
	if (s->options->preempt)
		json_evictions(&json, s);
	json_break(&json, " ");
	json_key(&json, "seconds");
	json_number(&json, s->seconds, 6);
	json_key(&json, "decisions_per_second");
	json_number(&json,
	    s->seconds > 0 ? (double)s->ndecisions / s->seconds : 0, 1);
	json_close(&json, '}');
	text_put(&text, "\n");
	text_write(&text, stdout);
}

/* ---- the command ---- */

static void
simulation_fini(struct simulation *s)
{
	for (size_t i = 0; i < s->nevictions; i++)
		pod_unref(s->evictions[i].pod);
	free(s->evictions);
	free(s->outcomes);
	strmap_fini(&s->texts);
	arena_fini(&s->arena);
}

/* Whether a pod that cannot be decoded waits. */
static bool
waits_left_out(const struct simulation *s)
{
	for (size_t i = 0; i < s->load->nleft_out; i++)
		if (serving_waits(s->options, s->profiles,
			s->load->left_out[i]))
			return true;
	return false;
}

static int
simulate_in(const struct options *options, struct profiles **profiles)
{
	struct load load;
	struct simulation s = {
		.options = options,
		.load = &load,
	};
	struct err err;
	int code;

	if (load_cluster(options, *profiles, &load, &err) != 0) {
		ctl_say("%s", err.text);
		return EXIT_INPUT;
	}
	code = openshift_profile(&load.openshift, options, profiles);
	if (code != EXIT_DONE) {
		load_fini(&load);
		return code;
	}
	s.profiles = *profiles;
	fill_queue(&s);
	run(&s);
	if (options->json)
		simulate_json(&s);
	else
		simulate_table(&s);
	code = s.nplaced == s.noutcomes && !waits_left_out(&s) ? EXIT_DONE :
								 EXIT_NEGATIVE;
	simulation_fini(&s);
	load_fini(&load);
	return code;
}

int
simulate_run(const struct options *options)
{
	struct profiles *profiles;
	int code = load_profiles(options, &profiles);

	if (code != EXIT_DONE)
		return code;
	code = simulate_in(options, &profiles);
	profiles_free(profiles);
	return code;
}
