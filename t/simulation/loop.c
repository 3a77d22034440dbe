#include "config.h"

#include "t/simulation/loop.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

#include "base/xmalloc.h"

/* What the world's clock shows at a time of 0: 2026-01-01. */
#define EPOCH INT64_C(1767225600)

struct event_base {
	bool broken;
	int64_t frozen, skew;
	LIST_HEAD(, event) events;
};

struct event {
	LIST_ENTRY(event) of_base;
	struct event_base *base;
	evutil_socket_t fd;
	short what;
	event_callback_fn callback;
	void *arg;
	int64_t interval; /* of EV_PERSIST */
	/* In the heap, if it waits: at place - 1. */
	size_t place;
	int64_t due;
	uint64_t order;
	bool once;
};

struct event_base *loop_running;
void (*loop_stepped)(struct event_base *base);

static int64_t now;
static uint64_t steps, orders, state, seeded, aside;
static struct event **heap;
static size_t nheap, heap_cap;
static struct event_base world, *newest;

/* ---- the heap ---- */

static bool
is_before(const struct event *a, const struct event *b)
{
	return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void
put_at(size_t i, struct event *event)
{
	heap[i] = event;
	event->place = i + 1;
}

static void
settle(size_t i, struct event *event)
{
	for (; i > 0 && is_before(event, heap[(i - 1) / 2]); i = (i - 1) / 2)
		put_at(i, heap[(i - 1) / 2]);
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < nheap &&
		    is_before(heap[child + 1], heap[child]))
			child++;
		if (child >= nheap || !is_before(heap[child], event))
			break;
		put_at(i, heap[child]);
		i = child;
	}
	put_at(i, event);
}

static void
unschedule(struct event *event)
{
	size_t i = event->place;
	struct event *last;

	if (i == 0)
		return;
	event->place = 0;
	last = heap[--nheap];
	if (last != event)
		settle(i - 1, last);
}

static void
schedule(struct event *event, int64_t due)
{
	unschedule(event);
	event->due = due;
	event->order = ++orders;
	if (nheap == heap_cap) {
		heap_cap = heap_cap * 2 + 64;
		heap = xrealloc(heap, heap_cap, sizeof(*heap));
	}
	settle(nheap++, event);
}

/* ---- libevent, as far as the daemon uses it ---- */

struct event_base *
event_base_new(void)
{
	newest = xcalloc(1, sizeof(*newest));
	LIST_INIT(&newest->events);
	return newest;
}

struct event_base *
event_base_new_with_config(const struct event_config *config)
{
	return event_base_new();
}

struct event_config *
event_config_new(void)
{
	return (struct event_config *)&world;
}

void
event_config_free(struct event_config *config)
{
}

int
event_config_set_max_dispatch_interval(struct event_config *config,
    const struct timeval *interval, int callbacks, int priority)
{
	return 0;
}

int
event_base_priority_init(struct event_base *base, int priorities)
{
	return 0;
}

void
event_set_log_callback(event_log_cb callback)
{
}

static void
remove_event(struct event *event)
{
	unschedule(event);
	LIST_REMOVE(event, of_base);
	free(event);
}

void
event_base_free(struct event_base *base)
{
	struct event *event;

	while ((event = LIST_FIRST(&base->events)) != NULL)
		remove_event(event);
	if (newest == base)
		newest = NULL;
	free(base);
}

/* The daemon's events run in loop_step(): nothing is left to do here. */
int
event_base_dispatch(struct event_base *base)
{
	return 0;
}

int
event_base_loopbreak(struct event_base *base)
{
	base->broken = true;
	return 0;
}

int
event_base_loopexit(struct event_base *base, const struct timeval *after)
{
	return event_base_loopbreak(base);
}

struct event *
event_new(struct event_base *base, evutil_socket_t fd, short what,
    event_callback_fn callback, void *arg)
{
	struct event *event = xcalloc(1, sizeof(*event));

	event->base = base;
	event->fd = fd;
	event->what = what;
	event->callback = callback;
	event->arg = arg;
	LIST_INSERT_HEAD(&base->events, event, of_base);
	return event;
}

void
event_free(struct event *event)
{
	remove_event(event);
}

/* No file ever becomes readable, and signals come from loop_signal(). */
int
event_add(struct event *event, const struct timeval *after)
{
	if (after == NULL)
		return 0;
	event->interval = after->tv_sec * SECOND + after->tv_usec;
	schedule(event, now + event->interval);
	return 0;
}

int
event_del(struct event *event)
{
	unschedule(event);
	return 0;
}

void
event_active(struct event *event, int what, short calls)
{
	if (event->place == 0 || event->due > now)
		schedule(event, now);
}

int
event_pending(const struct event *event, short what, struct timeval *when)
{
	return event->place != 0;
}

int
event_priority_set(struct event *event, int priority)
{
	return 0;
}

int
event_base_once(struct event_base *base, evutil_socket_t fd, short what,
    event_callback_fn callback, void *arg, const struct timeval *after)
{
	struct event *event = event_new(base, fd, what, callback, arg);

	event->once = true;
	return event_add(event, after);
}

/* ---- time and chance ---- */

bool loop_works, loop_charges;
static int64_t charged;
struct loop_work loop_work;
static int64_t work_began;

static int64_t
processor_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SECOND +
	    usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

/* How long the daemon's event has worked. */
static int64_t
worked(void)
{
	return loop_works && loop_running != NULL ?
	    processor_time() - work_began :
	    0;
}

static void
end_work(void)
{
	int64_t took = worked();

	loop_work.total += took;
	if (took > loop_work.longest)
		loop_work.longest = took;
	now += took;
}

static int64_t
wall(void)
{
	return EPOCH * SECOND + now + worked() +
	    (loop_running != NULL ? loop_running->skew : 0);
}

/* What the daemon's thread has used: now and then much, as if by chance. */
static int64_t
charge(void)
{
	loop_aside();
	charged += loop_one_in(20) ? loop_between(0, 300000) : loop_below(400);
	loop_aside();
	return charged;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
time_t __wrap_time(time_t *out);
uint32_t __wrap_arc4random_uniform(uint32_t n);
void __wrap_arc4random_buf(void *out, size_t n);
ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags);

int
__wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	int64_t us = clock == CLOCK_REALTIME ? wall() : now + worked() + SECOND;

	if (clock == CLOCK_THREAD_CPUTIME_ID && loop_charges)
		us = charge();
	out->tv_sec = us / SECOND;
	out->tv_nsec = us % SECOND * 1000;
	return 0;
}

time_t
__wrap_time(time_t *out)
{
	time_t seconds = wall() / SECOND;

	if (out != NULL)
		*out = seconds;
	return seconds;
}

uint32_t
__wrap_arc4random_uniform(uint32_t n)
{
	return loop_below(n);
}

void
__wrap_arc4random_buf(void *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)out)[i] = (unsigned char)loop_random();
}

/* Secrets of the process, which outlive a seed: hash tables'. */
ssize_t
__wrap_getrandom(void *out, size_t n, unsigned flags)
{
	memset(out, 0x5a, n);
	return (ssize_t)n;
}

/* splitmix64 */
uint64_t
loop_random(void)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

uint32_t
loop_below(uint32_t n)
{
	return n == 0 ? 0 : (uint32_t)((loop_random() >> 32) * n >> 32);
}

bool
loop_one_in(uint32_t n)
{
	return n > 0 && loop_below(n) == 0;
}

int64_t
loop_between(int64_t a, int64_t b)
{
	return a + (int64_t)(loop_random() % (uint64_t)(b - a + 1));
}

uint64_t
loop_chance(uint64_t n)
{
	uint64_t kept = state;

	state = seeded ^ n * UINT64_C(0xd1342543de82ef95);
	state = loop_random();
	return kept;
}

void
loop_chance_back(uint64_t kept)
{
	state = kept;
}

void
loop_aside(void)
{
	uint64_t kept = state;

	state = aside;
	aside = kept;
}

int64_t
loop_now(void)
{
	return now;
}

uint64_t
loop_steps(void)
{
	return steps;
}

/* ---- what happens ---- */

struct later {
	void (*fn)(void *arg);
	void *arg;
	char text[];
};

static void
on_later(evutil_socket_t fd, short what, void *arg)
{
	struct later *later = arg;

	later->fn(later->arg);
	free(later);
}

static void
schedule_later(int64_t us, struct later *later)
{
	struct event *event = event_new(&world, -1, 0, on_later, later);

	event->once = true;
	schedule(event, now + us);
}

void
loop_after(int64_t us, void (*fn)(void *arg), void *arg)
{
	struct later *later = xmalloc(sizeof(*later));

	*later = (struct later){ .fn = fn, .arg = arg };
	schedule_later(us, later);
}

void
loop_after_text(int64_t us, void (*fn)(void *text), const char *text)
{
	size_t size = strlen(text) + 1;
	struct later *later = xmalloc(sizeof(*later) + size);

	*later = (struct later){ .fn = fn, .arg = later->text };
	memcpy(later->text, text, size);
	schedule_later(us, later);
}

bool
loop_step(int64_t until)
{
	struct event *event = nheap > 0 ? heap[0] : NULL;
	event_callback_fn callback;
	evutil_socket_t fd;
	void *arg;

	if (event == NULL || event->due > until) {
		now = until > now ? until : now;
		return false;
	}
	steps++;
	if (event->base->frozen > event->due) {
		schedule(event, event->base->frozen);
		return true;
	}
	now = event->due > now ? event->due : now;
	unschedule(event);
	if (event->base->broken)
		return true;
	callback = event->callback;
	fd = event->fd;
	arg = event->arg;
	loop_running = event->base == &world ? NULL : event->base;
	if (event->once)
		remove_event(event);
	else if ((event->what & EV_PERSIST) && event->interval > 0)
		schedule(event, now + event->interval);
	work_began = loop_works ? processor_time() : 0;
	callback(fd, EV_TIMEOUT, arg);
	end_work();
	if (loop_stepped != NULL && loop_running != NULL)
		loop_stepped(loop_running);
	loop_running = NULL;
	return true;
}

void
loop_reset(uint64_t seed)
{
	loop_fini();
	now = 0;
	steps = orders = 0;
	charged = 0;
	state = seeded = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
	aside = ~seeded;
	LIST_INIT(&world.events);
}

void
loop_fini(void)
{
	struct event *event;

	while ((event = LIST_FIRST(&world.events)) != NULL) {
		free(event->arg);
		remove_event(event);
	}
	free(heap);
	heap = NULL;
	nheap = heap_cap = 0;
}

struct event_base *
loop_newest(void)
{
	return newest;
}

void
loop_freeze(struct event_base *base, int64_t until)
{
	if (base->frozen <= now)
		base->frozen = until;
}

void
loop_skew(struct event_base *base, int64_t us)
{
	base->skew = us;
}

bool
loop_is_broken(const struct event_base *base)
{
	return base->broken;
}

void
loop_signal(struct event_base *base, int number)
{
	struct event *event, *found = NULL;

	LIST_FOREACH (event, &base->events, of_base)
		if ((event->what & EV_SIGNAL) && event->fd == number)
			found = event;
	if (found != NULL)
		schedule(found, now);
}
