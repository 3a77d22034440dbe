#include "config.h"

#include "wire/api/kubeconfig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static char dir[] = "/tmp/predicated-kubeconfig-XXXXXX";

static char *
put_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
	return path;
}

/* Nothing but the variables of a test. */
static void
bare_environment(void)
{
	unsetenv("KUBECONFIG");
	unsetenv("KUBERNETES_SERVICE_HOST");
	unsetenv("KUBERNETES_SERVICE_PORT");
	setenv("HOME", "/nonexistent", 1);
}

/* Everything around the entries of one cluster and one user. */
#define CONFIG(cluster, user)                                                  \
	"apiVersion: v1\nkind: Config\n"                                       \
	"clusters: [{name: c, cluster: {" cluster "}}]\n"                      \
	"users: [{name: u, user: {" user "}}]\n"                               \
	"contexts: [{name: x, context: {cluster: c, user: u}}]\n"              \
	"current-context: x\n"

static struct api_config *
load(const char *text, struct err *err)
{
	char AUTOFREE *path = put_file("config", text);
	struct api_config *config = NULL;

	err->text[0] = '\0';
	api_config_load(&(struct api_source){ .kubeconfig = path }, &config,
	    err);
	return config;
}

static void
everything_is_read(void)
{
	struct err err;
	struct api_config *config = load(
	    CONFIG("server: 'https://h:6443/p/', certificate-authority: ca.crt,"
		   "tls-server-name: t, proxy-url: 'http://proxy:3128',"
		   "disable-compression: true",
		"client-certificate: /abs/c.crt, client-key-data: a2V5,"
		"tokenFile: sub/token, token: secret, as: somebody,"
		"as-groups: [g1, g2]"),
	    &err);
	char AUTOFREE *ca = xasprintf("%s/ca.crt", dir);
	char AUTOFREE *token = xasprintf("%s/sub/token", dir);

	t_str("no error", err.text, "");
	if (config == NULL)
		return;
	t_str("server, without a final slash", config->server,
	    "https://h:6443/p");
	t_str("relative to the file", config->ca.file, ca);
	t_str("name", config->tls_server_name, "t");
	t_str("proxy", config->proxy_url, "http://proxy:3128");
	t_str("absolute", config->certificate.file, "/abs/c.crt");
	t_str("inline", config->key.data, "key");
	t_str("token file", config->token_file, token);
	t_str("token", config->token, "secret");
	t_str("as", config->as, "somebody");
	t_int("groups", config->nas_groups, 2);
	t_str("group", config->as_groups[1], "g2");
	t_str("namespace", config->namespace, "default");
	api_config_free(config);
}

static void
exec_is_read(void)
{
	struct err err;
	struct api_config *config = load(
	    CONFIG("server: 'https://h',"
		   "extensions: [{name: client.authentication.k8s.io/exec,"
		   "extension: {audience: x}}]",
		"exec: {apiVersion: client.authentication.k8s.io/v1,"
		"command: ./login, args: [a, b], env: [{name: NAME, value: V}],"
		"provideClusterInfo: true, interactiveMode: Never,"
		"installHint: get it}"),
	    &err);
	char AUTOFREE *command = xasprintf("%s/./login", dir);

	t_str("no error", err.text, "");
	if (config == NULL)
		return;
	t_str("beside the file", config->exec->command, command);
	t_int("args", config->exec->nargs, 2);
	t_str("env", config->exec->env[0].value, "V");
	t_true("info", config->exec->provide_cluster_info);
	t_str("for the program", config->exec->cluster_config,
	    "{\"audience\":\"x\"}");
	api_config_free(config);
}

static void
what_cannot_work_is_refused(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		/* clang-format off */
		{ CONFIG("server: 'https://h', certificate-authority: a,"
		    "insecure-skip-tls-verify: true", ""),
		    "config:3:31: certificate-authority and "
		    "insecure-skip-tls-verify are mutually exclusive" },
		{ CONFIG("server: 'https://h'", "client-certificate: a"),
		    "client-certificate and client-key must be given together" },
		{ CONFIG("server: 'https://h'", "client-key-data: '%'"),
		    "config:4:43: client-key-data is not base64" },
		{ CONFIG("server: 'https://h'", "username: a, token: b"),
		    "username and token are mutually exclusive" },
		{ CONFIG("server: 'ftp://h'", ""),
		    "server \"ftp://h\" is neither http nor https" },
		{ CONFIG("server: 5", ""),
		    "config:3:40: server must be a string, not a number" },
		{ CONFIG("proxy-url: ''", ""), "the cluster has no server" },
		{ CONFIG("server: h", "exec: {command: c, apiVersion: "
		    "client.authentication.k8s.io/v1alpha1}"),
		    "exec.apiVersion client.authentication.k8s.io/v1alpha1 is "
		    "not supported" },
		{ CONFIG("server: h", "exec: {apiVersion: "
		    "client.authentication.k8s.io/v1}"),
		    "exec.command is missing" },
		{ CONFIG("server: h", "exec: {command: c, interactiveMode: "
		    "Always, apiVersion: client.authentication.k8s.io/v1}"),
		    "process has no terminal" },
		{ CONFIG("server: h", "auth-provider: {name: oidc}"),
		    "auth-provider is not supported: use exec" },
		{ "current-context: why\n", "context \"why\" does not exist" },
		{ "current-context: why\ncontexts: [{name: a}, {x: y}, {name: b}]",
		    "context \"why\" does not exist; there are a, b" },
		{ "current-context: why\ncontexts: [{name: a}]",
		    "does not exist; there is only a" },
		{ "current-context: why\ncontexts: 5",
		    "contexts must be an array" },
		{ "contexts: []\n", "current-context is not set" },
		{ "current-context: why\ncontexts: [{name: why, context: "
		    "{cluster: z}}]\n",
		    "config:2:43: cluster \"z\" does not exist" },
		{ "current-context: why\ncontexts: [{name: why}]\n",
		    "context is missing" },
		{ "[]", "a kubeconfig must be an object, not an array" },
		{ "a: [\n", "config:2:1" },
		{ "# empty\n", "the file is empty" },
		/* clang-format on */
	};
	struct err err;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct api_config *config = load(rows[i].text, &err);

		t_true(rows[i].want, config == NULL);
		t_has(rows[i].want, err.text, rows[i].want);
		api_config_free(config);
	}
	t_int("no such file",
	    api_config_load(&(struct api_source){ .kubeconfig =
						      "/nonexistent/config" },
		NULL, &err),
	    -1);
	t_has("no such file", err.text, "/nonexistent/config");
}

static void
the_first_file_wins(void)
{
	char AUTOFREE *a = put_file("a",
	    "current-context: two\n"
	    "users: [{name: u, user: {token: first}}]\n");
	char AUTOFREE *b = put_file("b",
	    "current-context: one\n"
	    "clusters: [{name: c, cluster: {server: 'https://b'}}]\n"
	    "users: [{name: u, user: {token: second, as: x}}]\n"
	    "contexts: [{name: one, context: {cluster: c}}, {name: two,"
	    "context: {cluster: c, user: u, namespace: ns}}]\n");
	char AUTOFREE *list = xasprintf("%s:/nonexistent::%s", a, b);
	char AUTOFREE *source = xasprintf("%s:%s", a, b);
	struct api_config *config = NULL;
	struct err err = { "" };

	bare_environment();
	setenv("KUBECONFIG", list, 1);
	api_config_load(&(struct api_source){ 0 }, &config, &err);
	t_str("no error", err.text, "");
	if (config == NULL)
		return;
	t_str("source", config->source, source);
	t_str("cluster of the second", config->server, "https://b");
	t_str("user of the first", config->token, "first");
	t_str("alone", config->as, NULL);
	t_str("namespace", config->namespace, "ns");
	api_config_free(config);
	config = NULL;
	api_config_load(&(struct api_source){ .context = "one",
			    .master = "10.0.0.1:8080/" },
	    &config, &err);
	t_str("no user", config->token, NULL);
	t_str("another server", config->server, "http://10.0.0.1:8080");
	api_config_free(config);
	bare_environment();
}

static void
pods_find_their_service_account(void)
{
	char AUTOFREE *path =
	    xasprintf("%s/var/run/secrets/kubernetes.io/serviceaccount", dir);
	char AUTOFREE *command = xasprintf("mkdir -p %s", path);
	struct api_config *config;
	char *token;

	bare_environment();
	t_true("not in a pod", api_config_in_cluster(dir) == NULL);
	setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
	setenv("KUBERNETES_SERVICE_PORT", "443", 1);
	t_true("without a token", api_config_in_cluster(dir) == NULL);
	t_int("folder", system(command), 0);
	token =
	    put_file("var/run/secrets/kubernetes.io/serviceaccount/token", "t");
	config = api_config_in_cluster(dir);
	t_true("in a pod", config != NULL);
	if (config != NULL) {
		t_str("server", config->server, "https://[fd00::1]:443");
		t_str("token", config->token_file, token);
		t_has("ca", config->ca.file, "/serviceaccount/ca.crt");
	}
	api_config_free(config);
	free(token);
	bare_environment();
}

static void
without_anything_there_is_no_server(void)
{
	struct api_config *config = NULL;
	struct err err = { "" };

	bare_environment();
	t_int("nothing",
	    api_config_load(&(struct api_source){ 0 }, &config, &err), -1);
	t_has("nothing", err.text, "no API server is configured");
	t_int("master alone",
	    api_config_load(&(struct api_source){ .master = "https://h" },
		&config, &err),
	    0);
	if (config != NULL)
		t_str("server", config->server, "https://h");
	api_config_free(config);
}

/* ~/.kube/config counts only without $KUBECONFIG, and before the service
 * account. */
static void
kubectl_looks_elsewhere(void)
{
	const struct api_source daemon = { .kubeconfig = NULL };
	const struct api_source kubectl = { .as_kubectl = true };
	const struct api_source given = { .kubeconfig = "/nonexistent/config",
		.as_kubectl = true };
	char AUTOFREE *command = xasprintf("mkdir -p %s/.kube", dir);
	char AUTOFREE *path = NULL;
	struct api_config *config = NULL;

	bare_environment();
	t_true("nothing", !api_config_exists(&kubectl));
	t_true("a file that does not exist is an error",
	    api_config_exists(&given));
	t_int("folder", system(command), 0);
	path = put_file(".kube/config", CONFIG("server: 'https://home'", ""));
	setenv("HOME", dir, 1);
	t_true("at home", api_config_exists(&kubectl));
	t_int("at home", api_config_load(&kubectl, &config, NULL), 0);
	if (config != NULL)
		t_str("server", config->server, "https://home");
	api_config_free(config);
	setenv("KUBECONFIG", "/nonexistent/config", 1);
	t_true("not if $KUBECONFIG is set", !api_config_exists(&kubectl));
	t_true("which does not matter to the daemon",
	    api_config_exists(&daemon));
	bare_environment();
}

static void
remove_files(void)
{
	char AUTOFREE *command = xasprintf("rm -rf %s", dir);

	t_int("removed", system(command), 0);
}

int
main(void)
{
	static const struct t_test tests[] = { T(everything_is_read),
		T(exec_is_read), T(what_cannot_work_is_refused),
		T(the_first_file_wins), T(pods_find_their_service_account),
		T(without_anything_there_is_no_server),
		T(kubectl_looks_elsewhere), T(remove_files) };

	if (mkdtemp(dir) == NULL)
		return 99;
	bare_environment();
	return t_run(tests, LENGTH(tests));
}
