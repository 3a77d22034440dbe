/*
 * The process that holds the subject of the page, and the processes that answer.
 *
 *	server ── fork ──▶ keeper: loads; says whether it could
 *	       ── ask ───▶        ── fork ──▶ answers into a pipe, and ends
 *	       ── stop ──▶        kills that one
 *	       ── end ───▶        ends, and those with it
 *
 * Loading takes the server no time, however slow a live cluster is or large a dump:
 * the next keeper loads while the last one answers.  Whatever a question does to its
 * copy of the memory, it does to no other.
 */
#ifndef PAGE_KEEPER_H
#define PAGE_KEEPER_H

#include <sys/types.h>

struct reply;
struct server_request;

/* The result of a keeper's loading. */
struct keeper_loaded {
	int code;             /* 0: it answers; otherwise an exit code */
	uint64_t fingerprint; /* equal ones: there is nothing new */
	char source[512]; /* the place that it was loaded from, for people */
};

/* All of it is called in other processes than the caller's. */
struct keeper_ops {
	/* Fills *loaded; standard error has the reasons. */
	void (*load)(void *arg, uint64_t generation,
	    struct keeper_loaded *loaded);
	void (*answer)(void *arg, const struct server_request *request,
	    struct reply *reply);
	void *arg;
};

struct keeper {
	pid_t pid;
	int fd; /* becomes readable when it has loaded, or ended */
	uint64_t nasked;
	unsigned refs; /* the caller's count of its uses, 1 at first */
};

/* Starts one, which loads.  generation: that of its replies.  NULL: errno. */
struct keeper *keeper_new(const struct keeper_ops *ops, uint64_t generation);
/* Waits for the end of its loading; -1: it has ended without a result. */
int keeper_wait(struct keeper *keeper, struct keeper_loaded *loaded);

/* Has a question answered.  Returns the end of a pipe that you own, with the status,
 * an int, and the body; *id is for keeper_stop().  -1: errno.  The request's query
 * is encoded, and its length that of the body. */
int keeper_ask(struct keeper *keeper, bool post, const char *path,
    const char *query, const char *body, size_t len, uint64_t *id);
/* The answer has come, or is not wanted any more. */
void keeper_stop(struct keeper *keeper, uint64_t id);

/* Ends it and all that it answers.  The process is the caller's to wait for: its
 * memory may take a while to free.  Returns its id. */
pid_t keeper_free(struct keeper *keeper);

#endif
