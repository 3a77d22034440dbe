/*
 * The daemon's page, /debug/ui/, and the JSON that it shows (doc/web.md): what the
 * scheduler does now.  Read-only; each reply is bounded in size and cost.
 */
#ifndef DAEMON_DEBUG_PAGES_H
#define DAEMON_DEBUG_PAGES_H

#include <stdbool.h>

struct cluster;
struct query;
struct reply;
struct scheduler;
struct server;

struct debug_pages {
	const struct scheduler *scheduler;
	const struct cluster *cluster;
	bool leads;       /* whether it may bind now */
	bool elects;      /* --leader-elect */
	int release;      /* minor release of Kubernetes; 0: not known yet */
	const char *lack; /* why nothing can be scheduled yet; "" if it can */
};

/* Registers the page's files. */
void debug_pages_add_files(struct server *server);

void debug_status(const struct debug_pages *pages, struct reply *reply);
void debug_queue(const struct debug_pages *pages, const struct query *query,
    struct reply *reply);
void debug_decisions(const struct debug_pages *pages, const struct query *query,
    struct reply *reply);
void debug_nodes(const struct debug_pages *pages, const struct query *query,
    struct reply *reply);

#endif
