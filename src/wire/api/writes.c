#include "config.h"

#include "wire/api/writes.h"

#include <stdio.h>
#include <time.h>

#include "base/json_out.h"
#include "wire/api/paths.h"
#include "wire/api/protobuf.h"
#include "objects/pod.h"

char *
api_time(char *out, size_t size, int64_t seconds, int microseconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	size_t n;

	gmtime_r(&t, &tm);
	/* strftime() writes the year 1 as "1", which no API server reads. */
	n = (size_t)snprintf(out, size, "%04d-%02d-%02dT%02d:%02d:%02d",
	    tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
	    tm.tm_sec);
	if (microseconds >= 0)
		n += (size_t)snprintf(out + n, size - n, ".%06d", microseconds);
	snprintf(out + n, size - n, "Z");
	return out;
}

struct pod_id
api_pod_id(const struct pod *pod)
{
	return (struct pod_id){ sym_text(pod->object.namespace),
		pod->object.name, pod->object.uid };
}

static char *
pod_path(const struct pod_id *pod, const char *subresource)
{
	return path_of_object("v1", pod->namespace, "pods", pod->name,
	    subresource);
}

/* Takes path and body; request is without them.  Only errors in responses are read. */
static struct api_call *
send_write(struct api_client *client, char *path, struct text *body,
    struct api_request request)
{
	struct api_call *call;

	request.path = path;
	request.body = body->bytes;
	request.body_len = body->len;
	request.protobuf = true;
	request.retry_ms = WRITE_RETRY_MS;
	request.of_leader = true;
	call = api_send(client, &request);
	free(path);
	text_fini(body);
	return call;
}

struct api_call *
api_bind(struct api_client *client, const struct pod_id *pod, const char *node,
    void (*done)(void *arg, const struct api_response *response), void *arg)
{
	bool protobuf = api_writes_protobuf(client);
	struct text body = { 0 };

	json_put(&body,
	    "{'apiVersion':'v1','kind':'Binding',"
	    "'metadata':{'name':%s,'namespace':%s",
	    pod->name, pod->namespace);
	if (pod->uid[0] != '\0')
		json_put(&body, ",'uid':%s", pod->uid);
	json_put(&body, "},'target':{'kind':'Node','name':%s}}", node);
	if (protobuf)
		protobuf_from_json(&body);
	return send_write(client, pod_path(pod, "/binding"), &body,
	    (struct api_request){ .lane = API_BINDS,
		.method = "POST",
		.content_type = protobuf ? PROTOBUF_TYPE : JSON_TYPE,
		.on_done = done,
		.arg = arg });
}

void
api_pod_status_write(const struct pod_id *pod,
    const struct pod_status_change *change, struct text *out)
{
	text_put(out, "{");
	if (pod->uid[0] != '\0')
		json_put(out, "'metadata':{'uid':%s},", pod->uid);
	text_put(out, "\"status\":{");
	if (change->reason != NULL) {
		json_put(out,
		    "'conditions':[{'type':%s,"
		    "'status':%s,'reason':%s,'message':%s",
		    change->type, change->status, change->reason,
		    change->message);
		if (change->transition != NULL)
			json_put(out, ",'lastTransitionTime':%s",
			    change->transition);
		if (change->observed_generation != 0)
			json_put(out, ",'observedGeneration':%d",
			    change->observed_generation);
		text_put(out, "}]");
	}
	if (change->nominated != NULL) {
		text_put(out, change->reason != NULL ? "," : "");
		if (change->nominated[0] != '\0')
			json_put(out, "'nominatedNodeName':%s",
			    change->nominated);
		else
			text_put(out, "\"nominatedNodeName\":null");
	}
	text_put(out, "}}");
}

struct api_call *
api_patch_pod_status(struct api_client *client, const struct pod_id *pod,
    const struct pod_status_change *change,
    void (*done)(void *arg, const struct api_response *response), void *arg)
{
	struct text body = { 0 };

	api_pod_status_write(pod, change, &body);
	return send_write(client, pod_path(pod, "/status"), &body,
	    (struct api_request){ .lane = API_REST,
		.method = "PATCH",
		.content_type = STRATEGIC_MERGE,
		.low_priority = change->low_priority,
		.on_done = done,
		.arg = arg });
}

struct api_call *
api_delete_pod(struct api_client *client, const struct pod_id *pod,
    bool (*wanted)(void *arg),
    void (*done)(void *arg, const struct api_response *response), void *arg)
{
	struct text body = { 0 };

	text_put(&body, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"");
	if (pod->uid[0] != '\0')
		json_put(&body, ",'preconditions':{'uid':%s}", pod->uid);
	text_put(&body, "}");
	return send_write(client, pod_path(pod, ""), &body,
	    (struct api_request){ .lane = API_REST,
		.method = "DELETE",
		.content_type = JSON_TYPE,
		.wanted = wanted,
		.on_done = done,
		.arg = arg });
}
