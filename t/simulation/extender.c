#include "config.h"

#include "t/simulation/extender.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/sym.h"
#include "base/xmalloc.h"
#include "decide/framework/extension.h"
#include "t/lib/profile.h"
#include "t/simulation/loop.h"

#define SLOW_DISK "its disk is too slow"
#define EXTENDERS(timeout, caching)                                            \
	",\"extenders\":[{\"urlPrefix\":\"http://127.0.0.1:2\","               \
	"\"filterVerb\":\"filter\",\"prioritizeVerb\":\"prioritize\","         \
	"\"preemptVerb\":\"preempt\",\"bindVerb\":\"bind\",\"weight\":1,"      \
	"\"httpTimeout\":" timeout ",\"nodeCacheCapable\":" caching "}]"
#define POLICY(caching) T_POLICY(EXTENDERS("2000000000", caching))
#define CONFIGURATION(caching)                                                 \
	"{\"kind\":\"KubeSchedulerConfiguration\",\"apiVersion\":"             \
	"\"kubescheduler.config.k8s.io/v1\"" EXTENDERS("\"2s\"", caching) "}"

static bool here, calm, resting, caching;

void
extender_start(bool on, bool is_calm)
{
	here = on;
	calm = is_calm;
	resting = false;
	caching = on && loop_one_in(2);
}

void
extender_rest(bool rest)
{
	resting = rest;
}

const char *
extender_policy(void)
{
	if (!here)
		return NULL;
	return caching ? POLICY("true") : POLICY("false");
}

const char *
extender_configuration(void)
{
	return caching ? CONFIGURATION("true") : CONFIGURATION("false");
}

bool
extender_is_asked(const char *path)
{
	return strncmp(path, "/api", 4) != 0 && strcmp(path, "/version") != 0 &&
	    strcmp(path, "/readyz") != 0;
}

/* ---- what it thinks ---- */

static bool
takes(struct json_object *pod, struct json_object *node)
{
	return json_object_get_int(json_at(pod, "spec.priority")) > 0 ||
	    strcmp(json_text(node, "metadata.labels.disk"), "ssd") == 0;
}

struct say {
	struct json_object *pod;
	struct extension *said;
};

static void
say(void *arg, struct json_object *node)
{
	const struct say *all = arg;
	sym name = sym_in(&all->said->arena, json_text(node, "metadata.name"));

	if (takes(all->pod, node))
		map_put(&all->said->left, name, all->said);
	else
		extension_refuse(all->said, name, SLOW_DISK, true);
}

/* ---- answers ---- */

static bool
is_broken(uint32_t one_in)
{
	return !calm && !resting && loop_one_in(one_in);
}

static void
filter(struct json_object *answer, struct json_object *pod, const char *node)
{
	if (!takes(pod, apiserver_get("nodes", "", node)))
		json_object_object_add(json_at(answer,
					   "FailedAndUnresolvableNodes"),
		    node, json_object_new_string(SLOW_DISK));
	else if (caching)
		json_object_array_add(json_at(answer, "NodeNames"),
		    json_object_new_string(node));
	else
		json_object_array_add(json_at(answer, "Nodes.items"),
		    json_of("{'metadata':{'name':'%s'}}", node));
}

static void
score(struct json_object *answer, struct json_object *pod, const char *node)
{
	json_object_array_add(answer,
	    json_of("{'Host':'%s','Score':%u}", node, loop_below(11)));
}

static struct json_object *
about_nodes(struct json_object *asked, struct json_object *answer,
    void (*about)(struct json_object *answer, struct json_object *pod,
	const char *node))
{
	struct json_object *nodes =
	    json_at(asked, caching ? "NodeNames" : "Nodes.items");

	for (size_t i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		about(answer, json_at(asked, "Pod"),
		    caching ? json_object_get_string(node) :
			      json_text(node, "metadata.name"));
	}
	return answer;
}

static struct json_object *
preempt(struct json_object *asked)
{
	struct json_object *answer = json_of("{'NodeNameToMetaVictims':{}}");

	json_object_object_foreach(json_at(asked,
				       caching ? "NodeNameToMetaVictims" :
						 "NodeNameToVictims"),
	    node, victims)
	{
		struct json_object *pods = json_at(victims, "Pods");
		struct json_object *kept = json_of("{'Pods':[]}");

		if (!takes(json_at(asked, "Pod"),
			apiserver_get("nodes", "", node))) {
			json_object_put(kept);
			continue;
		}
		for (size_t i = 0; i < json_object_array_length(pods); i++)
			json_object_array_add(json_at(kept, "Pods"),
			    json_of("{'UID':'%s'}",
				json_text(json_object_array_get_idx(pods, i),
				    caching ? "UID" : "metadata.uid")));
		json_object_object_add(json_at(answer, "NodeNameToMetaVictims"),
		    node, kept);
	}
	return answer;
}

static struct json_object *
bind(const struct request *request, struct json_object *asked)
{
	AUTOFREE char *path = xasprintf("/api/v1/namespaces/%s/pods/%s/binding",
	    json_text(asked, "PodNamespace"), json_text(asked, "PodName"));
	AUTOFREE char *body = xasprintf("{\"metadata\":{\"uid\":\"%s\"},"
					"\"target\":{\"name\":\"%s\"}}",
	    json_text(asked, "PodUID"), json_text(asked, "Node"));
	struct request binding = *request;
	struct reply reply;
	bool fails;

	binding.path = path;
	binding.body = body;
	reply = apiserver_handle(&binding);
	fails = reply.status != 201 || is_broken(20);
	free(reply.body);
	return json_of("{'Error':'%s'}", fails ? "it is not bound" : "");
}

static struct json_object *
answer_to(const struct request *request, struct json_object *asked)
{
	if (strcmp(request->path, "/filter") == 0)
		return about_nodes(asked,
		    json_of(caching ?
			    "{'NodeNames':[],'FailedAndUnresolvableNodes':{}}" :
			    "{'Nodes':{'items':[]},"
			    "'FailedAndUnresolvableNodes':{}}"),
		    filter);
	if (strcmp(request->path, "/prioritize") == 0)
		return about_nodes(asked, json_object_new_array(), score);
	if (strcmp(request->path, "/preempt") == 0)
		return preempt(asked);
	return bind(request, asked);
}

struct reply
extender_handle(const struct request *request)
{
	struct json_object *asked = json_tokener_parse(request->body);
	struct json_object *answer = answer_to(request, asked);
	struct reply reply = { .status = 200,
		.body = xstrdup(json_object_to_json_string_ext(answer,
		    JSON_C_TO_STRING_PLAIN)) };

	if (is_broken(strcmp(request->path, "/preempt") == 0 ? 3 : 40))
		reply.body[strlen(reply.body) / 2] = '\0';
	json_object_put(answer);
	json_object_put(asked);
	return reply;
}

const struct extension *
extender_says(struct json_object *pod, struct extension *said)
{
	struct say all = { pod, said };

	*said = (struct extension){ 0 };
	if (!here)
		return NULL;
	said->filtered = true;
	apiserver_each("nodes", say, &all);
	return said;
}
