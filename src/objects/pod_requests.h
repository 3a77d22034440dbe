/* The requests of a pod as later releases count them; for pod_class_decode.c. */
#ifndef MODEL_POD_REQUESTS_H
#define MODEL_POD_REQUESTS_H

#include "objects/pod.h"

/* The requests of a container that says nothing of cpu or memory, for scores
 * (doc/semantics/03-priorities.md, Non-zero requests). */
#define DEFAULT_CPU_MILLI 100
#define DEFAULT_MEMORY (INT64_C(200) << 20)

/*
 * Fills class->from_27, from_32 and scored_32; full and scored_20 are known already.
 * Beyond a limit (OVER_CONTAINERS) only cpu, memory and ephemeral storage are
 * counted, and only those of the spec.
 */
void pod_requests_decode(struct decoder *d, struct pod_class *class);

#endif
