#include "config.h"

#include "t/simulation/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

struct search {
	bool *left_out, *tried;
	size_t n, most;
	bool (*breaks)(void *arg, const bool *left_out, size_t n);
	void *arg;
};

/* Whether these can go, too; then they are marked.  Nothing is tried when none of them is
 * left, or all tries are used up. */
static bool
leave_out(struct search *s, size_t from, size_t to)
{
	bool any = false;

	memcpy(s->tried, s->left_out, s->n * sizeof(bool));
	for (size_t i = from; i < to; i++) {
		any |= !s->tried[i];
		s->tried[i] = true;
	}
	if (!any || s->most == 0)
		return false;
	s->most--;
	if (!s->breaks(s->arg, s->tried, s->n))
		return false;
	memcpy(s->left_out, s->tried, s->n * sizeof(bool));
	return true;
}

/* Whether one went. */
static bool
leave_out_parts(struct search *s, size_t part)
{
	bool less = false;

	for (size_t end = s->n; end > 1; end = end > part ? end - part : 1)
		less |= leave_out(s, end > part ? end - part : 1, end);
	return less;
}

size_t
shrink(bool *left_out, size_t n, size_t most,
    bool (*breaks)(void *arg, const bool *left_out, size_t n), void *arg)
{
	struct search s = { left_out, xcalloc(n + 1, sizeof(bool)), n, most,
		breaks, arg };
	size_t left = 0;

	for (size_t part = n / 2; part > 0 && s.most > 0; part /= 2)
		leave_out_parts(&s, part);
	while (s.most > 0 && leave_out_parts(&s, 1))
		;
	for (size_t i = 1; i < n; i++)
		left += !left_out[i];
	free(s.tried);
	return left;
}
