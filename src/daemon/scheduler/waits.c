#include "config.h"

#include "daemon/scheduler/waits.h"

/* Places of the table of texts that waits_reasons() looks at. */
#define LOOKED_AT 20000

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
static struct wait_text *
share(struct waits *waits, const char *text)
{
	AUTOFREE char *shortened = cut(text);
	struct wait_text *shared = strmap_get(&waits->texts, shortened);

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
shared_free(struct wait_text *shared)
{
	free(shared->text);
	free(shared);
}

/* Frees the text if no pod has it any more; accepts NULL. */
static void
drop(struct waits *waits, struct wait_text *shared)
{
	if (shared == NULL || shared->npods + shared->nmisses > 0)
		return;
	waits->bytes -= strlen(shared->text);
	strmap_del(&waits->texts, shared->text);
	shared_free(shared);
}

static void
set_message(struct waits *waits, struct wait *wait, struct wait_text *to)
{
	struct wait_text *before = wait->message;

	if (to != NULL)
		to->npods++;
	wait->message = to;
	if (before == NULL)
		return;
	before->npods--;
	drop(waits, before);
}

static void
set_misses(struct waits *waits, struct wait *wait, struct wait_text *to)
{
	struct wait_text *before = wait->misses;

	if (to != NULL)
		to->nmisses++;
	wait->misses = to;
	if (before == NULL)
		return;
	before->nmisses--;
	drop(waits, before);
}

/* ---- pods ---- */

void
waits_put(struct waits *waits, struct wait *wait, const char *message,
    int64_t seconds)
{
	struct wait_text *shared = share(waits, message);

	if (shared == NULL) {
		waits_forget(waits, wait); /* an older message would be wrong */
		return;
	}
	wait->seconds = seconds;
	if (wait->message == shared)
		return;
	set_message(waits, wait, shared);
	set_misses(waits, wait, NULL);
}

void
waits_put_misses(struct waits *waits, struct wait *wait, const char *misses)
{
	if (wait->message != NULL)
		set_misses(waits, wait, share(waits, misses));
}

void
waits_forget(struct waits *waits, struct wait *wait)
{
	if (wait->message == NULL)
		return;
	set_misses(waits, wait, NULL);
	set_message(waits, wait, NULL);
	*wait = (struct wait){ 0 };
}

/* ---- all of them ---- */

static bool
is_before(const struct wait_text *shared, const struct wait_reason *reason)
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
		const struct wait_text *shared = texts->slots[i].value;
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

void
waits_fini(struct waits *waits)
{
	EACH_VALUE (&waits->texts, struct wait_text, shared)
		shared_free(shared);
	strmap_fini(&waits->texts);
}
