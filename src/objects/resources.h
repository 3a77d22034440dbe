/*
 * Amounts of resources, in the units kube-scheduler counts in.
 *
 * cpu is in milli, memory and ephemeral storage are in bytes, everything else
 * in whole units; amounts are rounded up when a quantity is finer.  Sums wrap
 * around at 64 bits, as Go's int64 does.
 */
#ifndef MODEL_RESOURCES_H
#define MODEL_RESOURCES_H

#include "base/sym.h"

struct arena;
struct decoder;
struct doc_node;

struct scalar {
	sym name; /* "nvidia.com/gpu", "hugepages-2Mi", "attachable-volumes-…" */
	int64_t amount;
};

struct resources {
	int64_t cpu_milli;
	int64_t memory;
	int64_t ephemeral_storage;
	int64_t pods; /* of an allocatable; 0 in requests */
	uint32_t nscalars;
	struct scalar *scalars; /* sorted by name's symbol, names unique */
	uint32_t room; /* scalars that fit in the array; 0: it is not ours */
};

/* Two's complement, as in Go. */
static inline int64_t
wrap_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t
wrap_sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t
wrap_mul(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* A deep copy, including scalars. */
struct resources resources_copy(struct arena *arena, const struct resources *r);

/* The scalar's entry, NULL when it is not there. */
const struct scalar *resources_scalar(const struct resources *r, sym name);

/* The i-th resource's name: cpu, memory, ephemeral-storage, then the scalars' names;
 * NULL: there are no more. */
const char *resources_name(const struct resources *r, uint32_t i);
/* Where the amount of this resource is, pods included; NULL: there is none. */
int64_t *resources_place(struct resources *r, const char *name);
/* That amount, or 0. */
int64_t resources_get(const struct resources *r, const char *name);

/* The same amounts of the same resources. */
bool resources_equal(const struct resources *a, const struct resources *b);

/* Whether there is less of a resource after than before: of one that wanted asks
 * for; NULL: of any.  pods excepted. */
bool resources_shrink(const struct resources *before,
    const struct resources *after, const struct resources *wanted);

/* to += sign * r, sign 1 or -1; scalars new to `to` are added from the arena
 * (to->scalars is reallocated there) and stay even when they become 0. */
void resources_add(struct arena *arena, struct resources *to,
    const struct resources *r, int sign);

/*
 * to += sign * r, for sums that outlive arenas: `to` begins as zeroes and owns its
 * array; a scalar that becomes 0 is dropped.  resources_tally_fini() frees it.
 */
void resources_tally(struct resources *to, const struct resources *r, int sign);
void resources_tally_fini(struct resources *to);

/* to = max(to, r), one by one, pods excepted (kube-scheduler 1.15,
 * Resource.SetMaxResource: a scalar absent from `to` counts as 0, and one of
 * amount 0 is not added). */
void resources_max(struct arena *arena, struct resources *to,
    const struct resources *r);

/*
 * Decodes a resource list (object of quantities, or NULL).  Names that are
 * neither the four above nor scalar resources (extended resources, hugepages,
 * names with "kubernetes.io/", attachable volumes) are passed over, as in
 * kube-scheduler 1.15, Resource.Add.  A quantity that is null is 0.  Scalars live
 * in the arena, NULL: they are passed over, too.
 */
struct resources decode_resources(struct decoder *d,
    const struct doc_node *list, struct arena *arena);

#endif
