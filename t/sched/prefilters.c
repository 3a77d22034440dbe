/* Prefilters of hand-made profiles: their order, verdicts, messages and JSON. */
#include "config.h"

#include "decide/sched/prefilters.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "decide/sched/decide.h"
#include "explain/explanation.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define TWO_NODES W_NODE("n1", "", "unschedulable: true") W_NODE("n2", "", "")
#define POD W_POD("p", "", "", "")

static enum verdict
pass(struct cycle *cycle, const void *args, struct why *why)
{
	return FITS;
}

/* The args are the reason. */
static enum verdict
reject(struct cycle *cycle, const void *args, struct why *why)
{
	return refuse(why, UNFIT, args);
}

static enum verdict
reject_forever(struct cycle *cycle, const void *args, struct why *why)
{
	return refuse(why, UNFIT_FOREVER, args);
}

static enum verdict
reject_twice(struct cycle *cycle, const void *args, struct why *why)
{
	why_add(why, "one");
	return refuse(why, UNFIT_FOREVER, "two");
}

static enum verdict
break_down(struct cycle *cycle, const void *args, struct why *why)
{
	cycle_fail(cycle, "%s", (const char *)args);
	return BROKEN;
}

static const struct plugin passes = { .pre_filter = pass };
static const struct plugin rejects = { .pre_filter = reject };
static const struct plugin rejects_forever = { .pre_filter = reject_forever };
static const struct plugin rejects_twice = { .pre_filter = reject_twice };
static const struct plugin breaks = { .pre_filter = break_down };

#define PREFILTERS 3

static const struct row {
	const char *name;
	int release;
	struct profile_prefilter prefilters[PREFILTERS];
	const char *message, *json; /* of the prefilter */
} rows[] = {
	{ "a filter decides if all pass", 36, { { &passes, NULL, "A" } },
	    "0/2 nodes are available: 1 node(s) had no room, "
	    "1 node(s) were unschedulable.",
	    NULL },
	{ "the first for good ends it", 36,
	    { { &rejects, "a", "A" }, { &rejects_forever, "b", "B" },
		{ &breaks, "c", "C" } },
	    "0/2 nodes are available: b.",
	    "{\"plugin\":\"B\",\"code\":\"UnschedulableAndUnresolvable\","
	    "\"message\":\"b\"}" },
	{ "else the last counts", 36,
	    { { &rejects, "a", "A" }, { &passes, "b", "B" },
		{ &rejects, "c", "C" } },
	    "0/2 nodes are available: c.",
	    "{\"plugin\":\"C\",\"code\":\"Unschedulable\","
	    "\"message\":\"c\"}" },
	{ "in 1.20 the first counts, and is counted by node", 20,
	    { { &passes, "a", "A" }, { &rejects, "b", "B" },
		{ &rejects, "c", "C" } },
	    "0/2 nodes are available: 2 b.",
	    "{\"plugin\":\"B\",\"code\":\"Unschedulable\","
	    "\"reasons\":[\"b\"]}" },
	{ "two reasons", 36, { { &rejects_twice, NULL, "A" } },
	    "0/2 nodes are available: one, two.",
	    "{\"plugin\":\"A\",\"code\":\"UnschedulableAndUnresolvable\","
	    "\"message\":\"one, two\"}" },
	{ "an error", 36,
	    { { &rejects, "a", "A" }, { &breaks, "gone", "B" },
		{ &rejects, "c", "C" } },
	    "running PreFilter plugin \"B\": gone",
	    "{\"plugin\":\"B\",\"code\":\"Error\",\"message\":"
	    "\"running PreFilter plugin \\\"B\\\": gone\"}" },
	{ "an error of 1.20", 20, { { &breaks, "gone", "A" } },
	    "running PreFilter plugin \"A\": gone",
	    "{\"plugin\":\"A\",\"code\":\"Error\",\"reasons\":"
	    "[\"running PreFilter plugin \\\"A\\\": gone\"]}" },
};

static enum verdict
has_no_room(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	return refuse(why, UNFIT, "node(s) had no room");
}

static const struct predicate no_room = { .name = "NoRoom",
	.reads = READS_NODE,
	.check = has_no_room };
static struct profile_predicate predicates_of_rows[] = {
	{ .unit = &predicate_check_node_unschedulable,
	    .name = "NodeUnschedulable" },
	{ .unit = &no_room, .name = "Room" },
};

static struct world *
world_of_row(const struct row *row)
{
	struct world *w = world_new(TWO_NODES);

	w->profile->release = w->profile->vocabulary = row->release;
	w->profile->scheduler_name = "mine";
	w->profile->prefilters = (struct profile_prefilter *)row->prefilters;
	for (size_t i = 0; i < PREFILTERS; i++)
		w->profile->nprefilters += row->prefilters[i].plugin != NULL;
	w->profile->predicates = predicates_of_rows;
	w->profile->npredicates = LENGTH(predicates_of_rows);
	world_pod(w, POD);
	w->cycle.keep_scores = true;
	return w;
}

static char *
json_of(struct world *w)
{
	struct explanation e = { 0 };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	explanation_find(&e, &w->cycle);
	explanation_json(&e, out);
	fclose(out);
	return text;
}

static void
a_rejection_is_about_all_nodes(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_of_row(&rows[i]);
		struct decision *d = decide(&w->cycle);
		AUTOFREE char *json = NULL, *want = NULL;

		t_str(rows[i].name, decision_message(&w->cycle, d),
		    rows[i].message);
		t_true(rows[i].name, d->chosen == NULL);
		json = json_of(w);
		want = xasprintf("\"prefilter\":%s",
		    rows[i].json != NULL ? rows[i].json : "null");
		t_has(rows[i].name, json, want);
		t_has(rows[i].name, json, "\"profile\":\"mine\"");
		world_free(w);
	}
}

static void
nodes_have_the_code_and_the_plugin(void)
{
	struct world *w = world_of_row(&rows[1]);
	AUTOFREE char *rejected = json_of(w), *refused = NULL;

	for (uint32_t i = 0; i < 2; i++)
		t_int("no node can be helped by preemption",
		    decision_verdict(decide(&w->cycle), i)->verdict,
		    UNFIT_FOREVER);
	t_has("rejected", rejected,
	    "{\"name\":\"n1\",\"fits\":false,"
	    "\"code\":\"UnschedulableAndUnresolvable\",\"plugin\":\"B\","
	    "\"reasons\":[\"b\"]");
	world_free(w);

	w = world_of_row(&rows[0]);
	refused = json_of(w);
	t_has("refused for good", refused,
	    "\"code\":\"UnschedulableAndUnresolvable\","
	    "\"plugin\":\"NodeUnschedulable\"");
	t_has("refused", refused,
	    "\"code\":\"Unschedulable\",\"plugin\":\"Room\"");
	world_free(w);
}

static void
a_node_that_fits_has_no_plugin(void)
{
	struct world *w = world_of_row(&rows[0]);
	AUTOFREE char *json = NULL;

	w->profile->npredicates = 1;
	json = json_of(w);
	t_has("fits", json, "\"code\":\"Success\",\"plugin\":\"\"");
	world_free(w);
}

static void
a_policy_has_no_codes(void)
{
	struct world *w = world_of_row(&rows[0]);
	AUTOFREE char *json = NULL;

	w->profile->release = 15;
	json = json_of(w);
	t_true("no code", strstr(json, "\"code\"") == NULL);
	t_true("no plugin", strstr(json, "\"plugin\"") == NULL);
	t_true("no profile", strstr(json, "\"profile\"") == NULL);
	world_free(w);
}

static enum verdict
fails(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	cycle_fail(cycle, "%s is odd", sym_text(node->name));
	return BROKEN;
}

static void
an_error_names_the_plugin(void)
{
	static const struct predicate broken = { .name = "Broken",
		.reads = READS_NODE,
		.check = fails };
	static struct profile_predicate breaking[] = {
		{ .unit = &broken, .name = "X" },
	};
	static const struct {
		int release;
		const char *text;
	} texts[] = {
		{ 36, "running \"X\" filter plugin: n1 is odd" },
		{ 20, "running \"X\" filter plugin for pod \"p\": n1 is odd" },
		{ 15, "[n1 is odd, n2 is odd]" },
	};

	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct world *w = world_of_row(&rows[0]);

		w->profile->release = texts[i].release;
		w->profile->predicates = breaking;
		w->profile->npredicates = 1;
		t_str("the first error",
		    decision_message(&w->cycle, decide(&w->cycle)),
		    texts[i].text);
		world_free(w);
	}
}

static enum verdict
fails_elsewhere(struct cycle *cycle, const struct node_info *node,
    const void *prep, struct why *why)
{
	return strcmp(sym_text(node->name), "n2") == 0 ?
	    FITS :
	    fails(cycle, node, prep, why);
}

static void
an_error_elsewhere_does_not_keep_a_pod_from_its_nominated_node(void)
{
	static const struct predicate broken = { .name = "Broken",
		.reads = READS_NODE,
		.check = fails_elsewhere };
	static struct profile_predicate breaking[] = {
		{ .unit = &broken, .name = "X" },
	};
	static const char *const pods[] = { POD,
		W_POD_IN("default", "p", "", "", "", "nominatedNodeName: n2") };

	for (size_t i = 0; i < LENGTH(pods); i++) {
		struct world *w = world_of_row(&rows[0]);
		const struct decision *d;

		w->profile->predicates = breaking;
		w->profile->npredicates = 1;
		w->cluster->kubernetes_minor = 36;
		world_pod(w, pods[i]);
		d = decide(&w->cycle);
		t_int("chosen", d->chosen != NULL, i);
		t_int("an error", d->error != NULL, !i);
		world_free(w);
	}
}

T_MAIN(T(a_rejection_is_about_all_nodes), T(nodes_have_the_code_and_the_plugin),
    T(a_node_that_fits_has_no_plugin), T(a_policy_has_no_codes),
    T(an_error_names_the_plugin),
    T(an_error_elsewhere_does_not_keep_a_pod_from_its_nominated_node))
