/*
 * An answer that is made by a process of its own: it may take its time, and change
 * its copy of what it is about.
 */
#ifndef HTTP_SERVER_CHILD_H
#define HTTP_SERVER_CHILD_H

struct event_base;
struct text;

struct child_work {
	/* In the child, which has the same constants at the same addresses. */
	void (*make)(void *arg, struct text *answer);
	/* In this process, once.  NULL: there is no answer, as the child has ended,
	 * or is not in_time.  It is gone. */
	void (*done)(void *arg, const struct text *answer, bool in_time);
	void *arg;
};

#define CHILD_SECONDS 30 /* that it may take */

struct child;
/* NULL: errno.  Of several threads the child has this one. */
struct child *child_start(struct event_base *base,
    const struct child_work *work);
/* Ends it without an answer; accepts NULL. */
void child_free(struct child *child);

#endif
