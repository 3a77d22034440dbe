#include "config.h"

#include "tool/commands/dump_objects.h"

#include <strings.h>

#include "base/doc.h"
#include "base/json_out.h"
#include "objects/fields.h"
#include "policy/openshift.h"
#include "policy/policy.h"

#define POLICY_KEY "policy.cfg"

/* ---- which fields ---- */

#define ROW(key_)                                                              \
	{                                                                      \
		.key = key_                                                    \
	}
#define END                                                                    \
	{                                                                      \
		.key = NULL                                                    \
	}

static const struct doc_field names[] = { ROW("name"), ROW("namespace"),
	ROW("uid"), ROW("creationTimestamp"), END };

static const struct doc_field project_annotations[] = {
	ROW("scheduler.alpha.kubernetes.io/node-selector"),
	ROW("openshift.io/node-selector"),
	ROW("scheduler.alpha.kubernetes.io/defaultTolerations"), END
};
static const struct doc_field project_meta[] = { ROW("name"), ROW("uid"),
	ROW("labels"), ROW("creationTimestamp"), ROW("deletionTimestamp"),
	{ .key = "annotations", .within = project_annotations }, END };
static const struct doc_field project_fields[] = {
	{ .key = "metadata", .within = project_meta }, END
};

/* Custom resources: all of the spec counts. */
static const struct doc_field spec_fields[] = {
	{ .key = "metadata", .within = names }, ROW("spec"), END
};

static const struct doc_field scheduler_annotations[] = {
	ROW(OPENSHIFT_ANNOTATION), END
};
static const struct doc_field scheduler_meta[] = { ROW("name"),
	{ .key = "annotations", .within = scheduler_annotations }, END };
static const struct doc_field scheduler_fields[] = {
	{ .key = "metadata", .within = scheduler_meta }, ROW("spec"), END
};

static const struct doc_field *
fields_of(const struct object *object)
{
	const struct doc_field *fields;

	if (object == NULL)
		return scheduler_fields;
	if (object->kind == OBJECT_NAMESPACE)
		return project_fields;
	fields = object_fields(object->kind);
	return fields != NULL ? fields : spec_fields;
}

/* ---- the text ---- */

static void put_value(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields);

static void
put_members(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields, bool is_root)
{
	EACH_CHILD (p, node) {
		const struct doc_field *field = doc_field(fields, p->key);

		/* Messages, of conditions, are free text; no decision reads
		 * them.  The type of the object has been written. */
		if (field == NULL || strcmp(p->key, "message") == 0 ||
		    (is_root && text_is_choice("kind|apiVersion", p->key)))
			continue;
		json_key(json, p->key);
		put_value(json, p, field->within);
	}
}

/* fields NULL: all of it. */
static void
put_value(struct json_out *json, const struct doc_node *node,
    const struct doc_field *fields)
{
	if (fields == NULL ||
	    (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY)) {
		json_doc_node(json, node);
	} else if (node->kind == DOC_ARRAY) {
		json_open(json, '[');
		EACH_CHILD (p, node)
			put_value(json, p, fields);
		json_close(json, ']');
	} else {
		json_open(json, '{');
		put_members(json, node, fields, false);
		json_close(json, '}');
	}
}

/* ---- policies ---- */

/* Of tlsConfig, in any case as Go reads it: keys, and files of this machine. */
static bool
is_of_machine(const char *key)
{
	static const char *const keys[] = { "certFile", "keyFile", "caFile",
		"certData", "keyData" };

	return ANY(i, LENGTH(keys), strcasecmp(key, keys[i]) == 0);
}

static void
put_rules(struct json_out *json, const struct doc_node *node)
{
	const char *brackets = node->kind == DOC_ARRAY ? "[]" : "{}";

	if (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY) {
		json_doc_node(json, node);
		return;
	}
	json_open(json, brackets[0]);
	EACH_CHILD (p, node) {
		if (p->key != NULL && is_of_machine(p->key))
			continue;
		if (p->key != NULL)
			json_key(json, p->key);
		if (p->key != NULL && strcasecmp(p->key, "urlPrefix") == 0) {
			AUTOFREE char *url = url_without_user(doc_string(p));

			json_string(json, url);
		} else {
			put_rules(json, p);
		}
	}
	json_close(json, brackets[1]);
}

char *
dump_policy(const char *name, const char *text, size_t text_len, size_t *len,
    struct err *err)
{
	struct text clean = { 0 };

	if (policy_rewrite(name, text, text_len, put_rules, &clean, err) != 0)
		return NULL;
	text_put(&clean, "\n");
	*len = clean.len;
	return text_take(&clean);
}

/* A ConfigMap of openshift-config: its policy alone. */
static void
put_config_map(struct json_out *json, const struct doc_node *root)
{
	const struct doc_node *text = policy_of_manifest(root);
	AUTOFREE char *policy = NULL;
	size_t len;

	json_open_member(json, "metadata", '{');
	put_members(json, doc_get(root, "metadata"), names, false);
	json_close(json, '}');
	if (text == NULL)
		return;
	policy = dump_policy(POLICY_KEY, text->text, text->len, &len, NULL);
	if (policy == NULL)
		return;
	json_open_member(json, "data", '{');
	json_pair(json, POLICY_KEY, policy);
	json_close(json, '}');
}

/* ---- objects ---- */

static void
take(void *arg, const struct object *object, const struct doc_node *root,
    const char *kind, const char *api_version)
{
	struct dump_objects *objects = arg;
	struct text *text =
	    &objects->kinds[object != NULL ? object->kind : OBJECT_KINDS];
	struct json_out json = JSON_OUT_INIT(text);
	const char *named =
	    object != NULL ? object_kind_name(object->kind) : kind;

	text_put(text, text->len > 0 ? ",\n" : "");
	json_open(&json, '{');
	json_members(&json, "apiVersion:s kind:s", api_version, named);
	if (object == NULL && strcmp(kind, "ConfigMap") == 0)
		put_config_map(&json, root);
	else
		put_members(&json, root, fields_of(object), true);
	json_close(&json, '}');
}

struct load_witness
dump_witness(struct dump_objects *objects)
{
	return (struct load_witness){ take, objects };
}

char *
dump_objects_json(struct dump_objects *objects, const char *report, size_t *len)
{
	struct text all = { 0 };
	const char *before = "\n";

	text_put(&all, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
	for (size_t i = 0; i <= OBJECT_KINDS; i++) {
		struct text *kind = &objects->kinds[i];

		if (kind->len == 0)
			continue;
		text_put(&all, before);
		text_append(&all, kind->bytes, kind->len);
		text_fini(kind);
		before = ",\n";
	}
	text_put(&all, "\n]");
	if (report != NULL)
		text_printf(&all, ",\n\"report\":%s", report);
	text_put(&all, "}\n");
	*len = all.len;
	return text_take(&all);
}
