#include "config.h"

#include "wire/api/event_correlator.h"

#include <inttypes.h>

#include "base/json_out.h"
#include "wire/api/lru.h"

#define REMEMBERED 4096
#define MESSAGES_MAX 10
#define GROUP_SECONDS 600
#define BURST 25
#define REFILL_SECONDS 300.0
#define COMBINED "(combined from similar events): "
#define NS_PER_S INT64_C(1000000000)
/* client-go's newer recorder, refreshTime */
#define REFRESH_SECONDS 1800

/* Events of one object and reason. */
struct group {
	char *messages[MESSAGES_MAX]; /* different ones, the oldest first */
	size_t n;
	int64_t last; /* seconds */
};

/* An event that was written. */
struct written {
	int64_t count;
	int64_t first_ns;
	int64_t told_ns; /* when it was written last */
	char *name;
};

/* A token bucket. */
struct budget {
	bool used;
	double tokens;
	int64_t at_ns;
};

struct event_correlator {
	struct lru groups, written, budgets;
};

static void
forget_messages(struct group *group, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(group->messages[i]);
	group->n -= n;
	memmove(group->messages, group->messages + n,
	    group->n * sizeof(group->messages[0]));
}

static void
group_fini(void *value)
{
	struct group *group = value;

	forget_messages(group, group->n);
}

static void
written_fini(void *value)
{
	struct written *written = value;

	free(written->name);
}

struct event_correlator *
event_correlator_new(void)
{
	struct event_correlator *correlator = xcalloc(1, sizeof(*correlator));

	lru_init(&correlator->groups, REMEMBERED, sizeof(struct group),
	    group_fini);
	lru_init(&correlator->written, REMEMBERED, sizeof(struct written),
	    written_fini);
	lru_init(&correlator->budgets, REMEMBERED, sizeof(struct budget), NULL);
	return correlator;
}

void
event_correlator_free(struct event_correlator *correlator)
{
	if (correlator == NULL)
		return;
	lru_fini(&correlator->groups);
	lru_fini(&correlator->written);
	lru_fini(&correlator->budgets);
	free(correlator);
}

void
event_record_fini(struct event_record *record)
{
	free(record->name);
	free(record->message);
	*record = (struct event_record){ 0 };
}

/* Keys are fields joined by a byte that no field contains. */
static void
put_field(struct text *key, const char *field)
{
	text_put(key, field);
	text_put(key, "\1");
}

/* Whether this event is one of too many; counts it in its group. */
static bool
is_combined(struct group *group, const char *message, int64_t now)
{
	bool known = false, combined;

	if (now - group->last > GROUP_SECONDS)
		forget_messages(group, group->n);
	group->last = now;
	for (size_t i = 0; i < group->n; i++)
		known |= strcmp(group->messages[i], message) == 0;
	if (!known)
		group->messages[group->n++] = xstrdup(message);
	combined = group->n >= MESSAGES_MAX;
	if (combined)
		forget_messages(group, 1);
	return combined;
}

static bool
within_budget(struct budget *budget, int64_t now_ns)
{
	if (!budget->used) {
		*budget = (struct budget){ true, BURST, now_ns };
	} else if (now_ns > budget->at_ns) {
		budget->tokens += (double)(now_ns - budget->at_ns) / NS_PER_S /
		    REFILL_SECONDS;
		if (budget->tokens > BURST)
			budget->tokens = BURST;
		budget->at_ns = now_ns;
	}
	if (budget->tokens < 1)
		return false;
	budget->tokens -= 1;
	return true;
}

static void
observe(struct written *written, const struct api_event *event, int64_t now_ns,
    struct event_record *out)
{
	if (written->count == 0) {
		written->first_ns = now_ns;
		free(written->name);
		written->name =
		    xasprintf("%s.%" PRIx64, event->name, (uint64_t)now_ns);
	}
	written->count++;
	out->drop = event->action != NULL && written->count > 2 &&
	    now_ns - written->told_ns < REFRESH_SECONDS * NS_PER_S;
	if (!out->drop)
		written->told_ns = now_ns;
	out->name = xstrdup(written->name);
	out->count = written->count;
	out->first_ns = written->first_ns;
	out->last_ns = now_ns;
}

void
event_correlate(struct event_correlator *correlator,
    const struct api_event *event, int64_t now_ns, struct event_record *out)
{
	char AUTOFREE *object = NULL, *group = NULL, *whole = NULL;
	struct text key = { 0 };
	bool combined;

	put_field(&key, event->component);
	put_field(&key, event->kind);
	put_field(&key, event->namespace);
	put_field(&key, event->name);
	put_field(&key, event->uid);
	put_field(&key, event->api_version);
	object = text_take(&key);
	group = xasprintf("%s%s\1%s", object, event->type, event->reason);
	whole = xasprintf("%s\1%s", group, event->message);
	combined = is_combined(lru_use(&correlator->groups, group),
	    event->message, now_ns / NS_PER_S);
	*out = (struct event_record){ 0 };
	out->message =
	    xasprintf("%s%s", combined ? COMBINED : "", event->message);
	observe(lru_use(&correlator->written, combined ? group : whole), event,
	    now_ns, out);
	if (!out->drop)
		out->drop =
		    !within_budget(lru_use(&correlator->budgets, object),
			now_ns);
}
