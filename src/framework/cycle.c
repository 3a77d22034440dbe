#include "config.h"

#include "framework/cycle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "framework/profile.h"

bool
cycle_compares_tolerations(const struct cycle *cycle)
{
	return cycle_release(cycle) >= 35 &&
	    cycle->profile->gates.taint_toleration_comparison;
}

void
cycle_fail(struct cycle *cycle, const char *fmt, ...)
{
	struct cycle_error *error;
	AUTOFREE char *text = NULL;
	va_list ap;

	if (cycle->simulating)
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < cycle->nerrors; i++)
		if (strcmp(cycle->errors[i].text, text) == 0) {
			cycle->errors[i].times++;
			return;
		}
	arena_room(cycle->arena, cycle->errors, cycle->nerrors,
	    &cycle->errors_cap);
	error = &cycle->errors[cycle->nerrors++];
	error->text = arena_strndup(cycle->arena, text, strlen(text));
	error->times = 1;
}

const char *
cycle_errors(struct cycle *cycle, bool repeats)
{
	char *text = NULL;
	const char *copy;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		abort();
	fputs(cycle->nerrors > 1 ? "[" : "", out);
	for (size_t i = 0; i < cycle->nerrors; i++) {
		const struct cycle_error *error = &cycle->errors[i];

		fprintf(out, "%s%s", i > 0 ? ", " : "", error->text);
		if (repeats && error->times > 1)
			fprintf(out, " (repeated %u times)", error->times);
	}
	fputs(cycle->nerrors > 1 ? "]" : "", out);
	fclose(out);
	copy = arena_strndup(cycle->arena, text, size);
	free(text);
	return copy;
}
