#include "config.h"

#include "t/lib/t.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned done;

static void
check(const char *file, int line, bool held)
{
	CU_assertImplementation(held, (unsigned)line, "", file, "", CU_FALSE);
}

bool
t_true_(const char *file, int line, const char *name, bool got)
{
	check(file, line, got);
	if (!got)
		printf("# %s:%d: %s: does not hold\n", file, line, name);
	return got;
}

bool
t_int_(const char *file, int line, const char *name, int64_t got, int64_t want)
{
	check(file, line, got == want);
	if (got != want)
		printf("# %s:%d: %s: got %" PRId64 ", want %" PRId64 "\n", file,
		    line, name, got, want);
	return got == want;
}

static const char *
shown(const char *s)
{
	return s != NULL ? s : "NULL";
}

bool
t_str_(const char *file, int line, const char *name, const char *got,
    const char *want)
{
	bool held = got == want ||
	    (got != NULL && want != NULL && strcmp(got, want) == 0);

	check(file, line, held);
	if (!held)
		printf("# %s:%d: %s: got \"%s\", want \"%s\"\n", file, line,
		    name, shown(got), shown(want));
	return held;
}

bool
t_has_(const char *file, int line, const char *name, const char *got,
    const char *want)
{
	bool held = got != NULL && strstr(got, want) != NULL;

	check(file, line, held);
	if (!held)
		printf("# %s:%d: %s: got \"%s\", want it to contain \"%s\"\n",
		    file, line, name, shown(got), want);
	return held;
}

static void
say(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
	printf("%sok %u - %s\n", failure != NULL ? "not " : "", ++done,
	    test->pName);
	fflush(stdout);
}

int
t_run(const struct t_test *tests, size_t n)
{
	CU_pSuite suite;
	unsigned failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 99;
	CU_set_error_action(CUEA_FAIL);
	suite = CU_add_suite("t", NULL, NULL);
	for (size_t i = 0; i < n; i++)
		CU_add_test(suite, tests[i].name, tests[i].run);
	CU_set_test_complete_handler(say);
	printf("1..%zu\n", n);
	CU_run_all_tests();
	failed = CU_get_number_of_tests_failed();
	CU_cleanup_registry();
	return failed > 0 ? 1 : 0;
}

const char *
t_path(const char *relative)
{
	static char path[4096];
	const char *top = getenv("SRCDIR");

	snprintf(path, sizeof(path), "%s/%s", top != NULL ? top : ".",
	    relative);
	return path;
}

char *
t_data(const char *name)
{
	char relative[512], *text;
	size_t len;
	FILE *f;

	snprintf(relative, sizeof(relative), "t/data/%s", name);
	f = fopen(t_path(relative), "r");
	if (f == NULL) {
		printf("Bail out! cannot read %s\n", t_path(relative));
		exit(99);
	}
	fseek(f, 0, SEEK_END);
	len = (size_t)ftell(f);
	rewind(f);
	text = calloc(1, len + 1);
	if (text == NULL || fread(text, 1, len, f) != len)
		abort();
	fclose(f);
	return text;
}

unsigned
t_any(uint64_t *state, unsigned n)
{
	*state = *state * UINT64_C(6364136223846793005) +
	    UINT64_C(1442695040888963407);
	return (unsigned)(*state >> 33) % n;
}
