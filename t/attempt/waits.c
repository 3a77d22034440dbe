#include "config.h"

#include "attempt/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
a_pod_has_the_message_of_its_last_attempt(void)
{
	struct waits *waits = waits_new();
	struct wait wait;

	t_true("none yet", !waits_get(waits, "u1", &wait));
	waits_put_misses(waits, "u1", "nothing to add to");
	waits_put(waits, "u1", "no cpu", 10);
	waits_put(waits, "u1", "no memory", 20);
	t_true("there", waits_get(waits, "u1", &wait));
	t_str("the last one", wait.message, "no memory");
	t_int("its time", (long)wait.seconds, 20);
	t_str("no misses", wait.misses, "");
	waits_put_misses(waits, "u1", "2 cpu short: n1");
	t_true("there", waits_get(waits, "u1", &wait));
	t_str("misses", wait.misses, "2 cpu short: n1");
	waits_put(waits, "u1", "no memory", 30);
	t_true("there", waits_get(waits, "u1", &wait));
	t_str("the same message keeps them", wait.misses, "2 cpu short: n1");
	waits_put(waits, "u1", "no disk", 40);
	t_true("there", waits_get(waits, "u1", &wait));
	t_str("another does not", wait.misses, "");
	waits_forget(waits, "u1");
	waits_forget(waits, "u1");
	t_true("gone", !waits_get(waits, "u1", &wait));
	waits_free(waits);
}

static void
reasons_are_counted_the_most_frequent_first(void)
{
	static const char *const messages[] = { "b", "c", "b", "a", "c", "b" };
	struct waits *waits = waits_new();
	struct wait_reason reasons[2];
	bool complete = false;

	for (size_t i = 0; i < LENGTH(messages); i++) {
		AUTOFREE char *uid = xasprintf("u%zu", i);

		waits_put(waits, uid, messages[i], 0);
		waits_put_misses(waits, uid, "d"); /* is no reason */
	}
	t_int("as many as wanted",
	    (long)waits_reasons(waits, reasons, 2, &complete), 2);
	t_true("all were looked at", complete);
	t_str("first", reasons[0].message, "b");
	t_int("first", (long)reasons[0].npods, 3);
	t_str("second", reasons[1].message, "c");
	waits_forget(waits, "u0");
	waits_forget(waits, "u2");
	t_int("two", (long)waits_reasons(waits, reasons, 2, &complete), 2);
	t_str("now first", reasons[0].message, "c");
	t_str("equal ones by text", reasons[1].message, "a");
	waits_free(waits);
}

static void
messages_are_bounded(void)
{
	struct waits *waits = waits_new();
	AUTOFREE char *message = xmalloc(2 * WAITS_MESSAGE + 1);
	struct wait wait;
	size_t kept = 0;

	for (size_t i = 0; i < 40000; i++) {
		AUTOFREE char *uid = xasprintf("u%zu", i);

		memset(message, 'x', 2 * WAITS_MESSAGE);
		message[2 * WAITS_MESSAGE] = '\0';
		memcpy(message, uid, strlen(uid));
		waits_put(waits, uid, message, 0);
		kept += waits_get(waits, uid, &wait);
	}
	t_int("as much as they may", (long)kept,
	    (long)(WAITS_BYTES / WAITS_MESSAGE));
	t_true("the first", waits_get(waits, "u0", &wait));
	t_int("is cut", (long)strlen(wait.message), WAITS_MESSAGE);
	t_str("and says so", wait.message + WAITS_MESSAGE - 4, " ...");
	t_true("not the last", !waits_get(waits, "u39999", &wait));
	waits_put(waits, "u39999", wait.message, 0);
	t_true("a message that is there needs no room",
	    waits_get(waits, "u39999", &wait));
	waits_put(waits, "u0", message, 0);
	t_true("a message for which there is no room takes the old one along",
	    !waits_get(waits, "u0", &wait));
	waits_free(waits);
}

T_MAIN(T(a_pod_has_the_message_of_its_last_attempt),
    T(reasons_are_counted_the_most_frequent_first), T(messages_are_bounded))
