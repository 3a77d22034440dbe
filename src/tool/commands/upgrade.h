/*
 * What an upgrade of Kubernetes changes for a policy or a configuration: by the table of
 * objects/changes.h, and by reading the file as the release after the upgrade does.
 */
#ifndef CTL_UPGRADE_H
#define CTL_UPGRADE_H

#include "policy/policy.h"

/* A file and the way. */
struct upgrade {
	const char *name, *text;
	size_t len;
	bool is_policy;
	int from, to; /* minor releases; from 0: not known, and then set */
};

/*
 * Adds to *found an error for everything with which kube-scheduler after the upgrade
 * refuses the file, or options of it, and a warning for everything that changes.  A file
 * that is refused before is left alone.
 */
void upgrade_check(struct upgrade *upgrade,
    const struct policy_options *options, struct problems *found);

#endif
