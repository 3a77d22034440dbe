/*
 * The server of `predicatectl web`: a page about a cluster and its policy, and the
 * same as JSON (doc/web.md), on the loopback address for those who have the token
 * (guard.h).
 *
 *	request ─▶ ours? ─▶ a file of the page    ─▶ from the program itself
 *	           (guard)  JSON                  ─▶ a child process answers it
 *
 * Each question is answered by a process of its own, forked from this one: it may
 * change its copy of the cluster as it likes, several run at once, one that takes
 * too long or is superseded is killed, and nothing that a policy makes it do is
 * left behind.  Nothing is written to the cluster, nor to any file.
 */
#ifndef WEB_WEB_H
#define WEB_WEB_H

struct err;
struct event_base;
struct web_view;

struct web;

/* Listens at once; port 0: any that is free.  SIGPIPE must be ignored. */
struct web *web_new(struct event_base *base, int port, struct err *err);
/* Ends all connections and questions; accepts NULL. */
void web_free(struct web *web);

/* With the token; as long as the server. */
const char *web_url(const struct web *web);

/* From now on questions are about this view, which outlives the server or the next
 * call.  NULL: there is none yet, and questions are answered with 503. */
void web_show(struct web *web, const struct web_view *view);
/* A sentence that the page shows, "" for none: the cluster can no longer be read. */
void web_set_trouble(struct web *web, const char *sentence);

#endif
