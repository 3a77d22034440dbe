#include "config.h"

#include "decide/ecache/eviction_cost.h"

static int
order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int
eviction_cost_compare(const struct eviction_cost *a,
    const struct eviction_cost *b)
{
	int o;

	if (a->nvictims == 0 || b->nvictims == 0)
		return (a->nvictims > 0) - (b->nvictims > 0);
	if ((o = order(a->violations, b->violations)) != 0 ||
	    (o = order(a->first_priority, b->first_priority)) != 0 ||
	    (o = order(a->priorities, b->priorities)) != 0 ||
	    (o = order(a->nvictims, b->nvictims)) != 0)
		return o;
	/* Negative: a's victims started later. */
	if (!a->started || !b->started)
		return (int)a->started - (int)b->started;
	o = order(b->start_seconds, a->start_seconds);
	return o != 0 ? o : order(b->start_nanoseconds, a->start_nanoseconds);
}
