/*
 * Policies: the one in force, another one on the whole cluster, and its forms.
 *
 * Another policy than the one in force: a request's body is
 *
 *	{"text": "...", "configuration": false, "changes": [
 *	    {"profile": null, "rule": "X", "kind": "scores", "weight": 3},
 *	    {"rule": "Y", "kind": "filters", "weight": 0}]}
 *
 * where each member may be absent: without "text" it is the policy in force.
 */
#include "config.h"

#include <math.h>

#include "base/clock.h"
#include "base/doc.h"
#include "base/sorted.h"
#include "cluster/cluster.h"
#include "decide/framework/profile.h"
#include "policy/configuration/configuration.h"
#include "policy/convert/convert.h"
#include "policy/convert/rules.h"
#include "daemon/page/answer_internal.h"
#include "tool/page/answer.h"
#include "explain/cluster_json.h"
#include "explain/whatif/audit.h"
#include "explain/whatif/diff.h"

/* Moves of one reply. */
#define USUAL_MOVES 200
#define MOST_MOVES 10000
/* Of what is not safe. */
#define NAMED_PODS 3
#define NAMED_NODES 20
/* Release that later configurations stand for (decide/framework/profile.h). */
#define RELEASE_V1BETA1 20

/* ---- another policy ---- */

/* Another policy, as a request's body has it. */
struct trial {
	struct profiles *profiles; /* NULL: it is refused */
	bool is_configuration;
	const char *text; /* with its changes; in the arena */
	size_t len;
	const char *refusal; /* the first error, or NULL */
	struct problems problems;
};

/* A body: a text within it may have escapes. */
static const struct doc_limits limits = { .bytes = 16u << 20,
	.depth = 10,
	.values = 100000 };

struct reading_body {
	struct doc *doc;
	const char *text;
	size_t len;
	size_t nchanges;
	struct rule_change *changes;
};

static int
read_change(const struct doc_node *node, struct rule_change *change,
    struct err *err)
{
	const char *kind = "scores";

	if (node->kind != DOC_OBJECT)
		return doc_errf(err, node, "a change must be an object");
	change->weight = 1;
	if (doc_get_members(node, "changes[].", err,
		"profile:s rule:s kind:s weight:d922337203685477580",
		&change->profile, &change->rule, &kind, &change->weight) != 0)
		return -1;
	change->kind =
	    strcmp(kind, "filters") == 0 ? RULE_FILTERS : RULE_SCORES;
	if (change->rule == NULL)
		return doc_errf(err, node, "a change needs a \"rule\"");
	if (change->kind == RULE_SCORES && strcmp(kind, "scores") != 0)
		return doc_errf(err, node,
		    "kind must be \"filters\" or \"scores\"");
	return 0;
}

static int
read_body(struct page_question *a, struct reading_body *body,
    struct trial *trial, struct err *err)
{
	const struct doc_node *root, *text;
	const struct doc_node *list = NULL;

	body->doc =
	    doc_parse("body", a->request->body, a->request->len, &limits, err);
	if (body->doc == NULL)
		return -1;
	root = doc_root(body->doc);
	if (root->kind != DOC_OBJECT)
		return doc_errf(err, root, "the body must be an object");
	if (doc_get_bool(root, "configuration", "configuration",
		&trial->is_configuration, err) != 0)
		return -1;
	text = doc_get(root, "text");
	if (text != NULL && text->kind != DOC_STRING)
		return doc_errf(err, text, "text must be a string");
	if (text != NULL) {
		body->text = text->text;
		body->len = text->len;
	}
	if (doc_get_array(root, "changes", "changes", &list, err) != 0)
		return -1;
	if (list == NULL)
		return 0;
	body->changes = arena_array(&a->arena, struct rule_change, list->count);
	EACH_CHILD (n, list)
		if (read_change(n, &body->changes[body->nchanges++], err) != 0)
			return -1;
	return 0;
}

/* "policy.cfg", without the folder: the problems' positions are in the editor. */
static const char *
file_name(const struct page_question *a)
{
	const char *name = a->view->policy_name;
	const char *slash = name != NULL ? strrchr(name, '/') : NULL;

	if (slash != NULL)
		return slash + 1;
	return name != NULL && *name != '\0' ? name : "policy.cfg";
}

static void
read_profiles(struct page_question *a, struct trial *trial)
{
	struct policy_options how = a->view->policy_options;
	struct profile *profile;
	struct err err = { "" };

	how.project_node_selectors = true; /* as commands read policies */
	how.kubernetes_minor = a->view->cluster->kubernetes_minor;
	if (trial->is_configuration) {
		trial->profiles = configuration_read(file_name(a), trial->text,
		    trial->len, &how, &trial->problems, &err);
	} else {
		profile = trial->text != NULL ?
		    policy_read(file_name(a), trial->text, trial->len, &how,
			&trial->problems, &err) :
		    policy_provider("DefaultProvider", &how);
		trial->profiles =
		    profile != NULL ? profiles_of_one(profile) : NULL;
	}
	if (trial->profiles == NULL)
		trial->refusal =
		    arena_strndup(&a->arena, err.text, strlen(err.text));
}

/* Reads the text again as the changes have made it. */
static int
change(struct page_question *a, struct trial *trial,
    const struct reading_body *body, struct err *err)
{
	struct text out = { 0 };

	if ((trial->text == NULL ||
		!rules_reweigh(trial->text, trial->len, trial->profiles,
		    body->nchanges, body->changes, &out)) &&
	    rules_change(trial->text, trial->len, trial->profiles,
		body->nchanges, body->changes, &out, err) != 0)
		return -1;
	profiles_free(trial->profiles);
	problems_fini(&trial->problems);
	trial->problems = (struct problems){ 0 };
	trial->len = out.len;
	trial->text = arena_strndup(&a->arena, out.bytes, out.len);
	text_fini(&out);
	read_profiles(a, trial);
	return 0;
}

static void
trial_fini(struct trial *trial)
{
	profiles_free(trial->profiles);
	problems_fini(&trial->problems);
	trial->profiles = NULL;
}

/* False: the reply is an error.  Free the trial with trial_fini(). */
static bool
trial_read(struct page_question *a, struct trial *trial)
{
	struct reading_body body = { 0 };
	struct err err;
	int rc;

	*trial =
	    (struct trial){ .is_configuration = a->view->is_configuration };
	rc = read_body(a, &body, trial, &err);
	if (rc == 0) {
		trial->text = body.text != NULL ?
		    arena_strndup(&a->arena, body.text, body.len) :
		    a->view->policy;
		trial->len = body.text != NULL ? body.len : a->view->policy_len;
		read_profiles(a, trial);
		if (trial->profiles != NULL && body.nchanges > 0)
			rc = change(a, trial, &body, &err);
	}
	doc_free(body.doc);
	if (rc == 0)
		return true;
	trial_fini(trial);
	answer_error(a, 400, "%s", err.text);
	return false;
}

/* ---- its text ---- */

/* The policy's text; the default provider's is written out. */
static const char *
whole_text(struct page_question *a, const char *text,
    const struct profiles *profiles)
{
	struct text out = { 0 };
	const char *copy;
	struct err err;

	if (text != NULL)
		return text;
	rules_change(NULL, 0, profiles, 0, NULL, &out, &err);
	copy = arena_strndup(&a->arena, out.bytes, out.len);
	text_fini(&out);
	return copy;
}

static void
answer_text(struct page_question *a)
{
	const struct web_view *view = a->view;

	answer_open(a);
	json_members(&a->json, "name:s configuration:b text:s",
	    view->policy_name, view->is_configuration,
	    whole_text(a, view->policy, view->profiles));
	answer_profiles(a, view->profiles);
	answer_close(a);
}

/* ---- whether a cluster is safe ---- */

static const struct profile *
serve_all(const void *arg, const struct profiles *profiles,
    const struct pod *pod)
{
	return profiles->at[0];
}

static double
excess(const struct audit_node *n)
{
	return (double)n->requested /
	    (double)(n->allocatable > 0 ? n->allocatable : 1);
}

static int
compare_excess(const void *a, const void *b)
{
	double x = excess(a), y = excess(b);

	return x < y ? 1 : x > y ? -1 : 0;
}

static void
put_overcommitted(struct json_out *json, struct audit *audit)
{
	size_t nodes = 0;

	/* by name so far */
	for (size_t i = 0; i < audit->nnodes; i++)
		nodes +=
		    i == 0 || audit->nodes[i].node != audit->nodes[i - 1].node;
	SORT(audit->nodes, audit->nnodes, compare_excess);
	json_members(json, "nodes:z", nodes);
	json_open_member(json, "overcommitted", '[');
	for (size_t i = 0; i < audit->nnodes && i < NAMED_NODES; i++) {
		const struct audit_node *n = &audit->nodes[i];

		json_object(json, "node:n resource:s requested:d allocatable:d",
		    n->node->name, n->resource, n->requested, n->allocatable);
	}
	json_close(json, ']');
}

/* How many pods break the rule, and the first of them. */
static void
put_broken(struct json_out *json, const struct audit *audit, const char *rule,
    uint64_t bit)
{
	size_t n = 0;

	for (size_t i = 0; i < audit->npods; i++)
		n += (audit->pods[i].broken & bit) != 0;
	if (n == 0)
		return;
	json_open(json, '{');
	json_members(json, "rule:s pods:z", rule, n);
	json_open_member(json, "examples", '[');
	for (size_t i = 0, k = 0; i < audit->npods && k < NAMED_PODS; i++) {
		if ((audit->pods[i].broken & bit) == 0)
			continue;
		json_object(json, "pod:s node:n",
		    pod_full_name(audit->pods[i].pod),
		    audit->pods[i].pod->node);
		k++;
	}
	json_close(json, ']');
	json_close(json, '}');
}

/*
 * The member "safety": as predicatectl audit finds it, but by the rules of Kubernetes
 * itself: a policy that lacks a rule breaks none of its own.
 */
static void
put_safety(struct page_question *a, struct cluster *cluster)
{
	struct policy_options how = a->view->policy_options;
	struct whatif w;
	struct profiles *profiles;
	const struct profile *rules;
	struct audit audit;

	how.kubernetes_minor = cluster->kubernetes_minor;
	profiles = profiles_of_one(policy_provider("DefaultProvider", &how));
	rules = profiles->at[0];
	asked_whatif(a, &w, cluster, profiles);
	w.serving = serve_all;
	audit_placement(&audit, &w);
	json_open_member(&a->json, "safety", '{');
	json_members(&a->json, "checked:z pods:z", audit.nchecked, audit.npods);
	put_overcommitted(&a->json, &audit);
	JSON_ARRAY (&a->json, "rules", i, rules->npredicates)
		if (i < 64)
			put_broken(&a->json, &audit, rules->predicates[i].name,
			    UINT64_C(1) << i);
	json_close(&a->json, '}');
	audit_fini(&audit);
	whatif_fini(&w);
	profiles_free(profiles);
}

/* ---- the whole cluster, placed again ---- */

/* The member "replay": balance, and the requests on each node by name. */
static void
put_replay(struct page_question *a, const struct cluster *cluster,
    const struct balance *balance, size_t npods, size_t nplaced, size_t nfixed)
{
	json_open_member(&a->json, "replay", '{');
	json_members(&a->json, "pods:z placed:z fixed:z", npods, nplaced,
	    nfixed);
	balance_json(&a->json, "balance", balance, nplaced);
	answer_requested(a, cluster, balance);
	json_close(&a->json, '}');
}

static void
replay_all(struct page_question *a, struct cluster *cluster,
    const struct profiles *profiles, bool safety)
{
	struct diff d;
	struct whatif w;

	asked_whatif(a, &w, cluster, profiles);
	w.seed += asked_number(a, "seed", 0, SIZE_MAX);
	diff_place_old(&d, &w, a->view->npods, a->view->pods);
	put_replay(a, cluster, &d.old_balance, d.npods, d.old_placed, d.nfixed);
	diff_fini(&d);
	whatif_fini(&w);
	if (safety)
		put_safety(a, cluster);
}

static void
answer_baseline(struct page_question *a)
{
	double start = clock_seconds();

	answer_open(a);
	replay_all(a, a->view->cluster, a->view->profiles,
	    asked_text(a, "seed") == NULL);
	json_members(&a->json, "seconds:3", clock_seconds() - start);
	answer_close(a);
}

/* ---- the workbench ---- */

static void
put_moves(struct page_question *a, const struct diff *d)
{
	size_t limit = asked_number(a, "limit", USUAL_MOVES, MOST_MOVES), n = 0;
	struct json_out *json = &a->json;

	json_open_member(json, "moves", '{');
	diff_json(json, d);
	JSON_ARRAY (json, "rules", i, d->nrules)
		json_object(json, "rule:s pods:u", d->rules[i].name,
		    d->rules[i].pods);
	json_open_member(json, "pods", '[');
	/* First those that lose their place. */
	for (size_t i = 0; i < 2 * d->npods && n < limit; i++) {
		const struct diff_pod *p = &d->pods[i % d->npods];

		if (p->old_node == p->new_node ||
		    (p->new_node == SYM_NONE) != (i < d->npods))
			continue;
		json_object(json,
		    "pod:s now:n old:n new:n cause:s rule:s why:s",
		    pod_full_name(p->pod), p->now, p->old_node, p->new_node,
		    diff_cause_name(p->cause), p->rule, p->why);
		n++;
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
compare(struct page_question *a, const struct profiles *profiles)
{
	const struct web_view *view = a->view;
	struct whatif old, new;
	struct diff d;

	asked_whatif(a, &old, view->cluster, view->profiles);
	asked_whatif(a, &new, view->copy(view->arg, profiles, 0, 1).cluster,
	    profiles);
	diff_find(&d, &old, &new, view->npods, view->pods, 0);
	put_replay(a, new.cluster, &d.new_balance, d.npods, d.new_placed,
	    d.nfixed);
	put_moves(a, &d);
	diff_fini(&d);
	whatif_fini(&old);
	whatif_fini(&new);
	put_safety(a, new.cluster);
	cluster_free(new.cluster);
}

/* Parts of a cluster, large enough to be like the whole, that are compared for an
 * estimate. */
#define PARTS_COMPARED 5
#define PART_NODES 200

/*
 * The member "estimate": of the pods of so many about how many the policy places
 * otherwise, and the error, which 19 of 20 such estimates do not exceed (a ratio of two
 * numbers over a sample of clusters of pods); null where the whole takes no longer.
 */
static void
estimate(struct page_question *a, const struct profiles *profiles)
{
	const struct web_view *view = a->view;
	const unsigned nparts = view->cluster->nnodes / PART_NODES;
	const double m = PARTS_COMPARED,
		     quantile = 2.776; /* Student's, m - 1 */
	double moved[PARTS_COMPARED], npods[PARTS_COMPARED];
	double all_moved = 0, all = 0, share, squares = 0, error;

	json_key(&a->json, "estimate");
	if (nparts < 2 * PARTS_COMPARED) {
		json_raw(&a->json, NULL);
		return;
	}
	for (unsigned i = 0; i < PARTS_COMPARED; i++) {
		struct web_copy before =
		    view->copy(view->arg, view->profiles, i, nparts);
		struct web_copy after =
		    view->copy(view->arg, profiles, i, nparts);
		struct whatif old, new;
		struct diff d;

		asked_whatif(a, &old, before.cluster, view->profiles);
		asked_whatif(a, &new, after.cluster, profiles);
		diff_find(&d, &old, &new, before.npods, before.pods, 1);
		npods[i] = (double)before.npods;
		moved[i] =
		    (double)(d.nelsewhere + d.nunschedulable + d.nschedulable);
		all += npods[i];
		all_moved += moved[i];
		diff_fini(&d);
		whatif_fini(&old);
		whatif_fini(&new);
	}
	share = all > 0 ? all_moved / all : 0;
	for (unsigned i = 0; i < PARTS_COMPARED; i++)
		squares += pow(moved[i] - share * npods[i], 2);
	error = all > 0 ? quantile * sqrt(squares * m / (m - 1)) / all : 0;
	json_object(&a->json, "pods:z asked:z moves:d error:d", view->npods,
	    (size_t)all, (int64_t)lround(share * (double)view->npods),
	    (int64_t)lround(error * (double)view->npods));
}

static void
answer_workbench(struct page_question *a)
{
	double start = clock_seconds();
	struct trial trial;

	if (!trial_read(a, &trial))
		return;
	answer_open(a);
	json_members(&a->json, "valid:b refusal:s", trial.profiles != NULL,
	    trial.refusal);
	JSON_ARRAY (&a->json, "problems", i, trial.problems.n) {
		const struct problem *p = &trial.problems.at[i];

		json_object(&a->json, "severity:s line:u column:u message:s",
		    p->severity == SEVERITY_ERROR ? "error" : "warning",
		    p->line, p->column, p->text);
	}
	json_members(&a->json, "configuration:b text:s", trial.is_configuration,
	    trial.profiles != NULL ? whole_text(a, trial.text, trial.profiles) :
				     trial.text);
	if (trial.profiles != NULL) {
		const char *stage = asked_text(a, "stage");

		answer_profiles(a, trial.profiles);
		if (stage == NULL || strcmp(stage, "full") == 0)
			compare(a, trial.profiles);
		else if (strcmp(stage, "quick") == 0)
			replay_all(a, asked_cluster(a, trial.profiles),
			    trial.profiles, false);
		else if (strcmp(stage, "estimate") == 0)
			estimate(a, trial.profiles);
	}
	json_members(&a->json, "seconds:3", clock_seconds() - start);
	answer_close(a);
	trial_fini(&trial);
}

/* ---- its forms ---- */

/* A policy in a ConfigMap is taken out of it. */
static void
put_policy(struct page_question *a, const struct trial *trial,
    const struct profile *profile, struct text *out, struct problems *notes)
{
	AUTOFREE char *inner = trial->text != NULL ?
	    policy_in_config_map(trial->text, trial->len) :
	    NULL;

	if (profile->vocabulary >= RELEASE_V1BETA1)
		convert_profile(profile, out, notes);
	else
		text_put(out,
		    inner != NULL ?
			inner :
			whole_text(a, trial->text, trial->profiles));
}

/* The name of the file; NULL: there is no such form. */
static const char *
write_form(struct page_question *a, const char *form, const struct trial *trial,
    struct text *out, struct problems *notes)
{
	const struct profile *profile = trial->profiles->at[0];
	struct convert_target target;
	struct text policy = { 0 };
	struct err err;

	if (strcmp(form, "policy") == 0) {
		put_policy(a, trial, profile, out, notes);
		return "policy.cfg";
	}
	/* as the OpenShift manual has it made */
	if (strcmp(form, "configmap") == 0) {
		const char *text;

		put_policy(a, trial, profile, &policy, notes);
		text_put(out,
		    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n"
		    "  name: scheduler-policy\n  namespace: openshift-config\n"
		    "data:\n  policy.cfg: |\n");
		/* "" or the policy as lines of a YAML block. */
		text = policy.bytes;
		while (*text != '\0') {
			size_t len = strcspn(text, "\n");

			if (len > 0) {
				text_put(out, "    ");
				text_append(out, text, len);
			}
			text_put(out, "\n");
			text += len;
			text += *text == '\n';
		}
		text_fini(&policy);
		return "scheduler-policy.yaml";
	}
	if (convert_target(form, 0, &target, &err) == 0) {
		if (profile->vocabulary >= RELEASE_V1BETA1)
			text_put(out,
			    whole_text(a, trial->text, trial->profiles));
		else
			convert_policy(profile,
			    profile->scheduler_name != NULL ?
				profile->scheduler_name :
				"default-scheduler",
			    &target, out, notes);
		return "kubescheduler.yaml";
	}
	return NULL;
}

static void
answer_export(struct page_question *a)
{
	const char *form = asked_text(a, "to"), *name = NULL;
	struct problems notes = { 0 };
	struct text out = { 0 };
	struct trial trial;

	if (!trial_read(a, &trial))
		return;
	if (trial.profiles == NULL) {
		answer_error(a, 422, "the policy is refused: %s",
		    trial.refusal);
	} else {
		name = write_form(a, form != NULL ? form : "policy", &trial,
		    &out, &notes);
		if (name == NULL)
			answer_error(a, 400,
			    "to must be policy, configmap, v1beta1, "
			    "v1beta2, v1beta3 or v1");
	}
	if (name != NULL) {
		answer_open(a);
		json_members(&a->json, "name:s text:s", name, out.bytes);
		JSON_ARRAY (&a->json, "notes", i, notes.n)
			json_string(&a->json, notes.at[i].text);
		answer_close(a);
	}
	problems_fini(&notes);
	text_fini(&out);
	trial_fini(&trial);
}

/* ---- one pod, by another policy ---- */

static void
answer_trial_of_pod(struct page_question *a)
{
	struct trial trial;

	if (!trial_read(a, &trial))
		return;
	if (trial.profiles != NULL)
		answer_pod_by(a, trial.profiles);
	else
		answer_error(a, 422, "the policy is refused: %s",
		    trial.refusal);
	trial_fini(&trial);
}

/* ---- all paths ---- */

static void
answer_command(struct page_question *a)
{
	a->view->command(a->view->arg, a->request, a->reply);
}

static const struct route {
	const char *path;
	bool post;
	void (*answer)(struct page_question *a);
} routes[] = {
	{ "policy", false, answer_text },
	{ "pod", true, answer_trial_of_pod },
	{ "baseline", false, answer_baseline },
	{ "workbench", true, answer_workbench },
	{ "export", true, answer_export },
	{ "audit", false, answer_command },
	{ "capacity", false, answer_command },
	{ "defrag", false, answer_command },
	{ "drain", false, answer_command },
	{ "tune", false, answer_command },
	{ "why-not", false, answer_command },
};

static const char *
name_of(const char *path)
{
	static const char folder[] = "/api/v1/";

	return strncmp(path, folder, strlen(folder)) == 0 ?
	    path + strlen(folder) :
	    "";
}

bool
web_has_path(const char *path, bool *get, bool *post)
{
	const char *name = name_of(path);
	const struct route *route =
	    FIND_ROW(routes, LENGTH(routes), path, name);

	*post = route != NULL && route->post;
	*get = (route != NULL && !route->post) || answer_has(name);
	return *get || *post;
}

void
web_answer(const struct web_view *view, const struct server_request *request,
    struct reply *reply)
{
	const char *name = name_of(request->path);
	const struct route *route =
	    FIND_ROW(routes, LENGTH(routes), path, name);

	answer_with(view, request, reply,
	    route != NULL && route->post == request->post ? route->answer :
							    NULL);
}
