/*
 * The reflector's state machine, against a server that is only a model.
 *
 * The input is a sequence of steps of two bytes, an action and its object:
 * objects come, change and go; the request that waits is answered, in part,
 * wrongly, late, or not at all; time passes.  Whatever happened:
 *
 *  - an object is put once per version, and removed before another of its name
 *    is put;
 *  - there is always a request under way, or a timer that starts one, and never
 *    two requests;
 *  - when the server is honest again, the owner's picture becomes the server's
 *    within a bounded number of requests, and the reflector's digest of it is that
 *    of the server's objects.
 *
 * The functions of client.c and consistency.c that the reflector needs are defined
 * here.
 */
#include "config.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/client.h"
#include "wire/api/consistency.h"
#include "wire/api/known.h"
#include "base/json_out.h"
#include "wire/api/watch.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "t/fuzz/fuzz.h"

#define NAMES 6
#define HISTORY 128
#define STEPS 400
#define CONVERGES 40

/* ---- the server ---- */

struct being {
	bool exists;
	bool broken; /* cannot be decoded */
	unsigned uid, version;
};

struct change {
	const char *type;
	unsigned name;
	struct being being;
};

struct api_client {
	struct event_base *base;
};

struct api_call {
	struct api_request request;
	char *path;
};

static struct {
	struct being at[NAMES];
	unsigned version, uids;
	/* The oldest is dropped when there are too many. */
	struct change history[HISTORY];
	size_t nchanges;
	unsigned compacted; /* earlier versions are not known any more */
	bool served;

	struct api_call *call; /* the request that waits */
	unsigned sent; /* version up to which this watch was sent events */
	/* The list under way: its moment, and how far it has come. */
	struct being listed[NAMES];
	unsigned list_version, next;
} server;

static struct api_client client;
static struct reflector *reflector;
/* Something that the model does not know of was sent. */
static bool garbage;

static void
change(const char *type, unsigned name)
{
	struct being *being = &server.at[name];

	being->version = ++server.version;
	if (server.nchanges == HISTORY) {
		server.compacted = server.history[0].being.version;
		memmove(server.history, server.history + 1,
		    (HISTORY - 1) * sizeof(server.history[0]));
		server.nchanges--;
	}
	server.history[server.nchanges++] =
	    (struct change){ type, name, *being };
}

static void
put(unsigned name, bool broken)
{
	struct being *being = &server.at[name];
	bool existed = being->exists;

	being->exists = true;
	being->broken = broken;
	if (!existed)
		being->uid = ++server.uids;
	change(existed ? "MODIFIED" : "ADDED", name);
}

static void
erase(unsigned name)
{
	if (!server.at[name].exists)
		return;
	server.at[name].exists = false;
	change("DELETED", name);
}

static void
write_object(struct text *text, unsigned name, const struct being *being)
{
	char buf[256];

	snprintf(buf, sizeof(buf),
	    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"
	    "\"p%u\","
	    "\"namespace\":\"d\",\"uid\":\"u%u\",\"resourceVersion\":\"%u\"},"
	    "\"spec\":%s}",
	    name, being->uid, being->version, being->broken ? "7" : "{}");
	text_put(text, buf);
}

/* ---- requests of the reflector (client.h) ---- */

struct api_call *
api_send(struct api_client *to, const struct api_request *request)
{
	struct api_call *call = xcalloc(1, sizeof(*call));

	FUZZ_CHECK(server.call == NULL);
	call->request = *request;
	call->path = xstrdup(request->path);
	server.call = call;
	server.sent = 0;
	return call;
}

static void
forget_call(void)
{
	free(server.call->path);
	free(server.call);
	server.call = NULL;
}

void
api_cancel(struct api_call *call)
{
	if (call == NULL)
		return;
	FUZZ_CHECK(call == server.call);
	forget_call();
}

bool
api_is_protobuf(const struct api_call *call)
{
	FUZZ_CHECK(call == server.call);
	return false;
}

bool
api_is_answered(const struct api_call *call)
{
	return call != NULL;
}

struct event_base *
api_client_base(const struct api_client *of)
{
	return of->base;
}

void
api_explain(const struct api_response *response, struct err *err)
{
	errf(err, "status %d", response->status);
}

/* ---- answers ---- */

enum asked {
	NOTHING,
	DISCOVERY,
	LIST,
	WATCH,
};

static enum asked
asked(void)
{
	if (server.call == NULL)
		return NOTHING;
	if (strstr(server.call->path, "watch=true") != NULL)
		return WATCH;
	return strstr(server.call->path, "/pods") != NULL ? LIST : DISCOVERY;
}

static void
finish(int status, const char *body)
{
	struct api_request request = server.call->request;
	struct api_response response = { .status = status,
		.body = body,
		.len = strlen(body),
		.error = status == 0 ? "cut" : NULL };

	forget_call();
	request.on_done(request.arg, &response);
}

/* A piece of the stream; the reflector may end it meanwhile. */
static void
stream(const char *bytes, size_t len)
{
	struct api_request request = server.call->request;
	char *copy = xmalloc(len > 0 ? len : 1);

	memcpy(copy, bytes, len);
	request.on_data(request.arg, copy, len);
	free(copy);
}

/* In pieces of that size; 0: all at once. */
static void
stream_text(const struct text *text, size_t piece)
{
	struct api_call *call = server.call;

	if (piece == 0)
		piece = text->len;
	for (size_t at = 0; at < text->len && server.call == call; at += piece)
		stream(text->bytes + at,
		    text->len - at < piece ? text->len - at : piece);
}

static void
stream_event(const char *type, unsigned name, const struct being *being,
    size_t piece)
{
	struct text text = { 0 };

	text_put(&text, "{\"type\":\"");
	text_put(&text, type);
	text_put(&text, "\",\"object\":");
	write_object(&text, name, being);
	text_put(&text, "}\n");
	stream_text(&text, piece);
	text_fini(&text);
}

static void
stream_error(int code)
{
	char line[128];

	snprintf(line, sizeof(line),
	    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":%d,"
	    "\"message\":\"m\"}}\n",
	    code);
	stream(line, strlen(line));
}

static void
stream_bookmark(unsigned version)
{
	char line[160];

	snprintf(line, sizeof(line),
	    "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\","
	    "\"apiVersion\":\"v1\","
	    "\"metadata\":{\"resourceVersion\":\"%u\"}}}\n",
	    version);
	stream(line, strlen(line));
}

/* The watch's resourceVersion; UINT_MAX: it is none of ours. */
static unsigned
watched_from(void)
{
	const char *at = strstr(server.call->path, "resourceVersion=");
	char *end;
	unsigned long n;

	FUZZ_CHECK(at != NULL);
	at += strlen("resourceVersion=");
	n = strtoul(at, &end, 10);
	return end == at || *end != '&' || n > server.version ? ~0U :
								(unsigned)n;
}

/* Up to max events that the watch has not received.  Whether any was left. */
static bool
answer_watch(size_t max, size_t piece)
{
	struct api_call *call = server.call;
	unsigned from = watched_from();

	if (from == ~0U || from < server.compacted) {
		stream_error(410);
		return true;
	}
	if (server.sent < from)
		server.sent = from;
	for (size_t i = 0; i < server.nchanges; i++) {
		const struct change *c = &server.history[i];

		if (c->being.version <= server.sent)
			continue;
		if (max-- == 0)
			return true;
		server.sent = c->being.version;
		stream_event(c->type, c->name, &c->being, piece);
		if (server.call != call)
			return true;
	}
	return false;
}

/* The next page, of up to max objects. */
static void
answer_list(size_t max)
{
	struct text page = { 0 };
	char head[96];
	size_t n = 0;

	if (strstr(server.call->path, "limit=") == NULL)
		max = NAMES;
	if (strstr(server.call->path, "continue=") == NULL) {
		memcpy(server.listed, server.at, sizeof(server.at));
		server.list_version = server.version;
		server.next = 0;
	}
	text_put(&page,
	    "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[");
	for (; server.next < NAMES && n < max; server.next++) {
		if (!server.listed[server.next].exists)
			continue;
		text_put(&page, n++ > 0 ? "," : "");
		write_object(&page, server.next, &server.listed[server.next]);
	}
	snprintf(head, sizeof(head),
	    "],\"metadata\":{\"resourceVersion\":\"%u\",\"continue\":\"%s\"}}",
	    server.list_version, server.next < NAMES ? "more" : "");
	text_put(&page, head);
	finish(200, page.bytes);
	text_fini(&page);
}

static void
answer_discovery(void)
{
	if (server.served)
		finish(200, "{\"resources\":[{\"name\":\"pods\"}]}");
	else
		finish(404, "");
}

/* ---- the owner ---- */

struct believed {
	bool exists;
	char uid[16], version[16];
};

static struct believed picture[NAMES];

/* NULL: garbage has made an object of another name. */
static struct believed *
believed(const struct object *object)
{
	unsigned name;

	if (sscanf(object->name, "p%u", &name) == 1 && name < NAMES &&
	    strlen(object->name) == 2 && object->namespace == sym_intern("d"))
		return &picture[name];
	FUZZ_CHECK(garbage);
	return NULL;
}

static bool
same(const char *a, const char *b)
{
	/* An object without a uid may be any. */
	return strcmp(a, b) == 0 || a[0] == '\0' || b[0] == '\0';
}

static void
on_put(void *arg, struct object *object, const struct doc_node *root)
{
	struct believed *b = believed(object);

	FUZZ_CHECK(root != NULL);
	if (b == NULL)
		return;
	if (b->exists) {
		FUZZ_CHECK(same(b->uid, object->uid));
		FUZZ_CHECK(strcmp(b->version, object->resource_version) != 0);
	}
	b->exists = true;
	snprintf(b->uid, sizeof(b->uid), "%s", object->uid);
	snprintf(b->version, sizeof(b->version), "%s",
	    object->resource_version);
}

static void
on_removed(void *arg, struct object *object)
{
	struct believed *b = believed(object);

	if (b == NULL)
		return;
	FUZZ_CHECK(b->exists);
	FUZZ_CHECK(garbage || strcmp(b->uid, object->uid) == 0);
	FUZZ_CHECK(
	    garbage || strcmp(b->version, object->resource_version) == 0);
	b->exists = false;
}

/*
 * Objects that are left out.  One in two owners accepts them in part,
 * and then hears of their end as of others'.
 */
static bool takes_partial, raw;
static bool out[NAMES];

static bool
on_left_out(void *arg, struct object *object, struct object *before,
    const char *why)
{
	struct believed *b = believed(object);

	FUZZ_CHECK(why[0] != '\0');
	if (b == NULL)
		return takes_partial;
	out[b - picture] = true;
	FUZZ_CHECK(garbage || b->exists == (before != NULL));
	if (before != NULL && !garbage)
		FUZZ_CHECK(strcmp(b->uid, before->uid) == 0 &&
		    strcmp(b->uid, object->uid) == 0);
	if (!takes_partial)
		return false;
	b->exists = true;
	snprintf(b->uid, sizeof(b->uid), "%s", object->uid);
	snprintf(b->version, sizeof(b->version), "%s",
	    object->resource_version);
	return true;
}

static void
on_readmit(void *arg, const struct object *object)
{
	struct believed *b = believed(object);

	if (b == NULL)
		return;
	FUZZ_CHECK(garbage || out[b - picture]);
	out[b - picture] = false;
}

static bool synced;

static void
on_synced(void *arg)
{
	synced = true;
}

static void
on_problem(void *arg, const char *text)
{
	FUZZ_CHECK(text[0] != '\0');
	FUZZ_CHECK(garbage || strstr(text, "makes no sense") == NULL);
}

/* ---- time ---- */

struct timers {
	struct event *at[8];
	size_t n;
};

static int
collect(const struct event_base *base, const struct event *event, void *arg)
{
	struct timers *timers = arg;

	if (event_pending(event, EV_TIMEOUT, NULL) &&
	    timers->n < LENGTH(timers->at))
		timers->at[timers->n++] = (struct event *)event;
	return 0;
}

static struct timers
pending_timers(void)
{
	struct timers timers = { .n = 0 };

	event_base_foreach_event(client.base, collect, &timers);
	return timers;
}

/* All timers are due. */
static void
pass_time(void)
{
	struct timers timers = pending_timers();

	for (size_t i = 0; i < timers.n; i++)
		event_active(timers.at[i], EV_TIMEOUT, 0);
	event_base_loop(client.base, EVLOOP_NONBLOCK);
}

/* ---- comparisons (consistency.h) ---- */

struct consistency_check *
consistency_check_new(struct api_client *to,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg)
{
	uint64_t digest = 0;
	char name[16], version[16];
	size_t n = 0;

	snprintf(version, sizeof(version), "%u", server.version);
	FUZZ_CHECK(strcmp(spec->at, version) == 0);
	for (unsigned i = 0; i < NAMES; i++) {
		if (!server.at[i].exists)
			continue;
		snprintf(name, sizeof(name), "p%u", i);
		snprintf(version, sizeof(version), "%u", server.at[i].version);
		digest += object_digest(sym_find("d"), name, version);
		n++;
	}
	FUZZ_CHECK(spec->n == n && spec->digest == digest);
	done(arg, CONSISTENT, NULL);
	return NULL;
}

void
consistency_check_free(struct consistency_check *check)
{
}

/* ---- steps ---- */

static const int statuses[] = { 0, 200, 400, 401, 403, 404, 406, 410, 429, 500,
	503 };

static void
be_honest(size_t max, size_t piece)
{
	switch (asked()) {
	case NOTHING:
		pass_time();
		break;
	case DISCOVERY:
		answer_discovery();
		break;
	case LIST:
		answer_list(max);
		break;
	case WATCH:
		answer_watch(max, piece);
		break;
	}
}

static void
repeat(unsigned which)
{
	const struct change *c;

	if (asked() != WATCH || server.nchanges == 0)
		return;
	c = &server.history[which % server.nchanges];
	if (c->being.version <= server.sent)
		stream_event(c->type, c->name, &c->being, 0);
}

/* The connection breaks within an event. */
static void
cut_event(uint8_t arg)
{
	struct text text = { 0 };
	struct api_call *call = server.call;

	text_put(&text, "{\"type\":\"ADDED\",\"object\":");
	write_object(&text, arg % NAMES, &server.at[arg % NAMES]);
	stream(text.bytes, arg % text.len);
	text_fini(&text);
	if (server.call == call)
		finish(arg & 1 ? 0 : 200, "");
}

/* The next bytes of the input are all that is sent. */
static void
send_garbage(struct fuzz_input *input, uint8_t arg)
{
	size_t len = arg < input->left ? arg : input->left;
	char *bytes = xmalloc(len + 2);

	garbage = true;
	memcpy(bytes, input->at, len);
	input->at += len;
	input->left -= len;
	memcpy(bytes + len, "\n", 2);
	if (asked() == WATCH)
		stream(bytes, len + 1);
	else
		finish(200, bytes);
	free(bytes);
}

static void
step(struct fuzz_input *input)
{
	uint8_t what = fuzz_byte(input), arg = fuzz_byte(input);

	switch (what % 16) {
	case 0:
	case 1:
		put(arg % NAMES, arg >= 224);
		break;
	case 2:
		erase(arg % NAMES);
		break;
	case 3:
		erase(arg % NAMES);
		put(arg % NAMES, arg >= 224);
		break;
	case 4:
	case 5:
		be_honest(arg % 8, arg / 8);
		break;
	case 6:
		be_honest(NAMES, 0);
		break;
	case 7:
	case 8:
		pass_time();
		break;
	case 9:
		if (asked() != NOTHING && (asked() == WATCH || arg != 1))
			finish(statuses[arg % LENGTH(statuses)] == 200 &&
				    asked() != WATCH ?
				500 :
				statuses[arg % LENGTH(statuses)],
			    "");
		break;
	case 10:
		if (asked() == WATCH)
			stream_error(arg & 1 ? 410 : 500);
		break;
	case 11:
		/* The version that it received, or less. */
		if (asked() == WATCH)
			stream_bookmark(
			    server.sent - server.sent % (1 + arg % 3));
		break;
	case 12:
		repeat(arg);
		break;
	case 13:
		server.compacted = server.version;
		break;
	case 14:
		if (asked() == WATCH)
			cut_event(arg);
		break;
	case 15:
		if (arg < 200 && asked() != NOTHING)
			send_garbage(input, arg);
		else
			server.served = !server.served;
		break;
	}
}

static void
check_alive(void)
{
	FUZZ_CHECK(server.call != NULL || pending_timers().n > 0);
}

static bool
is_equal(void)
{
	for (unsigned i = 0; i < NAMES; i++) {
		const struct being *is = &server.at[i];
		const struct believed *b = &picture[i];
		char uid[16], version[16];

		/* The picture of a broken one is its owner's choice. */
		if (!raw && out[i] != (is->exists && is->broken))
			return false;
		if (!raw && is->exists && is->broken)
			continue;
		snprintf(uid, sizeof(uid), "u%u", is->uid);
		snprintf(version, sizeof(version), "%u", is->version);
		if (b->exists != is->exists)
			return false;
		if (b->exists &&
		    (strcmp(b->uid, uid) != 0 ||
			strcmp(b->version, version) != 0))
			return false;
	}
	return true;
}

/* Events may have been untrue, which only a list can put right.
 */
static bool
make_list_again(void)
{
	if (asked() == WATCH)
		stream_error(410);
	else if (asked() == LIST)
		finish(410, "");
	else
		return false;
	return true;
}

static void
become_honest(void)
{
	bool distrusted = garbage;

	server.served = true;
	/* The rest of a line that was cut does not come. */
	if (asked() == WATCH)
		finish(200, "");
	for (unsigned i = 0; i < CONVERGES; i++) {
		check_alive();
		if (distrusted && make_list_again())
			distrusted = false;
		else
			be_honest(NAMES, 0);
		if (!distrusted && asked() == WATCH &&
		    !answer_watch(2 * HISTORY, 0) && is_equal()) {
			FUZZ_CHECK(synced);
			return;
		}
	}
	fuzz_fail("the picture does not become the server's");
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const versions[] = { "v1", "example.org/v1", NULL };
	static const struct reflector_ops ops = { .put = on_put,
		.removed = on_removed,
		.left_out = on_left_out,
		.readmit = on_readmit,
		.synced = on_synced,
		.problem = on_problem };
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	const struct reflector_spec spec = { .resource = "pods",
		.versions = how & 1 ? versions + 1 : versions,
		.raw = how & 2,
		.namespaced = true };

	memset(&server, 0, sizeof(server));
	memset(picture, 0, sizeof(picture));
	memset(out, 0, sizeof(out));
	takes_partial = how & 4;
	raw = how & 2;
	server.version = 10;
	server.served = true;
	garbage = false;
	synced = false;
	if (client.base == NULL)
		client.base = event_base_new();
	reflector = reflector_new(&client, &spec, &ops, NULL);
	for (unsigned i = 0; i < STEPS && input.left > 0; i++) {
		step(&input);
		check_alive();
	}
	become_honest();
	reflector_check(reflector);
	FUZZ_CHECK(reflector_stats(reflector)->checks[CONSISTENT] == 1);
	reflector_free(reflector);
	FUZZ_CHECK(server.call == NULL && pending_timers().n == 0);
	return 0;
}
