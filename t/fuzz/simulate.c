/*
 * predicatectl as a whole: it reads a cluster and a policy and places every pod
 * that waits, explains one, or checks the policy.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "t/fuzz/command.h"
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
	struct fuzz_file cluster = fuzz_next_file(&input);
	struct fuzz_file policy = fuzz_next_file(&input);
	char *arguments[16] = { "predicatectl", (char *)command };
	int n = 2;

	if (strcmp(command, "check") != 0) {
		arguments[n++] = "--cluster";
		arguments[n++] = cluster.path;
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
		arguments[n++] = policy.path;
	} else if (policy.len > 0) {
		arguments[n++] = "--policy";
		arguments[n++] = policy.path;
	}
	fuzz_predicatectl(n, arguments);
	close(cluster.fd);
	close(policy.fd);
	return 0;
}
