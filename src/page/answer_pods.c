/* Lists of pods; of those that wait, with the outcome of a decision about each. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "cluster/cluster.h"
#include "page/answer_internal.h"

/* Rows of one reply. */
#define USUAL_ROWS 100
#define MOST_ROWS 1000
/* Pods that are decided about to group them by their reasons. */
#define GROUPED_PODS 2000
#define NAMED_PODS 5 /* of a group */

static void
put_scalars(struct json_out *json, const struct resources *r)
{
	for (uint32_t i = 0; i < r->nscalars; i++)
		json_pair_int(json, sym_text(r->scalars[i].name),
		    r->scalars[i].amount);
	json_close(json, '}');
}

void
answer_requests(struct asking *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_open_member(&a->json, "requests", '{');
	json_members(&a->json, "cpu:d memory:d", r->cpu_milli, r->memory);
	put_scalars(&a->json, r);
}

static void
put_pod(struct asking *a, const struct pod *pod)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);

	json_members(&a->json, "name:s priority:i cpu:d memory:d",
	    pod_full_name(pod), pod->priority, r->cpu_milli, r->memory);
	if (r->nscalars == 0)
		return;
	json_open_member(&a->json, "other", '{');
	put_scalars(&a->json, r);
}

/* ---- all pods ---- */

enum pod_state
pod_state(const struct pod *pod)
{
	if (pod->phase == POD_SUCCEEDED || pod->phase == POD_FAILED)
		return POD_ENDED;
	return pod->node != SYM_EMPTY ? POD_PLACED : POD_WAITING;
}

static const char *const states[] = {
	[POD_PLACED] = "placed",
	[POD_WAITING] = "pending",
	[POD_ENDED] = "ended",
};

/* Any other text stands for the placed ones. */
static bool
is_in_state(const struct pod *pod, const char *state)
{
	enum pod_state asked = POD_ENDED;

	if (state == NULL || strcmp(state, "all") == 0)
		return true;
	while (asked != POD_PLACED && strcmp(states[asked], state) != 0)
		asked--;
	return pod_state(pod) == asked;
}

void
answer_pods(struct asking *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX);
	size_t limit = asked_number(a, "limit", USUAL_ROWS, MOST_ROWS);
	const char *state = asked_text(a, "state");
	size_t n = 0;

	answer_open(a);
	json_members(&a->json, "offset:z", offset);
	JSON_ARRAY (&a->json, "pods", i, a->view->npods) {
		const struct pod *pod = a->view->pods[i];

		if (!is_in_state(pod, state) ||
		    !asked_matches(a, pod_full_name(pod)))
			continue;
		if (n >= offset && n - offset < limit) {
			json_open(&a->json, '{');
			put_pod(a, pod);
			json_members(&a->json, "state:s node:n",
			    states[pod_state(pod)], pod->node);
			json_close(&a->json, '}');
		}
		n++;
	}
	json_members(&a->json, "total:z", n);
	answer_close(a);
}

/* ---- pods that wait ---- */

/* In the order of the queue. */
static const struct pod **
waiting_pods(struct asking *a, size_t *n)
{
	const struct pod **pods =
	    arena_array(&a->arena, const struct pod *, a->view->npods);

	*n = 0;
	for (size_t i = 0; i < a->view->npods; i++)
		if (pod_state(a->view->pods[i]) == POD_WAITING &&
		    a->view->pods[i]->object.partial == PARTIAL_NONE &&
		    asked_matches(a, pod_full_name(a->view->pods[i])))
			pods[(*n)++] = a->view->pods[i];
	SORT(pods, *n, whatif_compare_first_pods);
	return pods;
}

/* Why the scheduler does not try the pod at all; NULL: it does. */
static const char *
not_tried(struct asking *a, const struct pod *pod)
{
	if (pod->class->ngates > 0)
		return arena_printf(&a->arena,
		    "waiting for %u scheduling gate%s", pod->class->ngates,
		    pod->class->ngates == 1 ? "" : "s");
	return pod->object.deleting ? "being deleted" : NULL;
}

/* The node where the pod would go now, or the message of FailedScheduling. */
static void
put_outcome(struct asking *a, struct whatif *w, const struct pod *pod, size_t i)
{
	const char *node = NULL, *message = not_tried(a, pod);
	struct decision *d = NULL;

	if (message == NULL) {
		d = whatif_decide(w, pod, i);
		if (d != NULL && d->chosen != NULL)
			node = sym_text(d->chosen->name);
		else
			message = whatif_message(w, d, pod, &a->arena);
	}
	json_members(&a->json, "node:s message:s", node, message);
}

void
answer_pending(struct asking *a)
{
	size_t offset = asked_number(a, "offset", 0, SIZE_MAX), n;
	size_t limit = asked_number(a, "limit", USUAL_ROWS, MOST_ROWS);
	const struct pod **pods = waiting_pods(a, &n);
	struct whatif w;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	answer_open(a);
	json_members(&a->json, "total:z offset:z", n, offset);
	json_open_member(&a->json, "pods", '[');
	for (size_t i = offset; i < n && i - offset < limit; i++) {
		json_open(&a->json, '{');
		put_pod(a, pods[i]);
		json_members(&a->json, "created:d schedulerName:s",
		    pods[i]->object.created,
		    sym_text(pods[i]->class->scheduler_name));
		put_outcome(a, &w, pods[i], i);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
	answer_close(a);
	whatif_fini(&w);
}

/* ---- their reasons ---- */

struct group {
	const char *reason; /* NULL: they would be placed */
	size_t n;
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

static void
count_pod(struct asking *a, struct whatif *w, struct groups *groups,
    const struct pod *pod, size_t i)
{
	const struct resources *r =
	    pod_requested(pod->class, a->view->cluster->kubernetes_minor);
	const char *reason = not_tried(a, pod);
	struct group *group;

	if (reason == NULL) {
		struct decision *d = whatif_decide(w, pod, i);

		if (d == NULL)
			reason = whatif_message(w, d, pod, &a->arena);
		else if (d->chosen == NULL)
			reason = whatif_summary(&w->cycle, d);
	}
	group = group_of(a, groups, reason);
	if (group->n < NAMED_PODS)
		group->pods[group->n] = pod;
	group->n++;
	group->requested[0] += r->cpu_milli;
	group->requested[1] += r->memory;
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
put_group(struct json_out *json, const struct group *group)
{
	json_open(json, '{');
	json_members(json, "reason:s pods:z cpu:d memory:d", group->reason,
	    group->n, group->requested[0], group->requested[1]);
	json_open_member(json, "examples", '[');
	for (size_t i = 0; i < group->n && i < NAMED_PODS; i++)
		json_string(json, pod_full_name(group->pods[i]));
	json_close(json, ']');
	json_close(json, '}');
}

void
answer_reasons(struct asking *a)
{
	struct groups groups = { 0 };
	struct whatif w;
	size_t n;
	const struct pod **pods = waiting_pods(a, &n);
	size_t looked = n < GROUPED_PODS ? n : GROUPED_PODS;

	asked_whatif(a, &w, a->view->cluster, a->view->profiles);
	for (size_t i = 0; i < looked; i++)
		count_pod(a, &w, &groups, pods[i], i);
	SORT(groups.at, groups.n, compare_groups);
	answer_open(a);
	json_members(&a->json, "total:z decided:z", n, looked);
	JSON_ARRAY (&a->json, "groups", i, groups.n)
		put_group(&a->json, &groups.at[i]);
	answer_close(a);
	whatif_fini(&w);
}
