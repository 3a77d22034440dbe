/*
 * Asks every explanation there is about recorded cases, whose results are not read:
 *
 *	t/explanations [--release N] [--each N | --every] [--default-policy]
 *	    [--id ID] [--show N] [--loud] FILE…
 *
 * --release is the minor release of the file's results (15, for policies, by default).
 * A case is explained as it is, and with combinations of a release and one of its
 * feature gates turned round: --each N of them, others for each case, so that all come
 * up in a file; --every: all.  A process that ends is a failure of its case; another one
 * goes on with the others.  --default-policy: by the default provider's instead of the
 * case's rules.  --loud: with what commands say on standard error.
 *
 * What only asks must leave the cluster as it was: the first explanation, again after all
 * others, is the same.
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "tool/commands/ctl.h"
#include "tool/commands/options.h"
#include "tool/commands/whatif.h"
#include "explain/diagnosis.h"
#include "explain/explanation.h"
#include "explain/miss.h"
#include "decide/framework/gates.h"
#include "tool/page/answer.h"
#include "predicates/registry.h"
#include "wire/http/server.h"
#include "t/lib/cases.h"

#define NEWEST 36
#define NO_GATE SIZE_MAX
#define MISSES_MAX 1024 /* bytes of an event */
#define COPIES_MOST 2000

static int release = 15; /* of the results */
static size_t each = 4;  /* SIZE_MAX: all */
static bool loud, default_policy;
static FILE *told; /* standard output, for people */

/* Seen by the process that waits for the one that explains. */
static struct progress {
	unsigned long at, first;      /* case of the file */
	unsigned long asked, refused; /* combinations */
	bool is_through;
	char where[512];
} * progress;

/* A release and the gate that is other than the case has it. */
struct combination {
	int release;
	size_t gate;
};

/* A case in a combination. */
struct study {
	struct options options; /* first: what is asked has a pointer to it */
	struct case_result *r;
	size_t where; /* bytes of progress->where that name the combination */
	const char *pod;
};

static void
say(const struct study *s, const char *question, const char *word)
{
	snprintf(progress->where + s->where, sizeof(progress->where) - s->where,
	    ": %s %s", question, word != NULL ? word : "");
}

static void
check_json(const struct study *s, const char *text, size_t len)
{
	struct err err;
	struct doc *doc;

	if (len == 0)
		return;
	doc = doc_parse("answer", text, len, &doc_limits_dump, &err);
	if (doc == NULL)
		case_differs(s->r, "%s: %s", progress->where, err.text);
	doc_free(doc);
}

/* ---- the commands ---- */

/* The pod waits again, as it did before a question that took it along. */
static void
put_back(struct asked *a)
{
	const struct study *s = (const struct study *)a->options;

	for (size_t i = 0; i < a->load.npods; i++)
		if (strcmp(pod_full_name(a->load.pods[i]), s->pod) == 0)
			cluster_put(a->load.cluster, &a->load.pods[i]->object);
}

/* What the command prints; you own it. */
static char *
ask(struct asked *a, enum command command, const char *as, const char *word)
{
	static const char *const names[] = {
		[COMMAND_AUDIT] = "audit",
		[COMMAND_CAPACITY] = "capacity",
		[COMMAND_DEFRAG] = "defrag",
		[COMMAND_DRAIN] = "drain",
		[COMMAND_EXPLAIN] = "explain",
		[COMMAND_SIMULATE] = "simulate",
		[COMMAND_WHY_NOT] = "why-not",
	};
	const struct study *s = (const struct study *)a->options;
	struct options o = s->options;
	char *text = NULL;
	char *words[] = { (char *)word };
	size_t len = 0;

	say(s, names[command], word);
	o.command = command;
	o.json = strcmp(as, "json") == 0 || strcmp(as, "yaml") == 0;
	o.yaml = strcmp(as, "yaml") == 0;
	o.all = o.wide = strcmp(as, "wide") == 0;
	o.pod = strcmp(as, "pending") != 0 ? s->pod : NULL;
	o.all_pending = o.pod == NULL;
	o.like = s->pod;
	o.max_moves = 2;
	o.force = o.preempt = true;
	o.lost = strcmp(as, "wide") == 0;
	o.words = words;
	o.nwords = word != NULL;
	stdout = open_memstream(&text, &len);
	screen_init(&o.screen, stdout, SCREEN_COLOR_NEVER);
	a->options = &o;
	ctl_ask(&o, a);
	a->options = &s->options;
	fclose(stdout);
	stdout = told;
	put_back(a);
	if (o.json && !o.yaml)
		check_json(s, text, len);
	return text;
}

static void
try(struct asked *a, enum command command, const char *as, const char *word)
{
	free(ask(a, command, as, word));
}

/* ---- the daemon and the page ---- */

/* As scheduler_explain(), and as what an attempt says of its misses. */
static void
ask_daemon(struct asked *a, const struct pod *pod)
{
	const struct study *s = (const struct study *)a->options;
	struct explanation e = { .max_bytes = 4096 };
	struct arena arena = ARENA_INIT;
	struct decision *d = whatif_decide(&a->whatif, pod, 0);
	struct cycle cycle = a->whatif.cycle;
	char *text = NULL;
	size_t len;
	FILE *out;

	say(s, "an attempt", NULL);
	if (d == NULL)
		return;
	if (d->chosen == NULL && d->rejected_by == NULL)
		misses_text(&a->whatif.cycle, MISSES_MAX);
	say(s, "/debug/explain", NULL);
	cycle.arena = &arena;
	cycle.ecache = NULL;
	cycle.keep_scores = true;
	cycle.now = 1700000000;
	out = open_memstream(&text, &len);
	explanation_find(&e, &cycle);
	e.diagnosis = diagnosis_find(&e);
	if (e.decision->chosen == NULL)
		e.misses = misses_by_node(&e);
	explanation_json(&e, out);
	fclose(out);
	check_json(s, text, len);
	free(text);
	arena_fini(&arena);
}

static void
ask_page(struct asked *a, const char *path)
{
	const struct study *s = (const struct study *)a->options;
	const struct web_view view = { .source = "",
		.cluster = a->load.cluster,
		.npods = a->load.npods,
		.pods = a->load.pods,
		.most_rows = 100,
		.profiles = a->profiles,
		.policy_name = "",
		.policy_options = s->options.policy_options,
		.seed = 1,
		.serving = load_serving,
		.serving_arg = &s->options };
	struct reply reply = { 0 };
	struct query_pair name = { "name", (char *)s->pod };
	const struct query query = { .pairs = &name, .n = 1 };

	say(s, path, NULL);
	web_answer(&view,
	    &(struct server_request){ .path = path,
		.query = &query,
		.body = "" },
	    &reply);
	check_json(s, reply.body.bytes, reply.body.len);
	text_fini(&reply.body);
	put_back(a);
}

/* ---- all of them ---- */

/* Whether copies of the pod fill the cluster soon. */
static bool
is_bounded(const struct asked *a, const struct pod *pod)
{
	const struct profile *profile =
	    load_serving(a->options, a->profiles, pod);
	int64_t room = 0;

	for (uint32_t i = 0; i < a->load.cluster->nnodes; i++) {
		int64_t pods =
		    a->load.cluster->nodes[i]->node->allocatable.pods;

		room += pods < 0 || pods > COPIES_MOST ? COPIES_MOST : pods;
	}
	return profile != NULL && room < COPIES_MOST &&
	    profile_checks(profile, &predicate_pod_fits_resources);
}

/* From where the answers differ, and a little before. */
static void
compare(const struct study *s, const char *first, const char *last)
{
	size_t same = 0;

	while (first[same] != '\0' && first[same] == last[same])
		same++;
	if (first[same] == last[same])
		return;
	same -= same < 80 ? same : 80;
	case_differs(s->r,
	    "%s: another answer than before: %.300s\nnot: %.300s",
	    progress->where, last + same, first + same);
}

static int
ask_all(struct asked *a)
{
	static const char *const drains[] = { "json", "table", "wide" };
	const struct study *s = (const struct study *)a->options;
	const struct cluster *cluster = a->load.cluster;
	uint32_t n = cluster->nnodes;
	AUTOFREE sym *nodes = xcalloc(n + 1, sizeof(*nodes));
	const struct pod *pod = asked_pod(a, s->pod);
	char *first, *last;

	for (uint32_t i = 0; i < n; i++)
		nodes[i] = cluster->nodes[i]->name;
	first = ask(a, COMMAND_EXPLAIN, "json", NULL);
	try(a, COMMAND_EXPLAIN, "table", NULL);
	try(a, COMMAND_EXPLAIN, "wide", NULL);
	try(a, COMMAND_EXPLAIN, "yaml", NULL);
	try(a, COMMAND_EXPLAIN, "pending", NULL);
	for (uint32_t i = 0; i < n && pod != NULL; i++)
		try(a, COMMAND_WHY_NOT, i % 2 == 0 ? "json" : "table",
		    sym_text(nodes[i]));
	try(a, COMMAND_AUDIT, "json", NULL);
	try(a, COMMAND_AUDIT, "table", NULL);
	try(a, COMMAND_DEFRAG, "json", NULL);
	if (pod != NULL && pod->node == SYM_EMPTY)
		ask_daemon(a, pod);
	last = ask(a, COMMAND_EXPLAIN, "json", NULL);
	compare(s, first, last);
	free(first);
	free(last);
	/* these bind claims, or are asked in a process of their own */
	for (uint32_t i = 0; i < n; i++)
		try(a, COMMAND_DRAIN, drains[i % 3], sym_text(nodes[i]));
	if (pod != NULL && is_bounded(a, pod))
		try(a, COMMAND_CAPACITY, "json", NULL);
	try(a, COMMAND_SIMULATE, "json", NULL);
	ask_page(a, "/api/v1/pod");
	ask_page(a, "/api/v1/reasons");
	ask_page(a, "/api/v1/pending"); /* places them */
	return EXIT_DONE;
}

/* ---- one case in one combination ---- */

/* The cluster with the pod, as a file that has no name; its descriptor. */
static int
cluster_file(const struct doc_node *c)
{
	int fd = memfd_create("cluster", 0);
	const struct doc_node *items = doc_get(doc_get(c, "cluster"), "items");
	FILE *out = fdopen(dup(fd), "w");

	fputs("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[", out);
	for (const struct doc_node *i = items != NULL ? items->first : NULL;
	     i != NULL; i = i->next) {
		case_write(out, i);
		fputs(",\n", out);
	}
	case_write(out, doc_get(c, "pod"));
	fputs("]}\n", out);
	fclose(out);
	return fd;
}

/* The rules of the case; NULL: there are none.  You own them. */
static char *
rules_of(const struct doc_node *c, bool *is_configuration)
{
	const struct doc_node *text = doc_get(c, "policyText");

	*is_configuration = false;
	if (default_policy)
		return NULL;
	if (text != NULL)
		return xstrdup(text->text);
	if (doc_get(c, "policy") != NULL)
		return case_json(doc_get(c, "policy"));
	*is_configuration = true;
	if (doc_get(c, "configText") != NULL)
		return xstrdup(case_text(c, "configText"));
	if (doc_get(c, "config") != NULL)
		return case_json(doc_get(c, "config"));
	return release < 20 ?
	    NULL :
	    xstrdup("{\"apiVersion\":"
		    "\"kubescheduler.config.k8s.io/v1\","
		    "\"kind\":\"KubeSchedulerConfiguration\"}");
}

/* "A=true,B=false", of the case and the combination. */
static char *
gates_text(const struct doc_node *c, const struct combination *with)
{
	const struct doc_node *given = doc_get(c, "featureGates");
	struct gates gates = gates_default;
	struct text text = { 0 };
	struct err err;

	for (const struct doc_node *g = given != NULL ? given->first : NULL;
	     g != NULL; g = g->next)
		text_printf(&text, "%s=%s,", g->key,
		    g->boolean ? "true" : "false");
	if (with->gate == NO_GATE)
		return text_take(&text);
	if (text.len > 0)
		gates_parse(text.bytes, &gates, NULL, NULL, &err);
	gates_of_release(&gates, with->release);
	text_printf(&text, "%s=%s", gates_name(with->gate),
	    gates_is_on(&gates, with->gate) ? "false" : "true");
	return text_take(&text);
}

static void
run_combination(const struct doc_node *c, const struct combination *with,
    struct case_result *r)
{
	const struct doc_node *meta = doc_get(doc_get(c, "pod"), "metadata");
	const char *namespace = case_text(meta, "namespace");
	AUTOFREE char *pod =
	    xasprintf("%s/%s", *namespace != '\0' ? namespace : "default",
		case_text(meta, "name"));
	AUTOFREE char *gates = gates_text(c, with);
	int fd = cluster_file(c);
	AUTOFREE char *path = xasprintf("--cluster=/proc/self/fd/%d", fd);
	AUTOFREE char *version =
	    xasprintf("--kubernetes-version=1.%d", with->release);
	AUTOFREE char *gate = xasprintf("--feature-gates=%s", gates);
	bool is_configuration;
	AUTOFREE char *rules = rules_of(c, &is_configuration);
	/* in later releases more counts without it */
	bool strict =
	    case_true(c, "strict") && rules != NULL && with->release == release;
	char *argv[] = { "predicatectl", "explain", path, version, gate,
		rules == NULL        ? NULL :
		    is_configuration ? "--config=case" :
				       "--policy=case",
		strict ? "--strict-policy" : NULL, NULL };
	int argc = 5 + (argv[5] != NULL) + (argv[6] != NULL);
	struct study s = { .r = r, .pod = pod };

	snprintf(progress->where, sizeof(progress->where), "%s 1.%d %s",
	    case_text(c, "id"), with->release, gates);
	s.where = strlen(progress->where);
	options_init(&s.options, "predicatectl");
	if (options_parse(&s.options, argc, argv) != OPTIONS_RUN) {
		progress->refused++;
	} else {
		s.options.rules = rules;
		if (asked_run(&s.options, ask_all) == EXIT_DONE)
			progress->asked++;
		else
			progress->refused++;
	}
	options_fini(&s.options);
	close(fd);
}

/* ---- one case ---- */

/* Those of the case, as it is first, then its own release's; you own them. */
static struct combination *
combinations_of(const struct doc_node *c, size_t *n, size_t *nown)
{
	bool is_policy =
	    doc_get(c, "policy") != NULL || doc_get(c, "policyText") != NULL;
	int from = is_policy || release < 20 ? 15 : 20;
	struct combination *all = NULL;
	size_t cap = 0;

	*n = *nown = 0;
	for (int at = from - 1; at <= NEWEST; at++) {
		int this = at < from ? release : at;

		if (at == release)
			continue;
		for (size_t gate = NO_GATE;
		     gate + 1 == 0 || gates_name(gate) != NULL; gate++) {
			if (gate != NO_GATE && !gates_has(gate, this))
				continue;
			vec_room(all, *n, &cap);
			all[(*n)++] = (struct combination){ this, gate };
		}
		if (at < from)
			*nown = *n;
	}
	return all;
}

static void
run_case(const struct doc_node *root, struct case_result *r)
{
	const struct doc_node *c = doc_get(root, "case");
	unsigned long number = progress->at++;
	const char *id = case_text(c, "id");
	uint64_t hash = hash_bytes64(id, strlen(id));
	struct combination *all;
	size_t n, nown;

	if (number < progress->first) {
		r->skipped = true;
		return;
	}
	progress->first = number + 1;
	all = combinations_of(c, &n, &nown);
	run_combination(c, &all[0], r);
	for (size_t i = 0; each == SIZE_MAX && i + 1 < n; i++)
		run_combination(c, &all[i + 1], r);
	/* by turns of the case's own release and of others */
	for (size_t i = 0; each != SIZE_MAX && i < each; i++)
		run_combination(c,
		    &all[i % 2 == 0 ? 1 +
				(number * ((each + 1) / 2) + i / 2) %
				    (nown - 1) :
				      nown + (hash + i) % (n - nown)],
		    r);
	free(all);
}

/* ---- the files ---- */

/* In a process of its own; -1: that ended before all cases. */
static int
run_file(struct cases *cases, char *path)
{
	int status;
	pid_t pid;

	progress->at = 0;
	progress->is_through = false;
	fflush(told);
	pid = fork();
	if (pid == 0) {
		if (!loud)
			stderr = fopen("/dev/null", "w");
		status = cases_run(cases, 1, &path);
		progress->is_through = true;
		exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("fork");
		exit(3);
	}
	if (!progress->is_through)
		printf("  %s: the process ended, status %d\n", progress->where,
		    status);
	return progress->is_through ? status : -1;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "release", required_argument, NULL, 'r' },
		{ "each", required_argument, NULL, 'e' },
		{ "every", no_argument, NULL, 'a' },
		{ "id", required_argument, NULL, 'i' },
		{ "show", required_argument, NULL, 's' },
		{ "default-policy", no_argument, NULL, 'p' },
		{ "loud", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	struct cases cases = { .run = run_case, .show = 3 };
	bool failed = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'r')
			release = atoi(optarg);
		else if (opt == 'e')
			each = strtoul(optarg, NULL, 10);
		else if (opt == 'a')
			each = SIZE_MAX;
		else if (opt == 'i')
			cases.id = optarg;
		else if (opt == 'p')
			default_policy = true;
		else if (opt == 'l')
			loud = true;
		else if (opt == 's')
			cases.show = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	told = stdout;
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = optind; i < argc; i++) {
		unsigned long before;
		int code;

		progress->first = 0;
		do {
			before = progress->first;
			code = run_file(&cases, argv[i]);
			failed |= code != 0;
		} while (code < 0 && progress->first > before);
	}
	printf("%lu combinations explained, %lu refused\n", progress->asked,
	    progress->refused);
	return failed;
}
