/* /statusz and /flagz */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/text.h"
#include "base/version.h"
#include "base/xmalloc.h"
#include "daemon/zpages.h"
#include "http/server.h"
#include "options/options.h"
#include "policy/policy.h"
#include "t/lib/t.h"

#define JSON "application/json;v=v1beta1;g=config.k8s.io;as=Statusz"

static const char *const paths[] = { "/configz", "/debug/decisions",
	"/debug/explain", "/readyz" };

static char *
statusz(const char *accept, int *status, const char **type)
{
	struct reply reply = { .status = 200, .content_type = "" };

	zpages_statusz(accept,
	    &(struct statusz){ .start_seconds = 1700000000,
		.now_seconds = 1700000000 + 3725,
		.kubernetes_minor = 36,
		.npaths = LENGTH(paths),
		.paths = paths },
	    &reply);
	*status = reply.status;
	*type = reply.content_type;
	return text_take(&reply.body);
}

static void
clients_get_what_they_accept(void)
{
	static const struct {
		const char *accept;
		int status;
		const char *type, *begin;
	} rows[] = {
		{ NULL, 200, "text/plain; charset=utf-8",
		    "\npredicated statusz\nWarning: " },
		{ " ", 200, "text/plain; charset=utf-8", "\npredicated" },
		{ "text/plain", 200, "text/plain; charset=utf-8", "\n" },
		{ "*/*", 200, "text/plain; charset=utf-8", "\n" },
		{ "text/html,application/xml;q=0.9,*/*;q=0.8", 200,
		    "text/plain; charset=utf-8", "\n" },
		{ JSON, 200, "application/json",
		    "{\"kind\":\"Statusz\",\"apiVersion\":"
		    "\"config.k8s.io/v1beta1\",\"metadata\":"
		    "{\"name\":\"predicated\"}," },
		{ "application/json; g=config.k8s.io; v=v1alpha1; as=Statusz",
		    200, "application/json",
		    "{\"kind\":\"Statusz\",\"apiVersion\":"
		    "\"config.k8s.io/v1alpha1\"" },
		{ "application/json;v=v1;g=config.k8s.io;as=Statusz, " JSON,
		    200, "application/json", "{" },
		{ "application/json;v=v1;g=config.k8s.io;as=Statusz", 406, "",
		    "only the following media types are accepted: " },
		{ "application/json;v=v1beta1;g=config.k8s.io;as=Flagz", 406,
		    "", "" },
		{ "application/json", 406, "", "" },
		{ "image/png", 406, "", "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name =
		    rows[i].accept != NULL ? rows[i].accept : "nothing";
		const char *type;
		int status;
		AUTOFREE char *body = statusz(rows[i].accept, &status, &type);

		t_int(name, status, rows[i].status);
		if (status == 200)
			t_str(name, type, rows[i].type);
		t_true(name,
		    strncmp(body, rows[i].begin, strlen(rows[i].begin)) == 0);
	}
}

static void
the_status_in_words(void)
{
	int status;
	const char *type;
	AUTOFREE char *body = statusz(NULL, &status, &type);

	t_has("start", body, "\nStarted: Tue Nov 14 22:13:20 UTC 2023\n");
	t_has("uptime", body, "\nUp: 1 hr 02 min 05 sec\n");
	t_has("version", body, "\nBinary version: " PACKAGE_VERSION "\n");
	t_has("release", body, "\nEmulation version: 1.36\n");
	t_has("paths", body, "\nPaths: /configz /debug /readyz\n");
}

static void
the_status_as_an_object(void)
{
	int status;
	const char *type;
	AUTOFREE char *body = statusz(JSON, &status, &type);

	t_has("start", body, ",\"startTime\":\"2023-11-14T22:13:20Z\",");
	t_has("uptime", body, "\"uptimeSeconds\":3725,");
	t_has("version", body, "\"binaryVersion\":\"" PACKAGE_VERSION "\",");
	t_has("release", body, "\"emulationVersion\":\"1.36\",");
	t_has("paths", body,
	    "\"paths\":[\"/configz\",\"/debug\",\"/readyz\"]}\n");
}

static void
flags_have_their_values(void)
{
	char *argv[] = { (char *)"predicated", (char *)"--seed=7",
		(char *)"--policy-config-file=a\"b", NULL };
	struct daemon_options options;
	struct problems problems = { 0 };
	struct reply reply = { .status = 200 };
	struct doc *doc;
	AUTOFREE char *text = NULL, *json = NULL;

	daemon_options_parse(&options, 3, argv, &problems, stderr);
	zpages_flagz("text/plain", &options, &reply);
	text = text_take(&reply.body);
	t_has("a title", text, "\npredicated flagz\nWarning: ");
	t_has("a number", text, "\nseed=7\n");
	t_has("a default", text, "\nscheduler-name=default-scheduler\n");
	t_true("sorted",
	    strstr(text, "\nbind-address=") < strstr(text, "\nseed="));
	zpages_flagz("application/json;v=v1beta1;g=config.k8s.io;as=Flagz",
	    &options, &reply);
	json = text_take(&reply.body);
	t_has("as JSON", json, "\"policy-config-file\":\"a\\\"b\"");
	doc = doc_parse("flagz", json, strlen(json), &doc_limits_people, NULL);
	t_true("that is JSON", doc != NULL);
	doc_free(doc);
	daemon_options_fini(&options);
	problems_fini(&problems);
}

T_MAIN(T(clients_get_what_they_accept), T(the_status_in_words),
    T(the_status_as_an_object), T(flags_have_their_values))
