/*
 * OpenShift's Scheduler object in a cluster dump, and the ConfigMaps of
 * openshift-config that it may name: its default node selector counts, and its
 * policy or profile where no --policy is given.
 */
#ifndef CTL_OPENSHIFT_H
#define CTL_OPENSHIFT_H

#include "base/arena.h"
#include "base/map.h"
#include "objects/labels.h"

struct cluster;
struct doc_node;
struct options;
struct profiles;

/* A zeroed struct has neither. */
struct openshift {
	struct arena arena;
	const char *place; /* FILE:LINE:COLUMN of the object; NULL: none */
	const char *config_map, *profile; /* "": it names none */
	struct labels node_selector;
	struct strmap config_maps; /* by name */
};

void openshift_fini(struct openshift *openshift);

/* 1: it is one of these, and is kept; 0: it is not; -1: err has where it is
 * broken. */
int openshift_take(struct openshift *openshift, const struct doc_node *root,
    struct err *err);

/* Replaces *profiles by the object's profile, if it has one and neither --policy
 * nor --config is given, and prints its problems.  Returns an exit code. */
int openshift_profile(const struct openshift *openshift,
    const struct options *options, struct profiles **profiles);

/* The text of that policy or configuration, you own it; NULL: the object has
 * none.  *is_configuration: which it is. */
char *openshift_text(const struct openshift *openshift,
    const struct options *options, size_t *len, bool *is_configuration);

#endif
