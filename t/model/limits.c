/* How much one pod may ask for. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/limits.h"
#include "objects/pod.h"
#include "decide/sched/decide.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define LATER "DuringSchedulingIgnoredDuringExecution"

/* before, n times item separated by commas, after: the inside of a spec */
static struct pod *
pod_with(unsigned n, const char *before, const char *item, const char *after)
{
	char *spec = xstrdup(before), *text;
	struct pod *pod;

	for (unsigned i = 0; i < n; i++) {
		char *longer =
		    xasprintf("%s%s%s", spec, i > 0 ? "," : "", item);

		free(spec);
		spec = longer;
	}
	text = xasprintf("--- {kind: Pod, metadata: {name: p, namespace: d},"
			 " spec: {%s%s}}",
	    spec, after);
	pod = world_decode_pod(text);
	free(text);
	free(spec);
	return pod;
}

static const struct row {
	const char *name;
	unsigned most;
	const char *before, *item, *after;
} rows[] = {
	{ "containers", 1000, "containers: [", "{name: c}", "]" },
	{ "containers", 1000, "initContainers: [", "{name: c}", "]" },
	{ "resources", 200, "containers: [",
	    "{name: c, resources: {requests: {cpu: 1, x.com/a: 1}}}", "]" },
	{ "hostPorts", 200, "containers: [{name: c, ports: [",
	    "{containerPort: 1, hostPort: 1}", "]}]" },
	{ "volumes", 500, "volumes: [", "{name: v}", "]" },
	{ "volumes", 499, "volumes: [{name: v, rbd: {image: i, monitors: [",
	    "m", "]}}]" },
	{ "resourceClaims", 100, "resourceClaims: [",
	    "{name: r, resourceClaimName: r}", "]" },
	{ "tolerations", 1000, "tolerations: [", "{operator: Exists}", "]" },
	{ "nodeRequirements", 1000,
	    "affinity: {nodeAffinity: {required" LATER
	    ": {nodeSelectorTerms: [",
	    "{matchExpressions: []}", "]}}}" },
	{ "nodeRequirements", 999,
	    "affinity: {nodeAffinity: {preferred" LATER
	    ": [{weight: 1, preference: {matchExpressions: [",
	    "{key: k, operator: Exists}", "]}}]}}" },
	{ "nodeValues", 10000,
	    "affinity: {nodeAffinity: {required" LATER
	    ": {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In,"
	    " values: [",
	    "v", "]}]}]}}}" },
	{ "podTerms", 50, "affinity: {podAffinity: {required" LATER ": [",
	    "{topologyKey: k}", "]}}" },
	{ "podTerms", 50, "affinity: {podAntiAffinity: {preferred" LATER ": [",
	    "{weight: 1, podAffinityTerm: {topologyKey: k}}", "]}}" },
	{ "podRequirements", 100,
	    "affinity: {podAffinity: {required" LATER ": [{topologyKey: k,"
	    " labelSelector: {matchExpressions: [",
	    "{key: k, operator: Exists}", "]}}]}}" },
	{ "podValues", 5000,
	    "affinity: {podAffinity: {required" LATER ": [{topologyKey: k,"
	    " namespaces: [",
	    "ns", "]}]}}" },
	{ "podRequirements", 100,
	    "affinity: {podAffinity: {required" LATER ": [{topologyKey: k,"
	    " namespaceSelector: {matchExpressions: [",
	    "{key: k, operator: Exists}", "]}}]}}" },
	{ "podRequirements", 100,
	    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: k,"
	    " whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [",
	    "k", "]}]" },
	{ "spreadConstraints", 8, "topologySpreadConstraints: [",
	    "{maxSkew: 1, topologyKey: k, whenUnsatisfiable: DoNotSchedule}",
	    "]" },
};

static void
what_is_beyond_a_limit_is_not_read(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct row *row = &rows[i];
		AUTOFREE char *option =
		    xasprintf("(--max-per-pod=%s=", row->name);
		struct pod *pod =
		    pod_with(row->most, row->before, row->item, row->after);
		const char *over;

		t_true(row->name, pod->class->over_limit == NULL);
		pod_unref(pod);
		pod =
		    pod_with(row->most + 1, row->before, row->item, row->after);
		over = pod->class->over_limit;
		t_true(row->name, over != NULL);
		if (over != NULL)
			t_true(over, strstr(over, option) != NULL);
		t_int(row->name, pod->class->nports, 0);
		t_int(row->name, pod->class->nspread, 0);
		t_int(row->name, pod->class->nvolumes, 0);
		t_int(row->name, pod->class->nresource_claims, 0);
		t_int(row->name, pod->class->ntolerations, 0);
		t_int(row->name, pod->class->affinity.nrequired, 0);
		t_int(row->name, pod->class->requested.nscalars, 0);
		pod_unref(pod);
	}
}

/* Its node must not be given more than is free. */
static void
what_it_requests_still_counts(void)
{
	struct pod *pod = pod_with(201, "containers: [",
	    "{name: c, resources: {requests: {cpu: 100m, x.com/a: 1}}}", "]");

	t_true("beyond", pod->class->over_limit != NULL);
	t_int("cpu", pod->class->requested.cpu_milli, 20100);
	t_int("held", pod->class->held.cpu_milli, 20100);
	t_int("full", pod->class->full.cpu_milli, 20100);
	pod_unref(pod);
}

static void
it_is_not_scheduled_and_says_why(void)
{
	struct world *w = world_new(W_NODE("n1", "", ""));
	struct pod *pod = pod_with(501, "volumes: [", "{name: v}", "]");

	world_pod(w, W_POD("p", "", "", ""));
	w->cycle.pod = pod;
	w->cycle.class = pod->class;
	t_str("error", decide(&w->cycle)->error,
	    "the pod has 501 volumes, and monitors of rbd volumes, more than "
	    "the limit of 500 (--max-per-pod=volumes=500)");
	pod_unref(pod);
	world_free(w);
}

static void
limits_are_an_option(void)
{
	static const char text[] = "--- {kind: Pod, metadata: {name: p}, "
				   "spec: {volumes: [{name: a}, {name: b}]}}";
	struct decode_settings settings = decode_defaults;
	struct pod_limits limits;
	struct err err;
	struct pod *few, *many;

	t_int("two", pod_limits_parse("podTerms=3,volumes=1", &limits, &err),
	    0);
	t_int("terms", limits.pod_terms, 3);
	t_int("volumes", limits.volumes, 1);
	t_int("the default", limits.tolerations, 1000);
	settings.pod_limits = limits;
	few = (struct pod *)t_decode_by(&settings, OBJECT_POD, text, &err);
	many = t_must_decode("by default", OBJECT_POD, text);
	t_true("beyond", few->class->over_limit != NULL);
	t_true("another's are its own", many->class->over_limit == NULL);
	pod_unref(few);
	pod_unref(many);
	t_int("unknown", pod_limits_parse("pods=3", &limits, &err), -1);
	t_str("unknown", err.text, "unknown pod limit \"pods\"");
	t_int("no number", pod_limits_parse("volumes=x", &limits, &err), -1);
	t_str("no number", err.text,
	    "\"volumes=x\" is not of the form "
	    "volumes=N");
	t_int("negative", pod_limits_parse("volumes=-1", &limits, &err), -1);
	t_int("none", pod_limits_parse("volumes", &limits, &err), -1);
	t_int("too great",
	    pod_limits_parse("volumes=99999999999", &limits, &err), -1);
	t_int("untouched", limits.volumes, 1);
}

T_MAIN(T(what_is_beyond_a_limit_is_not_read), T(what_it_requests_still_counts),
    T(it_is_not_scheduled_and_says_why), T(limits_are_an_option))
