/*
 * Memory of decoded objects, by namespace.
 *
 * A limit per object (limits.h) does not bound many objects.  So each decoded object
 * and each pod class counts in its namespace, by its size, for as long as it exists.  A
 * namespace that has used up its budget gets no more objects decoded: they are set
 * aside (PARTIAL_SET_ASIDE) until there is room again.  Objects outside
 * namespaces are not counted; users of a namespace do not create them.
 *
 * A budget is checked before an object is decoded, so it may be exceeded by one object.
 */
#ifndef MODEL_BUDGET_H
#define MODEL_BUDGET_H

#include "base/sym.h"

struct arena;

/* In bytes; 0: no limit. */
struct budgets {
	size_t namespace; /* of each one */
	/* Of all.  When it is used up, a namespace still has 1/BUDGET_SHARES of it
	 * for itself. */
	size_t total;
};

#define BUDGET_SHARES 64

/* The size to count for so many bytes and an arena. */
size_t budget_size(size_t bytes, const struct arena *arena);
/* SYM_EMPTY is fine: nothing is counted. */
void budget_take(sym namespace, size_t size);
void budget_give_back(sym namespace, size_t size);
/* Of all namespaces. */
size_t budget_used(void);

/*
 * Whether no more objects of the namespace are to be decoded; err says why.  known:
 * a version of this object is decoded already; a new one may exceed the budget by an
 * eighth.
 */
bool budget_is_used_up(const struct budgets *budgets, sym namespace, bool known,
    struct err *err);
/* Whether a namespace of which this was true has a quarter of its budget left since
 * the last call. */
bool budget_has_room_again(const struct budgets *budgets);

#endif
