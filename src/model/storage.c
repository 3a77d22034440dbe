#include "config.h"

#include "model/storage.h"

#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "model/in_tree.h"
#include "model/quantity.h"

#define CLASS_ANNOTATION "volume.beta.kubernetes.io/storage-class"
#define BIND_COMPLETED_ANNOTATION "pv.kubernetes.io/bind-completed"
#define SELECTED_NODE_ANNOTATION "volume.kubernetes.io/selected-node"
#define OWNER_ANNOTATION "kosmos-io/cluster-owners" /* not "kosmos.io" */

/* The size in bytes of most of these objects in their arena: there may be tens
 * of thousands of them, too many for blocks of the arena's own size. */
#define USUAL_SIZE 256

/* Fields */

/* Absent or null leaves *out as it was; *present, unless NULL, becomes
 * false. */
static int
get_sym(struct arena *arena, const struct doc_node *node, const char *key,
    const char *path, bool *present, sym *out, struct err *err)
{
	const char *text = NULL;

	if (doc_get_string(node, key, path, &text, err) != 0)
		return -1;
	if (text != NULL)
		*out = sym_in(arena, text);
	if (present != NULL)
		*present = text != NULL;
	return 0;
}

/* An array of strings; path is the array's. */
static int
get_syms(struct arena *arena, const struct doc_node *node, const char *key,
    const char *path, uint32_t *n, const sym **out, struct err *err)
{
	const struct doc_node *array = NULL;
	sym *at;

	if (doc_get_array(node, key, path, &array, err) != 0)
		return -1;
	if (array == NULL || array->count == 0)
		return 0;
	at = arena_array(arena, sym, array->count);
	for (const struct doc_node *p = array->first; p; p = p->next) {
		if (p->kind != DOC_STRING && p->kind != DOC_NULL)
			return doc_errf(err, p, "%s[] must be a string, not %s",
			    path, doc_kind_name(p->kind));
		at[(*n)++] = p->kind == DOC_STRING ?
		    sym_in_n(arena, p->text, p->len) :
		    SYM_EMPTY;
	}
	*out = at;
	return 0;
}

/* The element, which path names, is an object; null is one without members. */
static int
check_element(const struct doc_node *element, const char *path, struct err *err)
{
	if (element->kind == DOC_OBJECT || element->kind == DOC_NULL)
		return 0;
	return doc_errf(err, element, "%s must be an object, not %s", path,
	    doc_kind_name(element->kind));
}

/* A null annotation is there and empty, as in Go. */
static int
get_annotation(struct arena *arena, const struct metadata *meta,
    const char *key, bool *present, sym *out, struct err *err)
{
	const struct doc_node *node = doc_member(meta->annotations, key);

	*present = node != NULL;
	if (node == NULL)
		return 0;
	if (node->kind == DOC_NULL)
		*out = SYM_EMPTY;
	else if (node->kind == DOC_STRING)
		*out = sym_in_n(arena, node->text, node->len);
	else
		return doc_errf(err, node,
		    "metadata.annotations.%s must be a string, not %s", key,
		    doc_kind_name(node->kind));
	return 0;
}

static int
get_owner(struct arena *arena, const struct metadata *meta, sym *out,
    struct err *err)
{
	bool present;

	*out = SYM_NONE;
	return get_annotation(arena, meta, OWNER_ANNOTATION, &present, out,
	    err);
}

/* A member that is a quantity, such as the "storage" of a resource list; path is
 * the member's. */
static int
get_bytes(const struct doc_node *list, const char *key, const char *path,
    int64_t *out, struct err *err)
{
	const struct doc_node *node = doc_get(list, key);
	struct quantity q;

	if (node != NULL && node->kind != DOC_STRING &&
	    node->kind != DOC_NUMBER)
		return doc_errf(err, node,
		    "%s must be a string or a number, not %s", path,
		    doc_kind_name(node->kind));
	if (quantity_from_doc(node, &q, err) != 0)
		return -1;
	if (q.whole > INT64_MAX)
		*out = quantity_sign(&q) < 0 ? INT64_MIN : INT64_MAX;
	else
		*out = quantity_value(&q);
	return 0;
}

/*
 * The annotation counts before spec.storageClassName, even when it is empty
 * (kubernetes 1.15, GetPersistentVolumeClass, GetPersistentVolumeClaimClass).
 */
static int
get_class(struct arena *arena, const struct metadata *meta,
    const struct doc_node *spec, bool *has_class, sym *class,
    bool *has_spec_class, sym *spec_class, struct err *err)
{
	bool annotated;

	if (get_annotation(arena, meta, CLASS_ANNOTATION, &annotated, class,
		err) != 0 ||
	    get_sym(arena, spec, "storageClassName", "spec.storageClassName",
		has_spec_class, spec_class, err) != 0)
		return -1;
	if (!annotated)
		*class = *spec_class;
	*has_class = annotated || *has_spec_class;
	return 0;
}

/* The part of the spec that volumes and claims have in common. */
static int
get_modes(struct arena *arena, const struct doc_node *spec, sym *volume_mode,
    uint32_t *naccess_modes, const sym **access_modes, struct err *err)
{
	*volume_mode = sym_intern("Filesystem");
	if (get_sym(arena, spec, "volumeMode", "spec.volumeMode", NULL,
		volume_mode, err) != 0)
		return -1;
	return get_syms(arena, spec, "accessModes", "spec.accessModes",
	    naccess_modes, access_modes, err);
}

/* PersistentVolume */

/* Where a volume's data is: the member of spec and the member in it that names
 * the volume. */
static const struct source {
	const char *key, *path;
	const char *id_key, *id_path;
	enum volume_kind kind;
} sources[] = {
	/* clang-format off */
	{ "gcePersistentDisk", "spec.gcePersistentDisk",
	  "pdName", "spec.gcePersistentDisk.pdName", VOLUME_GCE_PD },
	{ "awsElasticBlockStore", "spec.awsElasticBlockStore",
	  "volumeID", "spec.awsElasticBlockStore.volumeID", VOLUME_AWS_EBS },
	{ "azureDisk", "spec.azureDisk",
	  "diskName", "spec.azureDisk.diskName", VOLUME_AZURE_DISK },
	{ "cinder", "spec.cinder",
	  "volumeID", "spec.cinder.volumeID", VOLUME_CINDER },
	{ "iscsi", "spec.iscsi",
	  "iqn", "spec.iscsi.iqn", VOLUME_ISCSI },
	{ "rbd", "spec.rbd",
	  "image", "spec.rbd.image", VOLUME_RBD },
	{ "portworxVolume", "spec.portworxVolume",
	  "volumeID", "spec.portworxVolume.volumeID", VOLUME_PORTWORX },
	/* clang-format on */
};

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

static int
read_handle(struct persistent_volume *pv, const struct doc_node *source,
    struct err *err)
{
	struct in_tree volume = { pv->kind, sym_text(pv->id), NULL,
		zones_of(pv) };

	if (pv->kind == VOLUME_AZURE_DISK) {
		volume.id = "";
		if (doc_get_string(source, "diskURI", "spec.azureDisk.diskURI",
			&volume.id, err) != 0 ||
		    doc_get_string(source, "kind", "spec.azureDisk.kind",
			&volume.form, err) != 0)
			return -1;
	}
	pv->csi_handle = in_tree_handle(&pv->object.arena, &volume);
	pv->obstacle = in_tree_obstacle(&pv->object.arena, &volume);
	return 0;
}

/* A volume has one source; of several, which the API refuses, the first in the
 * table counts. */
static int
read_source(struct persistent_volume *pv, const struct doc_node *spec,
    struct err *err)
{
	pv->kind = VOLUME_OTHER;
	for (size_t i = 0; i < LENGTH(sources); i++) {
		const struct source *s = &sources[i];
		const struct doc_node *node = NULL;
		sym id = SYM_EMPTY;

		if (doc_get_object(spec, s->key, s->path, &node, err) != 0 ||
		    get_sym(&pv->object.arena, node, s->id_key, s->id_path,
			NULL, &id, err) != 0)
			return -1;
		if (node == NULL || pv->kind != VOLUME_OTHER)
			continue;
		pv->kind = s->kind;
		pv->id = id;
		if (read_handle(pv, node, err) != 0)
			return -1;
	}
	return 0;
}

static int
read_csi(struct persistent_volume *pv, const struct doc_node *spec,
    struct err *err)
{
	const struct doc_node *csi = NULL;

	if (doc_get_object(spec, "csi", "spec.csi", &csi, err) != 0 ||
	    get_sym(&pv->object.arena, csi, "driver", "spec.csi.driver", NULL,
		&pv->csi_driver, err) != 0 ||
	    get_sym(&pv->object.arena, csi, "volumeHandle",
		"spec.csi.volumeHandle", NULL, &pv->csi_handle, err) != 0)
		return -1;
	pv->is_csi = csi != NULL;
	return 0;
}

static int
read_claim_ref(struct persistent_volume *pv, const struct doc_node *spec,
    struct err *err)
{
	struct arena *arena = &pv->object.arena;
	const struct doc_node *ref = NULL;
	const char *uid = "";

	if (doc_get_object(spec, "claimRef", "spec.claimRef", &ref, err) != 0 ||
	    get_sym(arena, ref, "namespace", "spec.claimRef.namespace", NULL,
		&pv->claim_namespace, err) != 0 ||
	    get_sym(arena, ref, "name", "spec.claimRef.name", NULL,
		&pv->claim_name, err) != 0 ||
	    doc_get_string(ref, "uid", "spec.claimRef.uid", &uid, err) != 0)
		return -1;
	pv->has_claim = ref != NULL;
	pv->claim_uid =
	    uid[0] == '\0' ? "" : arena_strndup(arena, uid, strlen(uid));
	return 0;
}

/* {required: {nodeSelectorTerms: […]}} */
static int
read_node_affinity(struct persistent_volume *pv, const struct doc_node *spec,
    struct err *err)
{
	const struct doc_node *affinity = NULL, *required = NULL;

	if (doc_get_object(spec, "nodeAffinity", "spec.nodeAffinity", &affinity,
		err) != 0 ||
	    doc_get_object(affinity, "required", "spec.nodeAffinity.required",
		&required, err) != 0)
		return -1;
	pv->has_node_affinity = required != NULL;
	if (required == NULL)
		return 0;
	return node_selector_from_doc(&pv->object.arena, required,
	    "spec.nodeAffinity.required", &pv->node_affinity, err);
}

/* ---- the node affinity of an in-tree volume, as its driver's ---- */

static bool
has_key(const struct node_selector *s, sym key)
{
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t j = 0; j < s->at[i].labels.n; j++)
			if (s->at[i].labels.at[j].key == key)
				return true;
	return false;
}

static bool
has_values(const struct node_selector *s, sym key)
{
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t j = 0; j < s->at[i].labels.n; j++)
			if (s->at[i].labels.at[j].key == key &&
			    s->at[i].labels.at[j].nvalues > 0)
				return true;
	return false;
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

static int
read_volume_spec(struct persistent_volume *pv, const struct metadata *meta,
    const struct doc_node *spec, struct err *err)
{
	struct arena *arena = &pv->object.arena;
	const struct doc_node *capacity = NULL;
	bool has_class, has_spec_class;

	if (get_class(arena, meta, spec, &has_class, &pv->class,
		&has_spec_class, &pv->spec_class, err) != 0 ||
	    get_modes(arena, spec, &pv->volume_mode, &pv->naccess_modes,
		&pv->access_modes, err) != 0 ||
	    doc_get_object(spec, "capacity", "spec.capacity", &capacity, err) !=
		0 ||
	    get_bytes(capacity, "storage", "spec.capacity.storage",
		&pv->capacity, err) != 0 ||
	    get_sym(arena, spec, "volumeAttributesClassName",
		"spec.volumeAttributesClassName", NULL, &pv->attributes_class,
		err) != 0)
		return -1;
	if (read_source(pv, spec, err) != 0 || read_csi(pv, spec, err) != 0 ||
	    read_claim_ref(pv, spec, err) != 0 ||
	    read_node_affinity(pv, spec, err) != 0)
		return -1;
	translate_affinity(pv);
	return 0;
}

static int
read_volume(struct persistent_volume *pv, const struct metadata *meta,
    const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = NULL, *status = NULL;
	const char *phase = "";

	if (labels_from_doc(&pv->object.arena, meta->labels, "metadata.labels",
		&pv->labels, err) != 0 ||
	    doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0 ||
	    doc_get_string(status, "phase", "status.phase", &phase, err) != 0)
		return -1;
	pv->available = strcmp(phase, "Available") == 0;
	if (get_owner(&pv->object.arena, meta, &pv->cluster_owner, err) != 0)
		return -1;
	return read_volume_spec(pv, meta, spec, err);
}

int
persistent_volume_decode(const struct doc_node *root,
    struct persistent_volume **out, struct err *err)
{
	struct metadata meta;
	struct persistent_volume *pv =
	    object_new(OBJECT_PERSISTENT_VOLUME, sizeof(*pv), root, &meta, err);

	if (pv == NULL)
		return -1;
	arena_reserve(&pv->object.arena, USUAL_SIZE);
	if (read_volume(pv, &meta, root, err) != 0) {
		object_unref(&pv->object);
		return -1;
	}
	*out = pv;
	return 0;
}

/* PersistentVolumeClaim */

static int
read_claim_annotations(struct persistent_volume_claim *pvc,
    const struct metadata *meta, struct err *err)
{
	struct arena *arena = &pvc->object.arena;
	sym ignored;

	if (get_annotation(arena, meta, BIND_COMPLETED_ANNOTATION,
		&pvc->bind_completed, &ignored, err) != 0 ||
	    get_owner(arena, meta, &pvc->cluster_owner, err) != 0)
		return -1;
	return get_annotation(arena, meta, SELECTED_NODE_ANNOTATION,
	    &pvc->has_selected_node, &pvc->selected_node, err);
}

static int
read_request(struct persistent_volume_claim *pvc, const struct doc_node *spec,
    struct err *err)
{
	const struct doc_node *resources = NULL, *requests = NULL;

	if (doc_get_object(spec, "resources", "spec.resources", &resources,
		err) != 0 ||
	    doc_get_object(resources, "requests", "spec.resources.requests",
		&requests, err) != 0)
		return -1;
	pvc->has_request = doc_get(requests, "storage") != NULL;
	return get_bytes(requests, "storage", "spec.resources.requests.storage",
	    &pvc->request, err);
}

/* Fields that 1.15 does not have. */
static int
read_later_claim(struct persistent_volume_claim *pvc,
    const struct doc_node *root, const struct doc_node *spec, struct err *err)
{
	struct arena *arena = &pvc->object.arena;
	sym one = sym_intern("ReadWriteOncePod");
	const struct doc_node *status = NULL;
	const char *phase = "";

	if (doc_get_object(root, "status", "status", &status, err) != 0 ||
	    doc_get_string(status, "phase", "status.phase", &phase, err) != 0 ||
	    get_sym(arena, spec, "volumeAttributesClassName",
		"spec.volumeAttributesClassName", NULL, &pvc->attributes_class,
		err) != 0)
		return -1;
	pvc->lost = strcmp(phase, "Lost") == 0;
	for (uint32_t i = 0; i < pvc->naccess_modes; i++)
		pvc->for_one_pod |= pvc->access_modes[i] == one;
	return object_controller(arena, root, &pvc->controller, err);
}

static int
read_claim(struct persistent_volume_claim *pvc, const struct metadata *meta,
    const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = NULL, *selector;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    read_claim_annotations(pvc, meta, err) != 0 ||
	    get_class(&pvc->object.arena, meta, spec, &pvc->has_class,
		&pvc->class, &pvc->has_spec_class, &pvc->spec_class,
		err) != 0 ||
	    get_sym(&pvc->object.arena, spec, "volumeName", "spec.volumeName",
		NULL, &pvc->volume_name, err) != 0 ||
	    get_modes(&pvc->object.arena, spec, &pvc->volume_mode,
		&pvc->naccess_modes, &pvc->access_modes, err) != 0 ||
	    read_request(pvc, spec, err) != 0 ||
	    read_later_claim(pvc, root, spec, err) != 0)
		return -1;
	selector = doc_get(spec, "selector");
	pvc->has_selector = selector != NULL;
	return selector_of_object(&pvc->object.arena, selector, "spec.selector",
	    &pvc->selector, err);
}

int
persistent_volume_claim_decode(const struct doc_node *root,
    struct persistent_volume_claim **out, struct err *err)
{
	struct metadata meta;
	struct persistent_volume_claim *pvc =
	    object_new(OBJECT_PERSISTENT_VOLUME_CLAIM, sizeof(*pvc), root,
		&meta, err);

	if (pvc == NULL)
		return -1;
	arena_reserve(&pvc->object.arena, USUAL_SIZE);
	if (read_claim(pvc, &meta, root, err) != 0) {
		object_unref(&pvc->object);
		return -1;
	}
	*out = pvc;
	return 0;
}

/* StorageClass: its fields are not under spec. */

static int
read_topologies(struct storage_class *sc, const struct doc_node *root,
    struct err *err)
{
	struct arena *arena = &sc->object.arena;
	const struct doc_node *terms = NULL;
	struct topology_term *at;

	if (doc_get_array(root, "allowedTopologies", "allowedTopologies",
		&terms, err) != 0)
		return -1;
	if (terms == NULL || terms->count == 0)
		return 0;
	at = arena_array(arena, struct topology_term, terms->count);
	for (const struct doc_node *p = terms->first; p; p = p->next) {
		struct selector s;

		if (check_element(p, "allowedTopologies[]", err) != 0 ||
		    selector_from_topology(arena,
			doc_get(p, "matchLabelExpressions"),
			"allowedTopologies[].matchLabelExpressions", &s,
			err) != 0)
			return -1;
		if (!s.nothing && s.error == NULL)
			at[sc->ntopologies] =
			    (struct topology_term){ s.n, s.at };
		sc->ntopologies++;
	}
	sc->topologies = at;
	return 0;
}

static int
read_storage_class(struct storage_class *sc, const struct doc_node *root,
    struct err *err)
{
	const char *mode = NULL;

	if (get_sym(&sc->object.arena, root, "provisioner", "provisioner", NULL,
		&sc->provisioner, err) != 0 ||
	    doc_get_string(root, "volumeBindingMode", "volumeBindingMode",
		&mode, err) != 0)
		return -1;
	sc->has_binding_mode = mode != NULL;
	sc->waits_for_consumer =
	    mode != NULL && strcmp(mode, "WaitForFirstConsumer") == 0;
	return read_topologies(sc, root, err);
}

int
storage_class_decode(const struct doc_node *root, struct storage_class **out,
    struct err *err)
{
	struct storage_class *sc =
	    object_new(OBJECT_STORAGE_CLASS, sizeof(*sc), root, NULL, err);

	if (sc == NULL)
		return -1;
	if (read_storage_class(sc, root, err) != 0) {
		object_unref(&sc->object);
		return -1;
	}
	*out = sc;
	return 0;
}

/* CSINode */

static int
read_driver(struct arena *arena, struct csi_driver_limit *driver,
    const struct doc_node *node, struct err *err)
{
	const struct doc_node *allocatable = NULL;

	if (check_element(node, "spec.drivers[]", err) != 0 ||
	    get_sym(arena, node, "name", "spec.drivers[].name", NULL,
		&driver->driver, err) != 0 ||
	    doc_get_object(node, "allocatable", "spec.drivers[].allocatable",
		&allocatable, err) != 0 ||
	    doc_get_int(allocatable, "count",
		"spec.drivers[].allocatable.count", INT32_MIN, INT32_MAX,
		&driver->count, err) != 0)
		return -1;
	driver->has_count = doc_get(allocatable, "count") != NULL;
	return 0;
}

static int
read_migrated(struct csi_node *node, const struct metadata *meta,
    struct err *err)
{
	const char *text = "";

	if (doc_get_string(meta->annotations, MIGRATED_PLUGINS_ANNOTATION,
		"metadata.annotations[" MIGRATED_PLUGINS_ANNOTATION "]", &text,
		err) != 0)
		return -1;
	node->migrated = in_tree_migrated(text);
	return 0;
}

static int
read_csi_node(struct csi_node *node, const struct metadata *meta,
    const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = NULL, *drivers = NULL;
	struct csi_driver_limit *at;

	if (read_migrated(node, meta, err) != 0)
		return -1;
	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_array(spec, "drivers", "spec.drivers", &drivers, err) != 0)
		return -1;
	if (drivers == NULL || drivers->count == 0)
		return 0;
	at = arena_array(&node->object.arena, struct csi_driver_limit,
	    drivers->count);
	for (const struct doc_node *p = drivers->first; p; p = p->next)
		if (read_driver(&node->object.arena, &at[node->ndrivers++], p,
			err) != 0)
			return -1;
	node->drivers = at;
	return 0;
}

int
csi_node_decode(const struct doc_node *root, struct csi_node **out,
    struct err *err)
{
	struct metadata meta;
	struct csi_node *node =
	    object_new(OBJECT_CSI_NODE, sizeof(*node), root, &meta, err);

	if (node == NULL)
		return -1;
	arena_reserve(&node->object.arena, USUAL_SIZE);
	if (read_csi_node(node, &meta, root, err) != 0) {
		object_unref(&node->object);
		return -1;
	}
	*out = node;
	return 0;
}

/* CSIDriver */

int
csi_driver_decode(const struct doc_node *root, struct csi_driver **out,
    struct err *err)
{
	const struct doc_node *spec = NULL;
	struct csi_driver *driver =
	    object_new(OBJECT_CSI_DRIVER, sizeof(*driver), root, NULL, err);

	if (driver == NULL)
		return -1;
	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_bool(spec, "storageCapacity", "spec.storageCapacity",
		&driver->storage_capacity, err) != 0 ||
	    doc_get_bool(spec, "preventPodSchedulingIfMissing",
		"spec.preventPodSchedulingIfMissing",
		&driver->must_be_installed, err) != 0) {
		object_unref(&driver->object);
		return -1;
	}
	*out = driver;
	return 0;
}

/* CSIStorageCapacity: its fields are not under spec. */

static int
read_capacity(struct csi_storage_capacity *c, const struct doc_node *root,
    struct err *err)
{
	struct arena *arena = &c->object.arena;
	bool has_maximum = doc_get(root, "maximumVolumeSize") != NULL;
	const char *key = has_maximum ? "maximumVolumeSize" : "capacity";

	if (get_sym(arena, root, "storageClassName", "storageClassName", NULL,
		&c->class, err) != 0 ||
	    get_bytes(root, "capacity", "capacity", &c->capacity, err) != 0 ||
	    get_bytes(root, key, key, &c->limit, err) != 0)
		return -1;
	c->has_limit = doc_get(root, key) != NULL;
	return selector_from_label_selector(arena,
	    doc_get(root, "nodeTopology"), "nodeTopology", &c->nodes, err);
}

int
csi_storage_capacity_decode(const struct doc_node *root,
    struct csi_storage_capacity **out, struct err *err)
{
	struct csi_storage_capacity *capacity =
	    object_new(OBJECT_CSI_STORAGE_CAPACITY, sizeof(*capacity), root,
		NULL, err);

	if (capacity == NULL)
		return -1;
	arena_reserve(&capacity->object.arena, USUAL_SIZE);
	if (read_capacity(capacity, root, err) != 0) {
		object_unref(&capacity->object);
		return -1;
	}
	*out = capacity;
	return 0;
}

/* VolumeAttachment */

static int
read_attachment(struct volume_attachment *a, const struct doc_node *root,
    struct err *err)
{
	struct arena *arena = &a->object.arena;
	const struct doc_node *spec = NULL, *source = NULL;

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    get_sym(arena, spec, "attacher", "spec.attacher", NULL,
		&a->attacher, err) != 0 ||
	    get_sym(arena, spec, "nodeName", "spec.nodeName", NULL, &a->node,
		err) != 0 ||
	    doc_get_object(spec, "source", "spec.source", &source, err) != 0)
		return -1;
	return get_sym(arena, source, "persistentVolumeName",
	    "spec.source.persistentVolumeName", NULL, &a->volume, err);
}

int
volume_attachment_decode(const struct doc_node *root,
    struct volume_attachment **out, struct err *err)
{
	struct volume_attachment *attachment =
	    object_new(OBJECT_VOLUME_ATTACHMENT, sizeof(*attachment), root,
		NULL, err);

	if (attachment == NULL)
		return -1;
	if (read_attachment(attachment, root, err) != 0) {
		object_unref(&attachment->object);
		return -1;
	}
	*out = attachment;
	return 0;
}

/* Copies: an arena of their own means parts of their own. */

static const void *
copy_array(struct arena *arena, const void *array, size_t n, size_t size)
{
	return n > 0 ? arena_memdup(arena, array, n * size) : NULL;
}

struct persistent_volume *
persistent_volume_claimed_by(const struct persistent_volume *volume,
    const struct persistent_volume_claim *claim)
{
	struct persistent_volume *copy =
	    object_copy(&volume->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;

	arena_reserve(arena, USUAL_SIZE);
	sym_hold_same(arena, &volume->object.arena);
	copy->labels.at = copy_array(arena, volume->labels.at, volume->labels.n,
	    sizeof(*volume->labels.at));
	copy->access_modes = copy_array(arena, volume->access_modes,
	    volume->naccess_modes, sizeof(*volume->access_modes));
	copy->node_affinity = node_selector_copy(arena, &volume->node_affinity);
	copy->csi_affinity = node_selector_copy(arena, &volume->csi_affinity);
	if (volume->obstacle != NULL)
		copy->obstacle = arena_strndup(arena, volume->obstacle,
		    strlen(volume->obstacle));
	copy->has_claim = true;
	copy->claim_namespace = claim->object.namespace;
	sym_hold(arena, copy->claim_namespace);
	copy->claim_name = sym_in(arena, claim->object.name);
	copy->claim_uid =
	    arena_strndup(arena, claim->object.uid, strlen(claim->object.uid));
	return copy;
}

struct persistent_volume_claim *
persistent_volume_claim_selected(const struct persistent_volume_claim *claim,
    sym node)
{
	struct persistent_volume_claim *copy =
	    object_copy(&claim->object, sizeof(*copy));
	struct arena *arena = &copy->object.arena;

	arena_reserve(arena, USUAL_SIZE);
	sym_hold_same(arena, &claim->object.arena);
	copy->access_modes = copy_array(arena, claim->access_modes,
	    claim->naccess_modes, sizeof(*claim->access_modes));
	copy->selector = selector_copy(arena, &claim->selector);
	copy->has_selected_node = true;
	copy->selected_node = node;
	sym_hold(arena, node);
	return copy;
}
