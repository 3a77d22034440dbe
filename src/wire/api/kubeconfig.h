/*
 * Where the API server is and who we are: read from kubeconfig files, from the
 * service account that Kubernetes puts into a pod, or from --master.
 *
 * This is the configuration alone, as written; credentials.h reads the files
 * that it names, again and again.
 */
#ifndef API_KUBECONFIG_H
#define API_KUBECONFIG_H

#include "base/arena.h"

/* PEM text given in place (data) or a file's path; both NULL: not given.  Data
 * wins over a file, as in client-go. */
struct api_secret {
	const char *data;
	const char *file;
};

struct exec_env {
	const char *name, *value;
};

/* users[].user.exec: a program that prints an ExecCredential. */
struct exec_config {
	const char
	    *api_version;    /* client.authentication.k8s.io/v1 or /v1beta1 */
	const char *command; /* a path, or a name to find in PATH */
	const char **args;   /* nargs, without the command itself */
	size_t nargs;
	struct exec_env *env; /* in addition to our own environment */
	size_t nenv;
	const char
	    *install_hint; /* shown when the command is missing, or NULL */
	bool provide_cluster_info;
	/* JSON text of the cluster's extension
	 * client.authentication.k8s.io/exec, or NULL. */
	const char *cluster_config;
};

/* Texts are in the arena, or last; NULL means not given. */
struct api_config {
	struct arena arena;
	const char
	    *source; /* for people: the files, "in-cluster" or "--master" */
	const char
	    *server; /* "https://host:port/prefix", without a final slash */
	const char *tls_server_name; /* NULL: the server's host */
	const char *proxy_url; /* NULL: no proxy; the environment is ignored */
	bool insecure;         /* the server's certificate is not checked */
	struct api_secret ca;  /* not given: the system's */
	struct api_secret certificate, key; /* both or none */
	const char *token;
	const char *token_file; /* wins over token while it can be read */
	const char *username, *password;
	struct exec_config *exec;
	const char *as; /* impersonation */
	const char **as_groups;
	size_t nas_groups;
	const char *namespace; /* of the context; "default" */
};

struct api_source {
	const char *kubeconfig; /* --kubeconfig; NULL or "": see below */
	const char *context;    /* NULL: current-context */
	const char *master;     /* --master; NULL: the cluster's own server */
	bool as_kubectl;        /* looks where kubectl does, see below */
};

/*
 * Looks, in this order, at: source->kubeconfig; the files of $KUBECONFIG (their
 * entries are merged, the first file to name an entry wins, files that do not
 * exist are passed over); the in-cluster service account; ~/.kube/config;
 * source->master alone.  The first that is there is used, with source->master
 * in place of its server.  As kubectl: source->kubeconfig; the files of
 * $KUBECONFIG, or if that is not set ~/.kube/config; the in-cluster service
 * account.
 *
 * You own *out.  Errors name file:line:column where they can.
 */
int api_config_load(const struct api_source *source, struct api_config **out,
    struct err *err);

/* Whether any of these places has something, valid or not. */
bool api_config_exists(const struct api_source *source);

/* The in-cluster configuration with its files under root ("" in a pod; tests
 * have another) and the server from $KUBERNETES_SERVICE_HOST and _PORT.
 * NULL when we are not in a pod. */
struct api_config *api_config_in_cluster(const char *root);

void api_config_free(struct api_config *config);

/* A warning about a setting that allows other hosts on the network to read our
 * credentials or to impersonate the server, you own it; NULL: no such
 * setting. */
char *api_config_risk(const struct api_config *config);

#endif
