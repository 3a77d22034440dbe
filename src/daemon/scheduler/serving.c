#include "config.h"

#include "daemon/scheduler/scheduler.h"

#include "daemon/scheduler/binder.h"
#include "base/clock.h"
#include "cluster/cluster.h"
#include "daemon/scheduler/plugins.h"
#include "decide/ecache/ecache.h"
#include "daemon/extender/extenders.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/framework/profiles.h"
#include "wire/metrics/measure.h"
#include "objects/pod.h"
#include "options/options.h"
#include "decide/sched/pre_enqueue.h"

/* ---- metrics ---- */

static struct account *
account_get(struct scheduler *s, sym name)
{
	struct account *account;

	for (size_t i = 0; i < s->naccounts; i++)
		if (s->accounts[i]->name == name)
			return s->accounts[i];
	account = xcalloc(1, sizeof(*account));
	account->name = sym_intern(sym_text(name));
	account->measure = measure_new(s->options.metrics, sym_text(name));
	account->plugins = plugins_new(s->options.metrics, sym_text(name));
	vec_room(s->accounts, s->naccounts, &s->accounts_cap);
	s->accounts[s->naccounts++] = account;
	return account;
}

struct account *
account_of(struct scheduler *s, const struct pod *pod)
{
	return account_get(s, pod->class->scheduler_name);
}

/* ---- extenders that were replaced ---- */

static void
retired_free(struct scheduler *s)
{
	for (size_t i = 0; i < s->nretired; i++)
		extenders_free(s->retired[i]);
	free(s->retired);
	s->retired = NULL;
	s->nretired = 0;
}

void
servings_tick(struct scheduler *s)
{
	for (size_t i = 0; i < s->nretired; i++)
		if (extenders_busy(s->retired[i]))
			return;
	retired_free(s);
}

/* ---- profiles ---- */

void
servings_drop_results(struct scheduler *s)
{
	for (size_t i = 0; i < s->nserving; i++) {
		ecache_free(s->serving[i].ecache);
		s->serving[i].ecache = NULL;
	}
}

void
servings_keep_results(struct scheduler *s)
{
	for (size_t i = 0; i < s->nserving; i++)
		s->serving[i].ecache = ecache_new(s->options.cluster,
		    s->serving[i].profile, ECACHE_BYTES_DEFAULT);
}

static void
forget_profiles(struct scheduler *s)
{
	for (size_t i = 0; i < s->nserving; i++)
		plugins_set_profile(s->serving[i].account->plugins, NULL);
	servings_drop_results(s);
	free(s->serving);
	profiles_free(s->profiles);
}

void
servings_replace(struct scheduler *s, struct profiles *profiles)
{
	/* Extenders of the replaced profiles may still be binding pods; the
	 * results of those of earlier profiles are looked up instead. */
	if (s->nretired > 0)
		bindings_abandon(&s->flights);
	retired_free(s);
	s->retired = xcalloc(s->nserving + 1, sizeof(struct extenders *));
	for (size_t i = 0; i < s->nserving; i++)
		s->retired[s->nretired++] = s->serving[i].extenders;
	forget_profiles(s);
	s->profiles = profiles;
	s->nserving = profiles->n;
	s->serving = xcalloc(profiles->n, sizeof(struct serving));
	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];
		struct serving *serving = &s->serving[i];

		serving->profile = profile;
		serving->name = sym_intern(profile->scheduler_name != NULL ?
			profile->scheduler_name :
			s->options.daemon->scheduler_name);
		serving->account = account_get(s, serving->name);
		serving->sticks =
		    profile_has_plugin(profile, POINT_POST_BIND, "StickyJob");
		serving->extenders =
		    extenders_new(s->options.base, s->options.cluster,
			s->documents, s->options.metrics, profile);
		plugins_set_profile(serving->account->plugins, profile);
	}
	extenders_keep_documents(s->documents, profiles);
	servings_keep_results(s);
}

void
servings_free(struct scheduler *s)
{
	for (size_t i = 0; i < s->nserving; i++)
		extenders_free(s->serving[i].extenders);
	retired_free(s);
	forget_profiles(s);
	for (size_t i = 0; i < s->naccounts; i++) {
		plugins_free(s->accounts[i]->plugins);
		measure_free(s->accounts[i]->measure);
		free(s->accounts[i]);
	}
	free(s->accounts);
	s->accounts = NULL;
	s->naccounts = s->accounts_cap = 0;
}

struct serving *
serving_of(const struct scheduler *s, const struct pod *pod)
{
	for (size_t i = 0; i < s->nserving; i++)
		if (s->serving[i].name == pod->class->scheduler_name)
			return &s->serving[i];
	return NULL;
}

/* ---- PreEnqueue ---- */

/* The times of single plugins are observed once in so many times, as in
 * kube-scheduler. */
#define SAMPLED 10

/* Until one holds the pod. */
static bool
ask_all(struct scheduler *s, struct cycle *cycle, const struct account *account)
{
	const struct profile *profile = cycle->profile;
	struct flight *flight = flight_get(&s->flights, cycle->pod);
	bool counts = profile->release >= SINCE_ENQUEUE;
	bool sampled = counts && s->nenqueues++ % SAMPLED == 0;
	double begun = counts ? clock_seconds() : 0;
	bool holds = false;

	for (size_t i = 0; i < profile->nenqueues && !holds; i++) {
		const struct profile_prefilter *plugin = &profile->enqueues[i];
		double plugin_begun = sampled ? clock_seconds() : 0;
		enum verdict verdict = pre_enqueue(cycle, plugin, NULL);

		plugins_enqueued(account->plugins, &flight->refusal,
		    plugin->name, verdict,
		    sampled ? clock_seconds() - plugin_begun : -1);
		holds = verdict != FITS;
	}
	/* its status is Success in kube-scheduler, too, whatever they said */
	if (counts)
		measure_step(account->measure, MEASURE_PRE_ENQUEUE,
		    MEASURE_SCHEDULED, clock_seconds() - begun);
	return holds;
}

bool
serving_holds(void *arg, const struct pod *pod)
{
	struct scheduler *s = arg;
	const struct serving *serving = serving_of(s, pod);
	struct arena arena = ARENA_INIT;
	struct cycle cycle = {
		.cluster = s->options.cluster,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
	};
	bool holds;

	/* until there are profiles, nothing is tried anyway */
	if (serving == NULL)
		return pod->class->ngates > 0;
	cycle.profile = serving->profile;
	holds = ask_all(s, &cycle, serving->account);
	arena_fini(&arena);
	return holds;
}
