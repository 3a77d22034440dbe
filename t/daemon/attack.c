/*
 * What one namespace's user, or one node, can keep doing to slow the scheduler
 * for all others.
 *
 *	attack [--count N] [--ready FILE] [--minor N] KIND
 *
 * Makes the namespace attack-KIND with count objects, then FILE, and goes on with
 * the kind's steps until it is told to end.  The server is $KUBECONFIG's, of
 * Kubernetes 1.N.  Prints how many steps that were; exit code 1: the server has
 * refused something.
 */
#include "config.h"

#include <event2/event.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define IN_FLIGHT 20
/* nodes that attackers own */
#define NODES 20
#define DEVICE_NODES 40
#define APART_NODES 100
#define DEVICES 8
/* what a step made is deleted so many steps later */
#define KEPT 50

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"

struct attack {
	const char *name;
	unsigned long count, rate;
	void (*make)(unsigned long i);
	void (*step)(unsigned long n);
};

static struct event_base *base;
static struct api_client *client;
static struct event *tick;
static struct attack attack;
static const char *ready;
static char *namespace, *budgets;
static unsigned long made, steps, in_flight, refused;
static int64_t begun_ms;

static void go_on(void);

static void
on_done(void *arg, const struct api_response *response)
{
	struct err err;

	in_flight--;
	/* What a step deletes may be gone, and what it makes be there. */
	if (response->status / 100 != 2 && response->status != 404 &&
	    response->status != 409 && refused++ == 0) {
		api_explain(response, &err);
		fprintf(stderr, "attack: %s\n", err.text);
	}
	go_on();
}

/* Apostrophes are quotes. */
static void
sendv(const char *method, const char *path, const char *fmt, va_list ap)
{
	char AUTOFREE *body = xvasprintf(fmt, ap);

	for (char *c = body; *c != '\0'; c++)
		if (*c == '\'')
			*c = '"';
	in_flight++;
	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = method,
		.path = path,
		.body = body,
		.content_type = strcmp(method, "PATCH") == 0 ?
		    "application/merge-patch+json" :
		    NULL,
		.retry_ms = 60000,
		.on_done = on_done });
}

/* Puts the namespace in: "/api/v1/pods" is the path of its pods. */
static char *
path_of(const char *resource)
{
	const char *name = strrchr(resource, '/');

	return xasprintf("%.*s/namespaces/%s%s", (int)(name - resource),
	    resource, namespace, name);
}

static void __attribute__((format(printf, 3, 4)))
request(const char *method, const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sendv(method, path, fmt, ap);
	va_end(ap);
}

static void __attribute__((format(printf, 2, 3)))
post(const char *resource, const char *fmt, ...)
{
	char AUTOFREE *path = path_of(resource);
	va_list ap;

	va_start(ap, fmt);
	sendv("POST", path, fmt, ap);
	va_end(ap);
}

static void
delete_one(const char *resource, const char *word, unsigned long n)
{
	char AUTOFREE *all = path_of(resource);
	char AUTOFREE *path =
	    xasprintf("%s/%s-%lu?gracePeriodSeconds=0", all, word, n);

	request("DELETE", path, "{}");
}

static void
delete_old(const char *resource, const char *word, unsigned long n)
{
	if (n >= KEPT)
		delete_one(resource, word, n - KEPT);
}

static void __attribute__((format(printf, 3, 4)))
pod(const char *word, unsigned long i, const char *fmt, ...)
{
	va_list ap;
	char AUTOFREE *fields = NULL;

	va_start(ap, fmt);
	fields = xvasprintf(fmt, ap);
	va_end(ap);
	post("/api/v1/pods",
	    "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'%s-%lu',"
	    "'labels':{'app':'%s','id':'i%lu'}},"
	    "'spec':{'terminationGracePeriodSeconds':0,%s}}",
	    word, i, word, i, fields);
}

#define CONTAINER(requests)                                                        \
	"'containers':[{'name':'c','image':'i','resources':{'requests':{" requests \
	"}}}]"

/* ---- pods that wait for pods of others, which report their status ---- */

static void
put_terms(struct text *out, unsigned long i, unsigned n, const char *scope)
{
	char term[400];

	text_put(out, "'affinity':{'podAffinity':{'" REQUIRED "':[");
	for (unsigned k = 0; k < n; k++) {
		snprintf(term, sizeof(term),
		    "%s{'topologyKey':'kubernetes.io/hostname',%s,"
		    "'labelSelector':{'matchExpressions':["
		    "{'key':'app','operator':'NotIn','values':['q%lu-%u']},"
		    "{'key':'no%u','operator':'Exists'}]}}",
		    k > 0 ? "," : "", scope, i, k, k);
		text_put(out, term);
	}
	text_put(out, "]}},");
}

static void
wait_for(unsigned long i, unsigned nterms, const char *scope)
{
	struct text terms = { 0 };

	put_terms(&terms, i, nterms, scope);
	pod("wait", i, "%s" CONTAINER(""), terms.bytes);
	text_fini(&terms);
}

static void
make_terms(unsigned long i)
{
	if (i < NODES)
		pod("run", i, "'nodeName':'node-%05lu'," CONTAINER(""), i);
	wait_for(i, 50, "'namespaces':['default','attack-terms']");
}

static void
step_terms(unsigned long n)
{
	char AUTOFREE *path =
	    xasprintf("/api/v1/namespaces/%s/pods/run-%lu/status", namespace,
		n % NODES);

	request("PATCH", path,
	    "{'status':{'phase':'Running','message':'m%lu'}}", n);
}

/* ---- the same beside a label key that one node has or has not ---- */

static void
step_keys(unsigned long n)
{
	request("PATCH", "/api/v1/nodes/node-00000",
	    "{'metadata':{'labels':{'attack.io/key':%s}}}",
	    n % 2 ? "null" : "'here'");
}

/* ---- pods that fit nowhere, all tried again each second ---- */

static void
make_flood(unsigned long i)
{
	pod("wait", i, CONTAINER("'cpu':'%lum'"), 9000 + i);
}

static void
step_flood(unsigned long n)
{
	pod("come", n, "'nodeName':'node-00001'," CONTAINER("'cpu':'1m'"));
	if (n > 0)
		delete_one("/api/v1/pods", "come", n - 1);
}

/* ---- evictions, and disruption budgets that come and go ---- */

static void
make_preemption(unsigned long i)
{
	request("POST", "/apis/scheduling.k8s.io/v1/priorityclasses",
	    "{'kind':'PriorityClass','apiVersion':'scheduling.k8s.io/v1',"
	    "'metadata':{'name':'attack'},'value':1000}");
}

static void
step_preemption(unsigned long n)
{
	unsigned long node = n % NODES;

	pod("low", n, "'nodeName':'node-%05lu'," CONTAINER("'cpu':'5'"), node);
	pod("high", n,
	    "'priorityClassName':'attack','nodeSelector':"
	    "{'kubernetes.io/hostname':'node-%05lu'}," CONTAINER("'cpu':'5'"),
	    node);
	post(budgets,
	    "{'metadata':{'name':'budget-%lu'},'spec':{'maxUnavailable':%lu,"
	    "'selector':{'matchLabels':{'app':'low'}}}}",
	    n, n % 3);
	delete_old(budgets, "budget", n);
	delete_old("/api/v1/pods", "low", n);
	delete_old("/api/v1/pods", "high", n);
}

/* ---- a disruption budget that changes all the time ---- */

static void
make_budget(unsigned long i)
{
	if (i == 0)
		post(budgets,
		    "{'metadata':{'name':'busy'},'spec':{'maxUnavailable':1,"
		    "'selector':{'matchLabels':{'app':'run'}}}}");
	pod("run", i, "'nodeName':'node-%05lu'," CONTAINER(""), i);
}

static void
step_budget(unsigned long n)
{
	char AUTOFREE *all = path_of(budgets);
	char AUTOFREE *status = xasprintf("%s/busy/status", all);

	request("PATCH", status,
	    "{'status':{'disruptionsAllowed':%lu,'expectedPods':%d,"
	    "'currentHealthy':%d,'desiredHealthy':1}}",
	    n % 2, NODES, NODES);
}

/* ---- claims, and the pods that use them ---- */

static void
step_claims(unsigned long n)
{
	static const char claims[] = "/api/v1/persistentvolumeclaims";

	post(claims,
	    "{'kind':'PersistentVolumeClaim','apiVersion':'v1','metadata':"
	    "{'name':'claim-%lu'},'spec':{'accessModes':['ReadWriteOnce'],"
	    "'storageClassName':'none-%lu',"
	    "'selector':{'matchLabels':{'disk':'d%lu'}},"
	    "'resources':{'requests':{'storage':'1Gi'}}}}",
	    n, n % 7, n);
	pod("user", n,
	    "'volumes':[{'name':'v','persistentVolumeClaim':"
	    "{'claimName':'claim-%lu'}}]," CONTAINER(""),
	    n);
	delete_old(claims, "claim", n);
	delete_old("/api/v1/pods", "user", n);
}

/* ---- labels of a namespace that 500 waiting pods select by ---- */

static void
make_labels(unsigned long i)
{
	char scope[100];

	snprintf(scope, sizeof(scope),
	    "'namespaceSelector':{'matchLabels':{'team':'t%lu'}}", i);
	wait_for(i, 30, scope);
}

static void
step_labels(unsigned long n)
{
	char AUTOFREE *path = xasprintf("/api/v1/namespaces/%s", namespace);

	request("PATCH", path, "{'metadata':{'labels':{'team':'t%lu'}}}",
	    n % 1000);
}

/* ---- Services and ReplicaSets that select by 900 labels each ---- */

static void
put_pairs(struct text *out, unsigned long n)
{
	char pair[60];

	for (unsigned k = 0; k < 900; k++) {
		snprintf(pair, sizeof(pair), "%s'k%lu-%u':'v'",
		    k > 0 ? "," : "", n, k);
		text_put(out, pair);
	}
}

static void
step_selectors(unsigned long n)
{
	static const char sets[] = "/apis/apps/v1/replicasets";
	struct text pairs = { 0 };

	put_pairs(&pairs, n);
	post("/api/v1/services",
	    "{'kind':'Service','apiVersion':'v1','metadata':{'name':'s-%lu'},"
	    "'spec':{'clusterIP':'None','selector':{%s}}}",
	    n, pairs.bytes);
	post(sets,
	    "{'kind':'ReplicaSet','apiVersion':'apps/v1','metadata':"
	    "{'name':'r-%lu'},'spec':{'replicas':0,"
	    "'selector':{'matchLabels':{%s}},"
	    "'template':{'metadata':{'labels':{%s}},'spec':{" CONTAINER(
		"") "}}}}",
	    n, pairs.bytes, pairs.bytes);
	delete_old("/api/v1/services", "s", n);
	delete_old(sets, "r", n);
	text_fini(&pairs);
}

/* ---- kubelets that change all they may change ---- */

static void
make_nodes(unsigned long i)
{
	request("POST", "/apis/storage.k8s.io/v1/csinodes",
	    "{'metadata':{'name':'node-%05lu'},'spec':{'drivers':[]}}", i);
}

static void
step_nodes(unsigned long n)
{
	char AUTOFREE *status =
	    xasprintf("/api/v1/nodes/node-%05lu/status", n % NODES);
	char AUTOFREE *drivers =
	    xasprintf("/apis/storage.k8s.io/v1/csinodes/node-%05lu", n % NODES);

	request("PATCH", status,
	    "{'status':{'allocatable':{'cpu':'%lu','attack.io/r%lu':'1'},"
	    "'conditions':[{'type':'Ready','status':'%s','reason':'r%lu'},"
	    "{'type':'MemoryPressure','status':'%s'}]}}",
	    1 + n % 9, n % 1000, n % 2 ? "True" : "False", n,
	    n % 3 ? "False" : "True");
	request("PATCH", drivers, "{'spec':{'drivers':%s}}",
	    n / NODES % 2 ? "[]" :
			    "[{'name':'attack.io','nodeID':'n',"
			    "'topologyKeys':['a'],'allocatable':{'count':1}}]");
}

/* ---- claims for one device more than any node has; "still": all tried again each
 * second ---- */

static void
ask_for_devices(const char *word, unsigned long i)
{
	struct text requests = { 0 };
	char one[200];

	for (unsigned k = 0; k <= DEVICES; k++) {
		snprintf(one, sizeof(one),
		    "%s{'name':'q%lu-%u','exactly':{'deviceClassName':'attack',"
		    "'allocationMode':'ExactCount','count':1}}",
		    k > 0 ? "," : "", i, k);
		text_put(&requests, one);
	}
	post("/apis/resource.k8s.io/v1/resourceclaims",
	    "{'metadata':{'name':'%s-%lu'},'spec':{'devices':{'requests':[%s]}}}",
	    word, i, requests.bytes);
	pod(word, i,
	    "'resourceClaims':[{'name':'r','resourceClaimName':'%s-%lu'}]," CONTAINER(
		""),
	    word, i);
	text_fini(&requests);
}

static void
make_devices(unsigned long i)
{
	struct text devices = { 0 };
	char one[20];

	if (i == 0)
		request("POST", "/apis/resource.k8s.io/v1/deviceclasses",
		    "{'metadata':{'name':'attack'},'spec':{}}");
	for (unsigned k = 0; k < DEVICES; k++) {
		snprintf(one, sizeof(one), "%s{'name':'d%u'}", k > 0 ? "," : "",
		    k);
		text_put(&devices, one);
	}
	if (i < DEVICE_NODES)
		request("POST", "/apis/resource.k8s.io/v1/resourceslices",
		    "{'metadata':{'name':'attack-%lu'},'spec':{'driver':"
		    "'attack.io','nodeName':'node-%05lu','pool':{'name':"
		    "'node-%05lu','generation':1,'resourceSliceCount':1},"
		    "'devices':[%s]}}",
		    i, i, i, devices.bytes);
	text_fini(&devices);
	ask_for_devices("ask", i);
}

static void
step_devices(unsigned long n)
{
	ask_for_devices("more", n);
	delete_old("/apis/resource.k8s.io/v1/resourceclaims", "more", n);
	delete_old("/api/v1/pods", "more", n);
}

/* ---- pods that want to be alone, by 50 terms ---- */

/* With these fields, apart from pods of this scope that have this label. */
static void
pod_alone(unsigned long n, const char *fields, const char *scope,
    const char *key)
{
	struct text terms = { 0 };
	char term[300];

	for (unsigned k = 0; k < 50; k++) {
		snprintf(term, sizeof(term),
		    "%s{'topologyKey':'kubernetes.io/hostname',%s"
		    "'labelSelector':{'matchExpressions'"
		    ":[{'key':'%s','operator':'Exists'},"
		    "{'key':'x%lu-%u','operator':'DoesNotExist'}]}}",
		    k > 0 ? "," : "", scope, key, n, k);
		text_put(&terms, term);
	}
	pod("alone", n,
	    "%s'affinity':{'podAntiAffinity':{'" REQUIRED
	    "':[%s]}}," CONTAINER(""),
	    fields, terms.bytes);
	delete_old("/api/v1/pods", "alone", n);
	text_fini(&terms);
}

/* Above all others: they evict for it. */
static void
step_alone(unsigned long n)
{
	pod_alone(n, "'priorityClassName':'attack',", "'namespaceSelector':{},",
	    "app");
}

/* Apart from many of their own namespace. */
static void
make_apart(unsigned long i)
{
	pod("run", i, "'nodeName':'node-%05lu'," CONTAINER(""),
	    i % APART_NODES);
}

static void
step_apart(unsigned long n)
{
	pod_alone(n, "", "", "id");
}

static const struct attack attacks[] = {
	{ "terms", 6000, 50, make_terms, step_terms },
	{ "keys", 2000, 30, make_terms, step_keys },
	{ "flood", 10000, 1, make_flood, step_flood },
	{ "preemption", 1, 10, make_preemption, step_preemption },
	{ "budget", NODES, 200, make_budget, step_budget },
	{ "claims", 0, 20, NULL, step_claims },
	{ "labels", 500, 20, make_labels, step_labels },
	{ "selectors", 0, 5, NULL, step_selectors },
	{ "nodes", NODES, 50, make_nodes, step_nodes },
	{ "devices", 100, 5, make_devices, step_devices },
	{ "still", 100, 1, make_devices, step_flood },
	{ "alone", 1, 30, make_preemption, step_alone },
	{ "apart", 10000, 40, make_apart, step_apart },
};

/* ---- */

static void
go_on(void)
{
	uint64_t elapsed_ms;

	while (made < attack.count && in_flight < IN_FLIGHT)
		attack.make(made++);
	if (made < attack.count)
		return;
	if (begun_ms == 0) {
		if (in_flight > 0)
			return;
		begun_ms = clock_ms();
		if (ready != NULL)
			fclose(fopen(ready, "w"));
	}
	elapsed_ms = (uint64_t)(clock_ms() - begun_ms);
	while (in_flight < IN_FLIGHT && steps * 1000 < elapsed_ms * attack.rate)
		attack.step(steps++);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	if (begun_ms != 0)
		go_on();
}

static void
on_namespace(void *arg, const struct api_response *response)
{
	go_on();
}

static void
on_signal(evutil_socket_t fd, short what, void *arg)
{
	event_base_loopbreak(base);
}

static int
usage(void)
{
	fputs("usage: attack [--count N] [--ready FILE] [--minor N] KIND\n",
	    stderr);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'c' },
		{ "ready", required_argument, NULL, 'r' },
		{ "minor", required_argument, NULL, 'm' },
		{ NULL, 0, NULL, 0 },
	};
	const char *values[128] = { ['m'] = "36" };
	struct timeval often = { .tv_usec = 10000 };
	struct api_config *config;
	char *body;
	struct event *end;
	struct err err;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == '?')
			return usage();
		values[opt] = optarg;
	}
	for (size_t i = 0; optind < argc && i < LENGTH(attacks); i++)
		if (strcmp(attacks[i].name, argv[optind]) == 0)
			attack = attacks[i];
	if (attack.name == NULL)
		return usage();
	if (values['c'] != NULL)
		attack.count = strtoul(values['c'], NULL, 10);
	ready = values['r'];
	namespace = xasprintf("attack-%s", attack.name);
	budgets = xasprintf("/apis/policy/%s/poddisruptionbudgets",
	    strtol(values['m'], NULL, 10) < 21 ? "v1beta1" : "v1");

	if (api_config_load(&(struct api_source){ 0 }, &config, &err) != 0) {
		fprintf(stderr, "attack: %s\n", err.text);
		return 1;
	}
	base = event_base_new();
	client = api_client_new(base, config,
	    &(struct api_options){ .timeout_ms = 60000 });
	tick = event_new(base, -1, EV_PERSIST, on_tick, NULL);
	event_add(tick, &often);
	end = evsignal_new(base, SIGTERM, on_signal, NULL);
	event_add(end, NULL);
	body = xasprintf("{\"metadata\":{\"name\":\"%s\"}}", namespace);
	api_send(client,
	    &(struct api_request){ .lane = API_REST,
		.method = "POST",
		.path = "/api/v1/namespaces",
		.body = body,
		.retry_ms = 60000,
		.on_done = on_namespace });
	event_base_dispatch(base);
	printf("%lu steps, %lu refused\n", steps, refused);
	event_free(end);
	event_free(tick);
	api_client_free(client);
	event_base_free(base);
	free(body);
	free(budgets);
	free(namespace);
	return refused > 0;
}
