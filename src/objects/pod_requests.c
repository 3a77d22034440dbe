/*
 * A pod's requests as releases from 1.27 on count them:
 *
 *	request = max(containers + sidecars, each init container with the
 *	    sidecars started before it), pod-level requests instead where there
 *	    are any (from 1.32 on), + overhead
 *
 * Quantities are added exactly and rounded up once.  A pod on a node holds more
 * while it is resized: of each container and sidecar the maximum of the request
 * in its spec, the one in its status and the one that is allocated to it, but
 * for a resize that the node cannot do (Infeasible) the latter two alone.  The
 * same holds for requests at pod level.
 *
 * doc/semantics/11-kube-1.36.md, Resources.
 */
#include "config.h"

#include "objects/pod_requests.h"

#include "base/arena.h"
#include "base/doc.h"
#include "objects/decode.h"
#include "objects/limits.h"
#include "base/quantity.h"
#include "objects/resources.h"
#include "objects/validation.h"

#define NANOS 1000000000
#define MILLI_NANOS 1000000
/* More than fits in 64 bits of bytes; sums of it fit in 128 bits of nanos. */
#define WHOLE_MAX ((unsigned __int128)1 << 80)

struct amount {
	sym name;
	__int128 nanos;
	/* Not a sum, but a quantity as it is written: in whole units and in milli
	 * it is these (base/quantity.h), also beyond 64 bits. */
	bool written;
	int64_t value, milli;
};

/* Amounts by name, each name once. */
struct amounts {
	struct amount *at;
	size_t n, cap;
};

struct reader {
	struct decoder *d;
	struct arena *scratch; /* d's */
	bool scalars;
	const struct doc_node *spec, *status;
	bool infeasible; /* the pod's resize */
};

/* How requests are counted. */
enum {
	WITH_STATUS = 1 << 0,
	WITH_POD_LEVEL = 1 << 1,
	/* Containers that request none get a default, for scores. */
	WITH_CPU = 1 << 2,
	WITH_MEMORY = 1 << 3,
};

static struct amount *
amount_find(const struct amounts *amounts, sym name)
{
	return FIND(i, amounts->at, amounts->n, amounts->at[i].name == name);
}

static void
amount_put(struct reader *r, struct amounts *to, const struct amount *amount)
{
	struct amount *known = amount_find(to, amount->name);

	if (known != NULL) {
		*known = *amount;
		return;
	}
	arena_room(r->scratch, to->at, to->n, &to->cap);
	to->at[to->n++] = *amount;
}

static void
amount_set(struct reader *r, struct amounts *to, sym name, __int128 nanos)
{
	amount_put(r, to, &(struct amount){ .name = name, .nanos = nanos });
}

static void
amounts_add(struct reader *r, struct amounts *to, const struct amounts *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct amount *known = amount_find(to, from->at[i].name);

		if (known == NULL)
			amount_put(r, to, &from->at[i]);
		else
			amount_set(r, to, from->at[i].name,
			    from->at[i].nanos + known->nanos);
	}
}

/* A name that is absent counts as less than any amount. */
static void
amounts_max(struct reader *r, struct amounts *to, const struct amounts *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct amount *known = amount_find(to, from->at[i].name);

		if (known == NULL || from->at[i].nanos > known->nanos)
			amount_put(r, to, &from->at[i]);
	}
}

static bool
is_counted(const struct reader *r, const char *name)
{
	return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 ||
	    strcmp(name, "ephemeral-storage") == 0 ||
	    (r->scalars && resource_is_scalar(name));
}

/* The names that requests at pod level may have. */
static bool
is_pod_level(const char *name)
{
	return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 ||
	    strncmp(name, "hugepages-", strlen("hugepages-")) == 0;
}

static __int128
nanos_of(const struct quantity *q)
{
	unsigned __int128 whole = q->whole < WHOLE_MAX ? q->whole : WHOLE_MAX;

	return q->sign * ((__int128)whole * NANOS + q->nano);
}

/* Adds the list's amounts, which may be NULL. */
static void
read_amounts(struct reader *r, const struct doc_node *list, struct amounts *out)
{
	struct quantity q;

	EACH_CHILD (at, list) {
		if (quantity_from_doc(at, &q, NULL) != 0)
			decode_fail(r->d, at, "must be a quantity");
		else if (is_counted(r, at->key))
			amount_put(r, out,
			    &(struct amount){
				.name = sym_in(r->scratch, at->key),
				.nanos = nanos_of(&q),
				.written = true,
				.value = quantity_value(&q),
				.milli = quantity_milli(&q),
			    });
	}
}

/* Requests that are in effect: *out holds those of the spec.  object has resources
 * and allocatedResources. */
static void
apply_status(struct reader *r, const struct doc_node *object,
    struct amounts *out)
{
	const struct doc_node *resources =
	    decode_object(r->d, object, "resources");
	const struct doc_node *in_effect =
	    decode_object(r->d, resources, "requests");
	const struct doc_node *allotted =
	    decode_object(r->d, object, "allocatedResources");
	struct amounts requests = { 0 }, allocated = { 0 };

	if (resources == NULL)
		return;
	read_amounts(r, in_effect, &requests);
	read_amounts(r, allotted, &allocated);
	if (r->infeasible)
		*out = (struct amounts){ 0 };
	amounts_max(r, out, &requests);
	amounts_max(r, out, &allocated);
}

/* The container's status: the last one of its name, init containers' behind the
 * others; NULL: it has none. */
static const struct doc_node *
status_of(const struct reader *r, const struct doc_node *container)
{
	static const char *const lists[] = { "initContainerStatuses",
		"containerStatuses" };
	const char *name = doc_string(doc_get(container, "name"));
	const struct doc_node *found = NULL;

	for (size_t i = 0; found == NULL && i < 2; i++)
		EACH_CHILD (at, doc_get(r->status, lists[i]))
			if (strcmp(doc_string(doc_get(at, "name")), name) == 0)
				found = at;
	return found;
}

static void
add_default(struct reader *r, const char *text, __int128 nanos,
    struct amounts *to)
{
	sym name = sym_in(r->scratch, text);

	if (amount_find(to, name) == NULL)
		amount_set(r, to, name, nanos);
}

static void
add_defaults(struct reader *r, unsigned how, struct amounts *to)
{
	if ((how & WITH_CPU) != 0)
		add_default(r, "cpu", (__int128)DEFAULT_CPU_MILLI * MILLI_NANOS,
		    to);
	if ((how & WITH_MEMORY) != 0)
		add_default(r, "memory", (__int128)DEFAULT_MEMORY * NANOS, to);
}

static struct amounts
read_container(struct reader *r, const struct doc_node *container, unsigned how)
{
	struct amounts amounts = { 0 };

	read_amounts(r,
	    decode_object(r->d, decode_object(r->d, container, "resources"),
		"requests"),
	    &amounts);
	if ((how & WITH_STATUS) != 0)
		apply_status(r, status_of(r, container), &amounts);
	add_defaults(r, how, &amounts);
	return amounts;
}

static void
add_containers(struct reader *r, unsigned how, struct amounts *sum)
{
	EACH_CHILD (at, doc_get(r->spec, "containers")) {
		struct amounts requests = read_container(r, at, how);

		amounts_add(r, sum, &requests);
	}
}

static bool
is_sidecar(const struct doc_node *init_container)
{
	return strcmp(doc_string(doc_get(init_container, "restartPolicy")),
		   "Always") == 0;
}

/* Sidecars run beside the containers; no moment of the start may need more than
 * the sum. */
static void
add_init_containers(struct reader *r, unsigned how, struct amounts *sum)
{
	struct amounts sidecars = { 0 }, most = { 0 };

	EACH_CHILD (at, doc_get(r->spec, "initContainers")) {
		bool sidecar = is_sidecar(at);
		struct amounts requests =
		    read_container(r, at, sidecar ? how : how & ~WITH_STATUS);

		if (sidecar) {
			amounts_add(r, sum, &requests);
			amounts_add(r, &sidecars, &requests);
			amounts_max(r, &most, &sidecars);
		} else {
			amounts_add(r, &requests, &sidecars);
			amounts_max(r, &most, &requests);
		}
	}
	amounts_max(r, sum, &most);
}

static void
apply_pod_level(struct reader *r, bool with_status, struct amounts *sum)
{
	const struct doc_node *list = decode_object(r->d,
	    decode_object(r->d, r->spec, "resources"), "requests");
	struct amounts requests = { 0 };

	if (list == NULL)
		return;
	read_amounts(r, list, &requests);
	if (with_status)
		apply_status(r, r->status, &requests);
	EACH_CHILD (at, list) {
		sym name = sym_in(r->scratch, at->key);
		const struct amount *request = amount_find(&requests, name);

		if (!is_pod_level(at->key) || !is_counted(r, at->key))
			continue;
		if (request != NULL)
			amount_put(r, sum, request);
		else
			amount_set(r, sum, name, 0);
	}
}

/* In units of so many nanos, rounded up; beyond 64 bits it wraps around. */
static int64_t
units(__int128 nanos, int64_t unit)
{
	__int128 n = nanos / unit;

	if (nanos % unit != 0)
		n += nanos > 0 ? 1 : -1;
	return (int64_t)(uint64_t)n;
}

static struct resources
resources_of(struct reader *r, const struct amounts *amounts)
{
	struct resources sum = { 0 };

	for (size_t i = 0; i < amounts->n; i++) {
		const struct amount *a = &amounts->at[i];
		const char *name = sym_text(a->name);
		struct scalar scalar = { a->name,
			a->written ? a->value : units(a->nanos, NANOS) };
		struct resources one = { .nscalars = 1, .scalars = &scalar };

		if (strcmp(name, "cpu") == 0)
			sum.cpu_milli = a->written ?
			    a->milli :
			    units(a->nanos, MILLI_NANOS);
		else if (strcmp(name, "memory") == 0)
			sum.memory = scalar.amount;
		else if (strcmp(name, "ephemeral-storage") == 0)
			sum.ephemeral_storage = scalar.amount;
		else
			resources_add(r->scratch, &sum, &one, 1);
	}
	return sum;
}

static struct amounts
add_up(struct reader *r, unsigned how)
{
	const struct decode_settings *settings = r->d->settings;
	bool with_status = (how & WITH_STATUS) != 0;
	struct amounts sum = { 0 }, overhead = { 0 };

	add_containers(r, how, &sum);
	add_init_containers(r, how, &sum);
	if ((how & WITH_POD_LEVEL) != 0 && settings->pod_level)
		apply_pod_level(r, with_status && settings->pod_level_in_status,
		    &sum);
	read_amounts(r, decode_object(r->d, r->spec, "overhead"), &overhead);
	amounts_add(r, &sum, &overhead);
	return sum;
}

static struct resources
count(struct reader *r, unsigned how)
{
	struct amounts sum = add_up(r, how);

	return resources_of(r, &sum);
}

/*
 * Most pods: whole numbers of bytes and milli-CPU, nothing at pod level, and no
 * resize.  All releases count them alike.
 */

/* A few digits, and a suffix without fractions: no sum of such is rounded. */
static bool
is_whole(const struct doc_node *quantity)
{
	const char *p = quantity->text;
	unsigned digits = 0;

	if (quantity->kind != DOC_STRING && quantity->kind != DOC_NUMBER)
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		digits++;
	if (digits == 0 || digits > 9)
		return false;
	if (*p == 'm' && strcmp(quantity->key, "cpu") == 0)
		p++;
	else if (*p == 'k' || *p == 'K' || *p == 'M' || *p == 'G')
		p += p[1] == 'i' ? 2 : 1;
	return *p == '\0';
}

/* Of something else than a map the members have no names. */
static bool
is_map(const struct doc_node *list)
{
	return list == NULL || list->kind == DOC_OBJECT ||
	    list->kind == DOC_NULL;
}

static bool
all_whole(const struct doc_node *list)
{
	if (!is_map(list))
		return false;
	EACH_CHILD (at, list)
		if (!is_whole(at))
			return false;
	return true;
}

/* Whether each amount of the list is written the same in the other. */
static bool
is_subset(const struct doc_node *list, const struct doc_node *other)
{
	if (!is_map(list))
		return false;
	EACH_CHILD (at, list) {
		const struct doc_node *same = doc_get(other, at->key);

		if (same == NULL || same->text == NULL || at->text == NULL ||
		    strcmp(same->text, at->text) != 0)
			return false;
	}
	return true;
}

static const struct doc_node *
requests_of(const struct doc_node *object)
{
	return doc_get(doc_get(object, "resources"), "requests");
}

static bool
is_plain(const struct reader *r, const char *containers)
{
	EACH_CHILD (at, doc_get(r->spec, containers)) {
		const struct doc_node *requests = requests_of(at);
		const struct doc_node *status = status_of(r, at);

		if (!all_whole(requests))
			return false;
		if (status == NULL)
			continue;
		if (!is_subset(requests_of(status), requests) ||
		    !is_subset(doc_get(status, "allocatedResources"), requests))
			return false;
	}
	return true;
}

/* By the reason of the first condition of the type, whatever its status. */
static bool
resize_is_infeasible(const struct doc_node *status)
{
	EACH_CHILD (at, doc_get(status, "conditions"))
		if (strcmp(doc_string(doc_get(at, "type")),
			"PodResizePending") == 0)
			return strcmp(doc_string(doc_get(at, "reason")),
				   "Infeasible") == 0;
	return false;
}

/* known if it is equal to it, else a copy. */
static const struct resources *
shared(struct arena *arena, const struct resources *known,
    const struct resources *amounts)
{
	struct resources *copy;

	if (resources_equal(known, amounts))
		return known;
	copy = arena_alloc(arena, sizeof(*copy));
	*copy = resources_copy(arena, amounts);
	return copy;
}

static struct nonzero_requests
count_scored(struct reader *r, unsigned how)
{
	struct resources sum = count(r, how);

	return (struct nonzero_requests){ sum.cpu_milli, sum.memory };
}

/* The names for which containers of a pod on a node get defaults: those that, with
 * requests at pod level, nothing in the pod requests. */
static unsigned
defaults_of(struct reader *r, const struct amounts *requests)
{
	static const struct {
		const char *name;
		unsigned how;
	} names[] = { { "cpu", WITH_CPU }, { "memory", WITH_MEMORY } };
	const struct doc_node *level =
	    r->d->settings->pod_level ? requests_of(r->spec) : NULL;
	bool any = false;
	unsigned how = 0;

	EACH_FROM (at,
	    level != NULL && level->kind == DOC_OBJECT ? level->first : NULL)
		any |= is_pod_level(at->key);
	for (size_t i = 0; i < LENGTH(names); i++)
		if (!any ||
		    amount_find(requests, sym_in(r->scratch, names[i].name)) ==
			NULL)
			how |= names[i].how;
	return how;
}

/* A pod on a node until 1.31: a sidecar is not added to the containers. */
static struct nonzero_requests
count_apart(struct reader *r)
{
	struct amounts sum = { 0 }, sidecars = { 0 }, overhead = { 0 };
	struct resources all;

	add_containers(r, WITH_CPU | WITH_MEMORY, &sum);
	EACH_CHILD (at, doc_get(r->spec, "initContainers")) {
		struct amounts requests = read_container(r, at, 0),
			       then = { 0 };

		if (is_sidecar(at))
			amounts_add(r, &sidecars, &requests);
		else
			amounts_add(r, &then, &requests);
		amounts_add(r, &then, &sidecars);
		add_defaults(r, WITH_CPU | WITH_MEMORY, &then);
		amounts_max(r, &sum, &then);
	}
	read_amounts(r, decode_object(r->d, r->spec, "overhead"), &overhead);
	amounts_add(r, &sum, &overhead);
	all = resources_of(r, &sum);
	return (struct nonzero_requests){ all.cpu_milli, all.memory };
}

static void
decode_scored(struct reader *r, struct pod_class *class)
{
	unsigned how = WITH_STATUS | WITH_POD_LEVEL;
	struct amounts held = add_up(r, how);

	class->scored_32.pending = count_scored(r, WITH_CPU | WITH_MEMORY);
	class->scored_32.held = count_scored(r, how | defaults_of(r, &held));
	class->scored_27.pending = class->scored_32.pending;
	class->scored_27.held = count_apart(r);
}

void
pod_requests_decode(struct decoder *d, struct pod_class *class)
{
	struct reader r = { .d = d,
		.scratch = d->scratch,
		.scalars = !(d->over & OVER_CONTAINERS),
		.spec = decode_object(d, d->root, "spec"),
		.status = decode_object(d, d->root, "status") };
	struct pod_requests *from_27 = &class->from_27;
	struct pod_requests *from_32 = &class->from_32;
	struct resources spec, status, level, level_status;

	*from_27 = (struct pod_requests){ &class->full, &class->full };
	*from_32 = *from_27;
	if (!r.scalars)
		r.status = NULL;
	r.infeasible = resize_is_infeasible(r.status);
	if (d->failed)
		return;
	if (!r.infeasible && doc_get(r.spec, "resources") == NULL &&
	    all_whole(doc_get(r.spec, "overhead")) &&
	    is_plain(&r, "containers") && is_plain(&r, "initContainers")) {
		/* scores count containers that start up otherwise */
		if (doc_first(doc_get(r.spec, "initContainers")) != NULL)
			decode_scored(&r, class);
		else
			class->scored_32.pending = class->scored_32.held =
			    class->scored_27.pending = class->scored_27.held =
				class->scored_20.held;
		return;
	}
	decode_scored(&r, class);
	spec = count(&r, 0);
	status = count(&r, WITH_STATUS);
	level = count(&r, WITH_POD_LEVEL);
	level_status = count(&r, WITH_POD_LEVEL | WITH_STATUS);
	class->level_cpu = d->settings->pod_level &&
	    doc_get(requests_of(r.spec), "cpu") != NULL;
	class->level_memory = d->settings->pod_level &&
	    doc_get(requests_of(r.spec), "memory") != NULL;
	from_27->pending = shared(d->arena, &class->full, &spec);
	from_27->held = shared(d->arena, from_27->pending, &status);
	from_32->pending = shared(d->arena, from_27->pending, &level);
	from_32->held = shared(d->arena, from_27->held, &level_status);
}
