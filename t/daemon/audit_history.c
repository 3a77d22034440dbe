/*
 * Whether the promises to pods held, by the audit log of an API server
 * (doc/promises.md, On real servers).
 *
 *	audit_history LOG [OPTION…]
 *
 * LOG "-" is standard input.  Takes the options of predicatectl audit, and prints each
 * broken promise with its time, the number of its line and its pod.  Exit code 1 when
 * there are such; 3: not all lines can be read.
 *
 * The log's policy must have these rules at level RequestResponse, and omit the stage
 * RequestReceived:
 *
 *	- level: RequestResponse
 *	  verbs: [create, update, patch, delete, deletecollection]
 *	  resources:
 *	  - group: ""
 *	    resources: [pods, pods/binding, pods/eviction, pods/status,
 *	                nodes, nodes/status, events]
 *	  - group: events.k8s.io
 *	    resources: [events]
 *	  - group: coordination.k8s.io
 *	    resources: [leases]
 *
 * A list of all pods in it (verb list) tells which are gone.
 *
 * Lines stand in the order of answers, and overlap.  So each is taken up at the time at
 * which the server received it, but the room that a binding takes at the time of its
 * answer; that needs some thousand lines at once, and no more.  Where even so the order
 * cannot be known, or the scheduler cannot have known it, nothing is broken: that is a
 * race, and only counted.
 */
#include "config.h"

#include <errno.h>

#include "base/doc.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options.h"
#include "tool/commands/whatif.h"
#include "objects/decode.h"
#include "objects/node.h"
#include "decide/sched/filter.h"

#define SECOND INT64_C(1000000000)
#define TRANSIT (2 * SECOND) /* a request may take so long to the server */
#define LAG (120 * SECOND) /* so long a watch may be silent, see promises.md */
#define RETRY                                                                  \
	(60 * SECOND) /* an answer was lost, and the request is sent again */
#define PATIENCE (300 * SECOND)
#define LINE_MOST ((size_t)16 << 20)
#define LINES_AT_ONCE 4096
#define BYTES_AT_ONCE ((size_t)64 << 20)
#define GONE_MOST 65536 /* pods whose events may still come */
#define BROKEN_MOST 1000
#define SAID_MOST 10
#define NEWEST_RULES 36 /* without --kubernetes-version */

enum promise {
	ONCE,
	LEASE,
	ROOM,
	EVICTED_ONCE,
	FOR_A_POD,
	TOLD,
	EVENT,
	PROMISES
};
static const char *const promise_names[] = { "bound once",
	"bound with the lease", "bound where it fits", "evicted once",
	"evicted for a pod", "told why", "one event each" };

/* A process, as far as the log tells them apart, or a user. */
struct source {
	struct source *user;
	struct lease *lease; /* of a user: that one of its processes had last */
	int64_t valid_until;
	size_t nbindings; /* of a user */
	char key[];       /* user, pod, address and user agent; or the user */
};

struct lease {
	struct source *source;
	char name[];
};

struct track {
	struct track *next; /* gone pods, the oldest first */
	struct pod *pod;    /* NULL: it came before the log began */
	char *name;         /* "ns/name" */
	int64_t created, evicted;
	const struct source *evicted_by;
	size_t bound_line, listed;
	bool told, is_gone;
	const struct source *said[2]; /* events: Scheduled, Preempted */
	char uid[];
};

/* A node. */
struct place {
	int64_t changed;         /* by others than the last to bind there */
	int64_t claimed;         /* a pod was bound or nominated there */
	const struct source *by; /* who bound there last, */
	int64_t by_at;           /* and when */
	int64_t emptied; /* a pod was evicted, and none claims the room */
	size_t emptied_line;
	const char *victim;
	char name[];
};

struct broken {
	enum promise promise;
	size_t line;
	const char *time, *pod, *what;
};

struct history;

/* Takes up the event in hand, whose answer the object is. */
typedef void taker(struct history *h, const struct doc_node *object);

struct entry {
	struct heap_item item;
	int64_t received, answered, at;
	size_t line, bytes;
	bool again; /* a binding at the time of its answer */
	taker *take;
	struct doc *doc;
};

struct history {
	struct whatif whatif;
	const struct options *options;
	const char *path;
	struct heap entries;
	size_t bytes, lines, nmalformed, nevents, ngone;
	int64_t end;
	struct strmap sources, users, leases, places, by_uid, by_name;
	struct track *gone, **gone_end;
	struct arena arena;
	struct {
		size_t checked, broken, races, unknown;
	} counts[PROMISES];
	size_t nbroken, broken_cap;
	struct broken *broken;
	const struct entry *now;
};

/* ---- reading a document ---- */

static const char *
text_at(const struct doc_node *node, const char *path)
{
	return doc_string(doc_at(node, path));
}

static bool
says(const struct doc_node *node, const char *path, const char *what)
{
	return strcmp(text_at(node, path), what) == 0;
}

/* From 0 to a million. */
static int64_t
number_at(const struct doc_node *node, const char *path)
{
	const struct doc_node *number = doc_at(node, path);
	long long n = number != NULL && number->kind == DOC_NUMBER ?
	    strtoll(number->text, NULL, 10) :
	    0;

	return n < 0 ? 0 : n > 1000000 ? 1000000 : n;
}

/* Nanoseconds since 1970; 0: there is no time. */
static int64_t
time_at(const struct doc_node *node, const char *path)
{
	int64_t seconds;
	int32_t nanoseconds;

	return time_parse(text_at(node, path), &seconds, &nanoseconds) &&
		seconds > 0 && seconds < INT64_MAX / SECOND - 1 ?
	    seconds * SECOND + nanoseconds :
	    0;
}

/* The event in hand. */
static const struct doc_node *
event_of(const struct history *h)
{
	return doc_root(h->now->doc);
}

/* "ns/name"; you own it. */
static char *
name_of(const struct doc_node *event)
{
	return xasprintf("%s/%s", text_at(event, "objectRef.namespace"),
	    text_at(event, "objectRef.name"));
}

/* ---- results ---- */

static void __attribute__((format(printf, 4, 5))) breaks(struct history *h,
    enum promise promise, const char *pod, const char *fmt, ...)
{
	AUTOFREE char *what = NULL;
	struct broken *b;

	if (h->counts[promise].broken++ >= BROKEN_MOST)
		return;
	XFORMAT(what, fmt);
	arena_room(&h->arena, h->broken, h->nbroken, &h->broken_cap);
	b = &h->broken[h->nbroken++];
	*b = (struct broken){ .promise = promise,
		.pod = arena_printf(&h->arena, "%s", pod),
		.what = arena_printf(&h->arena, "%s", what) };
	if (h->now == NULL)
		return;
	b->line = h->now->line;
	b->time = arena_printf(&h->arena, "%s",
	    text_at(event_of(h), "requestReceivedTimestamp"));
}

static void
complain(struct history *h, const char *fmt, const char *detail)
{
	if (h->nmalformed++ < SAID_MOST)
		ctl_print(fmt, h->path, h->lines, detail);
}

/* ---- what is known ---- */

/* The value of this name, or one of size bytes that ends with it. */
static void *
named(struct strmap *map, const char *name, size_t size)
{
	char *value = strmap_get(map, name);

	if (value != NULL)
		return value;
	value = xcalloc(1, size + strlen(name) + 1);
	memcpy(value + size, name, strlen(name) + 1);
	strmap_put(map, value + size, value);
	return value;
}
#define NAMED(map, type, name, last)                                           \
	((struct type *)named((map), (name), offsetof(struct type, last)))

static struct source *
source_of(struct history *h, const struct doc_node *event)
{
	const struct doc_node *ips = doc_at(event, "sourceIPs");
	const struct doc_node *pod = doc_get(doc_at(event, "user.extra"),
	    "authentication.kubernetes.io/pod-name");
	const char *user = text_at(event, "user.username");
	AUTOFREE char *key =
	    xasprintf("%s %s %s %s", user, doc_string(doc_first(pod)),
		doc_string(doc_first(ips)), text_at(event, "userAgent"));
	struct source *source = NAMED(&h->sources, source, key, key);

	source->user = NAMED(&h->users, source, user, key);
	return source;
}

static struct place *
place_of(struct history *h, const char *node)
{
	return NAMED(&h->places, place, node, name);
}

static void
take_off(struct history *h, const struct track *t)
{
	cluster_remove(h->whatif.cluster, &t->pod->object);
	cluster_forget(h->whatif.cluster, t->pod);
}

static void
track_free(struct track *t)
{
	pod_unref(t->pod);
	free(t->name);
	free(t);
}

/* The pod no longer exists; events about it may still come. */
static void
mark_deleted(struct history *h, struct track *t)
{
	if (t->is_gone)
		return;
	if (t->pod != NULL)
		take_off(h, t);
	t->is_gone = true;
	if (strmap_get(&h->by_name, t->name) == t)
		strmap_del(&h->by_name, t->name);
	*h->gone_end = t;
	h->gone_end = &t->next;
	h->ngone++;
}

static void
forget_gone(struct history *h)
{
	struct track *t = h->gone;

	h->gone = t->next;
	h->ngone--;
	strmap_del(&h->by_uid, t->uid);
	track_free(t);
}

static struct track *
track_of(struct history *h, const char *uid, const char *name)
{
	struct track *t = NAMED(&h->by_uid, track, uid, uid), *other;

	if (t->name != NULL)
		return t;
	t->name = xstrdup(name);
	t->created = h->now->received;
	other = strmap_get(&h->by_name, name);
	if (other != NULL)
		mark_deleted(h, other);
	strmap_put(&h->by_name, t->name, t);
	return t;
}

/* The object of a request, as the server answered; NULL: it cannot be decoded. */
static struct object *
decoded(const struct history *h, enum object_kind kind,
    const struct doc_node *root)
{
	struct err err;
	struct object *object =
	    object_decode_as(&h->options->settings, kind, root, &err);

	if (object == NULL)
		ctl_print("%s: left out", err.text);
	return object;
}

static void
claims(struct history *h, sym node)
{
	struct place *place = place_of(h, sym_text(node));

	place->claimed = h->now->at;
	place->emptied = 0;
}

static bool
is_told(const struct doc_node *root)
{
	const struct doc_node *gates = doc_at(root, "spec.schedulingGates");

	EACH_CHILD (c, doc_at(root, "status.conditions"))
		if (says(c, "type", "PodScheduled"))
			return true;
	return gates != NULL && gates->count > 0;
}

static void
take_pod(struct history *h, const struct doc_node *root)
{
	struct object *object = decoded(h, OBJECT_POD, root);
	struct pod *pod = (struct pod *)object;
	struct track *t;

	if (object == NULL)
		return;
	t = track_of(h, object->uid, pod_full_name(pod));
	t->listed = h->now->line;
	t->told = t->told || is_told(root);
	if (pod->nominated != SYM_EMPTY)
		claims(h, pod->nominated);
	/* an answer may be older than the binding whose line stands before it */
	if (!t->is_gone &&
	    (t->pod == NULL || pod->node != SYM_EMPTY ||
		t->pod->node == SYM_EMPTY)) {
		if (pod->node != SYM_EMPTY && t->pod == NULL)
			place_of(h, sym_text(pod->node))->changed = h->now->at;
		pod_unref(t->pod);
		t->pod = pod_nominated_to(pod, SYM_EMPTY);
		if (pod->node != SYM_EMPTY)
			cluster_put(h->whatif.cluster, &t->pod->object);
	}
	object_unref(object);
}

static void
take_node(struct history *h, const struct doc_node *root)
{
	struct cluster *cluster = h->whatif.cluster;
	struct object *object = decoded(h, OBJECT_NODE, root);
	const struct node_info *node;
	uint64_t before = cluster->objects;
	bool known;

	if (object == NULL)
		return;
	node = cluster_node(cluster, sym_intern(object->name));
	known = node != NULL && node->node != NULL;
	cluster_put(cluster, object);
	if (known && cluster->objects != before)
		place_of(h, object->name)->changed = h->now->at;
	object_unref(object);
}

static void
node_goes(struct history *h, const struct doc_node *object)
{
	const struct node_info *node = cluster_node(h->whatif.cluster,
	    sym_intern(text_at(event_of(h), "objectRef.name")));

	if (node != NULL && node->node != NULL)
		cluster_remove(h->whatif.cluster,
		    (struct object *)&node->node->object);
}

static void
each_item(struct history *h, const struct doc_node *list, taker *take)
{
	EACH_CHILD (item, doc_at(list, "items"))
		take(h, item);
}

/* ---- promises ---- */

static void
check_lease(struct history *h, const struct source *source, const char *pod)
{
	int64_t late = h->now->received - source->valid_until;

	if (source->lease == NULL && source->user->lease == NULL) {
		h->counts[LEASE].unknown++;
		return;
	}
	h->counts[LEASE].checked++;
	if (source->lease == NULL)
		breaks(h, LEASE, pod, "%s never held the lease %s", source->key,
		    source->user->lease->name);
	else if (late > TRANSIT)
		breaks(h, LEASE, pod, "%s had lost the lease %s for %.1f s",
		    source->key, source->lease->name, (double)late / SECOND);
	else if (late > 0)
		h->counts[LEASE].races++;
}

/* The pod is on no node. */
static void
check_room(struct history *h, const struct track *t, const struct place *place)
{
	struct whatif *w = &h->whatif;
	const struct node_info *node =
	    cluster_node(w->cluster, sym_intern(place->name));
	struct pod *waiting = whatif_waiting(w, t->pod);
	struct why why = { .arena = &w->arena };

	if (node == NULL || node->node == NULL ||
	    !whatif_begin(w, waiting, 0)) {
		h->counts[ROOM].unknown++;
		pod_unref(waiting);
		return;
	}
	h->counts[ROOM].checked++;
	w->cycle.ecache = NULL;
	if (filter_node(filter_of_nodes(filter_new(&w->cycle)), node, true,
		&why) == FITS)
		;
	else if (place->changed != 0 && h->now->at - place->changed < LAG)
		h->counts[ROOM].races++;
	else
		breaks(h, ROOM, t->name, "%s does not take it: %s", place->name,
		    arena_join(&w->arena, why.n,
			whatif_reasons(&w->arena, &why, 0, (uint32_t)why.n,
			    node->name),
			"; "));
	pod_unref(waiting);
}

static void
binding_answered(struct history *h, const struct source *source,
    struct track *t, const char *node)
{
	struct place *place = place_of(h, node);

	h->counts[ONCE].checked++;
	if (t->bound_line != 0)
		breaks(h, ONCE, t->name, "line %zu has bound it before",
		    t->bound_line);
	t->bound_line = h->now->line;
	claims(h, sym_intern(node));
	if (place->by != NULL && place->by != source)
		place->changed = place->by_at;
	place->by = source;
	place->by_at = h->now->at;
	if (t->is_gone)
		return;
	if (t->pod == NULL) {
		h->counts[ROOM].unknown++;
		return;
	}
	take_off(h, t);
	check_room(h, t, place);
	if (t->pod->node == SYM_EMPTY) {
		struct pod *bound = pod_on_node(t->pod, sym_intern(node));

		pod_unref(t->pod);
		t->pod = bound;
	}
	cluster_put(h->whatif.cluster, &t->pod->object);
}

static void
take_binding(struct history *h, const struct doc_node *object)
{
	const struct doc_node *event = event_of(h);
	AUTOFREE char *name = name_of(event);
	struct source *source = source_of(h, event);
	struct track *t = strmap_get(&h->by_name, name);
	const char *uid = text_at(event, "requestObject.metadata.uid");

	if (uid[0] != '\0')
		t = track_of(h, uid, name);
	else if (t == NULL)
		t = track_of(h, name, name);
	if (h->now->again) {
		binding_answered(h, source, t,
		    text_at(event, "requestObject.target.name"));
		return;
	}
	source->user->nbindings++;
	check_lease(h, source, name);
}

static void
take_deletion(struct history *h, const struct doc_node *pod)
{
	const struct source *source = source_of(h, event_of(h));
	const struct doc_node *finalizers = doc_at(pod, "metadata.finalizers");
	const char *uid = text_at(pod, "metadata.uid");
	AUTOFREE char *name = name_of(event_of(h));
	struct track *t = uid[0] != '\0' ? strmap_get(&h->by_uid, uid) :
					   strmap_get(&h->by_name, name);
	struct place *place;

	if (doc_at(pod, "items") != NULL)
		each_item(h, pod, take_deletion);
	if (t == NULL || t->is_gone)
		return;
	if (source->user->nbindings > 0 && t->pod != NULL &&
	    t->pod->node != SYM_EMPTY) {
		h->counts[EVICTED_ONCE].checked++;
		h->counts[FOR_A_POD].checked++;
		if (t->evicted == 0)
			;
		else if (t->evicted_by == source &&
		    h->now->at - t->evicted < RETRY)
			h->counts[EVICTED_ONCE].races++;
		else
			breaks(h, EVICTED_ONCE, t->name, "%s evicts it again",
			    source->key);
		t->evicted = h->now->at;
		t->evicted_by = source;
		place = place_of(h, sym_text(t->pod->node));
		if (place->emptied == 0 &&
		    (place->claimed == 0 ||
			h->now->at - place->claimed > RETRY)) {
			place->victim = arena_printf(&h->arena, "%s", t->name);
			place->emptied = h->now->at;
			place->emptied_line = h->now->line;
		}
	}
	/* of an eviction there is no pod: it leaves */
	if (uid[0] != '\0' &&
	    number_at(pod, "metadata.deletionGracePeriodSeconds") == 0 &&
	    (finalizers == NULL || finalizers->count == 0))
		mark_deleted(h, t);
}

/* A list of all pods, as they were when it was asked for: others are gone. */
static void
take_pods(struct history *h, const struct doc_node *list)
{
	const char *uri = text_at(event_of(h), "requestURI");

	if (!says(event_of(h), "objectRef.namespace", "") ||
	    !says(list, "metadata.continue", "") ||
	    strstr(uri, "resourceVersion=") != NULL ||
	    strstr(uri, "continue=") != NULL || strstr(uri, "elector=") != NULL)
		return;
	each_item(h, list, take_pod);
	EACH_VALUE (&h->by_uid, struct track, t)
		if (t->listed != h->now->line && t->created < h->now->received)
			mark_deleted(h, t);
}

static void
take_lease(struct history *h, const struct doc_node *object)
{
	AUTOFREE char *name = name_of(event_of(h));
	struct source *source = source_of(h, event_of(h));
	struct lease *lease = NAMED(&h->leases, lease, name, name);
	const struct doc_node *spec = doc_at(object, "spec");
	bool given_up = says(spec, "holderIdentity", "");

	if (lease->source != NULL && lease->source != source &&
	    lease->source->valid_until > h->now->received)
		lease->source->valid_until = h->now->received;
	lease->source = source;
	source->lease = lease;
	source->user->lease = lease;
	source->valid_until = h->now->answered;
	if (!given_up)
		source->valid_until +=
		    number_at(spec, "leaseDurationSeconds") * SECOND;
}

static void
take_event(struct history *h, const struct doc_node *object)
{
	static const char *const reasons[] = { "Scheduled", "Preempted" };
	const struct doc_node *request = doc_at(event_of(h), "requestObject");
	const struct source *source = source_of(h, event_of(h));
	const char *uid = text_at(request, "regarding.uid");
	struct track *t;

	if (uid[0] == '\0')
		uid = text_at(request, "involvedObject.uid");
	t = strmap_get(&h->by_uid, uid);
	for (size_t i = 0; t != NULL && i < LENGTH(reasons); i++) {
		if (!says(request, "reason", reasons[i]))
			continue;
		h->counts[EVENT].checked++;
		if (t->said[i] == source)
			breaks(h, EVENT, t->name, "a second event %s",
			    reasons[i]);
		else if (t->said[i] != NULL)
			/* both sent the same binding, and one was in doubt */
			h->counts[EVENT].races++;
		t->said[i] = source;
	}
}

/* At the end: what should have come by then. */
static void
check_rest(struct history *h)
{
	h->now = NULL;
	EACH_VALUE (&h->by_uid, struct track, t) {
		if (t->is_gone || t->pod == NULL ||
		    load_serving(h->options, h->whatif.profiles, t->pod) ==
			NULL)
			continue;
		h->counts[TOLD].checked++;
		if (t->pod->node == SYM_EMPTY && t->bound_line == 0 &&
		    !t->pod->object.deleting && !t->told &&
		    h->end - t->created > PATIENCE)
			breaks(h, TOLD, t->name,
			    "it waits since %lld s, and has no condition "
			    "PodScheduled",
			    (long long)((h->end - t->created) / SECOND));
	}
	EACH_VALUE (&h->places, struct place, place)
		if (place->emptied != 0 && h->end - place->emptied > PATIENCE)
			breaks(h, FOR_A_POD, place->victim,
			    "no pod got its room on %s (line %zu)", place->name,
			    place->emptied_line);
}

/* ---- lines ---- */

/* Who takes the event up; NULL: it is about nothing that was promised. */
static taker *
taker_of(const struct doc_node *event)
{
	static const struct {
		const char *resource, *subresource, *verbs;
		taker *take;
	} rows[] = {
		{ "pods", "binding", " create ", take_binding },
		{ "pods", "eviction", " create ", take_deletion },
		{ "pods", "", " delete deletecollection ", take_deletion },
		{ "pods", "", " list ", take_pods },
		{ "pods", "*", " create update patch ", take_pod },
		{ "nodes", "", " delete ", node_goes },
		{ "nodes", "*", " create update patch ", take_node },
		{ "leases", "", " create update patch ", take_lease },
		{ "events", "", " create ", take_event },
	};
	AUTOFREE char *verb = xasprintf(" %s ", text_at(event, "verb"));
	int64_t code = number_at(event, "responseStatus.code");

	if (!says(event, "stage", "ResponseComplete") || code < 200 ||
	    code > 299)
		return NULL;
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (says(event, "objectRef.resource", rows[i].resource) &&
		    (rows[i].subresource[0] == '*' ||
			says(event, "objectRef.subresource",
			    rows[i].subresource)) &&
		    strstr(rows[i].verbs, verb) != NULL)
			return rows[i].take;
	return NULL;
}

static bool
earlier(const struct heap_item *x, const struct heap_item *y)
{
	const struct entry *a = (const struct entry *)x,
			   *b = (const struct entry *)y;

	return a->at != b->at ? a->at < b->at : a->line < b->line;
}

/* Takes up lines, the earliest first, until so many are left. */
static void
take_entries(struct history *h, size_t left)
{
	while (h->entries.n > left ||
	    (h->entries.n > 0 && h->bytes > BYTES_AT_ONCE)) {
		struct entry *e = (struct entry *)heap_first(&h->entries);

		heap_remove(&h->entries, &e->item);
		h->now = e;
		e->take(h, doc_at(event_of(h), "responseObject"));
		while (h->ngone > GONE_MOST)
			forget_gone(h);
		if (!e->again && e->take == take_binding) {
			e->again = true;
			e->at = e->answered;
			heap_add(&h->entries, &e->item);
			continue;
		}
		h->bytes -= e->bytes;
		doc_free(e->doc);
		free(e);
	}
}

static void
take_line(struct history *h, const char *line, size_t len)
{
	AUTOFREE char *name = xasprintf("%s:%zu", h->path, h->lines);
	struct entry *e;
	struct err err;
	struct doc *doc = doc_parse(name, line, len, &doc_limits_dump, &err);
	const struct doc_node *event = doc != NULL ? doc_root(doc) : NULL;
	int64_t received = time_at(event, "requestReceivedTimestamp"), answered;
	taker *take = NULL;

	if (doc == NULL) {
		complain(h, "%s:%zu: not JSON: %s", err.text);
		return;
	}
	if (!says(event, "kind", "Event") || received == 0)
		complain(h, "%s:%zu: not an event of an audit log%s", "");
	else
		take = taker_of(event);
	if (take != NULL && doc_at(event, "responseObject") == NULL) {
		complain(h, "%s:%zu: without its response%s",
		    ": the audit policy must have level RequestResponse");
		take = NULL;
	}
	if (take == NULL) {
		doc_free(doc);
		return;
	}
	answered = time_at(event, "stageTimestamp");
	if (answered < received)
		answered = received;
	if (answered > h->end)
		h->end = answered;
	e = xcalloc(1, sizeof(*e));
	*e = (struct entry){ .received = received,
		.answered = answered,
		.at = received,
		.line = h->lines,
		.bytes = len,
		.take = take,
		.doc = doc };
	h->nevents++;
	h->bytes += len;
	heap_add(&h->entries, &e->item);
	take_entries(h, LINES_AT_ONCE);
}

/* Lines of any length, of which no more than LINE_MOST bytes are kept. */
static void
read_log(struct history *h, FILE *in)
{
	struct text line = { 0 };
	char *buffer = xmalloc(65536);

	while (fgets(buffer, 65536, in) != NULL) {
		if (line.len <= LINE_MOST)
			text_put(&line, buffer);
		if (strchr(buffer, '\n') == NULL)
			continue;
		h->lines++;
		if (line.len > LINE_MOST)
			complain(h, "%s:%zu: longer than 16 MiB%s", "");
		else
			take_line(h, line.bytes, line.len);
		line.len = 0;
	}
	if (line.len > 0)
		ctl_print("%s:%zu: the last line is not complete and left out",
		    h->path, h->lines + 1);
	take_entries(h, 0);
	text_fini(&line);
	free(buffer);
}

/* ---- the command ---- */

static void
report(const struct history *h)
{
	size_t nbroken = 0;
	struct report r;

	report_begin(&r, h->options);
	json_members(&r.json, "lines:d malformed:d events:d", (int64_t)h->lines,
	    (int64_t)h->nmalformed, (int64_t)h->nevents);
	for (size_t i = 0; i < PROMISES; i++)
		nbroken += h->counts[i].broken;
	report_print(&r, STYLE_HEAD, "%zu broken promise%s in %zu line%s\n",
	    nbroken, plural_of(nbroken), h->lines, plural_of(h->lines));
	report_rows(&r, "promises",
	    "promise=PROMISE|checked=>CHECKED|broken=>!BROKEN|races=>RACES|"
	    "unknown=>NOT CHECKABLE");
	for (size_t i = 0; i < PROMISES; i++)
		report_row(&r, cell_text(promise_names[i]),
		    cell_count((int64_t)h->counts[i].checked),
		    cell_count((int64_t)h->counts[i].broken),
		    cell_count((int64_t)h->counts[i].races),
		    cell_count((int64_t)h->counts[i].unknown));
	report_rows_end(&r);
	report_rows(&r, "broken",
	    "time=TIME|line=>LINE|pod=POD|promise=!NOT|what=BECAUSE");
	for (size_t i = 0; i < h->nbroken; i++) {
		const struct broken *b = &h->broken[i];

		report_row(&r, cell_text(b->time),
		    b->line > 0 ? cell_count((int64_t)b->line) :
				  cell_text(NULL),
		    cell_text(b->pod), cell_text(promise_names[b->promise]),
		    cell_text(b->what));
	}
	report_rows_end(&r);
	report_end(&r);
}

static void
history_fini(struct history *h)
{
	struct strmap *const plain[] = { &h->users, &h->sources, &h->leases,
		&h->places };

	for (size_t i = 0; i < LENGTH(plain); i++) {
		EACH_VALUE (plain[i], char, value)
			free(value);
		strmap_fini(plain[i]);
	}
	EACH_VALUE (&h->by_uid, struct track, t)
		track_free(t);
	strmap_fini(&h->by_uid);
	strmap_fini(&h->by_name);
	heap_fini(&h->entries);
	arena_fini(&h->arena);
}

static int
judge(const struct options *options, const char *path)
{
	bool is_stdin = options_is_stdin(path);
	struct history h = { .options = options,
		.path = is_stdin ? "stdin" : path,
		.entries = HEAP_INIT(earlier) };
	struct profiles *profiles = NULL;
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	int code = in != NULL ? load_profiles(options, &profiles) : EXIT_INPUT;

	if (in == NULL)
		ctl_print("%s: %s", path, strerror(errno));
	if (code == EXIT_DONE) {
		h.gone_end = &h.gone;
		h.whatif = (struct whatif){ .cluster = cluster_new(),
			.profiles = profiles,
			.serving = load_serving,
			.serving_arg = options };
		h.whatif.cluster->kubernetes_minor =
		    options->kubernetes_minor != 0 ? options->kubernetes_minor :
						     NEWEST_RULES;
		whatif_init(&h.whatif);
		read_log(&h, in);
		check_rest(&h);
		report(&h);
		code = h.nmalformed > 0 || ferror(in) ? EXIT_INPUT : EXIT_DONE;
		if (h.nmalformed > SAID_MOST)
			ctl_print("%s: %zu more lines that cannot be read",
			    h.path, h.nmalformed - SAID_MOST);
		for (size_t i = 0; i < PROMISES; i++)
			if (h.counts[i].broken > 0)
				code = EXIT_NEGATIVE;
		whatif_fini(&h.whatif);
		history_fini(&h);
		cluster_free(h.whatif.cluster);
		profiles_free(profiles);
	}
	if (in != NULL && !is_stdin)
		fclose(in);
	return code;
}

int
main(int argc, char **argv)
{
	/* options_parse() wants the command's name, and a cluster. */
	char **args = xcalloc((size_t)argc + 3, sizeof(*args));
	struct options options;
	int code;

	if (argc < 2)
		return EXIT_USAGE;
	args[0] = argv[0];
	args[1] = (char[]){ "audit" };
	args[2] = (char[]){ "--cluster" };
	for (int i = 1; i < argc; i++)
		args[i + 2] = argv[i];
	options_init(&options, "audit_history");
	if (options_parse(&options, argc + 2, args) != OPTIONS_RUN)
		return EXIT_USAGE;
	code = judge(&options, argv[1]);
	options_fini(&options);
	free(args);
	return code;
}
