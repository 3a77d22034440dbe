/* The fields that Kubernetes gives a pod. */
#ifndef CTL_POD_FIELDS_H
#define CTL_POD_FIELDS_H

struct doc_node;

/*
 * Warns on standard error, with the position, of each field of a Pod or pod
 * template that no release of Kubernetes up to 1.36 has; with the name that was
 * meant if one is close.  The API server refuses or drops such a field.
 */
void pod_fields_say_unknown(const struct doc_node *pod);

#endif
