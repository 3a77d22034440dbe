#include "config.h"

#include "wire/api/watch_lines.h"

#define HEADER 4

void
watch_lines_fini(struct watch_lines *lines)
{
	text_fini(&lines->rest);
	lines->searched = 0;
}

static size_t
frame_length(const char *header)
{
	const unsigned char *h = (const unsigned char *)header;

	return (uint32_t)h[0] << 24 | (uint32_t)h[1] << 16 |
	    (uint32_t)h[2] << 8 | h[3];
}

/* The event that begins here, without its header or end of line: its length as far
 * as that is known; false: it is not complete. */
static bool
find_event(bool frames, const char *bytes, size_t left, size_t searched,
    size_t *len)
{
	const char *newline;

	if (frames) {
		*len = left >= HEADER ? frame_length(bytes) : 0;
		return left >= HEADER && left - HEADER >= *len;
	}
	newline = memchr(bytes + searched, '\n', left - searched);
	*len = newline != NULL ? (size_t)(newline - bytes) : left;
	return newline != NULL;
}

bool
watch_lines_feed(struct watch_lines *lines, bool frames, const char *bytes,
    size_t len, size_t max,
    bool (*on_event)(void *arg, const char *event, size_t len), void *arg)
{
	/* The event lasts, whatever its taker does. */
	struct text all = lines->rest;
	size_t at = 0, searched = lines->searched, n, shown;
	bool more = true;

	*lines = (struct watch_lines){ 0 };
	text_append(&all, bytes, len);
	while (more && at < all.len) {
		const char *event = all.bytes + at;
		bool complete =
		    find_event(frames, event, all.len - at, searched, &n);

		more = n <= max;
		if (!complete)
			break;
		searched = 0;
		shown = n;
		if (!frames && n > 0 && event[n - 1] == '\r')
			shown--;
		if (more && (frames || shown > 0))
			more = on_event(arg, frames ? event + HEADER : event,
			    shown);
		at += frames ? HEADER + n : n + 1;
	}
	if (more && at < all.len) {
		text_drop(&all, at);
		*lines = (struct watch_lines){ all, frames ? 0 : all.len };
	} else {
		text_fini(&all);
	}
	return more;
}
