/* Taints that a pod does not tolerate; for the rules about taints. */
#ifndef PREDICATES_UNTOLERATED_H
#define PREDICATES_UNTOLERATED_H

#include "base/arena.h"
#include "model/node.h"
#include "model/pod.h"
#include "sched/verdict.h"

#define WHY_TAINTED "node(s) had taints that the pod didn't tolerate"

static inline bool
tolerates(uint32_t n, const struct toleration *tolerations,
    const struct taint *taint)
{
	for (uint32_t i = 0; i < n; i++)
		if (toleration_tolerates(&tolerations[i], taint->key,
			taint->value, taint->effect, taint->effect_text))
			return true;
	return false;
}

/* counts() tells which taints the rule minds. */
static inline enum verdict
untolerated_check(const struct pod_class *class, const struct node *node,
    bool (*counts)(const struct taint *), struct why *why)
{
	for (uint32_t i = 0; i < node->ntaints; i++)
		if (counts(&node->taints[i]) &&
		    !tolerates(class->ntolerations, class->tolerations,
			&node->taints[i]))
			return refuse(why, UNFIT_FOREVER, WHY_TAINTED);
	return FITS;
}

/* "would fit if taint dedicated=gpu:NoSchedule were tolerated"; counts() tells
 * which taints the rule minds, at least one of which the pod does not tolerate.
 */
static inline const char *
untolerated_miss(struct arena *arena, const struct pod_class *class,
    const struct node *node, bool (*counts)(const struct taint *))
{
	const char *all = "";
	unsigned n = 0;

	for (uint32_t i = 0; i < node->ntaints; i++) {
		const struct taint *t = &node->taints[i];

		if (!counts(t) ||
		    tolerates(class->ntolerations, class->tolerations, t))
			continue;
		all = arena_printf(arena, "%s%s%s%s%s:%s", all,
		    n++ > 0 ? ", " : "", sym_text(t->key),
		    t->value != SYM_EMPTY ? "=" : "", sym_text(t->value),
		    sym_text(t->effect_text));
	}
	return arena_printf(arena, "would fit if taint%s %s were tolerated",
	    n > 1 ? "s" : "", all);
}

#endif
