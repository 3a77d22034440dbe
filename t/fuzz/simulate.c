/*
 * predicatectl as a whole: it reads a cluster and a policy and places every pod
 * that waits, explains one, or checks the policy.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/ctl.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_silence();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const commands[] = { "simulate", "simulate",
		"explain", "check" };
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	const char *command = commands[how & 3];
	size_t cluster_len, policy_len;
	char *cluster = fuzz_part(&input, FUZZ_NEXT, &cluster_len);
	char *policy = fuzz_part(&input, FUZZ_NEXT, &policy_len);
	struct fuzz_file cluster_file = fuzz_file_new(cluster, cluster_len);
	struct fuzz_file policy_file = fuzz_file_new(policy, policy_len);
	char *arguments[16] = { "predicatectl", (char *)command };
	int n = 2, code;

	if (strcmp(command, "check") != 0) {
		arguments[n++] = "--cluster";
		arguments[n++] = cluster_file.path;
		arguments[n++] = "--output";
		arguments[n++] = how & 4 ? "json" : "table";
	}
	if (strcmp(command, "explain") == 0) {
		arguments[n++] = "--pod";
		arguments[n++] = "default/a";
	}
	if (strcmp(command, "simulate") == 0 && how & 8)
		arguments[n++] = "--preempt";
	if (how & 16)
		arguments[n++] = "--kosmos";
	if (strcmp(command, "check") == 0) {
		arguments[n++] = policy_file.path;
	} else if (policy_len > 0) {
		arguments[n++] = "--policy";
		arguments[n++] = policy_file.path;
	}
	code = ctl_main(n, arguments);
	FUZZ_CHECK(code >= EXIT_DONE && code <= EXIT_INPUT);
	close(cluster_file.fd);
	close(policy_file.fd);
	free(cluster);
	free(policy);
	return 0;
}
