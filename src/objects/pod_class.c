/*
 * Interning of pod classes.
 *
 * Two classes are equal when everything in them is: every field that a rule can see
 * has a row in fields.c, or below if code reads it, by which it goes into a row of
 * bytes, the class's key, aspect by aspect.
 */
#include "config.h"

#include "objects/pod_class.h"

#include <assert.h>

#include "base/doc.h"
#include "base/hash.h"
#include "base/map.h"
#include "objects/budget.h"
#include "objects/confines.h"
#include "objects/decode.h"
#include "objects/fields.h"
#include "objects/parts.h"

/* A class, in its own arena.  Its key is written again when it is needed: kept,
 * it would take as much memory as the class itself. */
struct interned {
	struct pod_class class; /* first: they are cast to each other */
};

static struct {
	struct content_map classes; /* struct interned, by key */
	uint64_t serial;            /* the last class's */
	/* Reused from pod to pod. */
	struct arena draft;
	struct arena scratch;
	struct key key, other;
	uint64_t other_of; /* the serial of its class */
} table;

/* ---- what it consists of ---- */

/* clang-format off */
static PARTS(resources_parts, RUN(resources, cpu_milli, pods),
	LIST(resources, nscalars, scalars, scalar_parts));
static PARTS(requests_parts, POINTER(pod_requests, pending, resources_parts),
	POINTER(pod_requests, held, resources_parts));
static PARTS(extended_parts, SYM(container_resource, name), SYM(container_resource, of),
	U32(container_resource, container), U32(container_resource, place),
	FLAG(container_resource, ends), RUN(container_resource, count, count));
static PARTS(port_parts, SYM(host_port, ip), SYM(host_port, protocol), U32(host_port, port));
static PARTS(toleration_parts, SYM(toleration, key), SYM(toleration, value),
	U32(toleration, op), U32(toleration, effect), SYM(toleration, effect_text));
static PARTS(text_parts, { PART_TEXT, 0, 0, 0, NULL });

#define PREFERRED preferred_node_term
static PARTS(preferred_parts, RUN(PREFERRED, weight, weight),
	SELECTOR(PREFERRED, expressions), FLAG(PREFERRED, term.has_labels),
	FLAG(PREFERRED, term.has_fields), SELECTOR(PREFERRED, term.labels),
	SELECTOR(PREFERRED, term.fields), FLAG(PREFERRED, term.named),
	SYMS(PREFERRED, term.nnames, term.names),
	LIST(PREFERRED, nproblems, problems, text_parts));

static PARTS(pod_term_parts, SYMS(pod_term, nnamespaces, namespaces), U32(pod_term, nnamed),
	FLAG(pod_term, selects_namespaces), SELECTOR(pod_term, namespace_selector),
	SELECTOR(pod_term, selector), SYM(pod_term, topology_key),
	RUN(pod_term, weight, weight));
#define POD_TERMS(m) FLAG(C, m.present), \
	LIST(C, m.nrequired, m.required, pod_term_parts), \
	LIST(C, m.npreferred, m.preferred, pod_term_parts)

static PARTS(volume_parts, U32(volume, kind), FLAG(volume, read_only), SYM(volume, id),
	SYM(volume, handle), SYM(volume, owner), SYM(volume, owner_name), SYM(volume, pool),
	SYMS(volume, nmonitors, monitors));

static PARTS(spread_parts, RUN(spread_constraint, max_skew, min_domains),
	SYM(spread_constraint, topology_key), FLAG(spread_constraint, hard),
	FLAG(spread_constraint, ignores_affinity), FLAG(spread_constraint, honors_taints),
	SELECTOR(spread_constraint, selector),
	SYMS(spread_constraint, nmatch_keys, match_keys));

#define CLAIM pod_resource_claim
static PARTS(claim_parts, SYM(CLAIM, name), SYM(CLAIM, claim), FLAG(CLAIM, created),
	FLAG(CLAIM, from_template), SYM(CLAIM, owner));

static PARTS(confines_parts, LABELS(confines, node_selector),
	SYM(confines, distribution.policy), SYM(confines, distribution.term),
	U32(confines, distribution.type), SYM(confines, distribution.node_name),
	LABELS(confines, distribution.node_selector),
	LIST(confines, distribution.ntolerations, distribution.tolerations, toleration_parts),
	FLAG(confines, distribution.affinity.has_required),
	LIST(confines, distribution.affinity.required.n, distribution.affinity.required.at, node_term_parts),
	LIST(confines, distribution.affinity.npreferred, distribution.affinity.preferred,
		preferred_parts),
	SYM(confines, sticky.job), SYM(confines, sticky.node), FLAG(confines, sticky.required));

#define C pod_class
static PARTS(class_parts,
	ASPECT(ASPECT_CONTROLLER), RUN(C, controller_kind, controller_version),
	ASPECT(ASPECT_REQUESTS), RESOURCES(C, requested), RESOURCES(C, held),
		RESOURCES(C, full),
		RUN(C, level_cpu, level_memory), RUN(C, nonzero_cpu_milli, scored_bare),
		LIST(C, nextended, extended, extended_parts),
	ASPECT(ASPECT_LIMITS), RESOURCES(C, limits),
	ASPECT(ASPECT_QOS), FLAG(C, best_effort),
	ASPECT(ASPECT_IMAGES), SYMS(C, nimages, images), U32(C, ninit_containers),
		SYMS(C, nother_images, other_images),
	ASPECT(ASPECT_PORTS), U32(C, napp_ports), LIST(C, nports, ports, port_parts),
	ASPECT(ASPECT_TOLERATIONS), LIST(C, ntolerations, tolerations, toleration_parts),
	ASPECT(ASPECT_NODE_AFFINITY), FLAG(C, has_required_node_affinity),
		LIST(C, required_node_affinity.n, required_node_affinity.at, node_term_parts),
		LIST(C, npreferred_nodes, preferred_nodes, preferred_parts),
	ASPECT(ASPECT_VOLUMES), LIST(C, nvolumes, volumes, volume_parts),
	ASPECT(ASPECT_CONFINES), POINTER(C, confines, confines_parts),
	ASPECT(ASPECT_POD_AFFINITY), POD_TERMS(affinity), POD_TERMS(anti_affinity),
	ASPECT(ASPECT_FEATURES), U32(C, required_features),
	ASPECT(ASPECT_OTHERS), SYM(C, namespace), FLAG(C, terminating), SYM(C, scheduler_name),
		FLAG(C, of_daemon_set), FLAG(C, host_network), RUN(C, sticky_job, sticky_job_uid),
		LABELS(C, labels), LIST(C, nspread, spread, spread_parts),
		LIST(C, nresource_claims, resource_claims, claim_parts), TEXT(C, over_limit),
	ASPECT(ASPECT_UNSUPPORTED), U32(C, unsupported));
/* clang-format on */

/* NULL if they are `full`, as mostly. */
static const struct resources *
unless_full(const struct pod_class *class, const struct resources *r)
{
	return r == &class->full || resources_equal(r, &class->full) ? NULL : r;
}

static void
put_later_requests(struct key *key, const struct pod_class *class,
    const struct pod_requests *r)
{
	struct pod_requests other = { unless_full(class, r->pending),
		unless_full(class, r->held) };

	key_put(key, &other, requests_parts, 0);
}

/* Members that rows of fields copy; arrays are of symbols. */
static const struct part *
field_parts(void)
{
	static struct part parts[64];
	const struct doc_field *field = pod_spec_fields();
	struct part *to = parts;

	if (parts->kind != PART_END)
		return parts;
	for (; field->key != NULL; field++) {
		const struct field_use *use = field->use;

		if (use == NULL || use->aspect == 0)
			continue;
		assert(to + 2 < parts + LENGTH(parts));
		*to++ = (struct part)ASPECT(use->aspect);
		*to = (struct part){ PART_RUN, use->to, use->count, use->size,
			NULL };
		if (use->as == AS_SYMS || use->as == AS_EACH)
			to->kind = PART_SYMS;
		if (use->as == AS_LABELS)
			*to = (struct part){ PART_LIST,
				use->to + offsetof(struct labels, at),
				use->to + offsetof(struct labels, n),
				sizeof(struct label), label_parts };
		to++;
	}
	return parts;
}

static void
put_aspects(struct key *key, const struct pod_class *class, unsigned aspects)
{
	key->n = 0;
	key_put(key, class, class_parts, aspects);
	key_put(key, class, field_parts(), aspects);
	if (aspects & ASPECT_REQUESTS) {
		put_later_requests(key, class, &class->from_27);
		put_later_requests(key, class, &class->from_32);
	}
	for (uint32_t i = 0; aspects & ASPECT_DISKS && i < class->nvolumes; i++)
		if (volume_is_disk(class->volumes[i].kind))
			key_put(key, &class->volumes[i], volume_parts, 0);
}

static void
put_class(struct key *key, const struct pod_class *class)
{
	put_aspects(key, class, ASPECT_ALL);
}

/* ---- the table ---- */

static bool
has_key(const void *value, const void *wanted)
{
	const struct interned *it = value;
	const struct key *key = wanted;

	if (table.other_of != it->class.serial)
		put_class(&table.other, &it->class);
	table.other_of = it->class.serial;
	return table.other.n == key->n &&
	    memcmp(table.other.bytes, key->bytes, key->n) == 0;
}

/* The class with the key in table.key, and the key's hash. */
static struct interned *
find(uint64_t *hash)
{
	*hash = hash_bytes64(table.key.bytes, table.key.n);
	return content_map_get(&table.classes, *hash, has_key, &table.key);
}

static struct interned *
add_to(struct arena arena, uint64_t hash)
{
	struct interned *it = arena_zalloc(&arena, sizeof(*it));

	it->class.arena = arena;
	it->class.hash = hash;
	it->class.serial = ++table.serial;
	content_map_add(&table.classes, hash, it);
	return it;
}

static struct interned *
charged(struct interned *it)
{
	it->class.charge = budget_size(0, &it->class.arena);
	budget_take(it->class.namespace, it->class.charge);
	return it;
}

/*
 * Decodes the class again, into an arena of exactly the draft's size: if every
 * pod has a class of its own (Jobs, StatefulSets), there are as many of these
 * arenas as pods.
 */
static struct interned *
add(const struct decoder *from, uint64_t hash)
{
	struct arena arena = ARENA_INIT;
	struct decoder d = *from;
	struct interned *it;

	arena_reserve(&arena, arena_used(&table.draft) + sizeof(*it) + 64);
	it = add_to(arena, hash);
	d.arena = &it->class.arena;
	pod_class_decode(&d, &it->class);
	assert(!d.failed);
	return charged(it);
}

const struct pod_class *
pod_class_of(struct decoder *from)
{
	struct decoder d = *from;
	struct pod_class draft = { 0 };
	struct interned *it;
	uint64_t hash;

	arena_reset(&table.draft);
	arena_reset(&table.scratch);
	d.arena = &table.draft;
	d.scratch = &table.scratch;
	pod_class_decode(&d, &draft);
	from->failed = d.failed;
	if (d.failed)
		return NULL;
	put_class(&table.key, &draft);
	it = find(&hash);
	if (it == NULL)
		it = add(&d, hash);
	return pod_class_ref(&it->class);
}

/* A copy of the plain class except for the reference count and the key. */
static struct interned *
add_confined(const struct pod_class *plain, const struct confines *confines,
    uint64_t hash)
{
	struct arena arena = ARENA_INIT;
	struct pod_class *class;
	struct confines *copy;
	struct interned *it;
	uint64_t serial;

	arena_reserve(&arena, sizeof(*it) + sizeof(*confines) + 256);
	it = add_to(arena, hash);
	class = &it->class;
	arena = class->arena;
	serial = class->serial;
	*class = *plain;
	class->refs = 0;
	class->hash = hash;
	class->serial = serial;
	class->confines = copy =
	    arena_memdup(&arena, confines, sizeof(*confines));
	parts_copy(&arena, copy, confines_parts, true);
	class->plain = pod_class_ref(plain);
	class->arena = arena;
	return charged(it);
}

const struct pod_class *
pod_class_confined(const struct pod_class *class,
    const struct confines *confines)
{
	const struct pod_class *plain =
	    class->plain != NULL ? class->plain : class;
	struct pod_class confined;
	struct interned *it;
	uint64_t hash;

	if (confines == NULL ||
	    (confines->node_selector.n == 0 &&
		confines->distribution.policy == SYM_EMPTY &&
		confines->sticky.node == SYM_EMPTY))
		return pod_class_ref(plain);
	confined = *plain;
	confined.confines = confines;
	put_class(&table.key, &confined);
	it = find(&hash);
	if (it == NULL)
		it = add_confined(plain, confines, hash);
	return pod_class_ref(&it->class);
}

const struct pod_class *
pod_class_ref(const struct pod_class *class)
{
	((struct pod_class *)class)->refs++;
	return class;
}

void
pod_class_unref(const struct pod_class *class)
{
	struct interned *it = (struct interned *)class;
	const struct pod_class *plain;
	struct arena arena;

	if (it == NULL || --it->class.refs > 0)
		return;
	content_map_del(&table.classes, it->class.hash, it);
	plain = it->class.plain;
	budget_give_back(it->class.namespace, it->class.charge);
	arena = it->class.arena; /* the class lives in it */
	arena_fini(&arena);
	pod_class_unref(plain);
}

const void *
pod_class_aspects(const struct pod_class *class, unsigned aspects, size_t *n)
{
	put_aspects(&table.key, class, aspects);
	*n = table.key.n;
	return table.key.bytes;
}

size_t
pod_class_count(void)
{
	return table.classes.n;
}
