/*
 * Distribution policies of Kosmos, and a pod that goes by them.  The input is
 * objects, one after the other; the pod is fixed.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/doc.h"
#include "base/err.h"
#include "cluster/cluster.h"
#include "cluster/distribution.h"
#include "objects/distribution_policy.h"
#include "objects/pod.h"
#include "t/fuzz/fuzz.h"

static const char pod_json[] =
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"web-1\",\"namespace\":\"d\","
    "\"uid\":\"u\",\"labels\":{\"app\":\"web\",\"tier\":\"front\"}},\"spec\":{}"
    "}";

static struct object *
decode(const struct doc_node *root)
{
	struct object *object = NULL;
	struct err err;

	return object_decode(NULL, root, "", &object, NULL, &err) == 1 ?
	    object :
	    NULL;
}

static struct pod *
decode_pod(void)
{
	struct err err;
	struct doc *doc = doc_parse("pod", pod_json, strlen(pod_json),
	    &doc_limits_people, &err);
	struct object *object = doc != NULL ? decode(doc_root(doc)) : NULL;

	FUZZ_CHECK(object != NULL);
	doc_free(doc);
	return (struct pod *)object;
}

static bool
is_policy(const struct object *object)
{
	return object->kind == OBJECT_DISTRIBUTION_POLICY ||
	    object->kind == OBJECT_CLUSTER_DISTRIBUTION_POLICY;
}

/* Reads everything there is to be read. */
static void
look_at(const struct distribution_policy *policy, const struct pod *pod)
{
	const char *sentence;

	for (uint32_t i = 0;
	     (sentence = distribution_policy_problem(policy, i)) != NULL; i++)
		FUZZ_CHECK(sentence[0] != '\0');
	for (uint32_t i = 0; i < policy->nterms; i++)
		FUZZ_CHECK(distribution_policy_term(policy,
			       policy->terms[i].name) != NULL);
	for (uint32_t i = 0; i < policy->nselectors; i++)
		resource_selector_matches(&policy->selectors[i], pod);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct cluster *cluster = cluster_new();
	struct pod *pod = decode_pod();
	struct arena arena = ARENA_INIT;
	struct distribution distribution;
	const struct doc_node *root;
	struct err err;
	size_t n;
	char *text = fuzz_rest(&input, &n);
	struct doc_reader *reader =
	    doc_open_text("input", text, n, &doc_limits_people, true);

	while (doc_next(reader, &root, &err) == 1) {
		struct object *object = decode(root);

		if (object == NULL)
			continue;
		if (is_policy(object)) {
			look_at((struct distribution_policy *)object, pod);
			cluster_put(cluster, object);
		}
		object_unref(object);
	}
	distribution = distribution_of(cluster, pod);
	if (distribution.policy != SYM_EMPTY)
		FUZZ_CHECK(distribution_text(&arena, &distribution)[0] != '\0');
	doc_close(reader);
	arena_fini(&arena);
	object_unref(&pod->object);
	cluster_free(cluster);
	free(text);
	return 0;
}
