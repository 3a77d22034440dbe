#include "config.h"

#include "explain/whatif/capacity.h"

#include "base/map.h"
#include "base/sorted.h"
#include "explain/whatif/whatif.h"

/* Copies in the order in which they were placed. */
struct copies {
	size_t n, cap;
	struct copy {
		struct pod *pod; /* owned */
		uint32_t node;   /* its index */
	} * at;
	struct pod *refused; /* owned: the last decision is about it */
};

/* False: it fits nowhere, and the reasons are in the decision. */
static bool
place_one(struct whatif *w, struct copies *copies, const struct pod *model,
    struct decision **decision)
{
	struct pod *copy = pod_replica(model, copies->n);

	*decision = whatif_decide(w, copy, copies->n);
	if (*decision == NULL || (*decision)->chosen == NULL) {
		copies->refused = copy;
		return false;
	}
	vec_room(copies->at, copies->n, &copies->cap);
	copies->at[copies->n++] =
	    (struct copy){ copy, (*decision)->chosen->index };
	whatif_place(w, copy, (*decision)->chosen->name, NULL);
	return true;
}

/* Whole rounds, until a copy does not fit: then true, and the copies of the
 * unfinished round are still there. */
static bool
place_rounds(struct capacity *c, struct whatif *w, struct copies *copies,
    size_t nmodels, const struct capacity_model *models,
    struct decision **decision)
{
	for (;;) {
		for (size_t i = 0; i < nmodels; i++)
			for (uint32_t k = 0; k < models[i].times; k++)
				if (!place_one(w, copies, models[i].pod,
					decision)) {
					c->stopped_by = i;
					return true;
				}
		c->rounds++;
		c->copies = copies->n;
		if (copies->n >= CAPACITY_MOST)
			return false;
	}
}

/* ---- why no more ---- */

/* c->nodes is still in the order of indexes. */
static void
note_reasons(struct capacity *c, struct whatif *w, struct decision *decision)
{
	struct strmap by_text = { 0 };
	size_t cap = 0;

	if (decision == NULL || decision->error != NULL)
		return;
	decision_spell_out(&w->cycle, decision);
	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct node_verdict *v = decision_verdict(decision, i);
		struct capacity_node *node = &c->nodes[i];
		const char **texts = whatif_reasons(&c->arena, &decision->why,
		    v->first_reason, v->nreasons, sym_intern("*"));

		node->nreasons = v->nreasons;
		node->reasons = whatif_reasons(&c->arena, &decision->why,
		    v->first_reason, v->nreasons, node->node->name);
		for (uint32_t k = 0; k < v->nreasons; k++) {
			const char *text = texts[k];
			uintptr_t at = (uintptr_t)strmap_get(&by_text, text);

			if (at == 0) {
				arena_room(&c->arena, c->reasons, c->nreasons,
				    &cap);
				c->reasons[c->nreasons++] =
				    (struct capacity_reason){ .text = text };
				at = c->nreasons;
				strmap_put(&by_text, text, (void *)at);
			}
			c->reasons[at - 1].nodes++;
			c->reasons[at - 1].filled += node->copies > 0;
		}
	}
	strmap_fini(&by_text);
}

static int
compare_reasons(const void *a, const void *b)
{
	const struct capacity_reason *x = a, *y = b;

	if (x->filled != y->filled)
		return x->filled < y->filled ? 1 : -1;
	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return strcmp(x->text, y->text);
}

static int
compare_nodes(const void *a, const void *b)
{
	const struct capacity_node *x = a, *y = b;

	if (x->copies != y->copies)
		return x->copies < y->copies ? 1 : -1;
	return sym_cmp(x->node->name, y->node->name);
}

void
capacity_find(struct capacity *c, struct whatif *w, size_t nmodels,
    const struct capacity_model *models)
{
	struct copies copies = { 0 };
	struct decision *decision = NULL;

	memset(c, 0, sizeof(*c));
	c->nnodes = w->cluster->nnodes;
	c->nodes = arena_array(&c->arena, struct capacity_node, c->nnodes);
	for (uint32_t i = 0; i < c->nnodes; i++)
		c->nodes[i].node = w->cluster->nodes[i];
	c->limited = !place_rounds(c, w, &copies, nmodels, models, &decision);
	for (size_t i = 0; i < c->copies; i++)
		c->nodes[copies.at[i].node].copies++;
	if (!c->limited) {
		note_reasons(c, w, decision);
		c->message = whatif_message(w, decision,
		    models[c->stopped_by].pod, &c->arena);
	}
	SORT(c->reasons, c->nreasons, compare_reasons);
	SORT(c->nodes, c->nnodes, compare_nodes);
	for (size_t i = copies.n; i-- > 0;) {
		cluster_forget(w->cluster, copies.at[i].pod);
		pod_unref(copies.at[i].pod);
	}
	pod_unref(copies.refused);
	free(copies.at);
}

void
capacity_fini(struct capacity *c)
{
	arena_fini(&c->arena);
}
