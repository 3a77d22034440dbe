/*
 * Writes events about objects (core/v1), correlated by event_correlator.h.  No
 * caller waits for them: an event that cannot be written is dropped and
 * counted.  Writes of one event object are sequential, and an outdated write is
 * skipped.
 */
#ifndef API_EVENTS_H
#define API_EVENTS_H

#include "wire/api/client.h"
#include "wire/api/event_correlator.h"

struct events_stats {
	uint64_t written; /* created or patched */
	uint64_t spared;  /* dropped by the correlator, or overtaken */
	uint64_t failed;
};

struct events;

struct events *events_new(struct api_client *client);
void events_free(struct events *events);
void events_record(struct events *events, const struct api_event *event);
const struct events_stats *events_stats(const struct events *events);

#endif
