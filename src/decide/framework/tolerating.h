/* Taints that a pod does not tolerate. */
#ifndef FRAMEWORK_TOLERATING_H
#define FRAMEWORK_TOLERATING_H

#include "base/arena.h"
#include "decide/framework/cycle.h"
#include "objects/node.h"
#include "objects/pod.h"

/* Tolerations, and whether Gt and Lt count. */
struct tolerating {
	uint32_t n;
	const struct toleration *tolerations;
	bool comparisons;
};

/* Those of the cycle's pod. */
static inline struct tolerating
tolerating_now(const struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;

	return (struct tolerating){ class->ntolerations, class->tolerations,
		cycle_compares_tolerations(cycle) };
}

static inline bool
tolerates(const struct tolerating *t, const struct taint *taint)
{
	return ANY(i, t->n,
	    toleration_tolerates(&t->tolerations[i], t->comparisons, taint->key,
		taint->value, taint->effect, taint->effect_text));
}

/* Whether pods that do not tolerate the taint are not scheduled there. */
static inline bool
taint_keeps_pods_out(const struct taint *taint)
{
	return taint->effect == EFFECT_NO_SCHEDULE ||
	    taint->effect == EFFECT_NO_EXECUTE;
}

/* The first that counts() and is not tolerated, NULL: there is none. */
static inline const struct taint *
untolerated_first(const struct tolerating *t, uint32_t n,
    const struct taint *taints, bool (*counts)(const struct taint *))
{
	return FIND(i, taints, n,
	    counts(&taints[i]) && !tolerates(t, &taints[i]));
}

static inline bool
any_untolerated(const struct tolerating *t, uint32_t n,
    const struct taint *taints, bool (*counts)(const struct taint *))
{
	return untolerated_first(t, n, taints, counts) != NULL;
}

/* "dedicated=gpu:NoSchedule" */
static inline const char *
taint_text(struct arena *arena, const struct taint *t)
{
	return arena_printf(arena, "%s%s%s:%s", sym_text(t->key),
	    t->value != SYM_EMPTY ? "=" : "", sym_text(t->value),
	    sym_text(t->effect_text));
}

#endif
