/*
 * The body of a watch, arriving in pieces that end anywhere: one JSON document
 * per line, or frames of protobuf, which begin with their length as four bytes,
 * the highest first.  Only complete events are returned: a connection that is
 * cut in the middle of an event does not yield half an event.
 */
#ifndef API_WATCH_LINES_H
#define API_WATCH_LINES_H

#include "base/text.h"

struct watch_lines {
	struct text rest; /* an incomplete event, */
	size_t searched;  /* in which there is no end of line up to here */
};

/* Empty again, with its memory given back. */
void watch_lines_fini(struct watch_lines *lines);

/*
 * Calls on_event for each line, or frame, that this piece completes, without its
 * end of line (and not for empty lines) or length, until it returns false.  false:
 * on_event returned false, or an event is longer than max bytes; only
 * watch_lines_fini() may follow.
 */
bool watch_lines_feed(struct watch_lines *lines, bool frames, const char *bytes,
    size_t len, size_t max,
    bool (*on_event)(void *arg, const char *event, size_t len), void *arg);

#endif
