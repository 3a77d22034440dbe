/* The lines of a record: what is written can be read again, and has no secrets. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/framework/extension.h"
#include "daemon/record/reader.h"
#include "daemon/record/record.h"
#include "t/lib/t.h"

static struct doc *
parse(const char *text)
{
	struct doc *doc =
	    doc_parse("t", text, strlen(text), &doc_limits_people, NULL);

	if (doc == NULL)
		abort();
	return doc;
}

/* ---- secrets ---- */

#define TLS "\"tlsConfig\": {\"certData\": \"aaa\", \"keyData\": \"s3cret\"}"
#define EXTENDER                                                               \
	"{\"urlPrefix\": \"https://user:s3cret@host:1/x@y\", "                 \
	"\"filterVerb\": \"f\", " TLS "}"

static void
policies_have_no_secrets(void)
{
	static const struct {
		const char *name, *policy, *want;
	} rows[] = {
		{ "JSON",
		    "{\"kind\": \"Policy\", \"extenders\": [" EXTENDER "]}",
		    "\\\"urlPrefix\\\":\\\"https://host:1/x@y\\\"" },
		{ "keys in any case",
		    "{\"extenders\": [{\"TLSConfig\": {\"KEYDATA\": "
		    "\"s3cret\"}, \"URLPREFIX\": \"http://s3cret@h/\"}]}",
		    "http://h/" },
		{ "YAML",
		    "kind: Policy\nextenders:\n- tlsConfig:\n    keyData: |\n"
		    "      s3cret\n  urlPrefix: http://h/\n",
		    "http://h/" },
		{ "a ConfigMap",
		    "kind: ConfigMap\ndata:\n  policy.cfg: |\n"
		    "    {\"kind\": \"Policy\", \"extenders\": [" EXTENDER
		    "]}\n  other: s3cret\n",
		    "\\\"kind\\\":\\\"Policy\\\"" },
		{ "nothing that can be parsed", "s3cret: {",
		    "\"text\":\"{}\"" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text line = { 0 };

		record_put_policy(&line,
		    &(struct record_policy){ .name = "p",
			.text = rows[i].policy,
			.len = strlen(rows[i].policy) });
		t_true(rows[i].name, strstr(line.bytes, "s3cret") == NULL);
		t_has(rows[i].name, line.bytes, rows[i].want);
		text_fini(&line);
	}
}

static void
objects_have_the_fields_that_are_decoded(void)
{
	static const struct {
		enum object_kind kind;
		const char *object, *want;
	} rows[] = {
		{ OBJECT_POD,
		    "{\"metadata\":{\"name\":\"p\",\"annotations\":{\"a\":"
		    "\"s3cret\"},\"resourceVersion\":\"7\"},\"spec\":{"
		    "\"containers\":[{\"name\":\"c\",\"env\":[{\"name\":\"a\","
		    "\"value\":\"s3cret\"}],\"args\":[\"s3cret\"],"
		    "\"resources\":{\"requests\":{\"cpu\":1}}}]}}",
		    "{\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"7\"},"
		    "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":"
		    "{\"requests\":{\"cpu\":1}}}]}}" },
		{ OBJECT_NODE,
		    "{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"7\","
		    "\"labels\":{\"a\":\"b\"}},\"status\":{\"addresses\":[]}}",
		    "{\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":\"b\"}},"
		    "\"status\":{}}" },
		{ OBJECT_NAMESPACE,
		    "{\"metadata\":{\"name\":\"n\",\"annotations\":{\"a\":"
		    "\"s3cret\",\"openshift.io/node-selector\":\"a=b\"}}}",
		    "{\"metadata\":{\"name\":\"n\",\"annotations\":{"
		    "\"openshift.io/node-selector\":\"a=b\"}}}" },
		{ OBJECT_DISTRIBUTION_POLICY,
		    "{\"metadata\":{\"name\":\"n\",\"annotations\":{\"a\":"
		    "\"s3cret\"},\"managedFields\":[1]},\"spec\":{\"x\":1}}",
		    "{\"metadata\":{\"name\":\"n\"},\"spec\":{\"x\":1}}" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct doc *doc = parse(rows[i].object);
		struct text text = { 0 };

		record_put_object(&text, rows[i].kind, PARTIAL_NONE,
		    doc_root(doc));
		t_str(object_kind_name(rows[i].kind), text.bytes, rows[i].want);
		text_fini(&text);
		doc_free(doc);
	}
}

/* ---- there and back ---- */

static void
a_decision_is_read_as_it_was_written(void)
{
	struct extension said = { 0 }, got_said;
	sym names[] = { sym_intern("n1"), sym_intern("n2") };
	struct record_decision d = { .seconds = 5,
		.microseconds = 6,
		.pod = "d/p",
		.uid = "u",
		.resource_version = "9",
		.nominated = "n2",
		.seed = UINT64_MAX,
		.percentage_of_nodes = 50,
		.node = "n1",
		.message = "",
		.nnodes = 3,
		.nfeasible = 2,
		.nbest = 1,
		.score = -4,
		.extension = &said };
	struct record_decision got;
	struct text line = { 0 };
	struct doc *doc;

	extension_restrict(&said, names, 2);
	extension_score(&said, names[1], -7);
	extension_refuse(&said, sym_intern("n3"), "no", true);
	record_put_decision(&line, &d);
	doc = parse(line.bytes);
	t_int("read",
	    record_read_decision(doc_get(doc_root(doc), "decision"), &got,
		&got_said, NULL),
	    0);
	t_str("pod", got.pod, "d/p");
	t_str("uid", got.uid, "u");
	t_str("version", got.resource_version, "9");
	t_str("nominated", got.nominated, "n2");
	t_true("seed", got.seed == UINT64_MAX);
	t_int("percentage", got.percentage_of_nodes, 50);
	t_str("node", got.node, "n1");
	t_int("score", got.score, -4);
	t_int("counts", got.nnodes * 100 + got.nfeasible * 10 + got.nbest, 321);
	t_int("time", got.seconds * 10 + got.microseconds, 56);
	t_true("extension", got.extension == &got_said && got_said.filtered);
	t_true("left", map_get(&got_said.left, names[0]) != NULL);
	t_int("extension's score",
	    *(int64_t *)map_get(&got_said.scores, names[1]), -7);
	t_str("extension's refusal", got_said.refusals[0].reason, "no");
	extension_fini(&said);
	extension_fini(&got_said);
	text_fini(&line);
	doc_free(doc);
}

static void
options_are_read_as_they_were_written(void)
{
	struct record_policy policy = { .kind = RECORD_PROVIDER,
		.name = "DefaultProvider",
		.generation = 3,
		.options = { .strict = true,
		    .ignored_fields = 5,
		    .kubernetes_minor = 20,
		    .hard_pod_affinity_symmetric_weight = 9 } };
	struct record_policy got;
	struct text line = { 0 };
	struct doc *doc;

	policy.options.gates = gates_default;
	policy.options.gates.even_pods_spread = true;
	record_put_policy(&line, &policy);
	doc = parse(line.bytes);
	t_int("read",
	    record_read_policy(doc_get(doc_root(doc), "policy"), &got, NULL),
	    0);
	t_int("kind", got.kind, RECORD_PROVIDER);
	t_str("name", got.name, "DefaultProvider");
	t_true("options",
	    got.options.strict && got.options.ignored_fields == 5 &&
		got.options.kubernetes_minor == 20 &&
		got.options.hard_pod_affinity_symmetric_weight == 9 &&
		!got.options.kosmos);
	t_true("gates",
	    memcmp(&got.options.gates, &policy.options.gates,
		sizeof(got.options.gates)) == 0);
	text_fini(&line);
	doc_free(doc);
}

/* ---- files that are broken ---- */

static void
on_cluster(void *arg, struct cluster *cluster)
{
}

static void
on_end(void *arg)
{
}

static int
on_policy(void *arg, const struct record_policy *policy, struct err *err)
{
	return errf(err, "refused");
}

static void
on_decision(void *arg, const struct record_decision *decision,
    const struct pod *pod)
{
	++*(int *)arg;
}

#define HEADER "{\"header\":{\"version\":1,\"kubernetes\":20}}\n"
#define A_POD                                                                  \
	"{\"put\":\"Pod\",\"object\":{\"metadata\":{\"name\":\"p\","           \
	"\"namespace\":\"d\",\"uid\":\"u\"}}}\n"

static void
errors_have_a_position(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", ": it is empty" },
		{ "{}\n", ":1:1: not a record of decisions" },
		{ "[]\n", ":1:1: not a record of decisions" },
		{ "{\n", ":1:1: not a record of decisions" },
		{ "apiVersion: v1", ":1:1: not a record of decisions" },
		{ A_POD, ":1:1: not a record of decisions" },
		{ HEADER "{\n", ":2:2: unexpected end of the text" },
		{ HEADER "[]\n", ":2:1: a line of a record is an object" },
		{ "{\"header\":{\"version\":2}}\n",
		    ":1:11: a record of version 2, this program reads 1" },
		{ HEADER HEADER, ":2:11: a second header" },
		{ HEADER "{\"else\":{}}\n", ":2:9: \"else\" is unknown" },
		{ HEADER "{\"put\":\"Pod\"}\n",
		    ":2:1: put must name a kind and have an object" },
		{ HEADER "{\"put\":\"Node\",\"object\":{\"kind\":\"Pod\","
			 "\"metadata\":{\"name\":\"p\"}}}\n",
		    ":2:24: it is no Node" },
		{ HEADER "{\"put\":\"Node\",\"partial\":3,\"object\":{"
			 "\"metadata\":{\"name\":\"p\"}}}\n",
		    ":2:1: only a pod can be put in part" },
		{ HEADER "{\"put\":\"Pod\",\"object\":{\"metadata\":1}}\n",
		    ":2:" },
		{ HEADER "{\"again\":{\"uid\":\"u\"}}\n",
		    ":2:10: no pod with the uid \"u\" was put" },
		{ HEADER A_POD "{\"assume\":{\"uid\":\"u\",\"node\":\"n\"}}\n"
			       "{\"assume\":{\"uid\":\"u\",\"node\":\"n\"}}\n",
		    ":4:11: pod u is in the cache, so can't be assumed" },
		{ HEADER "{\"claimed\":{\"claim\":\"c\"}}\n",
		    ":2:12: no claim \"/c\" was put" },
		{ HEADER "{\"schedulers\":[]}\n",
		    ":2:15: schedulers must name at least one" },
		{ HEADER "{\"policy\":{\"kind\":\"policy\"}}\n",
		    ":2:11: policy.text must be a string" },
		{ HEADER "{\"policy\":{\"kind\":\"provider\"}}\n",
		    ":2:11: refused" },
		{ HEADER "{\"decision\":{\"seed\":5}}\n", ":2:" },
		{ HEADER "{\"decision\":{\"seed\":\"-5\"}}\n",
		    ":2:13: decision.seed must be a whole number in quotes" },
	};
	static const struct record_ops ops = { on_cluster, on_policy,
		on_decision, on_end };
	char path[] = "/tmp/record.XXXXXX";
	int n = 0, fd = mkstemp(path);
	struct err err;
	size_t lines;
	bool truncated;

	if (fd < 0)
		abort();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		FILE *out = fopen(path, "w");

		fputs(rows[i].text, out);
		fclose(out);
		t_int(rows[i].want,
		    record_read_file(path, &ops, &n, &lines, &truncated, &err),
		    -1);
		t_int("the file's name", strncmp(err.text, path, strlen(path)),
		    0);
		t_int(err.text,
		    strncmp(err.text + strlen(path), rows[i].want,
			strlen(rows[i].want)),
		    0);
	}
	t_int("no decision", n, 0);
	remove(path);
}

T_MAIN(T(policies_have_no_secrets), T(objects_have_the_fields_that_are_decoded),
    T(a_decision_is_read_as_it_was_written),
    T(options_are_read_as_they_were_written), T(errors_have_a_position))
