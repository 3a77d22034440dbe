/*
 * Interning of pod classes.
 *
 * Two classes are equal when everything in them is: the writer below puts every
 * field that a rule can see into a row of bytes, the class's key, aspect by
 * aspect.  A field that is added to struct pod_class must be added here too;
 * t/model/pod.c has a row for each.
 */
#include "config.h"

#include "model/pod_class.h"

#include <assert.h>

#include "base/hash.h"
#include "base/map.h"
#include "model/budget.h"
#include "model/confines.h"
#include "model/decode.h"

struct key {
	unsigned char *bytes;
	size_t n, cap;
};

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
} table;

/* ---- the writer ---- */

static void
make_room(struct key *key, size_t len)
{
	key->cap = 2 * (key->n + len);
	key->bytes = xrealloc(key->bytes, key->cap, 1);
}

static inline void
put_bytes(struct key *key, const void *bytes, size_t len)
{
	if (key->cap - key->n < len)
		make_room(key, len);
	if (len > 0)
		memcpy(key->bytes + key->n, bytes, len);
	key->n += len;
}

/* Numbers of 32 bits, flags and symbols. */
#define put(key, ...)                                                          \
	put_bytes((key), (const uint32_t[]){ __VA_ARGS__ },                    \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }))

static void
put_i64(struct key *key, int64_t number)
{
	put_bytes(key, &number, sizeof(number));
}

static void
put_syms(struct key *key, uint32_t n, const sym *syms)
{
	put(key, n);
	put_bytes(key, syms, n * sizeof(*syms));
}

static void
put_labels(struct key *key, const struct labels *labels)
{
	put(key, labels->n);
	put_bytes(key, labels->at, labels->n * sizeof(*labels->at));
}

static void
put_resources(struct key *key, const struct resources *r)
{
	put_i64(key, r->cpu_milli);
	put_i64(key, r->memory);
	put_i64(key, r->ephemeral_storage);
	put_i64(key, r->pods);
	put(key, r->nscalars);
	for (uint32_t i = 0; i < r->nscalars; i++) {
		put(key, r->scalars[i].name);
		put_i64(key, r->scalars[i].amount);
	}
}

static void
put_selector(struct key *key, const struct selector *s)
{
	const char *error = s->error != NULL ? s->error : "";
	const char *error_36 = s->error_36 != NULL ? s->error_36 : "";

	put(key, s->nothing, s->error != NULL);
	put_bytes(key, error, strlen(error) + 1);
	put_bytes(key, error_36, strlen(error_36) + 1);
	put(key, s->n);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		put(key, r->key, r->op);
		put_syms(key, r->nvalues, r->values);
		put_i64(key, r->number);
	}
}

static void
put_node_term(struct key *key, const struct node_selector_term *term)
{
	put(key, term->has_labels, term->has_fields);
	put_selector(key, &term->labels);
	put_selector(key, &term->fields);
	put(key, term->named);
	put_syms(key, term->nnames, term->names);
}

static void
put_node_terms(struct key *key, bool has_required,
    const struct node_selector *required, uint32_t npreferred,
    const struct preferred_node_term *preferred)
{
	put(key, has_required);
	put(key, required->n);
	for (uint32_t i = 0; i < required->n; i++)
		put_node_term(key, &required->at[i]);
	put(key, npreferred);
	for (uint32_t i = 0; i < npreferred; i++) {
		const struct preferred_node_term *term = &preferred[i];

		put_i64(key, term->weight);
		put_selector(key, &term->expressions);
		put_node_term(key, &term->term);
		for (uint32_t j = 0; j < term->nproblems; j++)
			put_bytes(key, term->problems[j],
			    strlen(term->problems[j]) + 1);
	}
}

static void
put_node_affinity(struct key *key, const struct pod_class *class)
{
	put_labels(key, &class->node_selector);
	put_node_terms(key, class->has_required_node_affinity,
	    &class->required_node_affinity, class->npreferred_nodes,
	    class->preferred_nodes);
}

static void
put_pod_term_list(struct key *key, uint32_t n, const struct pod_term *terms)
{
	put(key, n);
	for (uint32_t i = 0; i < n; i++) {
		put_syms(key, terms[i].nnamespaces, terms[i].namespaces);
		put(key, terms[i].nnamed, terms[i].selects_namespaces);
		put_selector(key, &terms[i].namespace_selector);
		put_selector(key, &terms[i].selector);
		put(key, terms[i].topology_key);
		put_i64(key, terms[i].weight);
	}
}

static void
put_pod_terms(struct key *key, const struct pod_terms *terms)
{
	put(key, terms->present);
	put_pod_term_list(key, terms->nrequired, terms->required);
	put_pod_term_list(key, terms->npreferred, terms->preferred);
}

static void
put_volume(struct key *key, const struct volume *volume)
{
	put(key, volume->kind, volume->read_only, volume->id, volume->handle,
	    volume->owner, volume->owner_name, volume->pool);
	put_syms(key, volume->nmonitors, volume->monitors);
}

static void
put_volumes(struct key *key, const struct pod_class *class, bool disks_alone)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < class->nvolumes; i++)
		n += !disks_alone || volume_is_disk(class->volumes[i].kind);
	put(key, n);
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (!disks_alone || volume_is_disk(class->volumes[i].kind))
			put_volume(key, &class->volumes[i]);
}

static void
put_later_requests(struct key *key, const struct pod_class *class,
    const struct pod_requests *r)
{
	const struct resources *both[] = { r->pending, r->held };

	for (size_t i = 0; i < LENGTH(both); i++) {
		bool same = both[i] == &class->full ||
		    resources_equal(both[i], &class->full);

		put(key, same);
		if (!same)
			put_resources(key, both[i]);
	}
}

static void
put_requests(struct key *key, const struct pod_class *class)
{
	put_resources(key, &class->requested);
	put_resources(key, &class->held);
	put_resources(key, &class->full);
	put_later_requests(key, class, &class->from_27);
	put_later_requests(key, class, &class->from_32);
	put(key, class->level_cpu, class->level_memory);
	put_i64(key, class->nonzero_cpu_milli);
	put_i64(key, class->nonzero_memory);
	put_bytes(key, &class->scored_20, sizeof(class->scored_20));
	put_bytes(key, &class->scored_bare, sizeof(class->scored_bare));
	put_bytes(key, &class->scored_27, sizeof(class->scored_27));
	put_bytes(key, &class->scored_32, sizeof(class->scored_32));
	put(key, class->nextended);
	for (uint32_t i = 0; i < class->nextended; i++) {
		const struct container_resource *r = &class->extended[i];

		put(key, r->name, r->of, r->container, r->place, r->ends);
		put_i64(key, r->count);
	}
}

static void
put_images(struct key *key, const struct pod_class *class)
{
	put_syms(key, class->nimages, class->images);
	put(key, class->ninit_containers);
	put_syms(key, class->nother_images, class->other_images);
}

static void
put_ports(struct key *key, const struct pod_class *class)
{
	put(key, class->napp_ports, class->nports);
	for (uint32_t i = 0; i < class->nports; i++)
		put(key, class->ports[i].ip, class->ports[i].protocol,
		    (uint32_t) class->ports[i].port);
}

static void
put_tolerations(struct key *key, uint32_t n, const struct toleration *all)
{
	put(key, n);
	for (uint32_t i = 0; i < n; i++)
		put(key, all[i].key, all[i].value, all[i].op, all[i].effect,
		    all[i].effect_text);
}

static void
put_spread(struct key *key, const struct pod_class *class)
{
	put(key, class->nspread);
	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];

		put_i64(key, c->max_skew);
		put_i64(key, c->min_domains);
		put(key, c->topology_key, c->hard, c->ignores_affinity,
		    c->honors_taints);
		put_selector(key, &c->selector);
		put_syms(key, c->nmatch_keys, c->match_keys);
	}
}

static void
put_resource_claims(struct key *key, const struct pod_class *class)
{
	put(key, class->nresource_claims);
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct pod_resource_claim *c = &class->resource_claims[i];

		put(key, c->name, c->claim, c->owner, c->created,
		    c->from_template);
	}
}

static void
put_others(struct key *key, const struct pod_class *class)
{
	put(key, class->namespace, class->terminating, class->scheduler_name,
	    class->of_daemon_set, class->sticky_job, class->sticky_job_uid);
	put_labels(key, &class->labels);
	put_spread(key, class);
	put_resource_claims(key, class);
	put_syms(key, class->ngates, class->gates);
	if (class->over_limit != NULL)
		put_bytes(key, class->over_limit, strlen(class->over_limit));
}

static void
put_confines(struct key *key, const struct pod_class *class)
{
	const struct distribution *d;

	put(key, class->confines != NULL);
	if (class->confines == NULL)
		return;
	d = &class->confines->distribution;
	put_labels(key, &class->confines->node_selector);
	put(key, d->policy, d->term, d->type, d->node_name);
	put_labels(key, &d->node_selector);
	put_tolerations(key, d->ntolerations, d->tolerations);
	put_node_terms(key, d->affinity.has_required, &d->affinity.required,
	    d->affinity.npreferred, d->affinity.preferred);
	put(key, class->confines->sticky.job, class->confines->sticky.node,
	    class->confines->sticky.required);
}

static void
put_aspects(struct key *key, const struct pod_class *class, unsigned aspects)
{
	key->n = 0;
	if (aspects & ASPECT_CONTROLLER)
		put(key, class->controller_kind, class->controller_uid,
		    class->controller_name, class->controller_version);
	if (aspects & ASPECT_REQUESTS)
		put_requests(key, class);
	if (aspects & ASPECT_LIMITS)
		put_resources(key, &class->limits);
	if (aspects & ASPECT_QOS)
		put(key, class->best_effort);
	if (aspects & ASPECT_IMAGES)
		put_images(key, class);
	if (aspects & ASPECT_PORTS)
		put_ports(key, class);
	if (aspects & ASPECT_TOLERATIONS)
		put_tolerations(key, class->ntolerations, class->tolerations);
	if (aspects & ASPECT_NODE_AFFINITY)
		put_node_affinity(key, class);
	if (aspects & ASPECT_VOLUMES)
		put_volumes(key, class, false);
	if (aspects & ASPECT_CONFINES)
		put_confines(key, class);
	if (aspects & ASPECT_POD_AFFINITY) {
		put_pod_terms(key, &class->affinity);
		put_pod_terms(key, &class->anti_affinity);
	}
	if (aspects & ASPECT_FEATURES)
		put(key, class->required_features);
	if (aspects & ASPECT_OTHERS)
		put_others(key, class);
	if (aspects & ASPECT_UNSUPPORTED)
		put(key, class->unsupported);
	if (aspects & ASPECT_DISKS)
		put_volumes(key, class, true);
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

	put_class(&table.other, &it->class);
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

static struct labels
copy_labels(struct arena *arena, const struct labels *labels)
{
	for (uint32_t i = 0; i < labels->n; i++) {
		sym_hold(arena, labels->at[i].key);
		sym_hold(arena, labels->at[i].value);
	}
	return (struct labels){ labels->n,
		arena_memdup(arena, labels->at,
		    labels->n * sizeof(*labels->at)) };
}

static struct selector
copy_selector(struct arena *arena, const struct selector *from)
{
	struct selector to = selector_copy(arena, from);

	for (uint32_t i = 0; i < to.n; i++) {
		sym_hold(arena, to.at[i].key);
		for (uint32_t j = 0; j < to.at[i].nvalues; j++)
			sym_hold(arena, to.at[i].values[j]);
	}
	return to;
}

static struct node_selector_term
copy_node_term(struct arena *arena, const struct node_selector_term *from)
{
	struct node_selector_term to = *from;

	to.labels = copy_selector(arena, &from->labels);
	to.fields = copy_selector(arena, &from->fields);
	to.names = arena_memdup(arena, from->names,
	    from->nnames * sizeof(*from->names));
	for (uint32_t i = 0; i < to.nnames; i++)
		sym_hold(arena, to.names[i]);
	return to;
}

static struct node_affinity
copy_node_affinity(struct arena *arena, const struct node_affinity *from)
{
	struct node_affinity to = *from;
	struct node_selector_term *required =
	    arena_array(arena, struct node_selector_term, from->required.n);
	struct preferred_node_term *preferred =
	    arena_array(arena, struct preferred_node_term, from->npreferred);

	for (uint32_t i = 0; i < from->required.n; i++)
		required[i] = copy_node_term(arena, &from->required.at[i]);
	for (uint32_t i = 0; i < from->npreferred; i++)
		preferred[i] = (struct preferred_node_term){
			.weight = from->preferred[i].weight,
			.expressions = copy_selector(arena,
			    &from->preferred[i].expressions),
			.term = copy_node_term(arena, &from->preferred[i].term),
		};
	to.required.at = required;
	to.preferred = preferred;
	return to;
}

static const struct confines *
copy_confines(struct arena *arena, const struct confines *from)
{
	struct confines *to = arena_memdup(arena, from, sizeof(*from));
	struct distribution *d = &to->distribution;

	to->node_selector = copy_labels(arena, &from->node_selector);
	d->node_selector = copy_labels(arena, &d->node_selector);
	d->affinity = copy_node_affinity(arena, &d->affinity);
	d->tolerations = arena_memdup(arena, d->tolerations,
	    d->ntolerations * sizeof(*d->tolerations));
	sym_hold(arena, to->sticky.job);
	sym_hold(arena, to->sticky.node);
	sym_hold(arena, d->policy);
	sym_hold(arena, d->term);
	sym_hold(arena, d->node_name);
	for (uint32_t i = 0; i < d->ntolerations; i++) {
		sym_hold(arena, d->tolerations[i].key);
		sym_hold(arena, d->tolerations[i].value);
		sym_hold(arena, d->tolerations[i].effect_text);
	}
	return to;
}

/* A copy of the plain class except for the reference count and the key. */
static struct interned *
add_confined(const struct pod_class *plain, const struct confines *confines,
    uint64_t hash)
{
	struct arena arena = ARENA_INIT;
	struct pod_class *class;
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
	class->confines = copy_confines(&arena, confines);
	class->plain = pod_class_ref(plain);
	class->arena = arena;
	return charged(it);
}

static bool
confines_nothing(const struct confines *confines)
{
	return confines == NULL ||
	    (confines->node_selector.n == 0 &&
		confines->distribution.policy == SYM_EMPTY &&
		confines->sticky.node == SYM_EMPTY);
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

	if (confines_nothing(confines))
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
