#include "config.h"

#include "daemon/scheduler/decisions.h"

#include <inttypes.h>

#include "wire/api/writes.h"
#include "base/json_out.h"

/* Of the JSON, roughly; of a record without its message. */
#define BYTES_MAX ((size_t)10 << 20)
#define RECORD_BYTES 250

struct decisions {
	size_t n; /* ever added; number i is at i % DECISIONS_KEPT */
	struct decision_record at[DECISIONS_KEPT];
};

struct decisions *
decisions_new(void)
{
	return xcalloc(1, sizeof(struct decisions));
}

static void
record_fini(struct decision_record *record)
{
	free((char *)record->pod);
	free((char *)record->node);
	free((char *)record->message);
}

void
decisions_free(struct decisions *decisions)
{
	if (decisions == NULL)
		return;
	for (size_t i = 0; i < DECISIONS_KEPT; i++)
		record_fini(&decisions->at[i]);
	free(decisions);
}

void
decisions_add(struct decisions *decisions, const struct decision_record *record)
{
	struct decision_record *at =
	    &decisions->at[decisions->n++ % DECISIONS_KEPT];

	record_fini(at);
	*at = *record;
	at->pod = xstrdup(record->pod);
	at->node = record->node != NULL ? xstrdup(record->node) : NULL;
	at->message = xstrdup(record->message);
}

void
decisions_json(const struct decisions *decisions, size_t since, size_t limit,
    struct text *out)
{
	struct json_out json = JSON_OUT_INIT(out);
	size_t n =
	    decisions->n < DECISIONS_KEPT ? decisions->n : DECISIONS_KEPT;
	size_t bytes = 0;

	json_open(&json, '{');
	json_open_member(&json, "decisions", '[');
	for (size_t i = 0; i < n && i < limit && bytes < BYTES_MAX; i++) {
		size_t number = decisions->n - i;
		const struct decision_record *r =
		    &decisions->at[(number - 1) % DECISIONS_KEPT];
		char time[32], seed[32];

		if (number <= since)
			break;
		/* 64 bits are too many for the numbers of most JSON readers. */
		snprintf(seed, sizeof(seed), "%" PRIu64, r->seed);
		json_break(&json, " ");
		json_object(&json,
		    "number:z time:s pod:s node:s message:s feasible:u nodes:u "
		    "best:u score:d seed:s ms:3",
		    number,
		    api_time(time, sizeof(time), r->seconds, r->microseconds),
		    r->pod, r->node, r->message, r->nfeasible, r->nnodes,
		    r->nbest, r->score, seed, r->ms);
		bytes += strlen(r->message) + RECORD_BYTES;
	}
	json_close(&json, ']');
	json_close(&json, '}');
	text_put(out, "\n");
}

size_t
decisions_number(const struct decisions *decisions)
{
	return decisions->n;
}
