#include "config.h"

#include "tool/input/live.h"

#include <event2/event.h>

#include "wire/api/client.h"
#include "wire/api/credentials.h"
#include "wire/api/kubeconfig.h"
#include "wire/api/list_page.h"
#include "wire/api/listing.h"
#include "wire/api/paths.h"
#include "wire/api/discovery.h"
#include "base/doc.h"
#include "base/text.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options.h"
#include "objects/kinds.h"
#include "policy/openshift.h"
#include "policy/policy.h"

#define CONNECT_MS 10000
#define ANSWER_MAX ((size_t)16 << 20) /* of single objects */

/* ---- the connection ---- */

struct connection {
	struct event_base *base;
	struct api_client *client;
	bool any_type; /* of responses, not JSON alone */
	bool failed;
	struct err *err; /* its reason */
};

/* Takes config. */
static int
connect_as(struct connection *c, const struct options *options,
    struct api_config *config, struct err *err)
{
	const int64_t timeout = options->request_timeout_ms;
	const struct api_options how = {
		.user_agent = "predicatectl",
		.timeout_ms = timeout,
		.connect_ms =
		    timeout > 0 && timeout < CONNECT_MS ? timeout : CONNECT_MS,
	};

	*c = (struct connection){ .err = err };
	if (credentials_validate(config, err) != 0) {
		api_config_free(config);
		return -1;
	}
	c->base = event_base_new();
	c->client = api_client_new(c->base, config, &how);
	return 0;
}

static int
open_connection(struct connection *c, const struct options *options,
    struct err *err)
{
	const struct api_source source = options_api_source(options);
	struct api_config *config;
	AUTOFREE char *risk = NULL;

	*c = (struct connection){ .err = err };
	if (api_config_load(&source, &config, err) != 0)
		return -1;
	risk = api_config_risk(config);
	if (risk != NULL)
		ctl_print("warning: %s", risk);
	return connect_as(c, options, config, err);
}

struct api_config *
live_daemon_config(const struct options *options)
{
	const struct api_source source = options_api_source(options);
	bool secure = strncmp(options->daemon, "https://", 8) == 0;
	struct api_config *config, kube = { 0 };
	size_t len = strlen(options->daemon);

	while (len > 0 && options->daemon[len - 1] == '/')
		len--;
	if (secure && api_config_exists(&source) &&
	    api_config_load(&source, &config, NULL) == 0)
		kube = *config;
	else
		config = xcalloc(1, sizeof(*config));
	*config = (struct api_config){
		.arena = kube.arena,
		.source = "--daemon",
		.namespace = "default",
		.certificate = kube.certificate,
		.key = kube.key,
		.insecure = secure && options->daemon_ca == NULL,
	};
	config->server = arena_strndup(&config->arena, options->daemon, len);
	if (kube.source != NULL)
		config->source = arena_printf(&config->arena, "%s%s",
		    kube.source,
		    options->daemon_ca == NULL &&
			    (kube.token != NULL || kube.token_file != NULL ||
				kube.exec != NULL) ?
			" (its token is sent with --daemon-ca only)" :
			"");
	if (!secure || options->daemon_ca == NULL)
		return config;
	config->ca.file =
	    arena_printf(&config->arena, "%s", options->daemon_ca);
	config->token = kube.token;
	config->token_file = kube.token_file;
	config->exec = kube.exec;
	return config;
}

static void
close_connection(struct connection *c)
{
	api_client_free(c->client);
	if (c->base != NULL)
		event_base_free(c->base);
}

/* Ends the loop; the first reason counts. */
static void
fail(struct connection *c, const char *what, const char *why)
{
	if (!c->failed)
		errf(c->err, "%s: %s%s", api_client_config(c->client)->server,
		    what, why);
	c->failed = true;
	event_base_loopbreak(c->base);
}

/* The same for a request without success. */
static void
fail_response(struct connection *c, const char *what,
    const struct api_response *response)
{
	const struct api_config *config = api_client_config(c->client);
	AUTOFREE char *whole = NULL;
	struct err why;

	api_explain(response, &why);
	/* The server does not know who we are, and for no reason of its own. */
	if ((response->status == 401 ||
		strstr(why.text, "\"system:anonymous\"") != NULL) &&
	    strstr(why.text, "the server runs without") == NULL)
		whole = xasprintf("%s; the credentials in %s are missing, "
				  "expired or not valid",
		    why.text, config->source);
	else if (c->any_type && response->status == 404 &&
	    strncmp(config->server, "http://", 7) == 0)
		whole = xasprintf("%s; the port without TLS has only health "
				  "and metrics",
		    why.text);
	fail(c, what, whole != NULL ? whole : why.text);
}

/* Runs until the work fails or ends the loop. */
static int
run(struct connection *c)
{
	if (!c->failed)
		event_base_dispatch(c->base);
	return c->failed ? -1 : 0;
}

/* ---- kinds ---- */

struct reading;

/* One kind: a row of api_kinds, or after those OpenShift's Scheduler object. */
struct job {
	struct reading *reading;
	const struct api_kind *kind;
	struct listing *listing;
};

#define NJOBS (OBJECT_KINDS + 1)

/* Only its names are used. */
static const struct api_kind scheduler_kind = {
	.kind = OBJECT_KINDS,
	.resource = "schedulers",
	.versions = (const char *const[]){ OPENSHIFT_VERSION, NULL },
};

struct reading {
	struct connection connection;
	const struct live_ops *ops;
	void *arg;
	struct live *live;
	struct job jobs[NJOBS];
	size_t nleft;          /* jobs that are not done */
	struct text forbidden; /* "services, replicasets" */
};

static void
on_object(void *arg, const struct arrival *arrival, const char *version)
{
	struct reading *r = ((struct job *)arg)->reading;
	struct err err;

	if (r->connection.failed)
		return;
	if (r->ops->take(r->arg, arrival, version, &err) != 0)
		fail(&r->connection, "", err.text);
}

static void ask_for_config_map(struct reading *r);

static void
on_listed(void *arg, const struct listing_end *end)
{
	struct job *job = arg;
	struct reading *r = job->reading;
	enum live_state state = end->status == 403 ? LIVE_FORBIDDEN :
	    end->version != NULL                   ? LIVE_LISTED :
						     LIVE_NOT_SERVED;
	bool required =
	    job->kind->kind == OBJECT_NODE || job->kind->kind == OBJECT_POD;
	AUTOFREE char *what =
	    xasprintf("cannot list %s: ", job->kind->resource);

	if (end->error != NULL && (required || state != LIVE_FORBIDDEN)) {
		fail(&r->connection, what, end->error);
		return;
	}
	if (required && state == LIVE_NOT_SERVED) {
		fail(&r->connection, what,
		    "they are not served; is it a Kubernetes API server?");
		return;
	}
	if (job->kind->kind < OBJECT_KINDS)
		r->live->states[job->kind->kind] = state;
	if (state == LIVE_FORBIDDEN)
		text_printf(&r->forbidden, "%s%s",
		    r->forbidden.len > 0 ? ", " : "", job->kind->resource);
	if (--r->nleft == 0)
		ask_for_config_map(r);
}

static void
begin_job(struct reading *r, const struct api_kind *kind, int64_t timeout_ms)
{
	static const struct listing_ops ops = { on_object, on_listed };
	struct job *job = &r->jobs[r->nleft++];

	*job = (struct job){ .reading = r, .kind = kind };
	job->listing = listing_new(r->connection.client,
	    &(struct listing_spec){ .resource = kind->resource,
		.versions = kind->versions,
		.timeout_ms = timeout_ms },
	    &ops, job);
}

/* ---- single objects ---- */

static void
send_request(struct connection *c, const char *method, const char *path,
    const char *body,
    void (*on_done)(void *arg, const struct api_response *response), void *arg)
{
	api_send(c->client,
	    &(struct api_request){ .lane = API_WATCHES,
		.method = method,
		.path = path,
		.body = body,
		.any_type = c->any_type,
		.max_answer = ANSWER_MAX,
		.on_done = on_done,
		.arg = arg });
}

static void
on_openshift_config_map(void *arg, const struct api_response *response)
{
	struct reading *r = arg;
	struct arrival arrival = { .kind = "ConfigMap" };
	struct err err;
	struct doc *doc;

	event_base_loopbreak(r->connection.base);
	/* openshift_profile() says that it is missing. */
	if (response->status == 403 || response->status == 404)
		return;
	if (response->status != 200) {
		fail_response(&r->connection,
		    "cannot get the policy: ", response);
		return;
	}
	doc = doc_parse("configmaps", response->body, response->len,
	    &doc_limits_people, &err);
	if (doc != NULL)
		arrival.root = doc_root(doc);
	if (doc == NULL || r->ops->take(r->arg, &arrival, "v1", &err) != 0)
		fail(&r->connection, "", err.text);
	doc_free(doc);
}

static void
ask_for_config_map(struct reading *r)
{
	const char *name = r->ops->config_map(r->arg);
	AUTOFREE char *path = NULL;

	if (name == NULL) {
		event_base_loopbreak(r->connection.base);
		return;
	}
	path = path_of_object("v1", OPENSHIFT_CONFIG, "configmaps", name, "");
	send_request(&r->connection, NULL, path, NULL, on_openshift_config_map,
	    r);
}

static void
on_version(void *arg, const struct api_response *response)
{
	struct reading *r = arg;

	event_base_loopbreak(r->connection.base);
	if (response->status == 200)
		r->live->minor = version_minor(response);
	else if (response->status != 403 && response->status != 404)
		fail_response(&r->connection, "", response);
}

/* ---- from outside ---- */

static int
read_all(struct reading *r, const struct options *options, int release)
{
	const int64_t timeout_ms = options->request_timeout_ms;
	const bool pod_files =
	    options->pod_file != NULL || options->command == COMMAND_DUMP;
	int minor;

	send_request(&r->connection, NULL, "/version", NULL, on_version, r);
	if (run(&r->connection) != 0)
		return -1;
	minor = options->kubernetes_minor != 0 ? options->kubernetes_minor :
						 r->live->minor;
	if (minor > release)
		release = minor;
	for (size_t i = 0; i < LENGTH(api_kinds); i++)
		if (api_kinds[i].since <= release &&
		    (api_kinds[i].need != KIND_FOR_POD_FILES || pod_files))
			begin_job(r, &api_kinds[i], timeout_ms);
	begin_job(r, &scheduler_kind, timeout_ms);
	if (run(&r->connection) != 0)
		return -1;
	if (r->forbidden.len > 0)
		ctl_print("warning: %s: not allowed to list %s, which count as "
			  "absent; a role needs get and list for them",
		    r->live->server, r->forbidden.bytes);
	return 0;
}

int
live_read(const struct options *options, int release,
    const struct live_ops *ops, void *arg, struct live *live, struct err *err)
{
	struct reading r = { .ops = ops, .arg = arg, .live = live };
	const struct api_config *config;
	int rc;

	*live = (struct live){ .minor = -1 };
	if (open_connection(&r.connection, options, err) != 0)
		return -1;
	config = api_client_config(r.connection.client);
	live->server = xstrdup(config->server);
	live->namespace = xstrdup(config->namespace);
	rc = read_all(&r, options, release);
	for (size_t i = 0; i < LENGTH(r.jobs); i++)
		listing_free(r.jobs[i].listing);
	text_fini(&r.forbidden);
	close_connection(&r.connection);
	return rc;
}

void
live_fini(struct live *live)
{
	free(live->server);
	free(live->namespace);
	*live = (struct live){ 0 };
}

/* A response to a single request. */
struct answer {
	struct connection connection;
	const char *what; /* for errors: "cannot get the policy: " */
	char *body;
	size_t len;
};

static void
on_answer(void *arg, const struct api_response *response)
{
	struct answer *answer = arg;

	event_base_loopbreak(answer->connection.base);
	if (response->status != 200) {
		fail_response(&answer->connection, answer->what, response);
		return;
	}
	answer->body = xmalloc(response->len + 1);
	memcpy(answer->body, response->body, response->len + 1);
	answer->len = response->len;
}

/* The response to GET path; what it is about is for errors. */
static char *
get_answer(const struct options *options, bool of_daemon, const char *path,
    const char *what, size_t *len, struct err *err)
{
	struct answer answer = { .what = what };

	if (of_daemon ? connect_as(&answer.connection, options,
			    live_daemon_config(options), err) != 0 :
			open_connection(&answer.connection, options, err) != 0)
		return NULL;
	answer.connection.any_type = of_daemon;
	send_request(&answer.connection, NULL, path, NULL, on_answer, &answer);
	run(&answer.connection);
	close_connection(&answer.connection);
	*len = answer.len;
	return answer.body;
}

char *
live_get(const struct options *options, bool of_daemon, const char *path,
    size_t *len, struct err *err)
{
	AUTOFREE char *what = xasprintf("cannot get %s: ", path);

	return get_answer(options, of_daemon, path, what, len, err);
}

char *
live_config_map_policy(const struct options *options, const char *namespace,
    const char *name, size_t *len, struct err *err)
{
	AUTOFREE char *path =
	    path_of_object("v1", namespace, "configmaps", name, "");
	AUTOFREE char *map = get_answer(options, false, path,
	    "cannot get the policy: ", len, err);
	const struct doc_node *value;
	char *text = NULL;
	struct doc *doc;

	if (map == NULL)
		return NULL;
	doc = doc_parse(path, map, *len, &doc_limits_people, err);
	value = doc != NULL ? policy_of_manifest(doc_root(doc)) : NULL;
	if (value != NULL) {
		text = xstrdup(value->text);
		*len = strlen(text);
	} else if (doc != NULL) {
		errf(err, "the ConfigMap %s/%s has no \"policy.cfg\"",
		    namespace, name);
	}
	doc_free(doc);
	return text;
}

struct deleting {
	struct connection connection;
	size_t nleft;
};

struct deletion {
	struct deleting *all;
	struct live_deletion *one;
};

static void
on_deleted(void *arg, const struct api_response *response)
{
	const struct deletion *deletion = arg;
	struct connection *connection = &deletion->all->connection;
	AUTOFREE char *what = NULL;

	deletion->one->gone = response->status == 200;
	if (response->status != 200 && response->status != 404 &&
	    response->status != 409) {
		what = xasprintf("cannot delete %s: ", deletion->one->path);
		fail_response(connection, what, response);
	}
	if (--deletion->all->nleft == 0)
		event_base_loopbreak(connection->base);
}

int
live_delete(const struct options *options, struct live_deletion *deletions,
    size_t n, struct err *err)
{
	AUTOFREE struct deletion *each = xcalloc(n, sizeof(*each));
	struct deleting all = { 0 };
	int result;

	if (open_connection(&all.connection, options, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (deletions[i].path == NULL)
			continue;
		each[i] = (struct deletion){ &all, &deletions[i] };
		all.nleft++;
		send_request(&all.connection, "DELETE", deletions[i].path,
		    deletions[i].with, on_deleted, &each[i]);
	}
	result = all.nleft > 0 ? run(&all.connection) : 0;
	close_connection(&all.connection);
	return result;
}
