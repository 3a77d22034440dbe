/*
 * KubeSchedulerConfigurations as Go writes them, with all fields of a struct: --config
 * and configuration_read() accept and refuse the same, and what kube-scheduler of a
 * version takes for a default is one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "policy/configuration/configuration.h"
#include "options/options.h"
#include "t/lib/t.h"

enum outcome { DEFAULT, ACCEPTED, REFUSED };

static const char *const versions[] = { "v1alpha1", "v1alpha2", "v1beta1",
	"v1beta2", "v1beta3", "v1" };
enum { A1 = 1, A2 = 2, B1 = 4, B2 = 8, B3 = 16, V1 = 32 };
#define ALPHA (A1 | A2)
#define BETA (B1 | B2 | B3 | V1)
#define LATE (B2 | B3 | V1)
#define PROFILES (A2 | BETA)
#define ALL (A1 | PROFILES)

#define E "leaderElection: {"
#define C "clientConnection: {"
#define P "profiles: [{schedulerName: default-scheduler, "
#define ARGS(plugin, args)                                                     \
	P "pluginConfig: [{name: " plugin ", args: {" args "}}]}]"

static const struct row {
	unsigned versions;
	enum outcome want;
	const char *text;
} rows[] = {
	/* clang-format off */
	{ ALL, DEFAULT, "leaderElection: null" },
	{ ALL, DEFAULT, "leaderElection: {}" },
	{ ALL, DEFAULT, "clientConnection: null" },
	{ ALL, DEFAULT, "clientConnection: {}" },
	{ ALL, DEFAULT, "enableProfiling: false" },
	{ ALL, DEFAULT, "enableProfiling: null" },
	{ ALL, DEFAULT, "enableContentionProfiling: false" },
	{ ALL, DEFAULT, "enableContentionProfiling: null" },
	{ ALL, DEFAULT, "percentageOfNodesToScore: 0" },
	{ ALL, DEFAULT, "percentageOfNodesToScore: null" },
	{ ALL, REFUSED, "percentageOfNodesToScore: 101" },
	{ BETA, DEFAULT, "parallelism: null" },
	{ BETA, REFUSED, "parallelism: 0" },
	{ PROFILES, DEFAULT, "podInitialBackoffSeconds: null" },
	{ PROFILES, DEFAULT, "podMaxBackoffSeconds: null" },
	{ PROFILES, REFUSED, "podInitialBackoffSeconds: 0" },
	{ PROFILES, REFUSED, "podMaxBackoffSeconds: 0" },
	{ PROFILES, DEFAULT, "extenders: null" },
	{ PROFILES, DEFAULT, "extenders: []" },
	{ ALPHA | B1 | B2, DEFAULT, "healthzBindAddress: ''" },
	{ ALPHA | B1 | B2, DEFAULT, "healthzBindAddress: null" },
	{ ALPHA | B1 | B2, DEFAULT, "metricsBindAddress: ''" },
	{ ALPHA | B1 | B2, DEFAULT, "metricsBindAddress: null" },
	{ ALPHA | B1, DEFAULT, "healthzBindAddress: nonsense" },
	{ ALPHA | B1, REFUSED, "healthzBindAddress: '0.0.0.0:0'" },
	{ V1, DEFAULT, "delayCacheUntilActive: false" },
	{ A1, DEFAULT, "schedulerName: ''" },
	{ A1, DEFAULT, "schedulerName: null" },
	{ A1, DEFAULT, "hardPodAffinitySymmetricWeight: 0" },
	{ A1, DEFAULT, "plugins: null" },
	{ A1, DEFAULT, "plugins: {}" },
	{ A1, DEFAULT, "pluginConfig: null" },
	{ ALPHA, DEFAULT, "algorithmSource: null" },
	{ ALPHA, DEFAULT, "algorithmSource: {}" },
	{ ALPHA, DEFAULT, "algorithmSource: {provider: ''}" },
	{ ALPHA, DEFAULT, "algorithmSource: {provider: null}" },
	{ ALPHA, DEFAULT, "algorithmSource: {policy: null}" },
	{ ALPHA, DEFAULT, "algorithmSource: {policy: {}}" },
	{ ALPHA, DEFAULT,
	    "algorithmSource: {policy: {file: null, configMap: null}}" },
	{ ALPHA, REFUSED, "algorithmSource: {policy: {file: {name: a}}}" },
	{ ALPHA, REFUSED, "algorithmSource: {provider: 1}" },
	{ A1, REFUSED, "algorithmSource: {provider: NoSuch}" },
	{ A1, ACCEPTED,
	    "algorithmSource: {policy: {configMap: {name: a, namespace: ''}}}" },
	{ ALPHA, DEFAULT, "disablePreemption: false" },
	{ ALPHA, DEFAULT, "bindTimeoutSeconds: null" },
	{ A1, ACCEPTED, "bindTimeoutSeconds: 0" },

	{ ALL, DEFAULT, E "leaderElect: null}" },
	{ ALL, DEFAULT, E "leaseDuration: 0s, renewDeadline: 0s}" },
	{ ALL, DEFAULT, E "leaseDuration: null, renewDeadline: null}" },
	{ ALL, DEFAULT, E "retryPeriod: 0s}" },
	{ ALL, DEFAULT, E "retryPeriod: null}" },
	{ ALL, DEFAULT, E "resourceLock: ''}" },
	{ ALL, DEFAULT, E "resourceName: ''}" },
	{ ALL, DEFAULT, E "resourceNamespace: ''}" },
	{ ALL, DEFAULT, E "resourceLock: null, resourceName: null}" },
	{ ALL, DEFAULT, E "resourceNamespace: null}" },
	{ ALPHA, DEFAULT, E "lockObjectName: '', lockObjectNamespace: ''}" },
	{ ALPHA, DEFAULT, E "lockObjectName: null}" },
	{ ALL, ACCEPTED, E "leaderElect: false}" },
	{ ALL, ACCEPTED, E "leaderElect: false, leaseDuration: -1s}" },
	{ ALL, ACCEPTED, E "leaderElect: false, resourceLock: bogus}" },
	{ ALL, REFUSED, E "leaseDuration: -1s}" },
	{ ALL, REFUSED, E "leaseDuration: 9s}" },
	{ ALL, REFUSED, E "leaseDuration: 10s}" },
	{ ALL, REFUSED, E "renewDeadline: 15s}" },
	{ ALL, REFUSED, E "retryPeriod: 9s}" },
	{ ALL, REFUSED, E "resourceLock: bogus}" },
	{ ALL, ACCEPTED, E "resourceLock: leases}" },
	{ ALL & ~V1, ACCEPTED, E "resourceLock: endpoints}" },
	{ ALL & ~V1, ACCEPTED, E "resourceLock: configmaps}" },
	{ ALL & ~V1, ACCEPTED, E "resourceLock: endpointsleases}" },
	{ ALL & ~V1, ACCEPTED, E "resourceLock: configmapsleases}" },
	{ V1, REFUSED, E "resourceLock: configmapsleases}" },

	{ ALL, DEFAULT, C "kubeconfig: ''}" },
	{ ALL, DEFAULT, C "kubeconfig: null}" },
	{ ALL, DEFAULT, C "acceptContentTypes: '', contentType: ''}" },
	{ ALL, DEFAULT, C "acceptContentTypes: null, contentType: null}" },
	{ ALL, DEFAULT, C "qps: 0, burst: 0}" },
	{ ALL, DEFAULT, C "qps: 0.0, burst: null}" },
	{ ALL, DEFAULT, C "qps: null}" },
	{ ALL, ACCEPTED, C "qps: -1}" },
	{ ALL, ACCEPTED, C "contentType: application/cbor}" },
	{ ALL, ACCEPTED, C "acceptContentTypes: application/cbor}" },
	{ ALL, REFUSED, C "burst: -1}" },
	{ ALL, REFUSED, C "contentType: 1}" },

	{ PROFILES, DEFAULT, "profiles: null" },
	{ PROFILES, DEFAULT, "profiles: []" },
	{ PROFILES, DEFAULT, "profiles: [{schedulerName: null}]" },
	{ PROFILES, REFUSED, "profiles: [{schedulerName: ''}]" },
	{ PROFILES, DEFAULT, P "plugins: null, pluginConfig: null}]" },
	{ PROFILES, DEFAULT, P "plugins: {score: null}, pluginConfig: []}]" },
	{ PROFILES, DEFAULT,
	    P "plugins: {score: {enabled: null, disabled: null}}}]" },
	{ B3 | V1, DEFAULT, P "percentageOfNodesToScore: null}]" },
	{ B3 | V1, DEFAULT, P "percentageOfNodesToScore: 0}]" },
	{ B3 | V1, DEFAULT, P "plugins: {multiPoint: {}, preEnqueue: {}}}]" },
	{ LATE, ACCEPTED, P "plugins: {score: {enabled: [{name: ImageLocality,"
	    " weight: 0}]}}}]" },

	{ PROFILES, DEFAULT, ARGS("DefaultPreemption",
	    "minCandidateNodesPercentage: null, "
	    "minCandidateNodesAbsolute: null") },
	{ PROFILES, ACCEPTED, ARGS("DefaultPreemption",
	    "minCandidateNodesAbsolute: 0") },
	{ PROFILES, REFUSED, ARGS("DefaultPreemption",
	    "minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0") },
	{ PROFILES, DEFAULT,
	    ARGS("InterPodAffinity", "hardPodAffinityWeight: null") },
	{ PROFILES, ACCEPTED,
	    ARGS("InterPodAffinity", "hardPodAffinityWeight: 0") },
	{ V1, DEFAULT, ARGS("InterPodAffinity",
	    "ignorePreferredTermsOfExistingPods: false") },
	{ PROFILES, DEFAULT, ARGS("NodeAffinity", "addedAffinity: null") },
	{ PROFILES, DEFAULT, ARGS("NodeResourcesFit",
	    "ignoredResources: null, ignoredResourceGroups: null") },
	{ LATE, DEFAULT, ARGS("NodeResourcesFit", "scoringStrategy: null") },
	{ LATE, DEFAULT, ARGS("NodeResourcesFit",
	    "scoringStrategy: {type: LeastAllocated, resources: null, "
	    "requestedToCapacityRatio: null}") },
	{ LATE, REFUSED,
	    ARGS("NodeResourcesFit", "scoringStrategy: {type: ''}") },
	{ LATE, DEFAULT, ARGS("NodeResourcesFit",
	    "scoringStrategy: {type: LeastAllocated, resources: "
	    "[{name: cpu, weight: 0}, {name: memory, weight: 0}]}") },
	{ LATE, DEFAULT,
	    ARGS("NodeResourcesBalancedAllocation", "resources: null") },
	{ LATE, DEFAULT, ARGS("NodeResourcesBalancedAllocation",
	    "resources: [{name: cpu, weight: 0}, {name: memory, weight: 0}]") },
	{ A2 | B1, DEFAULT,
	    ARGS("NodeResourcesLeastAllocated", "resources: null") },
	{ PROFILES, DEFAULT, ARGS("PodTopologySpread",
	    "defaultConstraints: null, defaultingType: ''") },
	{ PROFILES, DEFAULT, ARGS("VolumeBinding",
	    "kind: '', apiVersion: '', bindTimeoutSeconds: null") },
	{ A2 | B1, REFUSED, ARGS("VolumeBinding", "bindTimeoutSeconds: 0") },
	{ LATE, ACCEPTED, ARGS("VolumeBinding", "bindTimeoutSeconds: 0") },
	{ LATE, DEFAULT, ARGS("VolumeBinding", "shape: null") },
	{ V1, DEFAULT, ARGS("DynamicResources",
	    "filterTimeout: null, bindingTimeout: null") },
	{ V1, ACCEPTED, ARGS("DynamicResources", "filterTimeout: 0s") },
	/* clang-format on */
};

/* Whether --config takes the text; *settings, which you own, are all options then. */
static bool
daemon_takes(const char *path, char **settings)
{
	char *argv[] = { "predicated", "--config", (char *)path };
	struct daemon_options options;
	struct problems problems = { 0 };
	size_t len;
	FILE *out = open_memstream(settings, &len);
	bool takes = daemon_options_parse(&options, LENGTH(argv), argv,
			 &problems, out) == DAEMON_OPTIONS_RUN;

	daemon_options_write(&options, out);
	for (size_t i = 0; i < options.nplain; i++)
		fprintf(out, "%s:%d %d %d\n", options.plain[i].address,
		    options.plain[i].port, options.plain[i].health,
		    options.plain[i].metrics);
	fclose(out);
	daemon_options_fini(&options);
	problems_fini(&problems);
	return takes;
}

static bool
tool_takes(const char *text)
{
	struct policy_options options = { 0 };
	struct problems problems = { 0 };
	struct err err;
	bool takes;

	options.gates = gates_default;
	profiles_free(configuration_read("a", text, strlen(text), &options,
	    &problems, &err));
	takes = problems.nerrors == 0;
	problems_fini(&problems);
	return takes;
}

static void
t_write(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0)
		abort();
}

static void
compare(const char *path, const char *version, const struct row *row)
{
	AUTOFREE char *settings = NULL, *defaults = NULL;
	AUTOFREE char *begin =
	    xasprintf("apiVersion: kubescheduler.config.k8s.io/%s\n"
		      "kind: KubeSchedulerConfiguration\n",
		version);
	AUTOFREE char *text = xasprintf("%s%s\n", begin, row->text);
	bool takes;

	t_write(path, begin);
	t_true(begin, daemon_takes(path, &defaults));
	t_write(path, text);
	takes = daemon_takes(path, &settings);
	t_int(text, tool_takes(text), row->want != REFUSED);
	/* Whether a profile can be made, the daemon asks later. */
	if (row->want != REFUSED || strstr(text, "profiles:") == NULL)
		t_int(text, takes, row->want != REFUSED);
	if (row->want == DEFAULT)
		t_str(text, settings, defaults);
}

static void
both_programs_read_alike(void)
{
	char path[] = "/tmp/predicated-configurations-XXXXXX";
	int fd = mkstemp(path);

	close(fd);
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (size_t v = 0; v < LENGTH(versions); v++)
			if (rows[i].versions & 1u << v)
				compare(path, versions[v], &rows[i]);
	unlink(path);
}

T_MAIN(T(both_programs_read_alike))
