/* The requests of a pod as later releases count them; for pod_class_decode.c. */
#ifndef MODEL_POD_REQUESTS_H
#define MODEL_POD_REQUESTS_H

#include <stdbool.h>

#include "model/pod.h"

/*
 * Fills class->from_27 and class->from_32, whose class->full is known already;
 * root is the pod.  Without scalars only cpu, memory and ephemeral storage are
 * counted, and only those of the spec.  With err NULL no time is spent on paths for messages.
 */
int pod_requests_decode(const struct doc_node *root, bool scalars,
    struct arena *scratch, struct pod_class *class, struct err *err);

#endif
