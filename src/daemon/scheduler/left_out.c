#include "config.h"

#include "daemon/scheduler/left_out.h"

#include <ctype.h>

#include "base/clock.h"
#include "daemon/scheduler/report.h"
#include "base/log.h"
#include "objects/pod.h"

/* A user may write many objects that cannot be decoded. */
#define LINES_MAX 30 /* in the log, each minute */
#define MINUTE_MS 60000
#define TOLD_MAX 20 /* in one go */

struct entry {
	char *key;
	struct object *object;
	char *api_version, *message;
	bool pending, reported;
};

static void
entry_free(struct left_out *left_out, struct entry *entry)
{
	left_out->nunreported -= !entry->reported;
	object_unref(entry->object);
	free(entry->key);
	free(entry->api_version);
	free(entry->message);
	free(entry);
}

void
left_out_fini(struct left_out *left_out)
{
	EACH_VALUE (&left_out->entries, struct entry, entry)
		entry_free(left_out, entry);
	strmap_fini(&left_out->entries);
}

static const char *
skip_digits(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

const char *
left_out_sentence(const char *why)
{
	static const char byte[] = ": byte ";
	const char *p, *end;

	for (p = strchr(why, ':'); p != NULL; p = strchr(p + 1, ':')) {
		if (strncmp(p, byte, strlen(byte)) == 0) {
			end = skip_digits(p + strlen(byte));
		} else {
			end = skip_digits(p + 1);
			if (end == p + 1 || *end != ':')
				continue;
			end = skip_digits(end + 1);
		}
		if (end[0] == ':' && end[1] == ' ')
			return end + 2;
	}
	return why;
}

/* Whether there may be one more line in the log. */
static bool
may_log(struct left_out *left_out)
{
	int64_t now = clock_ms();

	if (now - left_out->minute >= MINUTE_MS) {
		if (left_out->unsaid > 0)
			log_warning("%zu more could not be read in full",
			    left_out->unsaid);
		left_out->minute = now;
		left_out->lines = left_out->unsaid = 0;
	}
	if (left_out->lines == LINES_MAX) {
		left_out->unsaid++;
		return false;
	}
	left_out->lines++;
	return true;
}

void
left_out_put(struct left_out *left_out, struct object *object,
    const char *api_version, const char *why, const char *then, bool pending)
{
	char *key = object_full_name(object);
	struct entry *entry = xcalloc(1, sizeof(*entry)), *before;
	const char *what = object->partial == PARTIAL_SET_ASIDE ?
	    "is set aside: " :
	    "cannot be decoded and is left out: ";

	if (may_log(left_out))
		log_warning("%s %s%s; %s", key, what, why, then);
	*entry = (struct entry){ .key = key,
		.object = object_ref(object),
		.api_version = xstrdup(api_version),
		.message =
		    xasprintf("%s%s; %s", what, left_out_sentence(why), then),
		.pending = pending };
	before = strmap_del(&left_out->entries, key);
	/* Another version with the cause of the last Event. */
	entry->reported = before != NULL && before->reported &&
	    strcmp(before->message, entry->message) == 0 &&
	    strcmp(before->object->uid, object->uid) == 0;
	left_out->nunreported += !entry->reported;
	if (before != NULL)
		entry_free(left_out, before);
	strmap_put(&left_out->entries, entry->key, entry);
}

void
left_out_partly(struct left_out *left_out, const struct object *object,
    const char *why)
{
	AUTOFREE char *key = object_full_name(object);

	if (may_log(left_out))
		log_warning("%s is on a node, and a part of it is not read: %s",
		    key, why);
}

void
left_out_drop(struct left_out *left_out, const struct object *object)
{
	AUTOFREE char *key = object_full_name(object);
	struct entry *entry = strmap_del(&left_out->entries, key);

	if (entry != NULL)
		entry_free(left_out, entry);
}

void
left_out_report(struct left_out *left_out, struct flights *flights)
{
	struct strmap *entries = &left_out->entries;
	size_t n = 0;

	for (size_t i = 0;
	     i < entries->nslots && left_out->nunreported > 0 && n < TOLD_MAX;
	     i++) {
		struct entry *entry = entries->slots[i].value;

		if (entry == NULL || entry->reported)
			continue;
		entry->reported = true;
		left_out->nunreported--;
		n++;
		report_left_out(flights, entry->object, entry->api_version,
		    entry->message);
		if (entry->pending)
			report_status(flights, (struct pod *)entry->object,
			    "SchedulerError", entry->message, SYM_NONE, NULL);
	}
}
