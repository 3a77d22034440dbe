#include "config.h"

#include "tool/commands/web_command.h"

#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdio.h>
#include <sys/queue.h>

#include "base/json_out.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "tool/page/answer.h"

/* Parameters that are words and options; none with files: who may see the page may not
 * see these. */
static enum options_outcome
set_options(struct options *options, const struct evkeyvalq *query)
{
	enum options_outcome outcome = OPTIONS_RUN;
	const struct evkeyval *at;

	TAILQ_FOREACH (at, query, next)
		if (strcmp(at->key, "node") == 0)
			options->words[options->nwords++] = at->value;
	TAILQ_FOREACH (at, query, next)
		if (strcmp(at->key, "name") == 0)
			options->words[options->nwords++] = at->value;
	TAILQ_FOREACH (at, query, next) {
		if (outcome != OPTIONS_RUN)
			break;
		if (text_is_choice("lost|force", at->key))
			outcome = options_set(options, at->key, "true");
		else if (text_is_choice("selector|zone|max-moves|time-limit|"
					"objective|max-weight|rounds|"
					"scheduler-name",
			     at->key))
			outcome = options_set(options, at->key, at->value);
	}
	return outcome == OPTIONS_RUN ? options_check(options) : outcome;
}

static int
run(const struct asked *about, const struct web_request *request, FILE *out)
{
	struct options options = *about->options;
	struct asked asked = *about;
	const struct evkeyval *at;
	size_t n = 0;

	TAILQ_FOREACH (at, request->query, next)
		n++;
	options_command_parse(strrchr(request->path, '/') + 1,
	    &options.command);
	options.json = true;
	options.screen.out = out;
	options.words = xcalloc(n + 1, sizeof(*options.words));
	options.nwords = 0;
	if (set_options(&options, request->query) != OPTIONS_RUN)
		return EXIT_USAGE;
	asked.options = &options;
	asked_of(&asked, &asked.whatif, asked.profiles);
	return ctl_ask(&options, &asked);
}

void
web_command(const struct asked *about, const struct web_request *request,
    struct web_reply *reply)
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
	code = run(about, request, out);
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
