/* What the sentences propose, put together and tried by deciding again. */
#include "config.h"

#include "base/json_out.h"
#include "base/sorted.h"
#include "explain/diagnosis_internal.h"
#include "decide/framework/cycle.h"
#include "objects/node.h"

#define TRIED_MOST 24 /* combinations of one group of nodes */

/* ---- proposals ---- */

struct proposal *
add_proposal(struct inquiry *q, enum remedy_kind kind, const char *action,
    const char *subject, const char *value, const char *text)
{
	struct proposal *p;

	arena_room(q->arena, q->proposals, q->nproposals, &q->proposals_cap);
	p = &q->proposals[q->nproposals++];
	*p = (struct proposal){
		.kind = kind,
		.demand = q->saying,
		.action = action,
		.subject = subject,
		.value = value,
		.text = text,
	};
	return p;
}

void
name_node(struct inquiry *q, const struct node_info *node)
{
	if (q->nnamed < DEMANDS && !ANY(i, q->nnamed, q->named[i] == node))
		q->named[q->nnamed++] = node;
}

static void
put_at(struct inquiry *q, struct proposal *p, const struct node_info *node)
{
	name_node(q, node);
	p->place = node;
}

void
proposal_moves(struct inquiry *q, struct proposal *p,
    const struct node_info *from, size_t n, const struct pod *const *pods)
{
	put_at(q, p, from);
	p->moved = arena_memdup(q->arena, pods, n * sizeof(struct pod *));
	p->nmoved = n;
}

struct node *
proposal_node(struct inquiry *q, struct proposal *p,
    const struct node_info *node)
{
	put_at(q, p, node);
	if (p->node == NULL)
		p->node =
		    arena_memdup(q->arena, node->node, sizeof(*node->node));
	return p->node;
}

void
labels_put(struct arena *arena, struct labels *labels, sym key, sym value)
{
	struct label *all = arena_array(arena, struct label, labels->n + 1);
	uint32_t n = 0, i = 0;

	/* They are in the order of their keys. */
	while (i < labels->n && labels->at[i].key < key)
		all[n++] = labels->at[i++];
	all[n++] = (struct label){ .key = key, .value = value };
	for (; i < labels->n; i++)
		if (labels->at[i].key != key)
			all[n++] = labels->at[i];
	*labels = (struct labels){ .n = n, .at = all };
}

void
proposal_labels(struct inquiry *q, struct proposal *p,
    const struct node_info *node, sym key, sym value)
{
	labels_put(q->arena, &proposal_node(q, p, node)->labels, key, value);
}

void
node_drop_taints(struct arena *arena, struct node *node, unsigned kinds)
{
	struct taint *all = arena_array(arena, struct taint, node->ntaints + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < node->ntaints; i++)
		if (!(kinds & 1u << taint_kind(&node->taints[i])))
			all[n++] = node->taints[i];
	node->taints = all;
	node->ntaints = n;
}

void
node_make_ready(struct arena *arena, struct node *node)
{
	struct node_condition *all = arena_memdup(arena, node->conditions,
	    node->nconditions * sizeof(*all));

	node_drop_taints(arena, node,
	    1u << TAINT_CONDITION | 1u << TAINT_STARTUP);
	for (uint32_t i = 0; i < node->nconditions; i++)
		all[i].status = sym_intern(
		    strcmp(sym_text(all[i].type), "Ready") == 0 ? "True" :
								  "False");
	node->conditions = all;
}

/* ---- several together ---- */

static void
take_moved(struct inquiry *q, struct joint *joint, const struct proposal *p)
{
	const struct pod **all = arena_array(q->arena, const struct pod *,
	    joint->nmoved + p->nmoved);
	size_t n = joint->nmoved;

	if (n > 0)
		memcpy(all, joint->moved, n * sizeof(struct pod *));
	for (size_t i = 0; i < p->nmoved; i++)
		if (!ANY(at, n, all[at] == p->moved[i]))
			all[n++] = p->moved[i];
	joint->moved = all;
	joint->nmoved = n;
}

void
joint_add(struct inquiry *q, struct joint *joint, const struct proposal *p)
{
	const struct node *changed;

	if (joint->n == 0)
		joint->class = class_without(q->arena, q->cycle->class, 0);
	joint->parts[joint->n++] = p;
	if (p->class != NULL)
		class_take(joint->class, p->class, 1u << p->demand);
	if (p->nclaims > 0) {
		joint->nclaims = p->nclaims;
		joint->claims = p->claims;
	}
	if (p->place == NULL)
		return;
	joint->apart |= joint->place != NULL && joint->place != p->place;
	joint->place = p->place;
	take_moved(q, joint, p);
	if (p->node == NULL)
		return;
	if (joint->node == NULL)
		joint->node = arena_memdup(q->arena, p->place->node,
		    sizeof(*p->place->node));
	/* What the proposal changes of its node, changed in this one. */
	changed = p->node;
	for (uint32_t i = 0; i < changed->labels.n; i++) {
		const struct label *l = &changed->labels.at[i];

		if (labels_get(&p->place->node->labels, l->key) != l->value)
			labels_put(q->arena, &joint->node->labels, l->key,
			    l->value);
	}
	/* One proposal changes the rest. */
	if (changed->taints == p->place->node->taints &&
	    changed->unschedulable == p->place->node->unschedulable)
		return;
	joint->node->conditions = changed->conditions;
	joint->node->unschedulable = changed->unschedulable;
	joint->node->taints = changed->taints;
	joint->node->ntaints = changed->ntaints;
}

/* ---- what was found ---- */

static const char *
changes_of(const struct inquiry *q, const struct joint *joint,
    const struct provided *provided)
{
	const struct pod *pod = q->cycle->pod;
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	bool changes_pod = q->priority != pod->priority;

	for (size_t i = 0; i < joint->n; i++)
		changes_pod |= joint->parts[i]->class != NULL;
	if (changes_pod)
		change_pod(&json, pod, joint->class, q->priority);
	if (joint->node != NULL)
		change_node(&json, joint->place->node, joint->node);
	for (size_t i = 0; i < joint->nmoved; i++)
		change_delete(&json, joint->moved[i]);
	provided_changes(&json, joint->nclaims, joint->claims, provided);
	return text_keep(&text, q->arena);
}

/* The most harmful part first, then the number of parts, then their sum. */
static unsigned
rank_of(const struct joint *joint, bool proven)
{
	unsigned most = 0, sum = 0;

	for (size_t i = 0; i < joint->n; i++) {
		unsigned kind = joint->parts[i]->kind;

		sum += kind;
		/* a node that comes back, and then is not enough */
		if (joint->n > 1 && kind == REMEDY_READY)
			kind = REMEDY_OTHER_TERMS;
		if (kind > most)
			most = kind;
	}
	return (proven ? 0 : 1u << 24) + most * 65536 +
	    (unsigned)joint->n * 4096 + sum;
}

void
keep_found(struct inquiry *q, const struct joint *joint, bool proven,
    const char *changes)
{
	const struct proposal *only = joint->parts[0];
	const char *texts[DEMANDS], *text;
	struct found *f;
	size_t n = 0;

	for (size_t i = 0; i < joint->n; i++) {
		texts[n] = joint->parts[i]->text;
		/* fewer replicas help against two obstacles */
		n += !text_is_one_of(texts[n], texts, n);
	}
	text = arena_join(q->arena, n, texts, " and ");
	for (size_t i = 0; i < q->nfound; i++)
		if (strcmp(q->found[i].remedy.text, text) == 0)
			return;
	arena_room(q->arena, q->found, q->nfound, &q->found_cap);
	f = &q->found[q->nfound++];
	*f = (struct found){
		.said = *q->d,
		.remedy = { .text = text,
		    .proven = proven,
		    .changes = changes },
		.rank = rank_of(joint, proven),
	};
	f->said.remedy = text;
	f->said.proven = proven;
	for (size_t i = 0; i < joint->n; i++)
		if (joint->parts[i]->kind > f->remedy.kind)
			f->remedy.kind = joint->parts[i]->kind;
	if (joint->n > 1)
		return;
	f->said.action = only->action;
	f->said.subject = only->subject;
	f->said.value = only->value;
}

/* Whether it lets the pod in, with volumes for its own claims alone; *provided gets
 * these. */
static bool
joint_fits(struct inquiry *q, const struct joint *joint,
    struct provided **provided)
{
	bool fits = false;

	provide_all(q, joint->nclaims, joint->claims, provided);
	if (joint->place == NULL)
		fits = joint->n > 0 && fits_with(q, joint->class) > 0;
	else if (!joint->apart)
		fits = fits_changed(q, joint->class, joint->place,
		    joint->node != NULL ? joint->node : joint->place->node,
		    joint->nmoved, joint->moved);
	take_back_all(q, joint->nclaims, *provided);
	return fits;
}

/* Whether a part of it would do as well. */
static bool
has_needless_part(struct inquiry *q, const struct joint *joint)
{
	struct provided *provided;

	for (size_t left = 0; joint->n > 1 && left < joint->n; left++) {
		struct joint rest = { 0 };

		for (size_t i = 0; i < joint->n; i++)
			if (i != left)
				joint_add(q, &rest, joint->parts[i]);
		if (joint_fits(q, &rest, &provided))
			return true;
	}
	return false;
}

void
keep_joint(struct inquiry *q, const struct joint *joint)
{
	struct provided *provided;

	if (joint_fits(q, joint, &provided) && !has_needless_part(q, joint))
		keep_found(q, joint, true, changes_of(q, joint, provided));
}

/* Adds a proposal, each in turn, for each of the demands that are left. */
static void
try_rest(struct inquiry *q, const struct joint *joint, unsigned demands,
    unsigned *tried)
{
	bool untried = false;
	unsigned demand = 0;

	if (demands != 0) {
		while (!(demands & 1u << demand))
			demand++;
		for (size_t i = 0; i < q->nproposals; i++) {
			struct joint more = *joint;

			if (q->proposals[i].demand != demand)
				continue;
			joint_add(q, &more, &q->proposals[i]);
			try_rest(q, &more, demands & ~(1u << demand), tried);
		}
		return;
	}
	for (size_t i = 0; i < joint->n; i++)
		untried |= joint->parts[i]->untried;
	if (joint->apart || (*tried)++ >= TRIED_MOST)
		return;
	if (untried)
		keep_found(q, joint, false, "");
	else
		keep_joint(q, joint);
}

void
try_proposals(struct inquiry *q, unsigned demands)
{
	const struct joint none = { 0 };
	unsigned tried = 0;

	try_rest(q, &none, demands, &tried);
}
