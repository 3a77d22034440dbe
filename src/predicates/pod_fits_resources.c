/*
 * PodFitsResources: the pod's requests, added to those of the pods on the node,
 * are within the node's allocatable; and the node has room for one more pod.
 *
 * Only status.allocatable counts: an absent resource is 0, also "pods".  A pod
 * without any requests needs only room for one more pod; any other pod is
 * checked against cpu, memory and ephemeral storage even if it requests 0 of
 * them, so a node that is overcommitted in one of them rejects it.  From 1.28 on,
 * of extended resources from 1.26 on, only those that the pod requests more than 0 of
 * are checked.  All shortages
 * are reported; with a policy, of more than SCALARS_NAMED extended resources the
 * rest as one: reasons are kept for each node.  Sums wrap around at 64 bits, so that
 * before 1.21 a request of almost 8 Ei fits; later releases compare it with the
 * amount that is left.
 *
 * A plugin's arguments may name extended resources, or groups of them, that it
 * passes over.  In profiles of release 36 eviction does not help on a node whose
 * whole allocatable is less than the pod requests.
 *
 * Same rule as kube-scheduler 1.15, PodFitsResources, and from 1.27 on as 1.36:
 * doc/semantics/11-kube-1.36.md, Resources; and NodeResourcesFit of 1.20:
 * doc/semantics/12-kube-1.20.md, Node plugins.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "base/vectorize.h"
#include "cluster/columns.h"
#include "cluster/node_info.h"
#include "cluster/scalar_columns.h"
#include "decide/framework/args.h"
#include "decide/framework/cycle.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "base/quantity.h"
#include "objects/validation.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

#define WHY_PODS_POLICY "Insufficient pods"
#define WHY_PODS "Too many pods"

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
	bool anything;  /* besides room for a pod */
	bool by_free;   /* requests are compared with what is left */
	bool zero_fits; /* any node: cpu, memory and ephemeral storage */
	bool zero_scalar_fits;
	/* A request above all of a node's allocatable makes it unfit also after
	 * evictions. */
	bool gives_up;
	bool names_all; /* all scalars that are short */
	/* A scalar that a node has none of is left to DynamicResources if a
	 * DeviceClass stands for it. */
	bool delegates;
	const char *why_pods;
	/* By code, from 1: the sets met so far, by bit the place in scalars. */
	uint32_t nlacked;
	uint64_t lacked[LACKED_MAX];
	int64_t cpu_milli, memory, ephemeral_storage;
	uint32_t nscalars;
	struct wanted_scalar scalars[];
};

static bool
is_in(size_t n, const sym *names, sym name)
{
	return ANY(i, n, names[i] == name);
}

/* Whether the plugin's arguments leave the resource to others. */
static bool
is_passed_over(const struct node_resources_fit_args *args, sym name)
{
	const char *text = sym_text(name);
	sym group;

	if (args == NULL || args->nignored + args->nignored_groups == 0 ||
	    !resource_is_extended(text))
		return false;
	if (is_in(args->nignored, args->ignored, name))
		return true;
	group = sym_find_n(text, strcspn(text, "/"));
	return group != SYM_NONE &&
	    is_in(args->nignored_groups, args->ignored_groups, group);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct resources *r =
	    pod_requested(cycle->class, cycle->cluster->kubernetes_minor);
	struct wanted *wanted = arena_alloc(cycle->arena,
	    sizeof(*wanted) + r->nscalars * sizeof(wanted->scalars[0]));
	int own = cycle->profile->release;
	int rules = cycle_rules(cycle);

	/* Policies go by the cluster's release, plugins by their own. */
	wanted->by_free = rules >= SINCE_FIT_FREE;
	wanted->zero_fits = rules >= SINCE_FIT_ZERO;
	wanted->zero_scalar_fits = rules >= SINCE_FIT_NO_SCALAR;
	wanted->gives_up = own >= SINCE_FIT_GIVES_UP;
	wanted->names_all = own >= SINCE_FRAMEWORK;
	wanted->delegates = cycle_extends(cycle);
	wanted->why_pods = own < SINCE_FRAMEWORK ? WHY_PODS_POLICY : WHY_PODS;
	wanted->anything = r->cpu_milli != 0 || r->memory != 0 ||
	    r->ephemeral_storage != 0 || r->nscalars != 0;
	wanted->cpu_milli = r->cpu_milli;
	wanted->memory = r->memory;
	wanted->ephemeral_storage = r->ephemeral_storage;
	wanted->nscalars = 0;
	wanted->nlacked = 0;
	for (uint32_t i = 0; i < r->nscalars; i++) {
		sym name = r->scalars[i].name;

		/* A request that fits any node, or is an extender's. */
		if (ANY(k, cycle->profile->nignored_resources,
			cycle->profile->ignored_resources[k] == name) ||
		    is_passed_over(args, name) ||
		    (wanted->zero_scalar_fits &&
			(wanted->gives_up ? r->scalars[i].amount == 0 :
					    r->scalars[i].amount <= 0)))
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

/* Whether so much is missing from `has` beside `used`. */
static inline bool
lacks(const struct wanted *want, int64_t amount, int64_t has, int64_t used)
{
	return want->by_free ? amount > wrap_sub(has, used) :
			       has < wrap_add(amount, used);
}

/* The same for a resource that is no scalar. */
static inline bool
is_short(const struct wanted *want, int64_t amount, int64_t has, int64_t used)
{
	if (want->zero_fits && amount <= 0)
		return false;
	return lacks(want, amount, has, used);
}

static inline int64_t
amount_of(const struct resources *r, sym name)
{
	const struct scalar *scalar = resources_scalar(r, name);

	return scalar != NULL ? scalar->amount : 0;
}

/* Refuses for a shortage of a resource of which the node has so much. */
static enum verdict
refuse_short(const struct wanted *want, struct why *why, enum verdict verdict,
    int64_t amount, int64_t has, const char *reason)
{
	enum verdict own =
	    want->gives_up && amount > has ? UNFIT_FOREVER : UNFIT;

	why_add(why, reason);
	return own > verdict ? own : verdict;
}

/* Whether nodes that have none of it get it as devices. */
static bool
is_delegated(const struct cluster *cluster, const struct wanted *want, sym name)
{
	return want->delegates && cluster_resource_class(cluster, name) != NULL;
}

static enum verdict
check_scalar_list(const struct cycle *cycle, const struct wanted *want,
    const struct resources *has, const struct resources *used,
    enum verdict verdict, struct why *why)
{
	unsigned named = 0;

	for (uint32_t i = 0; i < want->nscalars; i++) {
		const struct wanted_scalar *s = &want->scalars[i];
		int64_t whole = amount_of(has, s->name);

		if (!lacks(want, s->amount, whole, amount_of(used, s->name)) ||
		    (whole <= 0 && is_delegated(cycle->cluster, want, s->name)))
			continue;
		if (++named > SCALARS_NAMED && !want->names_all)
			return refuse(why, UNFIT, WHY_OTHERS);
		verdict = refuse_short(want, why, verdict, s->amount, whole,
		    s->reason);
	}
	return verdict;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct resources *has = &node->node->allocatable;
	const struct resources *used = &node->requested;
	const struct wanted *want = prep;
	enum verdict verdict = FITS;

	if ((int64_t)node->npods + 1 > has->pods)
		verdict = refuse(why, UNFIT, want->why_pods);
	if (!want->anything)
		return verdict;
	if (is_short(want, want->cpu_milli, has->cpu_milli, used->cpu_milli))
		verdict = refuse_short(want, why, verdict, want->cpu_milli,
		    has->cpu_milli, "Insufficient cpu");
	if (is_short(want, want->memory, has->memory, used->memory))
		verdict = refuse_short(want, why, verdict, want->memory,
		    has->memory, "Insufficient memory");
	if (is_short(want, want->ephemeral_storage, has->ephemeral_storage,
		used->ephemeral_storage))
		verdict = refuse_short(want, why, verdict,
		    want->ephemeral_storage, has->ephemeral_storage,
		    "Insufficient ephemeral-storage");
	return check_scalar_list(cycle, want, has, used, verdict, why);
}

/* The missing resources, as a code. */
enum {
	LACKS_PODS = 1 << 0,
	LACKS_CPU = 1 << 1,
	LACKS_MEMORY = 1 << 2,
	LACKS_STORAGE = 1 << 3,
	LACKS_SCALARS = 1 << 4, /* and the next two: a set */
	/* Of release 36 instead of storage, for a shortage of which check() is
	 * asked: some request is more than all of the node. */
	LACKS_WHOLE = LACKS_STORAGE,
};

/* The amount that a node must have free: less than any for one that fits. */
static double
least_free(const struct wanted *want, int64_t amount)
{
	return want->zero_fits && amount <= 0 ? -INFINITY : (double)amount;
}

/* gives_up is want->gives_up, as a constant: neither loop asks in between. */
static inline __attribute__((always_inline)) void
check_amounts_of(const struct column_block *b, const struct wanted *want,
    bool gives_up, uint8_t *restrict codes)
{
	double cpu = least_free(want, want->cpu_milli);
	double memory = least_free(want, want->memory);
	double storage = least_free(want, want->ephemeral_storage);
	double no_storage = gives_up ? CODE_CHECK : LACKS_STORAGE;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		double lacks_cpu = b->free_cpu_milli[i] < cpu ? LACKS_CPU : 0;
		double lacks_memory =
		    b->free_memory[i] < memory ? LACKS_MEMORY : 0;
		double lacks = lacks_cpu + lacks_memory;
		double whole = 0;

		lacks +=
		    b->free_ephemeral_storage[i] < storage ? no_storage : 0;
		if (gives_up) {
			whole += b->cpu_milli[i] < cpu ? lacks_cpu : 0;
			whole += b->memory[i] < memory ? lacks_memory : 0;
			lacks += whole > 0 ? LACKS_WHOLE : 0;
		}
		codes[i] |= (uint8_t)(int32_t)lacks;
	}
}

static VECTORIZED void
check_amounts(const struct column_block *b, const struct wanted *want,
    uint8_t *restrict codes)
{
	if (want->gives_up)
		check_amounts_of(b, want, true, codes);
	else
		check_amounts_of(b, want, false, codes);
}

/* The code of a set of scalars; CODE_CHECK if there are too many. */
static uint8_t
code_of_lacked(struct wanted *want, uint64_t lacked)
{
	if (lacked == 0)
		return 0;
	for (uint32_t i = 0; i < want->nlacked; i++)
		if (want->lacked[i] == lacked)
			return (uint8_t)(LACKS_SCALARS * (i + 1));
	if (want->nlacked == LACKED_MAX)
		return CODE_CHECK;
	want->lacked[want->nlacked++] = lacked;
	return (uint8_t)(LACKS_SCALARS * want->nlacked);
}

/* Adds the nodes that lack this scalar, which is the i-th; takes out others.
 * whole: of them, those that have less of it at all. */
static void
mark_lacking(const struct column_block *b, const struct scalar_column *column,
    const struct wanted *want, bool delegated, uint32_t i,
    uint64_t *restrict lacked, uint64_t *restrict whole)
{
	const int64_t *has = column->has + b->first;
	const int64_t *used = column->used + b->first;
	int64_t amount = want->scalars[i].amount;
	uint64_t bit = UINT64_C(1) << i;

	for (uint32_t j = 0; j < COLUMN_ROWS; j++) {
		uint64_t own = lacks(want, amount, has[j], used[j]) ? bit : 0;

		own = delegated && has[j] <= 0 ? 0 : own;
		lacked[j] = (lacked[j] & ~bit) | own;
		whole[j] = (whole[j] & ~bit) | (amount > has[j] ? own : 0);
	}
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
	uint64_t lacked[COLUMN_ROWS], whole[COLUMN_ROWS], last;
	uint8_t code;

	if (want->nscalars > SCALARS_MAX ||
	    count_known(cluster, want) > SCALARS_AT_ONCE_MAX)
		return false;
	/* The scalars that a node without scalar resources lacks. */
	last = 0;
	for (uint32_t i = 0; i < want->nscalars; i++)
		if (want->scalars[i].amount > 0 &&
		    !is_delegated(cluster, want, want->scalars[i].name))
			last |= UINT64_C(1) << i;
	code = code_of_lacked(want, last);
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		lacked[i] = whole[i] = last;
	for (uint32_t i = 0;
	     (b->any & COLUMN_SCALARS) != 0 && i < want->nscalars; i++)
		if (cluster_knows_scalar(cluster, want->scalars[i].name))
			mark_lacking(b,
			    cluster_scalar_column(cluster,
				want->scalars[i].name),
			    want,
			    is_delegated(cluster, want, want->scalars[i].name),
			    i, lacked, whole);
	for (uint32_t i = 0; i < b->n; i++) {
		if (lacked[i] != last)
			code = code_of_lacked(want, lacked[i]);
		last = lacked[i];
		codes[i] |= code;
		if (want->gives_up && whole[i] != 0)
			codes[i] |= LACKS_WHOLE;
	}
	return true;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct wanted *want = (struct wanted *)prep;

	if ((b->any & COLUMN_FULL) != 0)
		column_codes(b, COLUMN_FULL, LACKS_PODS, codes);
	else
		memset(codes, 0, COLUMN_ROWS);
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
add_shortage(struct shortage *s, __int128 amount, enum unit unit,
    const char *name)
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
		quantity_write_about(buf, n, false);
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

	add_shortage(&s, pods, WHOLE, pods == 1 ? "pod" : "pods");
	if (!want->anything)
		return shortage_text(&s);
	if (is_short(want, want->cpu_milli, has->cpu_milli, used->cpu_milli))
		add_shortage(&s,
		    missing(want->cpu_milli, used->cpu_milli, has->cpu_milli),
		    MILLI_CPU, "cpu");
	if (is_short(want, want->memory, has->memory, used->memory))
		add_shortage(&s,
		    missing(want->memory, used->memory, has->memory), BYTES,
		    "memory");
	if (is_short(want, want->ephemeral_storage, has->ephemeral_storage,
		used->ephemeral_storage))
		add_shortage(&s,
		    missing(want->ephemeral_storage, used->ephemeral_storage,
			has->ephemeral_storage),
		    BYTES, "ephemeral-storage");
	for (uint32_t i = 0; i < want->nscalars; i++) {
		const struct wanted_scalar *scalar = &want->scalars[i];
		__int128 amount =
		    missing(scalar->amount, amount_of(used, scalar->name),
			amount_of(has, scalar->name));

		if (amount_of(has, scalar->name) <= 0 &&
		    is_delegated(cycle->cluster, want, scalar->name))
			continue;
		if (amount > 0 && ++nscalars > SHORTAGES_NAMED)
			nothers++;
		else
			add_shortage(&s, amount, WHOLE, sym_text(scalar->name));
	}
	if (nothers > 0)
		s.texts[s.n++] =
		    arena_printf(cycle->arena, "%u other resource%s short",
			nothers, nothers == 1 ? "" : "s");
	return shortage_text(&s);
}

const struct predicate predicate_pod_fits_resources = {
	.name = "PodFitsResources",
	.policy = { .in = REGISTERED },
	.reads = READS_NODE | ASPECT_REQUESTS,
	.plugin = PLUGIN_NODE_RESOURCES_FIT,
	.kubelet = { "cpu, memory and number of pods",
	    "OutOfcpu, OutOfmemory, OutOfpods" },
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static bool
fits(int64_t wanted, int64_t room)
{
	return wanted == 0 || wanted <= room;
}

/* Into the empty node.  Its other resources may be none that count. */
static bool
fits_in(const struct resources *wanted, const struct resources *room)
{
	return fits(wanted->cpu_milli, room->cpu_milli) &&
	    fits(wanted->memory, room->memory) &&
	    fits(wanted->ephemeral_storage, room->ephemeral_storage) &&
	    room->pods > 0;
}

/* Requests are those of any release. */
static bool
node_helps(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	const struct resources *wanted = class->from_32.pending;

	return (fits_in(wanted, &is->allocatable) ||
		   fits_in(&class->requested, &is->allocatable)) &&
	    (was == NULL || is->allocatable.pods > was->allocatable.pods ||
		resources_shrink(&is->allocatable, &was->allocatable, wanted));
}

/* A pod that leaves, or is scaled down, makes room. */
static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	if (change->kind == OBJECT_NODE)
		return change->is != NULL &&
		    node_helps(class, change->was, change->is);
	return change->kind == OBJECT_POD ||
	    change->kind == OBJECT_DEVICE_CLASS;
}

const struct plugin plugin_node_resources_fit = {
	.name = "NodeResourcesFit",
	.points = { AT_POINT(PRE_FILTER) | AT_POINT(FILTER),
	    AT_POINT(PRE_FILTER) | AT_POINT(FILTER) | AT_POINT(PRE_SCORE) |
		AT_POINT(SCORE) | AT_POINT(PLACEMENT_SCORE) },
	.filters = { &predicate_pod_fits_resources },
	.score = &priority_node_resources,
	.weight = { 0, 1 },
	.enabled = true,
	.since = { { AT_POINT(PRE_SCORE), 27 },
	    { AT_POINT(PLACEMENT_SCORE), 36 } },
	.no_pre_filter = "error reading \"PreFilterNodeResourcesFit\" "
			 "from cycleState: not found",
	.wakes = wakes,
	.aspects = ASPECT_REQUESTS,
	.hidden_from = PODS_WITH_PORTS,
};
