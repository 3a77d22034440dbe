/*
 * Why each pod that waits is still waiting: the message of its last attempt, for
 * people.  Equal messages are kept once and counted, as replicas share them.
 *
 * Bounded: messages are cut, and once all of them together are WAITS_BYTES long no
 * other message is taken until some are gone.
 */
#ifndef ATTEMPT_WAITS_H
#define ATTEMPT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITS_BYTES ((size_t)32 << 20)
#define WAITS_MESSAGE 1024 /* bytes; a longer one ends with " ..." */

/* The last attempt with a pod. */
struct wait {
	int64_t seconds; /* since 1970 */
	const char *message;
	const char *misses; /* the nearest ones; "" for none known */
};

struct waits;

struct waits *waits_new(void);
void waits_free(struct waits *waits); /* accepts NULL */

/* No node was found for the pod with this uid, or the attempt failed.  Texts are
 * copied. */
void waits_put(struct waits *waits, const char *uid, const char *message,
    int64_t seconds);
/* The nearest misses of that attempt. */
void waits_put_misses(struct waits *waits, const char *uid, const char *misses);
/* It waits no longer; unknown ones are passed over. */
void waits_forget(struct waits *waits, const char *uid);

/* False: there was no attempt, or it was not kept.  Texts are valid until the next
 * change. */
bool waits_get(const struct waits *waits, const char *uid, struct wait *wait);

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
