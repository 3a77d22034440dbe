#include "config.h"

#include "queue/hints.h"

#include "model/node.h"
#include "model/pod.h"
#include "model/storage.h"
#include "queue/term_watch.h"

/* Lists of pods are compared item by item up to so many comparisons. */
#define COMPARED_MAX 4096

/* ---- a node, which was there before unless `was` is NULL ---- */

static bool
allows(const struct pod_class *class, const struct node *node)
{
	return labels_contains(&node->labels, &class->node_selector) &&
	    (!class->has_required_node_affinity ||
		node_selector_matches(&class->required_node_affinity,
		    &node->labels, node->name));
}

/* Its taints that keep pods out; comparisons: of toleration_tolerates(). */
static bool
tolerates(const struct pod_class *class, const struct node *node,
    bool comparisons)
{
	for (uint32_t i = 0; i < node->ntaints; i++) {
		const struct taint *t = &node->taints[i];
		bool tolerated = t->effect != EFFECT_NO_SCHEDULE &&
		    t->effect != EFFECT_NO_EXECUTE;

		for (uint32_t j = 0; j < class->ntolerations && !tolerated; j++)
			tolerated = toleration_tolerates(&class->tolerations[j],
			    comparisons, t->key, t->value, t->effect,
			    t->effect_text);
		if (!tolerated)
			return false;
	}
	return true;
}

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
room_helps(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	const struct resources *wanted = class->from_32.pending;

	return (fits_in(wanted, &is->allocatable) ||
		   fits_in(&class->requested, &is->allocatable)) &&
	    (was == NULL || is->allocatable.pods > was->allocatable.pods ||
		resources_shrink(&is->allocatable, &was->allocatable, wanted));
}

static bool
moves(sym key, const struct node *was, const struct node *is)
{
	return labels_get(&was->labels, key) != labels_get(&is->labels, key);
}

/* Whether it has all topology keys of the pod's hard constraints. */
static bool
is_spread_over(const struct pod_class *class, const struct node *node)
{
	for (uint32_t i = 0; node != NULL && i < class->nspread; i++)
		if (class->spread[i].hard &&
		    labels_get(&node->labels, class->spread[i].topology_key) ==
			SYM_NONE)
			return false;
	return node != NULL;
}

/* One without own constraints was refused by default ones, of the plugin. */
static bool
domains_help(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	bool spreads = false, moved = false;

	for (uint32_t i = 0; i < class->nspread; i++) {
		spreads |= class->spread[i].hard;
		moved |= was != NULL && is != NULL && class->spread[i].hard &&
		    moves(class->spread[i].topology_key, was, is);
	}
	if (!spreads || is_spread_over(class, was) != is_spread_over(class, is))
		return true;
	return was != NULL && is_spread_over(class, is) &&
	    (moved || !node_taints_equal(was, is) ||
		allows(class, was) != allows(class, is));
}

static bool
neighbours_help(const struct pod_class *class, const struct node *was,
    const struct node *is)
{
	const struct pod_terms *near = &class->affinity;
	const struct pod_terms *far = &class->anti_affinity;

	for (uint32_t i = 0; i < near->nrequired; i++) {
		sym key = near->required[i].topology_key;

		if (labels_get(&is->labels, key) != SYM_NONE &&
		    (was == NULL || moves(key, was, is)))
			return true;
	}
	for (uint32_t i = 0; i < far->nrequired; i++) {
		sym key = far->required[i].topology_key;

		if (was == NULL ||
		    (labels_get(&was->labels, key) != SYM_NONE &&
			moves(key, was, is)))
			return true;
	}
	return false;
}

static bool
node_helps(enum refuser refuser, const struct pod_class *class,
    const struct node *was, const struct node *is)
{
	if (is == NULL)
		return refuser == REFUSER_POD_TOPOLOGY_SPREAD &&
		    domains_help(class, was, NULL);
	switch (refuser) {
	case REFUSER_NODE_NAME:
	case REFUSER_NODE_PORTS:
	case REFUSER_VOLUME_RESTRICTIONS:
		return was == NULL;
	case REFUSER_NODE_AFFINITY:
		return class->confines != NULL ||
		    (allows(class, is) && (was == NULL || !allows(class, was)));
	case REFUSER_NODE_RESOURCES_FIT:
		return room_helps(class, was, is);
	case REFUSER_NODE_UNSCHEDULABLE:
		return !is->unschedulable &&
		    (was == NULL || was->unschedulable);
	case REFUSER_TAINT_TOLERATION:
		return class->confines != NULL ||
		    (tolerates(class, is, true) &&
			(was == NULL || !tolerates(class, was, false)));
	case REFUSER_POD_TOPOLOGY_SPREAD:
		return domains_help(class, was, is);
	case REFUSER_INTER_POD_AFFINITY:
		return neighbours_help(class, was, is);
	case REFUSER_EXISTING_ANTI_AFFINITY:
		return was == NULL || !labels_equal(&was->labels, &is->labels);
	default:
		return true;
	}
}

/* ---- a pod that leaves its node ---- */

static bool
any_matches(const struct pod_terms *terms, const struct pod_class *class)
{
	for (uint32_t i = 0; i < terms->nrequired; i++)
		if (pod_term_may_match(&terms->required[i], class))
			return true;
	return false;
}

static bool
counted(const struct pod_class *class, const struct pod_class *left)
{
	bool spreads = false;

	for (uint32_t i = 0; i < class->nspread; i++) {
		const struct spread_constraint *c = &class->spread[i];

		spreads |= c->hard;
		if (c->hard && class->namespace == left->namespace &&
		    selector_matches(&c->selector, &left->labels))
			return true;
	}
	return !spreads;
}

static bool
shares_port(const struct pod_class *class, const struct pod_class *left)
{
	if ((uint64_t) class->nports * left->nports > COMPARED_MAX)
		return true;
	for (uint32_t i = 0; i < class->nports; i++)
		for (uint32_t j = 0; j < left->nports; j++)
			if (class->ports[i].port == left->ports[j].port)
				return true;
	return false;
}

/* A claim, or a disk; the latter of any namespace. */
static bool
shares_volume(const struct pod_class *class, const struct pod_class *left)
{
	if ((uint64_t) class->nvolumes * left->nvolumes > COMPARED_MAX)
		return true;
	for (uint32_t i = 0; i < class->nvolumes; i++)
		for (uint32_t j = 0; j < left->nvolumes; j++)
			if (class->volumes[i].id == left->volumes[j].id)
				return true;
	return false;
}

static bool
pod_left_helps(enum refuser refuser, const struct pod_class *class,
    const struct pod_class *left)
{
	switch (refuser) {
	case REFUSER_NODE_NAME:
	case REFUSER_NODE_AFFINITY:
	case REFUSER_NODE_UNSCHEDULABLE:
	case REFUSER_TAINT_TOLERATION:
	case REFUSER_VOLUME_ZONE:
		return false;
	case REFUSER_NODE_PORTS:
		return shares_port(class, left);
	case REFUSER_VOLUME_RESTRICTIONS:
		return shares_volume(class, left);
	case REFUSER_NODE_VOLUME_LIMITS:
	case REFUSER_VOLUME_BINDING:
		return left->nvolumes > 0;
	case REFUSER_POD_TOPOLOGY_SPREAD:
		return counted(class, left);
	case REFUSER_INTER_POD_AFFINITY: /* it may be the first near itself */
		return any_matches(&class->anti_affinity, left) ||
		    any_matches(&class->affinity, left);
	case REFUSER_EXISTING_ANTI_AFFINITY:
		return any_matches(&left->anti_affinity, class);
	default:
		return true;
	}
}

/* ---- other objects ---- */

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

/* Rules about nodes and pods alone read no other objects.  Services move all pods,
 * as in 1.15: 1.36 has no rule left that reads them. */
static bool
other_helps(enum refuser refuser, const struct object *before,
    const struct object *after)
{
	enum object_kind kind = (after != NULL ? after : before)->kind;

	if (kind == OBJECT_SERVICE)
		return true;
	if (kind == OBJECT_RESOURCE_SLICE || kind == OBJECT_DEVICE_CLASS ||
	    kind == OBJECT_DEVICE_TAINT_RULE)
		return refuser == REFUSER_DYNAMIC_RESOURCES ||
		    (refuser == REFUSER_NODE_RESOURCES_FIT &&
			kind == OBJECT_DEVICE_CLASS);
	switch (refuser) {
	case REFUSER_NODE_NAME:
	case REFUSER_NODE_PORTS:
	case REFUSER_NODE_AFFINITY:
	case REFUSER_NODE_RESOURCES_FIT:
	case REFUSER_NODE_UNSCHEDULABLE:
	case REFUSER_TAINT_TOLERATION:
	case REFUSER_POD_TOPOLOGY_SPREAD:
		return false;
	case REFUSER_INTER_POD_AFFINITY:
	case REFUSER_EXISTING_ANTI_AFFINITY:
		return kind == OBJECT_NAMESPACE;
	case REFUSER_VOLUME_ZONE:
		return kind != OBJECT_PERSISTENT_VOLUME ||
		    volume_helps((const struct persistent_volume *)before,
			(const struct persistent_volume *)after);
	default:
		return true;
	}
}

static bool
helps(enum refuser refuser, const struct pod_class *class,
    const struct object *before, const struct object *after)
{
	const void *was = before, *is = after;

	switch ((after != NULL ? after : before)->kind) {
	case OBJECT_NODE:
		return node_helps(refuser, class, was, is);
	case OBJECT_POD: /* scaled down, or gone */
		return after != NULL ? refuser == REFUSER_NODE_RESOURCES_FIT ||
			refuser == REFUSER_OTHER :
				       pod_left_helps(refuser, class,
					   ((const struct pod *)was)->class);
	default:
		return other_helps(refuser, before, after);
	}
}

/* What a rule that refuses a pod reads of it; ASPECT_ALL: not known. */
static unsigned
aspects_of(enum refuser refuser)
{
	switch (refuser) {
	case REFUSER_NODE_PORTS:
		return ASPECT_PORTS;
	case REFUSER_NODE_AFFINITY:
		return ASPECT_NODE_AFFINITY | ASPECT_CONFINES;
	case REFUSER_NODE_RESOURCES_FIT:
		return ASPECT_REQUESTS;
	case REFUSER_NODE_UNSCHEDULABLE:
		return ASPECT_TOLERATIONS;
	case REFUSER_TAINT_TOLERATION:
		return ASPECT_TOLERATIONS | ASPECT_CONFINES;
	default:
		return ASPECT_ALL;
	}
}

bool
hints_of_itself(uint32_t refusers, const struct pod_class *was,
    const struct pod_class *is)
{
	unsigned aspects = refusers == 0 ? ASPECT_ALL : 0;
	AUTOFREE void *before = NULL;
	const void *bytes;
	size_t size, len;

	for (enum refuser i = 0; i < REFUSERS; i++)
		if (refusers & REFUSER_BIT(i))
			aspects |= aspects_of(i);
	bytes = pod_class_aspects(was, aspects, &size);
	before = xmalloc(size);
	memcpy(before, bytes, size);
	bytes = pod_class_aspects(is, aspects, &len);
	return len != size || memcmp(before, bytes, len) != 0;
}

uint32_t
hints_of(uint32_t refusers, const struct pod_class *class,
    const struct object *before, const struct object *after)
{
	uint32_t hints = 0;

	if (refusers &
	    REFUSER_BIT(REFUSER_OTHER)) /* any of them, or anything */
		return refusers;
	for (enum refuser i = 0; i < REFUSERS; i++)
		if (refusers & REFUSER_BIT(i) && helps(i, class, before, after))
			hints |= REFUSER_BIT(i);
	return hints;
}
