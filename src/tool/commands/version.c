/* predicatectl version: as kubectl's, and the daemon's. */
#include "config.h"

#include "base/doc.h"
#include "base/version.h"
#include "tool/commands/ctl.h"
#include "tool/input/live.h"
#include "tool/commands/report.h"

/* A server's response, or why there is none. */
struct answer {
	const char *key, *title;
	struct doc *doc; /* NULL: it was not asked, or failed */
	bool failed;
};

static void
get_version(struct answer *answer, const struct options *options,
    bool of_daemon)
{
	size_t len = 0;
	struct err err;
	AUTOFREE char *body =
	    live_get(options, of_daemon, "/version", &len, &err);

	if (body != NULL)
		answer->doc =
		    doc_parse("/version", body, len, &doc_limits_people, &err);
	answer->failed = answer->doc == NULL;
	if (answer->failed)
		ctl_print("%s", err.text);
}

static void
print_json(const struct options *options, const struct answer *answers,
    size_t n)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_key(&json, "clientVersion");
	version_json(&json);
	for (size_t i = 0; i < n; i++) {
		if (answers[i].doc == NULL)
			continue;
		json_key(&json, answers[i].key);
		json_doc_node(&json, doc_root(answers[i].doc));
	}
	json_close(&json, '}');
	text_put(&text, "\n");
	report_write(options, &text);
}

static void
print_lines(const struct answer *answers, size_t n)
{
	printf("Client Version: %s\n", version_info().git_version);
	for (size_t i = 0; i < n; i++) {
		const char *version = "unknown";

		if (answers[i].doc == NULL)
			continue;
		doc_get_string(doc_root(answers[i].doc), "gitVersion", "",
		    &version, NULL);
		printf("%s Version: ", answers[i].title);
		text_print_line(stdout, version);
	}
}

int
version_run(const struct options *options)
{
	const struct api_source source = options_api_source(options);
	struct answer answers[] = { { "serverVersion", "Server", NULL, false },
		{ "daemonVersion", "Daemon", NULL, false } };
	bool failed = false;

	if (!options->client && (options->live || api_config_exists(&source)))
		get_version(&answers[0], options, false);
	if (!options->client && options->daemon != NULL)
		get_version(&answers[1], options, true);
	if (options->json)
		print_json(options, answers, LENGTH(answers));
	else
		print_lines(answers, LENGTH(answers));
	for (size_t i = 0; i < LENGTH(answers); i++) {
		failed = failed || answers[i].failed;
		doc_free(answers[i].doc);
	}
	return failed ? EXIT_INPUT : EXIT_DONE;
}
