/*
 * The objects of a cluster as a dump for others: only the fields that decisions read
 * (model/fields.h).  Environment variables, commands, most annotations, managedFields,
 * image pull secrets and messages are not among them; Secrets and ConfigMaps neither, but
 * for the policy in OpenShift's.
 */
#ifndef CTL_BUNDLE_OBJECTS_H
#define CTL_BUNDLE_OBJECTS_H

#include "base/text.h"
#include "ctl/load.h"
#include "model/object.h"

/* A zeroed struct is empty. */
struct bundle_objects {
	struct text kinds[OBJECT_KINDS + 1]; /* the last: of OpenShift */
	size_t n;
};

struct load_witness bundle_witness(struct bundle_objects *objects);

/* The List, you own it; ends *objects. */
char *bundle_objects_json(struct bundle_objects *objects, size_t *len);

/* A policy or configuration, or a ConfigMap with one, as JSON without its comments,
 * secrets and extenders' certificates; you own it, NULL: err. */
char *bundle_policy(const char *name, const char *text, size_t text_len,
    size_t *len, struct err *err);

#endif
