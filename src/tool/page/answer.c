#include "config.h"

#include "tool/page/answer.h"

#include <event2/http.h>
#include <event2/keyvalq_struct.h>

#include "cluster/cluster.h"
#include "tool/page/answer_internal.h"
#include "explain/cluster_json.h"

static void
answer_command(struct asking *a)
{
	a->view->command(a->view->command_arg, a->request, a->reply);
}

static const struct route {
	const char *path;
	bool get, post;
	void (*answer)(struct asking *a);
} routes[] = {
	{ "/api/v1/cluster", true, false, answer_cluster },
	{ "/api/v1/nodes", true, false, answer_nodes },
	{ "/api/v1/labels", true, false, answer_labels },
	{ "/api/v1/node", true, false, answer_node },
	{ "/api/v1/pods", true, false, answer_pods },
	{ "/api/v1/pending", true, false, answer_pending },
	{ "/api/v1/reasons", true, false, answer_reasons },
	{ "/api/v1/pod", true, true, answer_pod },
	{ "/api/v1/policy", true, false, answer_policy },
	{ "/api/v1/baseline", true, false, answer_baseline },
	{ "/api/v1/workbench", false, true, answer_workbench },
	{ "/api/v1/export", false, true, answer_export },
	{ "/api/v1/audit", true, false, answer_command },
	{ "/api/v1/capacity", true, false, answer_command },
	{ "/api/v1/defrag", true, false, answer_command },
	{ "/api/v1/drain", true, false, answer_command },
	{ "/api/v1/tune", true, false, answer_command },
	{ "/api/v1/why-not", true, false, answer_command },
};

static const struct route *
route_of(const char *path)
{
	return FIND_ROW(routes, LENGTH(routes), path, path);
}

bool
web_has_path(const char *path, bool *get, bool *post)
{
	const struct route *route = route_of(path);

	if (route == NULL)
		return false;
	*get = route->get;
	*post = route->post;
	return true;
}

void
web_answer(const struct web_view *view, const struct web_request *request,
    struct web_reply *reply)
{
	struct asking a = { .view = view,
		.request = request,
		.reply = reply,
		.json = JSON_OUT_INIT(&reply->body),
		.arena = ARENA_INIT };

	reply->status = 200;
	route_of(request->path)->answer(&a);
	arena_fini(&a.arena);
}

void
answer_error(struct asking *a, int status, const char *fmt, ...)
{
	AUTOFREE char *sentence = NULL;

	XFORMAT(sentence, fmt);
	text_fini(&a->reply->body);
	a->reply->status = status;
	json_put(&a->reply->body, "{'error':%s}\n", sentence);
}

const char *
asked_text(const struct asking *a, const char *name)
{
	return evhttp_find_header(a->request->query, name);
}

size_t
asked_number(const struct asking *a, const char *name, size_t usual,
    size_t most)
{
	return query_number(asked_text(a, name), usual, most);
}

bool
asked_matches(const struct asking *a, const char *text)
{
	const char *part = asked_text(a, "q");

	return part == NULL || strcasestr(text, part) != NULL;
}

void
answer_open(struct asking *a)
{
	json_open(&a->json, '{');
	json_pair_int(&a->json, "generation", (int64_t)a->view->generation);
}

void
answer_close(struct asking *a)
{
	json_close(&a->json, '}');
	text_put(&a->reply->body, "\n");
}

void
asked_whatif(const struct asking *a, struct whatif *w, struct cluster *cluster,
    const struct profiles *profiles)
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
asked_cluster(const struct asking *a, const struct profiles *profiles)
{
	const struct web_view *view = a->view;

	return profiles->at[0]->release <= view->cluster->kubernetes_minor ?
	    view->cluster :
	    view->copy(view->copy_arg, profiles);
}

const struct pod *
asked_pod_of(struct asking *a)
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
