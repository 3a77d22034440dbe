/* Requests to extenders, and the use of their answers, valid or not. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders_internal.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES W_NODE("n1", "a: b", "") W_NODE("n2", "", "")

static struct doc *
parsed(const char *text)
{
	struct err err;
	struct doc *doc =
	    doc_parse("answer", text, strlen(text), &doc_limits_people, &err);

	if (doc == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(99);
	}
	return doc;
}

struct setting {
	struct world *world;
	struct extenders extenders;
	struct extender config;
	struct one_extender one;
	sym nodes[2];
};

static void
set_up(struct setting *s)
{
	memset(s, 0, sizeof(*s));
	s->world = world_new(
	    NODES W_POD("v1", "", "n1", "") W_POD("v2", "", "n2", ""));
	world_pod(s->world, W_POD("p", "", "", ""));
	s->extenders.cluster = s->world->cluster;
	s->extenders.documents = documents_new(NULL);
	s->config.url_prefix = "http://x";
	s->config.node_cache_capable = true;
	s->one.config = &s->config;
	s->nodes[0] = sym_intern("n1");
	s->nodes[1] = sym_intern("n2");
}

static void
tear_down(struct setting *s)
{
	documents_free(s->extenders.documents);
	world_free(s->world);
}

static void
put(struct setting *s, const struct object *object, const char *json)
{
	struct doc *doc = parsed(json);

	documents_put(s->extenders.documents, object, doc_root(doc));
	doc_free(doc);
}

static void
objects_are_sent_as_they_were_read(void)
{
	struct setting s;
	const struct node *n1;
	AUTOFREE char *none = NULL, *names = NULL, *objects = NULL;

	set_up(&s);
	n1 = cluster_node(s.world->cluster, s.nodes[0])->node;
	none = extender_args(&s.extenders, s.world->pod, s.nodes, 2, true);
	t_true("not without the pod", none == NULL);
	put(&s, &s.world->pod->object, "{\"metadata\":{\"name\":\"p\"}}");
	t_true("fields that no extender needs are not kept",
	    documents_get(s.extenders.documents, &s.world->pod->object) ==
		NULL);
	documents_keep(s.extenders.documents, true, true);
	put(&s, &s.world->pod->object,
	    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{"
	    "\"managedFields\":[1],\"name\":\"p\"},\"spec\":{\"x\":[1.50,"
	    "\"\\u00e4\\n\"]}}");
	put(&s, &n1->object, "{\"metadata\":{},\"status\":null}");
	names = extender_args(&s.extenders, s.world->pod, s.nodes, 2, true);
	t_str("names", names,
	    "{\"Pod\":{\"metadata\":{\"name\":\"p\"},\"spec\":{\"x\":[1.50,"
	    "\"\xc3\xa4\\n\"]}},\"Nodes\":null,\"NodeNames\":[\"n1\","
	    "\"n2\"]}");
	objects = extender_args(&s.extenders, s.world->pod, s.nodes, 2, false);
	t_has("objects", objects,
	    ",\"Nodes\":{\"metadata\":{},\"items\":[{"
	    "\"metadata\":{},\"status\":null}]},\"NodeNames\":null}");
	documents_remove(s.extenders.documents, &n1->object);
	t_true("gone",
	    documents_get(s.extenders.documents, &n1->object) == NULL);
	documents_keep(s.extenders.documents, true, false);
	t_true("not needed any more",
	    documents_get(s.extenders.documents, &s.world->pod->object) ==
		NULL);
	tear_down(&s);
}

/* "n1 n2; n1:why n2!why" or the error. */
static char *
filter_text(struct setting *s, const char *answer)
{
	struct doc *doc = parsed(answer);
	struct filter_result result;
	struct text out = { 0 };
	struct err err;

	text_put(&out, "");
	if (filter_result_read(&s->one, doc_root(doc), s->nodes, 2, &result,
		&err) != 0)
		text_put(&out, err.text);
	for (size_t i = 0; i < result.nleft; i++) {
		text_put(&out, i > 0 ? " " : "");
		text_put(&out, sym_text(result.left[i]));
	}
	for (size_t i = 0; i < result.nrefusals; i++) {
		const struct named_refusal *r = &result.refusals[i];

		text_put(&out, i > 0 ? " " : "; ");
		text_put(&out, r->node != SYM_NONE ? sym_text(r->node) : "?");
		text_put(&out, r->forever ? "!" : ":");
		text_put(&out, r->reason);
	}
	filter_result_fini(&result);
	doc_free(doc);
	return text_take(&out);
}

static void
filters_answer_in_many_ways(void)
{
	static const struct {
		const char *name, *answer, *want;
		bool objects;
	} rows[] = {
		{ "names", "{\"NodeNames\":[\"n2\",\"n1\"]}", "n2 n1", false },
		{ "in any case",
		    "{\"nodenames\":[\"n1\"],\"FAILEDNODES\":"
		    "{\"n2\":\"why\"},\"error\":\"\"}",
		    "n1; n2:why", false },
		{ "objects",
		    "{\"nodes\":{\"items\":[{\"metadata\":{\"name\":"
		    "\"n1\"}}]}}",
		    "n1", true },
		{ "names are not looked at then", "{\"nodenames\":[\"n1\"]}",
		    "", true },
		{ "null is none", "{\"nodenames\":null,\"nodes\":null}", "",
		    false },
		{ "nothing at all", "{}", "", false },
		{ "reasons that stay",
		    "{\"failedAndUnresolvableNodes\":"
		    "{\"n1\":\"a\"},\"failedNodes\":{\"xyzzy\":\"b\"}}",
		    "; ?:b n1!a", false },
		{ "its own error", "{\"nodenames\":[\"n1\"],\"Error\":\"no\"}",
		    "no", false },
		{ "a node not asked about", "{\"nodenames\":[\"v1\"]}",
		    "extender \"http://x\" claims a filtered node \"v1\" which "
		    "is not found in the input node list",
		    false },
		{ "no list", "{\"nodenames\":\"n1\"}",
		    "json: cannot unmarshal "
		    "a string into Go struct field NodeNames",
		    false },
		{ "no names", "{\"nodenames\":[1]}",
		    "json: cannot unmarshal a node's name", false },
		{ "objects without names", "{\"nodes\":{\"items\":[{}, 3]}}",
		    "json: cannot unmarshal a node's name", true },
		{ "no reason", "{\"failedNodes\":{\"n1\":{}}}",
		    "json: cannot "
		    "unmarshal an object into Go struct field FailedNodes",
		    false },
		{ "a list", "[]",
		    "json: cannot unmarshal an array into Go "
		    "value of type api.ExtenderFilterResult",
		    false },
	};
	struct setting s;

	set_up(&s);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *got = NULL;

		s.config.node_cache_capable = !rows[i].objects;
		got = filter_text(&s, rows[i].answer);
		t_str(rows[i].name, got, rows[i].want);
	}
	tear_down(&s);
}

static void
scores_are_read_or_not_at_all(void)
{
	static const struct {
		const char *name, *answer;
		int n; /* -1: refused */
		int64_t first;
	} rows[] = {
		{ "two", "[{\"Host\":\"n1\",\"Score\":7},{\"host\":\"n2\"}]", 2,
		    7 },
		{ "one we do not know",
		    "[{\"host\":\"plugh\",\"score\":9},"
		    "{\"host\":\"n1\",\"score\":-3}]",
		    1, -3 },
		{ "none", "[]", 0, 0 },
		{ "a fraction", "[{\"host\":\"n1\",\"score\":1.5}]", -1, 0 },
		{ "no number", "[{\"host\":\"n1\",\"score\":\"9\"}]", -1, 0 },
		{ "too big",
		    "[{\"host\":\"n1\",\"score\":9223372036854775808}]", -1,
		    0 },
		{ "no host", "[{\"score\":1}]", -1, 0 },
		{ "no entry", "[1]", -1, 0 },
		{ "no list", "{\"n1\":3}", -1, 0 },
	};

	sym_intern("n1");
	sym_intern("n2");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct doc *doc = parsed(rows[i].answer);
		struct node_score *scores = NULL;
		size_t n = 0;
		struct err err;
		int result = node_scores_read(doc_root(doc), &scores, &n, &err);

		t_int(rows[i].name, result == 0 ? (int)n : -1, rows[i].n);
		if (n > 0)
			t_int(rows[i].name, scores[0].score, rows[i].first);
		free(scores);
		doc_free(doc);
	}
}

static void
victims_must_be_where_they_are_said_to_be(void)
{
	static const struct {
		const char *name, *answer, *want;
	} rows[] = {
		{ "one node",
		    "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":"
		    "[{\"UID\":\"default/v1\"}],\"NumPDBViolations\":1}}}",
		    "n1: v1" },
		{ "in any case",
		    "{\"nodenametometavictims\":{\"n2\":{\"pods\":"
		    "[{\"uid\":\"default/v2\"}]},\"n1\":{}}}",
		    "n2: v2 n1:" },
		{ "none", "{}", "" },
		{ "another node's pod",
		    "{\"NodeNameToMetaVictims\":{\"n1\":"
		    "{\"Pods\":[{\"UID\":\"default/v2\"}]}}}",
		    "extender: http://x claims to preempt pod (UID: "
		    "default/v2) on node: n1, but the pod is not found on that "
		    "node" },
		{ "no uid",
		    "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":"
		    "[{}]}}}",
		    "extender: http://x claims to preempt pod (UID: ) on node: "
		    "n1, but the pod is not found on that node" },
		{ "no node", "{\"NodeNameToMetaVictims\":{\"n9\":{}}}",
		    "extender: http://x claims to preempt on node: n9 but the "
		    "node is not found" },
		{ "no object", "[{}]", "" },
	};
	struct setting s;

	set_up(&s);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct doc *doc = parsed(rows[i].answer);
		struct leaving *victims = NULL;
		struct text out = { 0 };
		size_t n = 0;
		struct err err;

		text_put(&out, "");
		if (leaving_read(&s.extenders, &s.one, doc_root(doc), &victims,
			&n, &err) != 0)
			text_put(&out, err.text);
		for (size_t j = 0; j < n; j++) {
			text_put(&out, j > 0 ? " " : "");
			text_put(&out, sym_text(victims[j].node));
			text_put(&out, ":");
			for (size_t k = 0; k < victims[j].n; k++) {
				text_put(&out, " ");
				text_put(&out, victims[j].pods[k]->object.name);
			}
		}
		t_str(rows[i].name, out.bytes, rows[i].want);
		text_fini(&out);
		leaving_free(victims, n);
		doc_free(doc);
	}
	tear_down(&s);
}

T_MAIN(T(objects_are_sent_as_they_were_read), T(filters_answer_in_many_ways),
    T(scores_are_read_or_not_at_all),
    T(victims_must_be_where_they_are_said_to_be))
