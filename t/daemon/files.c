/*
 * Every file that the daemon reads while it runs can be replaced by something
 * else.  Nothing there blocks the event loop, is read without end or fills the
 * memory: it is an error that says why.
 */
#include "config.h"

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire/api/credentials.h"
#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "policy/configuration/configuration.h"
#include "wire/http/auth.h"
#include "wire/http/server.h"
#include "policy/policy.h"
#include "t/lib/t.h"

#define BLOCKED_SECONDS 20
#define MAX_BYTES 1000

static char folder[] = "/tmp/predicated-files-XXXXXX";

/* ---- what reads files: NULL if it takes the file, or its error; you own it ---- */

static char *
result_of(int result, const struct err *err)
{
	return result == 0 ? NULL : xstrdup(err->text);
}

static char *
as_any(const char *path)
{
	struct err err = { "" };
	size_t len;
	AUTOFREE char *text = file_load(path, MAX_BYTES, &len, NULL, &err);

	return result_of(text != NULL ? 0 : -1, &err);
}

static char *
as_policy(const char *path)
{
	struct err err = { "" };
	size_t len;
	AUTOFREE char *text = policy_file_text(path, &len, &err);

	return result_of(text != NULL ? 0 : -1, &err);
}

static char *
as_extender_authority(const char *path)
{
	AUTOFREE char *text = xasprintf(
	    "{\"kind\": \"Policy\", \"apiVersion\": \"v1\", \"extenders\": "
	    "[{\"urlPrefix\": \"https://x\", \"filterVerb\": \"f\", "
	    "\"enableHttps\": true, \"tlsConfig\": {\"caFile\": \"%s\"}}]}",
	    path);
	struct policy_options options = { 0 };
	struct problems problems = { 0 };
	struct err err = { "" };
	struct profile *profile = policy_read("policy", text, strlen(text),
	    &options, &problems, &err);
	int result = profile != NULL ? 0 : -1;

	profile_free(profile);
	problems_fini(&problems);
	return result_of(result, &err);
}

static char *
as_kubeconfig(const char *path)
{
	struct err err = { "" };
	struct api_config *config = NULL;
	int result = api_config_load(&(struct api_source){ .kubeconfig = path },
	    &config, &err);

	api_config_free(config);
	return result_of(result, &err);
}

static char *
as_token(const char *path)
{
	struct api_config config = { .server = "https://x",
		.token_file = path };
	struct err err = { "" };

	return result_of(credentials_validate(&config, &err), &err);
}

static char *
as_authority(const char *path)
{
	struct api_config config = { .server = "https://x",
		.ca = { .file = path } };
	struct err err = { "" };

	return result_of(credentials_validate(&config, &err), &err);
}

static char *
as_client_certificate(const char *path)
{
	struct api_config config = { .server = "https://x",
		.certificate = { .file = path },
		.key = { .file = path } };
	struct err err = { "" };

	return result_of(credentials_validate(&config, &err), &err);
}

static char *
as_client_authority(const char *path)
{
	struct auth_options options = { .client_ca_file = path };
	struct err err = { "" };

	return result_of(auth_check_options(&options, &err), &err);
}

static char *
as_server_certificate(const char *path)
{
	struct server_options options = { .cert_file = path, .key_file = path };
	struct err err = { "" };

	return result_of(server_check_options(&options, &err), &err);
}

static const struct {
	const char *name;
	char *(*read)(const char *path);
} readers[] = {
	{ "any", as_any },
	{ "policy", as_policy },
	{ "extender's authority", as_extender_authority },
	{ "kubeconfig", as_kubeconfig },
	{ "token", as_token },
	{ "API server's authority", as_authority },
	{ "client certificate", as_client_certificate },
	{ "authority of clients", as_client_authority },
	{ "server certificate", as_server_certificate },
};

/* ---- what is there ---- */

static void
make_fifo(const char *path)
{
	if (mkfifo(path, 0600) != 0)
		abort();
}

static void
make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		abort();
	close(fd);
}

static void
make_device(const char *path)
{
	if (symlink("/dev/zero", path) != 0)
		abort();
}

static void
make_folder(const char *path)
{
	if (mkdir(path, 0700) != 0)
		abort();
}

static void
make_huge(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	if (ftruncate(fd, (off_t)3 << 30) != 0)
		abort();
	close(fd);
}

static void
make_nothing(const char *path)
{
}

static void
what_is_not_a_file_is_refused(void)
{
	static const struct {
		const char *name;
		void (*make)(const char *path);
		const char *why;
	} rows[] = {
		{ "FIFO", make_fifo, "not a regular file" },
		{ "device", make_device, "not a regular file" },
		{ "socket", make_socket, "no such device or address" },
		{ "folder", make_folder, "is a directory" },
		{ "huge", make_huge, "larger than the limit of " },
		{ "missing", make_nothing, "" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *path = xasprintf("%s/%zu", folder, i);

		rows[i].make(path);
		for (size_t r = 0; r < LENGTH(readers); r++) {
			AUTOFREE char *name =
			    xasprintf("%s, %s", readers[r].name, rows[i].name);
			AUTOFREE char *why = NULL;

			alarm(BLOCKED_SECONDS); /* ends the test */
			why = readers[r].read(path);
			alarm(0);
			if (t_true(name, why != NULL)) {
				t_has(name, why, path);
				t_has(name, why, rows[i].why);
			}
		}
		remove(path);
	}
}

static void
a_file_is_read_to_its_limit(void)
{
	AUTOFREE char *path = xasprintf("%s/file", folder);
	AUTOFREE char *link = xasprintf("%s/link", folder);
	AUTOFREE char *text = NULL;
	FILE *file = fopen(path, "w");
	struct stat seen, now;
	size_t len = 0;

	if (file == NULL || symlink("file", link) != 0)
		abort();
	fprintf(file, "%*s", MAX_BYTES, "x");
	fclose(file);
	text = file_load(link, MAX_BYTES, &len, &seen, NULL);
	if (t_true("through a link", text != NULL))
		t_int("its end", text[MAX_BYTES], '\0');
	t_int("all of it", len, MAX_BYTES);
	stat(path, &now);
	t_true("its state", file_same(&now, &seen));
	t_true("a byte less is too little",
	    file_load(path, MAX_BYTES - 1, &len, NULL, NULL) == NULL);
	free(text);
	text = file_load("/proc/self/stat", MAX_BYTES, &len, NULL, NULL);
	t_true("a file that says it is empty", text != NULL && len > 0);
	free(text);
	text = file_load("/dev/null", MAX_BYTES, &len, NULL, NULL);
	t_true("for nothing", text != NULL && len == 0);
	unlink(link);
	unlink(path);
}

int
main(void)
{
	static const struct t_test tests[] = {
		T(what_is_not_a_file_is_refused),
		T(a_file_is_read_to_its_limit),
	};
	int result;

	if (mkdtemp(folder) == NULL)
		return 99;
	result = t_run(tests, LENGTH(tests));
	rmdir(folder);
	return result;
}
