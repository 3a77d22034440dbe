/* kube-scheduler's metrics of plugins. */
#include "config.h"

#include <string.h>

#include "daemon/scheduler/flight.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "daemon/scheduler/plugins.h"
#include "decide/framework/profile.h"
#include "decide/framework/profiles.h"
#include "decide/framework/stopwatch.h"
#include "wire/metrics/metrics.h"
#include "objects/pod.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "daemon/queue/hints.h"
#include "decide/sched/decide.h"
#include "t/lib/t.h"
#include "t/lib/world.h"
#include "t/predicates/volumes.h"

struct stage {
	struct world *world;
	struct metrics *metrics;
	struct profile *profile;
	struct plugins *plugins;
	struct flights flights;
	uint64_t refusers; /* of the last try that failed */
};

static struct stage
begin(const char *objects)
{
	struct stage s = { .world = world_new(objects),
		.metrics = metrics_new() };

	s.profile = policy_provider("DefaultProvider",
	    &(struct policy_options){ .gates = gates_default });
	s.plugins = plugins_new(s.metrics, "s");
	plugins_set_profile(s.plugins, s.profile);
	s.world->cluster->kubernetes_minor = 36;
	return s;
}

static void
end(struct stage *s)
{
	flights_fini(&s->flights);
	plugins_free(s->plugins);
	profile_free(s->profile);
	metrics_free(s->metrics);
	world_free(s->world);
}

/* That of the pod. */
static struct refusal *
refusal(struct stage *s)
{
	return &flight_get(&s->flights, s->world->pod)->refusal;
}

static void
try(struct stage *s, const char *pod)
{
	struct decision *d;

	world_pod(s->world, pod);
	s->world->cycle.profile = s->profile;
	d = decide(&s->world->cycle);
	plugins_decided(s->plugins, d);
	if (d->chosen == NULL)
		s->refusers = plugins_refused(s->plugins, refusal(s),
		    s->world->cluster, s->world->pod, d);
}

static char *
shown(const struct stage *s)
{
	struct text text = { 0 };

	metrics_write(s->metrics, false, &text);
	return text_take(&text);
}

#define PODS(plugin, n)                                                        \
	"\nscheduler_unschedulable_pods{plugin=\"" plugin                      \
	"\",profile=\"s\"} " n "\n"
#define EVALUATIONS(plugin, point, n)                                          \
	"\nscheduler_plugin_evaluation_total{plugin=\"" plugin                 \
	"\",extension_point=\"" point "\",profile=\"s\"} " n "\n"

static void
refused_pods_count_for_each_plugin(void)
{
	struct stage s = begin(W_NODE("n1", "zone: a", "")
		W_NODE("n2", "", "unschedulable: true"));
	AUTOFREE char *first = NULL, *second = NULL, *third = NULL;

	try(&s, W_POD("big", "", "", W_REQUESTS("cpu: 100")));
	first = shown(&s);
	t_has("no room", first, PODS("NodeResourcesFit", "1"));
	t_has("a cordoned node", first, PODS("NodeUnschedulable", "1"));
	t_true("no other",
	    strstr(first, "plugin=\"NodeAffinity\",profile") == NULL);
	try(&s, W_POD("big", "", "", W_REQUESTS("cpu: 100")));
	try(&s, W_POD("lost", "", "", "nodeSelector: {zone: b}"));
	second = shown(&s);
	t_has("a pod counts once", second, PODS("NodeResourcesFit", "1"));
	t_has("another pod", second, PODS("NodeUnschedulable", "2"));
	t_has("of another plugin", second, PODS("NodeAffinity", "1"));
	plugins_forget(refusal(&s));
	plugins_forget(refusal(&s));
	third = shown(&s);
	t_has("it is tried again", third, PODS("NodeAffinity", "0"));
	t_has("the other one is not", third, PODS("NodeUnschedulable", "1"));
	end(&s);
}

static void
what_refused_a_pod_is_known(void)
{
	struct stage s = begin(W_NODE("n1", "zone: a", "")
		W_NODE("n2", "", "unschedulable: true"));

	try(&s, W_POD("lost", "", "", "nodeSelector: {zone: b}"));
	t_int("by rules", s.refusers,
	    PLUGIN_BIT(PLUGIN_NODE_AFFINITY) |
		PLUGIN_BIT(PLUGIN_NODE_UNSCHEDULABLE));
	try(&s, W_POD("p", "", "", "schedulingGroup: {podGroupName: g}"));
	t_int("by one that may look at anything", s.refusers, PLUGINS_UNKNOWN);
	end(&s);
}

static void
a_claim_for_one_pod_is_of_volume_restrictions(void)
{
	struct stage s = begin(W_NODE("n1", "", "")
		CLAIM_OF("a", "", "accessModes: [ReadWriteOncePod]")
		    W_POD("q", "", "n1", "volumes: [" USE("a") "]"));
	AUTOFREE char *got = NULL;

	try(&s, W_POD("p", "", "", "volumes: [" USE("a") "]"));
	got = shown(&s);
	t_has("it refused", got, PODS("VolumeRestrictions", "1"));
	t_true("no other",
	    strstr(got, "plugin=\"VolumeBinding\",prof") == NULL);
	end(&s);
}

static void
held_pods_count_by_field(void)
{
	struct stage s = begin(W_NODE("n1", "", ""));
	AUTOFREE char *held = NULL, *gone = NULL;

	try(&s, W_POD("p", "", "", "schedulingGroup: {podGroupName: g}"));
	held = shown(&s);
	t_has("by field", held,
	    "\npredicated_unsupported_pods{field=\"schedulingGroup\"} 1\n");
	t_has("by plugin", held, PODS("UnsupportedFields", "1"));
	plugins_forget(refusal(&s));
	gone = shown(&s);
	t_has("it is gone", gone,
	    "\npredicated_unsupported_pods{field=\"schedulingGroup\"} 0\n");
	end(&s);
}

static void
evaluations_are_counted(void)
{
	struct stage s = begin(
	    W_NODE("n1", "", "") W_NODE("n2", "", "") W_NODE("n3", "", ""));
	AUTOFREE char *got = NULL;

	try(&s, W_POD("p", "", "", ""));
	try(&s, W_POD("q", "", "", ""));
	got = shown(&s);
	t_has("filter: by node", got,
	    EVALUATIONS("NodeResourcesFit", "Filter", "6"));
	t_has("filter: by attempt", got,
	    EVALUATIONS("NodeResourcesFit", "PreFilter", "2"));
	t_has("score", got,
	    EVALUATIONS("NodeResourcesBalancedAllocation", "Score", "6"));
	t_has("who does not ask is not counted", got,
	    EVALUATIONS("InterPodAffinity", "Filter", "0"));
	end(&s);
}

static const char configuration[] =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "profiles: [{plugins: {multiPoint: {enabled: [{name: StickyJob}]}}}]\n";

/* Takes the stage's profile away. */
static struct profiles *
use_configuration(struct stage *s)
{
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profiles *profiles =
	    configuration_read("test", configuration, strlen(configuration),
		&(struct policy_options){ .gates = gates_default }, &problems,
		&err);

	t_str("read", err.text, "");
	problems_fini(&problems);
	profile_free(s->profile);
	s->profile = profiles->at[0];
	plugins_set_profile(s->plugins, s->profile);
	return profiles;
}

static void
plugins_of_a_profile_have_its_names(void)
{
	struct stage s = begin(
	    W_NODE("n1", "", "") W_NODE("n2", "", "unschedulable: true")
		W_OBJECT("StickyJob", "namespace: default, name: j, uid: u1",
		    "spec: {required: true}, status: {lastNode: n3}"));
	struct profiles *profiles = use_configuration(&s);
	AUTOFREE char *first = NULL, *second = NULL;

	try(&s, W_POD("big", "", "", W_REQUESTS("cpu: 100")));
	first = shown(&s);
	t_has("no room", first, PODS("NodeResourcesFit", "1"));
	t_has("a cordoned node", first, PODS("NodeUnschedulable", "1"));
	try(&s,
	    W_OBJECT("Pod",
		"name: p, namespace: default, uid: p, ownerReferences: "
		"[{kind: StickyJob, name: j, uid: u1}]",
		"spec: {}"));
	second = shown(&s);
	t_has("one of our own", second, PODS("StickyJob", "1"));
	t_has("its evaluations: of nodes that no other has refused", second,
	    EVALUATIONS("StickyJob", "Filter", "1"));
	t_has("of those that skip it not once", second,
	    EVALUATIONS("NodePorts", "PreFilter", "0"));
	t_has("PreFilter is once for each pod", second,
	    EVALUATIONS("NodeResourcesFit", "PreFilter", "2"));
	t_has("but for plugins that have none", second,
	    EVALUATIONS("TaintToleration", "PreFilter", "0"));
	try(&s,
	    W_POD("claims", "", "",
		"volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]"));
	t_int("pods that go do not bring the claim that is missing", s.refusers,
	    PLUGIN_BIT(PLUGIN_VOLUME_RESTRICTIONS));
	s.profile = NULL;
	plugins_set_profile(s.plugins, NULL);
	profiles_free(profiles);
	end(&s);
}

#define TIMED(plugin, point)                                                   \
	"\nscheduler_plugin_execution_duration_seconds_count{plugin=\"" plugin \
	"\",extension_point=\"" point "\",status=\"Success\"} 1\n"

static void
times_of_plugins_are_counted(void)
{
	struct stage s =
	    begin(W_NODE("n1", "zone: a", "") W_NODE("n2", "zone: a", ""));
	struct stopwatch watch = { 0 };
	AUTOFREE char *timed = NULL;
	double pre_filter, pre_score;

	world_pod(s.world, W_POD("p", "", "", "nodeSelector: {zone: a}"));
	s.world->cycle.profile = s.profile;
	s.world->cycle.stopwatch = &watch;
	decide(&s.world->cycle);
	plugins_timed(s.plugins, &watch, false, &pre_filter, &pre_score);
	timed = shown(&s);
	t_has("prepared", timed, TIMED("GeneralPredicates", "PreFilter"));
	t_has("checked", timed, TIMED("GeneralPredicates", "Filter"));
	t_has("scores prepared", timed, TIMED("TaintToleration", "PreScore"));
	t_has("scored", timed, TIMED("TaintToleration", "Score"));
	t_true("the sums", pre_filter > 0 && pre_score > 0);
	end(&s);
}

T_MAIN(T(refused_pods_count_for_each_plugin), T(what_refused_a_pod_is_known),
    T(a_claim_for_one_pod_is_of_volume_restrictions),
    T(held_pods_count_by_field), T(evaluations_are_counted),
    T(times_of_plugins_are_counted), T(plugins_of_a_profile_have_its_names))
