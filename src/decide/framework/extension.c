#include "config.h"

#include "decide/framework/extension.h"

#include "objects/resources.h"

void
extension_fini(struct extension *e)
{
	map_fini(&e->left);
	map_fini(&e->scores);
	arena_fini(&e->arena);
}

void
extension_restrict(struct extension *e, const sym *nodes, size_t n)
{
	map_fini(&e->left);
	e->left = (struct map){ 0 };
	e->filtered = true;
	for (size_t i = 0; i < n; i++)
		map_put(&e->left, nodes[i], e);
}

void
extension_refuse(struct extension *e, sym node, const char *reason,
    bool forever)
{
	arena_room(&e->arena, e->refusals, e->nrefusals, &e->cap);
	e->refusals[e->nrefusals++] = (struct extension_refusal){
		.node = node,
		.reason = arena_strdup(&e->arena, reason),
		.forever = forever,
	};
}

void
extension_score(struct extension *e, sym node, int64_t weighted)
{
	int64_t *score = map_get(&e->scores, node);

	if (score == NULL) {
		score = arena_array(&e->arena, int64_t, 1);
		map_put(&e->scores, node, score);
	}
	*score = wrap_add(*score, weighted);
}
