/* "placed 1200 of 8152" on a terminal while long work goes on; nothing if
 * standard error is not a terminal, or if the work is short. */
#ifndef CTL_PROGRESS_H
#define CTL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool terminal, shown;
	double next; /* when to write again */
};

void progress_init(struct progress *progress);
/* `of` 0: it is not known how many there will be. */
void progress_show(struct progress *progress, const char *what, size_t done,
    size_t of);
/* The same with another text. */
bool progress_is_due(const struct progress *progress);
void progress_write(struct progress *progress, const char *text);
/* Clears the line, before any other output. */
void progress_end(struct progress *progress);

#endif
