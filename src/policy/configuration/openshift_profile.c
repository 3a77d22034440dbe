/*
 * The profiles of OpenShift's Scheduler object, as its operator renders them; and
 * texts in which that object may stand beside a policy or in its place.
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>

#include "base/doc.h"
#include "policy/configuration/configuration.h"
#include "policy/openshift.h"
#include "policy/policy_internal.h"

/* No scoring plugin. */
#define NO_SCORING                                                             \
	"plugins: {preScore: {disabled: [{name: '*'}]},"                       \
	" score: {disabled: [{name: '*'}]}}"
#define MOST_ALLOCATED                                                         \
	"plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated}],"   \
	" enabled: [{name: NodeResourcesMostAllocated}]}}"
#define MOST_ALLOCATED_5                                                       \
	"plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated},"    \
	" {name: NodeResourcesBalancedAllocation}],"                           \
	" enabled: [{name: NodeResourcesMostAllocated, weight: 5}]}}"
#define FIT_MOST_ALLOCATED                                                     \
	"plugins: {score: {disabled:"                                          \
	" [{name: NodeResourcesBalancedAllocation}],"                          \
	" enabled: [{name: NodeResourcesFit, weight: 5}]}},"                   \
	" pluginConfig: [{name: NodeResourcesFit, args:"                       \
	" {scoringStrategy: {type: MostAllocated}}}]"

/* OpenShift 4.5 */
#define FIRST_OPERATOR 18

/* What the operator renders, by the last Kubernetes release of its kube-scheduler:
 * OpenShift 4.7, 4.9, 4.14 and later ones.  high: the inside of
 * HighNodeUtilization's profile; the others' is the same in all. */
static const struct rendering {
	int last;
	const char *version, *high;
} renderings[] = {
	{ 20, "v1beta1", MOST_ALLOCATED },
	{ 22, "v1beta1", MOST_ALLOCATED_5 },
	{ 27, "v1beta3", FIT_MOST_ALLOCATED },
	{ INT_MAX, "v1", FIT_MOST_ALLOCATED },
};

char *
policy_openshift_text(const char *name, const struct policy_options *options)
{
	const struct rendering *by = renderings;
	int minor = options->kubernetes_minor;
	const char *inside;

	/* 15 may stand for one that is not known: the newest. */
	while (
	    by->last < INT_MAX && (minor < FIRST_OPERATOR || minor > by->last))
		by++;
	if (strcmp(name, "LowNodeUtilization") == 0)
		inside = "";
	else if (strcmp(name, "HighNodeUtilization") == 0)
		inside = by->high;
	else if (strcmp(name, "NoScoring") == 0)
		inside = NO_SCORING;
	else
		return NULL;
	return xasprintf("--- {apiVersion: kubescheduler.config.k8s.io/%s,"
			 " kind: KubeSchedulerConfiguration, profiles:"
			 " [{schedulerName: default-scheduler%s%s}]}",
	    by->version, *inside != '\0' ? ", " : "", inside);
}

struct profile *
policy_openshift_profile(const char *name, const struct policy_options *options,
    struct err *err)
{
	AUTOFREE char *text = policy_openshift_text(name, options);
	struct problems problems = { 0 };
	struct profile *profile;

	if (text == NULL) {
		errf(err, "profile \"%s\" not recognized", name);
		return NULL;
	}
	profile = profiles_first(configuration_read(name, text, strlen(text),
	    options, &problems, err));
	if (profile != NULL)
		profile->scheduler_name = NULL;
	problems_fini(&problems);
	return profile;
}

/* A Scheduler object in a file. */

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

static bool
read_scheduler(struct reading *reading, const struct doc_node *root,
    struct profile **profile)
{
	struct openshift_scheduler scheduler;
	const char *name;
	struct err err;

	*profile = NULL;
	if (openshift_scheduler_read(root, &scheduler, &err) != 0) {
		reading_report(reading, SEVERITY_ERROR, root, "%s",
		    without_place(reading, err.text));
		return true;
	}
	if (scheduler.config_map[0] == '\0') {
		name = *scheduler.profile != '\0' ? scheduler.profile :
						    "LowNodeUtilization";
		*profile =
		    policy_openshift_profile(name, reading->options, &err);
		if (*profile == NULL)
			reading_report(reading, SEVERITY_ERROR,
			    doc_get(doc_get(root, "spec"), "profile"), "%s",
			    err.text);
		return true;
	}
	reading->config_map =
	    arena_printf(&reading->arena, "%s", scheduler.config_map);
	reading->config_map_line = root->line;
	reading->config_map_column = root->column;
	return false;
}

/*
 * Looks for OpenShift's Scheduler object in the text.  True: *profile is the
 * object's profile (NULL if it is invalid).  False: there is no such object, or
 * it names a ConfigMap, which is then in reading.
 */
static bool
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

struct profile *
policy_read(const char *name, const char *text, size_t len,
    const struct policy_options *options, struct problems *problems,
    struct err *err)
{
	struct reading reading = { .options = options,
		.problems = problems,
		.file = name };
	size_t errors_before = problems->nerrors;
	struct profile *profile;

	if (options->strict || !openshift_read(&reading, text, len, &profile))
		profile = policy_read_text(&reading, text, len);

	if (problems->nerrors > errors_before) {
		profile_free(profile);
		profile = NULL;
		reading_error(&reading, err);
	}
	arena_fini(&reading.arena);
	return profile;
}

struct profile *
policy_read_file(const char *path, const struct policy_options *options,
    struct problems *problems, struct err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "stdin" : path;
	struct err failure;
	size_t len = 0;
	AUTOFREE char *text = policy_file_text(path, &len, &failure);

	if (text == NULL) {
		problem_add(problems, SEVERITY_ERROR, name, 0, 0, "%s",
		    failure.text);
		errf(err, "%s", failure.text);
		return NULL;
	}
	return policy_read(name, text, len, options, problems, err);
}
