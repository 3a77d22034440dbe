#include "config.h"

#include "record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/xmalloc.h"
#include "framework/extension.h"
#include "model/fields.h"

/* ---- objects ---- */

/* The only annotations of a namespace that are read. */
static const struct doc_field namespace_annotations[] = {
	{ "scheduler.alpha.kubernetes.io/node-selector", NULL },
	{ "openshift.io/node-selector", NULL },
	{ NULL, NULL },
};

/* All that no decoder reads, of objects whose fields are not listed. */
static bool
is_left_out(const char *key)
{
	return strcmp(key, "annotations") == 0 ||
	    strcmp(key, "managedFields") == 0;
}

/* *comma: whether a member stands before it; true from then on. */
static void
put_key(struct text *text, bool *comma, const char *key)
{
	if (*comma)
		text_put(text, ",");
	*comma = true;
	json_put_key(text, key);
	text_put(text, ":");
}

static void put_fields(struct text *text, const struct doc_node *node,
    const struct doc_field *fields);

static void
put_members(struct text *text, const struct doc_node *node,
    const struct doc_field *fields)
{
	bool comma = false;

	text_put(text, "{");
	for (const struct doc_node *at = node->first; at; at = at->next) {
		const struct doc_field *field = doc_field(fields, at->key);

		if (field == NULL)
			continue;
		put_key(text, &comma, at->key);
		put_fields(text, at, field->within);
	}
	text_put(text, "}");
}

static void
put_fields(struct text *text, const struct doc_node *node,
    const struct doc_field *fields)
{
	if (fields == NULL ||
	    (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY)) {
		json_put_node(text, node);
	} else if (node->kind == DOC_OBJECT) {
		put_members(text, node, fields);
	} else {
		text_put(text, "[");
		for (const struct doc_node *at = node->first; at;
		     at = at->next) {
			put_fields(text, at, fields);
			if (at->next != NULL)
				text_put(text, ",");
		}
		text_put(text, "]");
	}
}

/* Versions are those of pods alone: others often change in nothing else. */
static bool
wants_metadata(enum object_kind kind, const char *key,
    const struct doc_field *within)
{
	if (strcmp(key, "resourceVersion") == 0 && kind != OBJECT_POD)
		return false;
	return within != NULL ? doc_field(within, key) != NULL :
				!is_left_out(key);
}

/* Of a namespace the annotations are listed here, of others in fields. */
static void
put_metadata(struct text *text, const struct doc_node *node,
    enum object_kind kind, const struct doc_field *fields)
{
	const struct doc_field *within =
	    fields != NULL ? doc_field(fields, "metadata")->within : NULL;
	bool comma = false;

	if (node->kind != DOC_OBJECT) {
		json_put_node(text, node);
		return;
	}
	text_put(text, "{");
	for (const struct doc_node *at = node->first; at; at = at->next) {
		bool annotations = kind == OBJECT_NAMESPACE &&
		    strcmp(at->key, "annotations") == 0;
		const struct doc_field *field =
		    within != NULL ? doc_field(within, at->key) : NULL;

		if (!wants_metadata(kind, at->key, within))
			continue;
		put_key(text, &comma, at->key);
		put_fields(text, at,
		    annotations       ? namespace_annotations :
			field != NULL ? field->within :
					NULL);
	}
	text_put(text, "}");
}

void
record_put_object(struct text *text, enum object_kind kind,
    enum partial partial, const struct doc_node *root)
{
	const struct doc_field *fields = partial == PARTIAL_NONE ?
	    object_fields(kind) :
	    object_partial_fields(kind, partial);
	bool comma = false;

	text_put(text, "{");
	for (const struct doc_node *at = root->first; at; at = at->next) {
		const struct doc_field *field =
		    fields != NULL ? doc_field(fields, at->key) : NULL;

		if (fields != NULL && field == NULL)
			continue;
		if (comma)
			text_put(text, ",");
		comma = true;
		json_put_key(text, at->key);
		text_put(text, ":");
		if (strcmp(at->key, "metadata") == 0)
			put_metadata(text, at, kind, fields);
		else
			put_fields(text, at,
			    field != NULL ? field->within : NULL);
	}
	text_put(text, "}");
}

/* ---- policies ---- */

static const char *const policy_kinds[RECORD_POLICY_KINDS] = {
	[RECORD_POLICY] = "policy",
	[RECORD_CONFIGURATION] = "configuration",
	[RECORD_PROVIDER] = "provider",
	[RECORD_OPENSHIFT] = "openshift",
};

/* Without "user:password@". */
static void
put_url(struct text *text, const struct doc_node *node)
{
	const char *scheme_end = strstr(node->text, "://");
	const char *host = scheme_end != NULL ? scheme_end + 3 : node->text;
	size_t len = strcspn(host, "/?#");
	const char *at = memrchr(host, '@', len);
	AUTOFREE char *clean = xasprintf("%.*s%s", (int)(host - node->text),
	    node->text, at != NULL ? at + 1 : host);

	json_put_string(text, clean);
}

/* Keys are compared as Go does, whose decoder reads the policy. */
static void
put_without_secrets(struct text *text, const struct doc_node *node)
{
	bool is_object = node->kind == DOC_OBJECT, comma = false;

	if (!is_object && node->kind != DOC_ARRAY) {
		json_put_node(text, node);
		return;
	}
	text_put(text, is_object ? "{" : "[");
	for (const struct doc_node *at = node->first; at; at = at->next) {
		if (is_object && strcasecmp(at->key, "tlsConfig") == 0)
			continue;
		if (comma)
			text_put(text, ",");
		comma = true;
		if (is_object) {
			json_put_key(text, at->key);
			text_put(text, ":");
		}
		if (is_object && strcasecmp(at->key, "urlPrefix") == 0 &&
		    at->kind == DOC_STRING)
			put_url(text, at);
		else
			put_without_secrets(text, at);
	}
	text_put(text, is_object ? "}" : "]");
}

/* The policy in a ConfigMap's manifest, or NULL. */
static const struct doc_node *
within_config_map(const struct doc_node *root)
{
	const char *kind = "";
	const struct doc_node *policy =
	    doc_get(doc_get(root, "data"), "policy.cfg");

	doc_get_string(root, "kind", "kind", &kind, NULL);
	return strcmp(kind, "ConfigMap") == 0 && policy != NULL &&
		policy->kind == DOC_STRING ?
	    policy :
	    NULL;
}

/* The text as JSON, as a string in the line; nothing but {} if it cannot be
 * parsed, as no policy then applies. */
static void
put_policy_text(struct text *text, const char *policy, size_t len)
{
	struct doc *doc =
	    doc_parse("policy", policy, len, &doc_limits_people, NULL);
	const struct doc_node *inner =
	    doc != NULL ? within_config_map(doc_root(doc)) : NULL;
	struct text clean = { 0 };

	if (inner != NULL) {
		put_policy_text(text, inner->text, inner->len);
	} else {
		if (doc != NULL)
			put_without_secrets(&clean, doc_root(doc));
		json_put_string(text, clean.bytes != NULL ? clean.bytes : "{}");
	}
	text_fini(&clean);
	doc_free(doc);
}

static void
put_options(struct text *text, const struct policy_options *o)
{
	struct json_out json = JSON_OUT_INIT(text);

	json_open(&json, '{');
	json_key(&json, "strict");
	json_bool(&json, o->strict);
	json_key(&json, "kosmos");
	json_bool(&json, o->kosmos);
	json_key(&json, "projectNodeSelectors");
	json_bool(&json, o->project_node_selectors);
	json_key(&json, "ignoredFields");
	json_int(&json, o->ignored_fields);
	json_key(&json, "kubernetes");
	json_int(&json, o->kubernetes_minor);
	json_key(&json, "hardPodAffinityWeight");
	json_int(&json, o->hard_pod_affinity_symmetric_weight);
	json_key(&json, "alwaysCheckAllPredicates");
	json_bool(&json, o->always_check_all_predicates);
	json_key(&json, "gates");
	json_open(&json, '{');
#define GATE(field, name, default_)                                            \
	json_key(&json, name);                                                 \
	json_bool(&json, o->gates.field);
	GATES(GATE)
#undef GATE
	json_close(&json, '}');
	json_close(&json, '}');
}

void
record_put_policy(struct text *text, const struct record_policy *policy)
{
	json_put(text, "{'policy':{'kind':%s,'name':%s,'generation':%d",
	    policy_kinds[policy->kind], policy->name,
	    (int64_t)policy->generation);
	if (policy->text != NULL) {
		text_put(text, ",\"text\":");
		put_policy_text(text, policy->text, policy->len);
	}
	text_put(text, ",\"options\":");
	put_options(text, &policy->options);
	text_put(text, "}}\n");
}

static int
read_options(const struct doc_node *root, struct policy_options *o,
    struct err *err)
{
	const struct doc_node *gates;
	int64_t ignored = 0, minor = 0;

	*o = (struct policy_options){ .gates = gates_default };
	if (doc_get_bool(root, "strict", "strict", &o->strict, err) != 0 ||
	    doc_get_bool(root, "kosmos", "kosmos", &o->kosmos, err) != 0 ||
	    doc_get_bool(root, "projectNodeSelectors", "projectNodeSelectors",
		&o->project_node_selectors, err) != 0 ||
	    doc_get_int(root, "ignoredFields", "ignoredFields", 0, UINT32_MAX,
		&ignored, err) != 0 ||
	    doc_get_int(root, "kubernetes", "kubernetes", 0, 10000, &minor,
		err) != 0 ||
	    doc_get_int(root, "hardPodAffinityWeight", "hardPodAffinityWeight",
		0, INT32_MAX, &o->hard_pod_affinity_symmetric_weight,
		err) != 0 ||
	    doc_get_bool(root, "alwaysCheckAllPredicates",
		"alwaysCheckAllPredicates", &o->always_check_all_predicates,
		err) != 0)
		return -1;
	o->ignored_fields = (uint32_t)ignored;
	o->kubernetes_minor = (int)minor;
	gates = doc_get(root, "gates");
#define GATE(field, name, default_)                                            \
	if (doc_get_bool(gates, name, name, &o->gates.field, err) != 0)        \
		return -1;
	GATES(GATE)
#undef GATE
	return 0;
}

int
record_read_policy(const struct doc_node *root, struct record_policy *policy,
    struct err *err)
{
	const struct doc_node *text = doc_get(root, "text");
	const char *kind = "", *name = "";
	int64_t generation = 0;
	bool found = false;

	if (doc_get_string(root, "kind", "policy.kind", &kind, err) != 0 ||
	    doc_get_string(root, "name", "policy.name", &name, err) != 0 ||
	    doc_get_int(root, "generation", "policy.generation", 0, INT64_MAX,
		&generation, err) != 0)
		return -1;
	*policy = (struct record_policy){ .name = name,
		.generation = (uint64_t)generation };
	for (enum record_policy_kind i = 0; i < RECORD_POLICY_KINDS; i++)
		if (strcmp(kind, policy_kinds[i]) == 0) {
			policy->kind = i;
			found = true;
		}
	if (!found)
		return doc_errf(err, root, "policy.kind \"%.40s\" is unknown",
		    kind);
	if (text != NULL && text->kind == DOC_STRING) {
		policy->text = text->text;
		policy->len = text->len;
	} else if (policy->kind == RECORD_POLICY ||
	    policy->kind == RECORD_CONFIGURATION) {
		return doc_errf(err, root, "policy.text must be a string");
	}
	return read_options(doc_get(root, "options"), &policy->options, err);
}

/* ---- decisions ---- */

static int
compare_syms(const void *a, const void *b)
{
	return sym_cmp(*(const sym *)a, *(const sym *)b);
}

/* The map's keys in order of their texts; you own them. */
static sym *
sorted_keys(const struct map *map, size_t *n)
{
	sym *keys = xcalloc(map->n + 1, sizeof(*keys));

	*n = 0;
	for (size_t i = 0; i < map->nslots; i++)
		if (map->slots[i].value != NULL)
			keys[(*n)++] = (sym)map->slots[i].key;
	if (*n > 0)
		qsort(keys, *n, sizeof(*keys), compare_syms);
	return keys;
}

static void
put_extension(struct json_out *json, const struct extension *e)
{
	AUTOFREE sym *left = NULL, *scored = NULL;
	size_t nleft, nscored;

	left = sorted_keys(&e->left, &nleft);
	scored = sorted_keys(&e->scores, &nscored);
	json_key(json, "extension");
	json_open(json, '{');
	json_key(json, "filtered");
	json_bool(json, e->filtered);
	json_key(json, "left");
	json_open(json, '[');
	for (size_t i = 0; i < nleft; i++)
		json_string(json, sym_text(left[i]));
	json_close(json, ']');
	json_key(json, "scores");
	json_open(json, '[');
	for (size_t i = 0; i < nscored; i++) {
		json_open(json, '{');
		json_key(json, "node");
		json_string(json, sym_text(scored[i]));
		json_key(json, "score");
		json_int(json, *(int64_t *)map_get(&e->scores, scored[i]));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "refusals");
	json_open(json, '[');
	for (size_t i = 0; i < e->nrefusals; i++) {
		json_open(json, '{');
		json_key(json, "node");
		json_string(json, sym_text(e->refusals[i].node));
		json_key(json, "reason");
		json_string(json, e->refusals[i].reason);
		json_key(json, "forever");
		json_bool(json, e->refusals[i].forever);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

/* 64 bits are too many for the numbers of most JSON readers. */
static void
put_seed(struct json_out *json, uint64_t seed)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, seed);
	json_key(json, "seed");
	json_string(json, text);
}

void
record_put_decision(struct text *text, const struct record_decision *d)
{
	struct json_out json = JSON_OUT_INIT(text);

	json_open(&json, '{');
	json_key(&json, "decision");
	json_open(&json, '{');
	json_key(&json, "pod");
	json_string(&json, d->pod);
	json_key(&json, "uid");
	json_string(&json, d->uid);
	json_key(&json, "resourceVersion");
	json_string(&json, d->resource_version);
	put_seed(&json, d->seed);
	json_key(&json, "node");
	json_string(&json, d->node);
	if (d->message[0] != '\0') {
		json_key(&json, "message");
		json_string(&json, d->message);
	}
	if (d->nominated[0] != '\0') {
		json_key(&json, "nominated");
		json_string(&json, d->nominated);
	}
	if (d->percentage_of_nodes != 0) {
		json_key(&json, "percentageOfNodes");
		json_int(&json, d->percentage_of_nodes);
	}
	json_key(&json, "nodes");
	json_int(&json, d->nnodes);
	json_key(&json, "feasible");
	json_int(&json, d->nfeasible);
	json_key(&json, "best");
	json_int(&json, d->nbest);
	json_key(&json, "score");
	json_int(&json, d->score);
	json_key(&json, "seconds");
	json_int(&json, d->seconds);
	json_key(&json, "microseconds");
	json_int(&json, d->microseconds);
	if (d->incomplete) {
		json_key(&json, "incomplete");
		json_bool(&json, true);
	}
	if (d->extension != NULL)
		put_extension(&json, d->extension);
	json_close(&json, '}');
	json_close(&json, '}');
	text_put(text, "\n");
}

static int
read_refusals(const struct doc_node *root, struct extension *e, struct err *err)
{
	const struct doc_node *list = NULL;

	if (doc_get_array(root, "refusals", "extension.refusals", &list, err) !=
	    0)
		return -1;
	for (const struct doc_node *at = list != NULL ? list->first : NULL; at;
	     at = at->next) {
		const char *node = "", *reason = "";
		bool forever = false;

		if (doc_get_string(at, "node", "node", &node, err) != 0 ||
		    doc_get_string(at, "reason", "reason", &reason, err) != 0 ||
		    doc_get_bool(at, "forever", "forever", &forever, err) != 0)
			return -1;
		extension_refuse(e, sym_in(&e->arena, node), reason, forever);
	}
	return 0;
}

static int
read_extension(const struct doc_node *root, struct extension *e,
    struct err *err)
{
	const struct doc_node *left = NULL, *scores = NULL;
	bool filtered = false;
	sym *nodes;
	size_t n = 0;

	if (doc_get_bool(root, "filtered", "extension.filtered", &filtered,
		err) != 0 ||
	    doc_get_array(root, "left", "extension.left", &left, err) != 0 ||
	    doc_get_array(root, "scores", "extension.scores", &scores, err) !=
		0)
		return -1;
	nodes =
	    arena_array(&e->arena, sym, (left != NULL ? left->count : 0) + 1);
	for (const struct doc_node *at = left != NULL ? left->first : NULL; at;
	     at = at->next)
		if (at->kind == DOC_STRING)
			nodes[n++] = sym_in(&e->arena, at->text);
	if (filtered)
		extension_leave(e, nodes, n);
	for (const struct doc_node *at = scores != NULL ? scores->first : NULL;
	     at; at = at->next) {
		const char *node = "";
		int64_t score = 0;

		if (doc_get_string(at, "node", "node", &node, err) != 0 ||
		    doc_get_int(at, "score", "score", INT64_MIN, INT64_MAX,
			&score, err) != 0)
			return -1;
		extension_score(e, sym_in(&e->arena, node), score);
	}
	return read_refusals(root, e, err);
}

static int
read_seed(const struct doc_node *root, uint64_t *seed, struct err *err)
{
	const char *text = "";
	char *end;

	if (doc_get_string(root, "seed", "decision.seed", &text, err) != 0)
		return -1;
	*seed = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0')
		return doc_errf(err, root,
		    "decision.seed must be a whole number in quotes");
	return 0;
}

static int
read_count(const struct doc_node *root, const char *key, uint32_t *out,
    struct err *err)
{
	int64_t value = 0;

	if (doc_get_int(root, key, key, 0, UINT32_MAX, &value, err) != 0)
		return -1;
	*out = (uint32_t)value;
	return 0;
}

static int
read_texts(const struct doc_node *root, struct record_decision *d,
    struct err *err)
{
	const struct {
		const char *key;
		const char **out;
	} texts[] = {
		{ "pod", &d->pod },
		{ "uid", &d->uid },
		{ "resourceVersion", &d->resource_version },
		{ "node", &d->node },
		{ "message", &d->message },
		{ "nominated", &d->nominated },
	};

	for (size_t i = 0; i < LENGTH(texts); i++)
		if (doc_get_string(root, texts[i].key, texts[i].key,
			texts[i].out, err) != 0)
			return -1;
	return 0;
}

int
record_read_decision(const struct doc_node *root, struct record_decision *d,
    struct extension *extension, struct err *err)
{
	const struct doc_node *said = doc_get(root, "extension");
	int64_t microseconds = 0;

	*extension = (struct extension){ 0 };
	*d = (struct record_decision){ .pod = "",
		.uid = "",
		.resource_version = "",
		.nominated = "",
		.message = "" };
	if (read_texts(root, d, err) != 0 ||
	    read_seed(root, &d->seed, err) != 0 ||
	    doc_get_int(root, "percentageOfNodes", "percentageOfNodes", 0, 100,
		&d->percentage_of_nodes, err) != 0 ||
	    read_count(root, "nodes", &d->nnodes, err) != 0 ||
	    read_count(root, "feasible", &d->nfeasible, err) != 0 ||
	    read_count(root, "best", &d->nbest, err) != 0 ||
	    doc_get_int(root, "score", "score", INT64_MIN, INT64_MAX, &d->score,
		err) != 0 ||
	    doc_get_int(root, "seconds", "seconds", 0, INT64_MAX, &d->seconds,
		err) != 0 ||
	    doc_get_int(root, "microseconds", "microseconds", 0, 999999,
		&microseconds, err) != 0 ||
	    doc_get_bool(root, "incomplete", "incomplete", &d->incomplete,
		err) != 0)
		return -1;
	d->microseconds = (int32_t)microseconds;
	if (said == NULL)
		return 0;
	d->extension = extension;
	return read_extension(said, extension, err);
}
