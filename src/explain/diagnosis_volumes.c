/* Claims and volumes. */
#include "config.h"

#include <inttypes.h>

#include "cluster/capacities.h"
#include "cluster/open_volumes.h"
#include "base/quantity.h"
#include "explain/diagnosis_internal.h"
#include "predicates/volume_count.h"

/* "d/c" */
static const char *
full_name(const struct inquiry *q, const struct persistent_volume_claim *claim)
{
	return arena_printf(q->arena, "%s/%s",
	    sym_text(claim->object.namespace), claim->object.name);
}

/* " of class fast", or nothing. */
static const char *
of_class(const struct inquiry *q, const struct persistent_volume_claim *claim)
{
	if (claim->class == SYM_EMPTY)
		return "";
	return arena_printf(q->arena, " of class %s", sym_text(claim->class));
}

/* Why the claim does not get the free volume; NULL: it would, by itself. */
static const char *
misfit(const struct inquiry *q, const struct persistent_volume_claim *claim,
    const struct persistent_volume *v)
{
	char have[QUANTITY_TEXT], want[QUANTITY_TEXT];

	if (claim->has_request && v->capacity < claim->request)
		return arena_printf(q->arena, "it has %s, not %s",
		    quantity_write_about(have, v->capacity, true),
		    quantity_write_about(want, claim->request, false));
	if (v->volume_mode != claim->volume_mode)
		return arena_printf(q->arena, "its volumeMode is %s, not %s",
		    sym_text(v->volume_mode), sym_text(claim->volume_mode));
	for (uint32_t i = 0; i < claim->naccess_modes; i++)
		if (!ANY(j, v->naccess_modes,
			v->access_modes[j] == claim->access_modes[i]))
			return arena_printf(q->arena,
			    "it has no access mode %s",
			    sym_text(claim->access_modes[i]));
	if (claim->has_selector &&
	    !selector_matches(&claim->selector, &v->labels))
		return arena_printf(q->arena,
		    "its labels do not match the claim's selector %s",
		    selector_text(q->arena, &claim->selector));
	return NULL;
}

/* " of class fast, 10Gi, ReadWriteMany, Block, with tier=ssd": all that it asks. */
static const char *
wanted_text(const struct inquiry *q,
    const struct persistent_volume_claim *claim)
{
	const char *text = of_class(q, claim);
	char buf[QUANTITY_TEXT];

	if (claim->has_request)
		text = arena_printf(q->arena, "%s of %s", text,
		    quantity_write_about(buf, claim->request, false));
	for (uint32_t i = 0; i < claim->naccess_modes; i++)
		text = arena_printf(q->arena, "%s, %s", text,
		    sym_text(claim->access_modes[i]));
	if (strcmp(sym_text(claim->volume_mode), "Filesystem") != 0)
		text = arena_printf(q->arena, "%s, %s", text,
		    sym_text(claim->volume_mode));
	if (claim->has_selector && claim->selector.n > 0)
		text = arena_printf(q->arena, "%s, with %s", text,
		    selector_text(q->arena, &claim->selector));
	return text;
}

/* A volume for each of these claims; hint: what to do before. */
static void
propose_volumes(struct inquiry *q, size_t n,
    const struct persistent_volume_claim *const *claims, const char *hint)
{
	const char **texts = arena_array(q->arena, const char *, n), *all;
	struct proposal *p;

	for (size_t i = 0; i < n; i++)
		texts[i] = arena_printf(q->arena, "volume%s",
		    wanted_text(q, claims[i]));
	all = arena_join(q->arena, n, texts, " and a ");
	p = propose(q, REMEDY_PROVIDE, "provide", all, "", "%sprovide a %s",
	    hint, all);
	p->nclaims = n;
	p->claims = claims;
	p->untried = q->e->own == NULL;
}

/* Of the pod's i-th volume; NULL: it is of no claim, or of one that is not there. */
static const struct persistent_volume_claim *
claim_of_volume(const struct inquiry *q, uint32_t i)
{
	const struct pod_class *class = q->cycle->class;

	return class->volumes[i].kind == VOLUME_CLAIM ?
	    cluster_claim(q->cycle->cluster, class->namespace,
		class->volumes[i].id) :
	    NULL;
}

/* The bound one of the claim; NULL: there is none, or no claim. */
static const struct persistent_volume *
volume_of(const struct inquiry *q, const struct persistent_volume_claim *claim)
{
	return claim != NULL ?
	    cluster_volume(q->cycle->cluster, claim->volume_name) :
	    NULL;
}

/* The pod's claims without a volume; *n of them. */
static const struct persistent_volume_claim **
unbound_claims(const struct inquiry *q, size_t *n)
{
	const struct pod_class *class = q->cycle->class;
	const struct persistent_volume_claim **all = arena_array(q->arena,
	    const struct persistent_volume_claim *, class->nvolumes);

	*n = 0;
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    claim_of_volume(q, i);

		if (claim != NULL && claim->volume_name == SYM_EMPTY &&
		    !claim->object.deleting)
			all[(*n)++] = claim;
	}
	return all;
}

/* Of the class's allowedTopologies the first, if no node is in any of them; NULL: some
 * are, or it has none. */
static const struct selector *
unreached_topology(const struct inquiry *q, const struct storage_class *class)
{
	for (uint32_t i = 0; i < class->ntopologies; i++)
		if (ANY(k, q->n,
			selector_matches(&class->topologies[i],
			    &inquiry_node(q, k)->node->labels)))
			return NULL;
	return class->ntopologies > 0 ? &class->topologies[0] : NULL;
}

/* Volumes of the class are only made where its driver has room: on none of the chosen
 * nodes.  False: it has, or nobody asks. */
static bool
describe_no_capacity(struct inquiry *q,
    const struct persistent_volume_claim *claim,
    const struct storage_class *class)
{
	const struct cluster *cluster = q->cycle->cluster;
	char want[QUANTITY_TEXT], have[QUANTITY_TEXT];
	const struct node_info *best = NULL;
	int64_t most = -1;

	if (!claim->has_request || !cluster_checks_capacity(cluster, class))
		return false;
	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = q->e->nodes[i];
		const struct csi_storage_capacity *c;
		int64_t here = -1;

		if (!is_chosen(q, node->index))
			continue;
		while ((c = cluster_find_capacity(cluster, class, here + 1,
			    &node->node->labels)) != NULL)
			here = c->limit;
		if (here >= claim->request)
			return false;
		if (here > most) {
			most = here;
			best = node;
		}
	}
	describe(q, "Claim %s asks for %s%s, and %s has %s%s%s",
	    full_name(q, claim),
	    quantity_write_about(want, claim->request, false),
	    of_class(q, claim), sym_text(class->provisioner),
	    best == NULL ? "published no CSIStorageCapacity for the nodes" :
			   "at most ",
	    best == NULL ? "" : quantity_write_about(have, most, true),
	    best == NULL ?
		"" :
		arena_printf(q->arena, ", on %s", sym_text(best->name)));
	suggest(q, REMEDY_PROVIDE,
	    best == NULL ? "see what its external-provisioner says" :
			   "replace it by a smaller one, or add storage");
	return true;
}

/* The StorageClass that the claim may mean: NULL: none has a name alike. */
static const char *
similar_class(const struct inquiry *q,
    const struct persistent_volume_claim *claim)
{
	const char *found = NULL;

	EACH_VALUE (&q->cycle->cluster->named[OBJECT_STORAGE_CLASS],
	    const struct object, class)
		if (text_is_like(sym_text(claim->class), class->name) &&
		    (found == NULL || strcmp(class->name, found) < 0))
			found = class->name;
	return found;
}

/* A volume that nobody has, and that the claim does not get although it is as it asks:
 * it is of a class that is not there, or waits for an earlier claim of this name.
 * NULL: there is none; of several the first by name. */
static const struct persistent_volume *
volume_withheld(const struct inquiry *q,
    const struct persistent_volume_claim *claim)
{
	const struct persistent_volume *found = NULL;

	EACH_VALUE (&q->cycle->cluster->named[OBJECT_PERSISTENT_VOLUME],
	    const struct persistent_volume, v)
		if ((v->has_claim ?
			    v->claim_namespace == claim->object.namespace &&
				v->claim_name == sym_find(claim->object.name) &&
				v->claim_uid[0] != '\0' &&
				strcmp(v->claim_uid, claim->object.uid) != 0 :
			    v->available && v->class != claim->class &&
				cluster_storage_class(q->cycle->cluster,
				    v->class) == NULL) &&
		    (found == NULL ||
			strcmp(v->object.name, found->object.name) < 0) &&
		    misfit(q, claim, v) == NULL)
			found = v;
	return found;
}

/* Of a claim whose volumes nobody provides; the beginning of a remedy, "" for none. */
static const char *
describe_withheld(struct inquiry *q,
    const struct persistent_volume_claim *claim, bool no_class)
{
	const struct persistent_volume *v = volume_withheld(q, claim);
	const char *name = v != NULL ? v->object.name : NULL;

	if (v != NULL && v->has_claim) {
		describe(q,
		    "%s, but %s is kept for an earlier claim of this name",
		    q->d->text, name);
		return arena_printf(q->arena,
		    "remove the claimRef of volume %s, or ", name);
	}
	if (v != NULL) {
		describe(q, "%s, but %s of %s%s is", q->d->text, name,
		    v->class != SYM_EMPTY ? "class " : "no class",
		    sym_text(v->class));
		return arena_printf(q->arena, "let volume %s have %s%s, or ",
		    name, claim->has_class ? "class " : "no class",
		    sym_text(claim->class));
	}
	name = no_class ? similar_class(q, claim) : NULL;
	if (name != NULL) {
		describe(q, "%s (did you mean %s?)", q->d->text, name);
		return arena_printf(q->arena,
		    "replace it by a claim of class %s, or ", name);
	}
	return !claim->has_class &&
		q->cycle->cluster->named[OBJECT_STORAGE_CLASS].n > 0 ?
	    "make a StorageClass the default, or " :
	    "";
}

/* A node plugin labels its node: where no node has the label, it runs on none. */
static bool
awaits_node_plugin(const struct inquiry *q, sym driver, sym key)
{
	return driver != SYM_NONE && driver != SYM_EMPTY &&
	    strncmp(sym_text(driver), "kubernetes.io/", 14) != 0 &&
	    label_renamed(key) == SYM_NONE && !has_label(q, key);
}

static void
suggest_node_plugin(struct inquiry *q, sym driver, sym key)
{
	if (awaits_node_plugin(q, driver, key))
		suggest(q, REMEDY_READY,
		    "run the node plugin of %s, which labels nodes",
		    sym_text(driver));
}

/* "in zone a", "where the pod may not go" */
static const char *where_text(const struct inquiry *q,
    const struct persistent_volume *v);

static void
describe_unbound(struct inquiry *q, const struct persistent_volume_claim *claim)
{
	const sym none = sym_intern("kubernetes.io/no-provisioner");
	const struct storage_class *class =
	    cluster_storage_class(q->cycle->cluster, claim->class);
	const struct pinned_list *list =
	    cluster_free_volumes(q->cycle->cluster, claim->class);
	const struct persistent_volume *free =
	    list != NULL && list->n > 0 ? list->at[list->n - 1].object : NULL;
	const struct persistent_volume_claim **one =
	    arena_memdup(q->arena, &claim, sizeof(claim));
	const struct persistent_volume_claim **all;
	const char *of = of_class(q, claim), *hint = "";
	const struct selector *topology =
	    class != NULL ? unreached_topology(q, class) : NULL;
	size_t n;

	if (topology != NULL && free == NULL) {
		describe(q,
		    "Claim %s is unbound: its class %s provides volumes for "
		    "nodes with %s, and no node has that",
		    full_name(q, claim), class->object.name,
		    selector_text(q->arena, topology));
		suggest_node_plugin(q, class->provisioner, topology->at[0].key);
		return;
	}
	if (claim->has_selected_node && class != NULL &&
	    cluster_node(q->cycle->cluster, claim->selected_node) == NULL) {
		describe(q,
		    "Claim %s is to be provided on node %s, which is not "
		    "there",
		    full_name(q, claim), sym_text(claim->selected_node));
		suggest_object(q, "volume.kubernetes.io/selected-node",
		    "remove its annotation volume.kubernetes.io/selected-node");
		return;
	}
	if (class != NULL && class->waits_for_consumer && free == NULL &&
	    describe_no_capacity(q, claim, class))
		return;
	describe(q, "Claim %s is unbound: no volume%s is free%s",
	    full_name(q, claim), claim->has_class ? of : " without a class",
	    class == NULL && of[0] != '\0' ?
		", and there is no such StorageClass" :
		"");
	if (free != NULL) {
		const char *why = misfit(q, claim, free);

		if (why == NULL)
			why = arena_printf(q->arena, "it is %s",
			    where_text(q, free));
		describe(q, "Claim %s is unbound: volume %s%s is free, but %s",
		    full_name(q, claim), free->object.name, of, why);
	}
	if (class != NULL && !class->waits_for_consumer &&
	    class->provisioner != none) {
		describe(q, "%s, and %s has provided none", q->d->text,
		    sym_text(class->provisioner));
		hint = "see the Events of the claim for the reason, or ";
	} else if ((class == NULL || class->provisioner == none) &&
	    free == NULL) {
		hint =
		    describe_withheld(q, claim, class == NULL && of[0] != '\0');
	}
	propose_volumes(q, 1, one, hint);
	all = unbound_claims(q, &n);
	if (n > 1)
		propose_volumes(q, n, all, "");
}

const char *
diagnosis_awaited_claim(struct arena *arena, const struct cluster *cluster,
    const struct pod *pod, const char **provisioner)
{
	const struct pod_class *pods = pod->class;

	for (uint32_t i = 0; i < pods->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    pods->volumes[i].kind == VOLUME_CLAIM ?
		    cluster_claim(cluster, pods->namespace,
			pods->volumes[i].id) :
		    NULL;
		const struct storage_class *class = claim != NULL &&
			claim->has_selected_node &&
			claim->volume_name == SYM_EMPTY ?
		    cluster_storage_class(cluster, claim->class) :
		    NULL;

		if (class == NULL)
			continue;
		*provisioner = sym_text(class->provisioner);
		return arena_printf(arena, "%s/%s", sym_text(pods->namespace),
		    claim->object.name);
	}
	return NULL;
}

static bool
is_zone_key(sym key)
{
	return strcmp(label_last_part(key), "zone") == 0;
}

/* Its values are names of nodes. */
static bool
is_host_key(sym key)
{
	const char *last = label_last_part(key);

	return strcmp(last, "hostname") == 0 || strcmp(last, "node") == 0;
}

/* A label that the volume asks of nodes: of its own labels, those of zones and
 * regions, and of the first term of its node affinity. */
struct place {
	sym key;
	const char *values;          /* "a", "a or b" */
	const struct requirement *r; /* NULL: of the volume's labels */
	const char *value;           /* likewise, "a__b": a or b */
	bool negative;
};

/* Whether the value is among those of "a__b". */
static bool
is_part_of(const char *all, const char *value)
{
	size_t len = strlen(value);

	for (const char *at = all; at != NULL;
	     at = strstr(at, "__") != NULL ? strstr(at, "__") + 2 : NULL)
		if (strncmp(at, value, len) == 0 &&
		    (at[len] == '\0' || strncmp(at + len, "__", 2) == 0))
			return true;
	return false;
}

static bool
is_at(const struct place *p, const struct node *node)
{
	sym value = labels_get(&node->labels, p->key);

	if (p->r != NULL)
		return requirement_matches(p->r, &node->labels);
	return value != SYM_NONE && is_part_of(p->value, sym_text(value));
}

static const char *
values_of(const struct inquiry *q, const struct requirement *r)
{
	const char *text = "";

	for (uint32_t i = 0; i < r->nvalues; i++)
		text = arena_append(q->arena, text, " or ",
		    sym_text(r->values[i]));
	return text;
}

/* At most max; their number. */
static size_t
places_of(const struct inquiry *q, const struct persistent_volume *v,
    struct place *places, size_t max)
{
	size_t n = 0;

	for (uint32_t i = 0; i < v->labels.n && n < max; i++) {
		const struct label *l = &v->labels.at[i];
		const char *value = sym_text(l->value);

		if (is_zone_key(l->key) ||
		    strcmp(label_last_part(l->key), "region") == 0)
			places[n++] = (struct place){ l->key,
				strstr(value, "__") == NULL ?
				    value :
				    arena_printf(q->arena, "one of %s", value),
				NULL, value, false };
	}
	if (!v->has_node_affinity || v->node_affinity.n == 0)
		return n;
	for (uint32_t i = 0; i < v->node_affinity.at[0].labels.n && n < max;
	     i++) {
		const struct requirement *r =
		    &v->node_affinity.at[0].labels.at[i];

		places[n++] = (struct place){ r->key, values_of(q, r), r, NULL,
			r->op == SELECTOR_NOT_IN };
	}
	return n;
}

/* Likewise, of where the class of an unbound claim provides volumes. */
static size_t
places_of_class(const struct inquiry *q,
    const struct persistent_volume_claim *claim, struct place *places,
    size_t max)
{
	const struct storage_class *class =
	    claim != NULL && claim->volume_name == SYM_EMPTY ?
	    cluster_storage_class(q->cycle->cluster, claim->class) :
	    NULL;
	const struct selector *topology =
	    class != NULL ? unreached_topology(q, class) : NULL;
	size_t n = 0;

	for (; topology != NULL && n < topology->n && n < max; n++)
		places[n] = (struct place){ topology->at[n].key,
			values_of(q, &topology->at[n]), &topology->at[n], NULL,
			false };
	return n;
}

/* "zone a", "disk=ssd" */
static const char *
place_text(const struct inquiry *q, const struct place *p)
{
	if (is_zone_key(p->key) && !p->negative)
		return arena_printf(q->arena, "zone %s", p->values);
	return arena_printf(q->arena, "%s%s%s", sym_text(p->key),
	    p->negative              ? " not in " :
		p->values[0] != '\0' ? "=" :
				       "",
	    p->values);
}

#define PLACES_MOST 8

/* "a" of "a__b" */
static const char *
first_part(const struct inquiry *q, const struct place *p)
{
	const char *end;

	if (p->r != NULL)
		return sym_text(p->r->values[0]);
	end = strstr(p->value, "__");
	return end == NULL ?
	    p->value :
	    arena_strndup(q->arena, p->value, (size_t)(end - p->value));
}

/* Of the claim's volume, or of what will provide it; SYM_NONE: none is known. */
static sym
driver_of(const struct inquiry *q, const struct persistent_volume_claim *claim,
    const struct persistent_volume *volume)
{
	const struct storage_class *class = claim != NULL ?
	    cluster_storage_class(q->cycle->cluster, claim->class) :
	    NULL;

	return volume != NULL ? volume->csi_driver :
	    class != NULL     ? class->provisioner :
				SYM_NONE;
}

const char *
give_places(const struct inquiry *q, const char *text, struct node *node)
{
	const struct pod_class *class = q->cycle->class;

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    claim_of_volume(q, i);
		const struct persistent_volume *volume = volume_of(q, claim);
		struct place places[PLACES_MOST];
		size_t n = volume != NULL ?
		    places_of(q, volume, places, PLACES_MOST) :
		    places_of_class(q, claim, places, PLACES_MOST);
		sym driver = driver_of(q, claim, volume);

		for (size_t j = 0; j < n; j++) {
			const struct place *p = &places[j];
			const char *value;

			/* a node is what it is called */
			if (is_at(p, node) || is_host_key(p->key) ||
			    awaits_node_plugin(q, driver, p->key) ||
			    (p->r != NULL &&
				(p->r->op != SELECTOR_IN ||
				    p->r->nvalues == 0)))
				continue;
			value = first_part(q, p);
			labels_put(&node->object.arena, &node->labels, p->key,
			    sym_in(&node->object.arena, value));
			text = arena_append(q->arena, text, " ",
			    arena_printf(q->arena, "%s=%s", sym_text(p->key),
				value));
		}
	}
	return text;
}

static bool
is_at_all(const struct place *places, size_t n, const struct node *node)
{
	return !ANY(i, n, !is_at(&places[i], node));
}

/* A node that is in the zone by the other name of the label gets this one. */
static void
advise_zone_label(struct inquiry *q, const struct place *p)
{
	sym key = label_renamed(p->key);
	const char *name;
	sym value;

	for (uint32_t i = 0; key != SYM_NONE && i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		struct place other = *p;
		struct requirement r;

		other.key = key;
		if (p->r != NULL) {
			r = *p->r;
			r.key = key;
			other.r = &r;
		}
		value = labels_get(&node->node->labels, key);
		if (value == SYM_NONE || !is_chosen(q, i) ||
		    !is_at(&other, node->node))
			continue;
		name = sym_text(node->name);
		proposal_labels(q,
		    propose(q, REMEDY_LABEL, "label", name,
			pair_text(q, p->key, value), "label node %s %s=%s",
			name, sym_text(p->key), sym_text(value)),
		    node, p->key, value);
		return;
	}
}

/* "zone a and disk=ssd" */
static const char *
places_text(const struct inquiry *q, const struct place *places, size_t n)
{
	const char *texts[PLACES_MOST];
	size_t ntexts = 0;

	for (size_t i = 0; i < n; i++) {
		texts[ntexts] = place_text(q, &places[i]);
		/* two labels that say the same */
		if (!text_is_one_of(texts[ntexts], texts, ntexts))
			ntexts++;
	}
	return arena_join(q->arena, ntexts, texts, " and ");
}

static const char *
where_text(const struct inquiry *q, const struct persistent_volume *v)
{
	struct place places[PLACES_MOST];
	size_t n = places_of(q, v, places, PLACES_MOST);

	return n == 0 ?
	    "where the pod may not go" :
	    arena_printf(q->arena, "in %s", places_text(q, places, n));
}

static bool
describe_elsewhere(struct inquiry *q,
    const struct persistent_volume_claim *claim)
{
	const struct persistent_volume *volume =
	    cluster_volume(q->cycle->cluster, claim->volume_name);
	const char *name = full_name(q, claim);
	struct place places[PLACES_MOST];
	const struct place *missing;
	size_t n;

	if (volume == NULL) {
		describe(q, "Volume %s of claim %s does not exist",
		    sym_text(claim->volume_name), name);
		suggest_object(q, sym_text(claim->volume_name),
		    "restore it, or replace the claim: its data is lost");
		return true;
	}
	n = places_of(q, volume, places, PLACES_MOST);
	if (n == 0)
		return false;
	if (is_host_key(places[0].key) && places[0].r != NULL &&
	    places[0].r->op == SELECTOR_IN && places[0].r->nvalues == 1 &&
	    cluster_node(q->cycle->cluster, places[0].r->values[0]) == NULL) {
		describe(q,
		    "Volume %s of claim %s is on node %s, which is not "
		    "there",
		    volume->object.name, name, places[0].values);
		suggest(q, REMEDY_PROVIDE,
		    "bring it back, or replace the claim: its data is lost");
		return true;
	}
	missing = FIND(i, places, n,
	    !places[i].negative && !has_label(q, places[i].key));
	if (missing != NULL) {
		describe(q,
		    "Volume %s of claim %s is for nodes with the label %s, "
		    "which no node has",
		    volume->object.name, name, sym_text(missing->key));
		suggest_node_plugin(q, volume->csi_driver, missing->key);
		advise_zone_label(q, missing);
		return true;
	}
	describe(q, "Volume %s of claim %s is in %s, where %s",
	    volume->object.name, name, places_text(q, places, n),
	    ANY(i, q->n, is_at_all(places, n, inquiry_node(q, i)->node)) ?
		"no node takes the pod" :
		"no node is");
	return true;
}

/* Whether the pod's StatefulSet makes the claim of this name when it makes the pod. */
static bool
is_of_template(const struct inquiry *q, const char *claim)
{
	const char *pod = q->cycle->pod->object.name;
	size_t n = strlen(claim), len = strlen(pod);

	return q->cycle->class->controller_kind == sym_intern("StatefulSet") &&
	    n > len && claim[n - len - 1] == '-' &&
	    strcmp(claim + n - len, pod) == 0;
}

/* A claim that may be meant by the name: of the pod's namespace one whose name is alike,
 * or else one of this name in another; of several the first by name.  NULL: none. */
static const struct persistent_volume_claim *
claim_instead(const struct inquiry *q, sym name)
{
	const struct persistent_volume_claim *found = NULL;
	const sym namespace = q->cycle->class->namespace;
	const struct map *claims =
	    &q->cycle->cluster->named[OBJECT_PERSISTENT_VOLUME_CLAIM];

	EACH_VALUE (claims, const struct persistent_volume_claim, c) {
		const sym its = sym_find(c->object.name);
		const bool own = c->object.namespace == namespace;
		const bool better = found == NULL ||
		    (own == (found->object.namespace == namespace) ?
			    object_compare_names(&c->object, &found->object) <
				0 :
			    own);

		if (better &&
		    (own ? label_is_mistyped(name, name, its) : its == name))
			found = c;
	}
	return found;
}

/* The reason why the claim cannot be used, if there is one. */
static bool
describe_claim(struct inquiry *q, sym name)
{
	const struct persistent_volume_claim *claim =
	    cluster_claim(q->cycle->cluster, q->cycle->class->namespace, name);
	const struct persistent_volume_claim *other;

	if (claim == NULL) {
		const char *missing = arena_printf(q->arena, "claim %s/%s",
		    sym_text(q->cycle->class->namespace), sym_text(name));
		const char *remedy = "create it";

		describe(q, "C%s does not exist", missing + 1);
		if (is_of_template(q, sym_text(name))) {
			remedy =
			    "delete the pod: its StatefulSet makes both again";
		} else if ((other = claim_instead(q, name)) != NULL &&
		    other->object.namespace == q->cycle->class->namespace) {
			describe(q, "%s (did you mean %s?)", q->d->text,
			    other->object.name);
			remedy = arena_printf(q->arena,
			    "use claim %s, or create it", other->object.name);
		} else if (other != NULL) {
			describe(q, "%s, but one of namespace %s does",
			    q->d->text, sym_text(other->object.namespace));
		}
		suggest_object(q, missing, "%s", remedy);
		return true;
	}
	if (claim->object.deleting) {
		describe(q, "Claim %s is being deleted", full_name(q, claim));
		suggest(q, REMEDY_PROVIDE,
		    is_of_template(q, claim->object.name) ?
			"once it is gone, delete the pod: its StatefulSet "
			"makes both again" :
			"wait until it is gone and create it again");
		return true;
	}
	if (claim->volume_name == SYM_EMPTY) {
		describe_unbound(q, claim);
		return true;
	}
	return describe_elsewhere(q, claim);
}

/* How many nodes would take a pod with no other demands than this volume. */
static uint32_t
fits_with_volume(const struct inquiry *q, uint32_t i)
{
	struct pod_class *c = class_without(q->arena, q->cycle->class,
	    EVERY_DEMAND & ~BIT(VOLUMES));

	c->volumes = &q->cycle->class->volumes[i];
	c->nvolumes = 1;
	c->nresource_claims = 0;
	return fits_with(q, c);
}

/* Whether this volume alone keeps a pod without other demands from a node. */
static bool
is_obstacle(const struct inquiry *q, uint32_t i)
{
	uint32_t n = fits_with_volume(q, i);

	for (uint32_t k = 0; k < q->n; k++)
		n += q->obstacles[k] == BIT(OTHER);
	return n < q->n;
}

/* Each volume is where nodes are, but no node is where all are. */
static bool
describe_apart(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const char *text = "";
	uint32_t n = 0;

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    claim_of_volume(q, i);
		const struct persistent_volume *volume = volume_of(q, claim);
		struct place places[PLACES_MOST];
		size_t nplaces = volume != NULL ?
		    places_of(q, volume, places, PLACES_MOST) :
		    0;

		if (nplaces == 0)
			continue;
		if (fits_with_volume(q, i) == 0)
			return false;
		text = arena_append(q->arena, text, ", ",
		    arena_printf(q->arena, "%s of claim %s in %s",
			volume->object.name, full_name(q, claim),
			places_text(q, places, nplaces)));
		n++;
	}
	if (n < 2 ||
	    fits_with(q,
		class_without(q->arena, class, EVERY_DEMAND & ~BIT(VOLUMES))) >
		0)
		return false;
	describe(q, "No node is where all its volumes are: %s", text);
	suggest(q, REMEDY_PROVIDE,
	    "copy the data of one to a volume where the %s",
	    n == 2 ? "other is" : "others are");
	return true;
}

/* No more volumes can be attached to the chosen nodes, of which this is the first. */
static void
describe_full(struct inquiry *q, const struct node_info *node)
{
	const struct csi_node *csi =
	    cluster_csi_node(q->cycle->cluster, node->name);

	describe(q, "No more volumes can be attached to %s%s",
	    q->nchosen == 1 ?
		"" :
		arena_printf(q->arena, "%u nodes, such as ", q->nchosen),
	    sym_text(node->name));
	for (uint32_t i = 0; csi != NULL && i < q->cycle->class->nvolumes;
	     i++) {
		const struct persistent_volume_claim *claim =
		    claim_of_volume(q, i);
		const struct persistent_volume *volume = volume_of(q, claim);
		int64_t limit;

		if (volume == NULL ||
		    !csi_limit(csi, volume->csi_driver, &limit))
			continue;
		describe(q, "%s: it takes %" PRId64 " of %s", q->d->text, limit,
		    sym_text(volume->csi_driver));
		return;
	}
}

/* "claim d/c (1 of class gpu) and …": those that have no devices yet; NULL: none. */
static const char *
wanted_devices(const struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const char *text = "";

	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		const struct resource_claim *claim =
		    cluster_resource_claim(q->cycle->cluster, class->namespace,
			class->resource_claims[i].claim);
		const char *of = "";

		if (claim == NULL || claim->allocated)
			continue;
		for (uint32_t k = 0; k < claim->wishes.nrequests; k++) {
			const struct device_request *r =
			    &claim->wishes.requests[k];

			if (r->n > 0 && r->at[0].class != SYM_EMPTY &&
			    cluster_device_class(q->cycle->cluster,
				r->at[0].class) == NULL)
				return NULL;
			if (r->exact && r->at[0].mode == DEVICES_EXACT_COUNT)
				of = arena_append(q->arena, of, ", ",
				    arena_printf(q->arena,
					"%" PRId64 " of class %s",
					r->at[0].count,
					sym_text(r->at[0].class)));
			else
				of = arena_append(q->arena, of, ", ",
				    sym_text(r->name));
		}
		text = arena_append(q->arena, text, " and ",
		    arena_printf(q->arena, "claim %s/%s (%s)",
			sym_text(class->namespace), claim->object.name, of));
	}
	return text[0] != '\0' ? text : NULL;
}

void
describe_volumes(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const char **reasons, *devices;
	size_t n = 0;

	q->d->cause = "volume";
	if (class->nvolumes > 1 && describe_apart(q))
		return;
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (class->volumes[i].kind == VOLUME_CLAIM &&
		    is_obstacle(q, i) &&
		    describe_claim(q, class->volumes[i].id))
			return;
	q->d->text = q->e->message;
	if (q->e->decision->error != NULL || describe_claim_in_use(q))
		return;
	devices = wanted_devices(q);
	if (devices != NULL && q->e->decision->rejected_by == NULL) {
		describe(q, "%s has free devices for %s",
		    q->nchosen == q->n ?
			"No node" :
			arena_printf(q->arena, "None of %u nodes that would do",
			    q->nchosen),
		    devices);
		return;
	}
	for (uint32_t i = 0; i < q->n; i++)
		if (is_chosen(q, i)) {
			reasons =
			    explanation_reasons(q->e, inquiry_node(q, i), &n);
			if (n > 0)
				q->d->text = reasons[0];
			if (n > 0 && strcmp(reasons[0], WHY_MAX_VOLUMES) == 0)
				describe_full(q, inquiry_node(q, i));
			return;
		}
}
