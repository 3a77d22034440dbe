#include "config.h"

#include "wire/api/watch.h"

#include <event2/event.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "wire/api/discovery.h"
#include "base/json_out.h"
#include "wire/api/known.h"
#include "wire/api/list_page.h"
#include "wire/api/paths.h"
#include "wire/api/protobuf_tree.h"
#include "wire/api/watch_lines.h"
#include "base/doc.h"
#include "objects/fields.h"
#include "objects/limits.h"
#include "objects/object.h"

/* Objects on a page of a list; fewer when one does not arrive in whole, because
 * it is too long, or takes too long: a page of the largest objects has a GB.
 * Each that arrives lets the next one be twice as long. */
#define PAGE 500
#define PAGE_MIN 8
#define LIST_TIMEOUT_MS 60000
/* The server ends a watch after a time between these; we wait a little longer
 * for that end. */
#define WATCH_MIN_SECONDS 300
#define WATCH_MAX_SECONDS 600
#define WATCH_GRACE_MS 30000
#define BACKOFF_BASE_MS 500
/* Retries soon: a scheduler without current data is worse than frequent
 * requests. */
#define BACKOFF_MAX_MS 5000
#define ABSENT_MS 10000
/* A kind that was not served for a minute is rarely asked for. */
#define ABSENT_LONG_MS 60000
#define ABSENT_RARELY_MS 300000
/* A watch that ends sooner without an event is a failure. */
#define SHORT_MS 1000
/* Events are taken for TAKE_MS, but at least one piece of the stream; then the
 * event loop runs.  When more than WAITING_MAX waits, all of it is taken. */
#define TAKE_MS 20
#define PIECE ((size_t)8 << 10)
#define WAITING_MAX ((size_t)8 << 20)
/* So many streams in a row that make no sense from one version: list again. */
#define GARBAGE_MAX 3

enum state {
	DISCOVERING,
	LISTING,
	WATCHING,
};

struct reflector {
	struct api_client *client;
	struct reflector_spec spec;
	char *field_selector; /* or NULL */
	bool has_kind;
	enum object_kind kind; /* of the listed objects, if has_kind: not raw */
	const struct doc_field *fields; /* that are decoded; NULL: all */
	struct reflector_ops ops;
	void *arg;

	enum state state;
	bool synced;
	const char *version; /* one of spec.versions, or NULL */
	char *path;          /* of the collection, in that version, with the
			      * selector */
	struct discovery *discovery;
	struct api_call *call;
	struct event *timer; /* begins the state after a pause */
	unsigned failures;   /* in a row */
	int64_t absent_ms;   /* clock_ms() since when no version is served, 0 */

	struct known known;
	/* While listing: the objects in the list so far.  Objects that are
	 * still in known at the end were deleted. */
	struct known fresh;
	/* The decoded parts of objects that cannot be decoded; some are in
	 * known, too.  While listing, those in the list so far. */
	struct known left_out, left_listed;
	char *page; /* metadata.continue of the next page, or NULL */
	unsigned page_size;
	unsigned expired;   /* consecutive lists whose next page had expired */
	char *list_version; /* resourceVersion of the list so far */

	char *seen; /* resourceVersion up to which we have heard everything */
	struct watch_lines lines;
	struct text waiting;     /* of the stream: not parsed yet */
	struct event *take_more; /* of the pending events */
	int64_t began;           /* clock_ms() of the present watch */
	bool any;                /* it had an event */
	unsigned garbage;        /* streams in a row that made no sense */
	enum state next;
	struct consistency_check *check; /* under way, or NULL */
	bool cut;                        /* we must cut the stream, */
	bool bad;                        /* because it must not continue */
	int64_t current_ms; /* clock_ms() until which known is current */

	struct reflector_stats stats;
};

static void begin(struct reflector *reflector);

static void
problem_with(struct reflector *reflector, int status, const char *what,
    const char *why)
{
	char AUTOFREE *text = NULL;

	reflector->stats.problems++;
	reflector->stats.status = status;
	if (reflector->ops.problem == NULL)
		return;
	text = xasprintf("%s: %s: %s", reflector->spec.resource, what, why);
	reflector->ops.problem(reflector->arg, text);
}

static void
problem(struct reflector *reflector, const char *what, const char *why)
{
	problem_with(reflector, 0, what, why);
}

static void
begin_after(struct reflector *reflector, enum state state, int64_t ms)
{
	reflector->state = state;
	timer_start(reflector->timer, ms);
}

static void
begin_after_failure(struct reflector *reflector, enum state state,
    int64_t asked_ms)
{
	int64_t ms =
	    backoff_ms(++reflector->failures, BACKOFF_BASE_MS, BACKOFF_MAX_MS);

	reflector->absent_ms = 0;
	/* All rejected clients got the same number. */
	begin_after(reflector, state, ms > asked_ms ? ms : asked_ms + ms / 4);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	begin(arg);
}

/* ---- objects ---- */

/* False when one of the two is not the number that all servers use so far. */
static bool
is_older(const char *version, const char *than)
{
	char *end, *than_end;
	uint64_t a = strtoull(version, &end, 10);
	uint64_t b = strtoull(than, &than_end, 10);

	return *version != '\0' && *than != '\0' && *end == '\0' &&
	    *than_end == '\0' && a < b;
}

/*
 * Decodes only namespace, name, uid and version, the members of raw objects.
 * The kind only determines whether there is a namespace: it must be a kind
 * without more members than struct object.
 */
static struct object *
identify(const struct reflector *reflector, const struct doc_node *root,
    const char *kind_text, struct err *err)
{
	enum object_kind kind;
	bool namespaced = reflector->spec.namespaced;

	if (!reflector->spec.raw)
		namespaced = object_kind_parse(kind_text, &kind) &&
		    object_kind_namespaced(kind);
	return object_new(namespaced ? OBJECT_SERVICE : OBJECT_NAMESPACE,
	    sizeof(struct object), root, NULL, err);
}

/* The fields of objects to read now; NULL: all. */
static const struct doc_field *
fields_to_read(const struct reflector *reflector)
{
	if (reflector->ops.whole != NULL &&
	    reflector->ops.whole(reflector->arg))
		return NULL;
	return reflector->fields;
}

static void
tell_decoded(const struct reflector *reflector, const struct object *object,
    const struct doc_node *root)
{
	if (object != NULL && reflector->ops.decoded != NULL)
		reflector->ops.decoded(reflector->arg, object, root);
}

static struct object *
decode_root(struct reflector *reflector, const struct doc_node *root,
    const char *kind, struct err *err)
{
	struct object *object = NULL;
	int got;

	if (reflector->spec.raw)
		return identify(reflector, root, "", err);
	got = object_decode(reflector->spec.settings, root, kind, &object,
	    &kind, err);
	if (got == 0)
		errf(err, "unexpected kind \"%.100s\"", kind);
	if (got == 1)
		tell_decoded(reflector, object, root);
	return got == 1 ? object : NULL;
}

/* As much of it as can be decoded, by these degrees; NULL: not even its name. */
static struct object *
decode_partial(struct reflector *reflector, const struct arrival *arrival,
    enum partial from, enum partial to)
{
	const struct doc_node *root;
	struct object *object = NULL;
	struct doc *doc;

	if (reflector->has_kind) {
		object =
		    arrival_decode_partial(arrival, reflector->spec.settings,
			reflector->kind, from, to, &doc, &root);
	} else {
		doc = arrival_again(arrival,
		    object_partial_fields(OBJECT_NAMESPACE, PARTIAL_NAMED),
		    &root, NULL);
		if (doc != NULL)
			object = identify(reflector, root, arrival->kind, NULL);
	}
	tell_decoded(reflector, object, root);
	doc_free(doc);
	return object;
}

/* Whether the object is to be set aside, whatever is in it. */
static bool
is_over_budget(const struct reflector *reflector, const struct doc_node *root,
    struct err *err)
{
	const struct doc_node *meta = doc_get(root, "metadata");
	const char *namespace = "", *name = "";
	const struct object *known;
	sym in;

	if (!reflector->has_kind ||
	    doc_get_string(meta, "namespace", "", &namespace, NULL) != 0 ||
	    doc_get_string(meta, "name", "", &name, NULL) != 0)
		return false;
	in = sym_find(namespace);
	if (in == SYM_NONE || !object_kind_namespaced(reflector->kind))
		return false;
	known = known_get(&reflector->known, in, name);
	return budget_is_used_up(&reflector->spec.settings->budgets, in,
	    known != NULL && known->partial == PARTIAL_NONE, err);
}

/*
 * The object, and its document for put(); NULL and err: it cannot be decoded.
 * *partial then has its decodable part, or is NULL.  You own both.
 */
static struct object *
decode(struct reflector *reflector, const struct arrival *arrival,
    const struct doc_node **root, struct object **partial, struct err *err)
{
	const struct doc_node *again;
	struct object *object = NULL;
	struct doc *doc;

	*partial = NULL;
	*root = arrival->root;
	if (arrival->root != NULL &&
	    is_over_budget(reflector, arrival->root, err))
		*partial = decode_partial(reflector, arrival, PARTIAL_SET_ASIDE,
		    PARTIAL_SET_ASIDE);
	if (*partial != NULL)
		return NULL;
	errf(err, "%s", arrival->root == NULL ? arrival->error : "");
	if (arrival->root != NULL)
		object =
		    decode_root(reflector, arrival->root, arrival->kind, err);
	if (object == NULL && reflector->fields != NULL &&
	    fields_to_read(reflector) == NULL) {
		*root = NULL;
		doc = arrival_again(arrival, reflector->fields, &again, NULL);
		if (doc != NULL)
			object =
			    decode_root(reflector, again, arrival->kind, NULL);
		doc_free(doc);
	}
	if (object != NULL)
		return object;
	*partial =
	    decode_partial(reflector, arrival, PARTIAL_COUNTED, PARTIAL_NAMED);
	if (*partial == NULL)
		problem(reflector, "ignoring an object without a name",
		    err->text);
	return NULL;
}

static bool
is_same_uid(const struct object *a, const struct object *b)
{
	return strcmp(a->uid, b->uid) == 0 || a->uid[0] == '\0' ||
	    b->uid[0] == '\0';
}

static void
tell_next(const struct reflector *reflector)
{
	if (reflector->ops.next != NULL)
		reflector->ops.next(reflector->arg);
}

static void
report_removed(void *arg, struct object *object)
{
	struct reflector *reflector = arg;

	tell_next(reflector);
	reflector->ops.removed(reflector->arg, object);
	object_unref(object);
}

/* Whether it was left out until now. */
static bool
readmit(struct reflector *reflector, const struct object *object)
{
	struct object *partial =
	    known_take(&reflector->left_out, object->namespace, object->name);
	bool was = partial != NULL;

	if (was && reflector->ops.readmit != NULL)
		reflector->ops.readmit(reflector->arg, partial);
	object_unref(partial);
	return was;
}

/*
 * Takes the decoded part of an object that cannot be decoded, and old, as
 * store_object() does.
 */
static void
leave_out(struct reflector *reflector, struct known *into, struct object *old,
    struct object *partial, const char *why)
{
	const struct object *before =
	    known_get(&reflector->left_out, partial->namespace, partial->name);
	/* its owner has heard that this version is left out */
	bool heard = before != NULL && partial->resource_version[0] != '\0' &&
	    strcmp(before->resource_version, partial->resource_version) == 0 &&
	    is_same_uid(before, partial);
	bool taken = false;

	if (old != NULL && !is_same_uid(old, partial)) {
		report_removed(reflector, old);
		old = NULL;
	}
	known_put(&reflector->left_out, object_ref(partial));
	if (!heard)
		reflector->stats.left_out++;
	if (!heard && reflector->ops.left_out != NULL)
		taken =
		    reflector->ops.left_out(reflector->arg, partial, old, why);
	else if (!heard)
		problem(reflector, "ignoring an object", why);
	if (taken) {
		known_put(into, object_ref(partial));
		object_unref(old);
	} else if (old != NULL) {
		known_put(into, old);
	}
	object_unref(partial);
}

/*
 * Takes object, the new version under its name, and old, the previous version
 * or NULL.  into: known, or fresh while listing.
 */
static void
store_object(struct reflector *reflector, struct known *into,
    struct object *old, struct object *object, const struct doc_node *root)
{
	bool was_left_out = readmit(reflector, object);

	if (old != NULL && !was_left_out &&
	    strcmp(old->resource_version, object->resource_version) == 0 &&
	    is_same_uid(old, object)) {
		known_put(into, old);
		object_unref(object);
		return;
	}
	if (old != NULL && !is_same_uid(old, object))
		report_removed(reflector, old);
	else
		object_unref(old);
	known_put(into, object_ref(object));
	reflector->ops.put(reflector->arg, object, root);
	object_unref(object);
}

/* Objects that were left out, but not by this list, are not left out any
 * longer. */
static void
not_left_out(void *arg, struct object *partial)
{
	struct reflector *reflector = arg;

	if (reflector->ops.readmit != NULL &&
	    known_get(&reflector->left_out, partial->namespace,
		partial->name) == NULL)
		reflector->ops.readmit(reflector->arg, partial);
	object_unref(partial);
}

static void
finish_left_out(struct reflector *reflector)
{
	struct known before = reflector->left_out;

	reflector->left_out = reflector->left_listed;
	reflector->left_listed = (struct known){ 0 };
	known_drain(&before, not_left_out, reflector);
}

/* ---- discovering ---- */

static void
become_absent(struct reflector *reflector)
{
	int64_t now = clock_ms();

	if (reflector->absent_ms == 0)
		reflector->absent_ms = now;
	reflector->version = NULL;
	reflector->failures = 0;
	known_drain(&reflector->known, report_removed, reflector);
	finish_left_out(reflector);
	reflector->synced = true;
	reflector->current_ms = now;
	begin_after(reflector, DISCOVERING,
	    now - reflector->absent_ms < ABSENT_LONG_MS ? ABSENT_MS :
							  ABSENT_RARELY_MS);
	reflector->ops.synced(reflector->arg);
}

static void
on_discovered(void *arg, const char *version,
    const struct api_response *response)
{
	struct reflector *reflector = arg;
	AUTOFREE char *collection = NULL;
	struct text path = { 0 };
	struct err err;

	reflector->discovery = NULL;
	if (response != NULL) {
		api_explain(response, &err);
		problem_with(reflector, response->status,
		    "cannot determine the API version", err.text);
		begin_after_failure(reflector, DISCOVERING,
		    response->retry_after_ms);
		return;
	}
	if (version == NULL) {
		become_absent(reflector);
		return;
	}
	reflector->version = version;
	reflector->absent_ms = 0;
	collection = path_of_collection(version, reflector->spec.namespace,
	    reflector->spec.resource);
	text_put(&path, collection);
	path_put_parameter(&path, "fieldSelector", reflector->field_selector);
	free(reflector->path);
	reflector->path = text_take(&path);
	reflector->state = LISTING;
	begin(reflector);
}

/* ---- listing ---- */

static void
not_seen(void *arg, struct object *object)
{
	struct reflector *reflector = arg;

	known_put(&reflector->known, object);
}

/* The next list begins with its first page. */
static void
forget_list(struct reflector *reflector)
{
	known_drain(&reflector->fresh, not_seen, reflector);
	known_fini(&reflector->left_listed);
	xreplace(&reflector->page, NULL);
	xreplace(&reflector->list_version, NULL);
}

static void
take_item(void *arg, const struct arrival *arrival)
{
	struct reflector *reflector = arg;
	const struct doc_node *root;
	struct err err;
	struct object *partial, *old, *object;
	const struct object *who;

	tell_next(reflector);
	object = decode(reflector, arrival, &root, &partial, &err);
	who = object != NULL ? object : partial;
	if (who == NULL)
		return;
	old = known_take(&reflector->known, who->namespace, who->name);
	if (object != NULL) {
		store_object(reflector, &reflector->fresh, old, object, root);
	} else {
		known_put(&reflector->left_listed, object_ref(partial));
		leave_out(reflector, &reflector->fresh, old, partial, err.text);
	}
}

static void
finish_list(struct reflector *reflector)
{
	struct known gone = reflector->known;

	reflector->known = reflector->fresh;
	reflector->fresh = (struct known){ 0 };
	known_drain(&gone, report_removed, reflector);
	finish_left_out(reflector);
	xreplace(&reflector->seen, reflector->list_version);
	xreplace(&reflector->list_version, NULL);
	xreplace(&reflector->page, NULL);
	reflector->stats.lists++;
	reflector->expired = 0;
	reflector->synced = true;
	reflector->current_ms = clock_ms();
	begin_after(reflector, WATCHING, 0);
	reflector->ops.synced(reflector->arg);
}

static void
take_page(struct reflector *reflector, const struct api_response *response)
{
	struct list_meta meta;
	struct err err;

	if (list_page_read(response, reflector->path, fields_to_read(reflector),
		&meta, take_item, reflector, &err) != 0) {
		problem(reflector, "malformed list", err.text);
		list_meta_fini(&meta);
		forget_list(reflector);
		begin_after_failure(reflector, LISTING, 0);
		return;
	}
	/* All pages are of the moment of the first. */
	xreplace(&reflector->list_version, meta.resource_version);
	xreplace(&reflector->page, meta.next);
	list_meta_fini(&meta);
	if (reflector->page[0] == '\0') {
		finish_list(reflector);
		return;
	}
	begin_after(reflector, LISTING, 0);
}

static void
on_list(void *arg, const struct api_response *response)
{
	struct reflector *reflector = arg;
	struct err err;

	reflector->call = NULL;
	if (response->status == 200) {
		reflector->page_size = reflector->page_size * 2 < PAGE ?
		    reflector->page_size * 2 :
		    PAGE;
		take_page(reflector, response);
		return;
	}
	api_explain(response, &err);
	if (response->status == 404) {
		forget_list(reflector);
		begin_after_failure(reflector, DISCOVERING, 0);
		return;
	}
	problem_with(reflector, response->status, "cannot list", err.text);
	if (response->status == 410) {
		reflector->expired++;
		forget_list(reflector);
	}
	if (response->status == 0) {
		reflector->page_size = reflector->page_size / 2 > PAGE_MIN ?
		    reflector->page_size / 2 :
		    PAGE_MIN;
		reflector->expired = 0;
	}
	begin_after_failure(reflector, LISTING, response->retry_after_ms);
}

/* ---- watching ---- */

/* Ends the present stream from within. */
static void
cut(struct reflector *reflector, bool bad, enum state next)
{
	reflector->cut = true;
	reflector->bad = bad;
	reflector->next = next;
}

static void
malformed_event(struct reflector *reflector, const char *why)
{
	problem(reflector, "malformed watch event", why);
	reflector->garbage++;
	cut(reflector, true,
	    reflector->garbage % GARBAGE_MAX == 0 ? LISTING : WATCHING);
}

/* Whether an event of this version has already been heard of. */
static bool
is_late(struct reflector *reflector, const char *version)
{
	if (!is_older(version, reflector->seen))
		return false;
	reflector->stats.ignored++;
	return true;
}

/* Everything has been heard of up to this object's version. */
static void
advance_resource_version(struct reflector *reflector,
    const struct object *object)
{
	if (object->resource_version[0] != '\0')
		xreplace(&reflector->seen, object->resource_version);
}

static void
take_put(struct reflector *reflector, const struct arrival *arrival)
{
	const struct doc_node *root;
	struct err err;
	struct object *partial, *old;
	struct object *object =
	    decode(reflector, arrival, &root, &partial, &err);
	const struct object *who = object != NULL ? object : partial;

	if (who == NULL)
		return;
	if (is_late(reflector, who->resource_version)) {
		object_unref(object);
		object_unref(partial);
		return;
	}
	advance_resource_version(reflector, who);
	old = known_take(&reflector->known, who->namespace, who->name);
	if (object == NULL) {
		leave_out(reflector, &reflector->known, old, partial, err.text);
		return;
	}
	if (old != NULL &&
	    strcmp(old->resource_version, object->resource_version) == 0)
		reflector->stats.ignored++;
	store_object(reflector, &reflector->known, old, object, root);
}

/* Whether it was left out, and the same being. */
static bool
drop_left_out(struct reflector *reflector, const struct object *who)
{
	const struct object *partial =
	    known_get(&reflector->left_out, who->namespace, who->name);

	return partial != NULL && is_same_uid(partial, who) &&
	    readmit(reflector, who);
}

static void
take_deleted(struct reflector *reflector, const struct doc_node *root)
{
	struct object *old, *who;
	const char *kind = "";
	bool heard;
	struct err err;

	doc_get_string(root, "kind", "kind", &kind, NULL);
	who = identify(reflector, root, kind, &err);
	if (who == NULL) {
		malformed_event(reflector, err.text);
		return;
	}
	if (!is_late(reflector, who->resource_version)) {
		advance_resource_version(reflector, who);
		old = known_get(&reflector->known, who->namespace, who->name);
		heard = old != NULL && is_same_uid(old, who);
		if (heard)
			report_removed(reflector,
			    known_take(&reflector->known, who->namespace,
				who->name));
		if (!drop_left_out(reflector, who) && !heard)
			reflector->stats.ignored++;
	}
	object_unref(who);
}

/* object: as much of the event's as was read. */
static void
take_event(struct reflector *reflector, const struct doc_node *root,
    const struct doc_node *object, const struct arrival *arrival)
{
	const char *type = "";

	doc_get_string(root, "type", "type", &type, NULL);
	if (object == NULL || object->kind != DOC_OBJECT) {
		malformed_event(reflector, "watch event without an object");
		return;
	}
	if (strcmp(type, "ERROR") == 0) {
		const char *message = "";
		int64_t code = 0;

		doc_get_int(object, "code", "code", 0, 999, &code, NULL);
		doc_get_string(object, "message", "message", &message, NULL);
		if (code != 410)
			problem(reflector, "the server closed the watch",
			    message);
		cut(reflector, code != 410, LISTING);
		return;
	}
	reflector->any = true;
	reflector->stats.events++;
	if (strcmp(type, "ADDED") == 0 || strcmp(type, "MODIFIED") == 0)
		take_put(reflector, arrival);
	else if (strcmp(type, "DELETED") == 0)
		take_deleted(reflector, object);
	else if (strcmp(type, "BOOKMARK") == 0) {
		const char *version = "";

		doc_get_string(doc_get(object, "metadata"), "resourceVersion",
		    "metadata.resourceVersion", &version, NULL);
		if (version[0] == '\0')
			return;
		/* Versions decrease only on a server whose data was restored. */
		if (is_older(version, reflector->seen))
			cut(reflector, false, LISTING);
		else
			xreplace(&reflector->seen, version);
	} else
		malformed_event(reflector, "watch event of unknown type");
}

/* A line or frame of the stream. */
static bool
on_event(void *arg, const char *bytes, size_t len)
{
	struct reflector *reflector = arg;
	struct arrival arrival = { .kind = "",
		.bytes = bytes,
		.len = len,
		.event_is_protobuf = api_is_protobuf(reflector->call) };
	const struct doc_node *object = NULL;
	struct err err;
	struct doc *doc;

	tell_next(reflector);
	doc = watch_event_parse(arrival.event_is_protobuf, bytes, len,
	    fields_to_read(reflector), &err);
	if (doc != NULL) {
		object = arrival.root = doc_get(doc_root(doc), "object");
	} else {
		arrival.error = err.text;
		doc = arrival_again(&arrival,
		    object_partial_fields(reflector->kind, PARTIAL_NAMED),
		    &object, NULL);
	}
	if (doc == NULL) {
		malformed_event(reflector, err.text);
		return false;
	}
	take_event(reflector, doc_root(doc), object, &arrival);
	doc_free(doc);
	return !reflector->cut;
}

/* Nothing more of the present stream is taken.  Returns its call, which the caller
 * cancels if it is under way; NULL: none. */
static struct api_call *
leave_watch(struct reflector *reflector)
{
	struct api_call *call = reflector->call;

	if (api_is_answered(call))
		reflector->current_ms = clock_ms();
	watch_lines_fini(&reflector->lines);
	text_fini(&reflector->waiting);
	event_del(reflector->take_more);
	reflector->call = NULL;
	return call;
}

/* The watch is over; continues with next, after a pause if it failed. */
static void
go_on(struct reflector *reflector, bool bad, int64_t asked_ms)
{
	int64_t lived = clock_ms() - reflector->began;

	leave_watch(reflector);
	if (lived < SHORT_MS && !reflector->any)
		bad = true;
	/* It worked: the failures before it are history. */
	if (!bad || reflector->any || lived >= BACKOFF_MAX_MS)
		reflector->failures = 0;
	if (!bad)
		reflector->garbage = 0;
	if (bad)
		begin_after_failure(reflector, reflector->next, asked_ms);
	else
		begin_after(reflector, reflector->next, 0);
}

/* Takes events until then, at least a piece; *taken is their size in bytes.
 * false: cut the stream. */
static bool
take_until(struct reflector *reflector, int64_t until_ms, const char *bytes,
    size_t len, size_t *taken)
{
	size_t n;

	for (*taken = 0; *taken < len; *taken += n) {
		bool more;

		if (*taken > 0 && clock_ms() >= until_ms)
			break;
		n = len - *taken < PIECE ? len - *taken : PIECE;
		/* Without more the stream is cut. */
		more = watch_lines_feed(&reflector->lines,
		    api_is_protobuf(reflector->call), bytes + *taken, n,
		    WATCH_EVENT_MAX, on_event, reflector);
		if (!more && !reflector->cut)
			malformed_event(reflector,
			    "watch event exceeds the size limit");
		if (!more)
			return false;
	}
	return true;
}

static bool
take_waiting(struct reflector *reflector, int64_t until_ms)
{
	struct timeval now = { 0 };
	size_t taken;

	if (!take_until(reflector, until_ms, reflector->waiting.bytes,
		reflector->waiting.len, &taken))
		return false;
	text_drop(&reflector->waiting, taken);
	if (reflector->waiting.len > 0)
		event_add(reflector->take_more, &now);
	return true;
}

static void
cut_stream(struct reflector *reflector)
{
	api_cancel(leave_watch(reflector));
	go_on(reflector, reflector->bad, 0);
}

static void
on_take_more(evutil_socket_t fd, short what, void *arg)
{
	struct reflector *reflector = arg;

	if (!take_waiting(reflector, clock_ms() + TAKE_MS))
		cut_stream(reflector);
}

static void
on_watch_data(void *arg, const char *bytes, size_t len)
{
	struct reflector *reflector = arg;
	struct timeval now = { 0 };
	size_t taken = 0;

	if (reflector->waiting.len == 0 &&
	    !take_until(reflector, clock_ms() + TAKE_MS, bytes, len, &taken)) {
		cut_stream(reflector);
		return;
	}
	if (taken == len)
		return;
	text_append(&reflector->waiting, bytes + taken, len - taken);
	event_add(reflector->take_more, &now);
	if (reflector->waiting.len > WAITING_MAX &&
	    !take_waiting(reflector, INT64_MAX))
		cut_stream(reflector);
}

static void
on_watch_end(void *arg, const struct api_response *response)
{
	struct reflector *reflector = arg;
	bool bad = response->status != 200;
	struct err err;

	if (!take_waiting(reflector, INT64_MAX)) {
		go_on(reflector, reflector->bad, 0);
		return;
	}
	/* From where it is: which costs the server next to nothing, should
	 * there have been nothing to say. */
	if (response->silent) {
		go_on(reflector, false, 0);
		return;
	}
	if (bad) {
		api_explain(response, &err);
		if (response->status != 404 && response->status != 410)
			problem_with(reflector, response->status, "watch ended",
			    err.text);
	}
	if (response->status == 404)
		reflector->next = DISCOVERING;
	else if (response->status == 410 || response->status == 400)
		reflector->next = LISTING;
	go_on(reflector, bad, response->retry_after_ms);
}

/* ---- the states' beginnings ---- */

static void
begin_list(struct reflector *reflector)
{
	struct text path = { 0 };
	char limit[16];

	text_put(&path, reflector->path);
	/* If pages expire before they are read, lists without pages. */
	if (reflector->expired < 2) {
		snprintf(limit, sizeof(limit), "%u", reflector->page_size);
		path_put_parameter(&path, "limit", limit);
		path_put_parameter(&path, "continue", reflector->page);
	}
	reflector->call = api_send(reflector->client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = path.bytes,
		.protobuf =
		    protobuf_has(reflector->version, reflector->spec.resource),
		.timeout_ms = LIST_TIMEOUT_MS,
		.on_done = on_list,
		.arg = reflector });
	text_fini(&path);
}

static void
begin_watch(struct reflector *reflector)
{
	unsigned seconds = WATCH_MIN_SECONDS +
	    arc4random_uniform(WATCH_MAX_SECONDS - WATCH_MIN_SECONDS);
	struct text path = { 0 };
	char timeout[16];

	snprintf(timeout, sizeof(timeout), "%u", seconds);
	text_put(&path, reflector->path);
	path_put_parameter(&path, "watch", "true");
	path_put_parameter(&path, "allowWatchBookmarks", "true");
	path_put_parameter(&path, "resourceVersion", reflector->seen);
	path_put_parameter(&path, "timeoutSeconds", timeout);
	reflector->stats.watches++;
	reflector->began = clock_ms();
	reflector->any = false;
	reflector->cut = false;
	reflector->next = WATCHING;
	reflector->call = api_send(reflector->client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = path.bytes,
		.protobuf =
		    protobuf_has(reflector->version, reflector->spec.resource),
		.timeout_ms = (int64_t)seconds * 1000 + WATCH_GRACE_MS,
		.on_data = on_watch_data,
		.on_done = on_watch_end,
		.arg = reflector });
	text_fini(&path);
}

static void
begin(struct reflector *reflector)
{
	const struct reflector_spec *spec = &reflector->spec;

	switch (reflector->state) {
	case DISCOVERING:
		/* The core group has always been there. */
		if (strcmp(spec->versions[0], "v1") == 0 &&
		    reflector->path == NULL)
			on_discovered(reflector, spec->versions[0], NULL);
		else
			reflector->discovery =
			    discovery_start(reflector->client, spec->resource,
				spec->versions, on_discovered, reflector);
		break;
	case LISTING:
		begin_list(reflector);
		break;
	case WATCHING:
		begin_watch(reflector);
		break;
	}
}

/* ---- reflectors ---- */

struct reflector *
reflector_new(struct api_client *client, const struct reflector_spec *spec,
    const struct reflector_ops *ops, void *arg)
{
	struct reflector *reflector = xcalloc(1, sizeof(*reflector));

	reflector->client = client;
	reflector->spec = *spec;
	if (spec->settings == NULL)
		reflector->spec.settings = &decode_defaults;
	reflector->ops = *ops;
	reflector->arg = arg;
	reflector->page_size = PAGE;
	reflector->current_ms = clock_ms();
	if (spec->field_selector != NULL)
		reflector->field_selector = xstrdup(spec->field_selector);
	reflector->has_kind = !spec->raw &&
	    object_kind_of_resource(spec->resource, &reflector->kind);
	if (reflector->has_kind)
		reflector->fields = object_fields(reflector->kind);
	reflector->timer =
	    evtimer_new(api_client_base(client), on_timer, reflector);
	reflector->take_more =
	    evtimer_new(api_client_base(client), on_take_more, reflector);
	begin_after(reflector, DISCOVERING, 0);
	return reflector;
}

void
reflector_free(struct reflector *reflector)
{
	if (reflector == NULL)
		return;
	api_cancel(reflector->call);
	discovery_cancel(reflector->discovery);
	consistency_check_free(reflector->check);
	event_free(reflector->timer);
	event_free(reflector->take_more);
	text_fini(&reflector->waiting);
	known_fini(&reflector->known);
	known_fini(&reflector->fresh);
	known_fini(&reflector->left_out);
	known_fini(&reflector->left_listed);
	watch_lines_fini(&reflector->lines);
	free(reflector->field_selector);
	free(reflector->path);
	free(reflector->page);
	free(reflector->list_version);
	free(reflector->seen);
	free(reflector);
}

size_t
reflector_count(const struct reflector *reflector)
{
	return reflector->known.objects.n + reflector->fresh.objects.n;
}

size_t
reflector_left_out(const struct reflector *reflector)
{
	return reflector->left_out.objects.n;
}

const char *
reflector_version(const struct reflector *reflector)
{
	return reflector->version;
}

int64_t
reflector_behind_ms(const struct reflector *reflector)
{
	bool absent = reflector->version == NULL && reflector->synced &&
	    reflector->failures == 0;

	return absent ||
		(reflector->state == WATCHING &&
		    api_is_answered(reflector->call)) ?
	    0 :
	    clock_ms() - reflector->current_ms;
}

const struct reflector_stats *
reflector_stats(const struct reflector *reflector)
{
	return &reflector->stats;
}

/* Ends the present watch, if there is one, from outside. */
static void
interrupt(struct reflector *reflector, enum state state)
{
	if (reflector->state != WATCHING)
		return;
	api_cancel(leave_watch(reflector));
	begin_after(reflector, state, 0);
}

void
reflector_list_again(struct reflector *reflector)
{
	interrupt(reflector, LISTING);
}

static void
on_checked(void *arg, enum consistency result, const char *why)
{
	struct reflector *reflector = arg;

	consistency_check_free(reflector->check);
	reflector->check = NULL;
	reflector->stats.checks[result]++;
	if (result != NOT_CONSISTENT)
		return;
	problem(reflector, "the cache is wrong, listing again", why);
	interrupt(reflector, LISTING);
}

void
reflector_check(struct reflector *reflector)
{
	const struct known *known = &reflector->known;
	size_t n = known->objects.n;
	uint64_t digest = known->digest + reflector->left_out.digest;
	const struct object *older;

	if (reflector->state != WATCHING || reflector->check != NULL)
		return;
	EACH_VALUE (&reflector->left_out.objects, struct object, partial) {
		older = known_get(known, partial->namespace, partial->name);
		if (older == NULL)
			n++;
		else
			digest -= object_digest(older->namespace, older->name,
			    older->resource_version);
	}
	reflector->check = consistency_check_new(reflector->client,
	    &(struct consistency_spec){ .resource = reflector->spec.resource,
		.version = reflector->version,
		.namespace = reflector->spec.namespace,
		.field_selector = reflector->field_selector,
		.at = reflector->seen,
		.n = n,
		.digest = digest },
	    on_checked, reflector);
}

void
reflector_retry(struct reflector *reflector, int64_t ms)
{
	if (evtimer_pending(reflector->timer, NULL))
		begin_after(reflector, reflector->state, ms);
}

void
reflector_resume(struct reflector *reflector)
{
	interrupt(reflector, WATCHING);
}
