/*
 * Decides if an event is written, dropped or merged into an earlier one, as
 * client-go 1.15 does for core/v1 events, so that a scheduler that cannot place
 * pods does not flood the API server (doc/semantics/04-scheduling-loop.md,
 * Failed attempts):
 *
 *  - the same event again is not a new object but a higher count on the first;
 *  - from the tenth different message on that one object gets for one reason
 *    within ten minutes of each other, they become one event whose message
 *    begins with "(combined from similar events): ";
 *  - one object gets 25 events at once and then one more every five minutes,
 *    the others are dropped (they still count);
 *  - of one that has an action the first and the second are written, then one
 *    each 30 minutes: so does the newer recorder with a series.
 *
 * It remembers the 4096 events, groups and objects used last.  Pure: the time
 * comes from the caller.
 */
#ifndef API_EVENT_CORRELATOR_H
#define API_EVENT_CORRELATOR_H

/* Texts are "" if they do not apply, and but for annotation never NULL. */
struct api_event {
	const char *kind, *api_version, *namespace, *name, *uid,
	    *resource_version; /* of the object it is about */
	const char *type;      /* "Normal", "Warning" */
	const char *reason, *message;
	const char *component; /* the scheduler's name */
	/*
	 * NULL: written as client-go's older recorder does, with a source, a count
	 * and the first and last time.  Else as the newer one that kube-scheduler
	 * uses from 1.19 on, with eventTime and series; related: NULL, or an
	 * event about the related object, whose other members do not count.
	 */
	const char *action;
	const struct api_event *related;
	/*
	 * An annotation; NULL: none.  Its value is only asked for if the event is
	 * written, at most once, while it is being recorded; NULL: none after all.
	 */
	const char *annotation;
	const char *(*annotate)(void *arg);
	void *annotate_arg;
};

struct event_record {
	bool drop;     /* the rest is still filled */
	char *name;    /* metadata.name; owned */
	char *message; /* maybe combined; owned */
	int64_t count; /* > 1: the object exists, patch it */
	int64_t first_ns, last_ns;
};

struct event_correlator;

struct event_correlator *event_correlator_new(void);
void event_correlator_free(struct event_correlator *correlator);

/* now_ns: nanoseconds since 1970.  You own *out's texts. */
void event_correlate(struct event_correlator *correlator,
    const struct api_event *event, int64_t now_ns, struct event_record *out);
void event_record_fini(struct event_record *record);

#endif
