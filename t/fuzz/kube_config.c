/* KubeSchedulerConfiguration (--config). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "options/options_internal.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_silence();
	options_default_file = "/dev/null/none";
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_file file = fuzz_file_new(bytes, len);
	char flag[96];
	char *arguments[] = { "predicated", flag, NULL };
	struct problems problems = { 0 };
	struct daemon_options options;
	enum daemon_options_outcome outcome;

	snprintf(flag, sizeof(flag), "--config=%s", file.path);
	outcome =
	    daemon_options_parse(&options, 2, arguments, &problems, stdout);
	FUZZ_CHECK((outcome == DAEMON_OPTIONS_WRONG) == (problems.nerrors > 0));
	daemon_options_print_problems(&problems, stdout);
	problems_fini(&problems);
	daemon_options_fini(&options);
	close(file.fd);
	return 0;
}
