/* The remedies of several sentences, put together and tried by deciding again. */
#include "config.h"

#include "framework/cycle.h"
#include "model/node.h"
#include "explain/diagnosis_internal.h"

void
joint_begin(struct inquiry *q)
{
	q->joint = (struct joint){
		.class = class_without(q->arena, q->cycle->class, 0),
	};
}

void
joint_name(struct inquiry *q, const struct node_info *node)
{
	for (unsigned i = 0; i < q->joint.nnamed; i++)
		if (q->joint.named[i] == node)
			return;
	if (q->joint.nnamed < DEMANDS)
		q->joint.named[q->joint.nnamed++] = node;
}

void
joint_class(struct inquiry *q, const struct pod_class *class)
{
	class_take(q->joint.class, class, 1u << q->saying);
	q->joint.changed |= 1u << q->saying;
}

static void
put_at(struct inquiry *q, const struct node_info *node)
{
	joint_name(q, node);
	q->joint.apart |= q->joint.place != NULL && q->joint.place != node;
	q->joint.place = node;
	q->joint.changed |= 1u << q->saying;
}

void
joint_move(struct inquiry *q, const struct node_info *from, size_t n,
    const struct pod *const *pods)
{
	struct joint *joint = &q->joint;

	put_at(q, from);
	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		while (at < joint->nmoved && joint->moved[at] != pods[i])
			at++;
		if (at < joint->nmoved)
			continue;
		arena_room(q->arena, joint->moved, joint->nmoved,
		    &joint->moved_cap);
		joint->moved[joint->nmoved++] = pods[i];
	}
}

static struct node *
node_to_change(struct inquiry *q, const struct node_info *node)
{
	put_at(q, node);
	if (q->joint.node == NULL)
		q->joint.node =
		    arena_memdup(q->arena, node->node, sizeof(*node->node));
	return q->joint.node;
}

void
joint_label(struct inquiry *q, const struct node_info *node, sym key, sym value)
{
	struct labels *labels = &node_to_change(q, node)->labels;
	struct label *all = arena_array(q->arena, struct label, labels->n + 1);
	uint32_t n = 0, i = 0;

	/* They are in the order of their keys. */
	while (i < labels->n && labels->at[i].key < key)
		all[n++] = labels->at[i++];
	all[n++] = (struct label){ .key = key, .value = value };
	for (; i < labels->n; i++)
		if (labels->at[i].key != key)
			all[n++] = labels->at[i];
	*labels = (struct labels){ .n = n, .at = all };
}

void
joint_uncordon(struct inquiry *q, const struct node_info *node)
{
	struct node *changed = node_to_change(q, node);
	struct taint *all =
	    arena_array(q->arena, struct taint, changed->ntaints + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < changed->ntaints; i++)
		if (strcmp(sym_text(changed->taints[i].key),
			"node.kubernetes.io/unschedulable") != 0)
			all[n++] = changed->taints[i];
	changed->unschedulable = false;
	changed->taints = all;
	changed->ntaints = n;
}

bool
joint_fits(const struct inquiry *q, unsigned demands)
{
	const struct joint *joint = &q->joint;

	if (joint->changed != demands || joint->apart)
		return false;
	if (joint->place == NULL)
		return fits_with(q, joint->class) > 0;
	return fits_changed(q, joint->class, joint->place,
	    joint->node != NULL ? joint->node : joint->place->node,
	    joint->nmoved, joint->moved);
}
