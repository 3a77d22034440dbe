#include "config.h"

#include "t/simulation/apiserver.h"

#include <assert.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

#include "base/map.h"
#include "base/xmalloc.h"
#include "t/simulation/devices.h"
#include "t/simulation/kosmos.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"
#include "t/simulation/steps.h"
#include "t/simulation/volumes.h"

#define WINDOW 4096
#define PAGES 64
#define KINDS 64
#define BOOKMARK_EVERY (60 * SECOND)

struct thing {
	TAILQ_ENTRY(thing) link;
	struct kind *kind;
	char *key;
	struct json_object *object;
	int64_t created, changed;
};

/* What watches tell. */
struct change {
	uint64_t version;
	char *resource;
	struct json_object *before, *after; /* NULL: it was not there, is not */
};

struct watcher {
	LIST_ENTRY(watcher) link;
	char *resource, *namespace, *selector;
	uint64_t from;
	bool bookmarks;
	int64_t ends;
	bool started, ended;
	void (*tell)(void *arg, const char *line);
	void *arg;
};

/* The objects of a resource, in order of their creation. */
static struct kind {
	char *resource;
	TAILQ_HEAD(, thing) things;
	size_t n;
	uint64_t nchanges;
} kinds[KINDS];
static LIST_HEAD(, watcher) watchers = LIST_HEAD_INITIALIZER(watchers);
static struct strmap by_key;
static struct change window[WINDOW];
static uint64_t version, oldest, uids;
static int release;
static size_t page_size; /* 0: lists have one page */
/* The last lists. */
static struct page {
	unsigned id;
	uint64_t version;
	struct json_object *items;
} pages[PAGES];
static unsigned npages;
/* The last change, and the last one of another object. */
static struct {
	char key[192];
	int64_t at, of_another;
} latest;

/* ---- JSON ---- */

static const char *
next_name(const char *path, char *name, size_t size)
{
	size_t len = strcspn(path, ".");

	assert(len < size);
	memcpy(name, path, len);
	name[len] = '\0';
	return path[len] == '.' ? path + len + 1 : NULL;
}

struct json_object *
json_at(struct json_object *object, const char *path)
{
	char name[64];

	while (path != NULL && object != NULL) {
		struct json_object *member = NULL;

		path = next_name(path, name, sizeof(name));
		if (!json_object_is_type(object, json_type_object) ||
		    !json_object_object_get_ex(object, name, &member))
			return NULL;
		object = member;
	}
	return object;
}

const char *
json_text(struct json_object *object, const char *path)
{
	struct json_object *member = json_at(object, path);

	return member != NULL ? json_object_get_string(member) : "";
}

void
json_set(struct json_object *object, const char *path,
    struct json_object *value)
{
	char name[64];

	for (;;) {
		struct json_object *member = NULL;

		path = next_name(path, name, sizeof(name));
		if (path == NULL)
			break;
		if (!json_object_object_get_ex(object, name, &member) ||
		    member == NULL) {
			member = json_object_new_object();
			json_object_object_add(object, name, member);
		}
		object = member;
	}
	json_object_object_add(object, name, value);
}

void
json_remove(struct json_object *object, const char *path)
{
	const char *last = strrchr(path, '.');
	char parent[128];

	if (last == NULL) {
		json_object_object_del(object, path);
		return;
	}
	snprintf(parent, sizeof(parent), "%.*s", (int)(last - path), path);
	object = json_at(object, parent);
	if (object != NULL)
		json_object_object_del(object, last + 1);
}

struct json_object *
json_copy(struct json_object *object)
{
	struct json_object *copy = NULL;

	json_object_deep_copy(object, &copy, NULL);
	return copy;
}

struct json_object *
json_of(const char *fmt, ...)
{
	struct json_object *object;
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		abort();
	va_end(args);
	for (char *p = text; *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	object = json_tokener_parse(text);
	if (object == NULL) {
		fprintf(stderr, "not JSON: %s\n", text);
		abort();
	}
	free(text);
	return object;
}

static const char *
text_of(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
}

const char *
world_time(void)
{
	static char out[32];
	time_t now = (time_t)(INT64_C(1767225600) + loop_now() / SECOND);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(out, sizeof(out), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return out;
}

/* ---- selectors of fields: "a.b=c,d.e!=f" ---- */

static bool
term_holds(struct json_object *object, const char *term, size_t len)
{
	char copy[256], *equals;
	bool negated;

	snprintf(copy, sizeof(copy), "%.*s", (int)len, term);
	equals = strchr(copy, '=');
	if (equals == NULL)
		return true;
	negated = equals > copy && equals[-1] == '!';
	*(negated ? equals - 1 : equals) = '\0';
	return (strcmp(json_text(object, copy), equals + 1) == 0) != negated;
}

static bool
is_selected(const struct watcher *w, struct json_object *object)
{
	const char *p = w->selector;

	if (object == NULL)
		return false;
	if (w->namespace[0] != '\0' &&
	    strcmp(json_text(object, "metadata.namespace"), w->namespace) != 0)
		return false;
	while (*p != '\0') {
		size_t len = strcspn(p, ",");

		if (!term_holds(object, p, len))
			return false;
		p += len + (p[len] == ',');
	}
	return true;
}

/* ---- watches ---- */

static void
set_version(struct json_object *object, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	json_set(object, "metadata.resourceVersion",
	    json_object_new_string(text));
}

static void
tell_change(struct watcher *w, const struct change *c)
{
	bool was, is;
	struct json_object *object;
	char *line;

	if (w->ended || strcmp(w->resource, c->resource) != 0)
		return;
	was = is_selected(w, c->before);
	is = is_selected(w, c->after);
	if (!was && !is)
		return;
	if (is) {
		object = json_object_get(c->after);
	} else {
		object = json_copy(c->after != NULL ? c->after : c->before);
		set_version(object, c->version);
	}
	line = xasprintf("{\"type\":\"%s\",\"object\":%s}\n",
	    !was   ? "ADDED" :
		is ? "MODIFIED" :
		     "DELETED",
	    text_of(object));
	json_object_put(object);
	w->tell(w->arg, line);
	free(line);
}

static void
end_watcher(struct watcher *w)
{
	if (w->ended)
		return;
	w->ended = true;
	if (w->started)
		w->tell(w->arg, NULL);
}

void
watcher_start(struct watcher *w, void (*tell)(void *arg, const char *line),
    void *arg)
{
	w->tell = tell;
	w->arg = arg;
	w->started = true;
	for (uint64_t v = w->from + 1; v <= version; v++)
		if (window[v % WINDOW].version == v)
			tell_change(w, &window[v % WINDOW]);
	if (w->ended)
		w->tell(w->arg, NULL);
}

void
watcher_close(struct watcher *w)
{
	LIST_REMOVE(w, link);
	free(w->resource);
	free(w->namespace);
	free(w->selector);
	free(w);
}

void
apiserver_end_watches(void)
{
	struct watcher *w;

	LIST_FOREACH (w, &watchers, link)
		end_watcher(w);
}

void
apiserver_compact(void)
{
	oldest = version;
}

/* Bookmarks, and the ends of watches. */
static void
on_minute(void *arg)
{
	struct watcher *w;
	char *line;

	LIST_FOREACH (w, &watchers, link) {
		if (w->ended || !w->started)
			continue;
		if (loop_now() >= w->ends) {
			end_watcher(w);
			continue;
		}
		if (!w->bookmarks)
			continue;
		line = xasprintf("{\"type\":\"BOOKMARK\",\"object\":{"
				 "\"metadata\":{\"resourceVersion\":\"%" PRIu64
				 "\"}}}\n",
		    version);
		w->tell(w->arg, line);
		free(line);
	}
	loop_after(BOOKMARK_EVERY, on_minute, NULL);
}

/* ---- the store ---- */

static char *
key_of(const char *resource, const char *namespace, const char *name)
{
	return xasprintf("%s/%s/%s", resource, namespace, name);
}

static void
set_uid(struct json_object *object)
{
	char text[40];

	snprintf(text, sizeof(text), "00000000-0000-4000-8000-%012" PRIu64,
	    ++uids);
	json_set(object, "metadata.uid", json_object_new_string(text));
}

static struct kind *
kind_of(const char *resource)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (kinds[i].resource == NULL) {
			kinds[i].resource = xstrdup(resource);
			TAILQ_INIT(&kinds[i].things);
		}
		if (strcmp(kinds[i].resource, resource) == 0)
			return &kinds[i];
	}
	abort();
}

static struct thing *
find(const char *resource, const char *namespace, const char *name)
{
	char *key = key_of(resource, namespace, name);
	struct thing *thing = strmap_get(&by_key, key);

	free(key);
	return thing;
}

static void
note_change(const char *resource, struct json_object *object)
{
	char *key = key_of(resource, json_text(object, "metadata.namespace"),
	    json_text(object, "metadata.name"));

	if (strcmp(resource, "leases") != 0) {
		if (strcmp(latest.key, key) != 0)
			latest.of_another = latest.at;
		snprintf(latest.key, sizeof(latest.key), "%s", key);
		latest.at = loop_now();
	}
	free(key);
}

bool
apiserver_has_changed(uint64_t *seen, size_t n, const char *const *resources)
{
	uint64_t before = *seen;

	*seen = 0;
	for (size_t i = 0; i < n; i++)
		*seen += kind_of(resources[i])->nchanges;
	return *seen != before;
}

int64_t
apiserver_others_changed_at(const char *resource, const char *namespace,
    const char *name)
{
	char *key = key_of(resource, namespace, name);
	bool same = strcmp(latest.key, key) == 0;

	free(key);
	return same ? latest.of_another : latest.at;
}

/* Takes before; after stays the caller's. */
static void
record(const char *resource, struct json_object *before,
    struct json_object *after)
{
	struct change *c = &window[++version % WINDOW];
	struct watcher *w;

	kind_of(resource)->nchanges++;
	note_change(resource, after != NULL ? after : before);
	if (strcmp(resource, "pods") == 0)
		steps_server(before, after);
	if (c->version > 0) {
		if (c->version > oldest)
			oldest = c->version;
		free(c->resource);
		json_object_put(c->before);
		json_object_put(c->after);
	}
	*c = (struct change){ version, xstrdup(resource), before,
		after != NULL ? json_object_get(after) : NULL };
	if (after != NULL)
		set_version(after, version);
	LIST_FOREACH (w, &watchers, link)
		if (w->started)
			tell_change(w, c);
}

struct json_object *
apiserver_get(const char *resource, const char *namespace, const char *name)
{
	struct thing *thing = find(resource, namespace, name);

	return thing != NULL ? thing->object : NULL;
}

struct json_object *
apiserver_copy(const char *resource, const char *namespace, const char *name)
{
	struct json_object *object = apiserver_get(resource, namespace, name);

	return object != NULL ? json_copy(object) : NULL;
}

int64_t
apiserver_changed_at(const char *resource, const char *namespace,
    const char *name)
{
	const struct thing *thing = find(resource, namespace, name);

	return thing != NULL ? thing->changed : 0;
}

void
apiserver_put(const char *resource, struct json_object *object)
{
	const char *namespace = json_text(object, "metadata.namespace");
	const char *name = json_text(object, "metadata.name");
	struct thing *thing = find(resource, namespace, name);
	struct json_object *before = NULL;

	if (thing == NULL) {
		thing = xcalloc(1, sizeof(*thing));
		thing->kind = kind_of(resource);
		thing->kind->n++;
		thing->created = loop_now();
		thing->key = key_of(resource, namespace, name);
		strmap_put(&by_key, thing->key, thing);
		TAILQ_INSERT_TAIL(&thing->kind->things, thing, link);
		if (json_at(object, "metadata.uid") == NULL)
			set_uid(object);
		if (json_at(object, "metadata.creationTimestamp") == NULL)
			json_set(object, "metadata.creationTimestamp",
			    json_object_new_string(world_time()));
	} else {
		before = thing->object;
	}
	thing->object = object;
	thing->changed = loop_now();
	record(resource, before, object);
}

static void
remove_thing(struct thing *thing)
{
	strmap_del(&by_key, thing->key);
	TAILQ_REMOVE(&thing->kind->things, thing, link);
	thing->kind->n--;
}

void
apiserver_delete(const char *resource, const char *namespace, const char *name)
{
	struct thing *thing = find(resource, namespace, name);

	if (thing == NULL)
		return;
	remove_thing(thing);
	record(resource, thing->object, NULL);
	free(thing->key);
	free(thing);
}

void
apiserver_each(const char *resource,
    void (*each)(void *arg, struct json_object *object), void *arg)
{
	struct thing *thing, *next;

	for (thing = TAILQ_FIRST(&kind_of(resource)->things); thing != NULL;
	     thing = next) {
		next = TAILQ_NEXT(thing, link);
		each(arg, thing->object);
	}
}

size_t
apiserver_count(const char *resource)
{
	return kind_of(resource)->n;
}

struct choice {
	uint32_t left;
	struct json_object *object;
};

static void
choose(void *arg, struct json_object *object)
{
	struct choice *choice = arg;

	if (choice->left-- == 0)
		choice->object = object;
}

struct json_object *
apiserver_any(const char *resource)
{
	size_t n = apiserver_count(resource);
	struct choice choice = { loop_below((uint32_t)n), NULL };

	apiserver_each(resource, choose, &choice);
	return choice.object;
}

int
apiserver_minor(void)
{
	return release;
}

void
apiserver_upgrade(int minor)
{
	release = minor;
}

void
apiserver_reset(int minor, size_t objects_in_a_page)
{
	struct thing *thing;

	release = minor;
	for (size_t i = 0; i < KINDS && kinds[i].resource != NULL; i++)
		while ((thing = TAILQ_FIRST(&kinds[i].things)) != NULL) {
			remove_thing(thing);
			json_object_put(thing->object);
			free(thing->key);
			free(thing);
		}
	strmap_fini(&by_key);
	for (size_t i = 0; i < WINDOW; i++) {
		struct change *c = &window[i];

		free(c->resource);
		json_object_put(c->before);
		json_object_put(c->after);
		*c = (struct change){ 0 };
	}
	for (size_t i = 0; i < PAGES; i++)
		json_object_put(pages[i].items);
	memset(pages, 0, sizeof(pages));
	npages = 0;
	page_size = objects_in_a_page;
	version = oldest = uids = 0;
	memset(&latest, 0, sizeof(latest));
	loop_after(BOOKMARK_EVERY, on_minute, NULL);
}

/* ---- replies ---- */

static struct reply fails(int status, const char *reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static struct reply
fails(int status, const char *reason, const char *fmt, ...)
{
	struct json_object *object =
	    json_of("{'kind':'Status','apiVersion':'v1','status':'Failure',"
		    "'reason':'%s','code':%d}",
		reason, status);
	struct reply reply = { .status = status };
	char *message = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&message, fmt, args) < 0)
		abort();
	va_end(args);
	json_set(object, "message", json_object_new_string(message));
	free(message);
	reply.body = xstrdup(text_of(object));
	json_object_put(object);
	return reply;
}

static struct reply
shows(int status, struct json_object *object)
{
	return (
	    struct reply){ .status = status, .body = xstrdup(text_of(object)) };
}

static struct reply
not_found(const char *what)
{
	return fails(404, "NotFound", "%s not found", what);
}

/* ---- paths: /apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/SUBRESOURCE?QUERY ---- */

struct place {
	char group[64], namespace[64], resource[64], name[128], sub[32];
	const char *query;
};

static const char *
take(const char *p, char *out, size_t size)
{
	size_t len = strcspn(p, "/?");

	snprintf(out, size, "%.*s", (int)len, p);
	return p[len] == '/' ? p + len + 1 : p + len;
}

static struct place
place_of(const char *path)
{
	struct place place = { .query = "" };
	const char *p = path + 1, *query = strchr(path, '?');
	char part[64];

	p = take(p, part, sizeof(part));
	if (strcmp(part, "apis") == 0)
		p = take(p, place.group, sizeof(place.group));
	p = take(p, part, sizeof(part)); /* the version */
	p = take(p, place.resource, sizeof(place.resource));
	if (strcmp(place.resource, "namespaces") == 0 && *p != '\0' &&
	    *p != '?') {
		p = take(p, place.namespace, sizeof(place.namespace));
		p = take(p, place.resource, sizeof(place.resource));
	}
	p = take(p, place.name, sizeof(place.name));
	take(p, place.sub, sizeof(place.sub));
	if (query != NULL)
		place.query = query + 1;
	return place;
}

/* The value of a parameter, unescaped; you own it. */
static char *
parameter(const char *query, const char *name)
{
	size_t len = strlen(name);
	char *value = xstrdup(""), *out;

	for (const char *p = query; *p != '\0';) {
		size_t n = strcspn(p, "&");

		if (strncmp(p, name, len) == 0 && p[len] == '=') {
			free(value);
			value = strndup(p + len + 1, n - len - 1);
		}
		p += n + (p[n] == '&');
	}
	out = value;
	for (char *p = value; *p != '\0'; p++) {
		if (*p == '%' && p[1] != '\0' && p[2] != '\0') {
			char hex[] = { p[1], p[2], '\0' };

			*out++ = (char)strtol(hex, NULL, 16);
			p += 2;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
	return value;
}

/* ---- reads ---- */

static struct reply
resources(const char *group)
{
	static const char *const core[] = { "nodes", "pods", "services",
		"namespaces", "replicationcontrollers", "persistentvolumes",
		"persistentvolumeclaims", "events", "endpoints", "configmaps",
		NULL };
	static const struct {
		const char *group, *names[8];
	} groups[] = {
		{ "kosmos.io",
		    { "distributionpolicies", "clusterdistributionpolicies" } },
		{ "apps", { "replicasets", "statefulsets" } },
		{ "batch", { "jobs" } },
		{ "policy", { "poddisruptionbudgets" } },
		{ "coordination.k8s.io", { "leases" } },
		{ "events.k8s.io", { "events" } },
		{ "scheduling.k8s.io", { "priorityclasses" } },
		{ "storage.k8s.io",
		    { "storageclasses", "csinodes", "csidrivers",
			"csistoragecapacities", "volumeattachments" } },
		{ "resource.k8s.io",
		    { "resourceclaims", "resourceslices", "deviceclasses" } },
	};
	struct json_object *list =
	    json_of("{'kind':'APIResourceList','resources':[]}");
	struct json_object *array = json_at(list, "resources");
	const char *const *names = group[0] == '\0' ? core : NULL;
	struct reply reply;

	for (size_t i = 0; i < LENGTH(groups); i++)
		if (strcmp(groups[i].group, group) == 0 &&
		    (strcmp(group, "resource.k8s.io") != 0 ||
			devices_exist()) &&
		    (strcmp(group, "kosmos.io") != 0 || kosmos_exists()))
			names = groups[i].names;
	for (; names != NULL && *names != NULL; names++)
		json_object_array_add(array, json_of("{'name':'%s'}", *names));
	reply = names != NULL ? shows(200, list) : not_found(group);
	json_object_put(list);
	return reply;
}

/* all: by namespace and name; before: NULL if there was no object. */
static void
put_back(struct json_object *all, struct json_object *object,
    struct json_object *before)
{
	char *key = key_of("", json_text(object, "metadata.namespace"),
	    json_text(object, "metadata.name"));

	if (before != NULL)
		json_object_object_add(all, key, json_object_get(before));
	else
		json_object_object_del(all, key);
	free(key);
}

static void
add_item(void *arg, struct json_object *object)
{
	put_back(arg, object, object);
}

/* All objects as they were at that version, for the page from the first one on. */
static struct page *
new_page(const struct place *place, uint64_t at)
{
	char *selector = parameter(place->query, "fieldSelector");
	struct watcher selection = { .namespace = (char *)place->namespace,
		.selector = selector };
	struct page *page = &pages[++npages % PAGES];
	struct json_object *all = json_object_new_object();

	json_object_put(page->items);
	*page = (struct page){ npages, at, json_object_new_array() };
	apiserver_each(place->resource, add_item, all);
	for (uint64_t v = version; v > at; v--) {
		const struct change *c = &window[v % WINDOW];

		if (strcmp(c->resource, place->resource) == 0)
			put_back(all, c->after != NULL ? c->after : c->before,
			    c->before);
	}
	json_object_object_foreach(all, key, object)
	{
		(void)key;
		if (is_selected(&selection, object))
			json_object_array_add(page->items,
			    json_object_get(object));
	}
	json_object_put(all);
	free(selector);
	return page;
}

static struct reply
list(const struct place *place)
{
	char *next = parameter(place->query, "continue");
	char *exact = parameter(place->query, "resourceVersion");
	uint64_t of = *exact != '\0' ? strtoull(exact, NULL, 10) : version;
	unsigned id = 0;
	size_t at = 0, end;
	struct page *page;
	struct json_object *all;
	struct reply reply;
	bool goes_on = sscanf(next, "%u.%zu", &id, &at) == 2;

	free(next);
	free(exact);
	if (of < oldest)
		return fails(410, "Expired", "too old resource version");
	page = goes_on ? &pages[id % PAGES] : new_page(place, of);
	if (goes_on &&
	    (page->id != id || page->version < oldest ||
		(page_size < 10 && loop_one_in(30))))
		return fails(410, "Expired",
		    "The provided continue parameter "
		    "is too old");
	all = json_of("{'kind':'List','apiVersion':'v1','metadata':{"
		      "'resourceVersion':'%" PRIu64 "'},'items':[]}",
	    page->version);
	end = json_object_array_length(page->items);
	if (page_size > 0 && strstr(place->query, "limit=") != NULL &&
	    end > at + page_size) {
		end = at + page_size;
		json_object_object_add(json_at(all, "metadata"), "continue",
		    json_of("'%u.%zu'", page->id, end));
	}
	for (; at < end; at++)
		json_object_array_add(json_at(all, "items"),
		    json_object_get(
			json_object_array_get_idx(page->items, at)));
	reply = shows(200, all);
	json_object_put(all);
	return reply;
}

static struct reply
watch(const struct place *place)
{
	char *from = parameter(place->query, "resourceVersion");
	char *seconds = parameter(place->query, "timeoutSeconds");
	uint64_t since = strtoull(from, NULL, 10);
	struct watcher *w;

	free(from);
	if (since < oldest) {
		free(seconds);
		return fails(410, "Expired", "too old resource version");
	}
	w = xcalloc(1, sizeof(*w));
	w->resource = xstrdup(place->resource);
	w->namespace = xstrdup(place->namespace);
	w->selector = parameter(place->query, "fieldSelector");
	w->from = since;
	w->bookmarks = true;
	w->ends = loop_now() + strtol(seconds, NULL, 10) * SECOND;
	LIST_INSERT_HEAD(&watchers, w, link);
	free(seconds);
	return (struct reply){ .status = 200, .watcher = w };
}

static struct reply
read_(const struct place *place)
{
	struct json_object *object;

	if (place->resource[0] == '\0')
		return resources(place->group);
	if (place->name[0] == '\0')
		return strstr(place->query, "watch=true") != NULL ?
		    watch(place) :
		    list(place);
	object = apiserver_get(place->resource, place->namespace, place->name);
	return object != NULL ? shows(200, object) : not_found(place->name);
}

/* ---- writes ---- */

static bool
has_uid(struct json_object *object, const char *uid)
{
	return uid[0] == '\0' ||
	    strcmp(json_text(object, "metadata.uid"), uid) == 0;
}

/* Puts a condition in the place of one of its type. */
static void
merge_condition(struct json_object *pod, struct json_object *condition)
{
	struct json_object *all = json_at(pod, "status.conditions");
	const char *type = json_text(condition, "type");

	if (all == NULL) {
		all = json_object_new_array();
		json_set(pod, "status.conditions", all);
	}
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *old = json_object_array_get_idx(all, i);

		if (strcmp(json_text(old, "type"), type) != 0)
			continue;
		old = json_copy(old);
		json_object_object_foreach(condition, key, value)
		    json_object_object_add(old, key, json_copy(value));
		json_object_array_put_idx(all, i, old);
		return;
	}
	json_object_array_add(all, json_copy(condition));
}

/* What a daemon decides is about a pod that it has seen. */
static void
look_at_age(const struct request *request, const struct place *place)
{
	const struct thing *thing =
	    find(place->resource, place->namespace, place->name);

	if (request->sent < thing->created)
		promise_breaks("%s sends %s %s before there is that pod",
		    request->who, request->method, request->path);
}

static struct reply
bind_pod(const struct request *request, const struct place *place,
    struct json_object *body)
{
	struct json_object *pod =
	    apiserver_copy("pods", place->namespace, place->name);
	struct json_object *condition;
	struct reply reply;

	if (pod == NULL)
		return not_found(place->name);
	if (!has_uid(pod, json_text(body, "metadata.uid"))) {
		reply = fails(409, "Conflict",
		    "Precondition failed: UID in precondition");
	} else if (json_at(pod, "metadata.deletionTimestamp") != NULL) {
		reply = fails(409, "Conflict",
		    "pod %s is being deleted, cannot be assigned to a host",
		    place->name);
	} else if (json_text(pod, "spec.nodeName")[0] != '\0') {
		reply = fails(409, "Conflict",
		    "pod %s is already assigned to node \"%s\"", place->name,
		    json_text(pod, "spec.nodeName"));
	} else {
		look_at_age(request, place);
		promise_binding(request->who, request->late, pod,
		    json_text(body, "target.name"));
		json_set(pod, "spec.nodeName",
		    json_object_new_string(json_text(body, "target.name")));
		condition = json_of("{'type':'PodScheduled','status':'True',"
				    "'lastTransitionTime':'%s'}",
		    world_time());
		merge_condition(pod, condition);
		json_object_put(condition);
		json_remove(pod, "status.nominatedNodeName");
		apiserver_put("pods", pod);
		return fails(201, "Created", "bound");
	}
	json_object_put(pod);
	return reply;
}

static struct reply
patch_status(const struct place *place, struct json_object *body)
{
	struct json_object *pod =
	    apiserver_copy("pods", place->namespace, place->name);
	struct json_object *conditions = json_at(body, "status.conditions");
	struct json_object *status = json_at(body, "status");

	if (pod == NULL)
		return not_found(place->name);
	if (!has_uid(pod, json_text(body, "metadata.uid"))) {
		json_object_put(pod);
		return fails(409, "Conflict", "the uid is another");
	}
	for (size_t i = 0;
	     conditions != NULL && i < json_object_array_length(conditions);
	     i++) {
		merge_condition(pod, json_object_array_get_idx(conditions, i));
		trace("%s is told: %s", place->name,
		    json_text(json_object_array_get_idx(conditions, i),
			"message"));
	}
	if (json_object_object_get_ex(status, "nominatedNodeName", NULL)) {
		if (json_text(status, "nominatedNodeName")[0] != '\0')
			promise_nomination(pod,
			    json_text(status, "nominatedNodeName"));
		else
			trace("%s is no longer nominated", place->name);
		json_remove(pod, "status.nominatedNodeName");
		if (json_text(status, "nominatedNodeName")[0] != '\0')
			json_set(pod, "status.nominatedNodeName",
			    json_object_new_string(
				json_text(status, "nominatedNodeName")));
	}
	if (json_at(status, "extendedResourceClaimStatus") != NULL)
		json_set(pod, "status.extendedResourceClaimStatus",
		    json_copy(json_at(status, "extendedResourceClaimStatus")));
	apiserver_put("pods", pod);
	return shows(200, pod);
}

/* Pods on nodes end when their kubelet says so. */
void
apiserver_delete_pod(const char *namespace, const char *name)
{
	struct json_object *pod = apiserver_get("pods", namespace, name);

	if (pod == NULL || json_at(pod, "metadata.deletionTimestamp") != NULL)
		return;
	if (json_text(pod, "spec.nodeName")[0] == '\0') {
		apiserver_delete("pods", namespace, name);
		return;
	}
	pod = json_copy(pod);
	json_set(pod, "metadata.deletionTimestamp",
	    json_object_new_string(world_time()));
	json_set(pod, "metadata.deletionGracePeriodSeconds",
	    json_object_new_int(5));
	apiserver_put("pods", pod);
}

static struct reply
delete_pod(const struct request *request, const struct place *place,
    struct json_object *body)
{
	struct json_object *pod =
	    apiserver_get("pods", place->namespace, place->name);

	if (pod == NULL)
		return not_found(place->name);
	if (!has_uid(pod, json_text(body, "preconditions.uid")))
		return fails(409, "Conflict",
		    "Precondition failed: UID in precondition");
	look_at_age(request, place);
	promise_eviction(request->who, request->sent, pod);
	apiserver_delete_pod(place->namespace, place->name);
	return fails(200, "Deleted", "deleted");
}

static struct reply
put_object(const struct place *place, struct json_object *body, bool create)
{
	const char *stem = json_text(body, "metadata.generateName");
	AUTOFREE char *name = stem[0] != '\0' ?
	    xasprintf("%s%" PRIu64, stem, version) :
	    xstrdup(create ? json_text(body, "metadata.name") : place->name);
	struct json_object *old =
	    apiserver_get(place->resource, place->namespace, name);
	struct json_object *new;

	if (create && old != NULL)
		return fails(409, "AlreadyExists", "%s already exists", name);
	if (!create && old == NULL)
		return not_found(name);
	if (!create &&
	    strcmp(json_text(body, "metadata.resourceVersion"),
		json_text(old, "metadata.resourceVersion")) != 0)
		return fails(409, "Conflict",
		    "the object has been modified; please apply your changes "
		    "to the latest version and try again");
	new = json_copy(body);
	json_set(new, "metadata.namespace",
	    json_object_new_string(place->namespace));
	json_set(new, "metadata.name", json_object_new_string(name));
	apiserver_put(place->resource, new);
	return shows(create ? 201 : 200, new);
}

/* In a list of texts, or of objects that have an uid; -1: nowhere. */
static int
place_in(struct json_object *list, struct json_object *item)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *at = json_object_array_get_idx(list, i);

		if (json_object_is_type(item, json_type_object) ?
			strcmp(json_text(at, "uid"), json_text(item, "uid")) ==
			    0 :
			strcmp(text_of(at), text_of(item)) == 0)
			return (int)i;
	}
	return -1;
}

/* As strategic merge patches do it with finalizers and reservedFor. */
static void
merge_list(struct json_object *into, const char *key, struct json_object *items,
    bool gone)
{
	struct json_object *list = json_at(into, key);

	if (list == NULL) {
		list = json_object_new_array();
		json_set(into, key, list);
	}
	for (size_t i = 0; i < json_object_array_length(items); i++) {
		struct json_object *item = json_object_array_get_idx(items, i);
		bool goes = gone || json_at(item, "$patch") != NULL;
		int at = place_in(list, item);

		if (goes && at >= 0)
			json_object_array_del_idx(list, (size_t)at, 1);
		else if (!goes && at < 0)
			json_object_array_add(list, json_copy(item));
	}
	if (json_object_array_length(list) == 0)
		json_object_object_del(into, key);
}

/* RFC 7386, but for these lists. */
static void
merge(struct json_object *into, struct json_object *patch)
{
	json_object_object_foreach(patch, key, value)
	{
		struct json_object *old = NULL;

		json_object_object_get_ex(into, key, &old);
		if (strcmp(key, "$deleteFromPrimitiveList/finalizers") == 0)
			merge_list(into, "finalizers", value, true);
		else if (json_object_is_type(value, json_type_array) &&
		    (strcmp(key, "finalizers") == 0 ||
			strcmp(key, "reservedFor") == 0))
			merge_list(into, key, value, false);
		else if (value == NULL)
			json_object_object_del(into, key);
		else if (json_object_is_type(old, json_type_object) &&
		    json_object_is_type(value, json_type_object))
			merge(old, value);
		else
			json_object_object_add(into, key, json_copy(value));
	}
}

static struct reply
patch_object(const struct request *request, const struct place *place,
    struct json_object *body)
{
	struct json_object *old =
	    apiserver_get(place->resource, place->namespace, place->name);
	const char *from = json_text(body, "metadata.resourceVersion");
	const char *refusal = NULL;
	struct json_object *new;

	if (old == NULL)
		return not_found(place->name);
	if (!has_uid(old, json_text(body, "metadata.uid")) ||
	    (from[0] != '\0' &&
		strcmp(from, json_text(old, "metadata.resourceVersion")) != 0))
		return fails(409, "Conflict",
		    "the object has been modified; please apply your changes "
		    "to the latest version and try again");
	new = json_copy(old);
	merge(new, body);
	if (strcmp(place->resource, "persistentvolumes") == 0)
		promise_volume(request->who, old, new);
	else if (strcmp(place->resource, "resourceclaims") == 0)
		refusal = promise_device(request->who, old, new);
	if (refusal != NULL) {
		json_object_put(new);
		return fails(422, "Invalid", "%s", refusal);
	}
	apiserver_put(place->resource, new);
	return shows(200, new);
}

static struct reply
delete_claim(const struct place *place, struct json_object *body)
{
	struct json_object *claim =
	    apiserver_copy(place->resource, place->namespace, place->name);
	struct json_object *finalizers = json_at(claim, "metadata.finalizers");

	if (claim == NULL)
		return not_found(place->name);
	if (!has_uid(claim, json_text(body, "preconditions.uid"))) {
		json_object_put(claim);
		return fails(409, "Conflict",
		    "Precondition failed: UID in precondition");
	}
	trace("claim %s is deleted", place->name);
	if (finalizers == NULL || json_object_array_length(finalizers) == 0) {
		json_object_put(claim);
		apiserver_delete(place->resource, place->namespace,
		    place->name);
	} else {
		json_set(claim, "metadata.deletionTimestamp",
		    json_object_new_string(world_time()));
		apiserver_put(place->resource, claim);
	}
	return fails(200, "Deleted", "deleted");
}

/* One for extended resources. */
static struct reply
create_claim(const struct place *place, struct json_object *body)
{
	json_set(body, "kind", json_object_new_string("ResourceClaim"));
	json_set(body, "apiVersion",
	    json_object_new_string("resource.k8s.io/v1"));
	return put_object(place, body, true);
}

static struct reply
write_(const struct request *request, const struct place *place,
    struct json_object *body)
{
	bool pods = strcmp(place->resource, "pods") == 0;
	bool claims = strcmp(place->resource, "resourceclaims") == 0;

	if (strcmp(place->resource, "events") == 0) {
		promise_event(request->who, body);
		return shows(201, body);
	}
	if (pods && strcmp(place->sub, "binding") == 0)
		return bind_pod(request, place, body);
	if (pods && strcmp(request->method, "PATCH") == 0)
		return patch_status(place, body);
	if (pods && strcmp(request->method, "DELETE") == 0)
		return delete_pod(request, place, body);
	if (strcmp(request->method, "PATCH") == 0 &&
	    (strncmp(place->resource, "persistentvolume", 16) == 0 || claims))
		return patch_object(request, place, body);
	if (claims && strcmp(request->method, "POST") == 0)
		return create_claim(place, body);
	if (claims && strcmp(request->method, "DELETE") == 0)
		return delete_claim(place, body);
	if (strcmp(place->resource, "leases") == 0 &&
	    strcmp(request->method, "DELETE") != 0) {
		int64_t age = loop_now() -
		    apiserver_changed_at(place->resource, place->namespace,
			place->name);
		char *before =
		    xstrdup(json_text(apiserver_get(place->resource,
					  place->namespace, place->name),
			"spec.holderIdentity"));
		struct reply reply = put_object(place, body,
		    strcmp(request->method, "POST") == 0);

		if (reply.status < 300)
			promise_lease(request->who, body, before, age);
		free(before);
		return reply;
	}
	return fails(405, "MethodNotAllowed", "%s %s is not modelled",
	    request->method, request->path);
}

struct reply
apiserver_handle(const struct request *request)
{
	struct place place = place_of(request->path);
	struct json_object *body;
	struct reply reply;

	if (strcmp(request->path, "/readyz") == 0)
		return (struct reply){ .status = 200, .body = xstrdup("ok") };
	if (strcmp(request->path, "/version") == 0)
		return (struct reply){ .status = 200,
			.body = xasprintf("{\"major\":\"1\",\"minor\":\"%d\","
					  "\"gitVersion\":\"v1.%d.2\"}",
			    release, release) };
	if (strcmp(request->method, "GET") == 0)
		return read_(&place);
	body = request->body != NULL ? json_tokener_parse(request->body) : NULL;
	if (body == NULL)
		return fails(400, "BadRequest", "the body is no JSON");
	reply = write_(request, &place, body);
	json_object_put(body);
	return reply;
}
