/*
 * Which fields and kinds of objects of Kubernetes steer where pods go, and which
 * of them this scheduler does not support.  The table is steering_table.h.
 */
#ifndef MODEL_STEERING_H
#define MODEL_STEERING_H

struct doc_node;

enum unsupported {
#define UNSUPPORTED(id, name, group, kind, path, since, why) UNSUPPORTED_##id,
#include "objects/steering_table.h"
#undef UNSUPPORTED
	UNSUPPORTED_FIELDS,
};

/* Of enum unsupported, as a member of a set of them. */
#define UNSUPPORTED_BIT(field) (UINT32_C(1) << (field))

struct unsupported_field {
	const char *name;  /* for --ignore-unsupported */
	const char *group; /* of its API, "": the core group */
	const char *kind, *path;
	int since;
	const char *why;
	const char *reason; /* as users see it: "PATH is not supported: WHY" */
};

extern const struct unsupported_field unsupported_fields[UNSUPPORTED_FIELDS];

/* Whether pods with this field are held. */
bool unsupported_holds(enum unsupported field);

/* The name of the i-th field that holds pods, NULL: there are no more. */
const char *unsupported_name(size_t i);

/* The names "a,b,c" as a set; err names one that does not exist, and all that
 * do. */
int unsupported_parse(const char *text, uint32_t *out, struct err *err);

/* The fields of Pod that have a value here, except for requests. */
uint32_t unsupported_of_pod(const struct doc_node *root);
/* Those that a request for this resource is. */
uint32_t unsupported_of_resource(const char *name);
/* Those of an object that is no pod: its kind, too. */
uint32_t unsupported_of_object(const struct doc_node *root,
    const char *api_version, const char *kind);

/* Whether objects of the kind steer pods, whatever the profile. */
bool steering_has_kind(const char *kind);

#endif
