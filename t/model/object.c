#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/decode.h"
#include "objects/object.h"
#include "objects/pod.h"
#include "t/lib/t.h"

static int
decode(const char *text, const char *fallback, struct object **out,
    char kind_text[64], struct err *err)
{
	struct doc *doc =
	    doc_parse("o.json", text, strlen(text), &doc_limits_people, err);
	const char *kind = "";
	int result;

	if (doc == NULL)
		return -1;
	result = object_decode(NULL, doc_root(doc), fallback, out, &kind, err);
	snprintf(kind_text, 64, "%s", kind);
	doc_free(doc);
	return result;
}

static void
kinds_belong_to_their_groups(void)
{
	static const struct {
		const char *kind, *version, *fallback;
		int want;
	} rows[] = {
		{ "Pod", "v1", "", 1 },
		{ "Pod", "", "", 1 },
		{ "", "", "Pod", 1 },
		{ "", "v1", "Pod", 1 },
		{ "Node", "v1", "Pod", 1 },
		{ "", "", "", 0 },
		{ "", "v1", "", 0 },
		{ "Pod", "v2", "", 0 },
		{ "Pod", "metrics.k8s.io/v1", "", 0 },
		{ "Service", "v1", "", 1 },
		{ "Service", "serving.knative.dev/v1", "", 0 },
		{ "ReplicationController", "v1", "", 1 },
		{ "ReplicaSet", "apps/v1", "", 1 },
		{ "ReplicaSet", "extensions/v1beta1", "", 1 },
		{ "ReplicaSet", "appsx/v1", "", 0 },
		{ "StatefulSet", "apps/v1beta2", "", 1 },
		{ "PersistentVolume", "v1", "", 1 },
		{ "PersistentVolumeClaim", "v1", "", 1 },
		{ "StorageClass", "storage.k8s.io/v1", "", 1 },
		{ "CSINode", "storage.k8s.io/v1beta1", "", 1 },
		{ "CSIDriver", "storage.k8s.io/v1", "", 1 },
		{ "CSIStorageCapacity", "storage.k8s.io/v1", "", 1 },
		{ "VolumeAttachment", "storage.k8s.io/v1", "", 1 },
		{ "ResourceClaim", "resource.k8s.io/v1", "", 1 },
		{ "ResourceClaim", "resource.k8s.io/v1beta1", "", 1 },
		{ "ResourceClaim", "v1", "", 0 },
		{ "PodDisruptionBudget", "policy/v1", "", 1 },
		{ "Namespace", "v1", "", 1 },
		{ "PriorityClass", "scheduling.k8s.io/v1", "", 1 },
		{ "Event", "v1", "", 0 },
		{ "pod", "v1", "", 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf(
		    "{\"kind\":\"%s\","
		    "\"apiVersion\":\"%s\",\"metadata\":{\"name\":\"x\"}}",
		    rows[i].kind, rows[i].version);
		struct err err = { "" };
		struct object *object = NULL;
		char kind[64];

		t_int(text, decode(text, rows[i].fallback, &object, kind, &err),
		    rows[i].want);
		t_str(text, err.text, "");
		if (rows[i].want == 0)
			t_str("its kind is told", kind, rows[i].kind);
		else if (object != NULL)
			t_str("kind", object_kind_name(object->kind),
			    rows[i].kind[0] != '\0' ? rows[i].kind :
						      rows[i].fallback);
		object_unref(object);
	}
}

static void
only_some_kinds_have_namespaces(void)
{
	static const struct {
		const char *kind, *namespace, *want;
	} rows[] = {
		{ "Pod", "", "default" },
		{ "Pod", ",\"namespace\":\"\"", "default" },
		{ "Pod", ",\"namespace\":\"a\"", "a" },
		{ "Service", "", "default" },
		{ "Node", ",\"namespace\":\"a\"", "" },
		{ "Namespace", "", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf(
		    "{\"kind\":\"%s\",\"metadata\":{\"name\":\"x\"%s}}",
		    rows[i].kind, rows[i].namespace);
		struct object *object = NULL;
		char kind[64];

		if (t_int(text, decode(text, "", &object, kind, NULL), 1))
			t_str(text, sym_text(object->namespace), rows[i].want);
		object_unref(object);
	}
}

static void
broken_objects_are_refused(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "[]", "o.json:1:1: an API object must be an object" },
		{ "{\"kind\":1}", "kind must be a string" },
		{ "{\"kind\":\"Pod\",\"apiVersion\":[]}",
		    "apiVersion must be a string" },
		{ "{\"kind\":\"Pod\"}", "metadata is missing" },
		{ "{\"kind\":\"Pod\",\"metadata\":null}",
		    "metadata is missing" },
		{ "{\"kind\":\"Pod\",\"metadata\":{}}",
		    "metadata.name must be a non-empty string" },
		{ "{\"kind\":\"Pod\",\"metadata\":{\"name\":7}}",
		    "o.json:1:34: metadata.name must be a string" },
		{ "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\","
		  "\"creationTimestamp\":\"soon\"}}",
		    "metadata.creationTimestamp must be an RFC 3339 time, not "
		    "\"soon\"" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };
		struct object *object = NULL;
		char kind[64];

		t_int(rows[i].text,
		    decode(rows[i].text, "", &object, kind, &err), -1);
		t_true("nothing comes of it", object == NULL);
		t_has(rows[i].text, err.text, rows[i].want);
	}
}

static void
times_are_rfc_3339(void)
{
	static const struct {
		const char *text;
		int64_t seconds; /* -1: no time */
		int32_t nanoseconds;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0, 0 },
		{ "2019-08-01T00:00:38Z", 1564617638, 0 },
		{ "2019-08-01T02:00:38+02:00", 1564617638, 0 },
		{ "2019-07-31T18:30:38-05:30", 1564617638, 0 },
		{ "2019-08-01T00:00:38.25Z", 1564617638, 250000000 },
		{ "2019-08-01T00:00:38.1234567899Z", 1564617638, 123456789 },
		{ "2000-02-29T00:00:00Z", 951782400, 0 },
		{ "1900-03-01T00:00:00Z", -2203891200, 0 },
		{ "1969-12-31T23:59:58Z", -2, 0 },
		{ "0000-01-01T00:00:00Z", -62167219200, 0 },
		{ "9999-12-31T23:59:59Z", 253402300799, 0 },
		{ "-0001-12-31T23:59:59Z", -62167219201, 0 },
		{ "10000-01-01T00:00:00Z", 253402300800, 0 },
		{ "0000-01-01T00:00:00.5+23:59", -62167305540, 500000000 },
		{ "292277026596-12-04T15:30:07Z", INT64_MAX, 0 },
		{ "-292277022657-01-27T08:29:52Z", INT64_MIN, 0 },
		{ "999999999999-12-31T00:00:00Z", INT64_MAX, 0 },
		{ "1900-02-29T00:00:00Z", -1, 0 },
		{ "2019-02-29T00:00:00Z", -1, 0 },
		{ "2019-13-01T00:00:00Z", -1, 0 },
		{ "2019-00-01T00:00:00Z", -1, 0 },
		{ "2019-08-32T00:00:00Z", -1, 0 },
		{ "2019-08-01T24:00:00Z", -1, 0 },
		{ "2019-08-01T00:60:00Z", -1, 0 },
		{ "2019-08-01T00:00:60Z", -1, 0 },
		{ "2019-08-01T00:00:00", -1, 0 },
		{ "2019-08-01T00:00:00.Z", -1, 0 },
		{ "2019-08-01T00:00:00+0200", -1, 0 },
		{ "2019-08-01T00:00:00Zx", -1, 0 },
		{ "2019-08-01t00:00:00z", -1, 0 },
		{ "2019-08-01", -1, 0 },
		{ "19-08-01T00:00:00Z", -1, 0 },
		{ "", -1, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		int64_t seconds = -1;
		int32_t nanoseconds = 0;

		t_int(rows[i].text,
		    time_parse(rows[i].text, &seconds, &nanoseconds),
		    rows[i].seconds != -1);
		t_int(rows[i].text, seconds, rows[i].seconds);
		t_int(rows[i].text, nanoseconds, rows[i].nanoseconds);
	}
}

/*
 * Hostile input: a good object with one value after the other replaced.
 */

struct text {
	char *bytes;
	size_t n, cap;
};

static void
put(struct text *text, const char *s)
{
	for (; *s != '\0'; s++) {
		vec_room(text->bytes, text->n, &text->cap);
		text->bytes[text->n++] = *s;
	}
}

static void
put_string(struct text *text, const char *s)
{
	char escaped[] = "\\?";

	put(text, "\"");
	for (; *s != '\0'; s++) {
		escaped[1] = *s;
		put(text, *s == '"' || *s == '\\' ? escaped : escaped + 1);
	}
	put(text, "\"");
}

/* Writes the value; where *left, counted in the order of the text, gets to 0
 * the substitute stands in its place. */
static void
put_value(struct text *text, const struct doc_node *node, int *left,
    const char *substitute)
{
	const struct doc_node *at;

	if ((*left)-- == 0) {
		put(text, substitute);
		return;
	}
	switch (node->kind) {
	case DOC_NULL:
		put(text, "null");
		break;
	case DOC_BOOL:
		put(text, node->boolean ? "true" : "false");
		break;
	case DOC_NUMBER:
		put(text, node->text);
		break;
	case DOC_STRING:
		put_string(text, node->text);
		break;
	case DOC_ARRAY:
	case DOC_OBJECT:
		put(text, node->kind == DOC_ARRAY ? "[" : "{");
		for (at = node->first; at != NULL; at = at->next) {
			if (at != node->first)
				put(text, ",");
			if (node->kind == DOC_OBJECT) {
				put_string(text, at->key);
				put(text, ":");
			}
			put_value(text, at, left, substitute);
		}
		put(text, node->kind == DOC_ARRAY ? "]" : "}");
		break;
	}
}

/* Decodes the sample with its i-th value replaced; false when there are not
 * that many. */
static bool
decode_replaced(const struct doc_node *sample, int i, const char *substitute)
{
	struct text text = { 0 };
	struct object *object = NULL;
	struct err err = { "" };
	char kind[64];
	int left = i, result;

	put_value(&text, sample, &left, substitute);
	vec_room(text.bytes, text.n, &text.cap);
	text.bytes[text.n] = '\0';
	result = decode(text.bytes, "", &object, kind, &err);
	t_true(text.bytes, (result == 1) == (object != NULL));
	t_true("an error says why", (result < 0) == (err.text[0] != '\0'));
	if (result < 0)
		t_has("and where", err.text, "o.json:1:");
	object_unref(object);
	free(text.bytes);
	return left < 0;
}

static void
replace_all(const char *name)
{
	static const char *const substitutes[] = { "null", "true", "-1",
		"1e400", "0.5", "\"\"", "\"x\"", "[]", "[null]", "[1]", "[[]]",
		"[{}]", "{}", "{\"a\":null}", "{\"a\":{}}", "{\"cpu\":[]}" };
	AUTOFREE char *text = t_data(name);
	struct doc *sample =
	    doc_parse(name, text, strlen(text), &doc_limits_people, NULL);

	if (!t_true("the sample is a document", sample != NULL))
		return;
	for (size_t i = 0; i < LENGTH(substitutes); i++)
		for (int value = 0;
		     decode_replaced(doc_root(sample), value, substitutes[i]);
		     value++)
			;
	doc_free(sample);
}

static void
a_value_of_a_wrong_type_never_crashes(void)
{
	replace_all("model/pod.json");
	replace_all("model/node.json");
	t_int("no class is left", pod_class_count(), 0);
}

static void
references_are_counted(void)
{
	struct object *object = NULL;
	char kind[64];

	t_int("a node",
	    decode("{\"metadata\":{\"name\":\"n\"}}", "Node", &object, kind,
		NULL),
	    1);
	t_true("the same", object_ref(object) == object);
	object_unref(object);
	t_str("still there", object->name, "n");
	object_unref(object);
	object_unref(NULL);
}

T_MAIN(T(kinds_belong_to_their_groups), T(only_some_kinds_have_namespaces),
    T(broken_objects_are_refused), T(times_are_rfc_3339),
    T(a_value_of_a_wrong_type_never_crashes), T(references_are_counted))
