#include "config.h"

#include "wire/api/event_correlator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

#define S ((int64_t)1000000000)
#define START (1500000000 * S)

static struct event_correlator *correlator;

static struct api_event
failed(const char *pod, const char *message)
{
	return (struct api_event){ .kind = "Pod",
		.api_version = "v1",
		.namespace = "ns",
		.name = pod,
		.uid = "u",
		.resource_version = "",
		.type = "Warning",
		.reason = "FailedScheduling",
		.message = message,
		.component = "default-scheduler" };
}

/* Records one; the result's texts are good until the next call. */
static struct event_record
record(const struct api_event *event, int64_t seconds)
{
	static struct event_record last;

	event_record_fini(&last);
	event_correlate(correlator, event, START + seconds * S, &last);
	return last;
}

static void
begin(void)
{
	correlator = event_correlator_new();
}

static void
end(void)
{
	record(&(struct api_event){ .kind = "",
		   .api_version = "",
		   .namespace = "",
		   .name = "",
		   .uid = "",
		   .resource_version = "",
		   .type = "",
		   .reason = "",
		   .message = "",
		   .component = "" },
	    0);
	event_correlator_free(correlator);
}

/* 100 pods that are tried again and again, as often as kube-scheduler would. */
static void
a_series_is_written_rarely(void)
{
	char name[20];
	int writes[8] = { 0 };

	begin();
	for (int attempt = 0; attempt < 8; attempt++)
		for (int i = 0; i < 100; i++) {
			struct api_event event = failed(name, "no");

			event.action = "Scheduling";
			snprintf(name, sizeof(name), "pod-%d", i);
			writes[attempt] += !record(&event, 300 * attempt).drop;
		}
	t_int("the first attempt", writes[0], 100);
	t_int("the second begins the series", writes[1], 100);
	for (int attempt = 2; attempt < 7; attempt++)
		t_int("a later one says nothing", writes[attempt], 0);
	t_int("until 30 minutes later", writes[7], 100);
	end();
}

static void
the_same_event_is_counted(void)
{
	struct api_event event = failed("a", "no"), other = failed("b", "no");
	struct event_record r;
	char *name;

	begin();
	r = record(&event, 0);
	t_int("first", r.count, 1);
	t_str("name: the pod's and the time", r.name, "a.14d1120d7b160000");
	name = xstrdup(r.name);
	r = record(&event, 5);
	t_int("second", r.count, 2);
	t_str("of the same object", r.name, name);
	t_int("begun with the first", r.first_ns, START);
	t_int("now", r.last_ns, START + 5 * S);
	t_int("another pod", record(&other, 5).count, 1);
	event.type = "Normal";
	t_int("another type", record(&event, 5).count, 1);
	free(name);
	end();
}

static void
many_messages_become_one_event(void)
{
	char message[16];
	struct api_event event = failed("a", message);
	struct event_record r;
	char *name;

	begin();
	for (int i = 1; i <= 9; i++) {
		snprintf(message, sizeof(message), "no %d", i);
		r = record(&event, i);
		t_str("as it is", r.message, message);
		t_int("new", r.count, 1);
	}
	snprintf(message, sizeof(message), "no 10");
	r = record(&event, 10);
	t_str("the tenth", r.message, "(combined from similar events): no 10");
	t_int("is new", r.count, 1);
	name = xstrdup(r.name);
	snprintf(message, sizeof(message), "no 11");
	r = record(&event, 11);
	t_int("the eleventh", r.count, 2);
	t_str("is the same", r.name, name);
	t_str("with its message", r.message,
	    "(combined from similar events): no 11");
	event.reason = "Other";
	t_str("another reason", record(&event, 12).message, "no 11");
	free(name);
	end();
}

static void
ten_quiet_minutes_end_a_group(void)
{
	char message[16];
	struct api_event event = failed("a", message);

	begin();
	for (int i = 1; i <= 10; i++) {
		snprintf(message, sizeof(message), "no %d", i);
		record(&event, i);
	}
	snprintf(message, sizeof(message), "no 11");
	t_has("600 s later", record(&event, 610).message, "combined");
	snprintf(message, sizeof(message), "no 12");
	t_str("601 s after that", record(&event, 1211).message, "no 12");
	end();
}

static void
one_object_gets_25_and_then_one_each_5_minutes(void)
{
	struct api_event event = failed("a", "no"), other = failed("b", "no");
	struct event_record r;

	begin();
	for (int i = 0; i < 25; i++)
		t_true("within the burst", !record(&event, 0).drop);
	r = record(&event, 0);
	t_true("the 26th", r.drop);
	t_int("counts", r.count, 26);
	t_true("after 299 s", record(&event, 299).drop);
	t_true("after 300 s", !record(&event, 300).drop);
	t_true("and no other", record(&event, 301).drop);
	t_true("another pod", !record(&other, 301).drop);
	event.reason = "Other";
	t_true("another reason, same pod", record(&event, 302).drop);
	end();
}

static void
only_the_latest_4096_are_remembered(void)
{
	char name[16];
	struct api_event event = failed(name, "no");

	begin();
	for (int i = 0; i < 4097; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		record(&event, 0);
	}
	t_int("the last", record(&event, 1).count, 2);
	snprintf(name, sizeof(name), "p0");
	t_int("the first", record(&event, 1).count, 1);
	end();
}

T_MAIN(T(a_series_is_written_rarely), T(the_same_event_is_counted),
    T(many_messages_become_one_event), T(ten_quiet_minutes_end_a_group),
    T(one_object_gets_25_and_then_one_each_5_minutes),
    T(only_the_latest_4096_are_remembered))
