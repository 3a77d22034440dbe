/*
 * The objects of a cluster as a dump for others: only the fields that decisions read
 * (objects/fields.h).  Environment variables, commands, most annotations, managedFields,
 * image pull secrets and messages are not among them; Secrets and ConfigMaps neither, but
 * for the policy in OpenShift's.
 */
#ifndef CTL_DUMP_OBJECTS_H
#define CTL_DUMP_OBJECTS_H

#include "base/text.h"
#include "tool/input/load.h"
#include "objects/object.h"

/* A zeroed struct is empty. */
struct dump_objects {
	struct text kinds[OBJECT_KINDS + 1]; /* the last: of OpenShift */
};

struct load_witness dump_witness(struct dump_objects *objects);

/* The List, you own it; ends *objects.  report: a member of it as JSON, or NULL. */
char *dump_objects_json(struct dump_objects *objects, const char *report,
    size_t *len);

/* A policy or configuration, or a ConfigMap with one, as JSON without its comments,
 * extenders' certificates, and users and passwords in URLs; you own it, NULL: err. */
char *dump_policy(const char *name, const char *text, size_t text_len,
    size_t *len, struct err *err);

#endif
