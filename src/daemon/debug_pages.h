/*
 * The daemon's page, /debug/ui/, and the JSON that it shows (doc/web.md): what the
 * scheduler does now.  Read-only; each reply is bounded in size and cost.
 */
#ifndef PAGE_DEBUG_PAGES_H
#define PAGE_DEBUG_PAGES_H

struct json_out;
struct query;
struct reply;
struct scheduler;
struct server;

/* Registers the page's files, and what it asks about the cluster. */
void debug_pages_add(struct server *server, struct scheduler *scheduler);

struct debug_status {
	bool leads;         /* whether it may bind now */
	bool elects;        /* --leader-elect */
	int release;        /* minor release of Kubernetes; 0: not known yet */
	const char *policy; /* JSON */
	void (*show_problems)(void *arg, struct json_out *json);
	void *arg;
};

void debug_status(const struct scheduler *scheduler,
    const struct debug_status *status, struct reply *reply);
/* For SERVER_PACED, with the scheduler as arg. */
void debug_queue(void *scheduler, const struct query *query,
    struct reply *reply);
void debug_decisions(void *scheduler, const struct query *query,
    struct reply *reply);

#endif
