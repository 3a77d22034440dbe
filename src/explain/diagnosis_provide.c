/* Volumes that claims lack: put in, with all that the claim asks, and tried. */
#include "config.h"

#include "base/doc.h"
#include "base/json_out.h"
#include "cluster/cluster.h"
#include "explain/diagnosis_internal.h"
#include "objects/limits.h"
#include "base/quantity.h"
#include "objects/storage.h"

/* "data-volume", or a longer name if there is such a volume. */
static const char *
new_name(const struct inquiry *q, const struct persistent_volume_claim *claim)
{
	const char *name =
	    arena_printf(q->arena, "%s-volume", claim->object.name);

	while (cluster_volume(q->cycle->cluster, sym_intern(name)) != NULL)
		name = arena_printf(q->arena, "%s-new", name);
	return name;
}

static void
put_volume(struct json_out *json, const char *name, bool bound,
    const struct persistent_volume_claim *claim)
{
	char storage[QUANTITY_TEXT];

	json_open(json, '{');
	json_members(json, "apiVersion:s kind:s", "v1", "PersistentVolume");
	json_open_member(json, "metadata", '{');
	json_pair(json, "name", name);
	json_open_member(json, "labels", '{');
	for (uint32_t i = 0; i < claim->selector.n; i++) {
		const struct requirement *r = &claim->selector.at[i];

		if (r->op == SELECTOR_IN || r->op == SELECTOR_EXISTS)
			json_pair(json, sym_text(r->key),
			    r->nvalues > 0 ? sym_text(r->values[0]) : "");
	}
	json_close(json, '}');
	json_close(json, '}');
	json_open_member(json, "spec", '{');
	json_key(json, "capacity");
	json_object(json, "storage:s",
	    quantity_write_bytes(storage, claim->request));
	JSON_ARRAY (json, "accessModes", i, claim->naccess_modes)
		json_string(json, sym_text(claim->access_modes[i]));
	json_members(json, "storageClassName:s volumeMode:s",
	    sym_text(claim->class), sym_text(claim->volume_mode));
	if (bound) {
		json_key(json, "claimRef");
		json_object(json, "namespace:s name:s uid:s",
		    sym_text(claim->object.namespace), claim->object.name,
		    claim->object.uid);
	}
	json_close(json, '}');
	json_key(json, "status");
	json_object(json, "phase:s", bound ? "Bound" : "Available");
	json_close(json, '}');
}

/* The objects of one claim; its texts are in the arena. */
struct provided {
	struct object *volume;  /* owned */
	struct object *unbound; /* the claim, owned; NULL: it stays as it is */
	const char *name, *json;
};

static void
provide(const struct inquiry *q, const struct persistent_volume_claim *claim,
    struct provided *p)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);
	const struct storage_class *class =
	    cluster_storage_class(q->cycle->cluster, claim->class);
	/* Only when a pod comes; otherwise volume and claim are bound before. */
	const bool late = class != NULL && class->waits_for_consumer;
	struct err err;
	struct doc *doc;

	*p = (struct provided){ .name = new_name(q, claim) };
	put_volume(&json, p->name, !late, claim);
	p->json = text_keep(&text, q->arena);
	/* The volume as it is in the JSON. */
	doc = doc_parse("", p->json, strlen(p->json), &doc_limits_people, &err);
	if (doc != NULL)
		p->volume = object_decode_as(&decode_defaults,
		    OBJECT_PERSISTENT_VOLUME, doc_root(doc), &err);
	doc_free(doc);
	if (p->volume != NULL)
		cluster_put(q->e->own, p->volume);
	if (!late) {
		struct persistent_volume_claim *bound =
		    object_copy(&claim->object, sizeof(*claim));

		p->unbound = object_ref((struct object *)&claim->object);
		bound->volume_name = sym_in(&bound->object.arena, p->name);
		bound->bind_completed = true;
		cluster_put(q->e->own, &bound->object);
		object_unref(&bound->object);
	}
}

void
provide_all(const struct inquiry *q, size_t n,
    const struct persistent_volume_claim *const *claims,
    struct provided **provided)
{
	*provided = arena_array(q->arena, struct provided, n);
	for (size_t i = 0; i < n; i++)
		provide(q, claims[i], &(*provided)[i]);
}

void
take_back_all(const struct inquiry *q, size_t n, struct provided *provided)
{
	for (size_t i = n; i-- > 0;) {
		struct provided *p = &provided[i];

		if (p->unbound != NULL) {
			cluster_put(q->e->own, p->unbound);
			object_unref(p->unbound);
		}
		if (p->volume != NULL) {
			cluster_remove(q->e->own, p->volume);
			object_unref(p->volume);
		}
	}
}

void
provided_changes(struct json_out *json, size_t n,
    const struct persistent_volume_claim *const *claims,
    const struct provided *provided)
{
	for (size_t i = 0; i < n; i++) {
		json_open(json, '{');
		json_pair(json, "op", "add");
		json_key(json, "object");
		json_raw(json, provided[i].json);
		json_close(json, '}');
		if (provided[i].unbound == NULL)
			continue;
		change_merge(json, "PersistentVolumeClaim",
		    sym_text(claims[i]->object.namespace),
		    claims[i]->object.name);
		json_open(json, '{');
		json_open_member(json, "metadata", '{');
		json_open_member(json, "annotations", '{');
		json_pair(json, "pv.kubernetes.io/bind-completed", "yes");
		json_close(json, '}');
		json_close(json, '}');
		json_key(json, "spec");
		json_object(json, "volumeName:s", provided[i].name);
		json_close(json, '}');
		json_close(json, '}');
	}
}
