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

#include "base/vectorize.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "cluster/scalar_columns.h"
#include "framework/cycle.h"
#include "framework/profile.h"
#include "model/quantity.h"
#include "predicates/registry.h"

#define SCALARS_NAMED 100
#define WHY_OTHERS "Insufficient other resources"
#define SHORTAGES_NAMED 10 /* of a node, by miss() */

struct wanted_scalar {
	sym name;
	int64_t amount;
	const char *reason; /* "Insufficient nvidia.com/gpu" */
};

/* Sets of scalars that nodes lack, as codes. */
#define LACKED_MAX 7

/* So many scalars make a set in 64 bits. */
#define SCALARS_MAX 64

struct wanted {
	bool anything; /* besides room for a pod */
	/* By code, from 1: the sets met so far, by bit the place in scalars. */
	uint32_t nlacked;
	uint64_t lacked[LACKED_MAX];
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
	wanted->nlacked = 0;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		sym name = r->scalars[i].name;

		if (is_ignored(cycle->profile, name))
			continue;
		wanted->scalars[wanted->nscalars++] = (struct wanted_scalar){
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
	LACKS_SCALARS = 1 << 4, /* and the next two: a set */
};

static VECTORIZED void
check_amounts(const struct column_block *b, const struct wanted *want,
    uint8_t *restrict codes)
{
	double cpu = (double)want->cpu_milli;
	double memory = (double)want->memory;
	double storage = (double)want->ephemeral_storage;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double lacks = b->free_cpu_milli[i] < cpu ? LACKS_CPU : 0;

		lacks += b->free_memory[i] < memory ? LACKS_MEMORY : 0;
		lacks +=
		    b->free_ephemeral_storage[i] < storage ? LACKS_STORAGE : 0;
		codes[i] |= (uint8_t)(int32_t)lacks;
	}
}

/* The code of a set of scalars; CODE_ASK if there are too many. */
static uint8_t
code_of_lacked(struct wanted *want, uint64_t lacked)
{
	if (lacked == 0)
		return 0;
	for (uint32_t i = 0; i < want->nlacked; i++)
		if (want->lacked[i] == lacked)
			return (uint8_t)(LACKS_SCALARS * (i + 1));
	if (want->nlacked == LACKED_MAX)
		return CODE_ASK;
	want->lacked[want->nlacked++] = lacked;
	return (uint8_t)(LACKS_SCALARS * want->nlacked);
}

/* The scalars that a node without scalar resources lacks. */
static uint64_t
all_lacked(const struct wanted *want)
{
	uint64_t lacked = 0;

	for (uint32_t i = 0; i < want->nscalars; i++)
		if (want->scalars[i].amount > 0)
			lacked |= UINT64_C(1) << i;
	return lacked;
}

/* Adds the nodes that lack this scalar, which is the i-th; takes out others. */
static void
mark_lacking(const struct column_block *b, const struct scalar_column *column,
    uint32_t i, int64_t amount, uint64_t *restrict lacked)
{
	const int64_t *has = column->has + b->first;
	const int64_t *used = column->used + b->first;
	uint64_t bit = UINT64_C(1) << i;

	for (uint32_t j = 0; j < COLUMN_ROWS; j++)
		lacked[j] = (lacked[j] & ~bit) |
		    (has[j] < wrap_add(amount, used[j]) ? bit : 0);
}

static uint32_t
count_known(struct cluster *cluster, const struct wanted *want)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < want->nscalars; i++)
		n += cluster_knows_scalar(cluster, want->scalars[i].name);
	return n;
}

/* False: there are too many to do it in columns. */
static bool
check_scalars(struct cluster *cluster, const struct column_block *b,
    struct wanted *want, uint8_t *codes)
{
	uint64_t lacked[COLUMN_ROWS], last;
	uint8_t code;

	if (want->nscalars > SCALARS_MAX ||
	    count_known(cluster, want) > SCALARS_AT_ONCE_MAX)
		return false;
	last = all_lacked(want);
	code = code_of_lacked(want, last);
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		lacked[i] = last;
	for (uint32_t i = 0;
	     (b->any & COLUMN_SCALARS) != 0 && i < want->nscalars; i++)
		if (cluster_knows_scalar(cluster, want->scalars[i].name))
			mark_lacking(b,
			    cluster_scalar_column(cluster,
				want->scalars[i].name),
			    i, want->scalars[i].amount, lacked);
	for (uint32_t i = 0; i < b->n; i++) {
		if (lacked[i] != last)
			code = code_of_lacked(want, lacked[i]);
		last = lacked[i];
		codes[i] |= code;
	}
	return true;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct wanted *want = (struct wanted *)prep;

	column_codes(b, COLUMN_FULL, LACKS_PODS, codes);
	if (!want->anything)
		return true;
	if (!column_amount(want->cpu_milli) || !column_amount(want->memory) ||
	    !column_amount(want->ephemeral_storage))
		return false;
	check_amounts(b, want, codes);
	return want->nscalars == 0 ||
	    check_scalars(cycle->cluster, b, want, codes);
}

/* want + used - has, without wrapping around. */
static __int128
missing(int64_t want, int64_t used, int64_t has)
{
	return (__int128)want + used - has;
}

enum unit { WHOLE, MILLI_CPU, BYTES };

/* Resources that are short, as texts. */
struct shortage {
	struct arena *arena;
	size_t n;
	const char **texts;
};

/* Adds "200m cpu short" unless nothing is missing. */
static void
say_short(struct shortage *s, __int128 amount, enum unit unit, const char *name)
{
	char buf[QUANTITY_TEXT];
	const char *shown = buf;
	int64_t n = amount > INT64_MAX ? INT64_MAX : (int64_t)amount;

	if (amount <= 0)
		return;
	switch (unit) {
	case WHOLE:
		shown = arena_printf(s->arena, "%" PRId64, n);
		break;
	case MILLI_CPU:
		quantity_write_cpu(buf, n);
		break;
	case BYTES:
		quantity_write_bytes(buf, n);
		break;
	}
	s->texts[s->n++] = arena_printf(s->arena, "%s %s short", shown, name);
}

/* NULL when nothing is. */
static const char *
shortage_text(const struct shortage *s)
{
	return s->n > 0 ? arena_join(s->arena, s->n, s->texts, ", ") : NULL;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct resources *has = &node->node->allocatable;
	const struct resources *used = &node->requested;
	const struct wanted *want = prep;
	unsigned nothers = 0, nscalars = 0;
	struct shortage s = { .arena = cycle->arena,
		.texts = arena_array(cycle->arena, const char *,
		    5 + SHORTAGES_NAMED) };
	__int128 pods = missing(1, node->npods, has->pods);

	say_short(&s, pods, WHOLE, pods == 1 ? "pod" : "pods");
	if (!want->anything)
		return shortage_text(&s);
	say_short(&s, missing(want->cpu_milli, used->cpu_milli, has->cpu_milli),
	    MILLI_CPU, "cpu");
	say_short(&s, missing(want->memory, used->memory, has->memory), BYTES,
	    "memory");
	say_short(&s,
	    missing(want->ephemeral_storage, used->ephemeral_storage,
		has->ephemeral_storage),
	    BYTES, "ephemeral-storage");
	for (uint32_t i = 0; i < want->nscalars; i++) {
		const struct wanted_scalar *scalar = &want->scalars[i];
		__int128 amount =
		    missing(scalar->amount, amount_of(used, scalar->name),
			amount_of(has, scalar->name));

		if (amount > 0 && ++nscalars > SHORTAGES_NAMED)
			nothers++;
		else
			say_short(&s, amount, WHOLE, sym_text(scalar->name));
	}
	if (nothers > 0)
		s.texts[s.n++] =
		    arena_printf(cycle->arena, "%u other resource%s short",
			nothers, nothers == 1 ? "" : "s");
	return shortage_text(&s);
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
