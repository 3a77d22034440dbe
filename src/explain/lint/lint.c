#include "config.h"

#include "explain/lint/lint.h"

#include "base/map.h"
#include "base/sorted.h"
#include "explain/judge.h"
#include "explain/lint/lint_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* ---- shared by the lints ---- */

void
lint_warn(struct lint *lint, const struct lint_rule *rule, const char *fmt, ...)
{
	static const struct lint_rule whole;
	const struct lint_rule *at = rule != NULL ? rule : &whole;
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	/* Of another profile already. */
	if (!HAS_PLUGINS(lint) ||
	    !problems_have(lint->problems, at->line, at->column, text))
		problem_add(lint->problems, SEVERITY_WARNING,
		    lint->profile->file, at->line, at->column, "%s%.3000s",
		    at->line == 0 ? lint->prefix : "", text);
}

void
node_set_add(struct node_set *set, const struct node *node)
{
	if (set->n < LENGTH(set->first))
		set->first[set->n] = node;
	set->n++;
}

const char *
node_set_text(struct lint *lint, const struct node_set *set)
{
	const char *names = "";

	for (size_t i = 0; i < set->n && i < LENGTH(set->first); i++)
		names = arena_append(&lint->arena, names, ", ",
		    sym_text(set->first[i]->name));
	return arena_printf(&lint->arena, "%zu of %zu nodes (%s%s)", set->n,
	    lint->nnodes, names, set->n > LENGTH(set->first) ? ", ..." : "");
}

size_t
lint_nodes_without(const struct lint *lint, sym label, struct node_set *set)
{
	*set = (struct node_set){ 0 };
	for (size_t i = 0; i < lint->nnodes; i++)
		if (labels_get(&lint->nodes[i]->labels, label) == SYM_NONE)
			node_set_add(set, lint->nodes[i]);
	return set->n;
}

const struct lint_rule *
lint_find(const struct lint *lint, const void *unit)
{
	return FIND(i, lint->rules, lint->nrules, lint->rules[i].unit == unit);
}

enum needs
lint_needs(const struct lint_rule *rule)
{
	const struct predicate *predicate = rule->unit;
	const struct priority *priority = rule->unit;

	if (!rule->is_priority)
		return predicate->needs_by != NULL ?
		    predicate->needs_by(rule->args) :
		    predicate->needs;
	return priority->needs_by != NULL ? priority->needs_by(rule->args) :
					    priority->needs;
}

static bool
some_selects(const struct lint *lint, enum namespace_list from,
    enum namespace_list to)
{
	const struct map *map = &lint->cluster->namespaces;

	for (size_t i = 0; i < map->nslots; i++) {
		const struct namespace_info *ns = map->slots[i].value;

		for (unsigned list = from; ns != NULL && list <= to; list++)
			if (ANY(j, ns->lists[list].n,
				workload_at(ns, list, j)->has_selector &&
				    lint_selects_a_pod(lint,
					workload_at(ns, list, j))))
				return true;
	}
	return false;
}

static bool
has(const struct lint *lint, enum needs needs)
{
	switch (needs) {
	case NEEDS_CAPACITY_SCORING:
		return lint->profile->gates.storage_capacity_scoring;
	case NEEDS_POD_OF_SERVICE:
		return some_selects(lint, SELECTING_SERVICES,
		    SELECTING_SERVICES);
	case NEEDS_POD_OF_WORKLOAD:
		return some_selects(lint, SELECTING_SERVICES,
			   SELECTING_SERVICES) ||
		    some_selects(lint, SELECTING_CONTROLLERS,
			SELECTING_STATEFUL_SETS);
	case NEEDS_POD_SOFT_SPREAD_OR_WORKLOAD:
		return has(lint, NEEDS_POD_SOFT_SPREAD) ||
		    has(lint, NEEDS_POD_OF_WORKLOAD);
	default:
		return lint->has[needs];
	}
}

const char *
lint_lack(const struct lint *lint, enum needs needs)
{
	static const char *const sentences[NEEDS] = {
		[NEEDS_THE_IMPOSSIBLE] = "this is so on every cluster",
		[NEEDS_DEVICE_SCORES] =
		    "devices are not allocated here, so all nodes score 0",
		[NEEDS_CAPACITY_SCORING] =
		    "it scores only with the feature gate "
		    "StorageCapacityScoring",
		[NEEDS_ARGUMENT_LABELS] = "its arguments name no labels",
		[NEEDS_ARGUMENT_SLOPE] =
		    "its shape has the same score everywhere",
		[NEEDS_NODE_HARD_TAINT] =
		    "no node has a taint that keeps pods away",
		[NEEDS_NODE_SOFT_TAINT] =
		    "no node has a taint with the effect PreferNoSchedule",
		[NEEDS_NODE_UNSCHEDULABLE] = "no node is unschedulable",
		[NEEDS_NODE_IMAGES] =
		    "no node reports its images (status.images)",
		[NEEDS_NODE_AVOIDED] =
		    "no node has the annotation "
		    "scheduler.alpha.kubernetes.io/preferAvoidPods",
		[NEEDS_POD_REQUIRED_TERMS] =
		    "no pod requires affinity or anti-affinity",
		[NEEDS_POD_TERMS] =
		    "no pod has pod affinity or preferred pod anti-affinity",
		[NEEDS_POD_PORTS] = "no pod has a host port",
		[NEEDS_POD_NODE_SELECTOR] =
		    "no pod has a node selector or requires node affinity",
		[NEEDS_POD_PREFERRED_NODES] =
		    "no pod has preferred node affinity",
		[NEEDS_POD_HARD_SPREAD] =
		    "no pod has a spread constraint that keeps it from nodes",
		[NEEDS_POD_SOFT_SPREAD] =
		    "no pod has a topology spread constraint with "
		    "ScheduleAnyway",
		[NEEDS_POD_DISK] = "no pod names a disk of these kinds",
		[NEEDS_POD_CLAIM] = "no pod has a claim",
		[NEEDS_POD_ATTACHABLE] = "no pod has a volume to attach",
		[NEEDS_POD_CLAIM_OR_ATTACHABLE] = "no pod has a claim",
		[NEEDS_POD_DEVICE_CLAIM] = "no pod has a device claim",
		[NEEDS_POD_FEATURES] = "no pod requires a feature of nodes",
		[NEEDS_POD_GATES] = "no pod has scheduling gates",
		[NEEDS_POD_LIMITS] = "no pod has a limit of cpu or memory",
		[NEEDS_POD_PRIORITIES] = "all pods have the same priority",
		[NEEDS_POD_OF_SERVICE] =
		    "no Service of the cluster given selects a pod",
		[NEEDS_POD_OF_WORKLOAD] =
		    "no Service, ReplicationController, ReplicaSet or "
		    "StatefulSet of the cluster given selects a pod",
		[NEEDS_POD_SOFT_SPREAD_OR_WORKLOAD] =
		    "no pod has a topology spread constraint with "
		    "ScheduleAnyway, and no Service or controller of the "
		    "cluster given selects a pod, which default constraints "
		    "need",
	};
	bool unknown = needs >= NEEDS_POD_REQUIRED_TERMS && lint->npods == 0;

	return unknown || has(lint, needs) ? NULL : sentences[needs];
}

bool
lint_selects_a_pod(const struct lint *lint, const struct workload *workload)
{
	return ANY(i, lint->ngroups,
	    lint->groups[i].class->namespace == workload->object.namespace &&
		selector_matches(&workload->selector,
		    &lint->groups[i].class->labels));
}

/* ---- the hint about a label ---- */

struct label_key {
	sym key;
	size_t nnodes;
};

/* On most nodes first; then the last by name, which puts topology.kubernetes.io
 * before the older failure-domain.beta.kubernetes.io. */
static int
compare_keys(const void *a, const void *b)
{
	const struct label_key *x = a, *y = b;

	if (x->nnodes != y->nnodes)
		return x->nnodes < y->nnodes ? 1 : -1;
	return sym_cmp(y->key, x->key);
}

/* The keys of all nodes' labels, once each. */
static struct label_key *
collect_keys(struct lint *lint, size_t *n)
{
	struct label_key *keys = NULL;
	struct map at = { 0 }; /* key -> its index + 1 */
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < lint->nnodes; i++) {
		const struct labels *labels = &lint->nodes[i]->labels;

		for (uint32_t j = 0; j < labels->n; j++) {
			sym key = labels->at[j].key;
			size_t index = (size_t)map_get(&at, key);

			if (index == 0) {
				arena_room(&lint->arena, keys, *n, &cap);
				keys[*n] = (struct label_key){ key, 0 };
				index = ++*n;
				map_put(&at, key, (void *)index);
			}
			keys[index - 1].nnodes++;
		}
	}
	map_fini(&at);
	SORT(keys, *n, compare_keys);
	return keys;
}

const char *
lint_label_hint(struct lint *lint, sym label, const char *otherwise)
{
	const char *closest;
	size_t nkeys, nnames = 0;
	struct label_key *keys = collect_keys(lint, &nkeys);
	const char **names = arena_array(&lint->arena, const char *, nkeys);

	/* The usual abbreviations of "topology.kubernetes.io/zone";
	 * closest_name() finds equal ones first, in any case. */
	for (size_t i = 0; i < nkeys; i++) {
		const char *name = label_last_part(keys[i].key);

		if (strlen(name) <= 63)
			names[nnames++] = name;
	}
	closest = closest_name(label_last_part(label), names, nnames);
	if (closest == NULL)
		return otherwise;
	while (label_last_part(keys->key) != closest)
		keys++;
	return arena_printf(&lint->arena, "; did you mean \"%s\"?",
	    sym_text(keys->key));
}

/* ---- the whole ---- */

static void
note_pod(bool *has, const struct pod_class *class)
{
	const struct pod_terms *near = &class->affinity;
	const struct pod_terms *apart = &class->anti_affinity;

	has[NEEDS_POD_REQUIRED_TERMS] |= near->nrequired + apart->nrequired > 0;
	has[NEEDS_POD_TERMS] |=
	    near->nrequired + near->npreferred + apart->npreferred > 0;
	has[NEEDS_POD_PORTS] |= class->nports > 0;
	has[NEEDS_POD_NODE_SELECTOR] |=
	    class->node_selector.n > 0 || class->has_required_node_affinity;
	has[NEEDS_POD_PREFERRED_NODES] |= class->npreferred_nodes > 0;
	for (uint32_t i = 0; i < class->nspread; i++)
		has[class->spread[i].hard ? NEEDS_POD_HARD_SPREAD :
					    NEEDS_POD_SOFT_SPREAD] = true;
	for (uint32_t i = 0; i < class->nvolumes; i++) {
		enum volume_kind kind = class->volumes[i].kind;

		has[NEEDS_POD_DISK] |= volume_is_disk(kind);
		has[NEEDS_POD_CLAIM] |=
		    kind == VOLUME_CLAIM || kind == VOLUME_EPHEMERAL;
		has[NEEDS_POD_ATTACHABLE] |= volume_is_attachable(kind);
	}
	has[NEEDS_POD_CLAIM_OR_ATTACHABLE] =
	    has[NEEDS_POD_CLAIM] || has[NEEDS_POD_ATTACHABLE];
	has[NEEDS_POD_DEVICE_CLAIM] |= class->nresource_claims > 0;
	has[NEEDS_POD_FEATURES] |= class->required_features != 0;
	has[NEEDS_POD_GATES] |= class->ngates > 0;
	has[NEEDS_POD_LIMITS] |=
	    class->limits.cpu_milli != 0 || class->limits.memory != 0;
}

static int
compare_nodes(const void *a, const void *b)
{
	return sym_cmp((*(const struct node *const *)a)->name,
	    (*(const struct node *const *)b)->name);
}

static void
collect_nodes(struct lint *lint)
{
	const struct cluster *cluster = lint->cluster;

	lint->nnodes = cluster->nnodes;
	lint->nodes =
	    arena_array(&lint->arena, const struct node *, cluster->nnodes);
	for (size_t i = 0; i < lint->nnodes; i++) {
		const struct node *node = cluster->nodes[i]->node;

		lint->nodes[i] = node;
		for (uint32_t j = 0; j < node->ntaints; j++)
			lint->has[node->taints[j].effect ==
				    EFFECT_PREFER_NO_SCHEDULE ?
				NEEDS_NODE_SOFT_TAINT :
				NEEDS_NODE_HARD_TAINT] = true;
		lint->has[NEEDS_NODE_UNSCHEDULABLE] |= node->unschedulable;
		lint->has[NEEDS_NODE_IMAGES] |= node->nimages > 0;
		lint->has[NEEDS_NODE_AVOIDED] |= node->navoided > 0;
	}
	SORT(lint->nodes, lint->nnodes, compare_nodes);
}

static void
collect_groups(struct lint *lint)
{
	struct map at = { 0 }; /* class -> its group's index + 1 */

	for (size_t i = 0; i < lint->on->npods; i++) {
		const struct pod *pod = lint->on->pods[i];
		uint64_t key = (uint64_t)(uintptr_t)pod->class;
		size_t index = (size_t)map_get(&at, key);

		lint->has[NEEDS_POD_PRIORITIES] |=
		    pod->priority != lint->on->pods[0]->priority;
		if (pod_has_ended(pod))
			continue;
		if (index == 0) {
			arena_room(&lint->arena, lint->groups, lint->ngroups,
			    &lint->groups_cap);
			lint->groups[lint->ngroups] =
			    (struct pod_group){ pod->class, pod, 0 };
			index = ++lint->ngroups;
			map_put(&at, key, (void *)index);
			note_pod(lint->has, pod->class);
		}
		lint->groups[index - 1].npods++;
		lint->npods++;
	}
	map_fini(&at);
}

static void
collect_rules(struct lint *lint)
{
	const struct profile *profile = lint->profile;
	bool plugins = HAS_PLUGINS(lint);

	lint->nrules = 0;
	lint->rules = arena_array(&lint->arena, struct lint_rule,
	    profile->npredicates + profile->npriorities);
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];

		lint->rules[lint->nrules++] =
		    (struct lint_rule){ PREDICATE_WORD(lint), p->name, p->line,
			    p->column, p->unit, p->args, 0, false, p->later };
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];

		lint->rules[lint->nrules++] =
		    (struct lint_rule){ plugins ? "plugin" : "priority",
			    p->name, p->line, p->column, p->unit, p->args,
			    p->weight, true, false };
	}
}

/* The checks, in the order in which warnings about the whole policy appear: of the
 * cluster and the profile, or of each rule that runs a unit. */
static const struct {
	void (*run)(struct lint *lint);
	void (*check)(struct lint *lint, const struct lint_rule *rule);
	const void *unit;
	bool of_cluster;  /* its warnings are about objects, not the profile */
	const char *text; /* of such a rule, whatever its arguments */
} lints[] = {
	{ .run = lint_unsupported, .of_cluster = true },
	{ .run = lint_kubelet_rules },
	{ .run = lint_volume_binding },
	{ .check = lint_labels_presence,
	    .unit = &predicate_check_node_label_presence },
	{ .check = lint_service_affinity,
	    .unit = &predicate_check_service_affinity },
	{ .check = lint_service_anti_affinity,
	    .unit = &priority_service_anti_affinity },
	{ .unit = &predicate_missing_state,
	    .text =
		"filters without its preFilter, and fails for every node: no "
		"pod is scheduled; enable it at preFilter, or disable it at "
		"filter" },
	{ .unit = &priority_missing_state,
	    .text =
		"scores without its preScore or preFilter, and fails where "
		"more than one node fits; enable it there, or disable it at "
		"score" },
	{ .check = lint_added_affinity,
	    .unit = &predicate_match_node_selector },
	{ .check = lint_fit_resources, .unit = &priority_node_resources },
	{ .check = lint_balanced_resources,
	    .unit = &priority_balanced_resource_allocation },
	{ .run = lint_topology_keys, .of_cluster = true },
	{ .run = lint_zones },
	{ .run = lint_priorities },
	{ .run = lint_services, .of_cluster = true },
	{ .run = lint_distribution, .of_cluster = true },
	{ .run = lint_extenders },
	{ .run = lint_served_pods },
};

static void
run_lints(struct lint *lint, const char *prefix)
{
	for (size_t i = 0; i < LENGTH(lints); i++) {
		lint->prefix = lints[i].of_cluster ? "" : prefix;
		if (lints[i].run != NULL)
			lints[i].run(lint);
		for (size_t j = 0; lints[i].unit != NULL && j < lint->nrules;
		     j++) {
			if (lint->rules[j].unit != lints[i].unit)
				continue;
			if (lints[i].text != NULL)
				lint_warn_of(lint, &lint->rules[j], "%s",
				    lints[i].text);
			else
				lints[i].check(lint, &lint->rules[j]);
		}
	}
}

static void
run_rules(struct lint *lint, const char *prefix)
{
	lint->prefix = prefix;
	lint_all_rules(lint);
}

/* For each profile; the prefix names it, if there are several. */
static void
for_each(const struct profiles *profiles, const struct lint_cluster *on,
    struct problems *problems,
    void (*run)(struct lint *lint, const char *prefix))
{
	struct lint lint = { .cluster = on->cluster,
		.on = on,
		.problems = problems };

	collect_nodes(&lint);
	collect_groups(&lint);
	for (size_t i = 0; i < profiles->n; i++) {
		lint.profile = profiles->at[i];
		collect_rules(&lint);
		run(&lint,
		    profiles->n == 1 ?
			"" :
			arena_printf(&lint.arena,
			    "profile \"%s\": ", lint.profile->scheduler_name));
	}
	arena_fini(&lint.arena);
}

void
lint(const struct profiles *profiles, const struct lint_cluster *on,
    struct problems *problems)
{
	for_each(profiles, on, problems, run_lints);
}

void
lint_rules(const struct profiles *profiles, const struct lint_cluster *on,
    struct problems *notes)
{
	for_each(profiles, on, notes, run_rules);
}
