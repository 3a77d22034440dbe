/* Lists of pods; of those that wait, with the outcome of a decision about each. */
#include "config.h"

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "daemon/page/answer_internal.h"
#include "explain/cluster_json.h"
#include "explain/whatif/waiting.h"

/* Rows of one reply. */
#define USUAL_ROWS 100
/* Pods that are decided about to group them by their reasons. */
#define GROUPED_PODS 20000
#define NAMED_PODS 5 /* of a group */
/* Kinds of them for which remedies are tried: each takes tens of decisions. */
#define TRIED_KINDS 300

void
answer_requests(struct page_question *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_open_member(&a->json, "requests", '{');
	json_members(&a->json, "cpu:d memory:d", r->cpu_milli, r->memory);
	requests_json_scalars(&a->json, r);
	json_close(&a->json, '}');
}

static void
put_pod(struct page_question *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_members(&a->json, "name:s priority:i cpu:d memory:d",
	    pod_full_name(pod), pod->priority, r->cpu_milli, r->memory);
	requests_json_other(&a->json, r);
	pod_json_owner(&a->json, pod);
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

/* Those that the API server asks before it evicts the pod. */
static void
put_budgets(struct page_question *a, const struct pod *pod,
    struct whatif_budgets *budgets)
{
	const struct whatif_budget *b;
	size_t at = 0;

	json_open_member(&a->json, "budgets", '[');
	while ((b = whatif_next_budget(budgets, &a->arena, a->view->cluster,
		    pod, &at)) != NULL)
		json_string(&a->json, b->budget->object.name);
	json_close(&a->json, ']');
}

void
answer_pods(struct page_question *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX), n = 0;
	size_t limit = asked_number(a, "limit", USUAL_ROWS, a->view->most_rows);
	const char *state = asked_text(a, "state");
	struct whatif_budgets budgets = { 0 };

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
		put_budgets(a, pod, &budgets);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
	json_members(&a->json, "total:z", n);
	answer_close(a);
}

/* ---- pods that wait ---- */

/* All of them, each before the next one or, with the parameter each=true, each without
 * the others. */
void
asked_queue(struct page_question *a, struct waiting *q, struct whatif *w)
{
	const char *each = asked_text(a, "each");
	const struct pod **pods =
	    arena_array(&a->arena, const struct pod *, a->view->npods);
	size_t n = 0;

	for (size_t i = 0; i < a->view->npods; i++)
		if (pod_state(a->view->pods[i]) == POD_WAITING &&
		    a->view->pods[i]->object.partial == PARTIAL_NONE)
			pods[n++] = a->view->pods[i];
	waiting_init(q, w, n, pods);
	q->each = each != NULL && strcmp(each, "true") == 0;
}

/* The node where the pod would go now, or the message of FailedScheduling. */
static void
put_waiting(struct page_question *a, struct waiting *q, size_t i)
{
	const struct waiting_pod *p = &q->pods[i];

	json_open(&a->json, '{');
	put_pod(a, p->pod);
	json_members(&a->json,
	    "created:d schedulerName:s status:s node:n before:z message:s "
	    "reason:s",
	    p->pod->object.created, sym_text(p->pod->class->scheduler_name),
	    waiting_status_name(p->status), p->node, p->before, p->message,
	    p->summary);
	if (p->status == WAITING_BEHIND) {
		/* The pods before i that went where it would have gone. */
		size_t n = 0;

		json_pair(&a->json, "alone", sym_text(q->pods[i].alone));
		json_open_member(&a->json, "takenBy", '[');
		for (size_t k = 0; k < i && n < NAMED_PODS; k++) {
			if (q->pods[k].node != q->pods[i].alone)
				continue;
			json_string(&a->json, pod_full_name(q->pods[k].pod));
			n++;
		}
		json_close(&a->json, ']');
	}
	json_close(&a->json, '}');
}

void
answer_pending(struct page_question *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX / 2), n = 0;
	size_t end =
	    offset + asked_number(a, "limit", USUAL_ROWS, a->view->most_rows);
	const char *outcome = asked_text(a, "outcome");
	bool stays = outcome != NULL && strcmp(outcome, "stays") == 0;
	struct waiting q;
	struct whatif w;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	asked_queue(a, &q, &w);
	/* Pods behind the page's last row are only counted. */
	for (size_t i = 0, matching = 0; i < q.n && (stays || matching < end);
	     i++) {
		waiting_run(&q, i + 1);
		matching += asked_matches(a, pod_full_name(q.pods[i].pod));
	}
	waiting_end(&q);
	answer_open(a);
	json_members(&a->json, "offset:z", offset);
	json_open_member(&a->json, "pods", '[');
	for (size_t i = 0; i < q.n; i++) {
		if (!asked_matches(a, pod_full_name(q.pods[i].pod)) ||
		    (stays && q.pods[i].node != SYM_NONE))
			continue;
		if (n >= offset && n < end)
			put_waiting(a, &q, i);
		n++;
	}
	json_close(&a->json, ']');
	json_members(&a->json, "total:z", n);
	answer_close(a);
	waiting_fini(&q);
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
group_of(struct page_question *a, struct groups *groups, const char *reason)
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
add_to_group(struct page_question *a, struct groups *groups, const char *reason,
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
	JSON_ARRAY (json, "examples", i, group->n)
		if (i < NAMED_PODS)
			json_string(json, pod_full_name(group->pods[i]));
}

/* ---- what would help them ---- */

/* The member "stays": the pods that get no node, each with cause and remedy, by which
 * they are grouped.  Returns how many were left out. */
static size_t
find_problems(struct page_question *a, struct waiting *q,
    struct groups *problems)
{
	size_t left_out = 0;

	json_open_member(&a->json, "stays", '[');
	for (size_t i = 0; i < q->next; i++) {
		const struct waiting_pod *p = &q->pods[i];
		struct finding f;
		struct group *group;

		if (p->status == WAITING_GOES)
			continue;
		if (q->findings.n >= TRIED_KINDS) {
			left_out++;
			continue;
		}
		f = waiting_finding(q, i);
		group = add_to_group(a, problems,
		    arena_printf(&a->arena, "%s %s %s", f.cause, f.action,
			f.subject),
		    p->pod);
		if (group->n == 1)
			group->finding = f;
		group->nproven += f.proven;
		json_open(&a->json, '{');
		put_pod(a, p->pod);
		json_members(&a->json, "cause:s action:s subject:s", f.cause,
		    f.action, f.subject);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
	SORT(problems->at, problems->n, compare_groups);
	return left_out;
}

static void
put_problems(struct page_question *a, struct waiting *q)
{
	struct json_out *json = &a->json;
	struct groups problems = { 0 };
	size_t left_out = find_problems(a, q, &problems);

	json_members(json, "leftOut:z", left_out);
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
answer_reasons(struct page_question *a)
{
	bool with_remedies = asked_text(a, "remedies") != NULL;
	struct groups groups = { 0 };
	struct waiting q;
	struct whatif w;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	asked_queue(a, &q, &w);
	waiting_run(&q, GROUPED_PODS);
	if (with_remedies && q.next == q.n)
		waiting_find_nodes(&q, NULL);
	waiting_end(&q);
	for (size_t i = 0; i < q.next; i++)
		add_to_group(a, &groups, q.pods[i].summary, q.pods[i].pod)
		    ->nalone += q.pods[i].status == WAITING_BEHIND;
	SORT(groups.at, groups.n, compare_groups);
	answer_open(a);
	json_members(&a->json, "total:z decided:z", q.n, q.next);
	JSON_ARRAY (&a->json, "groups", i, groups.n) {
		const struct group *group = &groups.at[i];

		json_open(&a->json, '{');
		json_members(&a->json, "reason:s pods:z alone:z cpu:d memory:d",
		    group->reason, group->n, group->nalone, group->requested[0],
		    group->requested[1]);
		put_examples(&a->json, group);
		json_close(&a->json, '}');
	}
	if (with_remedies) {
		put_problems(a, &q);
		waiting_nodes_json(&q, &a->json);
	}
	answer_close(a);
	waiting_fini(&q);
	whatif_fini(&w);
}
