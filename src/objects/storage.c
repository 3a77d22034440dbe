#include "config.h"

#include "objects/storage.h"

#include "base/arena.h"
#include "base/doc.h"
#include "objects/decode.h"
#include "objects/in_tree.h"

#define CLASS_ANNOTATION "volume.beta.kubernetes.io/storage-class"
#define BIND_COMPLETED_ANNOTATION "pv.kubernetes.io/bind-completed"
#define SELECTED_NODE_ANNOTATION "volume.kubernetes.io/selected-node"
#define OWNER_ANNOTATION "kosmos-io/cluster-owners" /* not "kosmos.io" */

/* A null annotation is there and empty, as in Go. */
static sym
annotation(struct decoder *d, const char *key, sym absent)
{
	const struct doc_node *node = doc_member(d->meta->annotations, key);

	return node != NULL ? decode_string(d, node) : absent;
}

/*
 * The class, SYM_NONE for none: the annotation counts before
 * spec.storageClassName, even when it is empty (kubernetes 1.15,
 * GetPersistentVolumeClass, GetPersistentVolumeClaimClass).
 */
static sym
read_class(struct decoder *d, sym spec_class)
{
	sym annotated = annotation(d, CLASS_ANNOTATION, SYM_NONE);

	return annotated != SYM_NONE ? annotated : spec_class;
}

static sym
or_empty(sym s)
{
	return s != SYM_NONE ? s : SYM_EMPTY;
}

/* PersistentVolume */

/* The label for the zones of a disk; "" when absent. */
static const char *
zones_of(const struct persistent_volume *pv)
{
	static const char *const keys[] = {
		"failure-domain.beta.kubernetes.io/zone",
		"topology.kubernetes.io/zone",
	};
	sym zones = SYM_NONE;

	for (size_t i = 0; i < LENGTH(keys); i++)
		if (zones == SYM_NONE || zones == SYM_EMPTY)
			zones = labels_get(&pv->labels, sym_intern(keys[i]));
	return zones != SYM_NONE ? sym_text(zones) : "";
}

/* A volume has one source; of several, which the API refuses, the first in the
 * table counts. */
static void
read_source(struct decoder *d, const struct doc_node *spec,
    struct persistent_volume *pv)
{
	pv->kind = VOLUME_OTHER;
	for (const struct volume_source *s = volume_sources; s->key; s++) {
		const struct doc_node *node = decode_object(d, spec, s->key);
		struct in_tree volume;
		sym id;

		if (node == NULL || s->kind == VOLUME_CLAIM ||
		    s->kind == VOLUME_EPHEMERAL)
			continue;
		id = decode_sym(d, node, s->id, SYM_EMPTY);
		if (pv->kind != VOLUME_OTHER)
			continue;
		pv->kind = s->kind;
		pv->id = id;
		volume = in_tree_read(d, node, pv->kind, id);
		volume.zones = zones_of(pv);
		if (pv->csi_handle == SYM_EMPTY)
			pv->csi_handle = in_tree_handle(d->arena, &volume);
		pv->obstacle = in_tree_obstacle(d->arena, &volume);
	}
}

/* ---- the node affinity of an in-tree volume, as its driver's ---- */

static bool
has_key(const struct node_selector *s, sym key)
{
	return ANY(i, s->n,
	    ANY(j, s->at[i].labels.n, s->at[i].labels.at[j].key == key));
}

static bool
has_values(const struct node_selector *s, sym key)
{
	return ANY(i, s->n,
	    ANY(j, s->at[i].labels.n,
		s->at[i].labels.at[j].key == key &&
		    s->at[i].labels.at[j].nvalues > 0));
}

/* A copy of the terms, of which the first n are s's own. */
static struct node_selector_term *
copy_terms(struct arena *arena, const struct node_selector *s, uint32_t n)
{
	struct node_selector_term *terms =
	    arena_array(arena, struct node_selector_term, n);

	memset(terms, 0, n * sizeof(*terms));
	if (s->n > 0)
		memcpy(terms, s->at, s->n * sizeof(*terms));
	return terms;
}

static void
replace_key(struct persistent_volume *pv, sym old, sym key)
{
	struct arena *arena = &pv->object.arena;
	uint32_t n = pv->csi_affinity.n;
	struct node_selector_term *terms =
	    copy_terms(arena, &pv->csi_affinity, n);

	for (uint32_t i = 0; i < n; i++) {
		struct selector *labels = &terms[i].labels;
		struct requirement *at;

		if (labels->n == 0)
			continue;
		at = arena_memdup(arena, labels->at, labels->n * sizeof(*at));
		for (uint32_t j = 0; j < labels->n; j++)
			if (at[j].key == old)
				at[j].key = key;
		labels->at = at;
	}
	pv->translates = true;
	pv->csi_affinity = (struct node_selector){ n, terms };
}

/* "a__b" as values without blanks around them; empty ones are left out. */
static struct requirement
in_zones(struct arena *arena, sym key, const char *zones)
{
	struct requirement in = { .key = key, .op = SELECTOR_IN };
	sym *values = arena_array(arena, sym, strlen(zones) / 2 + 1);

	while (*zones != '\0') {
		const char *end = strstr(zones, "__");
		size_t len =
		    end != NULL ? (size_t)(end - zones) : strlen(zones);
		const char *first = zones + strspn(zones, " ");
		size_t n =
		    first < zones + len ? (size_t)(zones + len - first) : 0;

		while (n > 0 && first[n - 1] == ' ')
			n--;
		if (n > 0)
			values[in.nvalues++] =
			    sym_in(arena, arena_strndup(arena, first, n));
		zones += len + (end != NULL ? 2 : 0);
	}
	in.values = values;
	return in;
}

/* A requirement in each term, or in one that is made. */
static void
add_zones(struct persistent_volume *pv, sym key, const char *zones)
{
	struct arena *arena = &pv->object.arena;
	struct requirement in = in_zones(arena, key, zones);
	uint32_t n = pv->csi_affinity.n > 0 ? pv->csi_affinity.n : 1;
	struct node_selector_term *terms;

	if (in.nvalues == 0)
		return;
	terms = copy_terms(arena, &pv->csi_affinity, n);
	for (uint32_t i = 0; i < n; i++) {
		struct selector *labels = &terms[i].labels;
		struct requirement *at =
		    arena_array(arena, struct requirement, labels->n + 1);

		if (labels->n > 0)
			memcpy(at, labels->at, labels->n * sizeof(*at));
		at[labels->n++] = in;
		labels->at = at;
		if (!terms[i].has_labels)
			labels->nothing = false;
		terms[i].has_labels = true;
	}
	pv->translates = true;
	pv->csi_affinity = (struct node_selector){ n, terms };
}

/*
 * translateTopologyFromInTreeToCSI of k8s.io/csi-translation-lib: zones are the
 * driver's, from the affinity or else from the volume's label.  They are known
 * by the label that the affinity, or else the volume, has; the later one first.
 */
static void
translate_affinity(struct persistent_volume *pv)
{
	sym later = sym_intern("topology.kubernetes.io/zone");
	sym beta = sym_intern("failure-domain.beta.kubernetes.io/zone");
	sym beta_region =
	    sym_intern("failure-domain.beta.kubernetes.io/region");
	sym key = in_tree_zone_label(pv->kind), zone = later, zones;

	pv->csi_affinity = pv->node_affinity;
	pv->translates = pv->obstacle != NULL;
	if (key == SYM_NONE)
		return;
	if (!has_key(&pv->node_affinity, later) &&
	    (has_key(&pv->node_affinity, beta) ||
		(labels_get(&pv->labels, later) == SYM_NONE &&
		    labels_get(&pv->labels, beta) != SYM_NONE)))
		zone = beta;
	zones = labels_get(&pv->labels, zone);
	if (has_values(&pv->node_affinity, zone))
		replace_key(pv, zone, key);
	else if (zones != SYM_NONE)
		add_zones(pv, key, sym_text(zones));
	if (zone == beta && has_values(&pv->csi_affinity, beta_region))
		replace_key(pv, beta_region,
		    sym_intern("topology.kubernetes.io/region"));
}

void
persistent_volume_read(struct decoder *d, struct object *object)
{
	struct persistent_volume *pv = (struct persistent_volume *)object;
	const struct doc_node *spec = doc_get(d->root, "spec"), *required;
	const char *uid = decode_text(d, doc_get(spec, "claimRef"), "uid", "");

	pv->cluster_owner = annotation(d, OWNER_ANNOTATION, SYM_NONE);
	pv->class = or_empty(read_class(d, pv->spec_class));
	pv->spec_class = or_empty(pv->spec_class);
	read_source(d, spec, pv);
	pv->claim_uid = arena_strdup(d->arena, uid);
	required = decode_object(d, decode_object(d, spec, "nodeAffinity"),
	    "required");
	pv->has_node_affinity = required != NULL;
	pv->node_affinity = decode_node_selector(d, required);
	translate_affinity(pv);
}

/* PersistentVolumeClaim */

void
persistent_volume_claim_read(struct decoder *d, struct object *object)
{
	struct persistent_volume_claim *pvc =
	    (struct persistent_volume_claim *)object;
	sym one = sym_intern("ReadWriteOncePod"), class, selected;

	pvc->bind_completed =
	    annotation(d, BIND_COMPLETED_ANNOTATION, SYM_NONE) != SYM_NONE;
	pvc->cluster_owner = annotation(d, OWNER_ANNOTATION, SYM_NONE);
	selected = annotation(d, SELECTED_NODE_ANNOTATION, SYM_NONE);
	pvc->has_selected_node = selected != SYM_NONE;
	pvc->selected_node = or_empty(selected);
	class = read_class(d, pvc->spec_class);
	pvc->has_class = class != SYM_NONE;
	pvc->class = or_empty(class);
	pvc->has_spec_class = pvc->spec_class != SYM_NONE;
	pvc->spec_class = or_empty(pvc->spec_class);
	for (uint32_t i = 0; i < pvc->naccess_modes; i++)
		pvc->for_one_pod |= pvc->access_modes[i] == one;
	pvc->controller = object_controller(d);
}

/* StorageClass: its fields are not under spec. */

static void
read_topology(struct decoder *d, const struct doc_node *node, void *out)
{
	struct selector s =
	    decode_topology(d, doc_get(node, "matchLabelExpressions"));

	*(struct selector *)out =
	    s.nothing || s.error != NULL ? SELECTOR_NOTHING : s;
}

void
storage_class_read(struct decoder *d, struct object *object)
{
	struct storage_class *sc = (struct storage_class *)object;

	sc->topologies = decode_each(d, d->root, "allowedTopologies",
	    &sc->ntopologies, sizeof(*sc->topologies), read_topology);
}

/* CSINode */

void
csi_node_read(struct decoder *d, struct object *object)
{
	struct csi_node *node = (struct csi_node *)object;

	node->migrated = in_tree_migrated(decode_text(d, d->meta->annotations,
	    MIGRATED_PLUGINS_ANNOTATION, ""));
}

bool
csi_limit(const struct csi_node *node, sym driver, int64_t *limit)
{
	/* of equal names the last counts */
	for (uint32_t i = node->ndrivers; i-- > 0;)
		if (node->drivers[i].driver == driver &&
		    node->drivers[i].has_count) {
			*limit = node->drivers[i].count;
			return true;
		}
	return false;
}

/* CSIStorageCapacity: its fields are not under spec. */

void
csi_storage_capacity_read(struct decoder *d, struct object *object)
{
	struct csi_storage_capacity *c = (struct csi_storage_capacity *)object;
	const char *key = doc_get(d->root, "maximumVolumeSize") != NULL ?
	    "maximumVolumeSize" :
	    "capacity";

	c->limit = decode_bytes(d, d->root, key);
	c->has_limit = doc_get(d->root, key) != NULL;
	c->nodes = decode_label_selector(d, doc_get(d->root, "nodeTopology"));
}

struct persistent_volume *
persistent_volume_claimed_by(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim)
{
	struct persistent_volume *copy =
	    object_copy(&volume->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;

	copy->has_claim = true;
	copy->claim_namespace = claim->object.namespace;
	sym_hold(arena, copy->claim_namespace);
	copy->claim_name = sym_in(arena, claim->object.name);
	copy->claim_uid = arena_strdup(arena, claim->object.uid);
	return copy;
}

struct persistent_volume_claim *
persistent_volume_claim_selected(const struct persistent_volume_claim *claim,
    sym node)
{
	struct persistent_volume_claim *copy =
	    object_copy(&claim->object, sizeof(*copy));

	copy->has_selected_node = true;
	copy->selected_node = node;
	sym_hold(&copy->object.arena, node);
	return copy;
}
