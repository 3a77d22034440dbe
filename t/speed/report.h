/* The output of t/bench: a table for people, lines for programs, and which goals
 * are met. */
#ifndef T_SPEED_REPORT_H
#define T_SPEED_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "t/speed/cell.h"

struct report {
	FILE *lines; /* JSON, one cell a line; or NULL */
	bool wrong;  /* some result is */
	size_t n, cap;
	struct reported {
		const char *name;
		struct result result;
	} * cells;
};

void report_begin(struct report *report);
/* name must stay valid. */
void report_cell(struct report *report, const char *name,
    const struct result *r);
/* Only goals of whose cells there are results. */
void report_goals(const struct report *report);
/* Whether all results are right. */
bool report_end(struct report *report);

#endif
