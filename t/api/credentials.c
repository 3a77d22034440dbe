#include "config.h"

#include "wire/api/credentials.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "wire/api/exec_plugin.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static char dir[] = "/tmp/predicated-credentials-XXXXXX";
static struct event_base *base;

static char *
put_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	char *temporary = xasprintf("%s.new", path);
	FILE *f = fopen(temporary, "w");

	/* As Kubernetes does it: never a half-written file. */
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0 ||
	    rename(temporary, path) != 0)
		abort();
	free(temporary);
	return path;
}

static char *
program(const char *name, const char *script)
{
	char *path = put_file(name, script);

	chmod(path, 0755);
	return path;
}

/*
 * exec
 */

static struct {
	int n;
	char *token, *certificate;
	int64_t expires;
	char *error;
} heard;

static void
on_exec(void *arg, struct exec_credential *credential, const char *error)
{
	free(heard.token);
	free(heard.certificate);
	free(heard.error);
	heard.token = heard.certificate = heard.error = NULL;
	if (credential != NULL) {
		heard.token = credential->token;
		heard.certificate = credential->certificate;
		heard.expires = credential->expires;
		free(credential->key);
	} else {
		heard.error = xstrdup(error);
	}
	heard.n++;
}

static void
run(const char *script, int64_t timeout_ms)
{
	char *path = program("exec", script);
	const char *args[] = { "one", "two words" };
	struct exec_env env[] = { { "GREETING", "hello" } };
	struct exec_config exec = { .api_version =
					"client.authentication.k8s.io/v1",
		.command = path,
		.args = args,
		.nargs = 2,
		.env = env,
		.nenv = 1,
		.install_hint = "get it",
		.provide_cluster_info = true };
	struct api_config config = { .server = "https://h", .exec = &exec };
	int n = heard.n;

	exec_start(base, &config, timeout_ms, on_exec, NULL);
	while (heard.n == n)
		event_base_loop(base, EVLOOP_ONCE);
	free(path);
}

#define ANSWER(status)                                                         \
	"#!/bin/sh\ncat <<END\n{\"kind\":\"ExecCredential\",\"apiVersion\":"   \
	"\"client.authentication.k8s.io/v1\",\"status\":{" status "}}\nEND\n"

static void
programs_give_credentials(void)
{
	run(ANSWER("\"token\":\"$GREETING-$2\","
		   "\"expirationTimestamp\":\"2020-01-01T00:00:00Z\""),
	    10000);
	t_str("no error", heard.error, NULL);
	t_str("arguments and environment", heard.token, "hello-two words");
	t_int("expires", heard.expires, 1577836800);
	run(ANSWER("\"clientCertificateData\":\"C\",\"clientKeyData\":\"K\""),
	    10000);
	t_str("certificate", heard.certificate, "C");
	run("#!/bin/sh\ncase $KUBERNETES_EXEC_INFO in\n"
	    "*'\"apiVersion\":\"client.authentication.k8s.io/v1\"'*'"
	    "\"interactive\":false'*'\"server\":\"https://h\"'*) exit 7;;\n"
	    "esac\n",
	    10000);
	t_has("info", heard.error, "exit status 7");
}

static void
broken_programs_are_explained(void)
{
	static const struct {
		const char *script, *want;
	} rows[] = {
		/* clang-format off */
		{ "#!/bin/sh\necho first >&2\necho log in first >&2\nexit 3\n",
		    "exit status 3: log in first; get it" },
		{ "#!/bin/sh\nkill -9 $$\n", "killed by signal 9" },
		{ "#!/bin/sh\n", "the command printed no output" },
		{ "#!/bin/sh\necho '{'\n", "ExecCredential:" },
		{ "#!/bin/sh\necho '{\"kind\":\"Pod\"}'\n",
		    "must be an ExecCredential of "
		    "client.authentication.k8s.io/v1" },
		{ ANSWER(""), "neither a token nor a certificate" },
		{ ANSWER("\"clientKeyData\":\"K\""), "given together" },
		{ ANSWER("\"token\":\"t\",\"expirationTimestamp\":\"soon\""),
		    "must be an RFC 3339 time" },
		{ "#!/bin/sh\nyes\n", "printed too much output" },
		{ "#!/nonexistent/sh\n", "No such file or directory" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		run(rows[i].script, 10000);
		t_has(rows[i].want, heard.error, rows[i].want);
		t_has("which one", heard.error, "/exec: ");
	}
	run("#!/bin/sh\nsleep 100 & sleep 100\n", 100);
	t_has("endless", heard.error, "the command timed out and was killed");
	on_exec(NULL, NULL, "");
	free(heard.error);
	heard.error = NULL;
}

/*
 * Credentials
 */

static int changes;

static void
on_change(void *arg)
{
	changes++;
}

static struct credentials *
new_credentials(const struct api_config *config)
{
	return credentials_new(base, config, on_change, NULL);
}

static void
a_rotated_token_is_read_again(void)
{
	char AUTOFREE *path = put_file("token", "one\n");
	struct api_config config = { .token_file = path, .token = "zero" };
	struct credentials *credentials = new_credentials(&config);
	struct err err = { "" };

	t_int("ready", credentials_check(credentials, &err), CREDENTIALS_READY);
	t_str("the file wins", credentials_authorization(credentials),
	    "Bearer one");
	free(put_file("token", "two\n"));
	t_true("changed", credentials_rejected(credentials));
	t_str("now", credentials_authorization(credentials), "Bearer two");
	t_true("no change", !credentials_rejected(credentials));
	unlink(path);
	t_true("gone", !credentials_rejected(credentials));
	t_str("stays", credentials_authorization(credentials), "Bearer two");
	t_int("connections may stay", credentials_generation(credentials), 0);
	credentials_free(credentials);
}

static void
what_is_missing_fails(void)
{
	struct api_config no_token = { .token_file = "/nonexistent/t" };
	struct api_config no_ca = { .ca = { .file = "/nonexistent/ca" } };
	struct api_config bad = { .certificate = { .data = "x" },
		.key = { .data = "y" } };
	struct api_config plain = { .username = "u", .password = "p" };
	struct credentials *credentials = new_credentials(&no_token);
	struct err err;

	t_int("token", credentials_check(credentials, &err),
	    CREDENTIALS_FAILED);
	t_has("token", err.text, "/nonexistent/t: no such file");
	credentials_free(credentials);
	credentials = new_credentials(&no_ca);
	t_int("ca", credentials_check(credentials, &err), CREDENTIALS_FAILED);
	t_has("ca", err.text, "/nonexistent/ca");
	credentials_free(credentials);
	credentials = new_credentials(&bad);
	t_int("pair", credentials_check(credentials, &err), CREDENTIALS_FAILED);
	t_has("pair", err.text, "the client certificate is not PEM");
	credentials_free(credentials);
	credentials = new_credentials(&plain);
	t_int("password", credentials_check(credentials, &err),
	    CREDENTIALS_READY);
	t_str("basic", credentials_authorization(credentials), "Basic dTpw");
	credentials_free(credentials);
}

static char *
read_text(const char *name)
{
	char AUTOFREE *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "r");
	char text[8192];
	size_t n = f != NULL ? fread(text, 1, sizeof(text), f) : 0;

	if (f != NULL)
		fclose(f);
	return xstrndup(text, n);
}

static void
make_pair(const char *name)
{
	char AUTOFREE *command = xasprintf(
	    "cd %s && openssl req -x509 "
	    "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
	    "-keyout %s.key -out %s.crt -subj /CN=%s -days 1 2>/dev/null",
	    dir, name, name, name);

	t_int("openssl", system(command), 0);
}

static void
a_certificate_waits_for_its_key(void)
{
	char AUTOFREE *certificate = xasprintf("%s/a.crt", dir);
	char AUTOFREE *key = xasprintf("%s/a.key", dir);
	struct api_config config = { .certificate = { .file = certificate },
		.key = { .file = key } };
	struct credentials *credentials;
	char *first, *second, *second_key;
	struct err err = { "" };
	unsigned generation;

	make_pair("a");
	make_pair("b");
	first = read_text("a.crt");
	second = read_text("b.crt");
	second_key = read_text("b.key");
	credentials = new_credentials(&config);
	t_int("ready", credentials_check(credentials, &err), CREDENTIALS_READY);
	t_str("no error", err.text, "");
	generation = credentials_generation(credentials);
	free(put_file("a.crt", second));
	t_true("no pair", !credentials_rejected(credentials));
	t_str("the old one stays", credentials_tls(credentials).certificate,
	    first);
	free(put_file("a.key", second_key));
	t_true("a pair", credentials_rejected(credentials));
	t_str("the new one", credentials_tls(credentials).certificate, second);
	t_int("for new connections", credentials_generation(credentials),
	    generation + 1);
	credentials_free(credentials);
	free(first);
	free(second);
	free(second_key);
}

static void
wait_for_change(struct credentials *credentials, struct err *err)
{
	int n = changes;

	t_int("pending", credentials_check(credentials, err),
	    CREDENTIALS_PENDING);
	while (changes == n)
		event_base_loop(base, EVLOOP_ONCE);
}

static void
exec_is_asked_again_when_rejected(void)
{
	char AUTOFREE *path = program("login",
	    "#!/bin/sh\ncd \"${0%/*}\"\n"
	    "echo x >>count\nn=$(wc -l <count)\n[ \"$n\" -lt 3 ] || exit 1\n"
	    "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":"
	    "\"client.authentication.k8s.io/v1beta1\",\"status\":"
	    "{\"token\":\"'$n'\"}}'\n");
	struct exec_config exec = { .command = path,
		.api_version = "client.authentication.k8s.io/v1beta1" };
	struct api_config config = { .server = "https://h", .exec = &exec };
	struct credentials *credentials = new_credentials(&config);
	struct err err;

	wait_for_change(credentials, &err);
	t_int("ready", credentials_check(credentials, &err), CREDENTIALS_READY);
	t_str("token", credentials_authorization(credentials), "Bearer 1");
	t_true("rejected", credentials_rejected(credentials));
	wait_for_change(credentials, &err);
	t_str("another", credentials_authorization(credentials), "Bearer 2");
	t_true("rejected again", credentials_rejected(credentials));
	wait_for_change(credentials, &err);
	t_int("it fails now", credentials_check(credentials, &err),
	    CREDENTIALS_FAILED);
	t_has("why", err.text, "exit status 1");
	credentials_free(credentials);
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
	static const struct t_test tests[] = { T(programs_give_credentials),
		T(broken_programs_are_explained),
		T(a_rotated_token_is_read_again), T(what_is_missing_fails),
		T(a_certificate_waits_for_its_key),
		T(exec_is_asked_again_when_rejected), T(remove_files) };
	int failed;

	if (mkdtemp(dir) == NULL)
		return 99;
	base = event_base_new();
	failed = t_run(tests, LENGTH(tests));
	event_base_free(base);
	return failed;
}
