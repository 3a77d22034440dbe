/*
 * PodFitsResources: the pod's requests, added to those of the pods on the node,
 * are within the node's allocatable; and the node has room for one more pod.
 *
 * Only status.allocatable counts: an absent resource is 0, also "pods".  A pod
 * without any requests needs only room for one more pod; any other pod is
 * checked against cpu, memory and ephemeral storage even if it requests 0 of
 * them, so a node that is overcommitted in one of them rejects it.  All shortages
 * are reported, but of more than SCALARS_NAMED extended resources the rest as one:
 * reasons are kept for each node.  Sums wrap around at 64 bits.
 *
 * Same rule as kube-scheduler 1.15, PodFitsResources.
 */
#include "config.h"

#include <inttypes.h>

#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "model/quantity.h"
#include "predicates/registry.h"
#include "sched/cycle.h"
#include "sched/profile.h"

#define SCALARS_NAMED 100
#define WHY_OTHERS "Insufficient other resources"
#define SHORTAGES_NAMED 10 /* of a node, by miss() */

struct wanted_scalar {
	sym name;
	int64_t amount;
	const char *reason; /* "Insufficient nvidia.com/gpu" */
};

struct wanted {
	bool anything; /* besides room for a pod */
	int64_t cpu_milli, memory, ephemeral_storage;
	uint32_t nscalars;
	struct wanted_scalar scalars[];
};

/* Whether an extender keeps the accounts of this resource. */
static bool
is_ignored(const struct profile *profile, sym name)
{
	for (size_t i = 0; i < profile->nignored_resources; i++)
		if (profile->ignored_resources[i] == name)
			return true;
	return false;
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct resources *r =
	    pod_requested(cycle->class, cycle->cluster->kubernetes_minor);
	struct wanted *wanted = arena_alloc(cycle->arena,
	    sizeof(*wanted) + r->nscalars * sizeof(wanted->scalars[0]));

	wanted->anything = r->cpu_milli != 0 || r->memory != 0 ||
	    r->ephemeral_storage != 0 || r->nscalars != 0;
	wanted->cpu_milli = r->cpu_milli;
	wanted->memory = r->memory;
	wanted->ephemeral_storage = r->ephemeral_storage;
	wanted->nscalars = 0;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		sym name = r->scalars[i].name;

		if (is_ignored(cycle->profile, name))
			continue;
		wanted->scalars[wanted->nscalars++] = (struct wanted_scalar) {
			.name = name,
			.amount = r->scalars[i].amount,
			.reason = arena_printf(cycle->arena, "Insufficient %s",
			    sym_text(name)),
		};
	}
	return wanted;
}

static inline int64_t
amount_of(const struct resources *r, sym name)
{
	const struct scalar *scalar = resources_scalar(r, name);

	return scalar != NULL ? scalar->amount : 0;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct resources *has = &node->node->allocatable;
	const struct resources *used = &node->requested;
	const struct wanted *want = prep;
	enum verdict verdict = FITS;
	unsigned named = 0;

	if ((int64_t)node->npods + 1 > has->pods)
		verdict = refuse(why, UNFIT, "Insufficient pods");
	if (!want->anything)
		return verdict;
	if (has->cpu_milli < wrap_add(want->cpu_milli, used->cpu_milli))
		verdict = refuse(why, UNFIT, "Insufficient cpu");
	if (has->memory < wrap_add(want->memory, used->memory))
		verdict = refuse(why, UNFIT, "Insufficient memory");
	if (has->ephemeral_storage <
	    wrap_add(want->ephemeral_storage, used->ephemeral_storage))
		verdict = refuse(why, UNFIT, "Insufficient ephemeral-storage");
	for (uint32_t i = 0; i < want->nscalars; i++) {
		const struct wanted_scalar *s = &want->scalars[i];

		if (amount_of(has, s->name) >=
		    wrap_add(s->amount, amount_of(used, s->name)))
			continue;
		if (++named > SCALARS_NAMED)
			return refuse(why, UNFIT, WHY_OTHERS);
		verdict = refuse(why, UNFIT, s->reason);
	}
	return verdict;
}

/* The missing resources, as a code. */
enum {
	LACKS_PODS = 1 << 0,
	LACKS_CPU = 1 << 1,
	LACKS_MEMORY = 1 << 2,
	LACKS_STORAGE = 1 << 3,
	LACKS_SCALARS = 1 << 4,
};

static void
check_amounts(const struct column_block *b, const struct wanted *want,
    uint8_t *restrict codes)
{
	double cpu = (double)want->cpu_milli;
	double memory = (double)want->memory;
	double storage = (double)want->ephemeral_storage;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double lacks = b->free_cpu_milli[i] < cpu ? LACKS_CPU : 0;

		lacks += b->free_memory[i] < memory ? LACKS_MEMORY : 0;
		lacks += b->free_ephemeral_storage[i] < storage ?
		    LACKS_STORAGE : 0;
		codes[i] |= (uint8_t)(int32_t)lacks;
	}
}

/* Nodes without any scalar resources lack each that the pod requests. */
static void
check_scalars(const struct column_block *b, const struct wanted *want,
    uint8_t *codes)
{
	uint8_t missing = 0;

	for (uint32_t i = 0; i < want->nscalars; i++)
		if (want->scalars[i].amount > 0)
			missing = LACKS_SCALARS;
	for (uint32_t i = 0; want->nscalars > 0 && i < COLUMN_ROWS; i++)
		codes[i] |= (b->flags[i] & COLUMN_SCALARS) != 0 ? CODE_ASK :
								  missing;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	const struct wanted *want = prep;

	column_codes(b, COLUMN_FULL, LACKS_PODS, codes);
	if (!want->anything)
		return true;
	if (!column_amount(want->cpu_milli) || !column_amount(want->memory) ||
	    !column_amount(want->ephemeral_storage))
		return false;
	check_amounts(b, want, codes);
	check_scalars(b, want, codes);
	return true;
}

/* want + used - has, without wrapping around. */
static __int128
missing(int64_t want, int64_t used, int64_t has)
{
	return (__int128)want + used - has;
}

enum unit { WHOLE, MILLI_CPU, BYTES };

/* Appends ", 200m cpu short" to the text unless nothing is missing. */
static void
say_short(struct arena *arena, const char **text, __int128 amount,
    enum unit unit, const char *name)
{
	char buf[QUANTITY_TEXT];
	const char *shown = buf;
	int64_t n = amount > INT64_MAX ? INT64_MAX : (int64_t)amount;

	if (amount <= 0)
		return;
	switch (unit) {
	case WHOLE:
		shown = arena_printf(arena, "%" PRId64, n);
		break;
	case MILLI_CPU:
		quantity_write_cpu(buf, n);
		break;
	case BYTES:
		quantity_write_bytes(buf, n);
		break;
	}
	*text = arena_printf(arena, "%s%s%s %s short",
	    *text != NULL ? *text : "", *text != NULL ? ", " : "", shown, name);
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct resources *has = &node->node->allocatable;
	const struct resources *used = &node->requested;
	const struct wanted *want = prep;
	const char *text = NULL;
	unsigned nothers = 0, nscalars = 0;
	__int128 pods = missing(1, node->npods, has->pods);

	say_short(cycle->arena, &text, pods, WHOLE, pods == 1 ? "pod" : "pods");
	if (!want->anything)
		return text;
	say_short(cycle->arena, &text,
	    missing(want->cpu_milli, used->cpu_milli, has->cpu_milli),
	    MILLI_CPU, "cpu");
	say_short(cycle->arena, &text,
	    missing(want->memory, used->memory, has->memory), BYTES, "memory");
	say_short(cycle->arena, &text,
	    missing(want->ephemeral_storage, used->ephemeral_storage,
		has->ephemeral_storage),
	    BYTES, "ephemeral-storage");
	for (uint32_t i = 0; i < want->nscalars; i++) {
		const struct wanted_scalar *s = &want->scalars[i];
		__int128 amount = missing(s->amount,
		    amount_of(used, s->name), amount_of(has, s->name));

		if (amount > 0 && ++nscalars > SHORTAGES_NAMED)
			nothers++;
		else
			say_short(cycle->arena, &text, amount, WHOLE,
			    sym_text(s->name));
	}
	if (nothers > 0)
		text = arena_printf(cycle->arena,
		    "%s, %u other resource%s short", text, nothers,
		    nothers == 1 ? "" : "s");
	return text;
}

const struct predicate predicate_pod_fits_resources = {
	.name = "PodFitsResources",
	.reads = READS_NODE,
	.aspects = ASPECT_REQUESTS,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
