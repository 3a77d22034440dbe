/* The API server's part in a new pod, on its document. */
#ifndef CTL_POD_DEFAULTS_H
#define CTL_POD_DEFAULTS_H

#include "base/doc.h"

struct cluster;

/*
 * Adds to the Pod what the API server of a recent release adds that decisions read:
 * SetDefaults_Pod (pkg/apis/core/v1/defaults.go) and the admission plugins (plugin/pkg/
 * admission) LimitRanger, PodNodeSelector, DefaultTolerationSeconds,
 * PodTolerationRestriction and RuntimeClass, from objects of the cluster; the priority is
 * load_pod()'s.  What the server would refuse is said on standard error.
 */
void pod_add_defaults(struct doc_node *pod, const struct cluster *cluster);

/* Sets a member of the object, or appends to the array (key: NULL), at its place; key
 * lives as long as the document, text (NULL: none) is copied.  NULL: parent is. */
struct doc_node *pod_put(struct doc_node *parent, const char *key,
    enum doc_kind kind, const char *text);
/* The same of a shallow copy; from may be NULL. */
void pod_put_copy(struct doc_node *parent, const char *key,
    const struct doc_node *from);
/* The member, made if it is absent or null; NULL: it is of another kind. */
struct doc_node *pod_member(struct doc_node *object, const char *key,
    enum doc_kind kind);
/* A toleration of these, whatever the taint's value. */
void pod_put_toleration(struct doc_node *spec, const char *key,
    const char *effect);

#endif
