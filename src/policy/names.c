/*
 * Names of predicates and priorities, which the rules say themselves
 * (decide/framework/policy_names.h), and the mistyped.
 */
#include "config.h"

#include <strings.h>

#include "base/sorted.h"
#include "base/text.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

/* Longer names are not treated as typing errors. */
#define NAME_MAX_LEN 64

#define NAMED (REGISTERED | IN_MANUAL | OF_KOSMOS)

bool
next_named_rule(enum rule_kind kind, size_t *i, struct named_rule *rule)
{
	size_t n = kind == RULE_FILTERS ? npredicates : npriorities;

	for (; *i < 2 * n; ++*i) {
		const struct policy_names *policy;

		*rule = (struct named_rule){ 0 };
		if (kind == RULE_FILTERS) {
			rule->predicate = predicates[*i / 2];
			rule->name = rule->predicate->name;
			policy = &rule->predicate->policy;
		} else {
			rule->priority = priorities[*i / 2];
			rule->name = rule->priority->name;
			policy = &rule->priority->policy;
			rule->weight = policy->weight > 0 ? policy->weight : 1;
		}
		if (*i % 2 == 1)
			rule->name = policy->other;
		rule->policy = policy;
		if ((policy->in & NAMED) != 0 && rule->name != NULL) {
			++*i;
			return true;
		}
	}
	return false;
}

bool
find_named_rule(enum rule_kind kind, const char *name, struct named_rule *rule)
{
	for (size_t i = 0; next_named_rule(kind, &i, rule);)
		if (strcmp(rule->name, name) == 0)
			return true;
	return false;
}

bool
is_registered(const struct named_rule *rule, const struct gates *gates)
{
	return (rule->policy->in & REGISTERED) != 0 &&
	    (rule->policy->registered == NULL ||
		gates_agree(gates, rule->policy->registered));
}

bool
is_mandatory(const struct named_rule *rule, const struct gates *gates)
{
	return rule->policy->mandatory != NULL &&
	    gates_agree(gates, rule->policy->mandatory);
}

bool
find_covering_rule(const char *name, struct named_rule *rule)
{
	for (size_t i = 0; next_named_rule(RULE_FILTERS, &i, rule);)
		if (rule->policy->covers != NULL &&
		    text_is_choice(rule->policy->covers, name))
			return true;
	return false;
}

/* The conditions have a rule of their own here: it costs nothing to check them also
 * where the node controller turns them into taints. */
const char *
refused_rule_advice(struct arena *arena, const struct named_rule *rule)
{
	const char *gate = rule->policy->registered;
	struct named_rule by;

	if (rule->policy->argument != NULL)
		return arena_printf(arena,
		    "has no effect without an argument; write {\"name\": \"…\", "
		    "\"argument\": {%s}}",
		    rule->policy->argument);
	if (!find_covering_rule(rule->name, &by))
		return NULL;
	return arena_printf(arena,
	    "is checked, but kube-scheduler refuses it%s%.*s%s; %s covers it",
	    gate != NULL ? " unless the feature gate " : "",
	    gate != NULL ? (int)strcspn(gate, "=") : 0,
	    gate != NULL ? gate : "", gate != NULL ? " is off" : "", by.name);
}

const char *
find_alias(const char *name)
{
	struct named_rule rule;

	for (enum rule_kind kind = 0; kind < RULE_KINDS; kind++)
		for (size_t i = 0; next_named_rule(kind, &i, &rule);)
			if (rule.policy->aliases != NULL &&
			    text_is_choice(rule.policy->aliases, name))
				return rule.name;
	return NULL;
}

bool
is_typo(const char *name, const char *known)
{
	size_t len = strlen(name);

	return text_distance(name, known) <= 2 ||
	    strcasecmp(name, known) == 0 ||
	    (strncasecmp(name, known, len) == 0 &&
		strcmp(known + len, "Priority") == 0);
}

bool
is_algorithm_name(const char *name)
{
	size_t len = strlen(name);

	/* The regular expression requires at least two characters. */
	if (len < 2 || name[0] == '-' || name[len - 1] == '-')
		return false;
	for (; *name != '\0'; name++)
		if (*name != '-' && !(*name >= '0' && *name <= '9') &&
		    !(*name >= 'a' && *name <= 'z') &&
		    !(*name >= 'A' && *name <= 'Z'))
			return false;
	return true;
}

/* The shortest name that starts with this one, in any case; "priority" counts as
 * the start of "priorities". */
static const char *
longer_name(const char *name, const char *const *names, size_t n)
{
	size_t len = strlen(name);
	const char *best = NULL;

	if (len < 5)
		return NULL;
	len -= name[len - 1] == 'y';
	for (size_t i = 0; i < n; i++)
		if (strncasecmp(names[i], name, len) == 0 &&
		    (best == NULL || strlen(names[i]) < strlen(best)))
			best = names[i];
	return best;
}

const char *
closest_name(const char *name, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t len = strlen(name);
	unsigned least_so_far = (unsigned)len / 3 + 1;

	if (len == 0 || len > NAME_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned distance = text_distance(name, names[i]);

		if (distance < least_so_far) {
			least_so_far = distance;
			best = names[i];
		}
	}
	return best != NULL ? best : longer_name(name, names, n);
}

const char *
name_hint(struct reading *reading, enum rule_kind kind, const char *name,
    const char **meant)
{
	const struct gates *gates = &reading->options->gates;
	const char **names = arena_array(&reading->arena, const char *,
	    2 * (npredicates + npriorities));
	struct named_rule rule;
	size_t nkosmos, n = 0;

	*meant = NULL;
	for (size_t i = 0; next_named_rule(kind, &i, &rule);)
		if ((rule.policy->in & OF_KOSMOS) != 0 &&
		    !reading->options->strict)
			names[n++] = rule.name;
	nkosmos = n;
	for (size_t i = 0; next_named_rule(kind, &i, &rule);)
		if (is_registered(&rule, gates))
			names[n++] = rule.name;
		else if (rule.policy->registered != NULL &&
		    strcmp(rule.name, name) == 0)
			return arena_printf(&reading->arena,
			    "; it needs the feature gate %s",
			    rule.policy->registered);
	/* Of those that are equally close the first counts. */
	SORT(names + nkosmos, n - nkosmos, text_compare);
	*meant = closest_name(name, names, n);
	if (*meant == NULL)
		return "";
	return arena_printf(&reading->arena, "; did you mean \"%s\"?", *meant);
}
