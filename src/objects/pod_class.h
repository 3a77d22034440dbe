/* How a pod gets its class; for pod.c alone. */
#ifndef MODEL_POD_CLASS_H
#define MODEL_POD_CLASS_H

#include "objects/pod.h"

/* Decodes the fields of the class.  *out is zeroed; d->arena holds the parts;
 * scratch may be reset afterwards. */
void pod_class_decode(struct decoder *d, struct pod_class *out);

/* The one class of all pods that look like this one; you own a reference.  NULL:
 * d has failed.  d's arena is not used. */
const struct pod_class *pod_class_of(struct decoder *d);

#endif
