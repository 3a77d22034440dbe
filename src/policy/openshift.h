/*
 * OpenShift's Scheduler object (config.openshift.io/v1, "cluster")
 * (doc/semantics/07-openshift.md, The Scheduler object).
 */
#ifndef POLICY_OPENSHIFT_H
#define POLICY_OPENSHIFT_H

struct doc_node;

#define OPENSHIFT_SCHEDULER "cluster"
#define OPENSHIFT_VERSION "config.openshift.io/v1"
/* Where the ConfigMaps are that it names. */
#define OPENSHIFT_CONFIG "openshift-config"
/* Names a ConfigMap as spec.policy.name does, which the operator of OpenShift
 * 4.10 and later does not bear. */
#define OPENSHIFT_ANNOTATION "predicated.io/policy"

/* Texts are never NULL, "" is: not given. */
struct openshift_scheduler {
	const char *config_map;  /* with the policy; of the annotation, or else
				 * of spec.policy.name */
	const char *policy_name; /* spec.policy.name, even if the annotation
				  * wins */
	const char *profile;
	const char *node_selector; /* spec.defaultNodeSelector */
};

/* Whether it is such an object at all, by its kind and apiVersion. */
bool is_openshift_scheduler(const struct doc_node *root);

/* Texts live as long as the document.  -1: err has the position and path of the
 * problem; *out is untouched. */
int openshift_scheduler_read(const struct doc_node *root,
    struct openshift_scheduler *out, struct err *err);

#endif
