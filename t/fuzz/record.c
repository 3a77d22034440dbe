/* predicatectl replay of a record that anyone may have written. */
#include "config.h"

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
	struct fuzz_input input = { bytes, len };
	uint8_t how = fuzz_byte(&input);
	struct fuzz_file record = fuzz_next_file(&input);
	struct fuzz_file policy = fuzz_next_file(&input);
	char *arguments[8] = { "predicatectl", "replay", "--output",
		how & 1 ? "json" : "table", record.path };
	int n = 5;

	if (policy.len > 0) {
		arguments[n++] = "--policy";
		arguments[n++] = policy.path;
	}
	fuzz_predicatectl(n, arguments);
	close(record.fd);
	close(policy.fd);
	return 0;
}
