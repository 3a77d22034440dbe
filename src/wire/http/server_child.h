/*
 * A reply that is made by a process of its own: it may take its time, and change
 * its copy of what it is about.
 */
#ifndef HTTP_SERVER_CHILD_H
#define HTTP_SERVER_CHILD_H

#include "wire/http/server.h"

/* In the child: NULL-terminated texts of the reply are constants of the program. */
struct child_work {
	void (*make)(void *arg, struct reply *reply);
	/* In this process, once: with its reply, or one that says why there is
	 * none.  The child is freed behind it. */
	void (*done)(void *arg, struct reply *reply);
	void *arg;
};

struct child;
/* NULL: errno.  The child of a program with several threads has one. */
struct child *child_start(struct event_base *base,
    const struct child_work *work);
/* Ends it without an answer; accepts NULL. */
void child_free(struct child *child);

#endif
