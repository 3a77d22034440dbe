#include "config.h"

#include "attempt/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xmalloc.h"

/* Places of the table of texts that waits_reasons() looks at. */
#define LOOKED_AT 20000

/* A text that several pods may have. */
struct shared {
	char *text;
	size_t npods, nmisses; /* that have it as message, as misses */
};

struct waiting {
	char *uid;
	int64_t seconds;
	struct shared *message, *misses; /* misses: NULL for none */
};

struct waits {
	struct strmap pods;  /* struct waiting by uid */
	struct strmap texts; /* struct shared by its text */
	size_t bytes;        /* of the texts */
};

/* ---- texts ---- */

/* You own it. */
static char *
cut(const char *text)
{
	if (strlen(text) <= WAITS_MESSAGE)
		return xstrdup(text);
	return xasprintf("%.*s ...", WAITS_MESSAGE - 4, text);
}

/* NULL: there is no room for one more. */
static struct shared *
share(struct waits *waits, const char *text)
{
	AUTOFREE char *shortened = cut(text);
	struct shared *shared = strmap_get(&waits->texts, shortened);

	if (shared != NULL)
		return shared;
	if (waits->bytes + strlen(shortened) > WAITS_BYTES)
		return NULL;
	waits->bytes += strlen(shortened);
	shared = xcalloc(1, sizeof(*shared));
	shared->text = xstrdup(shortened);
	strmap_put(&waits->texts, shared->text, shared);
	return shared;
}

static void
shared_free(struct shared *shared)
{
	free(shared->text);
	free(shared);
}

/* Frees the text if no pod has it any more; accepts NULL. */
static void
drop(struct waits *waits, struct shared *shared)
{
	if (shared == NULL || shared->npods + shared->nmisses > 0)
		return;
	waits->bytes -= strlen(shared->text);
	strmap_del(&waits->texts, shared->text);
	shared_free(shared);
}

static void
set_message(struct waits *waits, struct waiting *waiting, struct shared *to)
{
	struct shared *before = waiting->message;

	to->npods++;
	waiting->message = to;
	if (before == NULL)
		return;
	before->npods--;
	drop(waits, before);
}

static void
set_misses(struct waits *waits, struct waiting *waiting, struct shared *to)
{
	struct shared *before = waiting->misses;

	if (to != NULL)
		to->nmisses++;
	waiting->misses = to;
	if (before == NULL)
		return;
	before->nmisses--;
	drop(waits, before);
}

/* ---- pods ---- */

void
waits_put(struct waits *waits, const char *uid, const char *message,
    int64_t seconds)
{
	struct waiting *waiting = strmap_get(&waits->pods, uid);
	struct shared *shared = share(waits, message);

	if (shared == NULL) {
		waits_forget(waits, uid); /* an older message would be wrong */
		return;
	}
	if (waiting == NULL) {
		waiting = xcalloc(1, sizeof(*waiting));
		waiting->uid = xstrdup(uid);
		strmap_put(&waits->pods, waiting->uid, waiting);
	}
	waiting->seconds = seconds;
	if (waiting->message == shared)
		return;
	set_misses(waits, waiting, NULL);
	set_message(waits, waiting, shared);
}

void
waits_put_misses(struct waits *waits, const char *uid, const char *misses)
{
	struct waiting *waiting = strmap_get(&waits->pods, uid);

	if (waiting != NULL)
		set_misses(waits, waiting, share(waits, misses));
}

static void
waiting_free(struct waiting *waiting)
{
	free(waiting->uid);
	free(waiting);
}

void
waits_forget(struct waits *waits, const char *uid)
{
	struct waiting *waiting = strmap_get(&waits->pods, uid);

	if (waiting == NULL)
		return;
	waiting->message->npods--;
	drop(waits, waiting->message);
	set_misses(waits, waiting, NULL);
	strmap_del(&waits->pods, waiting->uid);
	waiting_free(waiting);
}

bool
waits_get(const struct waits *waits, const char *uid, struct wait *wait)
{
	const struct waiting *waiting = strmap_get(&waits->pods, uid);

	if (waiting == NULL)
		return false;
	*wait = (struct wait){ .seconds = waiting->seconds,
		.message = waiting->message->text,
		.misses =
		    waiting->misses != NULL ? waiting->misses->text : "" };
	return true;
}

/* ---- all of them ---- */

static bool
is_before(const struct shared *shared, const struct wait_reason *reason)
{
	if (shared->npods != reason->npods)
		return shared->npods > reason->npods;
	return strcmp(shared->text, reason->message) < 0;
}

size_t
waits_reasons(const struct waits *waits, struct wait_reason *out, size_t most,
    bool *complete)
{
	const struct strmap *texts = &waits->texts;
	size_t n = 0;

	*complete = texts->nslots <= LOOKED_AT;
	for (size_t i = 0; i < texts->nslots && i < LOOKED_AT; i++) {
		const struct shared *shared = texts->slots[i].value;
		size_t at = n;

		if (shared == NULL || shared->npods == 0)
			continue;
		while (at > 0 && is_before(shared, &out[at - 1]))
			at--;
		if (at == most)
			continue;
		n += n < most;
		memmove(&out[at + 1], &out[at], (n - at - 1) * sizeof(*out));
		out[at] = (struct wait_reason){ shared->text, shared->npods };
	}
	return n;
}

struct waits *
waits_new(void)
{
	return xcalloc(1, sizeof(struct waits));
}

void
waits_free(struct waits *waits)
{
	if (waits == NULL)
		return;
	for (size_t i = 0; i < waits->pods.nslots; i++)
		if (waits->pods.slots[i].value != NULL)
			waiting_free(waits->pods.slots[i].value);
	for (size_t i = 0; i < waits->texts.nslots; i++)
		if (waits->texts.slots[i].value != NULL)
			shared_free(waits->texts.slots[i].value);
	strmap_fini(&waits->pods);
	strmap_fini(&waits->texts);
	free(waits);
}
