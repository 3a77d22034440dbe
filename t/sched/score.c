/* The score stage of profiles of the framework, as explanations show it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "decide/sched/decide.h"
#include "explain/explanation.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define ONE W_NODE("n1", "", "")
#define TWO ONE W_NODE("n2", "", "")
#define PLAIN W_POD("p", "", "", "")
#define BOGUS                                                                  \
	W_POD("p", "", "",                                                     \
	    "affinity: {nodeAffinity: "                                        \
	    "{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "  \
	    "preference: {matchExpressions: [{key: a, operator: X}]}}]}}")
#define BOGUS_36                                                               \
	"[0].matchExpressions[0].operator: Unsupported value: \"X\": "         \
	"supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", "  \
	"\"Gt\", \"Lt\""

/* Only these plugins score, and run before that; lists of {name: ...}. */
#define ONLY(pre_score, score)                                                 \
	"plugins: {preScore: {disabled: [{name: '*'}], enabled: [" pre_score   \
	"]}, score: {disabled: [{name: '*'}], enabled: [" score "]}}"

static const char *
flat(struct world *w, const char *json)
{
	char *text = arena_strndup(&w->arena, json, strlen(json)), *to = text;

	for (const char *from = json; *from != '\0'; from++)
		if (*from != '\n' && *from != ' ')
			*to++ = *from;
	*to = '\0';
	return text;
}

/* "scores" and "total" of the first node; or else the message. */
static const char *
explained(struct world *w, const struct profile *profile)
{
	struct explanation e = { 0 };
	AUTOFREE char *json = NULL;
	size_t len;
	FILE *out = open_memstream(&json, &len);
	const char *text, *from, *total;

	w->cluster->kubernetes_minor = profile->release;
	w->cycle.profile = profile;
	w->cycle.keep_scores = true;
	explanation_find(&e, &w->cycle);
	explanation_json(&e, out);
	fclose(out);
	if (e.message[0] != '\0')
		return e.message;
	text = flat(w, json);
	from = strstr(text, "\"scores\"");
	total = from != NULL ? strstr(from, "\"total\"") : NULL;
	if (total == NULL)
		return text;
	return arena_strndup(&w->arena, from,
	    (size_t)(total - from) + strcspn(total, ",}"));
}

struct row {
	const char *name, *version, *profile, *objects, *pod, *shown;
};

static void
check_shown(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		struct profile *profile =
		    t_configured_profile(row->version, row->profile);
		struct world *w = world_new(row->objects);

		world_pod(w, row->pod);
		t_str(row->name, explained(w, profile), row->shown);
		world_free(w);
		profile_free(profile);
	}
}

/* clang-format off */
static const struct row skipped[] = {
	{ "PreScore skips what has nothing to say", "v1", "", TWO, PLAIN,
	    ("\"scores\":{\"TaintToleration\":100,\"NodeResourcesFit\":100,"
	    "\"DynamicResources\":0,\"ImageLocality\":0},\"total\":400") },
	{ "but not where it does not run", "v1",
	    ONLY("", "{name: NodeAffinity}, {name: VolumeBinding}, "
		"{name: NodeResourcesBalancedAllocation}"), TWO, PLAIN,
	    ("\"scores\":{\"NodeAffinity\":0,\"VolumeBinding\":0,"
	    "\"NodeResourcesBalancedAllocation\":0},\"total\":0") },
	{ "1.20 skips nothing", "v1beta1", "", TWO, PLAIN,
	    ("\"scores\":{\"NodeResourcesBalancedAllocation\":100,"
	    "\"ImageLocality\":0,\"InterPodAffinity\":0,"
	    "\"NodeResourcesLeastAllocated\":100,\"NodeAffinity\":0,"
	    "\"NodePreferAvoidPods\":100,\"PodTopologySpread\":100,"
	    "\"TaintToleration\":100},\"total\":1000500") },
	{ "without score plugins the total is 1", "v1", ONLY("", ""), TWO,
	    PLAIN, "\"scores\":{},\"total\":1" },
	{ "weights below 0 multiply", "v1",
	    "plugins: {multiPoint: {disabled: [{name: '*'}], enabled: "
	    "[{name: PrioritySort}, {name: TaintToleration, weight: -2}, "
	    "{name: DefaultBinder}]}}", TWO, PLAIN,
	    "\"scores\":{\"TaintToleration\":100},\"total\":-200" },
};

static const struct row failed[] = {
	{ "in PreScore", "v1", "", TWO, BOGUS,
	    "running PreScore plugin \"NodeAffinity\": " BOGUS_36 },
	{ "in Score where PreScore does not run", "v1",
	    ONLY("", "{name: NodeAffinity}"), TWO, BOGUS,
	    ("running Score plugins: plugin \"NodeAffinity\" failed with: "
	    BOGUS_36) },
	{ "in Score of 1.20", "v1beta1", "", TWO, BOGUS,
	    ("running Score plugins: plugin \"NodeAffinity\" failed with: "
	    "\"X\" is not a valid node selector operator") },
	{ "PreScore comes before Score", "v1",
	    ONLY("{name: NodeAffinity}", "{name: TaintToleration}, "
		"{name: NodeAffinity}"), TWO, BOGUS,
	    "running PreScore plugin \"NodeAffinity\": " BOGUS_36 },
	{ "a state that is missing", "v1",
	    ONLY("", "{name: TaintToleration}"), TWO, PLAIN,
	    ("running Score plugins: plugin \"TaintToleration\" failed with: "
	    "failed to read \"PreScoreTaintToleration\" from cycleState: "
	    "not found") },
	{ "of InterPodAffinity", "v1", ONLY("", "{name: InterPodAffinity}"),
	    TWO, PLAIN,
	    ("running Score plugins: plugin \"InterPodAffinity\" failed with: "
	    "failed to read \"PreScoreInterPodAffinity\" from cycleState: "
	    "not found") },
	{ "of PodTopologySpread", "v1", ONLY("", "{name: PodTopologySpread}"),
	    TWO, PLAIN,
	    ("running Score plugins: plugin \"PodTopologySpread\" failed with: "
	    "error reading \"PreScorePodTopologySpread\" from cycleState: "
	    "not found") },
	{ "of SelectorSpread", "v1beta1",
	    ONLY("", "{name: SelectorSpread}"), TWO, PLAIN,
	    ("running Score plugins: plugin \"SelectorSpread\" failed with: "
	    "reading \"PreScoreSelectorSpread\" from cycleState: "
	    "not found") },
	{ "a node without rival is not scored", "v1", "", ONE, BOGUS,
	    "\"scores\":{},\"total\":null" },
};
/* clang-format on */

static void
plugins_that_prescore_skips_are_not_shown(void)
{
	check_shown(skipped, LENGTH(skipped));
}

static void
errors_are_those_of_the_stage(void)
{
	check_shown(failed, LENGTH(failed));
}

/* Amounts that wrap around: the requests there are below 0. */
#define WRAPS(node)                                                            \
	W_NODE_STATUS(node, "", "",                                            \
	    "allocatable: {pods: 110, cpu: 4, memory: 1000}")                  \
	W_POD("a-" node, "", node, W_REQUESTS("cpu: 0, memory: 8E"))           \
	W_POD("b-" node, "", node, W_REQUESTS("cpu: 0, memory: 8E"))

static void
a_score_out_of_range_is_an_error(void)
{
	static const char start[] =
	    "applying score defaultWeights on Score plugins: plugin "
	    "\"NodeResourcesFit\" returns an invalid score ";
	static const char end[] =
	    ", it should in the range of [0, 100] after normalizing";
	struct profile *profile =
	    t_configured_profile("v1", ONLY("", "{name: NodeResourcesFit}"));
	struct world *w = world_new(TWO WRAPS("m1") WRAPS("m2"));
	struct ecache *ecache = ecache_new(w->cluster, profile, 1 << 20);
	const struct decision *d;
	const char *text;

	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 0, memory: 0")));
	text = explained(w, profile);
	t_true("where it begins", strncmp(text, start, strlen(start)) == 0);
	t_true("and ends", strstr(text, end) != NULL);

	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 0, memory: 0")));
	w->cycle.profile = profile;
	w->cycle.ecache = ecache;
	d = decide(&w->cycle);
	t_str("with what was kept, too", d->error != NULL ? d->error : "",
	    text);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

T_MAIN(T(plugins_that_prescore_skips_are_not_shown),
    T(errors_are_those_of_the_stage), T(a_score_out_of_range_is_an_error))
