#include "config.h"

#include "daemon/scheduler/decisions.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

/* The decisions kept, as JSON; you own it. */
static char *
json_of(const struct decisions *decisions)
{
	struct text text = { 0 };

	decisions_json(decisions, 0, DECISIONS_KEPT, &text);
	return text_take(&text);
}

static void
none_is_an_empty_list(void)
{
	struct decisions *decisions = decisions_new();
	char *text = json_of(decisions);

	t_str("none", text, "{\"decisions\":[]}\n");
	free(text);
	decisions_free(decisions);
}

static void
a_decision_is_told_whole(void)
{
	struct decisions *decisions = decisions_new();
	char *text;

	decisions_add(decisions,
	    &(struct decision_record){ .seconds = 1000000000,
		.microseconds = 5,
		.pod = "shop/\"web\"",
		.node = "n1",
		.message = "",
		.nnodes = 3,
		.nfeasible = 2,
		.nbest = 1,
		.score = 17,
		.seed = UINT64_MAX,
		.ms = 0.25 });
	text = json_of(decisions);
	t_str("one", text,
	    "{\"decisions\":[\n"
	    " {\"number\":1,\"time\":\"2001-09-09T01:46:40.000005Z\","
	    "\"pod\":\"shop/\\\"web\\\"\",\"node\":\"n1\",\"message\":\"\","
	    "\"feasible\":2,\"nodes\":3,\"best\":1,\"score\":17,"
	    "\"seed\":\"18446744073709551615\",\"ms\":0.250}]}\n");
	free(text);
	decisions_free(decisions);
}

static size_t
count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		n++;
	return n;
}

static void
the_last_thousand_are_kept_the_latest_first(void)
{
	struct decisions *decisions = decisions_new();
	char *text;

	for (int i = 1; i <= DECISIONS_KEPT + 2; i++) {
		AUTOFREE char *pod = xasprintf("ns/%d", i);

		decisions_add(decisions,
		    &(struct decision_record){ .pod = pod, .message = "no" });
	}
	text = json_of(decisions);
	t_int("how many", (long)count(text, "\"pod\":"), DECISIONS_KEPT);
	t_int("the latest is the first",
	    strstr(text, "\"pod\":") == strstr(text, "\"pod\":\"ns/1002\""), 1);
	t_int("the first is gone", strstr(text, "\"ns/2\"") == NULL, 1);
	t_int("the third is there", strstr(text, "\"ns/3\"") != NULL, 1);
	free(text);
	decisions_free(decisions);
}

static void
messages_that_are_long_are_fewer(void)
{
	struct decisions *decisions = decisions_new();
	AUTOFREE char *message = xmalloc(16 * 1024 + 1);
	char *text;

	memset(message, 'x', 16 * 1024);
	message[16 * 1024] = '\0';
	for (int i = 0; i < DECISIONS_KEPT; i++)
		decisions_add(decisions,
		    &(struct decision_record){ .pod = "a/b",
			.message = message });
	text = json_of(decisions);
	t_true("10 MB", strlen(text) < 11 << 20);
	t_true("not much less", count(text, "\"pod\"") > 600);
	t_has("whole JSON", text + strlen(text) - 4, "}]}\n");
	free(text);
	decisions_free(decisions);
}

static void
those_since_a_number_and_a_limit_of_them(void)
{
	struct decisions *decisions = decisions_new();
	struct text text = { 0 };

	for (int i = 1; i <= DECISIONS_KEPT + 5; i++)
		decisions_add(decisions,
		    &(struct decision_record){ .pod = "a/b", .message = "" });
	t_int("the last one", (long)decisions_number(decisions), 1005);
	decisions_json(decisions, 1002, DECISIONS_KEPT, &text);
	t_int("since", (long)count(text.bytes, "\"pod\""), 3);
	t_has("the latest first", text.bytes, "[\n {\"number\":1005,");
	text_fini(&text);
	decisions_json(decisions, 0, 2, &text);
	t_int("limit", (long)count(text.bytes, "\"pod\""), 2);
	text_fini(&text);
	decisions_json(decisions, 5000, 2, &text);
	t_str("none later", text.bytes, "{\"decisions\":[]}\n");
	text_fini(&text);
	decisions_free(decisions);
}

T_MAIN(T(those_since_a_number_and_a_limit_of_them), T(none_is_an_empty_list),
    T(a_decision_is_told_whole), T(the_last_thousand_are_kept_the_latest_first),
    T(messages_that_are_long_are_fewer))
