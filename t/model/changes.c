/* What changed from release to release: the table of doc/compatibility.md. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "objects/changes.h"
#include "objects/release.h"
#include "t/lib/t.h"

#define HEADING "## What releases changed\n"

static void
the_page_has_every_change_once(void)
{
	AUTOFREE char *path =
	    xasprintf("%s/doc/compatibility.md", getenv("SRCDIR"));
	AUTOFREE char *page = NULL;
	FILE *in = fopen(path, "r");
	const struct release_change *c = NULL;
	size_t size = 0, n = 0, rows = 0;
	const char *table, *end;

	if (in == NULL || getdelim(&page, &size, '\0', in) <= 0) {
		printf("Bail out! cannot read %s\n", path);
		exit(99);
	}
	fclose(in);
	table = strstr(page, HEADING);
	t_true("there is a table", table != NULL);
	end = strstr(table, "\n## ");
	while ((c = release_change_next(c, 0, RELEASE_NEWEST)) != NULL) {
		n++;
		AUTOFREE char *row = xasprintf("\n| 1.%d | %s | %s |\n",
		    c->since, c->rule, c->what);
		const char *at = strstr(table, row);

		t_true(row, at != NULL && (end == NULL || at < end));
	}
	while ((table = strstr(table, "\n| 1.")) != NULL && table++ < end)
		rows++;
	t_int("and no other", (long long)rows, (long long)n);
}

static void
changes_are_of_known_releases(void)
{
	const struct release_change *c = NULL;

	while ((c = release_change_next(c, 0, INT_MAX)) != NULL)
		t_true(c->what,
		    c->since > RELEASE_OLDEST && c->since <= RELEASE_NEWEST);
}

static void
changes_between_releases_are_listed(void)
{
	const struct release_change *c = NULL;
	size_t n = 0;

	while ((c = release_change_next(c, 29, 32)) != NULL) {
		t_true(c->what, c->since > 29 && c->since <= 32);
		n++;
	}
	t_true("there are some", n > 0);
	t_true("none from a release to itself",
	    release_change_next(NULL, 30, 30) == NULL);
}

T_MAIN(T(the_page_has_every_change_once), T(changes_are_of_known_releases),
    T(changes_between_releases_are_listed))
