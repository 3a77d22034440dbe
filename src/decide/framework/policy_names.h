/*
 * What policies know of a rule: the name that kube-scheduler 1.15 registers, when it is
 * mandatory and in which sets of the two algorithm providers it is
 * (pkg/scheduler/algorithmprovider/defaults), with the gate of spread constraints as in 1.16;
 * and the names that are read although kube-scheduler refuses them, but with
 * --strict-policy.
 */
#ifndef FRAMEWORK_POLICY_NAMES_H
#define FRAMEWORK_POLICY_NAMES_H

struct predicate;

/* Who lists the rule. */
enum policy_lists {
	/* kube-scheduler: policies may name it. */
	REGISTERED = 1 << 0,
	/* The sets of the providers, as long as it is registered. */
	IN_DEFAULT = 1 << 1 | REGISTERED,
	IN_AUTOSCALER = 1 << 2 | REGISTERED,
	IN_BOTH = IN_DEFAULT | IN_AUTOSCALER,
	/* OpenShift's manual, and Kosmos; kube-scheduler refuses it. */
	IN_MANUAL = 1 << 3,
	OF_KOSMOS = 1 << 4,
	/* Every policy: the rule is about fields that came after 1.15. */
	IN_ALL_POLICIES = 1 << 5,
};

struct policy_names {
	unsigned in; /* a set of enum policy_lists */

	/* The feature gate with which it is registered, as "NAME=true"; NULL:
	 * always. */
	const char *registered;
	/* The one with which a policy cannot leave it out; NULL: it always can. */
	const char *mandatory;

	int64_t weight; /* of a priority in a provider's set; 0: 1 */

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
