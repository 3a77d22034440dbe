/* The bodies of writes. */
#include "config.h"

#include "wire/api/writes.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
a_status_has_what_changes(void)
{
	static const struct {
		const char *name;
		struct pod_id id;
		struct pod_status_change change;
		const char *body;
	} rows[] = {
		{ "a condition", { "d", "p", "u" },
		    { .type = "PodScheduled",
			.status = "False",
			.reason = "Unschedulable",
			.message = "m",
			.transition = "T" },
		    "{\"metadata\":{\"uid\":\"u\"},\"status\":{"
		    "\"conditions\":[{\"type\":\"PodScheduled\","
		    "\"status\":\"False\",\"reason\":\"Unschedulable\","
		    "\"message\":\"m\",\"lastTransitionTime\":\"T\"}]}}" },
		{ "with a generation and a nomination", { "d", "p", "" },
		    { .type = "PodScheduled",
			.status = "False",
			.reason = "Unschedulable",
			.message = "m",
			.observed_generation = 3,
			.nominated = "n1" },
		    "{\"status\":{"
		    "\"conditions\":[{\"type\":\"PodScheduled\","
		    "\"status\":\"False\",\"reason\":\"Unschedulable\","
		    "\"message\":\"m\",\"observedGeneration\":3}],"
		    "\"nominatedNodeName\":\"n1\"}}" },
		{ "a nomination alone", { "d", "p", "" },
		    { .nominated = "", .observed_generation = 3 },
		    "{\"status\":{\"nominatedNodeName\":null}}" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text body = { 0 };
		AUTOFREE char *got = NULL;

		api_pod_status_write(&rows[i].id, &rows[i].change, &body);
		got = text_take(&body);
		t_str(rows[i].name, got, rows[i].body);
	}
}

T_MAIN(T(a_status_has_what_changes))
