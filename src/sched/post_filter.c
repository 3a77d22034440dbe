#include "config.h"

#include "sched/post_filter.h"

#include <string.h>

#include "framework/profile.h"
#include "sched/cells.h"
#include "sched/victims.h"

/* Earlier releases give no reasons why preemption does not help. */
#define WORDS_FROM 36

#define NOT_HELPFUL "Preemption is not helpful for scheduling"
#define NO_VICTIMS "No preemption victims found for incoming pod"

/* The reasons above, in struct why. */
enum { REASON_NOT_HELPFUL, REASON_NO_VICTIMS };

/* ---- DefaultPreemption ---- */

static bool
has_lower_pod(const struct cycle *cycle, const struct node_info *node)
{
	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->priority < cycle->pod->priority)
			return true;
	return false;
}

/* Why the pod would not fit on a node that all pods of lower priority left. */
static void
explain_node(struct cycle *cycle, const struct decision *d,
    const struct node_info *node, struct node_verdict *v, struct why *why)
{
	struct victims victims;

	*v = (struct node_verdict){ .verdict = UNFIT_FOREVER, .nreasons = 1 };
	if (decision_verdict(d, node->index)->verdict != UNFIT) {
		v->first_reason = REASON_NOT_HELPFUL;
		return;
	}
	if (!has_lower_pod(cycle, node)) {
		v->first_reason = REASON_NO_VICTIMS;
		return;
	}
	v->first_reason = (uint32_t)why->n;
	if (victims_find(d->filter, node, &victims, why))
		cycle_fail(cycle,
		    "expected at least one victim pod on node \"%s\"",
		    sym_text(node->name));
	v->nreasons = (uint32_t)why->n - v->first_reason;
}

/* All that rules said, each text once; "[a, b]" if there are several. */
static const char *
take_errors(struct cycle *cycle)
{
	const char **texts =
	    arena_array(cycle->arena, const char *, cycle->nerrors);
	const char *text;

	for (size_t i = 0; i < cycle->nerrors; i++)
		texts[i] = cycle->errors[i].text;
	text = arena_join(cycle->arena, cycle->nerrors, texts, ", ");
	if (cycle->nerrors > 1)
		text = arena_printf(cycle->arena, "[%s]", text);
	cycle->nerrors = 0;
	return text;
}

/* Why there is no candidate on any node. */
static const char *
explain_nodes(struct cycle *cycle, struct decision *d, enum verdict *verdict)
{
	const struct cluster *cluster = cycle->cluster;
	struct decision each = { .nnodes = d->nnodes };

	cells_each_node(cycle, &each);
	why_add(&each.why, NOT_HELPFUL);
	why_add(&each.why, NO_VICTIMS);
	for (uint32_t i = 0; i < d->nnodes && !cycle_is_cancelled(cycle); i++)
		explain_node(cycle, d, cluster->nodes[i], &each.verdicts[i],
		    &each.why);
	if (cycle_is_cancelled(cycle)) {
		cycle->nerrors = 0;
		decision_abandon(cycle, d);
		return "";
	}
	if (cycle->nerrors > 0) {
		*verdict = BROKEN;
		return take_errors(cycle);
	}
	return decision_message(cycle, &each);
}

static const char *
explain_preemption(struct cycle *cycle, struct decision *d,
    enum verdict *verdict)
{
	const char *text = preempt_ineligible(cycle, d);

	if (text == NULL)
		text = explain_nodes(cycle, d, verdict);
	return arena_printf(cycle->arena, "preemption: %s", text);
}

/* ---- DynamicResources ---- */

static bool
runs_before(const struct profile_point *point, const char *a, const char *b)
{
	for (size_t i = 0; i < point->n; i++) {
		if (strcmp(point->plugins[i].name, a) == 0)
			return true;
		if (strcmp(point->plugins[i].name, b) == 0)
			return false;
	}
	return false;
}

static bool
is_there(const struct profile_point *point, const char *name)
{
	return runs_before(point, name, "");
}

/* ≠: the reference takes back the allocation of a claim that was not available on
 * some node, to try other devices, and says so. */
static const char *
explain_devices(const struct cycle *cycle, const struct decision *d,
    enum verdict *verdict)
{
	static const char name[] = "DynamicResources";
	const struct profile_point *point =
	    &cycle->profile->points[POINT_PRE_FILTER];
	const char *rejected =
	    d->rejected_by != NULL ? d->rejected_by->name : NULL;
	bool was_rejected = rejected != NULL && strcmp(rejected, name) == 0;

	/* without the state that its PreFilter leaves */
	if (!is_there(point, name) ||
	    (rejected != NULL && !was_rejected &&
		runs_before(point, rejected, name))) {
		*verdict = BROKEN;
		return "not found";
	}
	if (was_rejected || cycle->class->nresource_claims == 0)
		return "no new claims to deallocate";
	return "still not schedulable";
}

/* ---- the stage ---- */

/* The plugin's text, NULL if it has none; *post gets its verdict. */
static const char *
run(struct cycle *cycle, struct decision *d, const char *plugin,
    struct post_filter *post)
{
	if (strcmp(plugin, "DynamicResources") == 0)
		return explain_devices(cycle, d, &post->verdict);
	if (strcmp(plugin, "DefaultPreemption") != 0)
		return NULL;
	post->preemption = preempt(cycle, d);
	if (d->abandoned)
		return NULL;
	if (post->preemption != NULL && post->preemption->node != NULL) {
		post->verdict = FITS;
		return NULL;
	}
	return explain_preemption(cycle, d, &post->verdict);
}

struct post_filter *
post_filter(struct cycle *cycle, struct decision *d)
{
	const struct profile_point *point =
	    &cycle->profile->points[POINT_POST_FILTER];
	struct post_filter *post =
	    arena_array(cycle->arena, struct post_filter, 1);
	const char **texts = arena_array(cycle->arena, const char *, point->n);
	size_t n = 0;

	post->message = "";
	if (cycle->profile->release < WORDS_FROM) {
		post->preemption = preempt(cycle, d);
		return post;
	}
	post->ran = point->n > 0;
	post->verdict = UNFIT;
	for (size_t i = 0; i < point->n && post->verdict == UNFIT; i++) {
		texts[n] = run(cycle, d, point->plugins[i].name, post);
		n += texts[n] != NULL;
	}
	if (post->verdict == BROKEN)
		post->message = texts[n - 1];
	else if (post->verdict == UNFIT)
		post->message = arena_join(cycle->arena, n, texts, ", ");
	return post;
}

const char *
post_filter_message(struct cycle *cycle, const char *message,
    const struct post_filter *post)
{
	if (post == NULL || post->message[0] == '\0')
		return message;
	return arena_printf(cycle->arena, "%s %s", message, post->message);
}
