/*
 * NoVolumeZoneConflict: the volumes that the pod's claims are bound to are in
 * the node's zone and region.
 *
 * Checked only on nodes that have a zone or region label (the
 * failure-domain.beta ones).  A volume's label of the same key may name several
 * zones, "a__b"; the node's must be one of them, and a node without it is in
 * none.  A list with an empty element is ignored.
 *
 * Claims that wait for their first consumer have no zone yet.  Other unbound
 * claims and missing objects are errors, of which the first in the order of the
 * pod's volumes counts; a conflict before it comes first.
 *
 * Same rule as kube-scheduler 1.15, VolumeZoneChecker.  In clusters of later
 * releases it is VolumeZone's of 1.36 (doc/semantics/11-kube-1.36.md, Volumes): from 1.17 on the topology.kubernetes.io labels count, too, and stand in
 * for failure-domain.beta ones that a node lacks; from 1.21 on an unusable claim
 * refuses every node: in profiles the prefilter does from 1.27 on,
 * before that a node with such labels is refused.  Profiles of 1.20 have the same
 * labels and the errors; until 1.28 nothing stands in.
 */
#include "config.h"

#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "decide/framework/domain_codes.h"
#include "decide/framework/profile.h"
#include "objects/changes.h"
#include "objects/storage.h"
#include "predicates/registry.h"

#define WHY_ZONE "node(s) had no available volume zone"
#define SEPARATOR "__"
#define NKEYS 4

/* The beta labels first: 1.15 has no others. */
static const char *const all_keys[NKEYS] = {
	"failure-domain.beta.kubernetes.io/zone",
	"failure-domain.beta.kubernetes.io/region",
	"topology.kubernetes.io/zone",
	"topology.kubernetes.io/region",
};

/* Where a volume can be used, by one of its labels. */
struct zones {
	sym key;
	sym instead; /* the key for nodes that lack it; SYM_NONE: none */
	sym text;
	uint32_t n;
	const sym *at;
};

/* The requirement of one claim. */
struct place {
	const char *error; /* required of it, or NULL */
	const struct persistent_volume *volume;
	uint32_t n;
	struct zones zones[NKEYS];
};

struct places {
	const char *refusal; /* of every node, or NULL */
	bool refuses;        /* a place with an error refuses its nodes */
	bool has_instead;
	bool by_domain; /* domains distinguish nodes */
	struct domain_codes domains;
	uint32_t nkeys;
	sym keys[NKEYS];
	uint32_t n;
	struct place at[];
};

static bool
is_space(char c)
{
	return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

static sym
trimmed(struct arena *arena, const char *start, const char *end)
{
	while (start < end && is_space(*start))
		start++;
	while (end > start && is_space(end[-1]))
		end--;
	return sym_in_n(arena, start, (size_t)(end - start));
}

/* False when an element is empty. */
static bool
split(struct arena *arena, sym text, struct zones *out)
{
	const char *start = sym_text(text), *end;
	size_t n = 0, cap = 0;
	sym *at = NULL;

	for (;; start = end + strlen(SEPARATOR)) {
		end = strstr(start, SEPARATOR);
		arena_room(arena, at, n, &cap);
		at[n] = trimmed(arena, start,
		    end != NULL ? end : start + strlen(start));
		if (at[n++] == SYM_EMPTY)
			return false;
		if (end == NULL)
			break;
	}
	out->text = text;
	out->n = (uint32_t)n;
	out->at = at;
	return true;
}

static void
place_volume(struct cycle *cycle, const struct places *places,
    const struct persistent_volume *volume, struct place *place)
{
	place->volume = volume;
	for (uint32_t i = 0; i < places->nkeys; i++) {
		sym text = labels_get(&volume->labels, places->keys[i]);
		struct zones *zones = &place->zones[place->n];

		if (text == SYM_NONE || !split(cycle->arena, text, zones))
			continue;
		zones->key = places->keys[i];
		zones->instead = places->has_instead && i + 2 < places->nkeys ?
		    places->keys[i + 2] :
		    SYM_NONE;
		place->n++;
	}
}

/* Why a claim that is not bound cannot be placed; NULL: it waits for us. */
static const char *
unbound_error(struct cycle *cycle, const struct persistent_volume_claim *claim)
{
	const struct storage_class *class = NULL;
	bool words = cycle->profile->release >= SINCE_FRAMEWORK ||
	    cycle_release(cycle) >= SINCE_ZONE_REFUSES;

	if (claim->class != SYM_EMPTY)
		class = cluster_storage_class(cycle->cluster, claim->class);
	if (class != NULL && !class->has_binding_mode)
		return arena_printf(cycle->arena,
		    "VolumeBindingMode not set for StorageClass \"%s\"",
		    class->object.name);
	if (class != NULL && class->waits_for_consumer)
		return NULL;
	if (words) {
		if (claim->class == SYM_EMPTY)
			return "PersistentVolumeClaim had no pv name and "
			       "storageClass name";
		if (class == NULL && cycle->profile->release == 20)
			return arena_printf(cycle->arena,
			    "StorageClass \"%s\" claimed by "
			    "PersistentVolumeClaim \"%s\" not found",
			    sym_text(claim->class), claim->object.name);
		if (class == NULL)
			return arena_printf(cycle->arena,
			    "storageclass.storage.k8s.io \"%s\" not found",
			    sym_text(claim->class));
		return "PersistentVolume had no name";
	}
	return arena_printf(cycle->arena,
	    "PersistentVolumeClaim was not found: \"%s\"", claim->object.name);
}

static void
place_claim(struct cycle *cycle, const struct places *places, sym name,
    struct place *place)
{
	const struct persistent_volume_claim *claim;
	const struct persistent_volume *volume;

	if (name == SYM_EMPTY) {
		place->error = "PersistentVolumeClaim had no name";
		return;
	}
	claim = cluster_claim(cycle->cluster, cycle->class->namespace, name);
	if (claim == NULL) {
		place->error = arena_printf(cycle->arena,
		    "persistentvolumeclaim \"%s\" not found", sym_text(name));
		return;
	}
	if (claim->volume_name == SYM_EMPTY) {
		place->error = unbound_error(cycle, claim);
		return;
	}
	volume = cluster_volume(cycle->cluster, claim->volume_name);
	if (volume == NULL)
		place->error = arena_printf(cycle->arena,
		    "persistentvolume \"%s\" not found",
		    sym_text(claim->volume_name));
	else
		place_volume(cycle, places, volume, place);
}

static const void *
prepare(struct cycle *cycle, const void *args)
{
	const struct pod_class *class = cycle->class;
	int release = cycle_release(cycle);
	int rules = cycle_rules(cycle);
	bool refuses = rules >= SINCE_ZONE_REFUSES;
	bool at_once = rules >= SINCE_ZONE_PREFILTER;
	struct places *places;

	if (class->nvolumes == 0)
		return NULL;
	places = arena_zalloc(cycle->arena,
	    sizeof(*places) + class->nvolumes * sizeof(places->at[0]));
	places->refuses = refuses;
	places->nkeys = release >= SINCE_ZONE_LABELS ? NKEYS : NKEYS / 2;
	places->has_instead = cycle->profile->release < SINCE_FRAMEWORK ||
	    cycle->profile->release >= SINCE_ZONE_INSTEAD;
	for (uint32_t i = 0; i < places->nkeys; i++)
		places->keys[i] = sym_intern(all_keys[i]);
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		struct place *place = &places->at[places->n];

		if (class->volumes[i].kind != VOLUME_CLAIM)
			continue;
		place_claim(cycle, places, class->volumes[i].id, place);
		places->n += place->error != NULL || place->n > 0;
		if (refuses && at_once && places->refusal == NULL)
			places->refusal = place->error;
	}
	if (places->n == 0)
		return NULL;
	places->by_domain = domain_codes_init(&places->domains, cycle,
	    places->nkeys, places->keys);
	return places;
}

static enum verdict
prefilter(struct cycle *cycle, const void *args, struct why *why)
{
	const struct places *places = prepare(cycle, args);

	return places != NULL && places->refusal != NULL ?
	    refuse(why, UNFIT_FOREVER, places->refusal) :
	    FITS;
}

/* The zones of the place that the node is in none of, or NULL. */
static const struct zones *
missed_zones(const struct place *place, const struct labels *labels)
{
	for (uint32_t i = 0; i < place->n; i++) {
		const struct zones *zones = &place->zones[i];
		sym zone = labels_get(labels, zones->key);

		if (zone == SYM_NONE && zones->instead != SYM_NONE)
			zone = labels_get(labels, zones->instead);
		if (!ANY(k, zones->n, zones->at[k] == zone))
			return zones;
	}
	return NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct places *places = prep;
	const struct labels *labels = &node->node->labels;

	if (places->refusal != NULL)
		return refuse(why, UNFIT_FOREVER, places->refusal);
	if (!ANY(i, places->nkeys,
		labels_get(labels, places->keys[i]) != SYM_NONE))
		return FITS;
	for (uint32_t i = 0; i < places->n; i++) {
		const struct place *place = &places->at[i];

		if (place->error != NULL && places->refuses)
			return refuse(why, UNFIT_FOREVER, place->error);
		if (place->error != NULL) {
			cycle_fail(cycle, "%s", place->error);
			return BROKEN;
		}
		if (missed_zones(place, labels) != NULL)
			return refuse(why, UNFIT_FOREVER, WHY_ZONE);
	}
	return FITS;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct places *places = (struct places *)prep;

	if (places->refusal != NULL)
		memset(codes, 1, COLUMN_ROWS);
	else if (places->by_domain)
		domain_codes_put(&places->domains, b, codes);
	return places->refusal != NULL || places->by_domain;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct places *places = prep;

	for (uint32_t i = 0; i < places->n; i++) {
		const struct place *place = &places->at[i];
		const struct zones *zones =
		    missed_zones(place, &node->node->labels);

		if (zones != NULL)
			return arena_printf(cycle->arena,
			    "PersistentVolume %s is only reachable from %s=%s",
			    place->volume->object.name,
			    strrchr(sym_text(zones->key), '/') + 1,
			    sym_text(zones->text));
	}
	return NULL;
}

const struct predicate predicate_no_volume_zone_conflict = {
	.name = "NoVolumeZoneConflict",
	.policy = { .in = IN_BOTH, .aliases = "VolumeZonePredicate" },
	.reads = READS_CLUSTER | ASPECT_VOLUMES,
	.plugin = PLUGIN_VOLUME_ZONE,
	.needs = NEEDS_POD_CLAIM,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};

static bool
volume_helps(const struct persistent_volume *was,
    const struct persistent_volume *is)
{
	static const char *const keys[] = {
		"failure-domain.beta.kubernetes.io/zone",
		"failure-domain.beta.kubernetes.io/region",
		"topology.kubernetes.io/zone",
		"topology.kubernetes.io/region",
	};

	for (size_t i = 0; was != NULL && i < LENGTH(keys); i++) {
		sym key = sym_find(keys[i]);

		if (labels_get(&was->labels, key) !=
		    labels_get(&is->labels, key))
			return true;
	}
	return was == NULL;
}

static bool
wakes(const struct pod_class *class, const struct object_change *change)
{
	switch (change->kind) {
	case OBJECT_POD:
		return false;
	case OBJECT_NODE:
		return change->is != NULL;
	case OBJECT_PERSISTENT_VOLUME:
		return volume_helps((const struct persistent_volume *)
					change->before,
		    (const struct persistent_volume *)change->after);
	default:
		return !change_is_of_devices(change);
	}
}

const struct plugin plugin_volume_zone = {
	.name = "VolumeZone",
	.points = { AT_POINT(FILTER), AT_POINT(PRE_FILTER) | AT_POINT(FILTER) },
	.filters = { &predicate_no_volume_zone_conflict },
	.pre_filter = prefilter,
	.enabled = true,
	.since = { { AT_POINT(PRE_FILTER), 27 } },
	.wakes = wakes,
	.hidden_from = PODS_WITH_VOLUMES,
};
