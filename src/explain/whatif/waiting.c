#include "config.h"

#include "explain/whatif/waiting.h"

#include "base/sorted.h"
#include "base/text.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/remedy.h"
#include "decide/sched/pre_enqueue.h"
#include "decide/sched/preempt.h"

void
waiting_init(struct waiting *q, struct whatif *w, size_t n,
    const struct pod *const *pods)
{
	*q = (struct waiting){ .w = w, .arena = ARENA_INIT, .n = n };
	q->pods = arena_array(&q->arena, struct waiting_pod, n);
	for (size_t i = 0; i < n; i++)
		q->pods[i] = (struct waiting_pod){ .pod = pods[i],
			.order = i,
			.node = SYM_NONE,
			.alone = SYM_NONE };
	SORT(q->pods, n, whatif_compare_first_pods);
	whatif_claims_save(&q->claims, w->cluster);
}

void
waiting_fini(struct waiting *q)
{
	for (size_t i = 0; i < q->nevictions; i++)
		pod_unref(q->evictions[i].pod);
	free(q->evictions);
	whatif_claims_fini(&q->claims);
	arena_fini(&q->arena);
}

const char *
waiting_status_name(enum waiting_status status)
{
	static const char *const names[] = {
		[WAITING_LATER] = "later",
		[WAITING_GOES] = "goes",
		[WAITING_BEHIND] = "behind",
		[WAITING_STAYS] = "stays",
		[WAITING_HELD] = "held",
	};

	return names[status];
}

/* ---- preemption ---- */

static void
nominate(struct waiting *q, const struct pod *pod, sym node)
{
	struct pod *nominated = pod_nominated_to(pod, node);

	cluster_put(q->w->cluster, &nominated->object);
	pod_unref(nominated);
}

/* Whether it is worth trying the pod again. */
static bool
try_preemption(struct waiting *q, struct waiting_pod *p,
    struct decision *decision)
{
	struct preemption *found = preempt(&q->w->cycle, decision);

	if (found == NULL)
		return false;
	for (size_t i = 0; i < found->nclears; i++)
		nominate(q, found->clears[i], SYM_EMPTY);
	if (found->node == NULL)
		return false;
	for (size_t i = 0; i < found->nvictims; i++) {
		struct pod *victim = pod_ref((struct pod *)found->victims[i]);

		vec_room(q->evictions, q->nevictions, &q->evictions_cap);
		q->evictions[q->nevictions++] =
		    (struct waiting_eviction){ victim, found->node->name,
			    p->pod };
	}
	nominate(q, p->pod, found->node->name);
	p->nominated = true;
	for (size_t i = q->nevictions - found->nvictims; i < q->nevictions; i++)
		cluster_remove(q->w->cluster, &q->evictions[i].pod->object);
	return true;
}

/* ---- the turns ---- */

static void
set_pending(struct waiting_pod *p, enum waiting_status status,
    const char *message, const char *summary)
{
	p->status = status;
	p->message = sym_text(sym_intern(message));
	p->summary = sym_text(sym_intern(summary));
}

static struct decision *
decide_counted(struct waiting *q)
{
	q->ndecisions++;
	return whatif_decide_begun(q->w, SYM_NONE);
}

static void
try_pod(struct waiting *q, size_t i)
{
	struct waiting_pod *p = &q->pods[i];
	struct cycle *cycle = &q->w->cycle;
	struct decision *decision;
	const char *text;
	struct err err;

	p->before = q->nplaced;
	if (!whatif_begin(q->w, p->pod, i)) {
		text = whatif_message(q->w, NULL, p->pod, &q->arena);
		set_pending(p, WAITING_HELD, text, text);
		return;
	}
	/* Why a pod is not even tried; NULL when it is. */
	text = cycle->pod->object.deleting ?
	    arena_printf(cycle->arena, "skip schedule deleting pod: %s",
		pod_full_name(cycle->pod)) :
	    pre_enqueue_refusal(cycle);
	if (text != NULL) {
		set_pending(p, WAITING_HELD, text, text);
		return;
	}
	decision = decide_counted(q);
	if (decision->chosen == NULL && decision->error == NULL && q->preempt &&
	    try_preemption(q, p, decision))
		decision = decide_counted(q);
	if (decision->chosen == NULL) {
		set_pending(p, WAITING_STAYS, decision_message(cycle, decision),
		    whatif_summary(cycle, decision));
		return;
	}
	p->status = WAITING_GOES;
	p->node = decision->chosen->name;
	if (q->each || whatif_place(q->w, p->pod, p->node, &err) == 0) {
		q->nplaced++;
		return;
	}
	p->node = SYM_NONE;
	set_pending(p, WAITING_STAYS, err.text, err.text);
}

void
waiting_run(struct waiting *q, size_t until)
{
	for (; q->next < q->n && q->next < until; q->next++)
		try_pod(q, q->next);
}

/* ---- afterwards ---- */

/* Whether those that stay would fit if nobody were before them. */
static void
find_alone(struct waiting *q, size_t i)
{
	struct waiting_pod *p = &q->pods[i];
	const struct waiting_pod **alike;

	if (p->status != WAITING_STAYS || q->each)
		return;
	/* One of the same class and priority that got no node either. */
	alike = FIND(k, q->kinds, q->nkinds,
	    q->kinds[k]->pod->class == p->pod->class &&
		q->kinds[k]->pod->priority == p->pod->priority);
	if (alike != NULL) {
		p->alone = (*alike)->alone;
	} else {
		p->alone = whatif_chosen(whatif_decide(q->w, p->pod, i));
		arena_room(&q->arena, q->kinds, q->nkinds, &q->kinds_cap);
		q->kinds[q->nkinds++] = p;
	}
	if (p->alone != SYM_NONE)
		p->status = WAITING_BEHIND;
}

void
waiting_lift(struct waiting *q, const size_t *places, size_t n)
{
	struct cluster *cluster = q->w->cluster;

	/* the pods that were there keep their order */
	for (size_t i = n; i-- > 0;) {
		cluster_forget(cluster, q->pods[places[i]].pod);
		cluster_remove(cluster, &q->pods[places[i]].pod->object);
	}
	/* with their nominations */
	for (size_t i = 0; i < n; i++)
		cluster_put(cluster,
		    (struct object *)&q->pods[places[i]].pod->object);
}

void
waiting_end(struct waiting *q)
{
	struct cluster *cluster = q->w->cluster;
	size_t *places = arena_array(&q->arena, size_t, q->next + 1), n = 0;

	for (size_t i = 0; i < q->next; i++)
		if ((q->pods[i].node != SYM_NONE && !q->each) ||
		    q->pods[i].nominated)
			places[n++] = i;
	waiting_lift(q, places, n);
	for (size_t i = 0; i < q->nevictions; i++)
		cluster_put(cluster, &q->evictions[i].pod->object);
	whatif_claims_restore(&q->claims, cluster);
	for (size_t i = 0; i < q->next; i++)
		find_alone(q, i);
}

size_t
waiting_place(const struct waiting *q, const struct pod *pod)
{
	size_t i = 0;

	while (i < q->n &&
	    object_compare_names(&q->pods[i].pod->object, &pod->object) != 0)
		i++;
	return i;
}

static const struct finding nothing_said = {
	.cause = "",
	.remedy = "",
	.action = "",
	.subject = "",
};

/* Of a pod that stays; NULL: no profile serves it.  Valid until the next one. */
static const struct finding *
diagnosed(struct waiting *q, size_t i)
{
	const struct pod *pod = q->pods[i].pod;
	struct explanation e = { .own = q->w->cluster };
	struct arena *arena = &q->arena;
	const struct diagnosis *d;
	struct finding *found = FIND(k, q->findings.at, q->findings.n,
	    q->findings.at[k].pod->class == pod->class &&
		q->findings.at[k].pod->priority == pod->priority &&
		q->findings.at[k].pod->never_preempts == pod->never_preempts);

	if (found != NULL || !whatif_begin(q->w, pod, i))
		return found;
	q->w->cycle.ecache = NULL;
	arena_room(arena, q->findings.at, q->findings.n, &q->findings.cap);
	found = &q->findings.at[q->findings.n++];
	*found = nothing_said;
	found->pod = pod;
	explanation_find(&e, &q->w->cycle);
	d = diagnosis_find(&e);
	if (d != NULL) {
		found->cause = arena_strdup(arena, d->cause);
		found->text = arena_strdup(arena, d->text);
		found->remedy = arena_strdup(arena, d->remedy);
		if (d->action != NULL) {
			found->action = arena_strdup(arena, d->action);
			found->subject = arena_strdup(arena, d->subject);
			found->proven = d->proven;
		}
	} else if (e.decision->chosen != NULL) {
		found->node = sym_text(e.decision->chosen->name);
		found->text = arena_printf(arena, "it fits on %s", found->node);
	} else {
		found->text = arena_strdup(arena, e.message);
	}
	return found;
}

struct finding
waiting_finding(struct waiting *q, size_t i)
{
	const struct waiting_pod *p = &q->pods[i];
	const struct finding *known = NULL;
	struct finding said;

	if (p->status == WAITING_STAYS ||
	    (p->status == WAITING_HELD && !p->pod->object.deleting))
		known = diagnosed(q, i);
	said = known != NULL ? *known : nothing_said;
	said.pod = p->pod;
	if (known != NULL)
		return said;
	if (p->status == WAITING_GOES) {
		const char *claim, *provisioner;

		claim = diagnosis_awaited_claim(&q->arena, q->w->cluster,
		    p->pod, &provisioner);

		said.node = sym_text(p->node);
		said.text = arena_printf(&q->arena, "it fits on %s", said.node);
		if (claim != NULL)
			said.text = arena_printf(&q->arena,
			    "%s once %s has provided the volume of claim %s",
			    said.text, provisioner, claim);
	} else if (p->status == WAITING_BEHIND) {
		said.cause = "queue";
		said.text = arena_printf(&q->arena,
		    "It fits alone; the %zu before it in the queue take%s the "
		    "room",
		    p->before, p->before == 1 ? "s" : "");
		if (q->more.nkinds > 0 && q->more.placed[i]) {
			said.remedy = waiting_nodes_text(q);
			said.action = "add";
			said.subject = sym_text(q->more.kinds[0].like);
			said.proven = true;
		}
	} else {
		said.cause = "gate";
		said.text =
		    arena_printf(&q->arena, "It is not tried: %s", p->message);
	}
	return said;
}

/* ---- of one pod ---- */

void
waiting_turn(struct waiting *q, size_t i, const struct node *template)
{
	bool fits;

	if (i == q->n)
		return;
	fits =
	    whatif_chosen(whatif_decide(q->w, q->pods[i].pod, i)) != SYM_NONE;
	waiting_run(q, i + 1);
	if (template != NULL || (q->pods[i].status == WAITING_STAYS && fits)) {
		waiting_run(q, q->n);
		waiting_find_nodes(q, template);
	}
	waiting_end(q);
}

void
waiting_explain(struct waiting *q, size_t i, struct explanation *e)
{
	const struct waiting_pod *p = &q->pods[i];
	struct remedy more = { REMEDY_NODE, "", true, q->more.changes };
	struct finding said;

	if (i == q->n)
		return;
	e->queue.status = waiting_status_name(p->status);
	e->queue.node = p->node;
	e->queue.before = p->before;
	if (p->status != WAITING_BEHIND &&
	    (p->status != WAITING_GOES || e->decision->chosen != NULL))
		return;
	said = waiting_finding(q, i);
	if (p->status == WAITING_GOES)
		said.text = arena_printf(&q->arena,
		    "It fits on %s once the %zu before it in the queue %s "
		    "placed",
		    said.node, p->before, p->before == 1 ? "is" : "are");
	more.text = said.remedy;
	e->diagnosis = arena_memdup(&q->arena,
	    &(struct diagnosis){ .cause = said.cause,
		.text = said.text,
		.remedy = said.remedy,
		.action = said.proven ? said.action : NULL,
		.subject = said.subject,
		.value =
		    arena_printf(&q->arena, "%zu", q->more.kinds[0].nnodes),
		.proven = said.proven,
		.nremedies = said.proven,
		.remedies = arena_memdup(&q->arena, &more, sizeof(more)) },
	    sizeof(struct diagnosis));
}
