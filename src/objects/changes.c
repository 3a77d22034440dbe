#include "config.h"

#include "objects/changes.h"

static const struct release_change table[] = {
#define ROW(name, since, rule, what) { since, rule, what, false },
#define FIELD_ROW(name, since, rule, what) { since, rule, what, true },
	RELEASE_CHANGES(ROW, FIELD_ROW)
#undef ROW
#undef FIELD_ROW
};

const struct release_change *
release_change_next(const struct release_change *row, int from, int to)
{
	size_t i = row != NULL ? (size_t)(row - table) + 1 : 0;

	while (i < LENGTH(table) &&
	    (table[i].since <= from || table[i].since > to))
		i++;
	return i < LENGTH(table) ? &table[i] : NULL;
}
