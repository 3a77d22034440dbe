#include "config.h"

#include "daemon/scheduler/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static const char *
misses(const struct wait *wait)
{
	return wait->misses != NULL ? wait->misses->text : "";
}

static void
a_pod_has_the_message_of_its_last_attempt(void)
{
	struct waits waits = { 0 };
	struct wait wait = { 0 };

	waits_put_misses(&waits, &wait, "nothing to add to");
	t_true("none yet", wait.message == NULL && wait.misses == NULL);
	waits_put(&waits, &wait, "no cpu", 10);
	waits_put(&waits, &wait, "no memory", 20);
	t_str("the last one", wait.message->text, "no memory");
	t_int("its time", (long)wait.seconds, 20);
	t_str("no misses", misses(&wait), "");
	waits_put_misses(&waits, &wait, "2 cpu short: n1");
	t_str("misses", misses(&wait), "2 cpu short: n1");
	waits_put(&waits, &wait, "no memory", 30);
	t_str("the same message keeps them", misses(&wait), "2 cpu short: n1");
	waits_put(&waits, &wait, "2 cpu short: n1", 40);
	t_str("what was a miss", wait.message->text, "2 cpu short: n1");
	t_str("is none any more", misses(&wait), "");
	waits_forget(&waits, &wait);
	waits_forget(&waits, &wait);
	t_true("gone", wait.message == NULL);
	t_int("no text is left", (long)waits.bytes, 0);
	waits_fini(&waits);
}

static void
reasons_are_counted_the_most_frequent_first(void)
{
	static const char *const messages[] = { "b", "c", "b", "a", "c", "b" };
	struct waits waits = { 0 };
	struct wait all[LENGTH(messages)] = { 0 };
	struct wait_reason reasons[2];
	bool complete = false;

	for (size_t i = 0; i < LENGTH(messages); i++) {
		waits_put(&waits, &all[i], messages[i], 0);
		waits_put_misses(&waits, &all[i], "d"); /* is no reason */
	}
	t_int("as many as wanted",
	    (long)waits_reasons(&waits, reasons, 2, &complete), 2);
	t_true("all were looked at", complete);
	t_str("first", reasons[0].message, "b");
	t_int("first", (long)reasons[0].npods, 3);
	t_str("second", reasons[1].message, "c");
	waits_forget(&waits, &all[0]);
	waits_forget(&waits, &all[2]);
	t_int("two", (long)waits_reasons(&waits, reasons, 2, &complete), 2);
	t_str("now first", reasons[0].message, "c");
	t_str("equal ones by text", reasons[1].message, "a");
	waits_fini(&waits);
}

static void
messages_are_bounded(void)
{
	enum { PODS = 40000 };
	struct waits waits = { 0 };
	struct wait *all = xcalloc(PODS, sizeof(*all));
	AUTOFREE char *message = xmalloc(2 * WAITS_MESSAGE + 1);
	AUTOFREE char *first = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < PODS; i++) {
		memset(message, 'x', 2 * WAITS_MESSAGE);
		message[2 * WAITS_MESSAGE] = '\0';
		message[snprintf(message, 10, "u%zu", i)] = 'x';
		waits_put(&waits, &all[i], message, 0);
		kept += all[i].message != NULL;
	}
	t_int("as much as they may", (long)kept,
	    (long)(WAITS_BYTES / WAITS_MESSAGE));
	t_true("the first", all[0].message != NULL);
	first = xstrdup(all[0].message->text);
	t_int("is cut", (long)strlen(first), WAITS_MESSAGE);
	t_str("and says so", first + WAITS_MESSAGE - 4, " ...");
	t_true("not the last", all[PODS - 1].message == NULL);
	waits_put(&waits, &all[PODS - 1], first, 0);
	t_true("a message that is there needs no room",
	    all[PODS - 1].message == all[0].message);
	waits_put(&waits, &all[0], message, 0);
	t_true("a message for which there is no room takes the old one along",
	    all[0].message == NULL);
	waits_fini(&waits);
	free(all);
}

T_MAIN(T(a_pod_has_the_message_of_its_last_attempt),
    T(reasons_are_counted_the_most_frequent_first), T(messages_are_bounded))
