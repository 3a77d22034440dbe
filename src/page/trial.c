/*
 * Another policy than the one in force: a request's body is
 *
 *	{"text": "...", "configuration": false, "changes": [
 *	    {"profile": null, "rule": "X", "kind": "scores", "weight": 3},
 *	    {"rule": "Y", "kind": "filters", "weight": 0}]}
 *
 * where each member may be absent: without "text" it is the policy in force.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "cluster/cluster.h"
#include "policy/configuration.h"
#include "policy/rules.h"
#include "page/answer_internal.h"

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
	if (doc_get_string(node, "profile", "changes[].profile",
		&change->profile, err) != 0 ||
	    doc_get_string(node, "rule", "changes[].rule", &change->rule,
		err) != 0 ||
	    doc_get_string(node, "kind", "changes[].kind", &kind, err) != 0 ||
	    doc_get_int(node, "weight", "changes[].weight", 0, INT32_MAX,
		&change->weight, err) != 0)
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
read_changes(struct asking *a, const struct doc_node *root,
    struct reading_body *body, struct err *err)
{
	const struct doc_node *list = NULL;

	if (doc_get_array(root, "changes", "changes", &list, err) != 0)
		return -1;
	if (list == NULL)
		return 0;
	body->changes = arena_array(&a->arena, struct rule_change, list->count);
	for (const struct doc_node *n = list->first; n != NULL; n = n->next)
		if (read_change(n, &body->changes[body->nchanges++], err) != 0)
			return -1;
	return 0;
}

static int
read_body(struct asking *a, struct reading_body *body, struct trial *trial,
    struct err *err)
{
	const struct doc_node *root, *text;

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
	return read_changes(a, root, body, err);
}

/* "policy.cfg", without the folder: the problems' positions are in the editor. */
static const char *
file_name(const struct asking *a)
{
	const char *name = a->view->policy_name;
	const char *slash = name != NULL ? strrchr(name, '/') : NULL;

	if (slash != NULL)
		return slash + 1;
	return name != NULL && *name != '\0' ? name : "policy.cfg";
}

static void
read_profiles(struct asking *a, struct trial *trial)
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
change(struct asking *a, struct trial *trial, const struct reading_body *body,
    struct err *err)
{
	struct text out = { 0 };

	if (rules_change(trial->text, trial->len, trial->profiles,
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

static int
read_trial(struct asking *a, struct trial *trial, struct reading_body *body,
    struct err *err)
{
	if (read_body(a, body, trial, err) != 0)
		return -1;
	trial->text = body->text != NULL ?
	    arena_strndup(&a->arena, body->text, body->len) :
	    a->view->policy;
	trial->len = body->text != NULL ? body->len : a->view->policy_len;
	read_profiles(a, trial);
	if (trial->profiles != NULL && body->nchanges > 0)
		return change(a, trial, body, err);
	return 0;
}

bool
trial_read(struct asking *a, struct trial *trial)
{
	struct reading_body body = { 0 };
	struct err err;
	int rc;

	*trial =
	    (struct trial){ .is_configuration = a->view->is_configuration };
	rc = read_trial(a, trial, &body, &err);
	doc_free(body.doc);
	if (rc == 0)
		return true;
	trial_fini(trial);
	answer_error(a, 400, "%s", err.text);
	return false;
}

void
trial_fini(struct trial *trial)
{
	profiles_free(trial->profiles);
	problems_fini(&trial->problems);
	trial->profiles = NULL;
}
