#include "config.h"

#include "policy/openshift.h"

#include <stdio.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "model/validation.h"
#include "policy/policy_internal.h"

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

/* In files. */

static void
refuse_scheduler(struct reading *reading, const struct doc_node *at,
    const char *sentence)
{
	reading_report(reading, SEVERITY_ERROR, at, "%s", sentence);
	reading->undecodable = true;
}

/* Without the place, which reading_report() adds. */
static const char *
without_place(const struct reading *reading, const char *text)
{
	size_t len = strlen(reading->file);
	int end = 0;

	if (strncmp(text, reading->file, len) != 0)
		return text;
	sscanf(text + len, ":%*u:%*u: %n", &end);
	return text + len + end;
}

static struct profile *
profile_of(struct reading *reading, const struct doc_node *root,
    const char *name)
{
	struct err err;
	struct profile *profile =
	    policy_openshift_profile(name[0] != '\0' ? name :
						       "LowNodeUtilization",
		reading->options, &err);

	if (profile == NULL)
		refuse_scheduler(reading,
		    doc_get(doc_get(root, "spec"), "profile"), err.text);
	return profile;
}

static bool
read_scheduler(struct reading *reading, const struct doc_node *root,
    struct profile **profile)
{
	struct openshift_scheduler scheduler;
	struct err err;

	*profile = NULL;
	if (openshift_scheduler_read(root, &scheduler, &err) != 0) {
		refuse_scheduler(reading, root,
		    without_place(reading, err.text));
		return true;
	}
	if (scheduler.config_map[0] == '\0') {
		*profile = profile_of(reading, root, scheduler.profile);
		return true;
	}
	reading->config_map =
	    arena_printf(&reading->arena, "%s", scheduler.config_map);
	reading->config_map_line = root->line;
	reading->config_map_column = root->column;
	return false;
}

bool
openshift_read(struct reading *reading, const char *text, size_t len,
    struct profile **profile)
{
	const struct doc_node *root;
	struct doc_reader *docs;
	bool whole = false, found = false;

	if (memmem(text, len, OPENSHIFT_VERSION, strlen(OPENSHIFT_VERSION)) ==
	    NULL)
		return false;
	docs =
	    doc_open_text(reading->file, text, len, &doc_limits_people, true);
	while (!found && doc_next(docs, &root, NULL) == 1) {
		found = is_openshift_scheduler(root);
		if (found)
			whole = read_scheduler(reading, root, profile);
	}
	doc_close(docs);
	return whole;
}
