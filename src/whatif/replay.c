#include "config.h"

#include "whatif/replay.h"

#include <stdlib.h>
#include <string.h>

#include "whatif/whatif.h"

static void
lift_pods(struct replay *r, struct whatif *w, size_t n, struct pod *const *pods)
{
	r->lifted = arena_array(&r->arena, struct pod *, n);
	for (size_t i = 0; i < n; i++) {
		if (whatif_may_move(pods[i]))
			r->lifted[r->npods++] = whatif_lift(w, pods[i]);
		else
			r->nfixed += pods[i]->node != SYM_EMPTY &&
			    pods[i]->phase != POD_SUCCEEDED &&
			    pods[i]->phase != POD_FAILED;
	}
	if (r->npods > 0)
		qsort(r->lifted, r->npods, sizeof(struct pod *),
		    whatif_compare_first_pods);
}

void
replay_find(struct replay *r, struct whatif *w, size_t n,
    struct pod *const *pods)
{
	memset(r, 0, sizeof(*r));
	lift_pods(r, w, n, pods);
	for (size_t i = 0; i < r->npods; i++) {
		const struct decision *d = whatif_decide(w, r->lifted[i], i);

		if (d == NULL || d->chosen == NULL)
			continue;
		whatif_place(w, r->lifted[i], d->chosen->name);
		r->nplaced++;
	}
	balance_find(&r->balance, w->cluster, &r->arena);
}

void
replay_fini(struct replay *r)
{
	for (size_t i = 0; i < r->npods; i++)
		pod_unref(r->lifted[i]);
	arena_fini(&r->arena);
}
