/*
 * Requests to extenders, and their answers (doc/semantics/05-extenders.md, Wire
 * format): names of fields are written as in Go, and read in any case.
 */
#include "config.h"

#include <strings.h>

#include "base/doc.h"
#include "base/map.h"
#include "cluster/cluster.h"
#include "daemon/extender/documents.h"
#include "daemon/extender/extenders_internal.h"
#include "objects/pod.h"

/* ---- arguments ---- */

/* Nodes that have gone meanwhile are left out. */
static void
put_nodes(struct text *out, const struct extenders *extenders, const sym *nodes,
    size_t n)
{
	const char *comma = "";

	json_put(out, "{'metadata':{},'items':[");
	for (size_t i = 0; i < n; i++) {
		const struct node_info *node =
		    cluster_node(extenders->cluster, nodes[i]);
		const char *json = node != NULL && node->node != NULL ?
		    documents_get(extenders->documents, &node->node->object) :
		    NULL;

		if (json == NULL)
			continue;
		text_put(out, comma);
		text_put(out, json);
		comma = ",";
	}
	text_put(out, "]}");
}

char *
extender_args(const struct extenders *extenders, const struct pod *pod,
    const sym *nodes, size_t n, bool by_name)
{
	const char *json = documents_get(extenders->documents, &pod->object);
	struct text out = { 0 };

	if (json == NULL)
		return NULL;
	json_put(&out, "{'Pod':");
	text_put(&out, json);
	if (by_name) {
		json_put(&out, ",'Nodes':null,'NodeNames':[");
		for (size_t i = 0; i < n; i++)
			json_put(&out, i > 0 ? ",%s" : "%s",
			    sym_text(nodes[i]));
		text_put(&out, "]}");
	} else {
		json_put(&out, ",'Nodes':");
		put_nodes(&out, extenders, nodes, n);
		json_put(&out, ",'NodeNames':null}");
	}
	return text_take(&out);
}

/* ---- answers ---- */

const struct doc_node *
extender_member(const struct doc_node *object, const char *key)
{
	const struct doc_node *found = NULL;

	if (object == NULL || object->kind != DOC_OBJECT)
		return NULL;
	EACH_CHILD (n, object)
		if (strcasecmp(n->key, key) == 0)
			found = n;
	return found != NULL && found->kind != DOC_NULL ? found : NULL;
}

/* A member of this kind: 1; none: 0; another kind: -1. */
static int
member(const struct doc_node *object, const char *name, enum doc_kind kind,
    const struct doc_node **out, struct err *err)
{
	const struct doc_node *found = extender_member(object, name);

	*out = found;
	if (found == NULL)
		return 0;
	if (found->kind != kind)
		return errf(err,
		    "json: cannot unmarshal %s into Go struct "
		    "field %s",
		    doc_kind_name(found->kind), name);
	return 1;
}

const char *
extender_error(const struct doc_node *answer)
{
	const struct doc_node *text = extender_member(answer, "Error");

	return text != NULL && text->kind == DOC_STRING && text->len > 0 ?
	    text->text :
	    NULL;
}

void
filter_result_fini(struct filter_result *result)
{
	free(result->left);
	free(result->refusals);
}

static int
add_left(struct filter_result *out, const struct doc_node *name,
    const struct map *asked, const char *url, struct err *err)
{
	sym node;

	if (name == NULL || name->kind != DOC_STRING)
		return errf(err, "json: cannot unmarshal a node's name");
	node = sym_find(name->text);
	if (node == SYM_NONE || map_get(asked, node) == NULL)
		return errf(err,
		    "extender \"%s\" claims a filtered node "
		    "\"%s\" which is not found in the input node list",
		    url, name->text);
	vec_room(out->left, out->nleft, &out->left_cap);
	out->left[out->nleft++] = node;
	return 0;
}

/* Which nodes are left: names, or objects; neither: none. */
static int
read_left(const struct one_extender *extender, const struct doc_node *answer,
    const struct map *asked, struct filter_result *out, struct err *err)
{
	const struct doc_node *names, *nodes, *items;
	const char *url = extender->config->url_prefix;

	if (member(answer, "NodeNames", DOC_ARRAY, &names, err) < 0 ||
	    member(answer, "Nodes", DOC_OBJECT, &nodes, err) < 0 ||
	    member(nodes, "items", DOC_ARRAY, &items, err) < 0)
		return -1;
	if (extender->config->node_cache_capable && names != NULL) {
		EACH_CHILD (n, names)
			if (add_left(out, n, asked, url, err) != 0)
				return -1;
	} else if (items != NULL) {
		EACH_CHILD (n, items) {
			const struct doc_node *name =
			    extender_member(extender_member(n, "metadata"),
				"name");

			if (add_left(out, name, asked, url, err) != 0)
				return -1;
		}
	}
	return 0;
}

static int
read_refusals(const struct doc_node *answer, const char *field, bool forever,
    struct filter_result *out, struct err *err)
{
	const struct doc_node *map;

	if (member(answer, field, DOC_OBJECT, &map, err) < 0)
		return -1;
	EACH_CHILD (n, map) {
		if (n->kind != DOC_STRING)
			return errf(err,
			    "json: cannot unmarshal %s into Go "
			    "struct field %s",
			    doc_kind_name(n->kind), field);
		vec_room(out->refusals, out->nrefusals, &out->refusals_cap);
		out->refusals[out->nrefusals++] = (struct named_refusal){
			.node = sym_find(n->key),
			.reason = n->text,
			.forever = forever,
		};
	}
	return 0;
}

int
filter_result_read(const struct one_extender *extender,
    const struct doc_node *answer, const sym *asked, size_t nasked,
    struct filter_result *out, struct err *err)
{
	struct map known = { 0 };
	const char *error = extender_error(answer);
	int result = -1;

	*out = (struct filter_result){ 0 };
	if (answer->kind != DOC_OBJECT && answer->kind != DOC_NULL)
		return errf(err,
		    "json: cannot unmarshal %s into Go value of "
		    "type api.ExtenderFilterResult",
		    doc_kind_name(answer->kind));
	if (error != NULL)
		return errf(err, "%s", error);
	for (size_t i = 0; i < nasked; i++)
		map_put(&known, asked[i], out);
	if (read_left(extender, answer, &known, out, err) == 0 &&
	    read_refusals(answer, "FailedNodes", false, out, err) == 0)
		result = read_refusals(answer, "FailedAndUnresolvableNodes",
		    true, out, err);
	map_fini(&known);
	return result;
}

int
node_scores_read(const struct doc_node *answer, struct node_score **out,
    size_t *n, struct err *err)
{
	struct node_score *scores;
	size_t count = 0;

	if (answer->kind != DOC_ARRAY && answer->kind != DOC_NULL)
		return errf(err,
		    "json: cannot unmarshal %s into Go value of "
		    "type api.HostPriorityList",
		    doc_kind_name(answer->kind));
	scores = xcalloc(answer->count + 1, sizeof(*scores));
	EACH_CHILD (e, answer) {
		const struct doc_node *host = extender_member(e, "Host");
		const struct doc_node *score = extender_member(e, "Score");
		int64_t value = 0;

		if (host == NULL || host->kind != DOC_STRING ||
		    (score != NULL &&
			doc_get_int(e, score->key, "Score", INT64_MIN,
			    INT64_MAX, &value, err) != 0)) {
			free(scores);
			return errf(err,
			    "an entry is not a host with a "
			    "score");
		}
		scores[count].node = sym_find(host->text);
		scores[count].score = value;
		count += scores[count].node != SYM_NONE;
	}
	*out = scores;
	*n = count;
	return 0;
}
