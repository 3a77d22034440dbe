/* predicatectl replay of a record that anyone may have written. */
#include "config.h"

#include <stdlib.h>
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
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	size_t record_len, policy_len;
	char *record = fuzz_part(&input, FUZZ_NEXT, &record_len);
	char *policy = fuzz_part(&input, FUZZ_NEXT, &policy_len);
	struct fuzz_file record_file = fuzz_file_new(record, record_len);
	struct fuzz_file policy_file = fuzz_file_new(policy, policy_len);
	char *arguments[8] = { "predicatectl", "replay", record_file.path,
		"--output", how & 1 ? "json" : "table" };
	int n = 5, code;

	if (policy_len > 0) {
		arguments[n++] = "--policy";
		arguments[n++] = policy_file.path;
	}
	code = ctl_main(n, arguments);
	FUZZ_CHECK(code >= EXIT_DONE && code <= EXIT_INPUT);
	close(record_file.fd);
	close(policy_file.fd);
	free(record);
	free(policy);
	return 0;
}
