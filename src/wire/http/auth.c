#include "config.h"

#include "wire/http/auth.h"

#include <event2/event.h>
#include <event2/http.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <strings.h>
#include <sys/queue.h>

#include "wire/api/client.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "wire/api/lru.h"
#include "base/doc.h"
#include "base/file.h"
#include "base/log.h"
#include "wire/http/auth_internal.h"

#define MAP_PATH                                                               \
	"/api/v1/namespaces/kube-system/configmaps/"                           \
	"extension-apiserver-authentication"
#define TOKEN_PATH "/apis/authentication.k8s.io/v1/tokenreviews"
#define ACCESS_PATH "/apis/authorization.k8s.io/v1/subjectaccessreviews"

#define WITHOUT ": the server runs without "

#define LOOK_SECONDS 60       /* at files and ConfigMap */
#define LOOK_AGAIN_SECONDS 10 /* when that failed */
#define ASK_TIMEOUT_MS 10000
#define ASK_RETRY_MS 5000
#define MAX_FILE_BYTES (4 << 20)
#define MAX_CALLS 64     /* that wait for the API server */
#define MAX_ANSWERS 1024 /* of each kind that are kept */

#define DIGEST_TEXT (2 * EVP_MAX_MD_SIZE + 1)

/* The cached result for a token; the token's digest is the key. */
struct known_token {
	int64_t expires_ms;
	struct user *user; /* NULL: it is no good */
};

/* The cached answer to an access review; the review's digest is the key. */
struct known_access {
	int64_t expires_ms;
	bool allowed;
	char *reason;
};

/*
 *	certificate or token ─▶ user ─▶ access ─▶ done
 *
 * Either step may wait for the API server; then api is the request.
 */
struct auth_call {
	struct auth *auth;
	char *method, *path;
	struct user *user;
	char key[DIGEST_TEXT]; /* of the requested path */
	char *failure;         /* why a certificate was no good, or NULL */
	struct api_call *api;
	bool *finished; /* set at the end, if auth_ask() has not returned yet */
	void (*done)(void *arg, const struct auth_answer *answer);
	void *arg;
	TAILQ_ENTRY(auth_call) link;
};

struct auth {
	struct event_base *base;
	struct auth_options options;
	X509_STORE *file_ca, *proxy_file_ca;
	struct cluster_trust *cluster; /* NULL: not known (yet) */
	struct event *timer;
	struct api_call *lookup;
	bool failing, file_failing;
	struct trouble trouble; /* of reviews of tokens */
	struct lru tokens, accesses;
	TAILQ_HEAD(, auth_call) calls;
	size_t ncalls;
};

static const char *const always_allowed[] = { "/healthz", "/livez", "/readyz",
	NULL };
static const char *const username_headers[] = { "X-Remote-User", NULL };
static const char *const group_headers[] = { "X-Remote-Group", NULL };
static const char *const extra_prefixes[] = { "X-Remote-Extra-", NULL };

static void
known_token_fini(void *value)
{
	user_unref(((struct known_token *)value)->user);
}

static void
known_access_fini(void *value)
{
	free(((struct known_access *)value)->reason);
}

/* Secrets are not kept, and keys are of one length. */
static void
digest(const char *text, char out[DIGEST_TEXT])
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	size_t len = 0;

	if (!EVP_Q_digest(NULL, "SHA256", NULL, text, strlen(text), bytes,
		&len))
		abort();
	for (size_t i = 0; i < len; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

/* ---- the end of a call ---- */

static void
free_call(struct auth_call *call)
{
	TAILQ_REMOVE(&call->auth->calls, call, link);
	call->auth->ncalls--;
	if (call->finished != NULL)
		*call->finished = true;
	free(call->method);
	free(call->path);
	user_unref(call->user);
	free(call->failure);
	free(call);
}

static const char *
missing_flags(const struct auth_call *call)
{
	const struct auth_options *options = &call->auth->options;
	bool known = options->authentication != NULL ||
	    (call->user != NULL &&
		strcmp(call->user->name, AUTH_ANONYMOUS) != 0);

	if (options->authorization != NULL)
		return known ? "" : WITHOUT "--authentication-kubeconfig";
	return known ? WITHOUT "--authorization-kubeconfig" :
		       WITHOUT "--authentication-kubeconfig and "
			       "--authorization-kubeconfig";
}

static void
finish(struct auth_call *call, enum auth_outcome outcome, const char *reason)
{
	call->done(call->arg,
	    &(struct auth_answer){ .outcome = outcome,
		.user = call->user != NULL ? call->user->name : NULL,
		.reason = reason,
		.missing = missing_flags(call) });
	free_call(call);
}

static void
post_review(struct auth_call *call, const char *path, const char *body,
    struct api_client *client,
    void (*on_done)(void *arg, const struct api_response *response))
{
	call->api = api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = "POST",
		.path = path,
		.body = body,
		.timeout_ms = ASK_TIMEOUT_MS,
		.retry_ms = ASK_RETRY_MS,
		.on_done = on_done,
		.arg = call });
}

/* The status of the object that was created, valid until *doc is freed; NULL:
 * err says why it failed. */
static const struct doc_node *
status_of(const struct api_response *response, struct doc **doc,
    struct err *err)
{
	const struct doc_node *status;

	*doc = NULL;
	if (response->status / 100 != 2) {
		api_explain(response, err);
		return NULL;
	}
	*doc = doc_parse("review", response->body, response->len,
	    &doc_limits_people, err);
	if (*doc == NULL)
		return NULL;
	status = doc_get(doc_root(*doc), "status");
	if (status == NULL)
		errf(err, "the API server's response has no status");
	return status;
}

/* ---- may this user? ---- */

static char *
access_question(const struct auth_call *call)
{
	const struct user *user = call->user;
	AUTOFREE char *verb = xstrdup(call->method);
	struct text text = { 0 };

	for (char *s = verb; *s != '\0'; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s += 'a' - 'A';
	json_put(&text,
	    "{'apiVersion':'authorization.k8s.io/v1',"
	    "'kind':'SubjectAccessReview','spec':{"
	    "'nonResourceAttributes':{'path':%s,'verb':%s},"
	    "'user':%s,'uid':%s,'groups':",
	    call->path, verb, user->name, user->uid);
	text_printf(&text, "%s,\"extra\":%s}}", user->groups, user->extra);
	return text_take(&text);
}

static void
on_access(void *arg, const struct api_response *response)
{
	struct auth_call *call = arg;
	struct known_access *known;
	const struct doc_node *status;
	bool allowed = false, denied = false;
	const char *reason = "";
	struct doc *doc;
	struct err err;

	call->api = NULL;
	status = status_of(response, &doc, &err);
	if (status == NULL ||
	    doc_get_members(status, "", &err, "allowed:b denied:b reason:s",
		&allowed, &denied, &reason) != 0) {
		doc_free(doc);
		finish(call, AUTH_UNKNOWN, err.text);
		return;
	}
	allowed = allowed && !denied;
	known = lru_use(&call->auth->accesses, call->key);
	known->allowed = allowed;
	known->expires_ms = clock_ms() +
	    (allowed ? call->auth->options.authorized_ttl_ms :
		       call->auth->options.unauthorized_ttl_ms);
	xreplace(&known->reason, reason);
	finish(call, allowed ? AUTH_ALLOWED : AUTH_FORBIDDEN, reason);
	doc_free(doc);
}

/* The call has its user. */
static void
authorize(struct auth_call *call)
{
	struct auth *auth = call->auth;
	AUTOFREE char *question = access_question(call);
	const struct known_access *known;

	if (call->user->masters) {
		finish(call, AUTH_ALLOWED, "");
		return;
	}
	if (auth->options.authorization == NULL) {
		finish(call, AUTH_FORBIDDEN, "");
		return;
	}
	digest(question, call->key);
	known = lru_use(&auth->accesses, call->key);
	if (clock_ms() < known->expires_ms) {
		finish(call, known->allowed ? AUTH_ALLOWED : AUTH_FORBIDDEN,
		    known->reason);
		return;
	}
	if (auth->ncalls > MAX_CALLS) {
		finish(call, AUTH_UNKNOWN, "too many requests");
		return;
	}
	post_review(call, ACCESS_PATH, question, auth->options.authorization,
	    on_access);
}

/* ---- authentication ---- */

/* Takes user; NULL: not authenticated. */
static void
authenticated(struct auth_call *call, struct user *user, const char *failure)
{
	if (user == NULL) {
		finish(call, AUTH_UNAUTHENTICATED, failure);
		return;
	}
	call->user = user;
	authorize(call);
}

static void
on_token(void *arg, const struct api_response *response)
{
	struct auth_call *call = arg;
	struct known_token *known;
	const struct doc_node *status;
	struct user *user = NULL;
	bool good = false;
	struct doc *doc;
	struct err err;

	call->api = NULL;
	status = status_of(response, &doc, &err);
	if (status == NULL ||
	    doc_get_bool(status, "authenticated", "authenticated", &good,
		&err) != 0) {
		doc_free(doc);
		log_trouble(&call->auth->trouble,
		    "server: cannot review a token: %s", err.text);
		authenticated(call, NULL, err.text);
		return;
	}
	log_over(&call->auth->trouble, "server: tokens can be reviewed again");
	if (good)
		user = user_of_review(doc_get(status, "user"));
	doc_free(doc);
	known = lru_use(&call->auth->tokens, call->key);
	user_unref(known->user);
	known->user = user_ref(user);
	known->expires_ms = clock_ms() + call->auth->options.token_ttl_ms;
	authenticated(call, user, "invalid bearer token");
}

static void
review_token(struct auth_call *call, const char *token)
{
	struct auth *auth = call->auth;
	const struct known_token *known;
	struct text body = { 0 };

	if (auth->options.authentication == NULL) {
		authenticated(call, NULL, "tokens cannot be reviewed");
		return;
	}
	digest(token, call->key);
	known = lru_use(&auth->tokens, call->key);
	if (clock_ms() < known->expires_ms) {
		authenticated(call, user_ref(known->user),
		    "invalid bearer token");
		return;
	}
	if (auth->ncalls > MAX_CALLS) {
		authenticated(call, NULL, "too many requests");
		return;
	}
	json_put(&body,
	    "{'apiVersion':'authentication.k8s.io/v1',"
	    "'kind':'TokenReview','spec':{'token':%s}}",
	    token);
	post_review(call, TOKEN_PATH, body.bytes, auth->options.authentication,
	    on_token);
	OPENSSL_cleanse(body.bytes, body.len);
	text_fini(&body);
}

/* The token after "Bearer ", you own it; NULL: none. */
static char *
bearer_token(const struct evkeyvalq *headers)
{
	const char *value = evhttp_find_header(headers, "Authorization");
	size_t len;

	if (value == NULL)
		return NULL;
	value += strspn(value, " \t");
	if (strncasecmp(value, "Bearer ", strlen("Bearer ")) != 0)
		return NULL;
	value += strlen("Bearer ");
	len = strcspn(value, " \t");
	return len > 0 ? xstrndup(value, len) : NULL;
}

static const char *const *
list_or(const char *const *list, const char *const *otherwise)
{
	return list != NULL && list[0] != NULL ? list : otherwise;
}

/* The front proxy that is trusted: the options', or the cluster's; NULL:
 * none. */
static X509_STORE *
proxy_ca(const struct auth *auth, struct header_names *names)
{
	const struct auth_options *options = &auth->options;
	const struct cluster_trust *cluster = auth->cluster;

	if (auth->proxy_file_ca != NULL) {
		names->allowed = options->requestheader_allowed_names;
		names->username =
		    list_or(options->requestheader_username_headers,
			username_headers);
		names->group = list_or(options->requestheader_group_headers,
		    group_headers);
		names->extra_prefix =
		    list_or(options->requestheader_extra_prefixes,
			extra_prefixes);
		return auth->proxy_file_ca;
	}
	if (cluster == NULL || cluster->proxy_ca == NULL)
		return NULL;
	*names = cluster->proxy;
	return cluster->proxy_ca;
}

/* An empty list allows any name. */
static bool
name_allowed(X509 *certificate, const char *const *allowed)
{
	AUTOFREE char *name = certificate_name(certificate);

	if (allowed == NULL || allowed[0] == NULL)
		return true;
	for (; *allowed != NULL; allowed++)
		if (strcmp(name, *allowed) == 0)
			return true;
	return false;
}

/* The certificate's own user; NULL: err says why it is refused. */
static struct user *
certified_user(const struct auth *auth, const struct auth_request *request,
    struct err *err)
{
	X509_STORE *const trusted[] = { auth->file_ca,
		auth->cluster != NULL ? auth->cluster->client_ca : NULL };
	struct user *user;

	errf(err, "no client CA is configured");
	for (size_t i = 0; i < LENGTH(trusted); i++) {
		if (trusted[i] == NULL ||
		    !trust_holds(trusted[i], request->certificate,
			request->chain, err))
			continue;
		user = user_of_certificate(request->certificate);
		if (user == NULL)
			errf(err, "the certificate names no user");
		return user;
	}
	return NULL;
}

static void
authenticate(struct auth_call *call, const struct auth_request *request)
{
	AUTOFREE char *token = bearer_token(request->headers);
	struct user *user = NULL;
	struct err err = { "" };

	if (request->certificate != NULL) {
		/* The user in a front proxy's headers; NULL: no front proxy, or
		 * no user. */
		struct header_names names;
		X509_STORE *trust = proxy_ca(call->auth, &names);

		if (trust != NULL &&
		    trust_holds(trust, request->certificate, request->chain,
			NULL) &&
		    name_allowed(request->certificate, names.allowed))
			user = user_of_headers(request->headers, &names);
		if (user == NULL)
			user = certified_user(call->auth, request, &err);
	}
	if (user != NULL) {
		authenticated(call, user, "");
	} else if (token != NULL) {
		review_token(call, token);
		OPENSSL_cleanse(token, strlen(token));
	} else if (request->certificate != NULL) {
		AUTOFREE char *whose = certificate_text(request->certificate);
		AUTOFREE char *failure = xasprintf("%s: %s", whose, err.text);

		authenticated(call, NULL, failure);
	} else {
		authenticated(call, user_anonymous(), "");
	}
}

static bool
is_always_allowed(const struct auth *auth, const char *path)
{
	const char *const *allowed = auth->options.always_allow_paths;

	for (; *allowed != NULL; allowed++) {
		size_t len = strlen(*allowed);

		if (len > 0 && (*allowed)[len - 1] == '*' ?
			strncmp(path, *allowed, len - 1) == 0 :
			strcmp(path, *allowed) == 0)
			return true;
	}
	return false;
}

struct auth_call *
auth_ask(struct auth *auth, const struct auth_request *request,
    void (*done)(void *arg, const struct auth_answer *answer), void *arg)
{
	struct auth_call *call;
	bool finished = false;

	/* (kube-scheduler looks at the user first, so that a probe with an old
	 * token fails.) */
	if (is_always_allowed(auth, request->path)) {
		done(arg,
		    &(struct auth_answer){ .outcome = AUTH_ALLOWED,
			.user = AUTH_ANONYMOUS,
			.reason = "" });
		return NULL;
	}
	call = xcalloc(1, sizeof(*call));
	call->auth = auth;
	call->method = xstrdup(request->method);
	call->path = xstrdup(request->path);
	call->done = done;
	call->arg = arg;
	TAILQ_INSERT_TAIL(&auth->calls, call, link);
	auth->ncalls++;
	call->finished = &finished;
	authenticate(call, request);
	if (finished)
		return NULL;
	call->finished = NULL;
	return call;
}

void
auth_cancel(struct auth_call *call)
{
	if (call == NULL)
		return;
	api_cancel(call->api);
	free_call(call);
}

/* ---- certificate authorities ---- */

static void
read_later(struct auth *auth, unsigned seconds)
{
	evtimer_add(auth->timer, &(struct timeval){ .tv_sec = seconds });
}

/* Keeps the old ones if the file is not valid. */
static int
read_ca(X509_STORE **store, const char *path, struct err *err)
{
	AUTOFREE char *text = NULL;
	X509_STORE *new_store;
	size_t len;

	if (path == NULL || path[0] == '\0')
		return 0;
	text = file_load(path, MAX_FILE_BYTES, &len, NULL, err);
	new_store = text != NULL ? trust_parse(path, text, len, err) : NULL;
	if (new_store == NULL)
		return -1;
	X509_STORE_free(*store);
	*store = new_store;
	return 0;
}

static int
read_files(struct auth *auth, struct err *err)
{
	if (read_ca(&auth->file_ca, auth->options.client_ca_file, err) != 0)
		return -1;
	return read_ca(&auth->proxy_file_ca,
	    auth->options.requestheader_client_ca_file, err);
}

int
auth_check_options(const struct auth_options *options, struct err *err)
{
	struct auth auth = { .options = *options };
	int result = read_files(&auth, err);

	X509_STORE_free(auth.file_ca);
	X509_STORE_free(auth.proxy_file_ca);
	return result;
}

static void
lookup_failed(struct auth *auth, const char *why)
{
	AUTOFREE char *sentence = xasprintf(
	    "cannot read the ConfigMap "
	    "kube-system/extension-apiserver-authentication: %s; the role "
	    "kube-system/extension-apiserver-authentication-reader allows it. "
	    "Until then client certificates are checked with --client-ca-file "
	    "alone",
	    why);
	bool first = auth->cluster == NULL && !auth->failing;

	read_later(auth, LOOK_AGAIN_SECONDS);
	if (first && !auth->options.tolerate_lookup_failure &&
	    auth->options.on_failure != NULL)
		auth->options.on_failure(auth->options.arg, sentence);
	else if (!auth->failing)
		log_warning("server: %s", sentence);
	auth->failing = true;
}

static void
on_map(void *arg, const struct api_response *response)
{
	struct auth *auth = arg;
	struct cluster_trust *trust = NULL;
	struct err err;

	auth->lookup = NULL;
	if (response->status == 200)
		trust =
		    cluster_trust_parse(response->body, response->len, &err);
	else
		api_explain(response, &err);
	if (trust == NULL) {
		lookup_failed(auth, err.text);
		return;
	}
	if (auth->failing)
		log_info("server: read the ConfigMap "
			 "kube-system/extension-apiserver-authentication");
	cluster_trust_free(auth->cluster);
	auth->cluster = trust;
	auth->failing = false;
	read_later(auth, LOOK_SECONDS);
}

void
auth_reload(struct auth *auth)
{
	struct err err;

	if (read_files(auth, &err) != 0) {
		if (!auth->file_failing)
			log_error("server: cannot load the client CA, keeping "
				  "the previous one: %s",
			    err.text);
		auth->file_failing = true;
	} else {
		auth->file_failing = false;
	}
	if (auth->options.skip_lookup || auth->options.authentication == NULL) {
		read_later(auth, LOOK_SECONDS);
		return;
	}
	if (auth->lookup != NULL)
		return;
	auth->lookup = api_send(auth->options.authentication,
	    &(struct api_request){ .lane = API_REST,
		.path = MAP_PATH,
		.timeout_ms = ASK_TIMEOUT_MS,
		.retry_ms = ASK_RETRY_MS,
		.on_done = on_map,
		.arg = auth });
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	auth_reload(arg);
}

struct auth *
auth_new(struct event_base *base, const struct auth_options *options,
    struct err *err)
{
	struct auth *auth = xcalloc(1, sizeof(*auth));

	auth->base = base;
	auth->options = *options;
	if (options->always_allow_paths == NULL)
		auth->options.always_allow_paths = always_allowed;
	lru_init(&auth->tokens, MAX_ANSWERS, sizeof(struct known_token),
	    known_token_fini);
	lru_init(&auth->accesses, MAX_ANSWERS, sizeof(struct known_access),
	    known_access_fini);
	TAILQ_INIT(&auth->calls);
	auth->timer = evtimer_new(base, on_timer, auth);
	if (read_files(auth, err) != 0) {
		auth_free(auth);
		return NULL;
	}
	/* In kube-scheduler's words. */
	if (auth->options.authentication == NULL && auth->file_ca == NULL)
		log_warning(
		    "No authentication-kubeconfig provided in order to "
		    "lookup client-ca-file in configmap/"
		    "extension-apiserver-authentication in kube-system, so "
		    "client certificate authentication won't work.");
	if (auth->options.authorization == NULL)
		log_warning(
		    "No authorization-kubeconfig provided, so "
		    "SubjectAccessReview of authorization tokens won't work.");
	auth_reload(auth);
	return auth;
}

void
auth_free(struct auth *auth)
{
	struct auth_call *call;

	if (auth == NULL)
		return;
	while ((call = TAILQ_FIRST(&auth->calls)) != NULL)
		auth_cancel(call);
	api_cancel(auth->lookup);
	event_free(auth->timer);
	X509_STORE_free(auth->file_ca);
	X509_STORE_free(auth->proxy_file_ca);
	cluster_trust_free(auth->cluster);
	lru_fini(&auth->tokens);
	lru_fini(&auth->accesses);
	free(auth);
}
