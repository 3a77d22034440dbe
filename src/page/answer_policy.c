/* Policies: the one in force, another one on the whole cluster, and its forms. */
#include "config.h"

#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "framework/profile.h"
#include "policy/convert.h"
#include "policy/rules.h"
#include "page/answer_internal.h"
#include "page/balance_json.h"
#include "whatif/diff.h"
#include "whatif/replay.h"

/* Moves of one reply. */
#define USUAL_MOVES 200
#define MOST_MOVES 10000
/* Release that later configurations stand for (framework/profile.h). */
#define RELEASE_V1BETA1 20

/* ---- rules ---- */

static void
put_rules(struct asking *a, const char *key, const struct profile *profile,
    enum rule_kind kind)
{
	size_t n;
	const struct rule *rules = rules_of(profile, kind, &a->arena, &n);

	json_key(&a->json, key);
	json_open(&a->json, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&a->json, '{');
		json_pair(&a->json, "name", rules[i].name);
		json_pair_bool(&a->json, "on", rules[i].on);
		if (kind == RULE_SCORES) {
			json_pair_int(&a->json, "weight", rules[i].weight);
		}
		json_pair_bool(&a->json, "required", rules[i].required);
		json_pair_bool(&a->json, "custom", rules[i].custom);
		json_pair_int(&a->json, "line", rules[i].line);
		json_pair_int(&a->json, "column", rules[i].column);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

static void
put_profiles(struct asking *a, const struct profiles *profiles)
{
	json_key(&a->json, "profiles");
	json_open(&a->json, '[');
	for (size_t i = 0; i < profiles->n; i++) {
		const struct profile *profile = profiles->at[i];

		json_open(&a->json, '{');
		json_pair(&a->json, "schedulerName", profile->scheduler_name);
		json_pair_int(&a->json, "scoreMax", profile->score_max);
		json_pair_int(&a->json, "extenders",
		    (int64_t)profile->nextenders);
		put_rules(a, "filters", profile, RULE_FILTERS);
		put_rules(a, "scores", profile, RULE_SCORES);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

/* The policy's text; the default provider's is written out. */
static const char *
whole_text(struct asking *a, const char *text, const struct profiles *profiles)
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
put_text(struct asking *a, bool is_configuration, const char *text)
{
	json_pair_bool(&a->json, "configuration", is_configuration);
	json_pair(&a->json, "text", text);
}

void
answer_policy(struct asking *a)
{
	const struct web_view *view = a->view;

	answer_open(a);
	json_pair(&a->json, "name", view->policy_name);
	put_text(a, view->is_configuration,
	    whole_text(a, view->policy, view->profiles));
	put_profiles(a, view->profiles);
	answer_close(a);
}

/* ---- the whole cluster, placed again ---- */

/* The member "replay": balance, and the requests on each node by name. */
static void
put_replay(struct asking *a, const struct cluster *cluster,
    const struct balance *balance, size_t npods, size_t nplaced, size_t nfixed)
{
	json_key(&a->json, "replay");
	json_open(&a->json, '{');
	json_pair_int(&a->json, "pods", (int64_t)npods);
	json_pair_int(&a->json, "placed", (int64_t)nplaced);
	json_pair_int(&a->json, "fixed", (int64_t)nfixed);
	balance_json(&a->json, "balance", balance, nplaced);
	answer_requested(a, cluster, balance);
	json_close(&a->json, '}');
}

static void
put_seconds(struct asking *a, double start)
{
	json_key(&a->json, "seconds");
	json_number(&a->json, clock_seconds() - start, 3);
}

static void
replay_all(struct asking *a, struct cluster *cluster,
    const struct profiles *profiles)
{
	struct replay r;
	struct whatif w;

	asked_whatif(a, &w, cluster, profiles);
	replay_find(&r, &w, a->view->npods, a->view->pods);
	put_replay(a, cluster, &r.balance, r.npods, r.nplaced, r.nfixed);
	replay_fini(&r);
	whatif_fini(&w);
}

void
answer_baseline(struct asking *a)
{
	double start = clock_seconds();

	answer_open(a);
	replay_all(a, a->view->cluster, a->view->profiles);
	put_seconds(a, start);
	answer_close(a);
}

/* ---- the workbench ---- */

static void
put_problems(struct asking *a, const struct trial *trial)
{
	json_pair_bool(&a->json, "valid", trial->profiles != NULL);
	json_pair(&a->json, "refusal", trial->refusal);
	json_key(&a->json, "problems");
	json_open(&a->json, '[');
	for (size_t i = 0; i < trial->problems.n; i++) {
		const struct problem *p = &trial->problems.at[i];

		json_open(&a->json, '{');
		json_pair(&a->json, "severity",
		    p->severity == SEVERITY_ERROR ? "error" : "warning");
		json_pair_int(&a->json, "line", p->line);
		json_pair_int(&a->json, "column", p->column);
		json_pair(&a->json, "message", p->text);
		json_close(&a->json, '}');
	}
	json_close(&a->json, ']');
}

static void
put_node(struct json_out *json, const char *key, sym node)
{
	json_pair(json, key, node != SYM_NONE ? sym_text(node) : NULL);
}

static void
put_move(struct json_out *json, const struct diff_pod *p)
{
	json_open(json, '{');
	json_pair(json, "pod", pod_full_name(p->pod));
	put_node(json, "now", p->now);
	put_node(json, "old", p->old_node);
	put_node(json, "new", p->new_node);
	json_pair(json, "rule", p->rule);
	json_pair(json, "why", p->why);
	json_close(json, '}');
}

static void
put_moves(struct asking *a, const struct diff *d)
{
	size_t limit = asked_number(a, "limit", USUAL_MOVES, MOST_MOVES), n = 0;
	struct json_out *json = &a->json;

	json_key(json, "moves");
	json_open(json, '{');
	json_pair_int(json, "elsewhere", (int64_t)d->nelsewhere);
	json_pair_int(json, "unschedulable", (int64_t)d->nunschedulable);
	json_pair_int(json, "schedulable", (int64_t)d->nschedulable);
	json_pair_int(json, "explained", (int64_t)d->nexplained);
	json_key(json, "rules");
	json_open(json, '[');
	for (size_t i = 0; i < d->nrules; i++) {
		json_open(json, '{');
		json_pair(json, "rule", d->rules[i].name);
		json_pair_int(json, "pods", d->rules[i].pods);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "pods");
	json_open(json, '[');
	for (size_t i = 0; i < d->npods && n < limit; i++) {
		if (d->pods[i].old_node == d->pods[i].new_node)
			continue;
		put_move(json, &d->pods[i]);
		n++;
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
compare(struct asking *a, const struct profiles *profiles)
{
	const struct web_view *view = a->view;
	struct whatif old, new;
	struct diff d;

	asked_whatif(a, &old, view->cluster, view->profiles);
	asked_whatif(a, &new, view->copy(view->copy_arg, profiles), profiles);
	diff_find(&d, &old, &new, view->npods, view->pods);
	put_replay(a, new.cluster, &d.new_balance, d.npods, d.new_placed,
	    d.nfixed);
	put_moves(a, &d);
	diff_fini(&d);
	whatif_fini(&old);
	whatif_fini(&new);
	cluster_free(new.cluster);
}

static void
try_trial(struct asking *a, const struct trial *trial)
{
	const char *stage = asked_text(a, "stage");

	put_profiles(a, trial->profiles);
	if (stage == NULL || strcmp(stage, "full") == 0)
		compare(a, trial->profiles);
	else if (strcmp(stage, "quick") == 0)
		replay_all(a, asked_cluster(a, trial->profiles),
		    trial->profiles);
}

void
answer_workbench(struct asking *a)
{
	double start = clock_seconds();
	struct trial trial;

	if (!trial_read(a, &trial))
		return;
	answer_open(a);
	put_problems(a, &trial);
	put_text(a, trial.is_configuration,
	    trial.profiles != NULL ? whole_text(a, trial.text, trial.profiles) :
				     trial.text);
	if (trial.profiles != NULL)
		try_trial(a, &trial);
	put_seconds(a, start);
	answer_close(a);
	trial_fini(&trial);
}

/* ---- its forms ---- */

static const char *
name_of(const struct profile *profile)
{
	return profile->scheduler_name != NULL ? profile->scheduler_name :
						 "default-scheduler";
}

/* "" or the policy as lines of a YAML block. */
static void
put_indented(struct text *out, const char *text)
{
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
}

/* As the OpenShift manual has it made. */
static void
put_config_map(struct text *out, const char *policy)
{
	text_put(out,
	    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n"
	    "  name: scheduler-policy\n  namespace: openshift-config\n"
	    "data:\n  policy.cfg: |\n");
	put_indented(out, policy);
}

/* A policy in a ConfigMap is taken out of it. */
static void
put_policy(struct asking *a, const struct trial *trial,
    const struct profile *profile, struct text *out, struct problems *notes)
{
	AUTOFREE char *inner = trial->text != NULL ?
	    policy_in_config_map(trial->text, trial->len) :
	    NULL;

	if (profile->release >= RELEASE_V1BETA1)
		convert_profile(profile, out, notes);
	else
		text_put(out,
		    inner != NULL ?
			inner :
			whole_text(a, trial->text, trial->profiles));
}

static void
put_configuration(struct asking *a, const struct trial *trial,
    const struct profile *profile, const struct convert_target *target,
    struct text *out, struct problems *notes)
{
	if (profile->release < RELEASE_V1BETA1)
		convert_policy(profile, name_of(profile), target, out, notes);
	else
		text_put(out, whole_text(a, trial->text, trial->profiles));
}

/* The name of the file; NULL: there is no such form. */
static const char *
write_form(struct asking *a, const char *form, const struct trial *trial,
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
	if (strcmp(form, "configmap") == 0) {
		put_policy(a, trial, profile, &policy, notes);
		put_config_map(out, policy.bytes);
		text_fini(&policy);
		return "scheduler-policy.yaml";
	}
	if (convert_target(form, 0, &target, &err) == 0) {
		put_configuration(a, trial, profile, &target, out, notes);
		return "kubescheduler.yaml";
	}
	return NULL;
}

void
answer_export(struct asking *a)
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
		json_pair(&a->json, "name", name);
		json_pair(&a->json, "text", out.bytes);
		json_key(&a->json, "notes");
		json_open(&a->json, '[');
		for (size_t i = 0; i < notes.n; i++)
			json_string(&a->json, notes.at[i].text);
		json_close(&a->json, ']');
		answer_close(a);
	}
	problems_fini(&notes);
	text_fini(&out);
	trial_fini(&trial);
}
