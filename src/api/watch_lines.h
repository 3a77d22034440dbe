/*
 * The body of a watch, arriving in pieces that end anywhere: one JSON document
 * per line, or frames of protobuf, which begin with their length as four bytes,
 * the highest first.  Only complete events are returned: a connection that is
 * cut in the middle of an event does not yield half an event.
 */
#ifndef API_WATCH_LINES_H
#define API_WATCH_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json_out.h"

struct watch_lines {
	struct text rest; /* an incomplete event */
};

/* Empty again, with its memory given back. */
void watch_lines_fini(struct watch_lines *lines);

/*
 * Calls on_line for each line that this piece completes, without its end of
 * line (and not for empty lines), until it returns false; the rest of the piece
 * is then dropped.  false: on_line returned false, or a line is longer than max
 * bytes.
 */
bool watch_lines_feed(struct watch_lines *lines, const char *bytes, size_t len,
    size_t max, bool (*on_line)(void *arg, const char *line, size_t len),
    void *arg);

/* As watch_lines_feed(), for frames. */
bool watch_frames_feed(struct watch_lines *lines, const char *bytes, size_t len,
    size_t max, bool (*on_frame)(void *arg, const char *frame, size_t len),
    void *arg);

#endif
