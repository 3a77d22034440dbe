/*
 * Why each pod that waits is still waiting: the message of its last attempt, for
 * people.  Equal messages are kept once and counted, as replicas share them.
 *
 * Bounded: messages are cut, and once all of them together are WAITS_BYTES long no
 * other message is taken until some are gone.
 */
#ifndef SCHEDULER_WAITS_H
#define SCHEDULER_WAITS_H

#include "base/map.h"

#define WAITS_BYTES ((size_t)32 << 20)
#define WAITS_MESSAGE 1024 /* bytes; a longer one ends with " ..." */

/* A text that several pods may have. */
struct wait_text {
	char *text;
	size_t npods, nmisses; /* that have it as message, as misses */
};

/* The last attempt with a pod; all 0: there was none, or it was not kept. */
struct wait {
	int64_t seconds; /* since 1970 */
	/* NULL: none; misses: the nearest ones, NULL: not known. */
	struct wait_text *message, *misses;
};

struct waits {
	struct strmap texts; /* struct wait_text */
	size_t bytes;        /* of these */
};

/* The texts; they may be in use no longer. */
void waits_fini(struct waits *waits);

/* No node was found for the pod, or the attempt failed.  Texts are copied. */
void waits_put(struct waits *waits, struct wait *wait, const char *message,
    int64_t seconds);
/* The nearest misses of that attempt. */
void waits_put_misses(struct waits *waits, struct wait *wait,
    const char *misses);
/* It waits no longer. */
void waits_forget(struct waits *waits, struct wait *wait);

/* A message and how many pods have it. */
struct wait_reason {
	const char *message;
	size_t npods;
};

/* The messages that most pods have, up to `most` of them, first the most frequent;
 * *complete: all messages were looked at, not only some of very many.  Returns how
 * many there are in out. */
size_t waits_reasons(const struct waits *waits, struct wait_reason *out,
    size_t most, bool *complete);

#endif
