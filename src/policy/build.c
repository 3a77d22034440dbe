/*
 * Builds a profile from the policy as written, in the steps of kube-scheduler
 * 1.15 (factory.CreateFromConfig()): validate; register predicates, then
 * priorities; create extenders; check the rest.  kube-scheduler stops at the
 * first error (only validation collects errors); we continue to find all
 * errors, and keep its message.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "policy/plugins.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* A predicate or priority that the policy names: names form a set, and the last
 * entry of a name counts. */
struct chosen_predicate {
	const char *name;
	const struct predicate *unit; /* NULL: every node passes */
	const void *args;
	const struct predicate_entry *entry; /* NULL: by default */
	bool custom;                         /* by its argument */
	bool dropped;                        /* checked by another one */
	bool later;                          /* a rule about later fields */
};

struct chosen_priority {
	const char *name;
	const struct priority *unit;
	const void *args;
	int64_t weight;
	const struct priority_entry *entry; /* NULL: by default */
	const struct priority_entry
	    *custom; /* whose argument it has, or NULL */
};

struct build {
	struct reading *reading;
	const struct policy *policy;
	struct profile *profile;
	const struct gates *gates;
	bool strict;
	struct chosen_predicate *predicates;
	size_t npredicates, predicates_cap;
	struct chosen_priority *priorities;
	size_t npriorities, priorities_cap;
};

static const char *
name_of(const char *name)
{
	return name != NULL ? name : "";
}

/* Warns of a mistyped list of rules, in whose place are the defaults. */
static void
warn_of_defaults(struct build *build, const struct list *list, const char *key)
{
	static const char *const keys[] = { "predicates", "priorities" };
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

/* Sentences of validation: each once, in the order found. */
struct complaints {
	struct arena *arena;
	size_t n, cap;
	const char **at;
};

static void
complain(void *context, const char *sentence)
{
	struct complaints *complaints = context;

	for (size_t i = 0; i < complaints->n; i++)
		if (strcmp(complaints->at[i], sentence) == 0)
			return;
	arena_room(complaints->arena, complaints->at, complaints->n,
	    &complaints->cap);
	complaints->at[complaints->n++] = sentence;
}

static void
validate_weight(struct build *build, const struct priority_entry *entry,
    struct complaints *complaints)
{
	struct reading *reading = build->reading;
	const struct doc_node *at = item_member(&entry->item, "weight");
	const int64_t most = INT64_MAX / POLICY_SCORE_MAX - 1;

	if (entry->item.broken || (entry->weight > 0 && entry->weight <= most))
		return;
	if (entry->weight > most)
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\": the weight must be at most %" PRId64,
		    name_of(entry->name), most);
	else if (at == entry->item.at)
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\" needs a \"weight\" of 1 or more",
		    name_of(entry->name));
	else
		reading_report(reading, SEVERITY_ERROR, at,
		    "priority \"%s\": the weight must be 1 or more, not "
		    "%" PRId64,
		    name_of(entry->name), entry->weight);
	complain(complaints,
	    arena_printf(&reading->arena,
		"Priority %s should have a positive weight applied to it or it "
		"has overflown",
		name_of(entry->name)));
}

static void
validate(struct build *build)
{
	struct reading *reading = build->reading;
	const struct priority_entry *priority = build->policy->priorities.items;
	struct complaints complaints = { .arena = &reading->arena };
	const char *all = "";

	for (size_t i = 0; i < build->policy->priorities.n; i++)
		validate_weight(build, &priority[i], &complaints);
	validate_extenders(reading, build->policy, complain, &complaints);
	if (complaints.n == 1)
		reading_refuse(reading, "%s", complaints.at[0]);
	if (complaints.n < 2)
		return;
	for (size_t i = 0; i < complaints.n; i++)
		all = arena_printf(&reading->arena, "%s%s%s", all,
		    i > 0 ? ", " : "", complaints.at[i]);
	reading_refuse(reading, "[%s]", all);
}

/* Predicates. */

static struct chosen_predicate *
chosen_predicate(struct build *build, const char *name)
{
	for (size_t i = 0; i < build->npredicates; i++)
		if (strcmp(build->predicates[i].name, name) == 0)
			return &build->predicates[i];
	return NULL;
}

static void
choose_predicate(struct build *build, struct chosen_predicate choice)
{
	struct chosen_predicate *old = chosen_predicate(build, choice.name);

	if (old != NULL) {
		*old = choice;
		return;
	}
	arena_room(&build->reading->arena, build->predicates,
	    build->npredicates, &build->predicates_cap);
	build->predicates[build->npredicates++] = choice;
}

/* Checks the name of a user's entry. */
static bool
may_be_called(struct build *build, const struct item *item, const char *name)
{
	if (is_algorithm_name(name))
		return true;
	reading_refuse(build->reading,
	    "Algorithm name %s does not match the name validation regexp "
	    "\"" ALGORITHM_NAME_REGEX "\".",
	    name);
	reading_report(build->reading, SEVERITY_ERROR,
	    item_member(item, "name"),
	    "\"%s\" cannot be a name: two or more letters, digits and '-', "
	    "with no '-' at the ends",
	    name);
	return false;
}

static void
wrong_count(struct build *build, const char *what, const char *kind,
    const struct item *at, unsigned n, const char *name, const char *known)
{
	reading_refuse(build->reading,
	    "Exactly 1 %s argument is required, numArgs: %u, %s: %s", what, n,
	    kind, name);
	reading_report(build->reading, SEVERITY_ERROR, at->at,
	    "%s \"%s\" must have exactly one argument of %s; it has %u", what,
	    name, known, n);
}

/* Warns of a rule that an entry with an argument replaces: that of an earlier entry
 * or, of this name, a built-in one, which later releases would take instead. */
static void
warn_of_replaced(struct build *build, const struct item *item, const char *what,
    const char *name, const struct item *earlier, bool builtin)
{
	const struct doc_node *at = item_member(item, "name");
	unsigned line, column;

	if (earlier != NULL) {
		reading_position(build->reading, earlier->at, &line, &column);
		reading_report(build->reading, SEVERITY_WARNING, at,
		    "%s \"%s\" is listed again: this entry replaces that of "
		    "line %u",
		    what, name, line);
	} else if (builtin) {
		reading_report(build->reading, SEVERITY_WARNING, at,
		    "%s \"%s\" is the rule of its argument here, in place of "
		    "the built-in %s; give it a name of its own",
		    what, name, name);
	}
}

static void
choose_custom_predicate(struct build *build,
    const struct predicate_entry *entry, const char *name)
{
	struct chosen_predicate choice = { .name = name,
		.entry = entry,
		.custom = true };
	const struct chosen_predicate *old;
	unsigned n = count_predicate_arguments(entry->argument);

	if (n != 1) {
		wrong_count(build, "predicate", "Predicate",
		    &entry->argument->item, n, name,
		    "serviceAffinity and labelsPresence");
		return;
	}
	if (!may_be_called(build, &entry->item, name))
		return;
	choice.unit = predicate_from_argument(build->reading,
	    &build->profile->arena, entry->argument, &choice.args);
	old = chosen_predicate(build, name);
	warn_of_replaced(build, &entry->item, "predicate", name,
	    old != NULL ? &old->entry->item : NULL,
	    find_builtin_predicate(name, build->gates) != NULL);
	choose_predicate(build, choice);
}

/* The rule's name, with a warning if the policy calls it otherwise. */
static const char *
name_meant(struct build *build, const struct item *item, const char *said)
{
	const char *name = build->strict ? NULL : find_alias(said);

	if (name == NULL)
		return said;
	reading_report(build->reading, SEVERITY_WARNING,
	    item_member(item, "name"),
	    "\"%s\" is read as \"%s\"; kube-scheduler refuses it", said, name);
	return name;
}

static void
choose_listed_predicate(struct build *build,
    const struct predicate_entry *entry)
{
	const char *name = name_of(entry->name);
	const struct builtin_predicate *builtin;
	const struct legacy_predicate *legacy = NULL;

	if (entry->item.broken)
		return;
	if (entry->argument != NULL) {
		choose_custom_predicate(build, entry, name);
		return;
	}
	name = name_meant(build, &entry->item, name);
	if (chosen_predicate(build, name) != NULL)
		return;
	builtin = find_builtin_predicate(name, build->gates);
	if (builtin == NULL && !build->strict)
		builtin = find_kosmos_predicate(name);
	if (builtin == NULL && !build->strict)
		legacy = find_legacy_predicate(name);
	if (builtin == NULL && legacy == NULL) {
		reading_refuse(build->reading,
		    "Invalid configuration: Predicate type not found for %s",
		    name);
		reading_report(build->reading, SEVERITY_ERROR,
		    item_member(&entry->item, "name"),
		    "unknown predicate \"%s\"%s", name,
		    predicate_hint(build->reading, name));
		return;
	}
	if (legacy != NULL)
		reading_report(build->reading, SEVERITY_WARNING,
		    item_member(&entry->item, "name"), "predicate \"%s\" %s",
		    name, legacy->advice);
	choose_predicate(build,
	    (struct chosen_predicate){ .name = name,
		.unit = builtin != NULL ? builtin->unit : legacy->unit,
		.entry = entry });
}

static void
choose_predicates(struct build *build)
{
	const struct list *list = &build->policy->predicates;
	const struct predicate_entry *entries = list->items;

	for (size_t i = 0; i < list->n; i++)
		choose_listed_predicate(build, &entries[i]);
	warn_of_defaults(build, list, "predicates");
	if (list->given)
		return;
	for (size_t i = 0; i < nbuiltin_predicates; i++) {
		const struct builtin_predicate *p = &builtin_predicates[i];

		if (p->in_defaults &&
		    find_builtin_predicate(p->name, build->gates) == p)
			choose_predicate(build,
			    (struct chosen_predicate){ .name = p->name,
				.unit = p->unit });
	}
}

/* Rules of Kosmos, and the rules that they replace. */
static const struct {
	const char *name, *instead_of;
} kosmos_rules[] = {
	{ "LeafNodeDistribution", NULL },
	{ "LeafNodeTaintToleration", "PodToleratesNodeTaints" },
	{ "LeafNodeVolumeBinding", "CheckVolumeBinding" },
};

/* Adds them as if the policy named them; CheckVolumeBinding's only as its
 * replacement. */
static void
choose_kosmos_predicates(struct build *build)
{
	for (size_t i = 0; i < LENGTH(kosmos_rules); i++) {
		const char *name = kosmos_rules[i].name;
		const char *other = kosmos_rules[i].instead_of;
		const struct builtin_predicate *rule =
		    find_kosmos_predicate(name);

		if (chosen_predicate(build, name) != NULL ||
		    (rule->unit == &predicate_leaf_node_volume_binding &&
			chosen_predicate(build, other) == NULL))
			continue;
		choose_predicate(build,
		    (struct chosen_predicate){ .name = name,
			.unit = rule->unit });
	}
}

/* The rule of Kosmos that is checked instead of this one, or NULL: checking
 * both would reject too many nodes. */
static const char *
replaced_by(struct build *build, const char *name)
{
	const struct chosen_predicate *p;

	for (size_t i = 0; i < LENGTH(kosmos_rules); i++) {
		if (kosmos_rules[i].instead_of == NULL ||
		    strcmp(kosmos_rules[i].instead_of, name) != 0)
			continue;
		p = chosen_predicate(build, kosmos_rules[i].name);
		return p != NULL && !p->custom ? p->name : NULL;
	}
	return NULL;
}

static void
drop_replaced_predicates(struct build *build)
{
	size_t n = 0;

	for (size_t i = 0; i < build->npredicates; i++) {
		struct chosen_predicate p = build->predicates[i];
		const char *by = replaced_by(build, p.name);

		if (by == NULL || p.custom)
			continue;
		if (p.entry != NULL && !build->reading->options->kosmos)
			reading_report(build->reading, SEVERITY_WARNING,
			    item_member(&p.entry->item, "name"),
			    "predicate \"%s\" is not checked: \"%s\" replaces "
			    "it",
			    p.name, by);
		build->predicates[i].dropped = true;
	}
	for (size_t i = 0; i < build->npredicates; i++)
		if (!build->predicates[i].dropped)
			build->predicates[n++] = build->predicates[i];
	build->npredicates = n;
}

/* A policy cannot leave these out, but can replace them. */
static void
add_mandatory_predicates(struct build *build)
{
	for (size_t i = 0; i < nbuiltin_predicates; i++) {
		const struct builtin_predicate *p = &builtin_predicates[i];

		if (p->mandatory != NULL && p->mandatory(build->gates) &&
		    chosen_predicate(build, p->name) == NULL &&
		    replaced_by(build, p->name) == NULL)
			choose_predicate(build,
			    (struct chosen_predicate){ .name = p->name,
				.unit = p->unit });
	}
}

/*
 * Rules about fields that came after 1.15, which no policy of that time could
 * name.  Every profile has them; their prepare() finds nothing to check in a
 * cluster of an earlier release.
 */
static void
add_later_predicates(struct build *build)
{
	for (size_t i = 0; i < nlater_predicates; i++) {
		const struct predicate *unit = later_predicates[i];

		if (chosen_predicate(build, unit->name) == NULL)
			choose_predicate(build,
			    (struct chosen_predicate){ .name = unit->name,
				.unit = unit,
				.later = true });
	}
}

/* Marks the predicate as checked by the other one already. */
static void
drop_predicate(struct build *build, const char *name, const char *other)
{
	struct chosen_predicate *one = chosen_predicate(build, name);
	const struct chosen_predicate *by = chosen_predicate(build, other);

	if (one == NULL || by == NULL || one->custom || by->custom ||
	    one->dropped)
		return;
	one->dropped = true;
	reading_report(build->reading, SEVERITY_WARNING,
	    item_member(&one->entry->item, "name"),
	    "predicate \"%s\" is part of \"%s\" and checked once; "
	    "leave one of the two out",
	    name, other);
}

/* Duplicates, which the manual does not allow and kube-scheduler checks
 * twice. */
static void
drop_repeated_predicates(struct build *build)
{
	static const char *const parts[] = { "HostName", "MatchNodeSelector",
		"PodFitsHostPorts", "PodFitsPorts", "PodFitsResources" };

	if (build->strict)
		return;
	for (size_t i = 0; i < LENGTH(parts); i++)
		drop_predicate(build, parts[i], "GeneralPredicates");
	drop_predicate(build, "PodFitsPorts", "PodFitsHostPorts");
	drop_predicate(build, "MaxCSIVolumeCount", "MaxCSIVolumeCountPred");
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

static const char *
keep(struct build *build, const char *text)
{
	return arena_strndup(&build->profile->arena, text, strlen(text));
}

/* Where the policy names an entry; nowhere when it is there by default. */
static void
place_entry(const struct build *build, const struct item *item, unsigned *line,
    unsigned *column)
{
	reading_position(build->reading,
	    item != NULL ? item_member(item, "name") : NULL, line, column);
}

static void
build_predicates(struct build *build)
{
	struct profile *profile = build->profile;

	profile->predicates = arena_array(&profile->arena,
	    struct profile_predicate, build->npredicates);
	for (size_t i = 0; i < build->npredicates; i++) {
		const struct chosen_predicate *p = &build->predicates[i];
		struct profile_predicate *made;

		if (p->unit == NULL || p->dropped)
			continue;
		made = &profile->predicates[profile->npredicates++];
		*made = (struct profile_predicate){
			.unit = p->unit,
			.args = p->args,
			.name = keep(build, p->name),
			.later = p->later,
		};
		place_entry(build, p->entry != NULL ? &p->entry->item : NULL,
		    &made->line, &made->column);
	}
	profile->leaf_volumes =
	    profile_checks(profile, &predicate_leaf_node_volume_binding);
	if (profile->npredicates > 0)
		qsort(profile->predicates, profile->npredicates,
		    sizeof(*profile->predicates), compare_turns);
}

/* Priorities. */

static struct chosen_priority *
chosen_priority(struct build *build, const char *name)
{
	for (size_t i = 0; i < build->npriorities; i++)
		if (strcmp(build->priorities[i].name, name) == 0)
			return &build->priorities[i];
	return NULL;
}

static void
choose_priority(struct build *build, struct chosen_priority choice)
{
	struct chosen_priority *old = chosen_priority(build, choice.name);

	if (old != NULL) {
		*old = choice;
		return;
	}
	arena_room(&build->reading->arena, build->priorities,
	    build->npriorities, &build->priorities_cap);
	build->priorities[build->npriorities++] = choice;
}

static void
choose_custom_priority(struct build *build, const struct priority_entry *entry,
    const char *name)
{
	struct chosen_priority choice = { .name = name,
		.weight = entry->weight,
		.entry = entry,
		.custom = entry };
	const struct chosen_priority *old;
	const struct builtin_priority *builtin;
	unsigned n = count_priority_arguments(entry->argument);

	if (n != 1) {
		wrong_count(build, "priority", "Priority",
		    &entry->argument->item, n, name,
		    "serviceAntiAffinity, labelPreference and "
		    "requestedToCapacityRatioArguments");
		return;
	}
	if (!may_be_called(build, &entry->item, name))
		return;
	choice.unit = priority_from_argument(build->reading,
	    &build->profile->arena, entry->argument, &choice.args);
	old = chosen_priority(build, name);
	builtin = find_builtin_priority(name, build->gates);
	warn_of_replaced(build, &entry->item, "priority", name,
	    old != NULL ? &old->entry->item : NULL,
	    builtin != NULL && builtin->unit != choice.unit);
	choose_priority(build, choice);
}

static void
choose_listed_priority(struct build *build, const struct priority_entry *entry)
{
	const char *name = name_of(entry->name);
	struct chosen_priority *old;
	const struct builtin_priority *builtin;

	if (entry->item.broken)
		return;
	if (entry->argument != NULL) {
		choose_custom_priority(build, entry, name);
		return;
	}
	name = name_meant(build, &entry->item, name);
	old = chosen_priority(build, name);
	if (old != NULL) {
		if (old->weight != entry->weight)
			reading_report(build->reading, SEVERITY_WARNING,
			    item_member(&entry->item, "weight"),
			    "priority \"%s\" is listed again: its weight is "
			    "%" PRId64 ", not %" PRId64,
			    name, entry->weight, old->weight);
		old->weight = entry->weight;
		old->entry = entry;
		return;
	}
	builtin = find_builtin_priority(name, build->gates);
	if (builtin == NULL) {
		reading_refuse(build->reading,
		    "Invalid configuration: Priority type not found for %s",
		    name);
		reading_report(build->reading, SEVERITY_ERROR,
		    item_member(&entry->item, "name"),
		    "unknown priority \"%s\"%s", name,
		    priority_hint(build->reading, name));
		return;
	}
	choose_priority(build,
	    (struct chosen_priority){ .name = name,
		.unit = builtin->unit,
		.weight = entry->weight,
		.entry = entry });
}

/* The weight of a priority in a provider's set; 0: it is not in the set. */
static int64_t
weight_in(enum provider provider, const struct builtin_priority *p)
{
	switch (provider) {
	case PROVIDER_DEFAULT:
		return p->in_default ? p->weight : 0;
	case PROVIDER_AUTOSCALER:
		return p->in_autoscaler ? p->weight : 0;
	}
	return 0;
}

/* Kubernetes 1.18 and later refuse these (doc/semantics/01-policy.md). */
static void
warn_of_weights(struct build *build)
{
	const struct chosen_priority *first = NULL;

	if (build->strict)
		return;
	for (size_t i = 0; i < build->npriorities; i++) {
		const struct chosen_priority *p = &build->priorities[i];

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

static void
choose_priorities(struct build *build, enum provider provider)
{
	const struct list *list = &build->policy->priorities;
	const struct priority_entry *entries = list->items;

	for (size_t i = 0; i < list->n; i++)
		choose_listed_priority(build, &entries[i]);
	warn_of_weights(build);
	warn_of_defaults(build, list, "priorities");
	if (list->given)
		return;
	for (size_t i = 0; i < nbuiltin_priorities; i++) {
		const struct builtin_priority *p = &builtin_priorities[i];
		int64_t weight = weight_in(provider, p);

		if (weight > 0 &&
		    find_builtin_priority(p->name, build->gates) == p)
			choose_priority(build,
			    (struct chosen_priority){ .name = p->name,
				.unit = p->unit,
				.weight = weight });
	}
}

static int
compare_priority_names(const void *a, const void *b)
{
	const struct chosen_priority *one = a, *other = b;

	return strcmp(one->name, other->name);
}

/* Functions are created in the order of their names, and shapes are checked
 * then; the total is checked last. */
static void
check_priorities(struct build *build)
{
	int64_t total = 0;

	if (build->npriorities > 0)
		qsort(build->priorities, build->npriorities,
		    sizeof(*build->priorities), compare_priority_names);
	for (size_t i = 0; i < build->npriorities; i++) {
		const struct priority_entry *custom =
		    build->priorities[i].custom;

		if (custom != NULL &&
		    custom->argument->requested_to_capacity_ratio != NULL)
			check_shape(build->reading, custom);
	}
	for (size_t i = 0; i < build->npriorities; i++) {
		int64_t weight = build->priorities[i].weight;

		/* Validation has reported all other problems. */
		if (weight <= 0 || weight >= INT64_MAX / POLICY_SCORE_MAX)
			continue;
		weight *= POLICY_SCORE_MAX;
		if (weight <= INT64_MAX - total) {
			total += weight;
			continue;
		}
		reading_refuse(build->reading,
		    "total priority of priority functions has overflown");
		reading_report(build->reading, SEVERITY_ERROR,
		    build->policy->priorities.items != NULL ?
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

	profile->npriorities = build->npriorities;
	profile->priorities = arena_array(&profile->arena,
	    struct profile_priority, build->npriorities);
	for (size_t i = 0; i < build->npriorities; i++) {
		const struct chosen_priority *p = &build->priorities[i];

		struct profile_priority *made = &profile->priorities[i];

		*made = (struct profile_priority){
			.unit = p->unit,
			.args = p->args,
			.name = keep(build, p->name),
			.weight = p->weight,
		};
		place_entry(build, p->entry != NULL ? &p->entry->item : NULL,
		    &made->line, &made->column);
	}
}

/* The rest. */

static int
compare_predicate_names(const void *a, const void *b)
{
	const struct chosen_predicate *one = a, *other = b;

	return strcmp(one->name, other->name);
}

/* The policy's names without the mandatory predicates, as Go prints two
 * sets. */
static void
keep_startup_line(struct build *build)
{
	struct arena *arena = &build->reading->arena;
	const char *predicate_names = "", *priority_names = "";

	if (build->npredicates > 0)
		qsort(build->predicates, build->npredicates,
		    sizeof(*build->predicates), compare_predicate_names);
	for (size_t i = 0; i < build->npredicates; i++)
		predicate_names =
		    arena_printf(arena, "%s%s%s:{}", predicate_names,
			i > 0 ? " " : "", build->predicates[i].name);
	for (size_t i = 0; i < build->npriorities; i++)
		priority_names =
		    arena_printf(arena, "%s%s%s:{}", priority_names,
			i > 0 ? " " : "", build->priorities[i].name);
	build->profile->startup_line = arena_printf(&build->profile->arena,
	    "Creating scheduler with fit predicates 'map[%s]' and priority "
	    "functions 'map[%s]'",
	    predicate_names, priority_names);
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
	reading_refuse(build->reading,
	    "invalid hardPodAffinitySymmetricWeight: %" PRId64
	    ", must be in the range 1-100",
	    weight);
	reading_report(build->reading, SEVERITY_ERROR,
	    policy->hard_pod_affinity_symmetric_weight != 0 ?
		item_member(&policy->item, "hardPodAffinitySymmetricWeight") :
		NULL,
	    "hardPodAffinitySymmetricWeight must be from 1 to 100, not "
	    "%" PRId64,
	    weight);
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

	if (reading->file != NULL)
		profile->file = keep(&build, reading->file);
	profile->release = POLICY_RELEASE;
	profile->score_max = POLICY_SCORE_MAX;
	profile->percentage_of_nodes = -1;
	profile->bind_timeout_seconds = -1;
	profile->strict = build.strict;
	profile->ignored_fields = reading->options->ignored_fields;
	profile->gates = reading->options->gates;
	profile->always_check_all_predicates =
	    policy->always_check_all_predicates ||
	    reading->options->always_check_all_predicates;

	validate(&build);
	choose_predicates(&build);
	if (reading->options->kosmos)
		choose_kosmos_predicates(&build);
	drop_replaced_predicates(&build);
	choose_priorities(&build, provider);
	build_extenders(reading, policy, profile);
	build_weight(&build);
	check_priorities(&build);
	keep_startup_line(&build);

	add_mandatory_predicates(&build);
	if (!build.strict)
		add_later_predicates(&build);
	if (reading->options->project_node_selectors)
		choose_predicate(&build,
		    (struct chosen_predicate){ .name = PROJECT_SELECTOR,
			.unit = &predicate_project_node_selector });
	drop_repeated_predicates(&build);
	build_predicates(&build);
	build_priorities(&build);
	profile_hold_gated_pods(profile);
	return profile;
}
