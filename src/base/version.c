#include "config.h"

#include "base/version.h"

#include <stdio.h>

#include "base/json_out.h"

#if defined(__x86_64__)
#define PLATFORM "linux/amd64"
#elif defined(__aarch64__)
#define PLATFORM "linux/arm64"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define PLATFORM "linux/ppc64le"
#elif defined(__s390x__)
#define PLATFORM "linux/s390x"
#elif defined(__riscv) && __riscv_xlen == 64
#define PLATFORM "linux/riscv64"
#else
#define PLATFORM "linux/unknown"
#endif

struct version_info
version_info(void)
{
	struct version_info info = { .platform = PLATFORM,
		.compiler = __VERSION__ };
	const char *version = PACKAGE_VERSION;
	size_t major = strcspn(version, ".");
	const char *rest = version + major + (version[major] == '.');

	snprintf(info.major, sizeof(info.major), "%.*s", (int)major, version);
	snprintf(info.minor, sizeof(info.minor), "%.*s",
	    (int)strcspn(rest, "."), rest);
	snprintf(info.git_version, sizeof(info.git_version), "v%s", version);
	return info;
}

void
version_json(struct json_out *json)
{
	const struct version_info info = version_info();

	json_open(json, '{');
	json_pair(json, "major", info.major);
	json_pair(json, "minor", info.minor);
	json_pair(json, "gitVersion", info.git_version);
	json_pair(json, "compiler", info.compiler);
	json_pair(json, "platform", info.platform);
	json_close(json, '}');
}
