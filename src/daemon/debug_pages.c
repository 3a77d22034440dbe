#include "config.h"

#include "daemon/debug_pages.h"

#include <stdio.h>
#include <time.h>

#include "wire/api/writes.h"
#include "daemon/scheduler/decisions.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "base/version.h"
#include "base/sorted.h"
#include "cluster/cluster.h"
#include "daemon/page/answer.h"
#include "daemon/scheduler/scheduler.h"
#include "decide/framework/profiles.h"
#include "wire/http/server.h"
#include "objects/pod.h"
#include "wire/pages/files.h"
#include "explain/cluster_json.h"
#include "daemon/queue/queue.h"

/* Of one reply, so that it takes the loop a few milliseconds at most. */
#define USUAL_ROWS 100
#define MOST_ROWS 500
#define MOST_REASONS 20
#define MOST_LISTED 20000
#define SEARCHED 10000 /* places of the queue that one search looks at */
#define LONG_SECONDS (15 * 60) /* a pod that waits longer is counted */

/* The places of the queue, in the order in which the page has them. */
static const enum queue_place places[] = { QUEUE_ACTIVE, QUEUE_IN_FLIGHT,
	QUEUE_BACKOFF, QUEUE_UNSCHEDULABLE, QUEUE_GATED, QUEUE_QUARANTINE };

/* A reply while it is written. */
struct page {
	const struct scheduler *scheduler;
	const struct query *query;
	struct json_out json;
	/* The clock of the queue, and that of people, at one moment. */
	int64_t now_ms, now_seconds;
};

static struct page
page_begin(const struct scheduler *scheduler, const struct query *query,
    struct reply *reply)
{
	reply->content_type = SERVER_JSON;
	reply->headers = page_headers;
	return (struct page){ .scheduler = scheduler,
		.query = query,
		.json = JSON_OUT_INIT(&reply->body),
		.now_ms = clock_ms(),
		.now_seconds = time(NULL) };
}

static size_t
number_of(const struct query *query, const char *name, size_t usual,
    size_t most)
{
	return query_number(query_get(query, name), usual, most);
}

static void
put_seconds(struct json_out *json, const char *key, int64_t seconds)
{
	char text[32];

	json_pair(json, key, api_time(text, sizeof(text), seconds, 0));
}

static void
page_open(struct page *page)
{
	json_open(&page->json, '{');
	put_seconds(&page->json, "time", page->now_seconds);
}

static void
page_end(struct page *page)
{
	json_close(&page->json, '}');
	text_put(page->json.text, "\n");
}

/* Of the queue's clock. */
static void
put_ms(struct page *page, const char *key, int64_t ms)
{
	int64_t after = ms - page->now_ms;
	char text[32];

	if (ms == QUEUE_NO_DEADLINE) {
		json_pair(&page->json, key, NULL);
		return;
	}
	after = after >= 0 ? (after + 999) / 1000 : -(-after / 1000);
	json_pair(&page->json, key,
	    api_time(text, sizeof(text), page->now_seconds + after, 0));
}

/* ---- the state ---- */

/* What one walk over the queue finds of its pods. */
struct waits_found {
	const struct page *page;
	const struct pod *oldest;
	int64_t since; /* when that was created */
	size_t nlong;  /* that wait longer than LONG_SECONDS */
};

static bool
on_any(const struct queue_waiting *w, void *arg)
{
	struct waits_found *found = arg;
	int64_t since = w->pod->object.created;

	if (w->place == QUEUE_GATED || since <= 0)
		return true;
	if (found->oldest == NULL || since < found->since) {
		found->oldest = w->pod;
		found->since = since;
	}
	found->nlong += found->page->now_seconds - since > LONG_SECONDS;
	return true;
}

static void
put_waits(struct page *page)
{
	struct waits_found found = { .page = page };
	struct wait_reason reasons[MOST_REASONS];
	struct json_out *json = &page->json;
	bool complete, walked;
	char since[32];
	size_t n = waits_reasons(&page->scheduler->flights.waits, reasons,
	    MOST_REASONS, &complete);

	walked = queue_walk(page->scheduler->queue, 0, SEARCHED, on_any,
		     &found) == 0;
	JSON_ARRAY (json, "reasons", i, n)
		json_object(json, "message:s pods:z", reasons[i].message,
		    reasons[i].npods);
	json_members(json, "reasonsComplete:b", complete && n < MOST_REASONS);
	json_key(json, "oldest");
	if (found.oldest != NULL)
		json_object(json, "pod:s since:s", pod_full_name(found.oldest),
		    api_time(since, sizeof(since), found.since, 0));
	else
		json_string(json, NULL);
	json_members(json, "waitingLong:z waitingComplete:b", found.nlong,
	    walked);
}

void
debug_status(const struct scheduler *scheduler,
    const struct debug_status *status, struct reply *reply)
{
	const struct profiles *profiles = scheduler->profiles;
	struct page page = page_begin(scheduler, NULL, reply);
	struct json_out *json = &page.json;
	struct version_info version = version_info();
	char kubernetes[16];

	snprintf(kubernetes, sizeof(kubernetes), "1.%d", status->release);
	page_open(&page);
	json_members(json, "version:s kubernetes:s leads:b leaderElection:b",
	    version.git_version, status->release > 0 ? kubernetes : NULL,
	    status->leads, status->elects);
	status->show_problems(status->arg, json);
	JSON_ARRAY (json, "schedulerNames", i,
	    profiles != NULL ? profiles->n : 0)
		json_string(json, profiles->at[i]->scheduler_name);
	json_members(json, "nodes:u decisions:z costlyNamespaces:z",
	    scheduler->options.cluster->nnodes,
	    decisions_number(scheduler->decisions),
	    queue_costly(scheduler->queue, page.now_ms));
	json_key(json, "policy");
	json_raw(json, status->policy);
	json_open_member(json, "queue", '{');
	for (size_t i = 0; i < LENGTH(places); i++)
		json_pair_int(json, queue_place_name(places[i]),
		    (int64_t)queue_count(scheduler->queue, places[i]));
	json_close(json, '}');
	put_waits(&page);
	page_end(&page);
}

/* ---- the queue ---- */

static void
put_wait(struct page *page, const struct pod *pod)
{
	struct json_out *json = &page->json;
	const struct flight *flight =
	    flight_find(&page->scheduler->flights, pod->object.uid);
	const struct wait *wait = flight != NULL ? &flight->wait : NULL;

	if (wait == NULL || wait->message == NULL) {
		json_pair(json, "message", NULL);
		return;
	}
	json_pair(json, "message", wait->message->text);
	put_seconds(json, "messageTime", wait->seconds);
	if (wait->misses != NULL)
		json_pair(json, "misses", wait->misses->text);
}

static void
put_waiting(struct page *page, const struct queue_waiting *w)
{
	const struct pod *pod = w->pod;
	const struct resources *r = pod_requested(pod->class,
	    page->scheduler->options.cluster->kubernetes_minor);
	struct json_out *json = &page->json;

	json_break(json, " ");
	json_open(json, '{');
	json_members(json,
	    "name:s uid:s place:s schedulerName:s priority:i cpu:d memory:d "
	    "nominated:n attempts:u",
	    pod_full_name(pod), pod->object.uid, queue_place_name(w->place),
	    sym_text(pod->class->scheduler_name), pod->priority, r->cpu_milli,
	    r->memory, pod->nominated, w->attempts);
	if (pod->object.created > 0)
		put_seconds(json, "created", pod->object.created);
	put_ms(page, "added", w->added_ms);
	put_ms(page, "queued", w->queued_ms);
	put_ms(page, "next", w->next_ms);
	requests_json_other(json, r);
	pod_json_owner(json, pod);
	if (pod->class->ngates > 0)
		JSON_ARRAY (json, "gates", i, pod->class->ngates)
			json_string(json, sym_text(pod->class->gates[i]));
	put_wait(page, pod);
	json_close(json, '}');
}

static enum queue_place
place_of(const char *name)
{
	for (size_t i = 0; i < LENGTH(places); i++)
		if (strcmp(queue_place_name(places[i]), name) == 0)
			return places[i];
	return QUEUE_NOWHERE;
}

static void
put_listed(struct page *page, enum queue_place place)
{
	const struct queue *queue = page->scheduler->queue;
	size_t offset = number_of(page->query, "offset", 0, QUEUE_LISTED);
	size_t limit = number_of(page->query, "limit", USUAL_ROWS, MOST_ROWS);
	struct queue_waiting *rows = xcalloc(limit + 1, sizeof(*rows));
	size_t n = queue_list(queue, place, offset, limit, rows);
	size_t total = queue_count(queue, place);
	struct json_out *json = &page->json;

	json_members(json, "place:s total:z listed:z offset:z",
	    queue_place_name(place), total,
	    total < QUEUE_LISTED ? total : QUEUE_LISTED, offset);
	JSON_ARRAY (json, "pods", i, n)
		put_waiting(page, &rows[i]);
	free(rows);
}

/* ---- a search in the queue ---- */

struct search {
	struct page *page;
	const char *text;
	enum queue_place place; /* QUEUE_NOWHERE: any */
	size_t n, limit;
};

static bool
on_waiting(const struct queue_waiting *w, void *arg)
{
	struct search *search = arg;

	if (search->place != QUEUE_NOWHERE && search->place != w->place)
		return true;
	if (strcasestr(pod_full_name(w->pod), search->text) == NULL)
		return true;
	put_waiting(search->page, w);
	return ++search->n < search->limit;
}

static void
put_found(struct page *page, enum queue_place place, const char *text)
{
	struct search search = { .page = page,
		.text = text,
		.place = place,
		.limit =
		    number_of(page->query, "limit", USUAL_ROWS, MOST_ROWS) };
	size_t from = number_of(page->query, "from", 0, SIZE_MAX);
	struct json_out *json = &page->json;

	json_open_member(json, "pods", '[');
	from = queue_walk(page->scheduler->queue, from, SEARCHED, on_waiting,
	    &search);
	json_close(json, ']');
	json_key(json, "next");
	if (from > 0)
		json_int(json, (int64_t)from);
	else
		json_string(json, NULL);
}

void
debug_queue(void *scheduler, const struct query *query, struct reply *reply)
{
	const char *name = query_get(query, "place");
	const char *text = query_get(query, "q");
	enum queue_place place = name != NULL ? place_of(name) : QUEUE_NOWHERE;
	struct page page = page_begin(scheduler, query, reply);

	if (place == QUEUE_NOWHERE && (name != NULL || text == NULL)) {
		reply_error(reply, 400,
		    "missing query parameter: place=active, in-flight, "
		    "backoff, unschedulable, gated or quarantine; or q=TEXT");
		return;
	}
	page_open(&page);
	if (text != NULL)
		put_found(&page, place, text);
	else
		put_listed(&page, place);
	page_end(&page);
}

/* ---- decisions ---- */

void
debug_decisions(void *scheduler, const struct query *query, struct reply *reply)
{
	const struct scheduler *s = scheduler;

	page_begin(s, query, reply);
	decisions_json(s->decisions, number_of(query, "since", 0, SIZE_MAX),
	    number_of(query, "limit", DECISIONS_KEPT, DECISIONS_KEPT),
	    &reply->body);
}

/* ---- the cluster ---- */

struct pods {
	size_t n, cap;
	struct pod **at;
};

static void
add_pod(struct pods *pods, const struct pod *pod)
{
	vec_room(pods->at, pods->n, &pods->cap);
	pods->at[pods->n++] = (struct pod *)pod;
}

static bool
add_waiting(const struct queue_waiting *w, void *pods)
{
	add_pod(pods, w->pod);
	return true;
}

/* By name, each once: one that is on its way to its node is in the queue, too. */
static struct pods
all_pods(const struct scheduler *s)
{
	const struct cluster *cluster = s->options.cluster;
	struct pods pods = { 0 };
	size_t n = 0;

	EACH_VALUE (&cluster->node_infos, const struct node_info, node)
		for (uint32_t i = 0; i < node->npods; i++)
			add_pod(&pods, node->pods[i]);
	queue_walk(s->queue, 0, SIZE_MAX, add_waiting, &pods);
	SORT(pods.at, pods.n, whatif_compare_names);
	for (size_t i = 0; i < pods.n; i++) {
		struct pod **last = &pods.at[n - (n > 0)];

		if (n == 0 || whatif_compare_names(last, &pods.at[i]) != 0)
			pods.at[n++] = pods.at[i];
		else if (pods.at[i]->node != SYM_EMPTY)
			*last = pods.at[i];
	}
	pods.n = n;
	return pods;
}

/* In a process of its own, which ends with the reply. */
static void
debug_view(void *scheduler, const struct query *query, struct reply *reply)
{
	struct scheduler *s = scheduler;
	struct pods pods;

	page_begin(s, query, reply);
	if (s->profiles == NULL) {
		reply_error(reply, 503, "no policy is in force yet");
		return;
	}
	pods = all_pods(s);
	answer_with(&(struct web_view){ .cluster = s->options.cluster,
			.npods = pods.n,
			.pods = pods.at,
			.most_rows = MOST_LISTED,
			.profiles = s->profiles,
			.seed = s->seed,
			.serving = whatif_by_name },
	    &(struct server_request){ .path = query->path, .query = query },
	    reply, NULL);
}

/* ---- the page's files ---- */

#define UI "/debug/ui"

static void
show_file(void *arg, const struct query *query, struct reply *reply)
{
	const struct page_file *file = arg;

	reply->content_type = file->type;
	reply->headers = page_headers;
	text_append(&reply->body, (const char *)file->bytes, file->len);
}

/* The files' names are relative to the folder. */
static void
show_folder(void *arg, const struct query *query, struct reply *reply)
{
	static const char *const location[] = { "Location", "ui/", NULL };

	reply_error(reply, 302, "the page is at " UI "/");
	reply->headers = location;
}

void
debug_pages_add(struct server *server, struct scheduler *scheduler)
{
	const struct page_files *const folders[] = { &page_live, &page_shared };

	for (size_t i = 0; answer_name(i) != NULL; i++) {
		AUTOFREE char *path = xasprintf("/debug/%s", answer_name(i));

		server_handle(server, path, SERVER_APART, debug_view,
		    scheduler);
	}
	server_handle(server, UI, SERVER_AT_ONCE, show_folder, NULL);
	for (size_t f = 0; f < LENGTH(folders); f++)
		for (size_t i = 0; i < folders[f]->n; i++) {
			const struct page_file *file = &folders[f]->at[i];
			AUTOFREE char *path = xasprintf(UI "/%s",
			    strcmp(file->name, "index.html") == 0 ? "" :
								    file->name);

			server_handle(server, path, SERVER_AT_ONCE, show_file,
			    (void *)file);
		}
}
