/* The gate of the queue: PreEnqueue of the profile that serves the pod. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "daemon/scheduler/plugins.h"
#include "daemon/scheduler/scheduler.h"
#include "decide/framework/profile.h"
#include "wire/metrics/measure.h"
#include "wire/metrics/metrics.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WITHOUT(plugin)                                                        \
	"plugins: {preEnqueue: {disabled: [{name: " plugin "}]}}"
#define GATED "schedulingGates: [{name: g}]"
#define CLAIM "resourceClaims: [{name: c, resourceClaimName: x}]"
#define THE_CLAIM                                                              \
	W_OBJECT("ResourceClaim", "namespace: default, name: x", "spec: {}")

struct stage {
	struct scheduler scheduler;
	struct serving serving;
	struct account account;
	struct profile *profile;
	struct metrics *metrics;
	struct world *world;
};

/* Of a scheduler with one profile, whose name is s; takes it. */
static void
begin(struct stage *s, struct profile *profile, const char *objects)
{
	*s = (struct stage){ .profile = profile,
		.metrics = metrics_new(),
		.world = world_new(objects) };
	s->account = (struct account){ .name = sym_intern("s"),
		.measure = measure_new(s->metrics, "s"),
		.plugins = plugins_new(s->metrics, "s") };
	plugins_set_profile(s->account.plugins, profile);
	s->serving = (struct serving){ .profile = profile,
		.name = s->account.name,
		.account = &s->account };
	s->scheduler.options.cluster = s->world->cluster;
	s->scheduler.nserving = 1;
	s->scheduler.serving = &s->serving;
}

static void
end(struct stage *s)
{
	flights_fini(&s->scheduler.flights);
	plugins_free(s->account.plugins);
	measure_free(s->account.measure);
	metrics_free(s->metrics);
	world_free(s->world);
	profile_free(s->profile);
}

static bool
holds(struct stage *s, const char *scheduler, const char *spec)
{
	AUTOFREE char *pod = xasprintf(
	    "--- {kind: Pod, metadata: {namespace: "
	    "default, name: p, uid: p}, spec: {schedulerName: %s, %s}}",
	    scheduler, spec);

	world_pod(s->world, pod);
	return serving_holds(&s->scheduler, s->world->pod);
}

static void
each_profile_has_its_own(void)
{
	static const struct {
		const char *name, *version, *profile, *objects, *spec;
		bool held;
	} rows[] = {
		{ "no reason", "v1", "", "", "priority: 1", false },
		{ "gates", "v1", "", "", GATED, true },
		{ "without SchedulingGates", "v1", WITHOUT("SchedulingGates"),
		    "", GATED, false },
		{ "without any", "v1", WITHOUT("'*'"), "", GATED, false },
		{ "a claim that is missing", "v1", "", "", CLAIM, true },
		{ "one that exists", "v1", "", THE_CLAIM, CLAIM, false },
		{ "without DynamicResources", "v1", WITHOUT("DynamicResources"),
		    "", CLAIM, false },
		{ "disabled everywhere", "v1",
		    "plugins: {multiPoint: {disabled: [{name: "
		    "DynamicResources}]}}",
		    "", CLAIM, false },
		{ "1.20 has no PreEnqueue: gates", "v1beta1", "", "", GATED,
		    true },
		{ "1.20: claims are the rule's", "v1beta1", "", "", CLAIM,
		    false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct stage s;

		begin(&s,
		    t_configured_profile(rows[i].version, rows[i].profile),
		    rows[i].objects);
		t_int(rows[i].name, holds(&s, "s", rows[i].spec), rows[i].held);
		end(&s);
	}
}

static void
policies_hold_gated_pods(void)
{
	struct stage s;

	begin(&s, t_profile(T_POLICY(""), NULL), "");
	t_true("gates", holds(&s, "s", GATED));
	t_true("claims are the rule's", !holds(&s, "s", CLAIM));
	t_true("nobody's pod with gates", holds(&s, "other", GATED));
	t_true("nobody's pod", !holds(&s, "other", CLAIM));
	end(&s);
}

static char *
shown(const struct stage *s)
{
	struct text text = { 0 };

	metrics_write(s->metrics, false, &text);
	return text_take(&text);
}

#define POINT(profile, n)                                                      \
	"\nscheduler_framework_extension_point_duration_seconds_count{"        \
	"extension_point=\"PreEnqueue\",status=\"Success\",profile=\"" profile \
	"\"} " n "\n"
#define PLUGIN(plugin, status, n)                                              \
	"\nscheduler_plugin_execution_duration_seconds_count{plugin=\"" plugin \
	"\",extension_point=\"PreEnqueue\",status=\"" status "\"} " n "\n"
#define PODS(plugin, n)                                                        \
	"\nscheduler_unschedulable_pods{plugin=\"" plugin                      \
	"\",profile=\"s\"} " n "\n"

static void
it_is_measured(void)
{
	struct stage s;
	AUTOFREE char *got = NULL, *later = NULL;

	begin(&s, t_configured_profile("v1", ""), "");
	holds(&s, "s", GATED);
	got = shown(&s);
	t_has("the point", got, POINT("s", "1"));
	t_has("a plugin, in the first of ten", got,
	    PLUGIN("SchedulingGates", "UnschedulableAndUnresolvable", "1"));
	t_has("the pod", got, PODS("SchedulingGates", "1"));
	t_true("no plugin after it",
	    strstr(got, "_seconds_count{plugin=\"DynamicResources\"") == NULL);
	for (int i = 0; i < 10; i++)
		holds(&s, "s", CLAIM);
	later = shown(&s);
	t_has("each time", later, POINT("s", "11"));
	t_has("the eleventh", later, PLUGIN("SchedulingGates", "Success", "1"));
	t_has("of the pod's new reason", later, PODS("DynamicResources", "1"));
	t_has("not of the old one", later, PODS("SchedulingGates", "0"));
	end(&s);
}

static void
of_a_policy_the_pods_are_counted_alone(void)
{
	struct stage s;
	AUTOFREE char *got = NULL;

	begin(&s, t_profile(T_POLICY(""), NULL), "");
	holds(&s, "s", GATED);
	got = shown(&s);
	t_has("the pod", got, PODS("SchedulingGates", "1"));
	t_true("no point", strstr(got, "\"PreEnqueue\"") == NULL);
	end(&s);
}

T_MAIN(T(each_profile_has_its_own), T(policies_hold_gated_pods),
    T(it_is_measured), T(of_a_policy_the_pods_are_counted_alone))
