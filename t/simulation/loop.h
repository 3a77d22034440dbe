/*
 * Virtual time.  The whole simulation is one thread and one list of events, in order
 * of time: those of the daemons' event loops, whose libevent this replaces, and those
 * of the world around them.  The clock jumps from one to the next, so that quiet time
 * costs nothing.  Everything that is random comes from one seed.
 *
 * The program is linked with --wrap for clock_gettime(), time() and the sources of
 * randomness: what the daemons see of them is here.
 */
#ifndef T_SIMULATION_LOOP_H
#define T_SIMULATION_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct event_base;

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)

/* Forgets everything, and starts at a time of 0 with this seed. */
void loop_reset(uint64_t seed);
void loop_fini(void);

int64_t loop_now(void); /* microseconds */
uint64_t loop_steps(void);

uint64_t loop_random(void);
/* 0 to n - 1. */
uint32_t loop_below(uint32_t n);
bool loop_one_in(uint32_t n);
/* Evenly from a to b. */
int64_t loop_between(int64_t a, int64_t b);

/* What is drawn from now on depends on the seed and this number alone.  Returns what
 * loop_chance_back() needs to go on as before. */
uint64_t loop_chance(uint64_t n);
void loop_chance_back(uint64_t kept);
/* What is drawn until the next call of it comes from a stream of its own, so that the
 * world goes on as if nothing were drawn. */
void loop_aside(void);

/* fn(arg) once, so long from now.  Belongs to no daemon. */
void loop_after(int64_t us, void (*fn)(void *arg), void *arg);
/* The same, with a copy of the text, which lasts until fn returns. */
void loop_after_text(int64_t us, void (*fn)(void *text), const char *text);

/* Runs the next event, if it is due until then; false: there is none, and it is
 * then. */
bool loop_step(int64_t until);
/* Daemons' events take as long as the processor takes for them, which is counted; else
 * they take no time. */
extern bool loop_works;
extern struct loop_work {
	int64_t total, longest; /* microseconds; the longest event */
} loop_work;
/* Between two looks at the processor time that daemons have used, they have used some,
 * now and then as much as makes a namespace wait (daemon/queue/queue.h). */
extern bool loop_charges;
/* Called after each of a daemon's; NULL: not. */
extern void (*loop_stepped)(struct event_base *base);

/* Of a daemon's event loop: it is one that event_base_new() has made. */

/* The last that was made. */
struct event_base *loop_newest(void);
/* Nothing of it runs until then; all that has become due meanwhile runs then, in its
 * order.  Does nothing while it is frozen. */
void loop_freeze(struct event_base *base, int64_t until);
/* Its wall clock is so far from the world's. */
void loop_skew(struct event_base *base, int64_t us);
bool loop_is_broken(const struct event_base *base);
/* As the kernel would tell it of a signal. */
void loop_signal(struct event_base *base, int number);
/* Whose event runs; NULL: the world's.  Set it to build or free a daemon. */
extern struct event_base *loop_running;

#endif
