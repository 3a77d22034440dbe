/* Exact amounts of counters and capacities, in nanos. */
#ifndef DEVICES_AMOUNT_H
#define DEVICES_AMOUNT_H

#include "base/quantity.h"

typedef __int128 amount;

/* Beyond 4 * 10^28 whole units amounts are all equal, in either direction. */
#define AMOUNT_MAX ((amount)1 << 125)
#define AMOUNT_NANOS 1000000000

static inline amount
amount_clamp(amount a)
{
	if (a > AMOUNT_MAX)
		return AMOUNT_MAX;
	return a < -AMOUNT_MAX ? -AMOUNT_MAX : a;
}

static inline amount
amount_of(const struct quantity *q)
{
	amount nanos;

	if (q->whole > (unsigned __int128)(AMOUNT_MAX / AMOUNT_NANOS))
		return q->sign < 0 ? -AMOUNT_MAX : AMOUNT_MAX;
	nanos = (amount)q->whole * AMOUNT_NANOS + q->nano;
	return amount_clamp(q->sign < 0 ? -nanos : nanos);
}

static inline amount
amount_add(amount a, amount b)
{
	return amount_clamp(a + b);
}

#endif
