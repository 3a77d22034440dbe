#include "config.h"

#include "model/changes.h"

#include "base/xmalloc.h"

static const struct release_change table[] = {
#define ROW(name, since, rule, what) { since, rule, what },
	RELEASE_CHANGES(ROW)
#undef ROW
};

const struct release_change *
release_change_at(size_t i)
{
	return i < LENGTH(table) ? &table[i] : NULL;
}
