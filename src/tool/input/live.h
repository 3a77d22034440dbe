/*
 * The objects of a live cluster, read with get and list and nothing else, but for
 * live_delete(): in place of a dump (load.h).  The API server and the credentials are
 * those that kubectl takes (wire/api/kubeconfig.h, as_kubectl).
 */
#ifndef CTL_LIVE_H
#define CTL_LIVE_H

#include "objects/object.h"

struct api_config;
struct arrival;
struct options;

/* The objects of a kind, as far as they are known. */
enum live_state {
	LIVE_NOT_ASKED, /* rules of this release do not read them */
	LIVE_LISTED,
	LIVE_NOT_SERVED,
	LIVE_FORBIDDEN,
};

struct live {
	char *server;    /* its URL; NULL: the objects are those of a dump */
	char *namespace; /* of the context; where names without one are */
	int minor;       /* of /version; -1: it does not say */
	enum live_state states[OBJECT_KINDS];
};

struct live_ops {
	/* An object, valid during the call; api_version is its apiVersion.  -1:
	 * err has the reason, and reading ends. */
	int (*take)(void *arg, const struct arrival *arrival,
	    const char *api_version, struct err *err);
	/* After all objects: the ConfigMap of openshift-config that is also
	 * read, if it exists; NULL: none. */
	const char *(*config_map)(void *arg);
};

/*
 * Reads all objects that decisions of this release or the server's, whichever is
 * later, depend on.  Kinds that the server does not serve, or that the user may not
 * list, are left out, the latter with a warning on standard error; but nodes and
 * pods are needed.  You own *live in any case (live_fini()).  -1: err has the
 * reason, a line that begins with the server or the file.
 */
int live_read(const struct options *options, int release,
    const struct live_ops *ops, void *arg, struct live *live, struct err *err);
void live_fini(struct live *live);

/*
 * The server of --daemon and our credentials for it, you own them.  Without
 * --daemon-ca any process may stand behind its URL: it gets no token, and a client
 * certificate at most over TLS, which does not tell the key.
 */
struct api_config *live_daemon_config(const struct options *options);

/* The response of the API server, or of the daemon of --daemon, to GET path; you own it,
 * NULL: err. */
char *live_get(const struct options *options, bool of_daemon, const char *path,
    size_t *len, struct err *err);

struct live_deletion {
	char *path;       /* NULL: of nothing */
	const char *with; /* DeleteOptions, or NULL */
	bool
	    gone; /* else there is no such object, or kind, or it is not as these ask */
};

/* DELETE of all these of the API server, over one connection, in no order.  -1: err has
 * the reason of the first that was refused; others may be gone or not. */
int live_delete(const struct options *options, struct live_deletion *deletions,
    size_t n, struct err *err);

/* The policy.cfg of a ConfigMap; you own it, NULL: err. */
char *live_config_map_policy(const struct options *options,
    const char *namespace, const char *name, size_t *len, struct err *err);

#endif
