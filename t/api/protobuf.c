#include "config.h"

#include "wire/api/protobuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json_out.h"
#include "wire/api/list_page.h"
#include "wire/api/protobuf_tree.h"
#include "wire/api/wire.h"
#include "base/doc.h"
#include "base/err.h"
#include "base/doc_build.h"
#include "base/xmalloc.h"
#include "objects/fields.h"
#include "t/lib/encodings.h"
#include "t/lib/t.h"

static const struct sample {
	const char *what, *name;
} samples[] = {
	{ "object", "pod" },
	{ "object", "node" },
	{ "object", "status" },
	{ "list", "page" },
	{ "list", "services" },
	{ "list", "configmaps" },
	{ "list", "csinodes" },
	{ "list", "poddisruptionbudgets" },
	{ "watch", "watch" },
	{ "watch", "error" },
};

static struct text
load(const char *name, const char *suffix)
{
	char AUTOFREE *path = xasprintf("t/data/protobuf/%s.%s", name, suffix);
	struct text text;

	t_true(path, encodings_load(t_path(path), &text));
	return text;
}

/* Answers of kube-apiserver 1.20.2, see encodings.t. */
static void
both_encodings_make_the_same_tree(void)
{
	for (size_t i = 0; i < LENGTH(samples); i++) {
		struct text json = load(samples[i].name, "json");
		struct text protobuf = load(samples[i].name, "pb");
		char *found =
		    encodings_difference(samples[i].what, &json, &protobuf);

		t_str(samples[i].name, found, NULL);
		free(found);
		text_fini(&json);
		text_fini(&protobuf);
	}
}

/*
 * Hostile input
 */

/* As whatever it may be; in memory of its own, so that ASan sees reads beyond
 * it. */
static bool
try(const char *what, const char *bytes, size_t len)
{
	char AUTOFREE *copy = xmalloc(len > 0 ? len : 1);
	struct list_meta meta = { 0 };
	const struct doc_node *root;
	struct protobuf_list *list;
	struct err err = { "" };
	struct doc *doc;
	int got = 1;

	memcpy(copy, bytes, len);
	if (strcmp(what, "list") == 0) {
		list = protobuf_list_open("x", copy, len, &doc_limits_dump,
		    &meta, &err);
		while (list != NULL && got == 1)
			got = protobuf_list_next(list, &root, &err);
		got = list != NULL && got == 0;
		list_meta_fini(&meta);
		protobuf_list_close(list);
	} else {
		doc = strcmp(what, "object") == 0 ?
		    protobuf_parse("x", copy, len, &doc_limits_dump, &err) :
		    protobuf_parse_event("x", copy, len, &doc_limits_dump,
			&err);
		got = doc != NULL;
		doc_free(doc);
	}
	return got == 1 ? err.text[0] == '\0' : err.text[0] != '\0';
}

static void
what_is_cut_off_is_an_error_or_short(void)
{
	for (size_t i = 0; i < LENGTH(samples); i++) {
		struct text text = load(samples[i].name, "pb");
		bool good = true;

		for (size_t len = 0; len < text.len; len++)
			good &= try(samples[i].what, text.bytes, len);
		t_true(samples[i].name, good);
		text_fini(&text);
	}
}

static void
nothing_trusts_a_byte(void)
{
	static const unsigned char masks[] = { 0x01, 0x08, 0x80, 0xff };

	for (size_t i = 0; i < LENGTH(samples); i++) {
		struct text text = load(samples[i].name, "pb");
		bool good = true;

		for (size_t at = 0; at < text.len; at++)
			for (size_t m = 0; m < LENGTH(masks); m++) {
				text.bytes[at] ^= (char)masks[m];
				good &=
				    try(samples[i].what, text.bytes, text.len);
				text.bytes[at] ^= (char)masks[m];
			}
		t_true(samples[i].name, good);
		text_fini(&text);
	}
}

/*
 * Messages made here
 */

static struct doc *
parse(const char *kind, struct text *message, const struct doc_limits *limits,
    struct err *err)
{
	struct text text = { 0 };
	struct doc *doc;

	protobuf_put(&text, "v1", kind, message);
	doc = protobuf_parse("x", text.bytes, text.len, limits, err);
	text_fini(&text);
	return doc;
}

/* Takes the metadata's message; the document as JSON, or the error. */
static void
metadata_is(const char *name, struct text *metadata, const char *want)
{
	struct text message = { 0 }, json = { 0 };
	struct err err = { "" };
	struct doc *doc;

	wire_put_message(&message, 1, metadata);
	doc = parse("ConfigMap", &message, &doc_limits_dump, &err);
	if (doc != NULL)
		json_put_node(&json, doc_get(doc_root(doc), "metadata"));
	t_str(name, doc != NULL ? json.bytes : err.text, want);
	doc_free(doc);
	text_fini(&json);
}

static void
put_pair(struct text *text, uint32_t number, const char *key, size_t len,
    const char *value)
{
	struct text entry = { 0 };

	wire_put_bytes(&entry, 1, key, len);
	if (value != NULL)
		wire_put_string(&entry, 2, value);
	wire_put_message(text, number, &entry);
}

static void
values_are_as_in_json(void)
{
	struct text m = { 0 }, time = { 0 };

	metadata_is("nothing", &m, "{}");
	wire_put_string(&m, 1, "a");
	wire_put_string(&m, 2, "");
	metadata_is("empty texts are left out", &m, "{\"name\":\"a\"}");
	wire_put_string(&m, 1, "a\xff\xc3");
	metadata_is("no UTF-8", &m, "{\"name\":\"a\xef\xbf\xbd\xef\xbf\xbd\"}");
	wire_put_number(&m, 7, (uint64_t)INT64_MIN);
	wire_put_number(&m, 10, 0);
	metadata_is("numbers", &m,
	    "{\"generation\":-9223372036854775808,"
	    "\"deletionGracePeriodSeconds\":0}");
	wire_put_message(&m, 8, &time);
	metadata_is("no time", &m, "{\"creationTimestamp\":null}");
	wire_put_number(&time, 1, 0);
	wire_put_number(&time, 2, 999);
	wire_put_message(&m, 8, &time);
	metadata_is("1970", &m,
	    "{\"creationTimestamp\":\"1970-01-01T00:00:00Z\"}");
	wire_put_number(&time, 1, 951868799);
	wire_put_message(&m, 8, &time);
	metadata_is("a leap day", &m,
	    "{\"creationTimestamp\":\"2000-02-29T23:59:59Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_C(-62135596799));
	wire_put_message(&m, 8, &time);
	metadata_is("the year 1", &m,
	    "{\"creationTimestamp\":\"0001-01-01T00:00:01Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_C(253402300799));
	wire_put_message(&m, 8, &time);
	metadata_is("the year 9999", &m,
	    "{\"creationTimestamp\":\"9999-12-31T23:59:59Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_C(-62167219200));
	wire_put_message(&m, 8, &time);
	metadata_is("the year 0", &m,
	    "{\"creationTimestamp\":\"0000-01-01T00:00:00Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_C(-62167219201));
	wire_put_message(&m, 8, &time);
	metadata_is("the year before", &m,
	    "{\"creationTimestamp\":\"-0001-12-31T23:59:59Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_C(253402300800));
	wire_put_message(&m, 8, &time);
	metadata_is("the year 10000", &m,
	    "{\"creationTimestamp\":\"10000-01-01T00:00:00Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_MAX);
	wire_put_message(&m, 8, &time);
	metadata_is("292 billion years from now", &m,
	    "{\"creationTimestamp\":\"292277026596-12-04T15:30:07Z\"}");
	wire_put_number(&time, 1, (uint64_t)INT64_MIN);
	wire_put_message(&m, 8, &time);
	metadata_is("292 billion years ago", &m,
	    "{\"creationTimestamp\":\"-292277022657-01-27T08:29:52Z\"}");
	put_pair(&m, 11, "a\0b", 3, "1");
	put_pair(&m, 11, "a", 1, "2");
	put_pair(&m, 11, "a\0c", 3, "3");
	metadata_is("keys with a NUL", &m,
	    "{\"labels\":{\"a\\u0000b\":\"1\",\"a\":\"2\","
	    "\"a\\u0000c\":\"3\"}}");
	put_pair(&m, 11, "b", 1, "1");
	put_pair(&m, 11, "", 0, NULL);
	put_pair(&m, 11, "b", 1, "2");
	metadata_is("a map's last value counts", &m,
	    "{\"labels\":{\"\":\"\",\"b\":\"2\"}}");
	wire_put_string(&m, 1, "a");
	wire_put_string(&m, 3, "n");
	wire_put_string(&m, 1, "b");
	metadata_is("a field's last value counts", &m,
	    "{\"namespace\":\"n\",\"name\":\"b\"}");
	wire_put_string(&m, 17, "managed");
	wire_put_string(&m, 536870911, "new");
	wire_put_number(&m, 16000, 7);
	wire_put_string(&m, 1, "a");
	metadata_is("unknown fields", &m, "{\"name\":\"a\"}");
}

static void
times_agree_with_the_c_library(void)
{
	struct text m = { 0 }, t = { 0 };
	char want[64], text[32];
	struct tm tm;
	time_t at;

	/* Some 2800 times in 1500 years. */
	for (int64_t seconds = INT64_C(-20000000000);
	     seconds < INT64_C(27000000000); seconds += 16777213) {
		at = (time_t)seconds;
		gmtime_r(&at, &tm);
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
		snprintf(want, sizeof(want), "{\"creationTimestamp\":\"%s\"}",
		    text);
		wire_put_number(&t, 1, (uint64_t)seconds);
		wire_put_message(&m, 8, &t);
		metadata_is(text, &m, want);
	}
}

static void
errors_say_where(void)
{
	struct text m = { 0 };

	text_append(&m, "\x0a\xff\xff\xff\xff\x0f", 6);
	metadata_is("a huge length", &m,
	    "x: byte 26: field 1 exceeds its enclosing message");
	text_append(&m, "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11);
	metadata_is("a huge number", &m, "x: byte 26: number exceeds 64 bits");
	text_append(&m, "\x38\x80", 2);
	metadata_is("half a number", &m, "x: byte 27: truncated number");
	text_append(&m, "\x0b", 1);
	metadata_is("a group", &m,
	    "x: byte 25: field 1 has unknown wire type 3");
	text_append(&m, "\x02", 1);
	metadata_is("field 0", &m, "x: byte 25: invalid field number");
	wire_put_number(&m, 1, 5);
	metadata_is("a name that is a number", &m,
	    "x: byte 27: field 1 has the wrong type 0");
	put_pair(&m, 11, "a", 1, "");
	put_pair(&m, 12, "a", 1, "");
	put_pair(&m, 11, "b", 1, "");
	metadata_is("a map in pieces", &m,
	    "x: byte 46: elements of field 11 are not contiguous");
}

static void
envelopes_are_checked(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *want;
	} rows[] = {
		/* clang-format off */
		{ "", 0, "x: byte 0: not in the Kubernetes protobuf format" },
		{ "{}", 2, "x: byte 0: not in the Kubernetes protobuf format" },
		{ "k8s\0", 4, "x: byte 0: unknown kind: , " },
		{ "k8s\0\x0a\x07\x0a\x02v1\x12\x01X", 13,
		    "x: byte 0: unknown kind: v1, X" },
		{ "k8s\0\x1a\x04gzip", 10,
		    "x: byte 10: unknown content encoding" },
		{ "k8s\0\x10\x01", 6, "x: byte 6: malformed protobuf envelope" },
		/* clang-format on */
	};
	struct list_meta meta = { 0 };
	struct err err;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_true(rows[i].want,
		    protobuf_parse("x", rows[i].bytes, rows[i].len,
			&doc_limits_people, &err) == NULL);
		t_str("error", err.text, rows[i].want);
	}
	t_true("no list",
	    protobuf_list_open("x", rows[3].bytes, rows[3].len,
		&doc_limits_people, &meta, &err) == NULL);
	t_has("error", err.text, "unknown list kind: v1, X");
}

static void
limits_hold(void)
{
	static const struct {
		struct doc_limits limits;
		const char *want;
	} rows[] = {
		{ { .bytes = 100, .depth = 100, .values = 1000 },
		    "bytes exceed the limit of 100" },
		{ { .bytes = 1 << 20, .depth = 4, .values = 1000 },
		    "nested more than 4 levels deep" },
		{ { .bytes = 1 << 20, .depth = 100, .values = 30 },
		    "more than 30 values in one document" },
	};
	struct text text = load("pod", "pb");
	struct err err;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_true(rows[i].want,
		    protobuf_parse("x", text.bytes, text.len, &rows[i].limits,
			&err) == NULL);
		t_has("error", err.text, rows[i].want);
	}
	text_fini(&text);
}

static void
lists_of_numbers_may_be_packed(void)
{
	struct text pod = { 0 }, spec = { 0 }, context = { 0 }, json = { 0 };
	struct err err = { "" };
	struct doc *doc;

	wire_put_number(&context, 4, 1);
	wire_put_bytes(&context, 4, "\x02\xac\x02", 3);
	wire_put_message(&spec, 14, &context);
	wire_put_message(&pod, 2, &spec);
	doc = parse("Pod", &pod, &doc_limits_people, &err);
	t_str("error", err.text, "");
	if (doc != NULL)
		json_put_node(&json, doc_get(doc_root(doc), "spec"));
	t_str("groups, and no containers", json.bytes,
	    "{\"securityContext\":{\"supplementalGroups\":[1,2,300]},"
	    "\"containers\":null}");
	text_fini(&json);
	doc_free(doc);
}

/*
 * Only what is decoded
 */

static char *
json_of(const struct doc_node *node)
{
	struct text json = { 0 };

	json_put_node(&json, node);
	return text_take(&json);
}

static void
some_fields_are_those_of_the_whole(void)
{
	static const struct {
		const char *what;
		enum object_kind kind;
	} rows[] = {
		{ "pod", OBJECT_POD },
		{ "node", OBJECT_NODE },
		{ "pod", OBJECT_SERVICE },
		{ "node", OBJECT_PERSISTENT_VOLUME },
	};
	struct doc_limits limits = doc_limits_dump;
	struct doc *whole, *some;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text text = load(rows[i].what, "pb");
		char AUTOFREE *want = NULL, *got = NULL, *all = NULL;

		limits.fields = object_fields(rows[i].kind);
		whole = protobuf_parse("x", text.bytes, text.len,
		    &doc_limits_dump, NULL);
		some = protobuf_parse("x", text.bytes, text.len, &limits, NULL);
		if (t_true("read", whole != NULL && some != NULL)) {
			all = json_of(doc_root(whole));
			doc_prune(whole, doc_root(whole), limits.fields);
			want = json_of(doc_root(whole));
			got = json_of(doc_root(some));
			t_str(rows[i].what, got, want);
			t_true("less", strlen(got) < strlen(all) / 2);
		}
		doc_free(whole);
		doc_free(some);
		text_fini(&text);
	}
}

static void
put_item(struct text *list, const char *name, const char *broken)
{
	struct text pod = { 0 }, metadata = { 0 };

	wire_put_string(&metadata, 1, name);
	wire_put_message(&pod, 1, &metadata);
	wire_put_bytes(&pod, 2, broken, strlen(broken));
	wire_put_message(list, 2, &pod);
}

/* Each element has a frame of its own. */
static void
a_broken_element_hides_no_other(void)
{
	struct text list = { 0 }, text = { 0 }, names = { 0 };
	const struct doc_node *root;
	struct list_meta meta = { 0 };
	struct protobuf_list *reader;
	struct err err = { "" };
	const char *name;
	struct doc *doc;
	int got;

	put_item(&list, "a", "");
	put_item(&list, "b", "\x0b"); /* the spec is no message */
	put_item(&list, "c", "");
	put_item(&list, "d", "\x0a\x7f");
	protobuf_put(&text, "v1", "PodList", &list);
	reader = protobuf_list_open("x", text.bytes, text.len, &doc_limits_dump,
	    &meta, &err);
	while ((got = protobuf_list_next(reader, &root, &err)) != 0 &&
	    protobuf_list_can_go_on(reader)) {
		doc = NULL;
		text_put(&names, got == 1 ? " " : " !");
		if (got < 0) {
			doc = protobuf_list_again(reader,
			    object_partial_fields(OBJECT_POD, PARTIAL_NAMED),
			    &err);
			root = doc != NULL ? doc_root(doc) : NULL;
		}
		name = "?";
		doc_get_string(doc_get(root, "metadata"), "name", "name", &name,
		    NULL);
		text_put(&names, name);
		doc_free(doc);
	}
	t_str("all have their turn", names.bytes, " a !b c !d");
	t_int("to the end", got, 0);
	protobuf_list_close(reader);
	list_meta_fini(&meta);
	text_fini(&names);
	text_fini(&text);
}

static void
what_is_asked_for_is_known(void)
{
	t_true("pods", protobuf_has("v1", "pods"));
	t_true("budgets", protobuf_has("policy/v1", "poddisruptionbudgets"));
	t_true("capacities",
	    protobuf_has("storage.k8s.io/v1beta1", "csistoragecapacities"));
	t_true("attachments",
	    protobuf_has("storage.k8s.io/v1", "volumeattachments"));
	t_true("no device claims: core has a message of that name",
	    !protobuf_has("resource.k8s.io/v1", "resourceclaims"));
	t_true("no events", !protobuf_has("v1", "events"));
	t_true("no other group", !protobuf_has("metrics.k8s.io/v1", "pods"));
	t_true("no other version",
	    protobuf_find("apps/v1beta1", "ReplicaSet") == NULL);
}

/* Objects that are written as JSON, and what is read of the same as protobuf. */
static void
what_is_written_is_the_same_in_both(void)
{
	static const struct {
		const char *name, *json, *want;
	} rows[] = {
		{ "a binding",
		    "{\"apiVersion\":\"v1\",\"kind\":\"Binding\","
		    "\"metadata\":{\"name\":\"a\",\"namespace\":\"b\","
		    "\"uid\":\"c\"},"
		    "\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}",
		    "{\"kind\":\"Binding\",\"apiVersion\":\"v1\","
		    "\"metadata\":{\"name\":\"a\",\"namespace\":\"b\","
		    "\"uid\":\"c\"},"
		    "\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}" },
		{ "an event",
		    "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":"
		    "{\"name\":\"a\",\"annotations\":{\"k\":\"\u00e4\"}},"
		    "\"involvedObject\":{\"kind\":\"Pod\",\"uid\":\"u\"},"
		    "\"reason\":\"R\",\"message\":\"0/1 \\\"x\\\"\","
		    "\"eventTime\":\"2026-11-27T03:00:00.123456Z\","
		    "\"series\":{\"count\":2,"
		    "\"lastObservedTime\":\"2026-11-27T03:00:01.000000Z\"},"
		    "\"count\":3,\"unknown\":[1]}",
		    "{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"metadata\":"
		    "{\"name\":\"a\",\"annotations\":{\"k\":\"\u00e4\"}},"
		    "\"involvedObject\":{\"kind\":\"Pod\",\"uid\":\"u\"},"
		    "\"reason\":\"R\",\"message\":\"0/1 \\\"x\\\"\","
		    "\"count\":3,\"eventTime\":\"2026-11-27T03:00:00Z\","
		    "\"series\":{\"count\":2,"
		    "\"lastObservedTime\":\"2026-11-27T03:00:01Z\"}}" },
	};
	/* Field 2 of a time: 123456000 nanoseconds. */
	static const char nanoseconds[] = "\x10\x80\x94\xef\x3a";

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text body = { 0 }, json = { 0 };
		struct doc *doc;
		struct err err;

		text_put(&body, rows[i].json);
		protobuf_from_json(&body);
		t_int(rows[i].name,
		    memmem(body.bytes, body.len, nanoseconds, 5) != NULL, i);
		doc = protobuf_parse("x", body.bytes, body.len,
		    &doc_limits_people, &err);
		t_true(rows[i].name, doc != NULL);
		if (doc != NULL)
			json_put_node(&json, doc_root(doc));
		t_str(rows[i].name, json.bytes, rows[i].want);
		text_fini(&json);
		text_fini(&body);
		doc_free(doc);
	}
}

T_MAIN(T(both_encodings_make_the_same_tree),
    T(what_is_written_is_the_same_in_both),
    T(what_is_cut_off_is_an_error_or_short), T(nothing_trusts_a_byte),
    T(values_are_as_in_json), T(times_agree_with_the_c_library),
    T(errors_say_where), T(envelopes_are_checked), T(limits_hold),
    T(lists_of_numbers_may_be_packed), T(some_fields_are_those_of_the_whole),
    T(a_broken_element_hides_no_other), T(what_is_asked_for_is_known))
