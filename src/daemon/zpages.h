/*
 * /statusz and /flagz, in the formats of Kubernetes 1.36: text for people, or
 * the objects Statusz and Flagz of config.k8s.io as JSON for programs that ask
 * for one of their versions.
 */
#ifndef DAEMON_ZPAGES_H
#define DAEMON_ZPAGES_H

struct daemon_options;
struct reply;

struct statusz {
	int64_t start_seconds, now_seconds; /* since 1970 */
	int kubernetes_minor; /* whose rules apply; 0: not yet known */
	size_t npaths;
	const char *const *paths; /* that are served, sorted */
};

/* accept: the request's header, NULL for none.  406 when it takes neither. */
void zpages_statusz(const char *accept, const struct statusz *statusz,
    struct reply *reply);
void zpages_flagz(const char *accept, const struct daemon_options *options,
    struct reply *reply);

#endif
