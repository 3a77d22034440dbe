/*
 * Builds a profile from the policy as written, in the steps of kube-scheduler
 * 1.15 (factory.CreateFromConfig()): validate; register predicates, then
 * priorities; create extenders; check the rest.  kube-scheduler stops at the
 * first error (only validation collects errors); we continue to find all.
 */
#include "config.h"

#include <inttypes.h>

#include "base/sorted.h"
#include "base/text.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* A rule that the policy names: names form a set, and the last entry of a name
 * counts. */
struct chosen {
	const char *name;
	const struct predicate *predicate; /* NULL: every node passes */
	const struct priority *priority;
	const void *args;
	int64_t weight;
	const struct rule_entry *entry;  /* NULL: by default */
	const struct rule_entry *custom; /* whose argument it has, or NULL */
	bool dropped;                    /* checked by another one */
	bool later;                      /* a rule about later fields */
};

struct build {
	struct reading *reading;
	const struct policy *policy;
	struct profile *profile;
	const struct gates *gates;
	bool strict;
	struct {
		struct chosen *at;
		size_t n, cap;
	} rules[RULE_KINDS];
};

/* The words of sentences about a kind. */
static const struct {
	const char *name, *list, *arguments;
} words[] = {
	[RULE_FILTERS] = { "predicate", "predicates",
	    "serviceAffinity and labelsPresence" },
	[RULE_SCORES] = { "priority", "priorities",
	    "serviceAntiAffinity, labelPreference and "
	    "requestedToCapacityRatioArguments" },
};

/* Warns of a mistyped list of rules, in whose place are the defaults. */
static void
warn_of_defaults(struct build *build, enum rule_kind kind)
{
	static const char *const keys[] = { "predicates", "priorities" };
	const struct list *list = &build->policy->rules[kind];
	const char *key = words[kind].list;
	const struct doc_node *root = build->policy->item.at, *p;

	if (list->given || root == NULL || root->kind != DOC_OBJECT)
		return;
	for (p = root->first; p != NULL; p = p->next) {
		const char *meant = closest_name(p->key, keys, LENGTH(keys));

		if (meant != NULL && strcmp(meant, key) == 0 &&
		    p->kind != DOC_NULL)
			reading_report(build->reading, SEVERITY_WARNING, p,
			    "there is no \"%s\": the defaults apply, and nothing "
			    "here counts",
			    key);
	}
}

/* Validation. */

static void
validate_weight(struct build *build, const struct rule_entry *entry)
{
	struct reading *reading = build->reading;
	const struct doc_node *at = item_member(&entry->item, "weight");
	const int64_t most = INT64_MAX / POLICY_SCORE_MAX - 1;

	if (entry->item.broken || (entry->weight > 0 && entry->weight <= most))
		return;
	if (entry->weight > most)
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\": the weight must be at most %" PRId64,
		    or_empty(entry->name), most);
	else if (at == entry->item.at)
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\" needs a \"weight\" of 1 or more",
		    or_empty(entry->name));
	else
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\": the weight must be 1 or more, not "
		    "%" PRId64,
		    or_empty(entry->name), entry->weight);
}

/* Rules. */

static struct chosen *
find_chosen(struct build *build, enum rule_kind kind, const char *name)
{
	return FIND_ROW(build->rules[kind].at, build->rules[kind].n, name,
	    name);
}

static void
choose(struct build *build, struct chosen choice)
{
	enum rule_kind kind =
	    choice.priority != NULL ? RULE_SCORES : RULE_FILTERS;
	struct chosen *old = find_chosen(build, kind, choice.name);

	if (old != NULL) {
		*old = choice;
		return;
	}
	arena_room(&build->reading->arena, build->rules[kind].at,
	    build->rules[kind].n, &build->rules[kind].cap);
	build->rules[kind].at[build->rules[kind].n++] = choice;
}

static void
choose_by_default(struct build *build, const struct named_rule *rule)
{
	choose(build,
	    (struct chosen){ .name = rule->name,
		.predicate = rule->predicate,
		.priority = rule->priority,
		.weight = rule->weight });
}

static void
mend_name(struct build *build, const struct item *item, const char *name)
{
	reading_mend(build->reading, MEND_VALUE, item_member(item, "name"),
	    arena_printf(&build->reading->arena, "\"%s\"", name), NULL);
}

static void
mend_entry(struct build *build, const struct rule_entry *needless)
{
	reading_mend(build->reading, MEND_ENTRY, needless->item.at, NULL, NULL);
}

/* Warns of a rule that an entry with an argument replaces: that of an earlier entry
 * or, of this name, a built-in one, which later releases would take instead. */
static void
warn_of_replaced(struct build *build, enum rule_kind kind,
    const struct chosen *choice)
{
	const char *what = words[kind].name, *name = choice->name;
	const struct doc_node *at = item_member(&choice->entry->item, "name");
	const struct chosen *old = find_chosen(build, kind, name);
	struct named_rule builtin;
	unsigned line, column;

	if (old != NULL) {
		reading_position(build->reading, old->entry->item.at, &line,
		    &column);
		reading_report(build->reading, SEVERITY_WARNING, at,
		    "%s \"%s\" is listed again: this entry replaces that of "
		    "line %u",
		    what, name, line);
		mend_entry(build, old->entry);
	} else if (find_named_rule(kind, name, &builtin) &&
	    is_registered(&builtin, build->gates) &&
	    (builtin.predicate != choice->predicate ||
		builtin.priority != choice->priority)) {
		reading_report(build->reading, SEVERITY_WARNING, at,
		    "%s \"%s\" is the rule of its argument here, in place of "
		    "the built-in %s; give it a name of its own",
		    what, name, name);
	}
}

static void
choose_custom(struct build *build, enum rule_kind kind,
    const struct rule_entry *entry, const char *name)
{
	const struct rule_argument *argument = entry->argument;
	struct chosen choice = { .name = name,
		.weight = entry->weight,
		.entry = entry,
		.custom = entry };
	unsigned n = count_arguments(kind, argument);

	if (n != 1) {
		reading_report(build->reading, SEVERITY_ERROR,
		    argument->item.at,
		    "%s \"%s\" must have exactly one argument of %s; it has "
		    "%u",
		    words[kind].name, name, words[kind].arguments, n);
		return;
	}
	if (!is_algorithm_name(name)) {
		reading_report(build->reading, SEVERITY_ERROR,
		    item_member(&entry->item, "name"),
		    "\"%s\" cannot be a name: two or more letters, digits and "
		    "'-', with no '-' at the ends",
		    name);
		return;
	}
	if (kind == RULE_FILTERS)
		choice.predicate = predicate_from_argument(build->reading,
		    &build->profile->arena, argument, &choice.args);
	else
		choice.priority = priority_from_argument(build->reading,
		    &build->profile->arena, argument, &choice.args);
	warn_of_replaced(build, kind, &choice);
	choose(build, choice);
}

/* The rule of this name, in choice; false: there is none. */
static bool
find_rule(struct build *build, enum rule_kind kind, struct chosen *choice)
{
	struct named_rule rule;
	const char *advice;

	if (!find_named_rule(kind, choice->name, &rule))
		return false;
	choice->predicate = rule.predicate;
	choice->priority = rule.priority;
	if (is_registered(&rule, build->gates))
		return true;
	if (build->strict)
		return false;
	if ((rule.policy->in & OF_KOSMOS) != 0)
		return true;
	advice = refused_rule_advice(&build->reading->arena, &rule);
	if (advice == NULL)
		return false;
	if (rule.policy->argument != NULL)
		choice->predicate = NULL;
	reading_report(build->reading, SEVERITY_WARNING,
	    item_member(&choice->entry->item, "name"), "predicate \"%s\" %s",
	    choice->name, advice);
	return true;
}

static void
choose_listed(struct build *build, enum rule_kind kind,
    const struct rule_entry *entry)
{
	struct chosen choice = { .name = or_empty(entry->name),
		.weight = entry->weight,
		.entry = entry };
	const char *meant, *alias;
	struct chosen *old;

	if (entry->item.broken)
		return;
	if (entry->argument != NULL) {
		choose_custom(build, kind, entry, choice.name);
		return;
	}
	alias = build->strict ? NULL : find_alias(choice.name);
	if (alias != NULL) {
		reading_report(build->reading, SEVERITY_WARNING,
		    item_member(&entry->item, "name"),
		    "\"%s\" is read as \"%s\"; kube-scheduler refuses it",
		    choice.name, alias);
		mend_name(build, &entry->item, alias);
		choice.name = alias;
	}
	old = find_chosen(build, kind, choice.name);
	if (old != NULL) {
		/* A name is listed again: of a priority the last weight
		 * counts. */
		if (old->priority == NULL)
			return;
		if (old->weight != entry->weight) {
			reading_report(build->reading, SEVERITY_WARNING,
			    item_member(&entry->item, "weight"),
			    "priority \"%s\" is listed again: its weight is "
			    "%" PRId64 ", not %" PRId64,
			    old->name, entry->weight, old->weight);
			mend_entry(build, old->entry);
		}
		old->weight = entry->weight;
		old->entry = entry;
	} else if (find_rule(build, kind, &choice)) {
		choose(build, choice);
	} else {
		reading_report(build->reading, SEVERITY_ERROR,
		    item_member(&entry->item, "name"), "unknown %s \"%s\"%s",
		    words[kind].name, choice.name,
		    name_hint(build->reading, kind, choice.name, &meant));
		if (meant != NULL && is_typo(choice.name, meant))
			mend_name(build, &entry->item, meant);
	}
}

/* Kubernetes 1.18 and later refuse these (doc/semantics/01-policy.md). */
static void
warn_of_weights(struct build *build)
{
	const struct chosen *first = NULL;

	if (build->strict)
		return;
	for (size_t i = 0; i < build->rules[RULE_SCORES].n; i++) {
		const struct chosen *p = &build->rules[RULE_SCORES].at[i];

		if (p->custom == NULL ||
		    p->custom->argument->label_preference == NULL)
			continue;
		if (first == NULL)
			first = p;
		else if (p->weight != first->weight)
			reading_report(build->reading, SEVERITY_WARNING,
			    item_member(&p->entry->item, "weight"),
			    "\"%s\" and \"%s\" are labelPreferences with "
			    "different weights, which Kubernetes 1.18 and "
			    "later refuse",
			    first->name, p->name);
	}
}

/* Those of the policy's list or, without one, of the provider's set. */
static void
choose_rules(struct build *build, enum rule_kind kind, enum provider provider)
{
	const struct list *list = &build->policy->rules[kind];
	const struct rule_entry *entries = list->items;
	struct named_rule rule;

	for (size_t i = 0; i < list->n; i++)
		choose_listed(build, kind, &entries[i]);
	if (kind == RULE_SCORES)
		warn_of_weights(build);
	warn_of_defaults(build, kind);
	for (size_t i = 0; !list->given && next_named_rule(kind, &i, &rule);)
		if ((rule.policy->in & provider) == provider &&
		    is_registered(&rule, build->gates))
			choose_by_default(build, &rule);
}

/* Predicates. */

static struct chosen *
chosen_predicate(struct build *build, const char *name)
{
	return find_chosen(build, RULE_FILTERS, name);
}

/* The rule of Kosmos that is checked instead of this one, or NULL: checking
 * both would reject too many nodes. */
static const char *
replaced_by(struct build *build, const char *name)
{
	struct named_rule rule;

	for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, &rule);) {
		const struct chosen *p;

		if (rule.policy->instead_of == NULL ||
		    strcmp(rule.policy->instead_of->name, name) != 0)
			continue;
		p = chosen_predicate(build, rule.name);
		return p != NULL && p->custom == NULL ? p->name : NULL;
	}
	return NULL;
}

static void
drop_replaced_predicates(struct build *build)
{
	struct chosen *all = build->rules[RULE_FILTERS].at;
	size_t n = 0;

	for (size_t i = 0; i < build->rules[RULE_FILTERS].n; i++) {
		const struct chosen *p = &all[i];
		const char *by = replaced_by(build, p->name);

		if (by == NULL || p->custom != NULL)
			continue;
		if (p->entry != NULL && !build->reading->options->kosmos)
			reading_report(build->reading, SEVERITY_WARNING,
			    item_member(&p->entry->item, "name"),
			    "predicate \"%s\" is not checked: \"%s\" replaces "
			    "it",
			    p->name, by);
		all[i].dropped = true;
	}
	for (size_t i = 0; i < build->rules[RULE_FILTERS].n; i++)
		if (!all[i].dropped)
			all[n++] = all[i];
	build->rules[RULE_FILTERS].n = n;
}

/* A policy cannot leave these out, but can replace them. */
static void
add_mandatory_predicates(struct build *build)
{
	struct named_rule rule;

	for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, &rule);)
		if (is_mandatory(&rule, build->gates) &&
		    chosen_predicate(build, rule.name) == NULL &&
		    replaced_by(build, rule.name) == NULL)
			choose_by_default(build, &rule);
}

/*
 * Rules about fields that came after 1.15, which no policy of that time could
 * name.  Every profile has them; their prepare() finds nothing to check in a
 * cluster of an earlier release.
 */
static void
add_later_predicates(struct build *build)
{
	for (size_t i = 0; i < npredicates; i++) {
		const struct predicate *unit = predicates[i];

		if ((unit->policy.in & IN_ALL_POLICIES) != 0 &&
		    chosen_predicate(build, unit->name) == NULL)
			choose(build,
			    (struct chosen){ .name = unit->name,
				.predicate = unit,
				.later = true });
	}
}

/* Marks the predicate as checked by the other one already. */
static void
drop_predicate(struct build *build, const char *name, const char *other)
{
	struct chosen *one =
	    name != NULL ? chosen_predicate(build, name) : NULL;
	const struct chosen *by = chosen_predicate(build, other);

	if (one == NULL || by == NULL || one->predicate == NULL ||
	    one->custom != NULL || by->custom != NULL || one->dropped)
		return;
	one->dropped = true;
	reading_report(build->reading, SEVERITY_WARNING,
	    item_member(&one->entry->item, "name"),
	    "predicate \"%s\" is part of \"%s\" and checked once; "
	    "leave one of the two out",
	    name, other);
	mend_entry(build, one->entry);
}

/* Duplicates, which the manual does not allow and kube-scheduler checks
 * twice. */
static void
drop_repeated_predicates(struct build *build)
{
	if (build->strict)
		return;
	for (size_t i = 0; i < npredicates; i++) {
		const struct predicate *all = predicates[i];
		const struct predicate *const *part = all->policy.parts;

		for (; part != NULL && *part != NULL; part++) {
			drop_predicate(build, (*part)->name, all->name);
			drop_predicate(build, (*part)->policy.other, all->name);
		}
	}
	for (size_t i = 0; i < npredicates; i++)
		drop_predicate(build, predicates[i]->policy.other,
		    predicates[i]->name);
}

/*
 * The position in the order: a name in kube-scheduler's order keeps its place
 * for any rule; a user's name has the place of its rule's type.
 */
static size_t
slot_of(const struct profile_predicate *p, bool *by_name)
{
	*by_name = true;
	for (size_t i = 0; i < npredicates; i++)
		if (strcmp(predicates[i]->name, p->name) == 0)
			return i;
	*by_name = false;
	for (size_t i = 0; i < npredicates; i++)
		if (predicates[i] == p->unit)
			return i;
	return npredicates;
}

static int
compare_turns(const void *a, const void *b)
{
	const struct profile_predicate *one = a, *other = b;
	bool one_by_name, other_by_name;
	size_t one_slot = slot_of(one, &one_by_name);
	size_t other_slot = slot_of(other, &other_by_name);

	if (one_slot != other_slot)
		return one_slot < other_slot ? -1 : 1;
	if (one_by_name != other_by_name)
		return one_by_name ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* Where the policy names an entry; nowhere when it is there by default. */
static void
place_entry(const struct build *build, const struct chosen *p, unsigned *line,
    unsigned *column)
{
	reading_position(build->reading,
	    p->entry != NULL ? item_member(&p->entry->item, "name") : NULL,
	    line, column);
}

static void
build_predicates(struct build *build)
{
	struct profile *profile = build->profile;

	profile->predicates = arena_array(&profile->arena,
	    struct profile_predicate, build->rules[RULE_FILTERS].n);
	for (size_t i = 0; i < build->rules[RULE_FILTERS].n; i++) {
		const struct chosen *p = &build->rules[RULE_FILTERS].at[i];
		struct profile_predicate *made;

		if (p->predicate == NULL || p->dropped)
			continue;
		made = &profile->predicates[profile->npredicates++];
		*made = (struct profile_predicate){
			.unit = p->predicate,
			.args = p->args,
			.name = arena_strdup(&build->profile->arena, p->name),
			.later = p->later,
		};
		place_entry(build, p, &made->line, &made->column);
	}
	profile->leaf_volumes =
	    profile_checks(profile, &predicate_leaf_node_volume_binding);
	SORT(profile->predicates, profile->npredicates, compare_turns);
}

/* Priorities. */

static int
compare_names(const void *a, const void *b)
{
	const struct chosen *one = a, *other = b;

	return strcmp(one->name, other->name);
}

/* Functions are created in the order of their names, and shapes are checked
 * then; the total is checked last. */
static void
check_priorities(struct build *build)
{
	const struct chosen *all = build->rules[RULE_SCORES].at;
	size_t n = build->rules[RULE_SCORES].n;
	int64_t total = 0;

	SORT(build->rules[RULE_SCORES].at, n, compare_names);
	for (size_t i = 0; i < n; i++) {
		const struct ratio_argument *ratio = all[i].custom != NULL ?
		    all[i].custom->argument->requested_to_capacity_ratio :
		    NULL;

		if (ratio != NULL)
			check_shape(build->reading, &ratio->item, &ratio->shape,
			    "shape");
	}
	for (size_t i = 0; i < n; i++) {
		int64_t weight = all[i].weight;

		/* Validation has reported all other problems. */
		if (weight <= 0 || weight >= INT64_MAX / POLICY_SCORE_MAX)
			continue;
		weight *= POLICY_SCORE_MAX;
		if (weight <= INT64_MAX - total) {
			total += weight;
			continue;
		}
		reading_report(build->reading, SEVERITY_ERROR,
		    build->policy->rules[RULE_SCORES].items != NULL ?
			item_member(&build->policy->item, "priorities") :
			NULL,
		    "the sum of the weights of all priorities is too large");
		break;
	}
}

static void
build_priorities(struct build *build)
{
	struct profile *profile = build->profile;

	profile->npriorities = build->rules[RULE_SCORES].n;
	profile->priorities = arena_array(&profile->arena,
	    struct profile_priority, profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct chosen *p = &build->rules[RULE_SCORES].at[i];
		struct profile_priority *made = &profile->priorities[i];

		*made = (struct profile_priority){
			.unit = p->priority,
			.args = p->args,
			.name = arena_strdup(&build->profile->arena, p->name),
			.weight = p->weight,
		};
		place_entry(build, p, &made->line, &made->column);
	}
}

/* The rest. */

/* The policy's names without the mandatory predicates, as Go prints two
 * sets. */
static void
keep_startup_line(struct build *build)
{
	struct text line = { 0 };

	SORT(build->rules[RULE_FILTERS].at, build->rules[RULE_FILTERS].n,
	    compare_names);
	text_put(&line, "Creating scheduler with fit predicates 'map[");
	for (enum rule_kind kind = 0; kind < RULE_KINDS; kind++) {
		for (size_t i = 0; i < build->rules[kind].n; i++)
			text_printf(&line, "%s%s:{}", i > 0 ? " " : "",
			    build->rules[kind].at[i].name);
		text_put(&line,
		    kind == RULE_FILTERS ? "]' and priority functions 'map[" :
					   "]'");
	}
	build->profile->startup_line = text_keep(&line, &build->profile->arena);
}

static void
build_weight(struct build *build)
{
	const struct policy *policy = build->policy;
	int64_t weight = policy->hard_pod_affinity_symmetric_weight;

	if (weight == 0)
		weight =
		    build->reading->options->hard_pod_affinity_symmetric_weight;
	if (weight == 0)
		weight = 1;
	build->profile->hard_pod_affinity_symmetric_weight = weight;
	if (weight >= 1 && weight <= 100)
		return;
	reading_report(build->reading, SEVERITY_ERROR,
	    policy->hard_pod_affinity_symmetric_weight != 0 ?
		item_member(&policy->item, "hardPodAffinitySymmetricWeight") :
		NULL,
	    "hardPodAffinitySymmetricWeight must be from 1 to 100, not "
	    "%" PRId64,
	    weight);
}

void
profile_hold_gated_pods(struct profile *profile)
{
	static const struct profile_prefilter gates = {
		.plugin = &plugin_scheduling_gates,
		.name = "SchedulingGates",
	};

	profile->enqueues = &gates;
	profile->nenqueues = 1;
}

struct profile *
profile_build(struct reading *reading, const struct policy *policy,
    enum provider provider)
{
	struct build build = {
		.reading = reading,
		.policy = policy,
		.profile = xcalloc(1, sizeof(struct profile)),
		.gates = &reading->options->gates,
		.strict = reading->options->strict,
	};
	struct profile *profile = build.profile;
	const struct rule_entry *entries = policy->rules[RULE_SCORES].items;

	if (reading->file != NULL)
		profile->file = arena_strdup(&profile->arena, reading->file);
	profile->release = profile->vocabulary = POLICY_RELEASE;
	profile->score_max = POLICY_SCORE_MAX;
	profile->percentage_of_nodes = -1;
	profile->bind_timeout_seconds = -1;
	profile->strict = build.strict;
	profile->ignored_fields = reading->options->ignored_fields;
	profile->gates = reading->options->gates;
	profile->always_check_all_predicates =
	    policy->always_check_all_predicates ||
	    reading->options->always_check_all_predicates;

	for (size_t i = 0; i < policy->rules[RULE_SCORES].n; i++)
		validate_weight(&build, &entries[i]);
	validate_extenders(reading, &policy->extenders);
	choose_rules(&build, RULE_FILTERS, provider);
	if (reading->options->kosmos) {
		/* Adds Kosmos' rules as if the policy named them. */
		struct named_rule rule;

		for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, &rule);)
			if ((rule.policy->in & OF_KOSMOS) != 0 &&
			    chosen_predicate(&build, rule.name) == NULL &&
			    (!rule.policy->only_instead ||
				chosen_predicate(&build,
				    rule.policy->instead_of->name) != NULL))
				choose_by_default(&build, &rule);
	}
	drop_replaced_predicates(&build);
	choose_rules(&build, RULE_SCORES, provider);
	build_extenders(reading, &policy->extenders, profile);
	build_weight(&build);
	check_priorities(&build);
	keep_startup_line(&build);

	add_mandatory_predicates(&build);
	if (!build.strict)
		add_later_predicates(&build);
	if (reading->options->project_node_selectors)
		choose(&build,
		    (struct chosen){ .name = PROJECT_SELECTOR,
			.predicate = &predicate_project_node_selector });
	drop_repeated_predicates(&build);
	build_predicates(&build);
	build_priorities(&build);
	profile_hold_gated_pods(profile);
	return profile;
}
