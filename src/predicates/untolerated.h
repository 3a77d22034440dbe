/* For the rules about taints: their results, also in blocks. */
#ifndef PREDICATES_UNTOLERATED_H
#define PREDICATES_UNTOLERATED_H

#include <string.h>

#include "base/arena.h"
#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/tolerating.h"
#include "framework/verdict.h"
#include "model/node.h"
#include "model/pod.h"

#define WHY_TAINTED "node(s) had taints that the pod didn't tolerate"

/* Those of the cycle's pod, in its arena. */
static inline struct tolerating *
tolerating_of(struct cycle *cycle)
{
	struct tolerating t = tolerating_now(cycle);

	return arena_memdup(cycle->arena, &t, sizeof(t));
}

/* counts() selects the taints that the rule uses. */
static inline enum verdict
untolerated_check(const struct tolerating *t, const struct node *node,
    bool (*counts)(const struct taint *), struct why *why)
{
	if (any_untolerated(t, node->ntaints, node->taints, counts))
		return refuse(why, UNFIT_FOREVER, WHY_TAINTED);
	return FITS;
}

/* Nodes with equal taints, one after the other, are judged once.  code_of(arg) is
 * the code of a node by its first taint that is not tolerated; NULL: it is 1. */
static inline bool
untolerated_check_block(const struct tolerating *t,
    const struct column_block *b, bool (*counts)(const struct taint *),
    uint8_t (*code_of)(void *arg, const struct taint *), void *arg,
    uint8_t *codes)
{
	const struct column_taints *taints;
	const struct taint *first;
	uint32_t last = 0;
	uint8_t code = 0;

	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; b->any_taints && i < b->n; i++) {
		if (b->taints[i] == 0)
			continue;
		if (b->taints[i] != last) {
			last = b->taints[i];
			taints = columns_taints(b->columns, last);
			first =
			    untolerated_first(t, taints->n, taints->at, counts);
			code = first == NULL ? 0 :
			    code_of == NULL  ? 1 :
					       code_of(arg, first);
		}
		codes[i] = code;
	}
	return true;
}

/* "would fit if taint dedicated=gpu:NoSchedule were tolerated"; counts()
 * selects the taints that the rule uses; the pod does not tolerate at least one
 * of them.
 * */
static inline const char *
untolerated_miss(struct arena *arena, const struct tolerating *tolerating,
    const struct node *node, bool (*counts)(const struct taint *))
{
	const char *all = "";
	unsigned n = 0;

	for (uint32_t i = 0; i < node->ntaints; i++) {
		const struct taint *t = &node->taints[i];

		if (!counts(t) || tolerates(tolerating, t))
			continue;
		all = arena_printf(arena, "%s%s%s", all, n++ > 0 ? ", " : "",
		    taint_text(arena, t));
	}
	return arena_printf(arena, "would fit if taint%s %s were tolerated",
	    n > 1 ? "s" : "", all);
}

#endif
