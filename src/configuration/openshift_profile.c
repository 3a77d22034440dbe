/*
 * The profiles of OpenShift's Scheduler object, as its operator renders them; and
 * texts in which that object may stand beside a policy or in its place.
 */
#include "config.h"

#include <stdio.h>

#include "base/doc.h"
#include "configuration/configuration.h"
#include "policy/openshift.h"
#include "policy/policy_internal.h"

/* The operator renders a version that its kube-scheduler reads: from 4.8 (1.21) on
 * v1beta1.  If the release is not known: v1. */
#define V1BETA1_FROM 18
#define V1BETA2_FROM 22
#define V1_FROM 25

#define NO_SCORING                                                             \
	"plugins: {preScore: {disabled: [{name: '*'}]},"                       \
	" score: {disabled: [{name: '*'}]}}"

/* The inside of a profile, in v1beta1, and in v1beta2 and v1. */
static const struct rendering {
	const char *name, *v1beta1, *v1;
} renderings[] = {
	{ "LowNodeUtilization", "", "" },
	{ "HighNodeUtilization",
	    ("plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated},"
	     " {name: NodeResourcesBalancedAllocation}],"
	     " enabled: [{name: NodeResourcesMostAllocated, weight: 5}]}}"),
	    ("plugins: {score: {disabled:"
	     " [{name: NodeResourcesBalancedAllocation}],"
	     " enabled: [{name: NodeResourcesFit, weight: 5}]}},"
	     " pluginConfig: [{name: NodeResourcesFit, args:"
	     " {scoringStrategy: {type: MostAllocated}}}]") },
	{ "NoScoring", NO_SCORING, NO_SCORING },
};

static const char *
version_for(int minor)
{
	if (minor < V1BETA1_FROM || minor >= V1_FROM)
		return "v1";
	return minor < V1BETA2_FROM ? "v1beta1" : "v1beta2";
}

static char *
configuration_of(const struct rendering *rendering,
    const struct policy_options *options)
{
	const char *version = version_for(options->kubernetes_minor);
	bool old = strcmp(version, "v1beta1") == 0;

	return xasprintf("--- {apiVersion: kubescheduler.config.k8s.io/%s,"
			 " kind: KubeSchedulerConfiguration, profiles:"
			 " [{schedulerName: default-scheduler%s%s}]}",
	    version, *rendering->v1 != '\0' ? ", " : "",
	    old ? rendering->v1beta1 : rendering->v1);
}

char *
policy_openshift_text(const char *name, const struct policy_options *options)
{
	for (size_t i = 0; i < LENGTH(renderings); i++)
		if (strcmp(renderings[i].name, name) == 0)
			return configuration_of(&renderings[i], options);
	return NULL;
}

static struct profile *
render(const struct rendering *rendering, const struct policy_options *options,
    struct err *err)
{
	AUTOFREE char *text = configuration_of(rendering, options);
	struct problems problems = { 0 };
	struct profile *profile =
	    profiles_first(configuration_read(rendering->name, text,
		strlen(text), options, &problems, err));

	if (profile != NULL)
		profile->scheduler_name = NULL;
	problems_fini(&problems);
	return profile;
}

struct profile *
policy_openshift_profile(const char *name, const struct policy_options *options,
    struct err *err)
{
	for (size_t i = 0; i < LENGTH(renderings); i++)
		if (strcmp(renderings[i].name, name) == 0)
			return render(&renderings[i], options, err);
	errf(err, "profile \"%s\" not recognized", name);
	return NULL;
}

/* A Scheduler object in a file. */

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
