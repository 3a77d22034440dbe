#include "config.h"

#include "daemon/page/answer.h"

#include "cluster/cluster.h"
#include "daemon/page/answer_internal.h"
#include "explain/cluster_json.h"

static const struct route {
	const char *name;
	void (*answer)(struct page_question *a);
} routes[] = {
	{ "cluster", answer_cluster },
	{ "nodes", answer_nodes },
	{ "labels", answer_labels },
	{ "node", answer_node },
	{ "pods", answer_pods },
	{ "pending", answer_pending },
	{ "reasons", answer_reasons },
	{ "pod", answer_pod },
	{ "policy", answer_policy },
};

const char *
answer_name(size_t i)
{
	return i < LENGTH(routes) ? routes[i].name : NULL;
}

bool
answer_has(const char *name)
{
	return FIND_ROW(routes, LENGTH(routes), name, name) != NULL;
}

void
answer_with(const struct web_view *view, const struct server_request *request,
    struct reply *reply, void (*answer)(struct page_question *a))
{
	struct page_question a = { .view = view,
		.request = request,
		.reply = reply,
		.json = JSON_OUT_INIT(&reply->body),
		.arena = ARENA_INIT };
	const char *name = strrchr(request->path, '/') + 1;

	if (answer == NULL)
		answer = FIND_ROW(routes, LENGTH(routes), name, name)->answer;
	reply->status = 200;
	answer(&a);
	arena_fini(&a.arena);
}

void
answer_error(struct page_question *a, int status, const char *fmt, ...)
{
	AUTOFREE char *sentence = NULL;

	XFORMAT(sentence, fmt);
	text_fini(&a->reply->body);
	a->reply->status = status;
	json_put(&a->reply->body, "{'error':%s}\n", sentence);
}

const char *
asked_text(const struct page_question *a, const char *name)
{
	return query_get(a->request->query, name);
}

size_t
asked_number(const struct page_question *a, const char *name, size_t usual,
    size_t most)
{
	return query_number(asked_text(a, name), usual, most);
}

bool
asked_matches(const struct page_question *a, const char *text)
{
	const char *part = asked_text(a, "q");

	return part == NULL || strcasestr(text, part) != NULL;
}

void
answer_open(struct page_question *a)
{
	json_open(&a->json, '{');
	json_pair_int(&a->json, "generation", (int64_t)a->view->generation);
}

void
answer_close(struct page_question *a)
{
	json_close(&a->json, '}');
	text_put(&a->reply->body, "\n");
}

void
asked_whatif(const struct page_question *a, struct whatif *w,
    struct cluster *cluster, const struct profiles *profiles)
{
	*w = (struct whatif){
		.cluster = cluster,
		.profiles = profiles,
		.seed = a->view->seed,
		.serving = a->view->serving,
		.serving_arg = a->view->serving_arg,
	};
	whatif_init(w);
}

struct cluster *
asked_cluster(const struct page_question *a, const struct profiles *profiles)
{
	const struct web_view *view = a->view;

	return view->copy == NULL ||
		profiles->at[0]->release <= view->cluster->kubernetes_minor ?
	    view->cluster :
	    view->copy(view->arg, profiles, 0, 1).cluster;
}

const struct pod *
asked_pod_of(struct page_question *a)
{
	const char *name = asked_text(a, "name");

	if (name == NULL) {
		answer_error(a, 400, "the parameter name is missing");
		return NULL;
	}
	for (size_t i = 0; i < a->view->npods; i++) {
		const struct pod *pod = a->view->pods[i];

		if (strcmp(pod_full_name(pod), name) != 0)
			continue;
		if (pod->object.partial == PARTIAL_NONE)
			return pod;
		answer_error(a, 422, "pod \"%s\" cannot be decoded", name);
		return NULL;
	}
	answer_error(a, 404, "pod \"%s\" is not in the cluster", name);
	return NULL;
}
