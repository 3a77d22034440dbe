/*
 * What policies know of a rule: the name that kube-scheduler 1.15 registers, when it is
 * mandatory and in which sets of the two algorithm providers it is
 * (pkg/scheduler/algorithmprovider/defaults), with the EvenPodsSpread gate as in 1.16;
 * and the names that are read although kube-scheduler refuses them, but with
 * --strict-policy.
 */
#ifndef FRAMEWORK_POLICY_NAMES_H
#define FRAMEWORK_POLICY_NAMES_H

struct predicate;

enum named_by {
	BY_NOBODY,
	BY_KUBERNETES,
	BY_MANUAL, /* OpenShift's; kube-scheduler refuses it */
	BY_KOSMOS, /* kube-scheduler refuses it */
};

/* Sets of rules. */
enum policy_sets {
	IN_DEFAULT = 1 << 0,
	IN_AUTOSCALER = 1 << 1,
	IN_BOTH = IN_DEFAULT | IN_AUTOSCALER,
	/* Not a provider's: the rule is about fields that came after 1.15, and every
	 * policy has it. */
	IN_ALL_POLICIES = 1 << 2,
};

struct policy_names {
	enum named_by named_by;

	/* The feature gate with which it is registered, as "EvenPodsSpread=true"; NULL:
	 * always. */
	const char *registered;
	/* The one with which a policy cannot leave it out; NULL: it always can. */
	const char *mandatory;

	unsigned sets;  /* those that have it as long as it is registered */
	int64_t weight; /* of a priority in a set; 0: 1 */

	/* Another name, as good as the unit's: that of Kubernetes 1.0, or the
	 * manual's spelling. */
	const char *other;
	/* "A|B": names of kube-scheduler's functions, which descriptions of it give to
	 * the rule, and manuals' mistakes. */
	const char *aliases;

	/* The argument without which it lets every node pass, as an example. */
	const char *argument;

	/* "A|B": rules of the manual that need not be named besides this one. */
	const char *covers;
	/* Rules that this one checks, NULL after the last. */
	const struct predicate *const *parts;
	/* The rule that Kosmos has this one for; and whether a policy has this one only
	 * where it would have that. */
	const struct predicate *instead_of;
	bool only_instead;
};

#endif
