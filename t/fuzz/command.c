#include "config.h"

#include "tool/commands/ctl.h"
#include "t/fuzz/command.h"
#include "t/fuzz/fuzz.h"

void
fuzz_predicatectl(int argc, char **argv)
{
	int code = ctl_main(argc, argv);

	FUZZ_CHECK(code >= EXIT_DONE && code <= EXIT_INPUT);
}
