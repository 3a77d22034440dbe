#include "config.h"

#include "wire/api/lock.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static struct doc *
parse(const char *json)
{
	struct err err = { "" };
	struct doc *doc =
	    doc_parse("lock", json, strlen(json), &doc_limits_people, &err);

	t_str("is JSON", err.text, "");
	return doc;
}

static const struct lock_record record = { .holder = "host_1",
	.lease_seconds = 15,
	.transitions = 3,
	.acquired = { 1577836800, 1 },
	.renewed = { 1577836805, 250000 } };

static void
writes(const char *name, enum lock_kind kind, const char *version,
    const char *object, const char *want)
{
	struct doc *doc = object != NULL ? parse(object) : NULL;
	char *text = lock_record_write(kind, version, "ns", "l",
	    doc != NULL ? doc_root(doc) : NULL, &record);
	struct doc *made = parse(text);
	struct lock_record back;

	t_str(name, text, want);
	t_int(name, lock_record_read(kind, doc_root(made), &back, NULL), 0);
	t_str("holder", back.holder, "host_1");
	t_int("renewed", back.renewed.seconds, 1577836805);
	t_int("transitions", back.transitions, 3);
	doc_free(made);
	doc_free(doc);
	free(text);
}

#define SPEC                                                                   \
	"\"holderIdentity\":\"host_1\",\"leaseDurationSeconds\":15,"           \
	"\"acquireTime\":\"2020-01-01T00:00:00.000001Z\","                     \
	"\"renewTime\":\"2020-01-01T00:00:05.250000Z\",\"leaseTransitions\":3"
#define VALUE                                                                  \
	"\"{\\\"holderIdentity\\\":\\\"host_1\\\","                            \
	"\\\"leaseDurationSeconds\\\":15,"                                     \
	"\\\"acquireTime\\\":\\\"2020-01-01T00:00:00Z\\\","                    \
	"\\\"renewTime\\\":\\\"2020-01-01T00:00:05Z\\\","                      \
	"\\\"leaderTransitions\\\":3}\""
#define LEADER "control-plane.alpha.kubernetes.io/leader"

static void
new_objects_hold_the_record(void)
{
	writes("lease", LOCK_LEASES, "coordination.k8s.io/v1", NULL,
	    "{\"spec\":{" SPEC "},\"kind\":\"Lease\",\"apiVersion\":"
	    "\"coordination.k8s.io/v1\",\"metadata\":{\"annotations\":{},"
	    "\"namespace\":\"ns\",\"name\":\"l\"}}");
	writes("endpoints", LOCK_ENDPOINTS, "v1", NULL,
	    "{\"kind\":\"Endpoints\",\"apiVersion\":\"v1\",\"metadata\":{"
	    "\"annotations\":{\"" LEADER "\":" VALUE "},"
	    "\"namespace\":\"ns\",\"name\":\"l\"}}");
}

static void
updates_keep_everything_else(void)
{
	writes("lease", LOCK_LEASES, "coordination.k8s.io/v1",
	    "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"l\",\"uid\":\"u\","
	    "\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"},"
	    "\"annotations\":{\"c\":\"d\"}},\"spec\":{\"strategy\":\"x\","
	    "\"holderIdentity\":\"other\",\"leaseTransitions\":2}}",
	    "{\"spec\":{\"strategy\":\"x\"," SPEC "},\"kind\":\"Lease\","
	    "\"apiVersion\":\"coordination.k8s.io/v1\",\"metadata\":{"
	    "\"uid\":\"u\",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"},"
	    "\"annotations\":{\"c\":\"d\"},"
	    "\"namespace\":\"ns\",\"name\":\"l\"}}");
	writes("configmap", LOCK_CONFIG_MAPS, "v1",
	    "{\"metadata\":{\"resourceVersion\":\"7\",\"annotations\":{"
	    "\"a\":\"b\",\"" LEADER "\":\"{}\"}},\"data\":{\"k\":\"v\"}}",
	    "{\"data\":{\"k\":\"v\"},\"kind\":\"ConfigMap\",\"apiVersion\":"
	    "\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
	    "\"annotations\":{\"a\":\"b\",\"" LEADER "\":" VALUE "},"
	    "\"namespace\":\"ns\",\"name\":\"l\"}}");
}

static void
odd_records_are_read(void)
{
	static const struct {
		const char *name;
		enum lock_kind kind;
		const char *json, *holder; /* NULL: refused */
	} rows[] = {
		/* clang-format off */
		{ "no spec", LOCK_LEASES, "{}", "" },
		{ "nulls", LOCK_LEASES, "{\"spec\":{\"holderIdentity\":null,"
		    "\"renewTime\":null}}", "" },
		{ "no annotation", LOCK_ENDPOINTS, "{\"metadata\":{}}", "" },
		{ "released by client-go", LOCK_ENDPOINTS,
		    "{\"metadata\":{\"annotations\":{\"" LEADER "\":"
		    "\"{\\\"holderIdentity\\\":\\\"\\\","
		    "\\\"leaseDurationSeconds\\\":1,\\\"acquireTime\\\":null,"
		    "\\\"renewTime\\\":null,\\\"leaderTransitions\\\":4}\"}}}",
		    "" },
		{ "no JSON", LOCK_ENDPOINTS, "{\"metadata\":{\"annotations\":"
		    "{\"" LEADER "\":\"{\"}}}", NULL },
		{ "no time", LOCK_LEASES, "{\"spec\":{\"renewTime\":\"now\"}}",
		    NULL },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct doc *doc = parse(rows[i].json);
		struct lock_record got;
		struct err err = { "" };
		int result =
		    lock_record_read(rows[i].kind, doc_root(doc), &got, &err);

		t_int(rows[i].name, result, rows[i].holder != NULL ? 0 : -1);
		if (result == 0)
			t_str(rows[i].name, got.holder, rows[i].holder);
		else
			t_true(rows[i].name, err.text[0] != '\0');
		doc_free(doc);
	}
}

static void
numbers_and_times_are_brought_to_what_a_server_takes(void)
{
	static const struct {
		const char *json;
		int transitions;
	} rows[] = {
		{ "-1", 0 },
		{ "2147483647", INT32_MAX },
		{ "2147483648", INT32_MAX },
		{ "9223372036854775807", INT32_MAX },
	};
	struct lock_record got = record;
	struct doc *doc;
	char *text;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *json =
		    xasprintf("{\"metadata\":{\"annotations\":{\"" LEADER
			      "\":\"{\\\"leaderTransitions\\\":%s,"
			      "\\\"leaseDurationSeconds\\\":%s}\"}}}",
			rows[i].json, rows[i].json);

		doc = parse(json);
		t_int(json,
		    lock_record_read(LOCK_CONFIG_MAPS, doc_root(doc), &got,
			NULL),
		    0);
		t_int(json, got.transitions, rows[i].transitions);
		t_int(json, got.lease_seconds, rows[i].transitions);
		doc_free(doc);
	}
	doc = parse("{\"spec\":{\"acquireTime\":"
		    "\"0001-01-01T00:00:00.000000Z\"}}");
	t_int("year 1",
	    lock_record_read(LOCK_LEASES, doc_root(doc), &got, NULL), 0);
	doc_free(doc);
	text = lock_record_write(LOCK_LEASES, "v", "n", "l", NULL, &got);
	t_has("year 1", text, "\"0001-01-01T00:00:00.000000Z\"");
	free(text);
}

T_MAIN(T(new_objects_hold_the_record), T(updates_keep_everything_else),
    T(odd_records_are_read),
    T(numbers_and_times_are_brought_to_what_a_server_takes))
