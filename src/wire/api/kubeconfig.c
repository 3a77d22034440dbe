#include "config.h"

#include "wire/api/kubeconfig.h"

#include <unistd.h>

#include "base/base64.h"
#include "base/json_out.h"
#include "base/doc.h"

#define SERVICE_ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount/"

#define CONTEXTS_SHOWN 20 /* when one is not found */

struct file {
	char *path;
	struct doc_reader *reader;
	const struct doc_node *root;
};

struct files {
	struct file *list;
	size_t n, cap;
};

/* One entry of clusters, users or contexts, and its file. */
struct entry {
	const struct doc_node *body; /* NULL: no such entry */
	const char *path;
	struct arena *arena; /* for its texts */
};

void
api_config_free(struct api_config *config)
{
	if (config == NULL)
		return;
	arena_fini(&config->arena);
	free(config);
}

/* ---- files ---- */

static int
open_file(struct files *files, const char *path, struct err *err)
{
	struct doc_reader *reader;
	const struct doc_node *root;
	int got;

	reader = doc_open_file(path, &doc_limits_people, false, err);
	if (reader == NULL)
		return -1;
	got = doc_next(reader, &root, err);
	if (got == 1 && root->kind != DOC_OBJECT) {
		doc_errf(err, root, "a kubeconfig must be an object, not %s",
		    doc_kind_name(root->kind));
		got = -1;
	}
	if (got != 1) { /* 0: an empty file, which is ignored */
		doc_close(reader);
		return got;
	}
	vec_room(files->list, files->n, &files->cap);
	files->list[files->n++] = (struct file){ xstrdup(path), reader, root };
	return 0;
}

/* The files of a list such as $KUBECONFIG that exist. */
static int
open_list(struct files *files, const char *list, struct err *err)
{
	char AUTOFREE *copy = xstrdup(list);
	char *rest = copy, *path;

	while ((path = strsep(&rest, ":")) != NULL)
		if (path[0] != '\0' && access(path, F_OK) == 0 &&
		    open_file(files, path, err) != 0)
			return -1;
	return 0;
}

static void
close_files(struct files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		doc_close(files->list[i].reader);
		free(files->list[i].path);
	}
	free(files->list);
}

/* ---- entries ---- */

/* The element of the list called name, e.g. of "users", and in it "user". */
static int
find_in(const struct file *file, const char *list, const char *key,
    const char *name, struct entry *out, struct err *err)
{
	const struct doc_node *array = NULL;
	const char *is;

	if (doc_get_array(file->root, list, list, &array, err) != 0)
		return -1;
	EACH_CHILD (item, array) {
		is = "";
		if (doc_get_string(item, "name", "name", &is, err) != 0)
			return -1;
		if (strcmp(is, name) != 0)
			continue;
		if (doc_get_object(item, key, key, &out->body, err) != 0)
			return -1;
		if (out->body == NULL)
			return doc_errf(err, item, "%s is missing", key);
		out->path = file->path;
		return 0;
	}
	return 0;
}

static int
find(const struct files *files, const char *list, const char *key,
    const char *name, struct entry *out, struct err *err)
{
	out->body = NULL;
	for (size_t i = 0; i < files->n && out->body == NULL; i++)
		if (find_in(&files->list[i], list, key, name, out, err) != 0)
			return -1;
	return 0;
}

/* An optional text; an empty one counts as absent. */
static int
get_text(const struct entry *entry, const char *key, const char **out,
    struct err *err)
{
	const char *text = NULL;

	if (doc_get_string(entry->body, key, key, &text, err) != 0)
		return -1;
	if (text != NULL && text[0] != '\0')
		*out = arena_strndup(entry->arena, text, strlen(text));
	return 0;
}

/* A relative path starts in the folder of the kubeconfig. */
static const char *
beside(const struct entry *entry, const char *path)
{
	const char *slash = strrchr(entry->path, '/');

	if (path[0] == '/' || slash == NULL)
		return path;
	return arena_printf(entry->arena, "%.*s/%s", (int)(slash - entry->path),
	    entry->path, path);
}

static int
get_path(const struct entry *entry, const char *key, const char **out,
    struct err *err)
{
	const char *path = NULL;

	if (get_text(entry, key, &path, err) != 0)
		return -1;
	if (path != NULL)
		*out = beside(entry, path);
	return 0;
}

/* key: the file; key "-data": its content in base64. */
static int
get_secret(const struct entry *entry, const char *key, struct api_secret *out,
    struct err *err)
{
	const char *data_key = arena_printf(entry->arena, "%s-data", key);
	char AUTOFREE *decoded = NULL;
	const char *data = NULL;
	size_t len;

	if (get_path(entry, key, &out->file, err) != 0 ||
	    get_text(entry, data_key, &data, err) != 0)
		return -1;
	if (data == NULL)
		return 0;
	decoded = base64_decode(data, strlen(data), &len);
	if (decoded == NULL)
		return doc_errf(err, doc_get(entry->body, data_key),
		    "%s is not base64", data_key);
	out->data = arena_strndup(entry->arena, decoded, len);
	return 0;
}

static bool
is_given(const struct api_secret *secret)
{
	return secret->data != NULL || secret->file != NULL;
}

/*
 * exec
 */

/* Texts; path: of the list, in errors. */
static int
get_list(const struct entry *entry, const char *key, const char *path,
    const char ***out, size_t *n, struct err *err)
{
	const struct doc_node *array = NULL;

	if (doc_get_array(entry->body, key, path, &array, err) != 0)
		return -1;
	if (array == NULL)
		return 0;
	*out = arena_array(entry->arena, const char *, array->count);
	EACH_CHILD (item, array) {
		if (item->kind != DOC_STRING)
			return doc_errf(err, item, "%s must be strings, not %s",
			    path, doc_kind_name(item->kind));
		(*out)[(*n)++] =
		    arena_strndup(entry->arena, item->text, strlen(item->text));
	}
	return 0;
}

static int
get_env(const struct entry *entry, struct exec_config *exec, struct err *err)
{
	const struct doc_node *array = NULL;
	const char *name, *value;

	if (doc_get_array(entry->body, "env", "exec.env", &array, err) != 0)
		return -1;
	if (array == NULL)
		return 0;
	exec->env = arena_array(entry->arena, struct exec_env, array->count);
	EACH_CHILD (item, array) {
		name = value = "";
		if (doc_get_members(item, "exec.env[].", err, "name:s value:s",
			&name, &value) != 0)
			return -1;
		exec->env[exec->nenv++] = (struct exec_env){
			arena_strndup(entry->arena, name, strlen(name)),
			arena_strndup(entry->arena, value, strlen(value)),
		};
	}
	return 0;
}

/* The cluster's settings for exec programs, which only they understand. */
static int
get_cluster_config(const struct entry *cluster, struct exec_config *exec,
    struct err *err)
{
	static const char name[] = "client.authentication.k8s.io/exec";
	const struct doc_node *array = NULL, *value;
	struct text text = { 0 };
	const char *is;

	if (doc_get_array(cluster->body, "extensions", "extensions", &array,
		err) != 0)
		return -1;
	EACH_CHILD (item, array) {
		is = "";
		if (doc_get_string(item, "name", "extensions[].name", &is,
			err) != 0)
			return -1;
		value = doc_get(item, "extension");
		if (strcmp(is, name) != 0 || value == NULL)
			continue;
		json_put_node(&text, value);
		exec->cluster_config =
		    arena_strndup(cluster->arena, text.bytes, text.len);
		text_fini(&text);
	}
	return 0;
}

static int
check_exec(const struct entry *entry, struct exec_config *exec,
    const char *mode, struct err *err)
{
	if (exec->command == NULL)
		return doc_errf(err, entry->body, "exec.command is missing");
	if (exec->api_version == NULL)
		return doc_errf(err, entry->body, "exec.apiVersion is missing");
	if (strcmp(exec->api_version, "client.authentication.k8s.io/v1") != 0 &&
	    strcmp(exec->api_version, "client.authentication.k8s.io/v1beta1") !=
		0)
		return doc_errf(err, doc_get(entry->body, "apiVersion"),
		    "exec.apiVersion %s is not supported", exec->api_version);
	if (mode != NULL && strcmp(mode, "Always") == 0)
		return doc_errf(err, doc_get(entry->body, "interactiveMode"),
		    "exec.interactiveMode Always is not supported: the "
		    "process has no terminal");
	/* A bare name is looked up in PATH. */
	if (strchr(exec->command, '/') != NULL)
		exec->command = beside(entry, exec->command);
	return 0;
}

static int
get_exec(const struct entry *user, const struct entry *cluster,
    struct api_config *config, struct err *err)
{
	struct entry entry = { .path = user->path, .arena = user->arena };
	const char *mode = NULL;
	struct exec_config *exec;

	if (doc_get_object(user->body, "exec", "exec", &entry.body, err) != 0)
		return -1;
	if (entry.body == NULL)
		return 0;
	exec = config->exec = arena_zalloc(entry.arena, sizeof(*exec));
	if (get_text(&entry, "apiVersion", &exec->api_version, err) != 0 ||
	    get_text(&entry, "command", &exec->command, err) != 0 ||
	    get_text(&entry, "installHint", &exec->install_hint, err) != 0 ||
	    get_text(&entry, "interactiveMode", &mode, err) != 0 ||
	    doc_get_bool(entry.body, "provideClusterInfo",
		"exec.provideClusterInfo", &exec->provide_cluster_info,
		err) != 0 ||
	    get_list(&entry, "args", "exec.args", &exec->args, &exec->nargs,
		err) != 0 ||
	    get_env(&entry, exec, err) != 0 ||
	    get_cluster_config(cluster, exec, err) != 0)
		return -1;
	return check_exec(&entry, exec, mode, err);
}

/* ---- clusters and users ---- */

static int
get_cluster(const struct entry *cluster, struct api_config *config,
    struct err *err)
{
	if (get_text(cluster, "server", &config->server, err) != 0 ||
	    get_text(cluster, "tls-server-name", &config->tls_server_name,
		err) != 0 ||
	    get_text(cluster, "proxy-url", &config->proxy_url, err) != 0 ||
	    doc_get_bool(cluster->body, "insecure-skip-tls-verify",
		"insecure-skip-tls-verify", &config->insecure, err) != 0 ||
	    get_secret(cluster, "certificate-authority", &config->ca, err) != 0)
		return -1;
	if (config->insecure && is_given(&config->ca))
		return doc_errf(err, cluster->body,
		    "certificate-authority and insecure-skip-tls-verify are "
		    "mutually exclusive");
	return 0;
}

static int
get_user(const struct entry *user, const struct entry *cluster,
    struct api_config *config, struct err *err)
{
	if (get_secret(user, "client-certificate", &config->certificate, err) !=
		0 ||
	    get_secret(user, "client-key", &config->key, err) != 0 ||
	    get_text(user, "token", &config->token, err) != 0 ||
	    get_path(user, "tokenFile", &config->token_file, err) != 0 ||
	    get_text(user, "username", &config->username, err) != 0 ||
	    get_text(user, "password", &config->password, err) != 0 ||
	    get_text(user, "as", &config->as, err) != 0 ||
	    get_list(user, "as-groups", "as-groups", &config->as_groups,
		&config->nas_groups, err) != 0 ||
	    get_exec(user, cluster, config, err) != 0)
		return -1;
	if (doc_get(user->body, "auth-provider") != NULL)
		return doc_errf(err, doc_get(user->body, "auth-provider"),
		    "auth-provider is not supported: use exec");
	if (is_given(&config->certificate) != is_given(&config->key))
		return doc_errf(err, user->body,
		    "client-certificate and "
		    "client-key must be given together");
	if (config->username != NULL &&
	    (config->token != NULL || config->token_file != NULL))
		return doc_errf(err, user->body,
		    "username and token are mutually "
		    "exclusive");
	return 0;
}

/* "context "x" does not exist; there are a, b and c". */
static int
fail_without_context(const struct files *files, const char *name,
    struct err *err)
{
	struct text names = { 0 };
	size_t n = 0;
	char AUTOFREE *list = NULL;

	for (size_t i = 0; i < files->n; i++) {
		const struct doc_node *array = NULL;

		doc_get_array(files->list[i].root, "contexts", "", &array,
		    NULL);
		EACH_CHILD (item, array) {
			const char *is = "";

			doc_get_string(item, "name", "name", &is, NULL);
			if (is[0] == '\0' || n++ >= CONTEXTS_SHOWN)
				continue;
			text_put(&names, n > 1 ? ", " : "");
			text_put(&names, is);
		}
	}
	if (n > CONTEXTS_SHOWN)
		text_put(&names, ", ...");
	list = text_take(&names);
	return errf(err, "%s: context \"%s\" does not exist%s%s",
	    files->list[0].path, name,
	    n == 0     ? "" :
		n == 1 ? "; there is only " :
			 "; there are ",
	    list);
}

static int
get_context(const struct files *files, const char *wanted,
    struct entry *context, struct err *err)
{
	const char *name = wanted;

	for (size_t i = 0; i < files->n && (name == NULL || name[0] == '\0');
	     i++)
		if (doc_get_string(files->list[i].root, "current-context",
			"current-context", &name, err) != 0)
			return -1;
	if (name == NULL || name[0] == '\0')
		return errf(err, "%s: current-context is not set",
		    files->list[0].path);
	if (find(files, "contexts", "context", name, context, err) != 0)
		return -1;
	if (context->body == NULL)
		return fail_without_context(files, name, err);
	return 0;
}

/* The entry that a context names by key. */
static int
get_named(const struct files *files, const struct entry *context,
    const char *list, const char *key, struct entry *out, struct err *err)
{
	const char *name = "";

	if (doc_get_string(context->body, key, key, &name, err) != 0)
		return -1;
	if (name[0] == '\0')
		return 0;
	if (find(files, list, key, name, out, err) != 0)
		return -1;
	if (out->body == NULL)
		return doc_errf(err, doc_get(context->body, key),
		    "%s \"%s\" does not exist", key, name);
	return 0;
}

static int
read_config(const struct files *files, const struct api_source *source,
    struct api_config *config, struct err *err)
{
	struct entry context = { .arena = &config->arena };
	struct entry cluster = context, user = context;
	const char **names =
	    arena_array(&config->arena, const char *, files->n);

	for (size_t i = 0; i < files->n; i++)
		names[i] = files->list[i].path;
	config->source = arena_join(&config->arena, files->n, names, ":");
	if (get_context(files, source->context, &context, err) != 0 ||
	    get_text(&context, "namespace", &config->namespace, err) != 0 ||
	    get_named(files, &context, "clusters", "cluster", &cluster, err) !=
		0 ||
	    get_named(files, &context, "users", "user", &user, err) != 0)
		return -1;
	if (cluster.body == NULL)
		return doc_errf(err, context.body,
		    "the context has no cluster");
	if (get_cluster(&cluster, config, err) != 0)
		return -1;
	/* Who names no user is anonymous. */
	return user.body != NULL ? get_user(&user, &cluster, config, err) : 0;
}

static struct api_config *
new_config(void)
{
	struct api_config *config = xcalloc(1, sizeof(*config));

	config->namespace = "default";
	return config;
}

struct api_config *
api_config_in_cluster(const char *root)
{
	const char *host = getenv("KUBERNETES_SERVICE_HOST");
	const char *port = getenv("KUBERNETES_SERVICE_PORT");
	char AUTOFREE *token = xasprintf("%s" SERVICE_ACCOUNT "token", root);
	struct api_config *config;
	bool six;

	if (host == NULL || port == NULL || host[0] == '\0' ||
	    port[0] == '\0' || access(token, F_OK) != 0)
		return NULL;
	six = strchr(host, ':') != NULL;
	config = new_config();
	config->source = "in-cluster";
	config->server = arena_printf(&config->arena, "https://%s%s%s:%s",
	    six ? "[" : "", host, six ? "]" : "", port);
	config->token_file = arena_printf(&config->arena, "%s", token);
	config->ca.file =
	    arena_printf(&config->arena, "%s" SERVICE_ACCOUNT "ca.crt", root);
	return config;
}

/* ~/.kube/config, if it exists. */
static int
open_usual(struct files *files, struct err *err)
{
	const char *home = getenv("HOME");
	char AUTOFREE *path = NULL;

	if (home == NULL)
		return 0;
	path = xasprintf("%s/.kube/config", home);
	return open_list(files, path, err);
}

/* Fills files, or *in_cluster, from the first of the places that has any. */
static int
open_files(const struct api_source *source, struct files *files,
    struct api_config **in_cluster, struct err *err)
{
	const char *list = getenv("KUBECONFIG");
	bool has_list = list != NULL && list[0] != '\0';

	if (source->kubeconfig != NULL && source->kubeconfig[0] != '\0') {
		if (open_file(files, source->kubeconfig, err) != 0)
			return -1;
		if (files->n == 0)
			return errf(err, "%s: the file is empty",
			    source->kubeconfig);
		return 0;
	}
	if (has_list && open_list(files, list, err) != 0)
		return -1;
	if (source->as_kubectl && !has_list && open_usual(files, err) != 0)
		return -1;
	if (files->n > 0)
		return 0;
	*in_cluster = api_config_in_cluster("");
	if (*in_cluster != NULL || source->as_kubectl)
		return 0;
	return open_usual(files, err);
}

/* Without a scheme a server is http, as in client-go. */
static int
settle_server(const struct api_source *source, struct api_config *config,
    struct err *err)
{
	const char *master = source->master;
	size_t len;

	if (master != NULL && master[0] != '\0')
		config->server = master;
	if (config->server == NULL)
		return errf(err, "%s: the cluster has no server",
		    config->source);
	if (strstr(config->server, "://") == NULL)
		config->server =
		    arena_printf(&config->arena, "http://%s", config->server);
	if (strncmp(config->server, "https://", 8) != 0 &&
	    strncmp(config->server, "http://", 7) != 0)
		return errf(err, "%s: server \"%s\" is neither http nor https",
		    config->source, config->server);
	len = strlen(config->server);
	while (len > 0 && config->server[len - 1] == '/')
		len--;
	config->server = arena_strndup(&config->arena, config->server, len);
	return 0;
}

static int
load(const struct api_source *source, struct files *files,
    struct api_config **out, struct err *err)
{
	if (open_files(source, files, out, err) != 0)
		return -1;
	if (files->n > 0) {
		*out = new_config();
		if (read_config(files, source, *out, err) != 0)
			return -1;
	}
	if (*out == NULL && source->master != NULL &&
	    source->master[0] != '\0') {
		*out = new_config();
		(*out)->source = "--master";
	}
	if (*out == NULL)
		return errf(err,
		    "no API server is configured: give --kubeconfig or "
		    "$KUBECONFIG, or run in a pod");
	return settle_server(source, *out, err);
}

int
api_config_load(const struct api_source *source, struct api_config **out,
    struct err *err)
{
	struct files files = { 0 };
	struct api_config *config = NULL;
	int result = load(source, &files, &config, err);

	close_files(&files);
	if (result != 0) {
		api_config_free(config);
		return -1;
	}
	*out = config;
	return 0;
}

bool
api_config_exists(const struct api_source *source)
{
	struct files files = { 0 };
	struct api_config *in_cluster = NULL;
	bool broken = open_files(source, &files, &in_cluster, NULL) != 0;
	bool exists = broken || files.n > 0 || in_cluster != NULL;

	close_files(&files);
	api_config_free(in_cluster);
	return exists;
}

char *
api_config_risk(const struct api_config *config)
{
	bool plain = strncmp(config->server, "http://", 7) == 0;

	if (plain &&
	    (config->token != NULL || config->token_file != NULL ||
		config->password != NULL || config->exec != NULL))
		return xasprintf(
		    "%s: credentials are sent to %s over plain "
		    "HTTP, where anyone on the network can read them",
		    config->source, config->server);
	if (!plain && config->insecure)
		return xasprintf(
		    "%s: insecure-skip-tls-verify: the "
		    "certificate of %s is not verified, so any server that "
		    "takes its place receives the credentials",
		    config->source, config->server);
	return NULL;
}
