/*
 * The server of `predicatectl web`: a page about a cluster and its policy, and the
 * same as JSON (doc/web.md), on the loopback address for those who have the token
 * (guard.h).
 *
 *	request ─▶ ours? ─▶ a file of the page ─▶ from the program itself
 *	           (guard)  JSON               ─▶ a process answers it (keeper.h),
 *	                                          or another server, through a proxy
 *
 * Each question is answered by a process of its own: it may change its copy of the
 * cluster as it likes, several run at once, one that takes too long or is superseded
 * is killed, and nothing that a policy makes it do is left behind.  Nothing is written
 * to the cluster, nor to any file.
 */
#ifndef PAGE_WEB_H
#define PAGE_WEB_H

struct event_base;
struct keeper_ops;
struct page_files;

struct web;

/* Another server whose page is shown with ours: its JSON comes from there. */
struct web_proxy {
	const struct page_files *files;
	const char *folder; /* of the page, "/debug/ui/" */
	/* Whether that server is asked for this path. */
	bool (*has_path)(const char *path);
	/* Asks it; query is encoded.  web_answered() of this job comes later, unless
	 * the result is given to cancel() before. */
	void *(*ask)(void *arg, const char *path, const char *query, void *job);
	void (*cancel)(void *arg, void *call);
	void *arg;
};

/* Listens at once; port 0: any that is free.  SIGPIPE must be ignored.  Of ops and
 * proxy one is NULL; ops are copied, their arg and the proxy outlive the server. */
struct web *web_new(struct event_base *base, int port,
    const struct keeper_ops *ops, const struct web_proxy *proxy,
    struct err *err);
/* Ends all connections and questions; accepts NULL. */
void web_free(struct web *web);

/* With the token; as long as the server. */
const char *web_url(const struct web *web);

/* Loads the first state and waits for that: 0, an exit code of ops->load(), or -1:
 * it has ended without one. */
int web_load(struct web *web);
/* Loads again, while questions are still about the last state; shows the new one as
 * a whole when it is there and differs.  If that fails the last state stays, and the
 * page says so.  Does nothing while it is loading. */
void web_reload(struct web *web);
bool web_is_loading(const struct web *web);

/* The answer of a proxy to its job; the body is copied. */
void web_answered(void *job, int status, const char *body, size_t len);

#endif
