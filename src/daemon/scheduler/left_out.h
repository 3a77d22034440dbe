/*
 * Objects that cannot be decoded and are left out: each version is logged, and
 * each cause gets an Event FailedDecode on the object.  A pod of ours that waits
 * also gets the condition PodScheduled=False.
 *
 * Only the leader writes Events and conditions: they wait until left_out_report()
 * is called.
 */
#ifndef SCHEDULER_LEFT_OUT_H
#define SCHEDULER_LEFT_OUT_H

#include "base/map.h"

struct flights;
struct object;

struct left_out {
	struct strmap entries; /* by full name */
	size_t nunreported;    /* of these */
	int64_t minute;        /* when it began; of clock_ms() */
	size_t lines, unsaid;  /* of the log, within it */
};

void left_out_fini(struct left_out *left_out);

/* why: the decoder's sentence with its position; then: the consequence; pending:
 * a pod that waits for us. */
void left_out_put(struct left_out *left_out, struct object *object,
    const char *api_version, const char *why, const char *then, bool pending);
/* The object counts, but for a part that is not read; why says which.  Logged
 * only. */
void left_out_partly(struct left_out *left_out, const struct object *object,
    const char *why);
/* It is no longer left out. */
void left_out_drop(struct left_out *left_out, const struct object *object);

/* Writes some of the Events and conditions that wait: call again. */
void left_out_report(struct left_out *left_out, struct flights *flights);

/* A sentence of a decoder without its position, which changes with every write
 * of something else. */
const char *left_out_sentence(const char *why);

#endif
