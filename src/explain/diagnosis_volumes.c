/* Claims and volumes. */
#include "config.h"

#include "model/quantity.h"
#include "explain/diagnosis_internal.h"

static void
say_missing(struct inquiry *q, sym name)
{
	const char *claim = arena_printf(q->arena, "claim %s/%s",
	    sym_text(q->cycle->class->namespace), sym_text(name));

	describe(q, "C%s does not exist", claim + 1);
	advise(q, "provide", claim, "", "create it");
}

/* " of class fast", or nothing. */
static const char *
of_class(const struct inquiry *q, const struct persistent_volume_claim *claim)
{
	if (!claim->has_class || claim->class == SYM_EMPTY)
		return "";
	return arena_printf(q->arena, " of class %s", sym_text(claim->class));
}

static void
say_unbound(struct inquiry *q, const struct persistent_volume_claim *claim)
{
	const char *namespace = sym_text(claim->object.namespace);
	const char *of = of_class(q, claim);
	const struct storage_class *class = claim->has_class ?
	    cluster_storage_class(q->cycle->cluster, claim->class) :
	    NULL;
	const char *volume = arena_printf(q->arena, "volume%s", of), *size;
	char buf[QUANTITY_TEXT];

	describe(q, "Claim %s/%s is unbound: no volume%s is free%s", namespace,
	    claim->object.name, of,
	    class == NULL && of[0] != '\0' ?
		", and there is no such StorageClass" :
		"");
	size = arena_printf(q->arena, "%s",
	    quantity_write_about(buf, claim->request, false));
	advise(q, "provide", volume, size, "provide a %s%s%s", volume,
	    claim->has_request ? " of " : "", claim->has_request ? size : "");
}

static bool
is_zone_key(const char *key)
{
	const char *slash = strchr(key, '/');

	return strcmp(slash != NULL ? slash + 1 : key, "zone") == 0;
}

/* Where the volume is: the first label that its node affinity or its own labels
 * ask of nodes, zones before others; NULL: anywhere. */
static const char *
whereabouts(const struct inquiry *q, const struct persistent_volume *volume)
{
	const char *other = NULL;

	for (uint32_t i = 0; i < volume->labels.n; i++)
		if (is_zone_key(sym_text(volume->labels.at[i].key)))
			return arena_printf(q->arena, "zone %s",
			    sym_text(volume->labels.at[i].value));
	if (!volume->has_node_affinity || volume->node_affinity.n == 0)
		return NULL;
	for (uint32_t i = 0; i < volume->node_affinity.at[0].labels.n; i++) {
		const struct requirement *r =
		    &volume->node_affinity.at[0].labels.at[i];
		const char *key = sym_text(r->key);

		if (r->nvalues == 0)
			continue;
		if (is_zone_key(key))
			return arena_printf(q->arena, "zone %s",
			    sym_text(r->values[0]));
		other = arena_printf(q->arena, "%s=%s", key,
		    sym_text(r->values[0]));
	}
	return other;
}

/* Nodes where the volume may be used. */
static uint32_t
count_near(const struct inquiry *q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->n; i++)
		n += (q->obstacles[i] & (BIT(VOLUMES) | BIT(OTHER))) == 0;
	return n;
}

static bool
say_elsewhere(struct inquiry *q, const struct persistent_volume_claim *claim)
{
	const struct persistent_volume *volume =
	    cluster_volume(q->cycle->cluster, claim->volume_name);
	const char *namespace = sym_text(claim->object.namespace), *where;
	uint32_t near = count_near(q);

	if (volume == NULL) {
		describe(q, "Volume %s of claim %s/%s does not exist",
		    sym_text(claim->volume_name), namespace,
		    claim->object.name);
		advise(q, "provide", sym_text(claim->volume_name), "",
		    "restore it, or replace the claim");
		return true;
	}
	where = whereabouts(q, volume);
	if (where == NULL)
		return false;
	describe(q, "Volume %s of claim %s/%s is in %s, where %s",
	    volume->object.name, namespace, claim->object.name, where,
	    near == 0 ? "no node is" : "no node has room");
	advise(q, "provide", where, "",
	    near == 0 ? "add a node in %s" : "make room in %s", where);
	return true;
}

/* The reason why the claim cannot be used, if there is one. */
static bool
say_claim(struct inquiry *q, sym name)
{
	const struct persistent_volume_claim *claim =
	    cluster_claim(q->cycle->cluster, q->cycle->class->namespace, name);

	if (claim == NULL) {
		say_missing(q, name);
		return true;
	}
	if (claim->object.deleting) {
		describe(q, "Claim %s/%s is being deleted",
		    sym_text(claim->object.namespace), claim->object.name);
		q->d->remedy = "wait until it is gone and create it again";
		return true;
	}
	if (claim->volume_name == SYM_EMPTY) {
		say_unbound(q, claim);
		return true;
	}
	return say_elsewhere(q, claim);
}

static uint32_t
count_other(const struct inquiry *q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->n; i++)
		n += q->obstacles[i] == BIT(OTHER);
	return n;
}

/* Whether this volume alone keeps a pod without other demands from a node. */
static bool
is_obstacle(const struct inquiry *q, uint32_t i)
{
	struct pod_class *c = class_without(q->arena, q->cycle->class,
	    EVERY_DEMAND & ~BIT(VOLUMES));

	c->volumes = &q->cycle->class->volumes[i];
	c->nvolumes = 1;
	c->nresource_claims = 0;
	return fits_with(q, c) + count_other(q) < q->n;
}

void
say_volumes(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const char **reasons;
	size_t n = 0;

	q->d->cause = "volume";
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (class->volumes[i].kind == VOLUME_CLAIM &&
		    is_obstacle(q, i) && say_claim(q, class->volumes[i].id))
			return;
	q->d->text = q->e->message;
	if (q->e->decision->error != NULL)
		return;
	for (uint32_t i = 0; i < q->n; i++)
		if (is_chosen(q, i)) {
			reasons =
			    explanation_reasons(q->e, inquiry_node(q, i), &n);
			if (n > 0)
				q->d->text = reasons[0];
			return;
		}
}
