/*
 * The plugin of kube-scheduler that has the rule of a predicate or priority of policies,
 * for conversions of one vocabulary into the other: in KubeSchedulerConfigurations of
 * version v1beta1, which 1.20 reads, and of v1.
 */
#ifndef FRAMEWORK_COUNTERPART_H
#define FRAMEWORK_COUNTERPART_H

struct counterpart {
	/* In v1beta1; NULL: the rule's own, unless policies cannot name it; or that of
	 * the predicate that covers it (struct policy_names), or no plugin has it. */
	const char *plugin;
	const char *later; /* in v1; NULL: the same */
	const char *gone;  /* why there is none in v1, NULL: there is */

	/* How it differs in v1, and in v1beta1; NULL: it does not. */
	const char *nearly, *early;

	/* How it differs before this release, if every policy has it. */
	const char *before;
	int same_from;

	/* A policy made of a configuration does not have it for the plugin; of those
	 * that it has, the first of the registry counts. */
	bool one_way;
};

/* It differs alike in both versions. */
#define DIFFERS(text) .nearly = (text), .early = (text)

#endif
