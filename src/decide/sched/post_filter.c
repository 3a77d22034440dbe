#include "config.h"

#include "decide/sched/post_filter.h"

#include "cluster/devices/pod_devices.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "decide/sched/victims.h"

#define NOT_HELPFUL "Preemption is not helpful for scheduling"
#define NO_VICTIMS "No preemption victims found for incoming pod"

/* The reasons above, in struct why. */
enum { REASON_NOT_HELPFUL, REASON_NO_VICTIMS };

/* ---- DefaultPreemption ---- */

/* Why preemption does not help: a decision of its own, whose cells are nodes of one
 * answer. */
struct account {
	struct cycle *cycle;
	const struct decision *d; /* the one that placed nothing */
	struct decision own;
};

static struct node_verdict *
add_nodes(struct account *a, uint32_t node, uint32_t n)
{
	struct decision *own = &a->own;
	struct node_verdict *v = &own->verdicts[own->ncells];

	own->cells[own->ncells++] = (struct cell){ .node = node, .n = n };
	*v = (struct node_verdict){ .verdict = UNFIT_FOREVER };
	return v;
}

static void
add_reason(struct account *a, uint32_t node, uint32_t n, uint32_t reason)
{
	struct node_verdict *v = add_nodes(a, node, n);

	v->first_reason = reason;
	v->nreasons = 1;
}

static void
add_refused(struct account *a, const struct node_info *node)
{
	if (node->lowest_priority < a->cycle->pod->priority) {
		/* Why the pod would not fit on a node that all pods of lower
		 * priority left. */
		struct why *why = &a->own.why;
		struct node_verdict *v = add_nodes(a, node->index, 1);
		struct victims victims;

		v->first_reason = (uint32_t)why->n;
		if (victims_find(a->d->filter, node, a->cycle->arena, &victims,
			why))
			cycle_fail(a->cycle,
			    "expected at least one victim pod on node \"%s\"",
			    sym_text(node->name));
		v->nreasons = (uint32_t)why->n - v->first_reason;
	} else
		add_reason(a, node->index, 1, REASON_NO_VICTIMS);
}

/* Counts the cells whose nodes all have one reason; true if cells are left. */
static bool
add_cells(struct account *a)
{
	const struct cluster *cluster = a->cycle->cluster;
	bool none_can_leave = cluster->npriorities == 0 ||
	    cluster->priorities[0].priority >= a->cycle->pod->priority;
	bool left = false;

	for (uint32_t i = 0; i < a->d->ncells; i++) {
		uint32_t node = decision_node(a->d, i);
		uint32_t size = decision_size(a->d, i);

		if (a->d->verdicts[i].verdict != UNFIT)
			add_reason(a, node, size, REASON_NOT_HELPFUL);
		else if (none_can_leave)
			add_reason(a, node, size, REASON_NO_VICTIMS);
		else
			left = true;
	}
	return left;
}

/* Why there is no candidate on any node. */
static const char *
explain_nodes(struct cycle *cycle, struct decision *d, enum verdict *verdict)
{
	uint32_t most = d->nnodes + d->ncells;
	struct account a = { .cycle = cycle,
		.d = d,
		.own = { .nnodes = d->nnodes,
		    .each_node = true,
		    .why = { .arena = cycle->arena } } };

	a.own.cells = arena_alloc(cycle->arena, most * sizeof(struct cell));
	a.own.verdicts =
	    arena_alloc(cycle->arena, most * sizeof(struct node_verdict));
	why_add(&a.own.why, NOT_HELPFUL);
	why_add(&a.own.why, NO_VICTIMS);
	if (add_cells(&a))
		for (uint32_t i = 0;
		     i < d->nnodes && !cycle_is_cancelled(cycle); i++)
			if (decision_verdict(d, i)->verdict == UNFIT)
				add_refused(&a, cycle->cluster->nodes[i]);
	if (cycle_is_cancelled(cycle)) {
		cycle->nerrors = 0;
		decision_abandon(cycle, d);
		return "";
	}
	if (cycle->nerrors > 0) {
		const char **texts;
		const char *text;

		*verdict = BROKEN;
		/* The errors of all rules, each text once; "[a, b]" if there
		 * are several. */
		texts = arena_array(cycle->arena, const char *, cycle->nerrors);
		for (size_t i = 0; i < cycle->nerrors; i++)
			texts[i] = cycle->errors[i].text;
		text = arena_join(cycle->arena, cycle->nerrors, texts, ", ");
		if (cycle->nerrors > 1)
			text = arena_printf(cycle->arena, "[%s]", text);
		cycle->nerrors = 0;
		return text;
	}
	return decision_message(cycle, &a.own);
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

/* Whether its devices cannot be used on a node where the pod was refused for that,
 * and no other pod uses it. */
static bool
may_go(const struct cycle *cycle, const struct decision *d,
    const struct resource_claim *claim)
{
	if (!claim->allocated || claim->nusers > 1 ||
	    (claim->nusers == 1 &&
		!resource_claim_is_for(claim, cycle->pod->object.uid)))
		return false;
	for (uint32_t i = 0; i < d->nnodes; i++) {
		const struct node_info *node = cycle->cluster->nodes[i];
		const struct node_verdict *v = decision_verdict(d, i);

		if (v->nreasons == 1 &&
		    d->why.reasons[v->first_reason] == why_claim_elsewhere &&
		    (cycle_claim_failed(cycle, claim) ||
			(claim->has_nodes &&
			    !node_selector_matches(&claim->nodes,
				&node->node->labels, node->name))))
			return true;
	}
	return false;
}

/* Says in post which claim is to be released or deleted; the message. */
static const char *
free_claims(const struct cycle *cycle, const struct decision *d,
    const struct pod_devices *devices, struct post_filter *post)
{
	for (uint32_t i = 0; i < devices->nclaims; i++) {
		if (!may_go(cycle, d, devices->claims[i]))
			continue;
		post->deallocated = devices->claims[i];
		return "deallocation of ResourceClaim completed";
	}
	post->deleted = devices->made;
	return post->deleted != NULL ? "deletion of ResourceClaim completed" :
				       "still not schedulable";
}

static const char *
explain_devices(struct cycle *cycle, const struct decision *d,
    struct post_filter *post)
{
	struct pod_devices *devices;

	static const char name[] = "DynamicResources";
	const struct profile_point *point =
	    &cycle->profile->points[POINT_PRE_FILTER];
	const char *rejected =
	    d->rejected_by != NULL ? d->rejected_by->name : NULL;
	bool was_rejected = rejected != NULL && strcmp(rejected, name) == 0;

	/* if PreFilter has stored no state */
	if (!runs_before(point, name, "") ||
	    (rejected != NULL && !was_rejected &&
		runs_before(point, rejected, name))) {
		post->verdict = BROKEN;
		return "not found";
	}
	devices = cycle_devices(cycle);
	if (was_rejected ||
	    (devices == NULL &&
		(cycle_allocates(cycle) ||
		    cycle->class->nresource_claims == 0)))
		return "no new claims to deallocate";
	return devices != NULL ? free_claims(cycle, d, devices, post) :
				 "still not schedulable";
}

/* ---- the stage ---- */

/* The plugin's text, NULL if it has none; *post gets its verdict. */
static const char *
run(struct cycle *cycle, struct decision *d, const char *plugin,
    struct post_filter *post)
{
	const char *text;

	if (strcmp(plugin, "DynamicResources") == 0)
		return explain_devices(cycle, d, post);
	if (strcmp(plugin, "DefaultPreemption") != 0)
		return NULL;
	post->preempts = true;
	post->preemption = preempt(cycle, d);
	if (d->abandoned)
		return NULL;
	if (post->preemption != NULL && post->preemption->node != NULL) {
		post->verdict = FITS;
		return NULL;
	}
	text = preempt_ineligible(cycle, d);
	if (text == NULL)
		text = explain_nodes(cycle, d, &post->verdict);
	return arena_printf(cycle->arena, "preemption: %s", text);
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
	if (cycle->profile->release < SINCE_PREEMPTION_WORDS) {
		const struct pod_devices *devices = cycle_devices(cycle);

		if (devices != NULL)
			free_claims(cycle, d, devices, post);
		post->preempts = profile_preempts(cycle->profile);
		post->preemption = preempt(cycle, d);
		post->verdict =
		    post->preemption != NULL && post->preemption->node != NULL ?
		    FITS :
		    UNFIT;
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
