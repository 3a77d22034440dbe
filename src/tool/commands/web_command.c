#include "config.h"

#include "tool/commands/web_command.h"

#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_out.h"
#include "tool/commands/ctl.h"
#include "tool/commands/whatif.h"
#include "tool/page/answer.h"

#define MOST_OUTPUT ((size_t)512 << 20)

/* The words of a command line in a process that ends soon. */
struct words {
	size_t n, cap;
	char **at;
};

static void
add_word(struct words *words, char *word)
{
	vec_room(words->at, words->n, &words->cap);
	words->at[words->n++] = word;
}

/* Parameters as words and options, but for options with files: who may see the page may
 * not see these. */
static void
add_query(struct words *words, const struct evkeyvalq *query)
{
	const struct evkeyval *at;

	TAILQ_FOREACH (at, query, next)
		if (strcmp(at->key, "node") == 0)
			add_word(words, xasprintf("node/%s", at->value));
	TAILQ_FOREACH (at, query, next)
		if (strcmp(at->key, "name") == 0)
			add_word(words, xasprintf("pod/%s", at->value));
		else if (text_is_choice("lost|force", at->key))
			add_word(words, xasprintf("--%s", at->key));
		else if (text_is_choice("selector|zone|max-moves|time-limit|"
					"objective|max-weight|rounds|"
					"scheduler-name",
			     at->key))
			add_word(words,
			    xasprintf("--%s=%s", at->key, at->value));
	add_word(words, NULL);
}

static int
run(const struct asked *about, const struct web_request *request)
{
	struct options options = *about->options;
	struct asked asked = *about;
	struct words words = { 0 };

	add_word(&words, xstrdup(options.program));
	add_word(&words, xstrdup(strrchr(request->path, '/') + 1));
	add_word(&words, xstrdup("-ojson"));
	add_query(&words, request->query);
	if (options_parse(&options, (int)words.n - 1, words.at) != OPTIONS_RUN)
		return EXIT_USAGE;
	asked.options = &options;
	asked_of(&asked, &asked.whatif, asked.profiles);
	return ctl_ask(&options, &asked);
}

/* Standard output or error, in memory from now on.  Where that cannot be, the page says
 * that this process has ended. */
static void
take_over(int standard)
{
	int fd = memfd_create("output", 0);

	if (fd < 0 || dup2(fd, standard) < 0)
		_exit(EXIT_INPUT);
	close(fd);
}

/* All that was printed there; you own it. */
static char *
printed(int standard, size_t *len)
{
	char *text;

	lseek(standard, 0, SEEK_SET);
	text = file_read(standard, MOST_OUTPUT, len);
	return text != NULL ? text : xstrdup("");
}

void
web_command(const struct asked *about, const struct web_request *request,
    struct web_reply *reply)
{
	static const int statuses[] = { [EXIT_DONE] = 422,
		[EXIT_NEGATIVE] = 422,
		[EXIT_USAGE] = 400,
		[EXIT_INPUT] = 404 };
	AUTOFREE char *output = NULL, *errors = NULL;
	const char *sentence;
	size_t len;
	int code;

	take_over(STDOUT_FILENO);
	take_over(STDERR_FILENO);
	code = run(about, request);
	fflush(stdout);
	output = printed(STDOUT_FILENO, &len);
	if (*output != '\0') {
		text_append(&reply->body, output, len);
		return;
	}
	errors = printed(STDERR_FILENO, &len);
	sentence = strncmp(errors, CTL_PREFIX, strlen(CTL_PREFIX)) == 0 ?
	    errors + strlen(CTL_PREFIX) :
	    errors;
	errors[strcspn(errors, "\n")] = '\0';
	json_put(&reply->body, "{'error':%s}\n", sentence);
	reply->status = statuses[code];
}
