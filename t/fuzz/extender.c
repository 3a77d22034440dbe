/* Answers of an extender to filter, prioritize and preempt. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/sym.h"
#include "cluster/cluster.h"
#include "daemon/extender/extenders_internal.h"
#include "objects/object.h"
#include "t/fuzz/fuzz.h"

static struct cluster *cluster;
static sym nodes[2];

static void
put(const char *json)
{
	struct err err;
	struct object *object = NULL;
	struct doc *doc =
	    doc_parse("object", json, strlen(json), &doc_limits_people, &err);

	FUZZ_CHECK(doc != NULL);
	FUZZ_CHECK(
	    object_decode(NULL, doc_root(doc), "", &object, NULL, &err) == 1);
	cluster_put(cluster, object);
	object_unref(object);
	doc_free(doc);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_silence();
	cluster = cluster_new();
	put("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"uid\":\"1\"}}");
	put("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n2\",\"uid\":\"2\"}}");
	put("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"v1\",\"namespace\":"
	    "\"d\","
	    "\"uid\":\"v1\"},\"spec\":{\"nodeName\":\"n1\"}}");
	put("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"v2\",\"namespace\":"
	    "\"d\","
	    "\"uid\":\"v2\"},\"spec\":{\"nodeName\":\"n2\"}}");
	nodes[0] = sym_intern("n1");
	nodes[1] = sym_intern("n2");
	return 0;
}

static bool
was_asked(sym node)
{
	return node == nodes[0] || node == nodes[1];
}

static void
read_filter(const struct one_extender *one, const struct doc_node *answer)
{
	struct filter_result result = { 0 };
	struct err err;

	if (filter_result_read(one, answer, nodes, 2, &result, &err) == 0) {
		for (size_t i = 0; i < result.nleft; i++)
			FUZZ_CHECK(was_asked(result.left[i]));
		for (size_t i = 0; i < result.nrefusals; i++)
			FUZZ_CHECK(result.refusals[i].reason != NULL);
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	filter_result_fini(&result);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	const struct extender config = { .url_prefix = "http://e",
		.node_cache_capable = how & 1,
		.ignorable = how & 2 };
	const struct one_extender one = { .config = &config };
	const struct extenders extenders = { .cluster = cluster };
	struct node_score *scores = NULL;
	struct leaving *victims = NULL;
	const struct doc_node *answer;
	struct err err;
	size_t n;
	char *text = fuzz_rest(&input, &n);
	struct doc *doc = doc_parse("answer", text, n, &doc_limits_dump, &err);

	free(text);
	if (doc == NULL)
		return 0;
	answer = doc_root(doc);
	read_filter(&one, answer);
	if (node_scores_read(answer, &scores, &n, &err) == 0)
		free(scores);
	if (leaving_read(&extenders, &one, answer, &victims, &n, &err) == 0)
		leaving_free(victims, n);
	if (extender_error(answer) != NULL)
		FUZZ_CHECK(extender_error(answer)[0] != '\0');
	extender_member(answer, "nodenames");
	doc_free(doc);
	return 0;
}
