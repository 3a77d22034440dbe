/* Lists of pods; of those that wait, with the outcome of a decision about each. */
#include "config.h"

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "explain/finding.h"
#include "page/answer_internal.h"
#include "page/cluster_json.h"

/* Rows of one reply. */
#define USUAL_ROWS 100
#define MOST_ROWS 200000
/* Pods that are decided about to group them by their reasons. */
#define GROUPED_PODS 20000
#define NAMED_PODS 5 /* of a group */
/* Kinds of them for which remedies are tried: each takes tens of decisions. */
#define TRIED_KINDS 300

void
answer_requests(struct asking *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_open_member(&a->json, "requests", '{');
	json_members(&a->json, "cpu:d memory:d", r->cpu_milli, r->memory);
	requests_json_scalars(&a->json, r);
	json_close(&a->json, '}');
}

static void
put_pod(struct asking *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_members(&a->json, "name:s priority:i cpu:d memory:d",
	    pod_full_name(pod), pod->priority, r->cpu_milli, r->memory);
	requests_json_other(&a->json, r);
}

/* ---- all pods ---- */

enum pod_state
pod_state(const struct pod *pod)
{
	if (pod_has_ended(pod))
		return POD_ENDED;
	return pod->node != SYM_EMPTY ? POD_PLACED : POD_WAITING;
}

static const char *const states[] = {
	[POD_PLACED] = "placed",
	[POD_WAITING] = "pending",
	[POD_ENDED] = "ended",
};

/* "staying": on a node, and not placed again by a replay.  Any other text than these
 * stands for the placed ones. */
static bool
is_in_state(const struct pod *pod, const char *state)
{
	enum pod_state asked = POD_ENDED;

	if (state == NULL || strcmp(state, "all") == 0)
		return true;
	if (strcmp(state, "staying") == 0)
		return pod_state(pod) == POD_PLACED && !whatif_may_move(pod);
	while (asked != POD_PLACED && strcmp(states[asked], state) != 0)
		asked--;
	return pod_state(pod) == asked;
}

void
answer_pods(struct asking *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX), n = 0;
	size_t limit = asked_number(a, "limit", USUAL_ROWS, MOST_ROWS);
	const char *state = asked_text(a, "state");

	answer_open(a);
	json_members(&a->json, "offset:z", offset);
	json_open_member(&a->json, "pods", '[');
	for (size_t i = 0; i < a->view->npods; i++) {
		const struct pod *pod = a->view->pods[i];

		if (!is_in_state(pod, state) ||
		    !asked_matches(a, pod_full_name(pod)) || n++ < offset ||
		    n - offset > limit)
			continue;
		json_open(&a->json, '{');
		put_pod(a, pod);
		json_members(&a->json, "state:s node:n stays:s",
		    states[pod_state(pod)], pod->node, whatif_why_stays(pod));
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
	json_members(&a->json, "total:z", n);
	answer_close(a);
}

/* ---- pods that wait ---- */

/*
 * The pods that wait, in the order of the queue, and where they go: each placed before
 * the next one is decided about, as the scheduler does it; with the parameter
 * each=true each without the others.
 */
struct waiting {
	size_t n;
	const struct pod **pods;
	bool each;
	/* By place: where it goes now, where it would go by itself. */
	sym *nodes, *alone;
};

static struct waiting
waiting_pods(struct asking *a)
{
	const char *each = asked_text(a, "each");
	size_t most = a->view->npods;
	struct waiting w = {
		.pods = arena_array(&a->arena, const struct pod *, most),
		.each = each != NULL && strcmp(each, "true") == 0,
		.nodes = arena_array(&a->arena, sym, most),
		.alone = arena_array(&a->arena, sym, most),
	};

	for (size_t i = 0; i < most; i++)
		if (pod_state(a->view->pods[i]) == POD_WAITING &&
		    a->view->pods[i]->object.partial == PARTIAL_NONE)
			w.pods[w.n++] = a->view->pods[i];
	SORT(w.pods, w.n, whatif_compare_first_pods);
	for (size_t i = 0; i < w.n; i++)
		w.nodes[i] = w.alone[i] = SYM_NONE;
	return w;
}

/* Why the scheduler does not try the pod at all; NULL: it does. */
static const char *
not_tried(struct asking *a, const struct pod *pod)
{
	if (pod->class->ngates > 0)
		return arena_printf(&a->arena,
		    "waiting for %u scheduling gate%s", pod->class->ngates,
		    plural_of(pod->class->ngates));
	return pod->object.deleting ? "being deleted" : NULL;
}

/* Where the pod would go by itself; before any is placed. */
static void
find_alone(struct asking *a, struct whatif *w, struct waiting *all, size_t i)
{
	struct decision *d = NULL;

	if (!all->each && not_tried(a, all->pods[i]) == NULL)
		d = whatif_decide(w, all->pods[i], i);
	if (d != NULL && d->chosen != NULL)
		all->alone[i] = d->chosen->name;
}

/* Decides about pod i, and places it; those before it have been placed.  NULL: no
 * profile serves it, or it is not tried: *why, which may be NULL otherwise. */
static struct decision *
place_next(struct asking *a, struct whatif *w, struct waiting *all, size_t i,
    const char **why)
{
	struct decision *d;

	*why = not_tried(a, all->pods[i]);
	if (*why != NULL)
		return NULL;
	d = whatif_decide(w, all->pods[i], i);
	if (d == NULL)
		*why = whatif_message(w, d, all->pods[i], &a->arena);
	else if (d->chosen != NULL)
		all->nodes[i] = d->chosen->name;
	return d;
}

/* After the decision has been read: it is valid no longer. */
static void
keep_place(struct whatif *w, const struct waiting *all, size_t i)
{
	if (!all->each && all->nodes[i] != SYM_NONE)
		whatif_place(w, all->pods[i], all->nodes[i], NULL);
}

/* The pods before i that went where it would have gone. */
static void
put_takers(struct json_out *json, const struct waiting *all, size_t i)
{
	size_t n = 0;

	json_pair(json, "alone", sym_text(all->alone[i]));
	json_open_member(json, "takenBy", '[');
	for (size_t k = 0; k < i && n < NAMED_PODS; k++) {
		if (all->nodes[k] != all->alone[i])
			continue;
		json_string(json, pod_full_name(all->pods[k]));
		n++;
	}
	json_close(json, ']');
}

/* The node where the pod would go now, or the message of FailedScheduling. */
static void
put_waiting(struct asking *a, struct whatif *w, struct waiting *all, size_t i,
    struct decision *d, const char *message)
{
	const struct pod *pod = all->pods[i];
	const char *reason = message;

	if (message == NULL && all->nodes[i] == SYM_NONE) {
		reason = whatif_summary(&w->cycle, d);
		message = whatif_message(w, d, pod, &a->arena);
	}
	json_open(&a->json, '{');
	put_pod(a, pod);
	json_members(&a->json,
	    "created:d schedulerName:s node:n message:s reason:s",
	    pod->object.created, sym_text(pod->class->scheduler_name),
	    all->nodes[i], message, reason);
	if (all->nodes[i] == SYM_NONE && all->alone[i] != SYM_NONE)
		put_takers(&a->json, all, i);
	json_close(&a->json, '}');
}

/* A page of a list: the first place, and one past the last. */
struct window {
	size_t begin, end, n; /* n: so far */
};

static bool
take_place(struct window *page)
{
	size_t at = page->n++;

	return at >= page->begin && at < page->end;
}

/* Only what the page may show is asked for by itself. */
static void
find_alone_of(struct asking *a, struct whatif *w, struct waiting *all,
    struct window page, bool stays)
{
	for (size_t i = 0; i < all->n; i++)
		if (asked_matches(a, pod_full_name(all->pods[i])) &&
		    (take_place(&page) || stays))
			find_alone(a, w, all, i);
}

void
answer_pending(struct asking *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX / 2);
	struct window page = { .begin = offset,
		.end =
		    offset + asked_number(a, "limit", USUAL_ROWS, MOST_ROWS) };
	const char *outcome = asked_text(a, "outcome");
	bool stays = outcome != NULL && strcmp(outcome, "stays") == 0;
	struct waiting all = waiting_pods(a);
	struct whatif w;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	find_alone_of(a, &w, &all, page, stays);
	answer_open(a);
	json_members(&a->json, "offset:z", offset);
	json_open_member(&a->json, "pods", '[');
	for (size_t i = 0; i < all.n; i++) {
		bool matches = asked_matches(a, pod_full_name(all.pods[i]));
		struct decision *d;
		const char *why;

		/* the rest is counted alone */
		if ((all.each && !matches) || (!stays && page.n >= page.end)) {
			page.n += matches;
			continue;
		}
		d = place_next(a, &w, &all, i, &why);
		if (matches && (!stays || all.nodes[i] == SYM_NONE) &&
		    take_place(&page))
			put_waiting(a, &w, &all, i, d, why);
		keep_place(&w, &all, i);
	}
	json_close(&a->json, ']');
	json_members(&a->json, "total:z", page.n);
	answer_close(a);
	whatif_fini(&w);
}

/* ---- their reasons ---- */

struct group {
	const char *reason; /* NULL: they would be placed */
	size_t n, nalone;   /* nalone: that would be placed by themselves */
	/* Of problems alone: the first one, and pods whose remedy was tried. */
	struct finding finding;
	size_t nproven;
	const struct pod *pods[NAMED_PODS];
	int64_t requested[2]; /* cpu, memory */
};

struct groups {
	struct group *at;
	size_t n, cap;
};

static struct group *
group_of(struct asking *a, struct groups *groups, const char *reason)
{
	for (size_t i = 0; i < groups->n; i++) {
		const char *other = groups->at[i].reason;

		if (reason == NULL || other == NULL ?
			reason == other :
			strcmp(reason, other) == 0)
			return &groups->at[i];
	}
	if (reason != NULL)
		reason = arena_strndup(&a->arena, reason, strlen(reason));
	arena_room(&a->arena, groups->at, groups->n, &groups->cap);
	groups->at[groups->n] = (struct group){ .reason = reason };
	return &groups->at[groups->n++];
}

static struct group *
add_to_group(struct asking *a, struct groups *groups, const char *reason,
    const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);
	struct group *group = group_of(a, groups, reason);

	if (group->n < NAMED_PODS)
		group->pods[group->n] = pod;
	group->n++;
	group->requested[0] += r->cpu_milli;
	group->requested[1] += r->memory;
	return group;
}

static void
count_pod(struct asking *a, struct whatif *w, struct groups *groups,
    struct waiting *all, size_t i)
{
	const char *reason;
	struct decision *d = place_next(a, w, all, i, &reason);

	if (reason == NULL && all->nodes[i] == SYM_NONE)
		reason = whatif_summary(&w->cycle, d);
	add_to_group(a, groups, reason, all->pods[i])->nalone +=
	    all->alone[i] != SYM_NONE;
	keep_place(w, all, i);
}

static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	if (x->reason == NULL || y->reason == NULL)
		return x->reason == NULL ? 1 : -1;
	return strcmp(x->reason, y->reason);
}

static void
put_examples(struct json_out *json, const struct group *group)
{
	json_open_member(json, "examples", '[');
	for (size_t i = 0; i < group->n && i < NAMED_PODS; i++)
		json_string(json, pod_full_name(group->pods[i]));
	json_close(json, ']');
}

static void
put_group(struct json_out *json, const struct group *group)
{
	json_open(json, '{');
	json_members(json, "reason:s pods:z alone:z cpu:d memory:d",
	    group->reason, group->n, group->nalone, group->requested[0],
	    group->requested[1]);
	put_examples(json, group);
	json_close(json, '}');
}

/* ---- what would help them ---- */

/* The pods that stay pending after the others are placed, grouped by cause and remedy.
 * Returns how many were left out. */
static size_t
find_problems(struct asking *a, struct whatif *w, struct groups *problems,
    const struct waiting *all, size_t looked)
{
	struct findings known = { .arena = &a->arena, .own = w->cluster };
	size_t left_out = 0;

	for (size_t i = 0; i < looked; i++) {
		const struct finding *f;
		struct group *group;

		if (all->nodes[i] != SYM_NONE ||
		    not_tried(a, all->pods[i]) != NULL)
			continue;
		f = findings_known(&known, all->pods[i]);
		if (f == NULL && !whatif_begin(w, all->pods[i], i))
			continue;
		if (f == NULL && known.n == TRIED_KINDS) {
			left_out++;
			continue;
		}
		if (f == NULL) {
			w->cycle.ecache = NULL;
			f = findings_add(&known, &w->cycle);
		}
		group = add_to_group(a, problems,
		    arena_printf(&a->arena, "%s %s %s", f->cause, f->action,
			f->subject),
		    all->pods[i]);
		if (group->n == 1)
			group->finding = *f;
		group->nproven += f->proven;
	}
	SORT(problems->at, problems->n, compare_groups);
	return left_out;
}

static void
put_problems(struct asking *a, struct whatif *w, const struct waiting *all,
    size_t looked)
{
	struct json_out *json = &a->json;
	struct groups problems = { 0 };

	json_members(json, "leftOut:z",
	    find_problems(a, w, &problems, all, looked));
	JSON_ARRAY (json, "problems", i, problems.n) {
		const struct group *g = &problems.at[i];

		json_open(json, '{');
		json_members(json,
		    "pods:z proven:z cause:s text:s remedy:s action:s "
		    "subject:s",
		    g->n, g->nproven, g->finding.cause, g->finding.text,
		    g->finding.remedy, g->finding.action, g->finding.subject);
		put_examples(json, g);
		json_close(json, '}');
	}
}

void
answer_reasons(struct asking *a)
{
	struct groups groups = { 0 };
	struct waiting all = waiting_pods(a);
	size_t looked = all.n < GROUPED_PODS ? all.n : GROUPED_PODS;
	struct whatif w;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	for (size_t i = 0; i < looked; i++)
		find_alone(a, &w, &all, i);
	for (size_t i = 0; i < looked; i++)
		count_pod(a, &w, &groups, &all, i);
	SORT(groups.at, groups.n, compare_groups);
	answer_open(a);
	json_members(&a->json, "total:z decided:z", all.n, looked);
	JSON_ARRAY (&a->json, "groups", i, groups.n)
		put_group(&a->json, &groups.at[i]);
	if (asked_text(a, "remedies") != NULL)
		put_problems(a, &w, &all, looked);
	answer_close(a);
	whatif_fini(&w);
}
