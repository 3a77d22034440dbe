/*
 * Compares every field of our decisions with results of the real kube-scheduler
 * 1.15.3 code: t/conformance [--only CATEGORY] [--show N] [--release 1.N] FILE…
 *
 * A file holds one case a line ({"case": …, "expect": …}), gzipped or not; its
 * name without .jsonl(.gz) is the category.  Prints "N passed, M failed" per
 * category and the first differences; exits 1 if any case failed.  Of a policy that is
 * refused, the rule or resource that its error names must be in one of our problems.
 *
 * With --release the results are those of that release under the case's policy,
 * or under its default profile (doc/semantics/11-kube-1.36.md, Recorded results), beside
 * which stands the default provider's policy; compared is which nodes fit, and on
 * which preemption makes room.
 * Deliberate exceptions:
 *
 *	foreign claims of pods       a pod on a node with an ephemeral volume whose
 *	that are there               claim is another's: the reference fails
 *	users of claims              a pod that uses a ReadWriteOncePod claim is not
 *	                             evicted for a claim of that name in another
 *	                             namespace
 */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"
#include "policy/configuration/configuration.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"
#include "t/lib/cases.h"
#include "t/lib/verdicts.h"

static int release; /* the minor version of --release; 0: 1.15 */

static struct problems problems; /* of the case's policy */

static struct profile *
read_policy(const struct doc_node *c, struct err *err, struct case_result *r)
{
	const struct doc_node *gates = doc_get(c, "featureGates");
	const struct doc_node *given = doc_get(c, "policyText");
	struct policy_options options = { .gates = gates_default };
	struct profile *profile;
	char *text = NULL, gate[128];
	size_t len;
	FILE *out;

	problems_fini(&problems);
	options.strict = case_true(c, "strict");
	if (gates != NULL)
		for (const struct doc_node *g = gates->first; g; g = g->next) {
			snprintf(gate, sizeof(gate), "%s=%d", g->key,
			    g->boolean);
			if (gates_parse(gate, &options.gates, NULL, NULL, err) <
				0 &&
			    release == 0)
				case_differs(r, "%s", err->text);
		}
	if (release != 0 && doc_get(c, "policy") == NULL)
		return policy_provider("DefaultProvider", &options);
	out = open_memstream(&text, &len);
	if (given != NULL)
		fwrite(given->text, 1, given->len, out);
	else
		case_write(out, doc_member(c, "policy"));
	fclose(out);
	profile = policy_read("policy", text, len, &options, &problems, err);
	free(text);
	return profile;
}

static struct cluster *
read_cluster(const struct doc_node *c, struct case_result *r)
{
	const struct doc_node *items = doc_get(doc_get(c, "cluster"), "items");
	struct cluster *cluster = cluster_new();
	struct err err;

	if (release != 0)
		cluster->kubernetes_minor = release;
	if (items == NULL)
		return cluster;
	for (const struct doc_node *i = items->first; i != NULL; i = i->next) {
		struct object *object;
		int ret = object_decode(NULL, i, "", &object, NULL, &err);

		if (ret < 0)
			case_differs(r, "cluster: %s", err.text);
		if (ret != 1)
			continue;
		cluster_put(cluster, object);
		object_unref(object);
	}
	return cluster;
}

static int
by_strcmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether the array holds exactly these strings, in any order. */
static bool
same_set(const struct doc_node *array, const char **got, size_t n)
{
	size_t count = array != NULL ? array->count : 0, i = 0;
	AUTOFREE const char **want = xcalloc(count, sizeof(*want));

	if (count != n)
		return false;
	if (count > 0)
		for (const struct doc_node *c = array->first; c; c = c->next)
			want[i++] = c->text;
	if (n == 0)
		return true;
	qsort(want, n, sizeof(*want), by_strcmp);
	qsort(got, n, sizeof(*got), by_strcmp);
	for (i = 0; i < n; i++)
		if (strcmp(want[i], got[i]) != 0)
			return false;
	return true;
}

static char *
joined(const char **texts, size_t n)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i > 0 ? "; " : "", texts[i]);
	fclose(out);
	return text;
}

static void
compare_set(struct case_result *r, const char *what,
    const struct doc_node *want, const char **got, size_t n)
{
	AUTOFREE char *wanted = NULL, *had = NULL;

	if (same_set(want, got, n))
		return;
	wanted = case_json(want);
	had = joined(got, n);
	case_differs(r, "%s: got [%s], want %s", what, had, wanted);
}

static void
compare_scores(struct case_result *r, const struct cycle *cycle,
    const struct decision *d, const struct node_info *node,
    const struct doc_node *want)
{
	const struct profile *profile = cycle->profile;
	const struct doc_node *scores = doc_get(want, "scores");
	uint32_t at = 0;

	while (d->feasible[at] != node->index)
		at++;
	if (scores != NULL && scores->count != profile->npriorities)
		case_differs(r, "%s: %zu scores, want %zu",
		    sym_text(node->name), profile->npriorities, scores->count);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const char *name = profile->priorities[i].name;
		const struct doc_node *score = doc_get(scores, name);
		char got[32];

		snprintf(got, sizeof(got), "%" PRId64, d->scores[i][at]);
		if (score == NULL || strcmp(score->text, got) != 0)
			case_differs(r, "%s: %s: got %s, want %s",
			    sym_text(node->name), name, got,
			    score != NULL ? score->text : "nothing");
	}
	if (doc_get(want, "total") != NULL) {
		char got[32];

		snprintf(got, sizeof(got), "%" PRId64, d->totals[at]);
		if (strcmp(got, doc_get(want, "total")->text) != 0)
			case_differs(r, "%s: total: got %s, want %s",
			    sym_text(node->name), got,
			    doc_get(want, "total")->text);
	}
}

static void
compare_node(struct case_result *r, const struct cycle *cycle,
    const struct decision *d, const struct node_info *node,
    const struct doc_node *want, bool scores)
{
	const struct node_verdict *v = &d->verdicts[node->index];
	bool fits = v->verdict == FITS;

	if (want == NULL) {
		case_differs(r, "%s: not expected", sym_text(node->name));
		return;
	}
	if (v->nreasons > 0 || doc_get(want, "reasons") != NULL)
		compare_set(r, sym_text(node->name), doc_get(want, "reasons"),
		    v->nreasons > 0 ? d->why.reasons + v->first_reason : NULL,
		    v->nreasons);
	if (fits != case_true(want, "fits"))
		case_differs(r, "%s: fits: got %d, want %d",
		    sym_text(node->name), fits, !fits);
	else if (fits && scores)
		compare_scores(r, cycle, d, node, want);
}

static size_t
pod_names(struct cycle *cycle, const struct pod **pods, size_t n,
    const char **names)
{
	for (size_t i = 0; i < n; i++)
		names[i] = arena_printf(cycle->arena, "%s/%s",
		    sym_text(pods[i]->object.namespace), pods[i]->object.name);
	return n;
}

static void
compare_preemption(struct case_result *r, struct cycle *cycle,
    struct decision *d, const struct doc_node *want)
{
	const struct preemption *p = preempt(cycle, d);
	const struct doc_node *choices = doc_get(want, "nodes"), *choice;
	AUTOFREE char *wanted = case_json(want);
	const char **names;

	if (p == NULL || p->node == NULL) {
		if (want != NULL && want->kind != DOC_NULL)
			case_differs(r, "preemption: got none, want %s",
			    wanted);
		return;
	}
	choice = doc_get(choices, sym_text(p->node->name));
	if (choice == NULL) {
		case_differs(r, "preemption: got %s with %zu victims, want %s",
		    sym_text(p->node->name), p->nvictims, wanted);
		return;
	}
	names = arena_alloc(cycle->arena,
	    (p->nvictims + p->nclears) * sizeof(*names));
	compare_set(r, "victims", doc_get(choice, "victims"), names,
	    pod_names(cycle, p->victims, p->nvictims, names));
	compare_set(r, "clears", doc_get(choice, "clears"), names,
	    pod_names(cycle, p->clears, p->nclears, names));
}

static void
compare_error(struct case_result *r, const char *got, const char *want)
{
	AUTOFREE char *parts = xstrdup(want);
	char *part, *rest = parts;

	while (rest != NULL && *rest != '\0') {
		part = rest;
		rest = strstr(part, "; ");
		if (rest != NULL) {
			*rest = '\0';
			rest += 2;
		}
		if (got == NULL || strstr(got, part) == NULL)
			case_differs(r, "message: got \"%s\", want \"%s\"",
			    got != NULL ? got : "", want);
	}
}

static void
compare_nodes_with_memo(struct case_result *r, struct cycle *cycle,
    struct decision *d, const struct decision *want)
{
	decision_spell_out(cycle, d);
	for (uint32_t i = 0; i < d->nnodes; i++)
		if (!verdicts_equal(d, want, i))
			case_differs(r, "with memo: another verdict on %s",
			    sym_text(cycle->cluster->nodes[i]->name));
	for (uint32_t i = 0; i < d->nfeasible && i < want->nfeasible; i++)
		if (d->totals[i] != want->totals[i])
			case_differs(r,
			    "with memo: a total of %" PRId64 ", not %" PRId64,
			    d->totals[i], want->totals[i]);
}

/* The daemon keeps results; they are not to change anything. */
static void
compare_with_memo(struct case_result *r, const struct cycle *cycle,
    const struct decision *want)
{
	struct ecache *ecache =
	    ecache_new(cycle->cluster, cycle->profile, 1 << 20);
	struct arena arena = ARENA_INIT;

	for (int time = 0; time < 2; time++) {
		struct cycle again = { .cluster = cycle->cluster,
			.profile = cycle->profile,
			.pod = cycle->pod,
			.class = cycle->class,
			.arena = &arena,
			.seed = cycle->seed,
			.ecache = ecache };
		struct decision *d = decide(&again);

		if ((d->error == NULL) != (want->error == NULL) ||
		    (d->error != NULL && strcmp(d->error, want->error) != 0))
			case_differs(r, "with ecache: error \"%s\"", d->error);
		if (d->chosen != want->chosen ||
		    d->nfeasible != want->nfeasible ||
		    d->nbest != want->nbest ||
		    d->best_total != want->best_total)
			case_differs(r,
			    "with memo: %u fit, %u are best, with %" PRId64,
			    d->nfeasible, d->nbest, d->best_total);
		if (d->error == NULL && want->error == NULL)
			compare_nodes_with_memo(r, &again, d, want);
	}
	ecache_free(ecache);
	arena_fini(&arena);
}

static void
compare_decision(struct case_result *r, struct cycle *cycle,
    const struct doc_node *expect)
{
	const struct cluster *cluster = cycle->cluster;
	struct decision *d = decide(cycle);
	const struct doc_node *error = doc_get(expect, "scheduleError");
	const struct doc_node *nodes = doc_get(expect, "nodes");
	bool scores = *case_text(expect, "priorityError") == '\0';
	const char **best;
	size_t nbest = 0;

	compare_with_memo(r, cycle, d);
	if (error != NULL && *error->text != '\0') {
		compare_error(r, d->error, error->text);
		return;
	}
	if (d->error != NULL) {
		case_differs(r, "error: got \"%s\", want none", d->error);
		return;
	}
	if (nodes != NULL && nodes->count != cluster->nnodes)
		case_differs(r, "%u nodes, want %zu", cluster->nnodes,
		    nodes->count);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		compare_node(r, cycle, d, cluster->nodes[i],
		    doc_get(nodes, sym_text(cluster->nodes[i]->name)), scores);
	if (d->chosen == NULL) {
		const char *message = decision_message(cycle, d);

		if (strcmp(message, case_text(expect, "message")) != 0)
			case_differs(r, "message: got \"%s\", want \"%s\"",
			    message, case_text(expect, "message"));
		compare_preemption(r, cycle, d,
		    doc_member(expect, "preemption"));
		return;
	}
	if (!scores)
		return;
	best = arena_alloc(cycle->arena, d->nfeasible * sizeof(*best));
	for (uint32_t i = 0; i < d->nfeasible; i++)
		if (d->totals[i] == d->best_total)
			best[nbest++] =
			    sym_text(cluster->nodes[d->feasible[i]]->name);
	compare_set(r, "best", doc_get(expect, "best"), best, nbest);
}

/* Whether the reference fails because of a pod that is on the node. */
static bool
fails_for_foreign_claim(const struct doc_node *want)
{
	const struct doc_node *reasons = doc_get(want, "reasons");

	return strcmp(case_text(want, "plugin"), "NodeVolumeLimits") == 0 &&
	    strcmp(case_text(want, "code"), "Error") == 0 && reasons != NULL &&
	    reasons->count > 0 &&
	    strstr(reasons->first->text, "(pod is not owner)") != NULL;
}

/* A pod goes to the node that it is nominated to, or to none of the kind. */
static void
compare_nominated(struct case_result *r, const struct decision *d,
    const struct doc_node *expect)
{
	const struct doc_node *best = doc_get(expect, "best");
	const char *chosen =
	    d->chosen != NULL ? sym_text(d->chosen->name) : "none";

	if (d->nominated != case_true(expect, "nominatedUsed"))
		case_differs(r, "nominated: got %d (%s)", d->nominated, chosen);
	else if (d->nominated && strcmp(best->first->text, chosen) != 0)
		case_differs(r, "nominated: got %s, want %s", chosen,
		    best->first->text);
}

/* Whether the pod has a ReadWriteOncePod claim, whose users in other namespaces the
 * reference evicts. */
static bool
has_exclusive_claim(const struct cycle *cycle)
{
	const struct pod_class *class = cycle->class;
	sym exclusive = sym_find("ReadWriteOncePod");

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    class->volumes[i].kind == VOLUME_CLAIM ?
		    cluster_claim(cycle->cluster, class->namespace,
			class->volumes[i].id) :
		    NULL;

		for (uint32_t j = 0; claim != NULL && j < claim->naccess_modes;
		     j++)
			if (claim->access_modes[j] == exclusive)
				return true;
	}
	return false;
}

/* Which node preemption takes, and how many victims there are: of pods that are
 * equally important any may stay. */
static void
compare_choice(struct case_result *r, struct cycle *cycle, struct decision *d,
    const struct doc_node *want)
{
	const struct preemption *p = preempt(cycle, d);
	const struct doc_node *ties = doc_get(want, "ties"), *victims, *tie;
	AUTOFREE char *wanted = case_json(want);
	const char *node;

	if (want == NULL || want->kind == DOC_NULL)
		return;
	if (p == NULL || p->node == NULL) {
		if (ties != NULL && ties->count > 0)
			case_differs(r, "preemption: got none, want %s",
			    wanted);
		return;
	}
	node = sym_text(p->node->name);
	tie = ties != NULL ? ties->first : NULL;
	while (tie != NULL && strcmp(tie->text, node) != 0)
		tie = tie->next;
	victims =
	    doc_get(doc_get(doc_get(want, "candidates"), node), "victims");
	if (tie == NULL || victims == NULL || victims->count != p->nvictims)
		case_differs(r, "preemption: got %s with %zu victims, want %s",
		    node, p->nvictims, wanted);
}

/* Which nodes fit, and of which preemption evicts pods; an attempt that fails as a
 * whole lets none. */
static void
compare_fits(struct case_result *r, struct cycle *cycle,
    const struct doc_node *expect)
{
	const struct cluster *cluster = cycle->cluster;
	const struct doc_node *nodes = doc_get(expect, "nodes");
	struct decision *d = decide(cycle);

	compare_with_memo(r, cycle, d);
	compare_nominated(r, d, expect);
	/* both attempts fail as a whole */
	if (d->error != NULL && *case_text(expect, "scheduleError") != '\0')
		return;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];
		const struct doc_node *want =
		    doc_get(nodes, sym_text(node->name));
		bool fits = d->error == NULL && d->verdicts[i].verdict == FITS;

		if (want == NULL || fails_for_foreign_claim(want) ||
		    fits == case_true(want, "fits"))
			continue;
		case_differs(r, "%s: fits: got %d (%s), want %d: %s %s",
		    sym_text(node->name), fits,
		    d->error != NULL ?
			d->error :
			d->verdicts[i].nreasons > 0 ?
			d->why.reasons[d->verdicts[i].first_reason] :
			"",
		    !fits, case_text(want, "plugin"),
		    doc_get(want, "reasons") != NULL &&
			    doc_get(want, "reasons")->count > 0 ?
			doc_get(want, "reasons")->first->text :
			"");
	}
	if (d->error == NULL && d->chosen == NULL && !r->failed &&
	    !has_exclusive_claim(cycle))
		compare_choice(r, cycle, d, doc_member(expect, "preemption"));
}

/* Whether one of our problems names what the error does. */
static bool
names_the_same(const char *error)
{
	static const char *const before[] = { "type not found for ",
		"Algorithm name ",
		", Priority: ", ", Predicate: ", "managed resource name ",
		"Priority for extender ", "Priority " };
	char name[128] = "";

	for (size_t i = 0; i < LENGTH(before) && *name == '\0'; i++) {
		const char *at = strstr(error, before[i]);

		if (at == error || (at != NULL && *before[i] != 'P'))
			sscanf(at + strlen(before[i]), "%127[^ ,]", name);
	}
	for (size_t i = 0; i < problems.n; i++)
		if (problems.at[i].severity == SEVERITY_ERROR &&
		    strstr(problems.at[i].text, name) != NULL)
			return true;
	return false;
}

static void
run_case(const struct doc_node *root, struct case_result *r)
{
	const struct doc_node *c = doc_get(root, "case");
	const struct doc_node *expect = doc_get(root, "expect");
	struct err err = { "" };
	struct profile *profile = read_policy(c, &err, r);
	struct arena arena = ARENA_INIT;
	struct cluster *cluster;
	struct pod *pod;

	if (release == 0 && !case_true(expect, "valid")) {
		if (profile != NULL)
			case_differs(r, "policy: accepted, want refused: %s",
			    case_text(expect, "error"));
		else if (!names_the_same(case_text(expect, "error")))
			case_differs(r, "policy: got \"%s\", want \"%s\"",
			    err.text, case_text(expect, "error"));
		profile_free(profile);
		return;
	}
	if (profile == NULL) {
		case_differs(r, "policy: refused: %s", err.text);
		return;
	}
	cluster = read_cluster(c, r);
	pod = (struct pod *)object_decode_as(NULL, OBJECT_POD,
	    doc_get(c, "pod"), &err);
	if (pod == NULL) {
		case_differs(r, "pod: %s", err.text);
	} else {
		struct cycle cycle = { .cluster = cluster,
			.profile = profile,
			.pod = pod,
			.class = pod->class,
			.arena = &arena,
			.seed = 1,
			.keep_scores = true };

		if (release != 0)
			compare_fits(r, &cycle, expect);
		else
			compare_decision(r, &cycle, expect);
		pod_unref(pod);
	}
	arena_fini(&arena);
	cluster_free(cluster);
	profile_free(profile);
}

static int
usage(void)
{
	fputs("usage: conformance [--only CATEGORY] [--show N] "
	      "[--release 1.N] FILE...\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "release", required_argument, NULL, 'r' },
		{ "only", required_argument, NULL, 'o' },
		{ "show", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct cases cases = { .run = run_case, .show = 3 };
	int opt, ret;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'o')
			cases.only = optarg;
		else if (opt == 's')
			cases.show = strtoul(optarg, NULL, 10);
		else if (opt == 'r' && sscanf(optarg, "1.%d", &release) == 1)
			continue;
		else
			return usage();
	}
	if (optind == argc)
		return usage();
	ret = cases_run(&cases, argc - optind, argv + optind);
	return ret == 0 && cases.passed == 0 ? usage() : ret;
}
