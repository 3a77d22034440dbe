/*
 * What daemons promise themselves.  These functions of theirs are called through here:
 * the program is linked with --wrap.
 */
#include "config.h"

#include "wire/api/consistency.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"
#include "daemon/scheduler/flight.h"
#include "daemon/scheduler/scheduler.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

/* Waiting pods that are compared with a pod that changes: those that it may concern, a
 * few of the pods of a world. */
#define COMPARED_MOST 20

/* Comparisons that are under way. */
#define CHECKS 256

struct consistency_check *
__real_consistency_check_new(struct api_client *client,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg);
struct consistency_check *
__wrap_consistency_check_new(struct api_client *client,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg);
struct queue *__real_queue_new(const struct queue_options *options,
    int64_t now_ms);
struct queue *__wrap_queue_new(const struct queue_options *options,
    int64_t now_ms);
void __real_attempt_begin(struct scheduler *s, struct attempt *a);
void __wrap_attempt_begin(struct scheduler *s, struct attempt *a);
size_t __real_queue_sweep(struct queue *queue,
    bool (*held)(const struct pod *pod, void *arg), void *arg);
size_t __wrap_queue_sweep(struct queue *queue,
    bool (*held)(const struct pod *pod, void *arg), void *arg);
void __real_queue_object_changed(struct queue *queue,
    const struct object *before, const struct object *after, int64_t now_ms);
void __wrap_queue_object_changed(struct queue *queue,
    const struct object *before, const struct object *after, int64_t now_ms);

/* As kube-scheduler from 1.24 on: what wakes a pod too late is not done by the time that
 * passes. */
struct queue *
__wrap_queue_new(const struct queue_options *options, int64_t now_ms)
{
	struct queue_options patient = *options;

	patient.unschedulable_age_ms = 300000;
	return __real_queue_new(&patient, now_ms);
}

/* The room of a pod whose victims are told to leave is its own, whatever older versions
 * of it the watch still shows. */
static void
look_for_room(const struct scheduler *s)
{
	if (!promises_calm()) /* another leader may end a nomination */
		return;
	EACH_VALUE (&s->flights.all, const struct flight, flight)
		if (flight->eviction != NULL && flight->waits &&
		    flight->binding == NULL && flight->nominated != SYM_EMPTY &&
		    cluster_nominated_pod(s->options.cluster, flight->uid) ==
			NULL)
			promise_breaks("the room of a pod is given up while "
				       "its victims are told to leave");
}

/* No pod is tried while its victims are being told to leave. */
void
__wrap_attempt_begin(struct scheduler *s, struct attempt *a)
{
	const struct flight *flight =
	    flight_find(&s->flights, a->pod->object.uid);

	if (flight != NULL && flight->eviction != NULL)
		promise_breaks("%s is tried while its victims are told to "
			       "leave",
		    pod_full_name(a->pod));
	look_for_room(s);
	__real_attempt_begin(s, a);
}

/* No pod is lost. */
size_t
__wrap_queue_sweep(struct queue *queue,
    bool (*held)(const struct pod *pod, void *arg), void *arg)
{
	size_t n = __real_queue_sweep(queue, held, arg);

	if (n > 0)
		promise_breaks("%zu pods are missing from the queue", n);
	return n;
}

/* No event is dear because many pods wait for something else. */
void
__wrap_queue_object_changed(struct queue *queue, const struct object *before,
    const struct object *after, int64_t now_ms)
{
	uint64_t compared = queue_compared(queue);

	__real_queue_object_changed(queue, before, after, now_ms);
	compared = queue_compared(queue) - compared;
	if (after != NULL && after->kind == OBJECT_POD &&
	    compared > COMPARED_MOST)
		promise_breaks("%s is compared with %llu pods that wait",
		    after->name, (unsigned long long)compared);
}

struct check {
	void (*done)(void *arg, enum consistency result, const char *why);
	void *arg;
	const char *resource;
};

static void
on_checked(void *arg, enum consistency result, const char *why)
{
	const struct check *check = arg;

	if (result == NOT_CONSISTENT)
		promise_breaks("%s: %s", check->resource, why);
	check->done(check->arg, result, why);
}

/* A daemon's cache equals the server's objects at that version. */
struct consistency_check *
__wrap_consistency_check_new(struct api_client *client,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg)
{
	static struct check checks[CHECKS];
	static unsigned n;
	struct check *check = &checks[n++ % CHECKS];

	*check = (struct check){ done, arg, spec->resource };
	return __real_consistency_check_new(client, spec, on_checked, check);
}
