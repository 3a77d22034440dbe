#include "config.h"

#include "policy/reweigh.h"

#include <string.h>
#include <strings.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"

#define CONFIG_MAPS_AROUND 2 /* at most, around a policy */

struct rewriting {
	struct text *out;
	size_t n;
	const struct weighed *weights;
	size_t profile;
};

/* ---- pieces ---- */

/* A member's comma, line and key. */
static void
put_key(struct text *out, bool *first, const char *indent, const char *key)
{
	text_put(out, *first ? "\n" : ",\n");
	text_put(out, indent);
	json_put_key(out, key);
	text_put(out, ": ");
	*first = false;
}

static void
put_member(struct text *out, bool *first, const char *indent,
    const struct doc_node *member)
{
	put_key(out, first, indent, member->key);
	json_put_node(out, member);
}

static bool
is_called(const struct doc_node *member, const char *key)
{
	return strcasecmp(member->key, key) == 0;
}

/* The last member of this name in any case, as kube-scheduler takes it; NULL: none,
 * or null. */
static const struct doc_node *
member_of(const struct doc_node *node, const char *key)
{
	const struct doc_node *found = NULL;

	if (node == NULL || node->kind != DOC_OBJECT)
		return NULL;
	for (const struct doc_node *p = node->first; p != NULL; p = p->next)
		if (is_called(p, key) && p->kind != DOC_NULL)
			found = p;
	return found;
}

static const char *
text_of(const struct doc_node *node, const char *key)
{
	const struct doc_node *member = member_of(node, key);

	return member != NULL && member->kind == DOC_STRING ? member->text : "";
}

/* ---- a policy ---- */

static const struct weighed *
weight_of(const struct rewriting *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->weights[i].name, name) == 0)
			return &r->weights[i];
	return NULL;
}

static const struct doc_node *
entry_called(const struct doc_node *list, const char *name)
{
	const struct doc_node *p = NULL;

	if (list != NULL && list->kind == DOC_ARRAY)
		p = list->first;
	while (p != NULL && strcmp(text_of(p, "name"), name) != 0)
		p = p->next;
	return p;
}

/* One priority; entry is NULL if the policy does not have it. */
static void
put_priority(struct rewriting *r, bool *first, const struct doc_node *entry,
    const struct weighed *w)
{
	if (w->weight == 0)
		return;
	text_put(r->out, *first ? "\n    {" : ",\n    {");
	*first = false;
	json_put(r->out, "'name': %s, 'weight': %d", w->name, w->weight);
	if (entry != NULL && entry->kind == DOC_OBJECT)
		for (const struct doc_node *p = entry->first; p != NULL;
		     p = p->next) {
			if (is_called(p, "name") || is_called(p, "weight"))
				continue;
			text_put(r->out, ", ");
			json_put_key(r->out, p->key);
			text_put(r->out, ": ");
			json_put_node(r->out, p);
		}
	text_put(r->out, "}");
}

static void
put_priorities(struct rewriting *r, const struct doc_node *list)
{
	bool first = true;

	text_put(r->out, "[");
	if (list != NULL && list->kind == DOC_ARRAY)
		for (const struct doc_node *p = list->first; p != NULL;
		     p = p->next) {
			const struct weighed *w =
			    weight_of(r, text_of(p, "name"));

			if (w != NULL)
				put_priority(r, &first, p, w);
		}
	for (size_t i = 0; i < r->n; i++)
		if (entry_called(list, r->weights[i].name) == NULL)
			put_priority(r, &first, NULL, &r->weights[i]);
	text_put(r->out, first ? "]" : "\n  ]");
}

static void
put_policy(struct rewriting *r, const struct doc_node *root)
{
	bool first = true;

	text_put(r->out, "{");
	for (const struct doc_node *p = root->first; p != NULL; p = p->next)
		if (!is_called(p, "priorities"))
			put_member(r->out, &first, "  ", p);
	put_key(r->out, &first, "  ", "priorities");
	put_priorities(r, member_of(root, "priorities"));
	text_put(r->out, "\n}\n");
}

/* ---- a configuration ---- */

static void
put_score(struct rewriting *r)
{
	bool first = true;

	text_put(r->out, "{\"disabled\": [{\"name\": \"*\"}], \"enabled\": [");
	for (size_t i = 0; i < r->n; i++) {
		if (r->weights[i].weight == 0)
			continue;
		json_put(r->out,
		    first ? "\n        {'name': %s, 'weight': %d}" :
			    ",\n        {'name': %s, 'weight': %d}",
		    r->weights[i].name, r->weights[i].weight);
		first = false;
	}
	text_put(r->out, "]}");
}

static void
put_plugins(struct rewriting *r, const struct doc_node *plugins)
{
	bool first = true;

	text_put(r->out, "{");
	if (plugins != NULL && plugins->kind == DOC_OBJECT)
		for (const struct doc_node *p = plugins->first; p != NULL;
		     p = p->next)
			if (!is_called(p, "score"))
				put_member(r->out, &first, "      ", p);
	put_key(r->out, &first, "      ", "score");
	put_score(r);
	text_put(r->out, "\n    }");
}

/* profile is NULL if the configuration has none. */
static void
put_profile(struct rewriting *r, const struct doc_node *profile)
{
	bool first = true;

	text_put(r->out, "{");
	if (profile != NULL && profile->kind == DOC_OBJECT)
		for (const struct doc_node *p = profile->first; p != NULL;
		     p = p->next)
			if (!is_called(p, "plugins"))
				put_member(r->out, &first, "    ", p);
	put_key(r->out, &first, "    ", "plugins");
	put_plugins(r, member_of(profile, "plugins"));
	text_put(r->out, "\n  }");
}

static void
put_profiles(struct rewriting *r, const struct doc_node *profiles)
{
	size_t i = 0;

	text_put(r->out, "[");
	if (profiles == NULL || profiles->first == NULL)
		put_profile(r, NULL);
	else
		for (const struct doc_node *p = profiles->first; p != NULL;
		     p = p->next, i++) {
			text_put(r->out, i > 0 ? ", " : "");
			if (i == r->profile)
				put_profile(r, p);
			else
				json_put_node(r->out, p);
		}
	text_put(r->out, "]");
}

static void
put_configuration(struct rewriting *r, const struct doc_node *root)
{
	bool first = true;

	text_put(r->out, "{");
	for (const struct doc_node *p = root->first; p != NULL; p = p->next)
		if (!is_called(p, "profiles"))
			put_member(r->out, &first, "  ", p);
	put_key(r->out, &first, "  ", "profiles");
	put_profiles(r, member_of(root, "profiles"));
	text_put(r->out, "\n}\n");
}

/* ---- the text ---- */

static int rewrite(struct rewriting *r, const char *name, const char *text,
    size_t len, unsigned around, struct err *err);

static int
rewrite_root(struct rewriting *r, const char *name, const struct doc_node *root,
    unsigned around, struct err *err)
{
	const struct doc_node *inner;

	if (root->kind != DOC_OBJECT)
		return errf(err, "%s: this must be an object", name);
	if (strcmp(text_of(root, "kind"), "KubeSchedulerConfiguration") == 0) {
		put_configuration(r, root);
		return 0;
	}
	inner = member_of(member_of(root, "data"), "policy.cfg");
	if (inner != NULL && inner->kind == DOC_STRING &&
	    around < CONFIG_MAPS_AROUND)
		return rewrite(r, name, inner->text, inner->len, around + 1,
		    err);
	put_policy(r, root);
	return 0;
}

static int
rewrite(struct rewriting *r, const char *name, const char *text, size_t len,
    unsigned around, struct err *err)
{
	struct doc_reader *docs =
	    doc_open_text(name, text, len, &doc_limits_people, false);
	const struct doc_node *root;
	int rc = doc_next(docs, &root, err);

	if (rc == 1)
		rc = rewrite_root(r, name, root, around, err);
	else if (rc == 0)
		rc = errf(err, "%s: it is empty", name);
	doc_close(docs);
	return rc;
}

int
policy_reweigh(const char *name, const char *text, size_t len, size_t n,
    const struct weighed *weights, struct text *out, struct err *err)
{
	struct rewriting r = { .out = out, .n = n, .weights = weights };

	return rewrite(&r, name, text, len, 0, err);
}

int
configuration_reweigh(const char *name, const char *text, size_t len,
    size_t profile, size_t n, const struct weighed *weights, struct text *out,
    struct err *err)
{
	struct rewriting r = { out, n, weights, profile };

	return rewrite(&r, name, text, len, 0, err);
}
