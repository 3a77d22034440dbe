/* For every rule, whether it can change an answer on this cluster: not if no
 * node or pod has the objects or fields that it reads.  Rules that are not
 * listed here look at something that every pod or node has. */
#include "config.h"

#include "base/xmalloc.h"
#include "ctl/lint_internal.h"
#include "model/node.h"
#include "predicates/registry.h"

static bool
any_node(const struct lint *lint, bool (*has)(const struct node *node))
{
	for (size_t i = 0; i < lint->nnodes; i++)
		if (has(lint->nodes[i]))
			return true;
	return false;
}

static bool
any_pod(const struct lint *lint, bool (*has)(const struct pod_class *class))
{
	for (size_t i = 0; i < lint->ngroups; i++)
		if (has(lint->groups[i].class))
			return true;
	return false;
}

static bool
has_hard_taint(const struct node *node)
{
	for (uint32_t i = 0; i < node->ntaints; i++)
		if (node->taints[i].effect != EFFECT_PREFER_NO_SCHEDULE)
			return true;
	return false;
}

static bool
is_unschedulable(const struct node *node)
{
	return node->unschedulable;
}

static bool
has_pod_terms(const struct pod_class *class)
{
	return class->affinity.nrequired > 0 ||
	    class->anti_affinity.nrequired > 0;
}

static bool
has_ports(const struct pod_class *class)
{
	return class->nports > 0;
}

static bool
has_node_selector(const struct pod_class *class)
{
	return class->node_selector.n > 0 || class->has_required_node_affinity;
}

static bool
has_hard_spread(const struct pod_class *class)
{
	for (uint32_t i = 0; i < class->nspread; i++)
		if (class->spread[i].hard)
			return true;
	return false;
}

static bool
has_volume(const struct pod_class *class, bool (*is)(enum volume_kind kind))
{
	for (uint32_t i = 0; i < class->nvolumes; i++)
		if (is(class->volumes[i].kind))
			return true;
	return false;
}

static bool
is_any_claim(enum volume_kind kind)
{
	return kind == VOLUME_CLAIM || kind == VOLUME_EPHEMERAL;
}

static bool
has_disk(const struct pod_class *class)
{
	return has_volume(class, volume_is_disk);
}

static bool
has_claim(const struct pod_class *class)
{
	return has_volume(class, is_any_claim);
}

static bool
has_attachable(const struct pod_class *class)
{
	return has_volume(class, volume_is_attachable);
}

/* One of the two functions of a row is NULL. */
static const struct {
	const struct predicate *unit;
	bool (*of_node)(const struct node *node);
	bool (*of_pod)(const struct pod_class *class);
	const char *without;
} looks[] = {
	{ &predicate_pod_tolerates_node_taints, has_hard_taint, NULL,
	    "no node has a taint that keeps pods away" },
	{ &predicate_check_node_unschedulable, is_unschedulable, NULL,
	    "no node is unschedulable" },
	{ &predicate_match_inter_pod_affinity, NULL, has_pod_terms,
	    "no pod requires affinity or anti-affinity" },
	{ &predicate_pod_fits_host_ports, NULL, has_ports,
	    "no pod has a host port" },
	{ &predicate_match_node_selector, NULL, has_node_selector,
	    "no pod has a node selector or requires node affinity" },
	{ &predicate_even_pods_spread, NULL, has_hard_spread,
	    "no pod has a spread constraint that keeps it from nodes" },
	{ &predicate_no_disk_conflict, NULL, has_disk,
	    "no pod names a disk of these kinds" },
	{ &predicate_check_volume_binding, NULL, has_claim,
	    "no pod has a claim" },
	{ &predicate_no_volume_zone_conflict, NULL, has_claim,
	    "no pod has a claim" },
	{ &predicate_max_ebs_volume_count, NULL, has_attachable,
	    "no pod has a volume to attach" },
	{ &predicate_max_gce_pd_volume_count, NULL, has_attachable,
	    "no pod has a volume to attach" },
	{ &predicate_max_azure_disk_volume_count, NULL, has_attachable,
	    "no pod has a volume to attach" },
	{ &predicate_max_cinder_volume_count, NULL, has_attachable,
	    "no pod has a volume to attach" },
	{ &predicate_max_csi_volume_count, NULL, has_claim,
	    "no pod has a claim" },
};

/* NULL: it can matter. */
static const char *
why_inert(const struct lint *lint, const struct predicate *unit)
{
	for (size_t i = 0; i < LENGTH(looks); i++) {
		if (looks[i].unit != unit)
			continue;
		if (looks[i].of_node != NULL)
			return any_node(lint, looks[i].of_node) ?
			    NULL :
			    looks[i].without;
		return lint->npods == 0 || any_pod(lint, looks[i].of_pod) ?
		    NULL :
		    looks[i].without;
	}
	return NULL;
}

static void
note(struct lint *lint, const char *what, const char *name, unsigned line,
    unsigned column, const char *why)
{
	if (why != NULL)
		lint_warn(lint, line, column,
		    "%s \"%s\" cannot matter here: %s", what, name, why);
	else
		lint_warn(lint, line, column, "%s \"%s\" can matter here", what,
		    name);
}

void
lint_all_rules(struct lint *lint)
{
	const struct profile *profile = lint->profile;

	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		if (!p->later)
			note(lint, "predicate", p->name, p->line, p->column,
			    why_inert(lint, p->unit));
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		note(lint, "priority", p->name, p->line, p->column,
		    lint->nnodes < 2 ? "there is only one node" :
				       lint_why_constant(lint, p));
	}
}
