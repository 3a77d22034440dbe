#include "config.h"

#include "api/watch_lines.h"

#include <stdint.h>
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
		if (lines->rest.len + (size_t)(newline - bytes) > max)
			return false;
		if (lines->rest.len > 0) {
			text_append(&lines->rest, bytes,
			    (size_t)(newline - bytes));
			line = lines->rest;
			lines->rest = (struct text){ 0 };
			more = give(on_line, arg, line.bytes, line.len);
			text_fini(&line);
		} else {
			more = give(on_line, arg, bytes,
			    (size_t)(newline - bytes));
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

#define HEADER 4

static size_t
frame_length(const char *header)
{
	const unsigned char *h = (const unsigned char *)header;

	return (uint32_t)h[0] << 24 | (uint32_t)h[1] << 16 |
	    (uint32_t)h[2] << 8 | h[3];
}

/* Moves bytes up to the wanted length of rest; whether that is reached. */
static bool
fill(struct watch_lines *lines, const char **bytes, const char *end,
    size_t wanted)
{
	size_t missing = wanted - lines->rest.len;

	if (missing > (size_t)(end - *bytes))
		missing = (size_t)(end - *bytes);
	text_append(&lines->rest, *bytes, missing);
	*bytes += missing;
	return lines->rest.len == wanted;
}

/* The frame that began in an earlier piece. */
static bool
feed_rest(struct watch_lines *lines, const char **bytes, const char *end,
    size_t max, bool (*on_frame)(void *arg, const char *frame, size_t len),
    void *arg)
{
	struct text frame;
	size_t len;
	bool more;

	if (lines->rest.len < HEADER && !fill(lines, bytes, end, HEADER))
		return true;
	len = frame_length(lines->rest.bytes);
	if (len > max)
		return false;
	if (!fill(lines, bytes, end, HEADER + len))
		return true;
	frame = lines->rest;
	lines->rest = (struct text){ 0 };
	more = on_frame(arg, frame.bytes + HEADER, len);
	text_fini(&frame);
	return more;
}

bool
watch_frames_feed(struct watch_lines *lines, const char *bytes, size_t len,
    size_t max, bool (*on_frame)(void *arg, const char *frame, size_t len),
    void *arg)
{
	const char *end = bytes + len;

	if (lines->rest.len > 0 &&
	    !feed_rest(lines, &bytes, end, max, on_frame, arg))
		return false;
	while ((size_t)(end - bytes) >= HEADER) {
		len = frame_length(bytes);
		if (len > max)
			return false;
		if (len > (size_t)(end - bytes) - HEADER)
			break;
		bytes += HEADER + len;
		if (!on_frame(arg, bytes - len, len))
			return false;
	}
	if (bytes < end)
		text_append(&lines->rest, bytes, (size_t)(end - bytes));
	return true;
}
