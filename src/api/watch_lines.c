#include "config.h"

#include "api/watch_lines.h"

#include <string.h>

void
watch_lines_fini(struct watch_lines *lines)
{
	text_fini(&lines->rest);
}

static bool
give(bool (*on_line)(void *arg, const char *line, size_t len), void *arg,
    const char *line, size_t len)
{
	if (len > 0 && line[len - 1] == '\r')
		len--;
	return len == 0 || on_line(arg, line, len);
}

bool
watch_lines_feed(struct watch_lines *lines, const char *bytes, size_t len,
    size_t max, bool (*on_line)(void *arg, const char *line, size_t len),
    void *arg)
{
	const char *end = bytes + len, *newline;
	struct text line;
	bool more;

	while ((newline = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
		if (lines->rest.len > 0) {
			text_append(
			    &lines->rest, bytes, (size_t)(newline - bytes));
			line = lines->rest;
			lines->rest = (struct text){ 0 };
			more = give(on_line, arg, line.bytes, line.len);
			text_fini(&line);
		} else {
			more = give(
			    on_line, arg, bytes, (size_t)(newline - bytes));
		}
		if (!more)
			return false;
		bytes = newline + 1;
	}
	if (lines->rest.len + (size_t)(end - bytes) > max)
		return false;
	if (end > bytes)
		text_append(&lines->rest, bytes, (size_t)(end - bytes));
	return true;
}
