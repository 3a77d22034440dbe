/*
 * The kinds of objects that decisions read, as an API server has them
 * (doc/semantics/09-modern-clusters.md, API versions).
 */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "objects/object.h"

/* When objects of a kind are read. */
enum api_kind_need {
	KIND_ALWAYS,
	/* Pods that exist have their priority already; only others need their
	 * PriorityClass. */
	KIND_FOR_NEW_PODS,
	KIND_FOR_POD_FILES,  /* for pods that no API server has seen */
	KIND_FOR_KOSMOS,     /* for its rules; a CRD */
	KIND_FOR_STICKY_JOB, /* for the plugin StickyJob; a CRD */
	KIND_FOR_DEVICES,    /* for claims that are allocated here */
};

struct api_kind {
	enum object_kind kind;
	const char *resource; /* "pods", as in the path */
	/* NULL-terminated, preferred first: "v1", "policy/v1", … */
	const char *const *versions;
	int since; /* rules read it from this release on; 0: in all */
	enum api_kind_need need;
};

/* A row for each of enum object_kind.  The first ones are in the order of the
 * command in README.md that makes a dump. */
extern const struct api_kind api_kinds[OBJECT_KINDS];

#endif
