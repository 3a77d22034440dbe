#include "config.h"

#include "tool/commands/web_command.h"

#include <stdio.h>

#include "base/json_out.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "wire/http/server.h"

/* Parameters that are words and options; none with files: who may see the page may not
 * see these. */
static enum options_outcome
set_options(struct options *options, const struct query *query)
{
	enum options_outcome outcome = OPTIONS_RUN;

	for (size_t i = 0; i < query->n; i++)
		if (strcmp(query->pairs[i].name, "node") == 0)
			options->words[options->nwords++] =
			    query->pairs[i].value;
	for (size_t i = 0; i < query->n && outcome == OPTIONS_RUN; i++) {
		const struct query_pair *p = &query->pairs[i];

		if (strcmp(p->name, "name") == 0)
			options->words[options->nwords++] = p->value;
		else if (text_is_choice("lost|force", p->name))
			outcome = options_set(options, p->name, "true");
		else if (text_is_choice("selector|zone|max-moves|time-limit|"
					"objective|max-weight|rounds|"
					"scheduler-name",
			     p->name))
			outcome = options_set(options, p->name, p->value);
	}
	return outcome == OPTIONS_RUN ? options_check(options) : outcome;
}

static int
run(const struct asked *about, const struct server_request *request, FILE *out)
{
	struct options options = *about->options;
	struct asked asked = *about;

	options_command_parse(strrchr(request->path, '/') + 1,
	    &options.command);
	options.json = true;
	options.screen.out = out;
	options.words = xcalloc(request->query->n + 1, sizeof(*options.words));
	options.nwords = 0;
	if (set_options(&options, request->query) != OPTIONS_RUN)
		return EXIT_USAGE;
	asked.options = &options;
	asked_of(&asked, &asked.whatif, asked.profiles);
	return ctl_ask(&options, &asked);
}

void
web_command(const void *asked, const struct server_request *request,
    struct reply *reply)
{
	static const int statuses[] = { [EXIT_DONE] = 422,
		[EXIT_NEGATIVE] = 422,
		[EXIT_USAGE] = 400,
		[EXIT_INPUT] = 404 };
	AUTOFREE char *output = NULL, *said = NULL;
	size_t len, said_len;
	FILE *out = open_memstream(&output, &len);
	FILE *messages = open_memstream(&said, &said_len);
	const char *sentence;
	int code;

	ctl_messages_to(messages);
	code = run(asked, request, out);
	fclose(out);
	ctl_messages_to(NULL);
	fclose(messages);
	if (len > 0) {
		text_append(&reply->body, output, len);
		return;
	}
	sentence = strncmp(said, CTL_PREFIX, strlen(CTL_PREFIX)) == 0 ?
	    said + strlen(CTL_PREFIX) :
	    said;
	said[strcspn(said, "\n")] = '\0';
	json_put(&reply->body, "{'error':%s}\n", sentence);
	reply->status = statuses[code];
}
