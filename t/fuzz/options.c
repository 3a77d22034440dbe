/* predicated.conf, and for one input in two a command line besides. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_out.h"
#include "options/options_internal.h"
#include "t/fuzz/fuzz.h"

#define MAX_FLAGS 8

/* libconfig 1.5 loses the text of a string that does not end.  Files are read
 * when the daemon starts and on SIGHUP, and are the administrator's. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libconfig\n";
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_silence();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	char *arguments[MAX_FLAGS + 2] = { "predicated" };
	int n = 1;
	size_t size;
	char *text = fuzz_part(&input, FUZZ_NEXT, &size);
	struct fuzz_file file = fuzz_file_new(text, size);
	const char *default_file = options_default_file;
	struct problems problems = { 0 };
	struct daemon_options options;
	enum daemon_options_outcome outcome;
	struct text json = { 0 };

	while (input.left > 0 && n <= MAX_FLAGS) {
		arguments[n] = fuzz_part(&input, "\n", NULL);
		/* No input names a file that is written. */
		if (strstr(arguments[n], "write") == NULL)
			n++;
		else
			free(arguments[n]);
	}
	arguments[n] = NULL;
	options_default_file = file.path;
	outcome =
	    daemon_options_parse(&options, n, arguments, &problems, stdout);
	if (outcome == DAEMON_OPTIONS_WRONG)
		FUZZ_CHECK(problems.nerrors > 0);
	if (outcome ==
	    DAEMON_OPTIONS_RUN) /* --help is, whatever else is wrong */
		FUZZ_CHECK(problems.nerrors == 0);
	if (outcome == DAEMON_OPTIONS_RUN) {
		daemon_options_write(&options, stdout);
		daemon_options_write_json(&options, &json);
	}
	daemon_options_print_problems(&problems, stdout);
	options_default_file = default_file;
	text_fini(&json);
	problems_fini(&problems);
	daemon_options_fini(&options);
	for (int i = 1; i < n; i++)
		free(arguments[i]);
	close(file.fd);
	free(text);
	return 0;
}
