#include "config.h"

#include "daemon/record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "base/doc.h"
#include "base/json_out.h"
#include "base/sorted.h"
#include "decide/framework/extension.h"
#include "objects/fields.h"

/* ---- objects ---- */

char *
record_key(enum object_kind kind, const char *namespace, const char *name,
    const char *uid)
{
	if (kind == OBJECT_POD)
		return xstrdup(uid);
	return xasprintf("%d %s/%s", (int)kind,
	    object_kind_namespaced(kind) ? namespace : "", name);
}

/* The only annotations of a namespace that are read. */
static const struct doc_field namespace_annotations[] = {
	{ .key = "scheduler.alpha.kubernetes.io/node-selector" },
	{ .key = "openshift.io/node-selector" },
	{ .key = NULL },
};

enum level { LEVEL_ROOT, LEVEL_METADATA, LEVEL_BELOW };

/* Whether a member is written; row: that of its fields, NULL: it has none.  Versions are
 * those of pods alone: others often change in nothing else. */
static bool
is_wanted(enum object_kind kind, enum level level, const char *key,
    const struct doc_field *fields, const struct doc_field *row)
{
	if (level == LEVEL_METADATA && kind != OBJECT_POD &&
	    strcmp(key, "resourceVersion") == 0)
		return false;
	if (fields != NULL)
		return row != NULL;
	return level == LEVEL_ROOT ||
	    (strcmp(key, "annotations") != 0 &&
		strcmp(key, "managedFields") != 0);
}

/* fields NULL: all of it, but for metadata that no decoder reads. */
static void
put_fields(struct json_out *json, const struct doc_node *node,
    enum object_kind kind, enum level level, const struct doc_field *fields)
{
	bool is_object = node->kind == DOC_OBJECT;

	if ((fields == NULL && level == LEVEL_BELOW) ||
	    (!is_object &&
		(node->kind != DOC_ARRAY || level == LEVEL_METADATA))) {
		json_doc_node(json, node);
		return;
	}
	json_open(json, is_object ? '{' : '[');
	EACH_CHILD (at, node) {
		const struct doc_field *row = is_object && fields != NULL ?
		    doc_field(fields, at->key) :
		    NULL;
		const struct doc_field *within = row != NULL ? row->within :
		    is_object                                ? NULL :
							       fields;
		enum level below = LEVEL_BELOW;

		if (is_object && !is_wanted(kind, level, at->key, fields, row))
			continue;
		if (level == LEVEL_ROOT && strcmp(at->key, "metadata") == 0)
			below = LEVEL_METADATA;
		/* those of other kinds are in their fields */
		if (level == LEVEL_METADATA && kind == OBJECT_NAMESPACE &&
		    strcmp(at->key, "annotations") == 0)
			within = namespace_annotations;
		if (is_object)
			json_key(json, at->key);
		put_fields(json, at, kind, below, within);
	}
	json_close(json, is_object ? '}' : ']');
}

void
record_put_object(struct text *text, enum object_kind kind,
    enum partial partial, const struct doc_node *root)
{
	struct json_out json = JSON_OUT_INIT(text);

	put_fields(&json, root, kind, LEVEL_ROOT,
	    partial == PARTIAL_NONE ? object_fields(kind) :
				      object_partial_fields(kind, partial));
}

/* ---- the header ---- */

void
record_put_header(struct text *text, const struct record_header *h)
{
	struct json_out json = JSON_OUT_INIT(text);

	json_open(&json, '{');
	json_key(&json, "header");
	json_object(&json,
	    "version:d kubernetes:i podLimits:s podLevelResources:b "
	    "podLevelResourcesInPlace:b",
	    h->version, h->kubernetes_minor, h->pod_limits, h->pod_level,
	    h->in_place);
	text_put(text, "}\n");
}

int
record_read_header(const struct doc_node *root, struct record_header *h,
    struct err *err)
{
	*h = (struct record_header){ .pod_limits = "",
		.pod_level = true,
		.in_place = true };
	return doc_get_members(root, "", err,
	    "version:d kubernetes:i10000 podLimits:s podLevelResources:b "
	    "podLevelResourcesInPlace:b",
	    &h->version, &h->kubernetes_minor, &h->pod_limits, &h->pod_level,
	    &h->in_place);
}

/* ---- policies ---- */

static const char *const policy_kinds[RECORD_POLICY_KINDS] = {
	[RECORD_POLICY] = "policy",
	[RECORD_CONFIGURATION] = "configuration",
	[RECORD_PROVIDER] = "provider",
	[RECORD_OPENSHIFT] = "openshift",
};

/* Keys are compared as Go does, whose decoder reads the policy. */
static void
put_without_secrets(struct json_out *json, const struct doc_node *node)
{
	bool is_object = node->kind == DOC_OBJECT;

	if (!is_object && node->kind != DOC_ARRAY) {
		json_doc_node(json, node);
		return;
	}
	json_open(json, is_object ? '{' : '[');
	EACH_CHILD (at, node) {
		if (is_object && strcasecmp(at->key, "tlsConfig") == 0)
			continue;
		if (is_object)
			json_key(json, at->key);
		if (is_object && strcasecmp(at->key, "urlPrefix") == 0 &&
		    at->kind == DOC_STRING) {
			AUTOFREE char *url = url_without_user(at->text);

			json_string(json, url);
		} else {
			put_without_secrets(json, at);
		}
	}
	json_close(json, is_object ? '}' : ']');
}

static void
put_options(struct json_out *json, const struct policy_options *o)
{
	json_open_member(json, "options", '{');
	json_members(json,
	    "strict:b kosmos:b projectNodeSelectors:b ignoredFields:u "
	    "kubernetes:i hardPodAffinityWeight:d alwaysCheckAllPredicates:b "
	    "givenGates:u",
	    o->strict, o->kosmos, o->project_node_selectors, o->ignored_fields,
	    o->kubernetes_minor, o->hard_pod_affinity_symmetric_weight,
	    o->always_check_all_predicates, o->gates.given);
	json_open_member(json, "gates", '{');
#define GATE(field, name, ...) json_pair_bool(json, name, o->gates.field);
	GATES(GATE)
#undef GATE
	json_close(json, '}');
	json_close(json, '}');
}

void
record_put_policy(struct text *text, const struct record_policy *policy)
{
	struct json_out json = JSON_OUT_INIT(text);
	struct text clean = { 0 };

	json_open(&json, '{');
	json_open_member(&json, "policy", '{');
	json_members(&json, "kind:s name:s generation:d",
	    policy_kinds[policy->kind], policy->name,
	    (int64_t)policy->generation);
	if (policy->text != NULL) {
		/* JSON, as a string in the line; nothing but {} if it cannot be
		 * parsed, as no policy then applies */
		policy_rewrite("policy", policy->text, policy->len,
		    put_without_secrets, &clean, NULL);
		json_pair(&json, "text",
		    clean.bytes != NULL ? clean.bytes : "{}");
		text_fini(&clean);
	}
	put_options(&json, &policy->options);
	text_put(text, "}}\n");
}

static int
read_options(const struct doc_node *root, struct policy_options *o,
    struct err *err)
{
	const struct doc_node *gates = doc_get(root, "gates");

	*o = (struct policy_options){ .gates = gates_default };
#define GATE(field, name, ...)                                                 \
	if (doc_get_bool(gates, name, name, &o->gates.field, err) != 0)        \
		return -1;
	GATES(GATE)
#undef GATE
	return doc_get_members(root, "", err,
	    "strict:b kosmos:b projectNodeSelectors:b ignoredFields:u "
	    "kubernetes:i10000 hardPodAffinityWeight:d2147483647 "
	    "alwaysCheckAllPredicates:b givenGates:u",
	    &o->strict, &o->kosmos, &o->project_node_selectors,
	    &o->ignored_fields, &o->kubernetes_minor,
	    &o->hard_pod_affinity_symmetric_weight,
	    &o->always_check_all_predicates, &o->gates.given);
}

int
record_read_policy(const struct doc_node *root, struct record_policy *policy,
    struct err *err)
{
	const struct doc_node *text = doc_get(root, "text");
	const char *kind = "", *name = "";
	enum record_policy_kind at = 0;
	int64_t generation = 0;

	if (doc_get_members(root, "policy.", err,
		"kind:s name:s generation:d9223372036854775807", &kind, &name,
		&generation) != 0)
		return -1;
	while (at < RECORD_POLICY_KINDS && strcmp(kind, policy_kinds[at]) != 0)
		at++;
	if (at == RECORD_POLICY_KINDS)
		return doc_errf(err, root, "policy.kind \"%.40s\" is unknown",
		    kind);
	*policy = (struct record_policy){ .kind = at,
		.name = name,
		.generation = (uint64_t)generation };
	if (text != NULL && text->kind == DOC_STRING) {
		policy->text = text->text;
		policy->len = text->len;
	} else if (at == RECORD_POLICY || at == RECORD_CONFIGURATION) {
		return doc_errf(err, root, "policy.text must be a string");
	}
	return read_options(doc_get(root, "options"), &policy->options, err);
}

/* ---- decisions ---- */

/* The map's keys in order of their texts; you own them. */
static sym *
sorted_keys(const struct map *map, size_t *n)
{
	sym *keys = xcalloc(map->n + 1, sizeof(*keys));

	*n = 0;
	for (size_t i = 0; i < map->nslots; i++)
		if (map->slots[i].value != NULL)
			keys[(*n)++] = (sym)map->slots[i].key;
	SORT(keys, *n, sym_compare);
	return keys;
}

static void
put_extension(struct json_out *json, const struct extension *e)
{
	AUTOFREE sym *left = NULL, *scored = NULL;
	size_t nleft, nscored;

	left = sorted_keys(&e->left, &nleft);
	scored = sorted_keys(&e->scores, &nscored);
	json_open_member(json, "extension", '{');
	json_members(json, "filtered:b", e->filtered);
	JSON_ARRAY (json, "left", i, nleft)
		json_string(json, sym_text(left[i]));
	JSON_ARRAY (json, "scores", i, nscored)
		json_object(json, "node:s score:d", sym_text(scored[i]),
		    *(int64_t *)map_get(&e->scores, scored[i]));
	JSON_ARRAY (json, "refusals", i, e->nrefusals)
		json_object(json, "node:s reason:s forever:b",
		    sym_text(e->refusals[i].node), e->refusals[i].reason,
		    e->refusals[i].forever);
	json_close(json, '}');
}

void
record_put_decision(struct text *text, const struct record_decision *d)
{
	struct json_out json = JSON_OUT_INIT(text);
	char seed[32];

	/* 64 bits are too many for the numbers of most JSON readers. */
	snprintf(seed, sizeof(seed), "%" PRIu64, d->seed);
	json_open(&json, '{');
	json_open_member(&json, "decision", '{');
	json_members(&json, "pod:s uid:s resourceVersion:s seed:s node:s",
	    d->pod, d->uid, d->resource_version, seed, d->node);
	if (d->message[0] != '\0')
		json_pair(&json, "message", d->message);
	if (d->nominated[0] != '\0')
		json_pair(&json, "nominated", d->nominated);
	if (d->percentage_of_nodes != 0)
		json_pair_int(&json, "percentageOfNodes",
		    d->percentage_of_nodes);
	json_members(&json,
	    "nodes:u feasible:u best:u score:d seconds:d microseconds:i",
	    d->nnodes, d->nfeasible, d->nbest, d->score, d->seconds,
	    d->microseconds);
	if (d->incomplete)
		json_pair_bool(&json, "incomplete", true);
	if (d->extension != NULL)
		put_extension(&json, d->extension);
	text_put(text, "}}\n");
}

/* The first element of a list, NULL: it is empty. */
static int
read_list(const struct doc_node *root, const char *key, const char *path,
    const struct doc_node **first, size_t *n, struct err *err)
{
	const struct doc_node *list = NULL;

	if (doc_get_array(root, key, path, &list, err) != 0)
		return -1;
	*first = list != NULL ? list->first : NULL;
	*n = list != NULL ? list->count : 0;
	return 0;
}

static int
read_extension(const struct doc_node *root, struct extension *e,
    struct err *err)
{
	const struct doc_node *left, *scores, *refusals;
	const char *node, *reason;
	bool filtered = false, forever;
	int64_t score;
	size_t n = 0, count;
	sym *nodes;

	if (doc_get_bool(root, "filtered", "extension.filtered", &filtered,
		err) != 0 ||
	    read_list(root, "scores", "extension.scores", &scores, &count,
		err) != 0 ||
	    read_list(root, "refusals", "extension.refusals", &refusals, &count,
		err) != 0 ||
	    read_list(root, "left", "extension.left", &left, &count, err) != 0)
		return -1;
	nodes = arena_array(&e->arena, sym, count + 1);
	for (; left != NULL; left = left->next)
		if (left->kind == DOC_STRING)
			nodes[n++] = sym_in(&e->arena, left->text);
	if (filtered)
		extension_restrict(e, nodes, n);
	for (; scores != NULL; scores = scores->next) {
		node = "";
		score = 0;
		if (doc_get_members(scores, "", err, "node:s score:d", &node,
			&score) != 0)
			return -1;
		extension_score(e, sym_in(&e->arena, node), score);
	}
	for (; refusals != NULL; refusals = refusals->next) {
		node = reason = "";
		forever = false;
		if (doc_get_members(refusals, "", err,
			"node:s reason:s forever:b", &node, &reason,
			&forever) != 0)
			return -1;
		extension_refuse(e, sym_in(&e->arena, node), reason, forever);
	}
	return 0;
}

int
record_read_decision(const struct doc_node *root, struct record_decision *d,
    struct extension *extension, struct err *err)
{
	const struct doc_node *answers = doc_get(root, "extension");
	const char *seed = "";
	char *end;

	*extension = (struct extension){ 0 };
	*d = (struct record_decision){ .pod = "",
		.uid = "",
		.resource_version = "",
		.nominated = "",
		.message = "" };
	if (doc_get_members(root, "", err,
		"pod:s uid:s resourceVersion:s node:s message:s nominated:s "
		"percentageOfNodes:d100 nodes:u feasible:u best:u score:d "
		"seconds:d9223372036854775807 microseconds:i999999 "
		"incomplete:b",
		&d->pod, &d->uid, &d->resource_version, &d->node, &d->message,
		&d->nominated, &d->percentage_of_nodes, &d->nnodes,
		&d->nfeasible, &d->nbest, &d->score, &d->seconds,
		&d->microseconds, &d->incomplete) != 0 ||
	    doc_get_members(root, "decision.", err, "seed:s", &seed) != 0)
		return -1;
	d->seed = strtoull(seed, &end, 10);
	if (seed[0] < '0' || seed[0] > '9' || *end != '\0')
		return doc_errf(err, root,
		    "decision.seed must be a whole number in quotes");
	if (answers == NULL)
		return 0;
	d->extension = extension;
	return read_extension(answers, extension, err);
}
