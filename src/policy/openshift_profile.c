/* The profiles of OpenShift's Scheduler object, as its operator renders them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "policy/configuration.h"
#include "policy/policy.h"

/* From this release on the operator renders v1 or a later version; before, from
 * 4.8 (1.21) on, v1beta1. */
#define V1_FROM 22
#define V1BETA1_FROM 18

#define NO_SCORING                                                             \
	"plugins: {preScore: {disabled: [{name: '*'}]},"                       \
	" score: {disabled: [{name: '*'}]}}"

/* The inside of a profile, in v1beta1 and in v1. */
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

static char *
configuration_of(const struct rendering *rendering,
    const struct policy_options *options)
{
	int minor = options->kubernetes_minor;
	bool old = minor >= V1BETA1_FROM && minor < V1_FROM;

	return xasprintf("--- {apiVersion: kubescheduler.config.k8s.io/%s,"
			 " kind: KubeSchedulerConfiguration, profiles:"
			 " [{schedulerName: default-scheduler%s%s}]}",
	    old ? "v1beta1" : "v1", *rendering->v1 != '\0' ? ", " : "",
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
