#include "config.h"

#include "daemon/scheduler/flight.h"

#include "wire/api/client.h"
#include "daemon/scheduler/binder.h"
#include "daemon/scheduler/claims.h"
#include "daemon/scheduler/preemptor.h"
#include "daemon/scheduler/report.h"
#include "daemon/scheduler/sticky_jobs.h"
#include "daemon/scheduler/volumes.h"
#include "base/clock.h"
#include "base/doc.h"
#include "objects/pod.h"

struct flight *
flight_find(const struct flights *flights, const char *uid)
{
	return strmap_get(&flights->all, uid);
}

struct flight *
flight_get(struct flights *flights, const struct pod *pod)
{
	struct flight *flight = flight_find(flights, pod->object.uid);

	if (flight != NULL)
		return flight;
	flight = xcalloc(1, sizeof(*flight));
	flight->of = flights;
	flight->uid = xstrdup(pod->object.uid);
	flight->waits = pod->node == SYM_EMPTY;
	LIST_INIT(&flight->writes);
	strmap_put(&flights->all, flight->uid, flight);
	return flight;
}

static void
flight_free(struct flight *flight)
{
	binding_free(flight->binding);
	report_give_up(flight);
	eviction_free(flight->eviction);
	victim_free(flight->victim);
	sym_unref(flight->nominated);
	sym_unref(flight->status.nominated);
	free(flight->uid);
	free(flight);
}

void
flight_release(struct flight *flight)
{
	if (flight->waits || flight->binding != NULL ||
	    flight->eviction != NULL || flight->victim != NULL ||
	    !LIST_EMPTY(&flight->writes))
		return;
	strmap_del(&flight->of->all, flight->uid);
	flight_free(flight);
}

uint64_t
version_of(const struct object *object)
{
	return strtoull(object->resource_version, NULL, 10);
}

uint64_t
version_in(const struct api_response *response)
{
	struct doc *doc = api_response_doc(response);
	const char *version = "";
	uint64_t n;

	if (doc == NULL)
		return 0;
	doc_get_string(doc_get(doc_root(doc), "metadata"), "resourceVersion",
	    "metadata.resourceVersion", &version, NULL);
	n = strtoull(version, NULL, 10);
	doc_free(doc);
	return n;
}

void
flights_fini(struct flights *flights)
{
	EACH_VALUE (&flights->all, struct flight, flight)
		flight_free(flight);
	strmap_fini(&flights->all);
	waits_fini(&flights->waits);
	sticky_jobs_give_up(flights);
	claims_fini(flights);
	free(flights->claims_version);
}

void
flight_seen(struct flights *flights, const struct pod *pod,
    const struct doc_node *root)
{
	struct flight *flight = flight_get(flights, pod);

	flight->waits = true;
	report_seen(flight, pod, root);
	nomination_seen(flight, pod);
}

bool
flight_ended(struct flights *flights, const struct pod *pod, bool gone)
{
	struct flight *flight = flight_find(flights, pod->object.uid);
	bool was_assumed;

	if (flight == NULL)
		return false;
	was_assumed = binding_ended(flight, gone ? SYM_NONE : pod->node);
	flight->status = (struct flight_status){ 0 };
	waits_forget(&flights->waits, &flight->wait);
	eviction_is_moot(flight);
	flight->waits = false;
	if (flight->victim != NULL)
		victim_seen(flight->victim);
	else
		flight_release(flight);
	return was_assumed && gone;
}

bool
flight_is_bound(const struct flights *flights, const struct pod *pod)
{
	const struct flight *flight = flight_find(flights, pod->object.uid);

	return flight != NULL && flight->binding != NULL;
}

bool
flight_evicts(const struct flights *flights, const struct pod *pod)
{
	const struct flight *flight = flight_find(flights, pod->object.uid);

	return flight != NULL && flight->eviction != NULL;
}

void
flights_abandon(struct flights *flights)
{
	struct binding *b, *next;

	for (b = LIST_FIRST(&flights->bindings); b != NULL; b = next) {
		next = LIST_NEXT(b, all);
		if (b->volumes != NULL)
			volumes_fail(b, NULL);
	}
	bindings_abandon(flights);
	evictions_abandon(flights);
	claims_abandon(flights);
}

size_t
flights_binding(const struct flights *flights)
{
	const struct binding *b;
	size_t n = 0;

	LIST_FOREACH (b, &flights->bindings, all)
		n += !b->reported;
	return n;
}

bool
flights_write(const struct flights *flights)
{
	const struct binding *b;

	LIST_FOREACH (b, &flights->bindings, all)
		if (b->volumes != NULL && volumes_write(b))
			return true;
	return flights->nsent > 0;
}

void
flights_tick(struct flights *flights)
{
	int64_t now = clock_ms();
	struct binding *b, *next;

	for (b = LIST_FIRST(&flights->bindings); b != NULL; b = next) {
		next = LIST_NEXT(b, all);
		if (b->volumes != NULL)
			volumes_check(b, now);
		else
			binding_check(b, now);
	}
	claims_tick(flights, now);
}
