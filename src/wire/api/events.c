#include "config.h"

#include "wire/api/events.h"

#include <time.h>
#include <unistd.h>

#include "base/json_out.h"
#include "wire/api/paths.h"
#include "wire/api/protobuf.h"
#include "wire/api/writes.h"
#include "base/map.h"

/* More than so many under way: the server cannot keep up, drop the rest. */
#define UNDER_WAY_MAX 10000
#define RETRY_MS 60000
#define NS_PER_S 1000000000

/* One event object that is being written. */
struct write {
	struct events *events;
	char *key;  /* "namespace/name" */
	char *path; /* of the collection */
	char *name;
	struct text whole; /* to create it, in the client's encoding */
	char *patch;       /* JSON to bring it up to date; NULL: it is new */
	bool again;        /* both changed since the request was sent */
	bool patches;      /* the request under way */
	struct api_call *call;
};

struct events {
	struct api_client *client;
	struct event_correlator *correlator;
	struct strmap writes; /* by key */
	struct events_stats stats;
	char host[65];
};

struct events *
events_new(struct api_client *client)
{
	struct events *events = xcalloc(1, sizeof(*events));

	events->client = client;
	gethostname(events->host, sizeof(events->host) - 1);
	events->correlator = event_correlator_new();
	return events;
}

static void
free_write(struct write *write)
{
	free(write->key);
	free(write->path);
	free(write->name);
	text_fini(&write->whole);
	free(write->patch);
	free(write);
}

void
events_free(struct events *events)
{
	if (events == NULL)
		return;
	EACH_VALUE (&events->writes, struct write, write) {
		api_cancel(write->call);
		free_write(write);
	}
	strmap_fini(&events->writes);
	event_correlator_free(events->correlator);
	free(events);
}

static const char *
namespace_of(const struct api_event *event)
{
	return event->namespace[0] != '\0' ? event->namespace : "default";
}

static void
put_json_annotation(struct text *text, const struct api_event *event,
    const char *value)
{
	json_put(text, "'annotations':{");
	json_put_string(text, event->annotation);
	json_put(text, ":%s}", value);
}

static void
put_json_reference(struct text *text, const struct api_event *event)
{
	json_put(text, "{'kind':%s,'name':%s,'uid':%s,'apiVersion':%s",
	    event->kind, event->name, event->uid, event->api_version);
	if (event->namespace[0] != '\0')
		json_put(text, ",'namespace':%s", event->namespace);
	if (event->resource_version[0] != '\0')
		json_put(text, ",'resourceVersion':%s",
		    event->resource_version);
	text_put(text, "}");
}

static const char *
time_of(char *out, size_t size, int64_t ns, bool exact)
{
	return api_time(out, size, ns / NS_PER_S,
	    exact ? (int)(ns % NS_PER_S / 1000) : -1);
}

static void
put_json_series(struct text *text, const struct event_record *record)
{
	char last[32];

	json_put(text, "'series':{'count':%d,'lastObservedTime':%s}",
	    record->count, time_of(last, sizeof(last), record->last_ns, true));
}

static void
put_json(struct text *text, const struct events *events,
    const struct api_event *event, const struct event_record *record,
    const char *value)
{
	/* As client-go: at most 128 bytes, which a host name leaves room
	 * for. */
	AUTOFREE char *instance =
	    xasprintf("%.63s-%s", event->component, events->host);
	bool acts = event->action != NULL;
	char first[32], last[32];

	time_of(first, sizeof(first), record->first_ns, acts);
	time_of(last, sizeof(last), record->last_ns, acts);
	json_put(text,
	    "{'apiVersion':'v1','kind':'Event',"
	    "'metadata':{'name':%s,'namespace':%s",
	    record->name, namespace_of(event));
	if (value != NULL) {
		text_put(text, ",");
		put_json_annotation(text, event, value);
	}
	text_put(text, "},\"involvedObject\":");
	put_json_reference(text, event);
	json_put(text,
	    ",'reason':%s,'message':%s,'type':%s,'reportingComponent':%s",
	    event->reason, record->message, event->type, event->component);
	if (!acts) {
		json_put(text,
		    ",'source':{'component':%s},'firstTimestamp':%s,"
		    "'lastTimestamp':%s,'count':%d,'eventTime':null,"
		    "'reportingInstance':''}",
		    event->component, first, last, record->count);
		return;
	}
	json_put(text, ",'action':%s,'eventTime':%s", event->action, first);
	if (event->related != NULL) {
		text_put(text, ",\"related\":");
		put_json_reference(text, event->related);
	}
	if (record->count > 1) {
		text_put(text, ",");
		put_json_series(text, record);
	}
	json_put(text, ",'reportingInstance':%s}", instance);
}

static char *
patch_json(const struct api_event *event, const struct event_record *record,
    const char *value)
{
	struct text text = { 0 };
	char last[32];

	json_put(&text, "{'message':%s,", record->message);
	if (event->action != NULL)
		put_json_series(&text, record);
	else
		json_put(&text, "'count':%d,'lastTimestamp':%s", record->count,
		    time_of(last, sizeof(last), record->last_ns, false));
	if (value != NULL) {
		json_put(&text, ",'metadata':{");
		put_json_annotation(&text, event, value);
		text_put(&text, "}");
	}
	text_put(&text, "}");
	return text_take(&text);
}

static void on_written(void *arg, const struct api_response *response);

/* patches: brings it up to date; otherwise creates it. */
static void
send_write(struct write *write, bool patches)
{
	struct api_client *client = write->events->client;
	struct text path = { 0 };

	text_put(&path, write->path);
	if (patches) {
		text_put(&path, "/");
		url_put(&path, write->name);
	}
	write->again = false;
	write->patches = patches;
	write->call = api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = patches ? "PATCH" : "POST",
		.path = path.bytes,
		.body = patches ? write->patch : write->whole.bytes,
		.body_len = patches ? 0 : write->whole.len,
		.content_type = patches         ? STRATEGIC_MERGE :
		    api_writes_protobuf(client) ? PROTOBUF_TYPE :
						  JSON_TYPE,
		.protobuf = true,
		.retry_ms = RETRY_MS,
		.low_priority = true,
		.on_done = on_written,
		.arg = write });
	text_fini(&path);
}

static void
on_written(void *arg, const struct api_response *response)
{
	struct write *write = arg;
	struct events *events = write->events;

	/* The server forgets events after an hour: then it is a new one. */
	if (write->patches && response->status == 404) {
		send_write(write, false);
		return;
	}
	if (response->status >= 200 && response->status < 300)
		events->stats.written++;
	else
		events->stats.failed++;
	if (write->again) {
		send_write(write, true);
		return;
	}
	strmap_del(&events->writes, write->key);
	free_write(write);
}

static void
write_out(struct events *events, const struct api_event *event,
    struct event_record *record)
{
	char *key = xasprintf("%s/%s", namespace_of(event), record->name);
	struct write *write = strmap_get(&events->writes, key);
	const char *value = event->annotation != NULL ?
	    event->annotate(event->annotate_arg) :
	    NULL;

	if (write != NULL) {
		free(key);
		text_fini(&write->whole);
		free(write->patch);
		events->stats.spared += write->again;
		write->again = true;
	} else {
		write = xcalloc(1, sizeof(*write));
		write->events = events;
		write->key = key;
		write->name = xstrdup(record->name);
		write->path =
		    path_of_collection("v1", namespace_of(event), "events");
		strmap_put(&events->writes, write->key, write);
	}
	put_json(&write->whole, events, event, record, value);
	if (api_writes_protobuf(events->client))
		protobuf_from_json(&write->whole);
	write->patch =
	    record->count > 1 ? patch_json(event, record, value) : NULL;
	if (!write->again)
		send_write(write, record->count > 1);
}

void
events_record(struct events *events, const struct api_event *event)
{
	struct event_record record;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	event_correlate(events->correlator, event,
	    (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, &record);
	if (record.drop)
		events->stats.spared++;
	else if (events->writes.n >= UNDER_WAY_MAX)
		events->stats.failed++;
	else
		write_out(events, event, &record);
	event_record_fini(&record);
}

const struct events_stats *
events_stats(const struct events *events)
{
	return &events->stats;
}
