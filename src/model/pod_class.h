/* How a pod gets its class; for pod.c alone. */
#ifndef MODEL_POD_CLASS_H
#define MODEL_POD_CLASS_H

#include "model/pod.h"

/*
 * Decodes the fields of the class.  *out is zeroed except for its arena, which
 * holds the parts; scratch may be reset afterwards.  With err NULL no time is
 * spent on paths for messages.
 */
int pod_class_decode(const struct doc_node *root, const struct metadata *meta,
    struct pod_class *out, struct arena *scratch, struct err *err);

/* The one class of all pods that look like this one; you own a reference. */
const struct pod_class *pod_class_of(const struct doc_node *root,
    const struct metadata *meta, struct err *err);

#endif
