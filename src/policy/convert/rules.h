/*
 * The rules of a profile as switches and weights, and the text of a policy or of a
 * KubeSchedulerConfiguration with some of them changed.
 *
 * A policy's rules are its predicates and priorities; those of a configuration's
 * profile are the plugins that filter and that score.
 */
#ifndef CONVERT_RULES_H
#define CONVERT_RULES_H

#include "base/arena.h"
#include "policy/policy.h"

struct profiles;
struct text;

struct rule {
	const char *name;
	bool on;
	bool required;  /* a predicate that cannot be switched off */
	bool custom;    /* defined by an argument of the policy */
	int64_t weight; /* of one that scores: its own, or the usual one */
	unsigned line, column; /* where the text names it; 0: it does not */
};

/* Those that the profile has and those that it could have, *n of them: those that
 * are on in their order of evaluation, then the others by name.  In the arena;
 * names as long as the profile. */
struct rule *rules_of(const struct profile *profile, enum rule_kind kind,
    struct arena *arena, size_t *n);

struct rule_change {
	const char *profile; /* schedulerName; NULL: of the only profile */
	const char *rule;
	enum rule_kind kind;
	int64_t weight; /* 0: off; 1 or more: on, and the weight if it scores */
};

/*
 * Appends the text, as JSON, with these changes; of several about one rule the last
 * counts.  Fields that no change is about stay as they are, comments are lost.
 * profiles are those of the text.  text NULL: the default provider's policy.  -1: a
 * change names a profile or a rule that is not there, or the text keeps its rules
 * elsewhere (an OpenShift Scheduler object, algorithmSource); nothing is appended.
 */
int rules_change(const char *text, size_t len, const struct profiles *profiles,
    size_t n, const struct rule_change *changes, struct text *out,
    struct err *err);

/* The same where all changes are weights that the text has as numbers, so that nothing
 * else of it changes: no comment, no line, nor what is around it in a ConfigMap.  False:
 * they are not; nothing is appended. */
bool rules_reweigh(const char *text, size_t len,
    const struct profiles *profiles, size_t n,
    const struct rule_change *changes, struct text *out);

#endif
