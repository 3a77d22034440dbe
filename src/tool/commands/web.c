/*
 * predicatectl web: a page about a cluster, in a browser on this machine.
 *
 * Files are looked at every few seconds; when one has changed, all are read again and
 * the page shows it.  A live cluster is read again every half minute, and the page
 * shows when an object has changed.  Another process reads (web/keeper.h): the server
 * answers meanwhile.  If reading fails, the last good state stays.
 */
#include "config.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/text.h"
#include "base/sorted.h"
#include "tool/commands/ctl.h"
#include "tool/input/load.h"
#include "tool/commands/options.h"
#include "tool/commands/whatif.h"
#include "tool/page/answer.h"
#include "tool/page/keeper.h"
#include "tool/page/web.h"
#include "wire/http/server.h"

#define LOOK_SECONDS 2
#define LOOK_LIVE_SECONDS 30
#define MOST_ROWS 200000 /* pods of one reply */

/* A cluster and its policy. */
struct state {
	struct asked asked; /* but for its whatif */
	char *policy_name;  /* NULL: none is given */
	char *policy;       /* the text; NULL: the default provider's */
	struct web_view view;
};

struct serving {
	const struct options *options;
	struct event_base *base;
	struct web *web;
	struct state *state; /* in a keeper */
	char *source;
	/* Of the clusters, then of the policy or configuration. */
	size_t nstamps;
	struct stat *stamps; /* zeroed where there is no file */
};

/* ---- the state ---- */

/* Called in a process that ends soon: the rest of the load is not missed. */
static struct web_copy
copy(const void *arg, const struct profiles *profiles, unsigned part,
    unsigned nparts)
{
	const struct asked *asked = arg;
	struct load load;

	load_again(&asked->load, profiles, 0, part, nparts, &load);
	return (struct web_copy){ load.cluster, load.npods, load.pods };
}

static int
take_text(struct state *state)
{
	const struct options *options = state->asked.options;
	struct web_view *view = &state->view;
	struct err err;

	view->is_configuration = options->config != NULL;
	if (load_rules(options, &state->policy_name, &state->policy,
		&view->policy_len, &err) != 0)
		return ctl_fail(&err);
	if (state->policy == NULL)
		state->policy = openshift_text(&state->asked.load.openshift,
		    options, &view->policy_len, &view->is_configuration);
	view->policy_name =
	    state->policy_name != NULL ? state->policy_name : "";
	view->policy = state->policy;
	return EXIT_DONE;
}

/* Where the policy in force comes from, you own it; NULL: none is known. */
static char *
origin_of_policy(const struct state *state)
{
	const struct options *options = state->asked.options;
	const struct openshift *openshift = &state->asked.load.openshift;

	if (state->policy_name != NULL)
		return xasprintf("the %s %s",
		    options->config != NULL               ? "configuration" :
			options->policy_configmap != NULL ? "ConfigMap" :
							    "policy file",
		    state->policy_name);
	if (openshift->place == NULL)
		return NULL;
	if (openshift->config_map[0] != '\0')
		return xasprintf("the ConfigMap openshift-config/%s",
		    openshift->config_map);
	if (openshift->profile[0] != '\0')
		return xasprintf("the profile %s of OpenShift",
		    openshift->profile);
	return NULL;
}

/* Why the rules are those of a release; NULL: it is assumed. */
static const char *
origin_of_release(const struct state *state)
{
	const struct load *load = &state->asked.load;

	if (load->release < load->cluster->kubernetes_minor)
		return "the configuration's";
	if (state->asked.options->kubernetes_minor != 0)
		return "--kubernetes-version";
	if (load->live.server != NULL && load->live.minor >= 0)
		return "the API server's";
	return ANY(i, load->cluster->nnodes,
		   load->cluster->nodes[i]->node->kubelet_minor >= 0) ?
	    "the oldest kubelet's" :
	    NULL;
}

/* ---- commands of the page ---- */

/* Parameters that are words and options; none with files: who may see the page may not
 * see these. */
static enum options_outcome
set_options(struct options *options, const struct query *query)
{
	enum options_outcome outcome = OPTIONS_RUN;

	for (size_t i = 0; i < query->n; i++)
		if (strcmp(query->pairs[i].name, "node") == 0)
			options->words[options->nwords++] =
			    query->pairs[i].value;
	for (size_t i = 0; i < query->n && outcome == OPTIONS_RUN; i++) {
		const struct query_pair *p = &query->pairs[i];

		if (strcmp(p->name, "name") == 0)
			options->words[options->nwords++] = p->value;
		else if (text_is_choice("lost|force", p->name))
			outcome = options_set(options, p->name, "true");
		else if (text_is_choice("selector|zone|max-moves|time-limit|"
					"objective|max-weight|rounds|"
					"scheduler-name",
			     p->name))
			outcome = options_set(options, p->name, p->value);
	}
	return outcome == OPTIONS_RUN ? options_check(options) : outcome;
}

static int
run_command(const struct asked *about, const struct server_request *request,
    FILE *out)
{
	struct options options = *about->options;
	struct asked asked = *about;

	options_command_parse(strrchr(request->path, '/') + 1,
	    &options.command);
	options.json = true;
	options.screen.out = out;
	options.words = xcalloc(request->query->n + 1, sizeof(*options.words));
	options.nwords = 0;
	if (set_options(&options, request->query) != OPTIONS_RUN)
		return EXIT_USAGE;
	asked.options = &options;
	asked_of(&asked, &asked.whatif, asked.profiles);
	return ctl_ask(&options, &asked);
}

/*
 * Replies with what the command in the path has to say about a struct asked, with
 * -o json, or with the first sentence of its messages.  The query's node, which may be
 * there more than once, and name, of a pod, are its words; others its options.
 *
 * The process ends afterwards: the cluster may change.
 */
static void
command(const void *asked, const struct server_request *request,
    struct reply *reply)
{
	static const int statuses[] = { [EXIT_DONE] = 422,
		[EXIT_NEGATIVE] = 422,
		[EXIT_USAGE] = 400,
		[EXIT_INPUT] = 404 };
	AUTOFREE char *output = NULL, *said = NULL;
	size_t len, said_len;
	FILE *out = open_memstream(&output, &len);
	FILE *messages = open_memstream(&said, &said_len);
	const char *sentence;
	int code;

	ctl_messages_to(messages);
	code = run_command(asked, request, out);
	fclose(out);
	ctl_messages_to(NULL);
	fclose(messages);
	if (len > 0) {
		text_append(&reply->body, output, len);
		return;
	}
	sentence = strncmp(said, CTL_PREFIX, strlen(CTL_PREFIX)) == 0 ?
	    said + strlen(CTL_PREFIX) :
	    said;
	said[strcspn(said, "\n")] = '\0';
	json_put(&reply->body, "{'error':%s}\n", sentence);
	reply->status = statuses[code];
}

/* ---- the whole of it ---- */

static void
fill_view(struct state *state)
{
	const struct options *options = state->asked.options;
	const struct load *load = &state->asked.load;
	struct web_view *view = &state->view;
	size_t n = load->npods;
	struct pod **pods = xcalloc(n + 1, sizeof(*pods));

	if (n > 0) {
		memcpy(pods, load->pods, n * sizeof(*pods));
		SORT(pods, n, whatif_compare_names);
	}
	view->policy_from = origin_of_policy(state);
	view->release_from = origin_of_release(state);
	view->cluster = load->cluster;
	view->npods = n;
	view->pods = pods;
	view->nleft_out = load->nleft_out;
	view->most_rows = MOST_ROWS;
	view->profiles = state->asked.profiles;
	view->policy_options = options->policy_options;
	view->seed = options->seed;
	view->serving = load_serving;
	view->serving_arg = options;
	view->copy = copy;
	view->command = command;
	view->arg = &state->asked;
}

/* NULL: *code is the exit code, and standard error has the reason. */
static struct state *
state_new(const struct options *options, int *code)
{
	struct state *state = xcalloc(1, sizeof(*state));

	*code = asked_open(&state->asked, options);
	if (*code == EXIT_DONE) {
		*code = take_text(state);
		if (*code == EXIT_DONE) {
			fill_view(state);
			return state;
		}
		asked_close(&state->asked);
	}
	free(state->policy_name);
	free(state->policy);
	free(state);
	return NULL;
}

/* ---- clusters that change ---- */

static const char *
policy_path(const struct options *options)
{
	return options->config != NULL ? options->config : options->policy;
}

static bool
is_live(const struct serving *s)
{
	return s->options->nclusters == 0;
}

/* Of all objects and their versions, in whatever order they came, and the policy. */
static uint64_t
fingerprint(const struct state *state)
{
	const struct load *load = &state->asked.load;
	uint64_t sum = 0;

	for (size_t i = 0; i < load->nobjects; i++) {
		const struct object *o = load->objects[i];
		AUTOFREE char *text = xasprintf("%d %s %s %s %s", (int)o->kind,
		    sym_text(o->namespace), o->name, o->uid,
		    o->resource_version);

		sum += hash_bytes64(text, strlen(text));
	}
	if (state->policy != NULL)
		sum += hash_bytes64(state->policy, state->view.policy_len);
	return sum;
}

/* Takes the files' stamps; whether one differs from the last. */
static bool
look(struct serving *s)
{
	bool changed = false;

	for (size_t i = 0; i < s->nstamps; i++) {
		const char *path = i < s->options->nclusters ?
		    s->options->clusters[i] :
		    policy_path(s->options);
		struct stat now;

		if (stat(path, &now) != 0)
			memset(&now, 0, sizeof(now));
		changed |= !file_same(&now, &s->stamps[i]);
		s->stamps[i] = now;
	}
	return changed;
}

/* In a keeper, which ends with its state. */
static void
load(void *arg, uint64_t generation, struct keeper_loaded *loaded)
{
	struct serving *s = arg;
	struct state *state = state_new(s->options, &loaded->code);

	if (state == NULL)
		return;
	state->view.generation = generation;
	state->view.source =
	    is_live(s) ? state->asked.load.live.server : s->source;
	/* Of files the stamps are what counts. */
	loaded->fingerprint = is_live(s) ? fingerprint(state) : generation;
	snprintf(loaded->source, sizeof(loaded->source), "%s",
	    state->view.source);
	s->state = state;
}

/* In a process of its own. */
static void
answer(void *arg, const struct server_request *request, struct reply *reply)
{
	const struct serving *s = arg;

	web_answer(&s->state->view, request, reply);
}

/* Every few seconds, and on SIGHUP. */
static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	struct serving *s = arg;

	/* A change while it is loading is seen the next time. */
	if (!web_is_loading(s->web) && (look(s) || is_live(s) || fd == SIGHUP))
		web_reload(s->web);
}

/* ---- the command ---- */

static void
on_signal(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopexit(arg, NULL);
}

int
web_serve(struct event_base *base, const struct web *web)
{
	struct event *interrupt = evsignal_new(base, SIGINT, on_signal, base);
	struct event *end = evsignal_new(base, SIGTERM, on_signal, base);

	event_add(interrupt, NULL);
	event_add(end, NULL);
	printf("%s\n", web_url(web));
	fflush(stdout);
	event_base_dispatch(base);
	event_free(interrupt);
	event_free(end);
	return EXIT_DONE;
}

int
web_run(const struct options *options)
{
	struct serving s = { .options = options,
		.nstamps = options->nclusters +
		    (policy_path(options) != NULL ? 1 : 0) };
	const struct keeper_ops ops = { load, answer, &s };
	const struct timeval every = {
		.tv_sec = is_live(&s) ? LOOK_LIVE_SECONDS : LOOK_SECONDS
	};
	struct event *timer, *again;
	struct text source = { 0 };
	struct err err;
	int code;

	if (options->daemon != NULL)
		return web_daemon_run(options);
	s.stamps = xcalloc(s.nstamps + 1, sizeof(*s.stamps));
	for (size_t i = 0; i < options->nclusters; i++)
		text_printf(&source, "%s%s", i > 0 ? ", " : "",
		    options->clusters[i]);
	s.source = text_take(&source);
	look(&s);
	s.base = event_base_new();
	signal(SIGPIPE, SIG_IGN);
	s.web = web_new(s.base, options->port, &ops, NULL, &err);
	code = s.web != NULL ? web_load(s.web) : ctl_fail(&err);
	if (code == EXIT_DONE) {
		timer = event_new(s.base, -1, EV_PERSIST, on_look, &s);
		again = evsignal_new(s.base, SIGHUP, on_look, &s);
		event_add(timer, &every);
		event_add(again, NULL);
		code = web_serve(s.base, s.web);
		event_free(timer);
		event_free(again);
	}
	web_free(s.web);
	event_base_free(s.base);
	free(s.stamps);
	free(s.source);
	return code >= 0 ? code : EXIT_INPUT;
}
