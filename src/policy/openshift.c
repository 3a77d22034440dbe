#include "config.h"

#include "policy/openshift.h"

#include "base/doc.h"
#include "objects/validation.h"

bool
is_openshift_scheduler(const struct doc_node *root)
{
	const char *kind = "", *version = "";

	return doc_get_string(root, "kind", "kind", &kind, NULL) == 0 &&
	    doc_get_string(root, "apiVersion", "apiVersion", &version, NULL) ==
	    0 &&
	    strcmp(kind, "Scheduler") == 0 &&
	    strcmp(version, OPENSHIFT_VERSION) == 0;
}

/* The API server does not validate names of other objects. */
static int
check_name(const struct doc_node *node, const char *key, const char *path,
    const char *name, struct err *err)
{
	if (name[0] == '\0' ||
	    validate_dns1123_subdomain(name, strlen(name), NULL) == 0)
		return 0;
	return doc_errf(err, doc_get(node, key),
	    "%s: \"%.100s\" is not a valid ConfigMap name", path, name);
}

int
openshift_scheduler_read(const struct doc_node *root,
    struct openshift_scheduler *out, struct err *err)
{
	const struct doc_node *metadata = NULL, *annotations = NULL,
			      *spec = NULL, *policy = NULL;
	struct openshift_scheduler it = { "", "", "", "" };

	if (doc_get_object(root, "metadata", "metadata", &metadata, err) != 0 ||
	    doc_get_object(metadata, "annotations", "metadata.annotations",
		&annotations, err) != 0 ||
	    doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_object(spec, "policy", "spec.policy", &policy, err) != 0 ||
	    doc_get_string(policy, "name", "spec.policy.name", &it.policy_name,
		err) != 0 ||
	    doc_get_string(annotations, OPENSHIFT_ANNOTATION,
		"metadata.annotations[" OPENSHIFT_ANNOTATION "]",
		&it.config_map, err) != 0 ||
	    doc_get_string(spec, "profile", "spec.profile", &it.profile, err) !=
		0 ||
	    doc_get_string(spec, "defaultNodeSelector",
		"spec.defaultNodeSelector", &it.node_selector, err) != 0 ||
	    check_name(policy, "name", "spec.policy.name", it.policy_name,
		err) != 0 ||
	    check_name(annotations, OPENSHIFT_ANNOTATION,
		"metadata.annotations[" OPENSHIFT_ANNOTATION "]", it.config_map,
		err) != 0)
		return -1;
	if (it.config_map[0] == '\0')
		it.config_map = it.policy_name;
	*out = it;
	return 0;
}
