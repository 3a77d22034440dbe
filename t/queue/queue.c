/*
 * The scheduling queue: scripts of one line each, and random operations beside
 * a queue that is so simple that it must be right.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

/* ---- pods ---- */

/* "a:1" as YAML wants it: "a: 1". */
static char *
with_spaces(const char *text)
{
	char *spaced = xstrdup("");

	while (*text != '\0') {
		size_t len = strcspn(text, ":");
		char *longer = xasprintf("%s%.*s%s", spaced, (int)len, text,
		    text[len] != '\0' ? ": " : "");

		free(spaced);
		spaced = longer;
		text += len + (text[len] != '\0');
	}
	return spaced;
}

/* words: a priority; "gated"; "near=x", "far=x": a required term of podAffinity,
 * podAntiAffinity about pods labelled app: x; "uid=x": another uid than the name;
 * "claim=x": a ResourceClaim; "in=x": a namespace; "needs=x": requests; "deleting". */
static struct pod *
pod_new(const char *name, const char *words)
{
	AUTOFREE char *copy = xstrdup(words), *text = NULL, *rest = NULL;
	AUTOFREE char *spaced = NULL;
	const char *uid = name, *near = "", *gates = "", *deletion = "";
	const char *volumes = "", *claim = "";
	const char *kind = "podAffinity", *in = "default", *needs = "";
	struct pod *pod = NULL;
	struct err err = { "" };
	struct doc *doc;
	int priority = 0;

	for (char *save, *word = strtok_r(copy, " ", &save); word != NULL;
	     word = strtok_r(NULL, " ", &save)) {
		if (strcmp(word, "gated") == 0)
			gates = "schedulingGates: [{name: g}], ";
		else if (strcmp(word, "deleting") == 0)
			deletion = "deletionTimestamp: '2020-01-01T00:00:00Z',";
		else if (strncmp(word, "claim=", 6) == 0)
			claim = word + 6;
		else if (strcmp(word, "volume") == 0)
			volumes = "volumes: [{name: v}], ";
		else if (strncmp(word, "near=", 5) == 0)
			near = word + 5;
		else if (strncmp(word, "far=", 4) == 0)
			kind = "podAntiAffinity", near = word + 4;
		else if (strncmp(word, "uid=", 4) == 0)
			uid = word + 4;
		else if (strncmp(word, "in=", 3) == 0)
			in = word + 3;
		else if (strncmp(word, "needs=", 6) == 0)
			needs = spaced = with_spaces(word + 6);
		else
			priority = atoi(word);
	}
	if (near[0] != '\0')
		rest = xasprintf(
		    "affinity: {%s: {"
		    "requiredDuringSchedulingIgnoredDuringExecution: "
		    "[{topologyKey: zone, labelSelector: {matchLabels: "
		    "{app: '%s'}}}]}}",
		    kind, near);
	text = xasprintf("--- {kind: Pod, metadata: {namespace: %s, "
			 "name: '%s', uid: '%s', %s labels: {app: '%s'}}, "
			 "spec: {priority: %d, containers: [{name: c, "
			 "resources: {requests: {%s}}}], resourceClaims: "
			 "[%s%s%s], %s%s%s}}",
	    in, name, uid, deletion, name, priority, needs,
	    *claim != '\0' ? "{name: c, resourceClaimName: " : "", claim,
	    *claim != '\0' ? "}" : "", gates, volumes,
	    rest != NULL ? rest : "");
	doc =
	    doc_parse("pod.yaml", text, strlen(text), &doc_limits_people, &err);
	if (doc != NULL)
		pod = (struct pod *)object_decode_as(NULL, OBJECT_POD,
		    doc_root(doc), &err);
	t_str(text, err.text, "");
	doc_free(doc);
	return pod;
}

/* ---- scripts ---- */

struct stage {
	const char *script; /* the row's name, for failures */
	struct queue *queue;
	int64_t now_ms;
	struct {
		char name[8];
		char words[64];
		struct pod *pod;
	} pods[8]; /* the newest version of each */
	size_t npods;
	char held[32]; /* names of pods that the gate holds, if it is set */
};

static size_t
stage_pod(struct stage *s, const char *name)
{
	for (size_t i = 0; i < s->npods; i++)
		if (strcmp(s->pods[i].name, name) == 0)
			return i;
	snprintf(s->pods[s->npods].name, sizeof(s->pods[0].name), "%s", name);
	return s->npods++;
}

/* words NULL: as it was, only in another object. */
static void
put(struct stage *s, const char *name, const char *words, bool update)
{
	size_t i = stage_pod(s, name);
	struct pod *before = s->pods[i].pod;

	if (words != NULL)
		snprintf(s->pods[i].words, sizeof(s->pods[i].words), "%s",
		    words);
	s->pods[i].pod = pod_new(name, s->pods[i].words);
	if (update && before != NULL &&
	    strcmp(before->object.uid, s->pods[i].pod->object.uid) != 0)
		queue_delete(s->queue, before);
	queue_add(s->queue, s->pods[i].pod, s->now_ms);
	pod_unref(before);
}

static void
expect_pop(struct stage *s, const char *name, bool suspect)
{
	struct queue_attempt attempt = { 0 };
	struct pod *pod = queue_pop(s->queue, s->now_ms, &attempt);

	t_str(s->script, pod != NULL ? pod->object.name : "-", name);
	t_int(s->script, attempt.suspect, suspect);
	pod_unref(pod);
}

static void
expect_in(struct stage *s, const char *name, const char *place)
{
	enum queue_place at;

	queue_find(s->queue, s->pods[stage_pod(s, name)].pod->object.uid, &at);
	t_str(s->script, queue_place_name(at), place);
}

static void
expect_next(struct stage *s, const char *want)
{
	int64_t deadline = queue_next_deadline(s->queue);
	AUTOFREE char *text = deadline == QUEUE_NO_DEADLINE ?
	    xstrdup("-") :
	    xasprintf("%" PRId64, deadline);

	t_str(s->script, text, want);
}

static bool
is_held(const struct pod *pod, void *held)
{
	return strstr(held, pod->object.name) != NULL;
}

static bool
gate_holds(void *arg, const struct pod *pod)
{
	const struct stage *s = arg;

	return strstr(s->held, pod->object.name) != NULL;
}

static void
add_claim(struct stage *s, const char *name)
{
	AUTOFREE char *text =
	    xasprintf("{\"kind\":\"ResourceClaim\",\"metadata\":{\"namespace\":"
		      "\"default\",\"name\":\"%s\"}}",
		name);
	struct object *claim =
	    t_must_decode(s->script, OBJECT_RESOURCE_CLAIM, text);

	queue_object_changed(s->queue, NULL, claim, s->now_ms);
	object_unref(claim);
}

/* The pod popped next, unless it is "-", waited for its age alone. */
static void
expect_flushed(struct stage *s, const char *name, bool flushed)
{
	struct queue_attempt attempt = { 0 };
	struct pod *pod = queue_pop(s->queue, s->now_ms, &attempt);

	t_str(s->script, pod != NULL ? pod->object.name : "-", name);
	t_int(s->script, attempt.flushed, flushed);
	pod_unref(pod);
}

/*
 * @MS              it is that late (the queue began at 0)
 * add, update P …  with the words of pod_new()
 * touch P          an update of nothing that a rule may see
 * delete P
 * pop P            that one is the next, "-" for none
 * fail P, retry P  the attempt; "fail! P": it does not count
 * slow P MS S      it took MS: S seconds of quarantine
 * cost NS US [again]	an attempt with a pod of that namespace took so long
 * share N          that many bindings may be under way
 * binding NS N     so many more of that namespace's are
 * suspect P        as pop, but a pod of its class is in quarantine
 * aged P, woken P  as pop; it left UNSCHEDULABLE for its age, or not so
 * move             everything, because a node was added
 * bound P …        a pod of that name got a node
 * changed P        the same, but it had one before
 * tick
 * in P PLACE       there it is
 * next MS          the deadline, "-" for none
 * sweep N P…       finds N lost; those named are held
 * hold P…          a gate that holds those named, "-" for none
 * ask              it is asked about all of them
 * claim C          that ResourceClaim is added
 */
static void
step(struct stage *s, const char *verb, char *name, char *words)
{
	struct pod *pod;

	if (strcmp(verb, "add") == 0 || strcmp(verb, "update") == 0) {
		put(s, name, words, verb[0] == 'u');
	} else if (strcmp(verb, "touch") == 0) {
		put(s, name, NULL, true);
	} else if (strcmp(verb, "pop") == 0) {
		expect_pop(s, name, false);
	} else if (strcmp(verb, "suspect") == 0) {
		expect_pop(s, name, true);
	} else if (strcmp(verb, "aged") == 0 || strcmp(verb, "woken") == 0) {
		expect_flushed(s, name, verb[0] == 'a');
	} else if (strcmp(verb, "slow") == 0) {
		int cost_ms = 0, seconds = -1;

		sscanf(words, "%d %d", &cost_ms, &seconds);
		pod = s->pods[stage_pod(s, name)].pod;
		queue_charge(s->queue, pod->object.namespace,
		    (int64_t)cost_ms * 1000, false, s->now_ms);
		t_int(s->script, queue_quarantine(s->queue, pod, s->now_ms),
		    seconds * INT64_C(1000));
	} else if (strcmp(verb, "cost") == 0) {
		queue_charge(s->queue, sym_intern(name), atoi(words),
		    strstr(words, "again") != NULL, s->now_ms);
	} else if (strcmp(verb, "share") == 0) {
		queue_set_limits(s->queue,
		    queue_options_default.unschedulable_age_ms, atoi(name));
	} else if (strcmp(verb, "binding") == 0) {
		for (int n = atoi(words); n != 0; n -= n > 0 ? 1 : -1)
			queue_count_bindings(s->queue, sym_intern(name),
			    n > 0 ? 1 : -1);
	} else if (strcmp(verb, "in") == 0) {
		expect_in(s, name, words);
	} else if (strcmp(verb, "next") == 0) {
		expect_next(s, name);
	} else if (strcmp(verb, "move") == 0) {
		queue_move_all(s->queue, QUEUE_NODE_ADD, s->now_ms);
	} else if (strcmp(verb, "tick") == 0) {
		queue_tick(s->queue, s->now_ms);
	} else if (strcmp(verb, "bound") == 0 || strcmp(verb, "changed") == 0) {
		pod = pod_new(name, words);
		queue_object_changed(s->queue,
		    verb[0] == 'c' ? &pod->object : NULL, &pod->object,
		    s->now_ms);
		pod_unref(pod);
	} else if (strcmp(verb, "hold") == 0) {
		t_true("it has room",
		    snprintf(s->held, sizeof(s->held), "%s %s", name, words) <
			(int)sizeof(s->held));
		queue_set_gate(s->queue, gate_holds, s);
	} else if (strcmp(verb, "ask") == 0) {
		queue_gate_changed(s->queue, s->now_ms);
	} else if (strcmp(verb, "claim") == 0) {
		add_claim(s, name);
	} else if (strcmp(verb, "sweep") == 0) {
		t_int(s->script, queue_sweep(s->queue, is_held, words),
		    atoi(name));
	} else {
		pod = s->pods[stage_pod(s, name)].pod;
		if (strcmp(verb, "delete") == 0)
			queue_delete(s->queue, pod);
		else if (strcmp(verb, "retry") == 0)
			t_true(s->script,
			    queue_retry(s->queue, pod, s->now_ms));
		else if (t_true(verb, strncmp(verb, "fail", 4) == 0))
			t_int(s->script,
			    queue_refused(s->queue, pod, PLUGINS_UNKNOWN,
				s->now_ms),
			    verb[4] == '\0');
	}
}

static void
play(const char *name, const char *script)
{
	AUTOFREE char *copy = xstrdup(script);
	struct stage s = { .script = name };

	s.queue = queue_new(&queue_options_default, 0);
	for (char *save, *part = strtok_r(copy, ";", &save); part != NULL;
	     part = strtok_r(NULL, ";", &save)) {
		char verb[16] = "", first[16] = "", rest[64] = "";

		sscanf(part, " %15s %15s %63[^;]", verb, first, rest);
		if (verb[0] == '@')
			s.now_ms = atoll(verb + 1);
		else
			step(&s, verb, first, rest);
	}
	queue_free(s.queue);
	for (size_t i = 0; i < s.npods; i++)
		pod_unref(s.pods[i].pod);
}

struct row {
	const char *name, *script;
};

static void
play_all(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		play(rows[i].name, rows[i].script);
}

static void
pods_are_popped_in_order(void)
{
	static const struct row rows[] = {
		{ "nothing to pop", "pop -; next -" },
		{ "first come, first served",
		    "add a; add b; @5; add c; pop a; pop b; pop c; pop -" },
		{ "higher priority first",
		    "add a; add b 5; add c -3; add d 5; add e 2000000000;"
		    " pop e; pop b; pop d; pop a; pop c" },
		{ "a priority that changes",
		    "add a 1; add b 2; add c 3; update a 9; pop a;"
		    " update c 0; pop b; pop c" },
		{ "an update keeps the place in line",
		    "add a; add b; @9; touch a; pop a; pop b" },
		{ "adding it once more is an update",
		    "add a; add b; @9; add a; pop a; pop b; pop -" },
		{ "a failure puts it behind the others of its priority",
		    "add a; add b; pop a; fail a; @1500; move; pop b; pop a" },
		{ "moves keep the order of the failures",
		    "add b; add a; pop b; fail b; @1; pop a; fail a; @1500;"
		    " move; pop b; pop a" },
		{ "deleted ones are gone",
		    "add a; add b; delete a; in a nowhere; pop b; pop -;"
		    " delete b; in b nowhere; delete b; fail! b" },
		{ "those never tried before those that failed earlier",
		    "add a; pop a; retry a; @1000; tick; add b; pop b; pop a" },
		{ "for ten seconds",
		    "add a; pop a; @500; retry a; @9000; add b; @10500; add c;"
		    " @10501; add d; pop b; pop a; pop c; pop d" },
		{ "but not before those of higher priority",
		    "add a 1; pop a; retry a; @1000; tick; add b; pop a;"
		    " pop b" },
		{ "one in flight is not popped twice",
		    "add a; pop a; touch a; add a; pop -; in a in-flight" },
	};

	play_all(rows, LENGTH(rows));
}

static void
failed_pods_wait_for_a_move(void)
{
	static const struct row rows[] = {
		{ "nothing happened since it was popped",
		    "add a; pop a; fail a; in a unschedulable; pop -" },
		{ "a move while its backoff lasts",
		    "add a; pop a; fail a; @999; move; in a backoff; pop -" },
		{ "a move when its backoff is over",
		    "add a; pop a; fail a; @1000; move; in a active; pop a" },
		{ "a move after it was popped: only its backoff",
		    "add a; pop a; move; fail a; in a backoff" },
		{ "a move before it was popped does not count",
		    "add a; move; pop a; fail a; in a unschedulable" },
		{ "before anything was popped neither",
		    "move; add a; pop a; fail a; in a unschedulable" },
		{ "a move between two pops is for the first alone",
		    "add a; add b; pop a; move; pop b; fail a; fail b;"
		    " in a backoff; in b unschedulable" },
		{ "a bound pod counts, whomever it matches",
		    "add a; pop a; bound x; fail a; in a backoff" },
		{ "trouble of another kind: only its backoff",
		    "add a; pop a; retry a; in a backoff; @1000; pop a" },
		{ "a failure of one that is not in flight",
		    "add a; fail! a; in a active; pop a; fail a; fail! a;"
		    " in a unschedulable" },
		{ "deleted while in flight",
		    "add a; pop a; delete a; fail! a; in a nowhere; pop -" },
		{ "moves do not touch the active",
		    "add a; add b; move; pop a; pop b" },
	};

	play_all(rows, LENGTH(rows));
}

static void
backoff_doubles_up_to_its_limit(void)
{
	static const int seconds[] = { 1, 2, 4, 8, 10, 10, 10 };
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *pod = pod_new("a", "");
	struct queue_attempt attempt = { 0 };
	int64_t now_ms = 0;

	queue_add(queue, pod, 0);
	for (size_t i = 0; i < LENGTH(seconds); i++) {
		pod_unref(queue_pop(queue, now_ms, &attempt));
		t_int("the attempt's number", attempt.number, i + 1);
		t_int("since when", attempt.added_ms, 0);
		queue_move_all(queue, QUEUE_PV_ADD, now_ms);
		queue_refused(queue, pod, PLUGINS_UNKNOWN, now_ms);
		t_int("deadline", queue_next_deadline(queue),
		    now_ms + seconds[i] * 1000);
		now_ms += seconds[i] * 1000;
		t_true("a moment before",
		    queue_pop(queue, now_ms - 1, NULL) == NULL);
	}
	pod_unref(pod);
	queue_free(queue);
}

static void
backoffs_end_on_the_second(void)
{
	static const struct row rows[] = {
		{ "ends are looked at every second",
		    "@300; add a; pop a; retry a; next 2000; @1300; tick;"
		    " in a backoff; next 2000; @1999; tick; in a backoff;"
		    " @2000; tick; in a active; next -" },
		{ "all that are over, none that are not",
		    "add a; add b; add c; pop a; pop b; pop c; retry a; @10;"
		    " retry b; @1500; retry c; next 1000; @2000; tick;"
		    " in a active; in b active; in c backoff; next 3000" },
		{ "popping looks, too", "add a; pop a; retry a; @5000; pop a" },
		{ "one of higher priority that came back goes first",
		    "add a 9; pop a; retry a; add b; @1000; pop a; pop b" },
		{ "a failure during the backoff does not extend it",
		    "add a; pop a; retry a; update a 1; pop a; @500; retry a;"
		    " next 1000; @1000; pop a; retry a; next 3000" },
		{ "after 20 s of quiet it starts again at 1 s",
		    "add a; pop a; retry a; @1000; pop a; retry a; next 3000;"
		    " @21000; pop a; retry a; next 25000; @46000; pop a;"
		    " retry a; next 47000" },
		{ "it dies with the pod",
		    "add a; pop a; retry a; @1000; pop a; retry a; delete a;"
		    " add a; pop a; retry a; next 2000" },
		{ "the next of that name does not inherit it",
		    "add a; pop a; retry a; @1000; pop a; retry a;"
		    " update a uid=x; pop a; retry a; next 2000" },
	};

	play_all(rows, LENGTH(rows));
}

static void
an_attempt_goes_on_without_backoff(void)
{
	static const struct queue_options options = { 3000, 5000, 7000, 1000,
		1000, "", 0 };
	struct queue *queue = queue_new(&options, 1000);
	struct pod *pod = pod_new("a", "");

	queue_add(queue, pod, 1000);
	pod_unref(queue_pop(queue, 1000, NULL));
	t_true("one in flight", queue_go_on(queue, pod, 1000));
	t_int("is active", queue_count(queue, QUEUE_ACTIVE), 1);
	t_true("no other does", !queue_go_on(queue, pod, 1000));
	pod_unref(queue_pop(queue, 1000, NULL));
	t_int("it is next", queue_count(queue, QUEUE_IN_FLIGHT), 1);
	pod_unref(pod);
	queue_free(queue);
}

static void
backoff_times_are_options(void)
{
	static const struct queue_options options = { 3000, 5000, 7000, 1000,
		1000, "", 0 };
	struct queue *queue = queue_new(&options, 1000);
	struct pod *pod = pod_new("a", "");

	queue_add(queue, pod, 1000);
	pod_unref(queue_pop(queue, 1000, NULL));
	queue_retry(queue, pod, 1000);
	t_int("the first", queue_next_deadline(queue), 4000);
	pod_unref(queue_pop(queue, 4000, NULL));
	queue_retry(queue, pod, 4000);
	t_int("cut to the limit", queue_next_deadline(queue), 9000);
	pod_unref(queue_pop(queue, 9000, NULL));
	queue_refused(queue, pod, PLUGINS_UNKNOWN, 9000);
	t_int("unschedulable", queue_next_deadline(queue), 31000);
	queue_tick(queue, 31000);
	t_int("old enough", queue_count(queue, QUEUE_ACTIVE), 1);
	pod_unref(pod);
	queue_free(queue);
}

static void
unschedulable_pods_are_tried_again_when_old(void)
{
	static const struct row rows[] = {
		{ "older than 60 s, looked at every 30 s",
		    "add a; pop a; @1; fail a; next 30000; @30000; tick;"
		    " in a unschedulable; @60000; tick; in a unschedulable;"
		    " next 90000; @90000; tick; in a active; next -" },
		{ "exactly 60 s is not older",
		    "add a; pop a; fail a; @60000; tick; in a unschedulable;"
		    " @90000; pop a" },
		{ "the younger stay",
		    "add a; add b; pop a; pop b; fail a; @40000; fail b;"
		    " @90000; tick; in a active; in b unschedulable" },
		{ "one that was moved and failed again is young",
		    "add a; pop a; fail a; @50000; move; pop a; fail a;"
		    " @90000; tick; in a unschedulable; @120000; pop a" },
		{ "it counts as a move when a pod was moved",
		    "add a; add b; pop a; fail a; pop b; @90000; tick; fail b;"
		    " in b backoff" },
		{ "and not otherwise",
		    "add a; pop a; @90000; tick; fail a; in a unschedulable" },
		{ "an attempt knows that no event led to it",
		    "add a; woken a; fail a; @90000; aged a; fail a; @95000;"
		    " move; tick; @200000; woken a" },
	};

	play_all(rows, LENGTH(rows));
}

static void
the_age_may_change(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *pod = pod_new("a", "");
	struct queue_waiting waiting;

	queue_add(queue, pod, 0);
	pod_unref(queue_pop(queue, 0, NULL));
	queue_refused(queue, pod, PLUGINS_UNKNOWN, 1);
	queue_set_limits(queue, 300000, queue_options_default.max_bindings);
	queue_tick(queue, 300000);
	queue_list(queue, QUEUE_UNSCHEDULABLE, 0, 1, &waiting);
	t_int("announced", waiting.next_ms, 330000);
	queue_tick(queue, 330000);
	t_int("older", queue_count(queue, QUEUE_ACTIVE), 1);
	pod_unref(pod);
	queue_free(queue);
}

static void
a_pod_that_changes_is_tried_again(void)
{
	static const struct row rows[] = {
		{ "unschedulable: at once, backoff forgotten",
		    "add a; pop a; fail a; update a near=x; in a active;"
		    " pop a; fail a; @1000; move; in a active" },
		{ "unschedulable: a new priority is a change",
		    "add a; pop a; fail a; update a 1; in a active" },
		{ "unschedulable: being deleted is a change",
		    "add a; pop a; fail a; update a deleting; pop a" },
		{ "unschedulable: a status is none",
		    "add a; pop a; fail a; touch a; in a unschedulable" },
		{ "backing off: at once",
		    "add a; pop a; retry a; update a 1; pop a" },
		{ "backing off: a status is no change",
		    "add a; pop a; retry a; touch a; in a backoff; @1000;"
		    " pop a" },
		{ "in flight: when the attempt has failed",
		    "add a; pop a; update a 1; pop -; fail a; in a active" },
		{ "in flight: a status is no change",
		    "add a; pop a; touch a; fail a; in a unschedulable" },
		{ "in flight: once",
		    "add a; pop a; update a 1; fail a; pop a; fail a;"
		    " in a unschedulable" },
		{ "unknown: it is added",
		    "update a; pop a; delete a; touch a; pop a" },
		{ "replaced by another of its name",
		    "add a; pop a; fail a; update a uid=x; in a active; pop a;"
		    " pop -; sweep 0 a" },
	};

	play_all(rows, LENGTH(rows));
}

static void
slow_pods_are_put_in_quarantine(void)
{
	static const struct row rows[] = {
		{ "for ten seconds",
		    "add a; pop a; slow a 1000 10;"
		    " in a quarantine; next 10000; @9999; pop -; @10000;"
		    " pop a; fail a; in a unschedulable" },
		{ "twice as long each time, up to ten minutes",
		    "add a; pop a; slow a 1 10; @10000; pop a; slow a 1 20;"
		    " @30000; pop a; slow a 1 40; @70000; pop a; slow a 1 80;"
		    " @150000; pop a; slow a 1 160; @310000; pop a;"
		    " slow a 1 320; @630000; pop a; slow a 1 600;"
		    " @1230000; pop a; slow a 1 600" },
		{ "from the start when the last is long ago",
		    "add a; pop a; slow a 1 10; @10000; pop a; slow a 1 20;"
		    " @30000; pop a; fail a; @1300000; move; pop a;"
		    " slow a 1 10" },
		{ "events of the cluster do not end it",
		    "add a near=x; pop a; slow a 1 10; move; bound x; tick;"
		    " in a quarantine; @9999; move; pop -" },
		{ "a change of the pod cuts it to the first step",
		    "add a; pop a; slow a 1 10; @10000; pop a; slow a 1 20;"
		    " @15000; touch a; next 30000; update a 1; next 20000;"
		    " @19999; pop -; @20000; pop a; slow a 1 40" },
		{ "also one while it was tried",
		    "add a; pop a; slow a 1 10; @10000; pop a; update a 1;"
		    " slow a 1 10; next 20000" },
		{ "it dies with the pod",
		    "add a; pop a; slow a 1 10;"
		    " @10000; pop a; slow a 1 20; delete a; in a nowhere;"
		    " next -; add a; pop a; slow a 1 10" },
		{ "from wherever it is",
		    "add a; slow a 1 10; pop -;"
		    " add b; pop b; fail b; slow b 1 10; in b quarantine;"
		    " add c; pop c; retry c; slow c 1 10; next 10000" },
		{ "but once at a time",
		    "add a; slow a 1 10; @5; slow a 1 0;"
		    " next 10000" },
		{ "one with gates is not tried anyway",
		    "add a gated; slow a 1 0; in a gated" },
		{ "which it may get",
		    "add a; slow a 1 10; update a gated;"
		    " in a gated; next -; update a; pop a" },
		{ "one of an unknown pod", "add a; delete a; slow a 1 0" },
		{ "others go on meanwhile",
		    "add a; add b; pop a; slow a 1 10;"
		    " pop b; add c; pop c" },
		{ "a sweep agrees",
		    "add a; slow a 1 10; sweep 0; @10000; tick;"
		    " in a active; sweep 0; pop a; sweep 0 a" },
	};

	play_all(rows, LENGTH(rows));
}

static void
costly_namespaces_let_others_go_first(void)
{
	static const struct row rows[] = {
		{ "what is cheap costs nothing, however often",
		    "cost x 1999; cost x 1999; add a in=x 9; add b; pop a;"
		    " cost x 1999; pop b; next -" },
		{ "but to pods that were tried before",
		    "cost x 60000; cost x 1999; cost x 39001 again;"
		    " cost x 999 again; add a in=x; add b; pop b" },
		{ "a little now and then is no matter",
		    "cost x 60000; @1000; cost x 60000; add a in=x; add b;"
		    " pop a" },
		{ "what is costly waits, whatever its priority",
		    "add a in=x 9; add b; cost x 60000; cost x 60000; pop b;"
		    " pop -; next 540; @539; pop -; @540; pop a; next -" },
		{ "no longer than there were others within a second",
		    "add b; pop b; @10; cost x 900000; add a in=x; pop -;"
		    " next 1000; @1000; pop a" },
		{ "with nobody else it does not",
		    "cost x 900000; add a in=x; add c in=x 3; @1001; pop c;"
		    " cost x 900000; pop a; next -" },
		{ "nor if each is short",
		    "add b; pop b; cost x 20000; cost x 20000; cost x 20000;"
		    " cost x 20000; cost x 20000; add a in=x; pop a" },
		{ "it gets a tenth of the time of others who wait",
		    "add a in=x; add c in=x; cost x 100000; add b; add d; add e;"
		    " add f; @899; pop b; @900; pop a; cost x 10000; pop d;"
		    " @989; pop e; @990; pop c; pop f" },
		{ "and is as before a second after its rest",
		    "add b; add a in=x 9; add c in=x 8; cost x 100000; pop b;"
		    " @901; pop a; add b; @1900; add d; pop c; add e in=x 9;"
		    " @1901; pop e; pop d" },
		{ "but when a cheap attempt follows",
		    "add b; add a in=x 9; add c in=x 8; cost x 100000; pop b;"
		    " @901; pop a; cost x 100; add d; @1901; pop c; add e in=x"
		    " 9; cost x 100; @1902; pop e; pop d" },
		{ "or waits on for its turn",
		    "add a in=x 9; cost x 100000; cost w 900000; add b; @7000;"
		    " add c; pop b; add d; pop c; @8101; pop a" },
		{ "two take turns by what they cost",
		    "add a in=x; add b in=w; add c in=x; add d in=w;"
		    " cost x 300000; cost w 100000; @1001; pop b;"
		    " cost w 100000; pop d; cost w 100000; pop a; pop c" },
		{ "pods that change and go meanwhile",
		    "add a in=x; add b in=x; add c; cost x 100000; update a 7"
		    " in=x; sweep 0; pop c; @901; delete b; pop a; pop -;"
		    " sweep 0 a c; fail a; in a unschedulable" },
	};

	play_all(rows, LENGTH(rows));
}

static void
namespaces_share_bindings(void)
{
	static const struct row rows[] = {
		{ "one that has little is not held back",
		    "share 6; binding x 2; add a in=x 9; add b; pop a; pop b" },
		{ "one that has its share lets others go first",
		    "share 6; binding x 3; add a in=x 9; add b; add c in=x; pop b;"
		    " pop a; add d; pop d; binding x -1; add e; pop c; pop e" },
		{ "of three, each has a quarter",
		    "share 8; binding x 2; binding w 1; binding v 1; add a in=w 8;"
		    " add b in=x 9; add c in=v 7; pop a; pop c; pop b" },
		{ "others as by priority",
		    "share 2; binding x 1; add a in=x 9; add b in=w; add c in=v 7;"
		    " add d in=z 3; pop c; pop d; pop b; pop a" },
		{ "all have it: as by priority",
		    "share 2; binding x 1; binding w 1; add a in=w; add b in=x 9;"
		    " pop b; pop a" },
		{ "one that is costly, too",
		    "share 6; binding x 3; cost x 100000; add b; add a in=x;"
		    " @1001; pop b; pop a" },
		{ "those that are costly share a tenth",
		    "share 20; binding x 1; binding w 1; cost x 100000;"
		    " cost w 100000; add a in=x; add b; @1001; pop b; add c;"
		    " binding w -1; pop a; pop c" },
		{ "and do not count among the others",
		    "share 20; binding x 6; cost x 100000; binding v 9;"
		    " add a in=v 9; add b; pop a; binding v 1; add c in=v 9;"
		    " pop b; pop c" },
		{ "no limit",
		    "binding x 100; add a in=x 9; add b; pop a; pop b" },
	};

	play_all(rows, LENGTH(rows));
}

static void
a_charge_says_when_a_namespace_becomes_costly(void)
{
	struct queue_options options = queue_options_default;
	sym x = sym_intern("x"), y = sym_intern("y");
	struct queue *queue;

	options.namespace_weights = "y=10";
	queue = queue_new(&options, 0);
	t_int("not yet", (long)queue_charge(queue, x, 60000, false, 0), 0);
	t_int("each of them", (long)queue_charge(queue, x, 80000, false, 0),
	    70000);
	t_int("once", (long)queue_charge(queue, x, 80000, false, 0), 0);
	t_int("one", (long)queue_costly(queue, 0), 1);
	t_int("by weight", (long)queue_charge(queue, y, 900000, false, 0), 0);
	t_int("more", (long)queue_charge(queue, y, 900000, false, 0), 900000);
	t_int("two", (long)queue_costly(queue, 0), 2);
	t_int("one by now", (long)queue_costly(queue, 1721), 1);
	t_int("none", (long)queue_costly(queue, 1811), 0);
	t_true("nor a pod", queue_pop(queue, 1811, NULL) == NULL);
	t_int("the first again",
	    (long)queue_charge(queue, x, 100000, false, 30000), 100000);
	queue_free(queue);
}

/* Of one class, unlike those of scripts. */
static struct pod *
replica_new(const char *name)
{
	AUTOFREE char *words = xasprintf("uid=%s", name);

	return pod_new("replica", words);
}

static void
replicas_of_a_slow_pod_are_suspect(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *a = replica_new("a"), *b = replica_new("b");
	struct pod *other = pod_new("other", "");
	struct queue_attempt attempt;

	queue_add(queue, a, 0);
	queue_add(queue, b, 0);
	queue_add(queue, other, 0);
	pod_unref(queue_pop(queue, 0, &attempt));
	t_true("the first is not", !attempt.suspect);
	queue_quarantine(queue, a, 0);
	pod_unref(queue_pop(queue, 0, &attempt));
	t_true("the second is", attempt.suspect);
	queue_quarantine(queue, b, 0);
	pod_unref(queue_pop(queue, 0, &attempt));
	t_true("one of another class is not", !attempt.suspect);
	pod_unref(queue_pop(queue, 10000, &attempt));
	t_true("one that was there is not", !attempt.suspect);
	queue_refused(queue, a, PLUGINS_UNKNOWN, 10000);
	pod_unref(queue_pop(queue, 10000, &attempt));
	t_int("the second is tried, too", attempt.number, 2);
	queue_refused(queue, b, PLUGINS_UNKNOWN, 10000);
	queue_move_all(queue, QUEUE_NODE_ADD, 20000);
	pod_unref(queue_pop(queue, 20000, &attempt));
	t_true("none is when quarantine is empty", !attempt.suspect);
	pod_unref(a);
	pod_unref(b);
	pod_unref(other);
	queue_free(queue);
}

static void
gated_pods_are_never_tried(void)
{
	static const struct row rows[] = {
		{ "they wait outside",
		    "add a gated; add b; in a gated; pop b; pop -; move;"
		    " @90000; tick; in a gated; next -; touch a; in a gated" },
		{ "until the gates are gone",
		    "add a gated; @5; update a; in a active; pop a" },
		{ "behind those that were there before",
		    "add a gated; @5; add b; @6; update a; pop b; pop a" },
		{ "other changes do not open them",
		    "add a gated; update a gated 7; in a gated; pop -" },
		{ "gates that appear late, everywhere",
		    "add a; add b; add c; add d; pop a; fail a; pop b; retry b;"
		    " pop c; update a gated; update b gated; update c gated;"
		    " update d gated; fail c; in a gated; in b gated;"
		    " in c gated; in d gated; next -; sweep 0" },
		{ "deleted", "add a gated; delete a; in a nowhere; sweep 0" },
	};

	play_all(rows, LENGTH(rows));
}

static void
a_gate_may_hold_any_pod(void)
{
	static const struct row rows[] = {
		{ "instead of their own gates",
		    "hold a; add a; add b gated; in a gated; in b active" },
		{ "it is asked when the pod changes",
		    "hold a; add a; hold -; touch a; in a gated; update a 1;"
		    " in a active" },
		{ "it may change for all",
		    "add a; add b gated; add c 9; pop c; retry c; hold a c; ask;"
		    " in a gated; in b active; in c gated; hold b; ask;"
		    " in a active; in b gated; in c backoff; sweep 0" },
		{ "not for those in flight, until they return",
		    "add a; add b; pop a; pop b; hold a b; ask; in a in-flight;"
		    " fail a; in a unschedulable; retry b; in b gated" },
		{ "nor for unschedulable ones, until they move",
		    "add a; pop a; fail a; hold a; ask; in a unschedulable;"
		    " @1500; move; in a gated; next -" },
		{ "not again at the end of the backoff",
		    "add a; pop a; retry a; hold a; @1000; tick; in a active" },
		{ "those in quarantine",
		    "add a; slow a 1 10; hold a; ask; in a gated; sweep 0" },
		{ "a claim that one names lets those go that name claims",
		    "hold a b c; add a claim=x; add b claim=z; add c; hold -;"
		    " @5; claim y; in a gated; claim x; in a active;"
		    " in b active; in c gated; sweep 0" },
		{ "if the gate does",
		    "hold a; add a claim=x; claim x; in a gated; hold -;"
		    " claim x; in a active; sweep 0" },
		{ "a claim that it names later",
		    "hold a; add a; update a claim=x; hold -; claim x;"
		    " in a active" },
		{ "or no more",
		    "hold a; add a claim=x; update a; hold -; claim x;"
		    " in a gated; delete a; sweep 0" },
		{ "claims say nothing of other moves",
		    "hold a; add a claim=x; hold -; move; tick; in a gated" },
	};

	play_all(rows, LENGTH(rows));
}

static void
assigned_pods_move_those_who_want_to_be_near(void)
{
	static const struct row rows[] = {
		{ "only with a term that matches",
		    "add a near=x; add b near=y; add c; pop a; pop b; pop c;"
		    " fail a; fail b; fail c; @1000; bound x; in a active;"
		    " in b unschedulable; in c unschedulable" },
		{ "backing off or not",
		    "add a near=x; pop a; fail a; bound x; in a backoff" },
		{ "an update of nothing that rules read does not",
		    "add a near=x; add b; pop a; pop b; fail a; @1000;"
		    " changed x; in a unschedulable; fail b;"
		    " in b unschedulable" },
		{ "all of a class",
		    "add a near=x; add a2 near=x; pop a; pop a2; fail a;"
		    " fail a2; @1000; bound x; pop a; pop a2" },
		{ "one left its group by a change",
		    "add a near=x; pop a; fail a; update a; pop a; fail a;"
		    " @1000; bound x; in a unschedulable" },
	};

	play_all(rows, LENGTH(rows));
}

static struct object *
object_new_of(const char *kind, const char *spec)
{
	AUTOFREE char *text = xasprintf("--- {kind: %s, metadata: {name: n1},"
					" spec: {%s}}",
	    kind, spec);

	return t_object(text);
}

static struct object *
node_new(const char *spec)
{
	return object_new_of("Node", spec);
}

/* A volume that was detached helps no pod without volumes. */
static void
changes_move_those_whom_they_concern(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct object *attachment = object_new_of("VolumeAttachment", "");
	struct pod *pods[] = { pod_new("a", "volume"), pod_new("b", ""),
		pod_new("c", "volume near=x"), pod_new("d", "near=x") };

	for (size_t i = 0; i < LENGTH(pods); i++) {
		queue_add(queue, pods[i], 0);
		pod_unref(queue_pop(queue, 0, NULL));
		queue_refused(queue, pods[i], PLUGINS_UNKNOWN, 0);
	}
	queue_object_changed(queue, NULL, attachment, 9000);
	t_int("attached", queue_count(queue, QUEUE_UNSCHEDULABLE), 4);
	queue_object_changed(queue, attachment, NULL, 9000);
	t_int("two of them have volumes",
	    queue_incoming(queue, QUEUE_ACTIVE, QUEUE_VOLUME_ATTACHMENT_DELETE),
	    2);
	t_int("the others wait", queue_count(queue, QUEUE_UNSCHEDULABLE), 2);
	for (size_t i = 0; i < LENGTH(pods); i++)
		pod_unref(pods[i]);
	object_unref(attachment);
	queue_free(queue);
}

#define POD(spec)                                                              \
	"--- {kind: Pod, metadata: {namespace: here, name: p, labels: "        \
	"{app: x}}, spec: {" spec "}}"
#define TERM(kind, selector)                                                    \
	"affinity: {" kind ": {"                                                \
	"requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone,"  \
	" labelSelector: {matchLabels: {app: x}}, namespaceSelector: " selector \
	"}]}}"
#define SPREAD(when)                                                           \
	"topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone,"          \
	" whenUnsatisfiable: " when                                            \
	", labelSelector: {matchLabels: {app: x}}}]"
#define TEAM "{matchLabels: {team: a}}"
#define NAMESPACE(name, labels)                                                \
	"--- {kind: Namespace, metadata: {name: " name ", labels: {" labels    \
	"}}}"
#define OTHER(namespace, app)                                                              \
	"--- {kind: Pod, metadata: {namespace: " namespace ", name: o, labels: {app: " app \
							   "}}, spec: {nodeName: m}}"
#define NODE(labels)                                                           \
	"--- {kind: Node, metadata: {name: m, labels: {" labels "}}}"

/* Which changes move a pod that fits nowhere. */
static void
changes_move_the_pods_that_they_can_help(void)
{
	static const char mine[] = NAMESPACE("there", "team: a");
	static const char bare[] = NAMESPACE("there", "");
	static const struct {
		const char *name, *pod, *before, *after;
		bool moves;
	} rows[] = {
		{ "its affinity now selects the namespace",
		    POD(TERM("podAffinity", TEAM)), bare, mine, true },
		{ "its anti-affinity no longer does",
		    POD(TERM("podAntiAffinity", TEAM)), mine, bare, true },
		{ "the namespace is new", POD(TERM("podAffinity", TEAM)), NULL,
		    mine, true },
		{ "the namespace is gone", POD(TERM("podAntiAffinity", TEAM)),
		    mine, NULL, true },
		{ "another label", POD(TERM("podAffinity", TEAM)), mine,
		    NAMESPACE("there", "team: a, b: c"), false },
		{ "nothing is selected", POD(""), bare, mine, false },
		{ "its own namespace: terms of others may select it", POD(""),
		    NAMESPACE("here", ""), NAMESPACE("here", "a: b"), true },
		{ "nothing changes", POD(""), NAMESPACE("here", "a: b"),
		    NAMESPACE("here", "a: b"), false },
		{ "a pod of a namespace that its affinity may select",
		    POD(TERM("podAffinity", TEAM)), NULL, OTHER("there", "x"),
		    true },
		{ "with other labels", POD(TERM("podAffinity", TEAM)), NULL,
		    OTHER("there", "z"), false },
		{ "a pod that a hard spread constraint counts",
		    POD(SPREAD("DoNotSchedule")), NULL, OTHER("here", "x"),
		    true },
		{ "a soft one", POD(SPREAD("ScheduleAnyway")), NULL,
		    OTHER("here", "x"), false },
		{ "a pod of another namespace", POD(SPREAD("DoNotSchedule")),
		    NULL, OTHER("there", "x"), false },
		{ "a pod that it does not count", POD(SPREAD("DoNotSchedule")),
		    NULL, OTHER("here", "z"), false },
		{ "or no longer", POD(SPREAD("DoNotSchedule")),
		    OTHER("here", "x"), OTHER("here", "z"), true },
		{ "a domain goes", POD(SPREAD("DoNotSchedule")),
		    NODE("zone: z"), NULL, true },
		{ "a node without one goes", POD(SPREAD("DoNotSchedule")),
		    NODE("rack: r"), NULL, false },
		{ "for one that does not spread", POD(""), NODE("zone: z"),
		    NULL, false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct queue *queue = queue_new(&queue_options_default, 0);
		struct pod *pod = (struct pod *)t_object(rows[i].pod);
		struct object *before = t_object(rows[i].before);
		struct object *after = t_object(rows[i].after);
		enum queue_place place;

		queue_add(queue, pod, 0);
		pod_unref(queue_pop(queue, 0, NULL));
		queue_refused(queue, pod, PLUGINS_UNKNOWN, 0);
		queue_object_changed(queue, before, after, 5000);
		queue_find(queue, pod->object.uid, &place);
		t_str(rows[i].name, queue_place_name(place),
		    rows[i].moves ? "active" : "unschedulable");
		object_unref(before);
		object_unref(after);
		pod_unref(pod);
		queue_free(queue);
	}
}

static void
changes_of_the_cluster_move_pods(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct object *node = node_new(""),
		      *tainted = node_new("taints: "
					  "[{key: k, effect: NoSchedule}]");
	struct pod *a = pod_new("a", ""), *b = pod_new("b", "");

	queue_add(queue, a, 0);
	queue_add(queue, b, 0);
	pod_unref(queue_pop(queue, 0, NULL));
	queue_object_changed(queue, node, node, 0);
	queue_refused(queue, a, PLUGINS_UNKNOWN, 0);
	t_int("any update of a node counts while no pod is unschedulable",
	    queue_count(queue, QUEUE_BACKOFF), 1);
	pod_unref(queue_pop(queue, 0, NULL));
	queue_refused(queue, b, PLUGINS_UNKNOWN, 0);
	queue_object_changed(queue, node, node, 2000);
	t_int("afterwards it does not", queue_count(queue, QUEUE_UNSCHEDULABLE),
	    1);
	queue_object_changed(queue, node, NULL, 2000);
	t_int("nor a node that goes", queue_count(queue, QUEUE_UNSCHEDULABLE),
	    1);
	queue_object_changed(queue, tainted, node, 2000);
	t_int("one of its taints does",
	    queue_incoming(queue, QUEUE_ACTIVE, QUEUE_NODE_TAINT_CHANGE), 1);
	pod_unref(queue_pop(queue, 2000, NULL));
	pod_unref(queue_pop(queue, 2000, NULL));
	queue_refused(queue, a, PLUGINS_UNKNOWN, 2000);
	queue_object_changed(queue, &b->object, NULL, 2000);
	t_int("a bound pod that goes",
	    queue_incoming(queue, QUEUE_BACKOFF, QUEUE_ASSIGNED_POD_DELETE), 1);
	object_unref(node);
	object_unref(tainted);
	pod_unref(a);
	pod_unref(b);
	queue_free(queue);
}

/* Whether the change wakes a pod of these words that fits nowhere. */
static bool
wakes(const char *words, const struct object *before,
    const struct object *after)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *pod = pod_new("p", words);
	bool woken;

	queue_add(queue, pod, 0);
	pod_unref(queue_pop(queue, 0, NULL));
	queue_refused(queue, pod, PLUGINS_UNKNOWN, 0);
	queue_object_changed(queue, before, after, 5000);
	woken = queue_count(queue, QUEUE_UNSCHEDULABLE) == 0;
	pod_unref(pod);
	queue_free(queue);
	return woken;
}

static void
a_pod_that_shrinks_wakes_those_who_want_the_room(void)
{
	static const struct {
		const char *before, *after, *waits;
		bool woken;
	} rows[] = {
		{ "needs=cpu:2", "needs=cpu:1", "needs=cpu:1", true },
		{ "needs=cpu:2", "needs=cpu:2", "needs=cpu:1", false },
		{ "needs=cpu:1", "needs=cpu:2", "needs=cpu:1", false },
		{ "needs=cpu:2", "needs=cpu:1", "needs=memory:1", false },
		{ "needs=cpu:2", "needs=cpu:1", "", false },
		{ "needs=memory:2", "needs=memory:1", "needs=memory:1", true },
		{ "needs=cpu:2,memory:1", "needs=cpu:1,memory:2", "needs=cpu:1",
		    true },
		{ "needs=cpu:2,memory:1", "needs=cpu:1,memory:2",
		    "needs=memory:1", false },
		{ "needs=x.com/a:2", "needs=x.com/a:1", "needs=x.com/a:1",
		    true },
		{ "needs=x.com/a:2", "needs=cpu:1", "needs=x.com/a:1", true },
		{ "needs=x.com/a:2", "needs=x.com/a:1", "needs=x.com/b:1",
		    false },
		{ "needs=cpu:2", "needs=cpu:1", "near=b", false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *name = xasprintf("%s to %s: %s", rows[i].before,
		    rows[i].after, rows[i].waits);
		struct pod *before = pod_new("b", rows[i].before);
		struct pod *after = pod_new("b", rows[i].after);

		t_int(name,
		    wakes(rows[i].waits, &before->object, &after->object),
		    rows[i].woken);
		pod_unref(before);
		pod_unref(after);
	}
}

static struct object *
namespace_new(const char *name, const char *labels)
{
	AUTOFREE char *text = xasprintf("--- {kind: Namespace, metadata: "
					"{name: %s, labels: {%s}}}",
	    name, labels);

	return t_object(text);
}

static void
labels_of_a_namespace_wake_pods_about_it(void)
{
	struct object *bare = namespace_new("team", "");
	struct object *labelled = namespace_new("team", "a: b");

	t_true("terms that select no namespaces",
	    !wakes("near=x", bare, labelled));
	t_true("one in the namespace", wakes("in=team", bare, labelled));
	t_true("when the label goes", wakes("in=team", labelled, bare));
	t_true("a namespace that appears", wakes("in=team", NULL, labelled));
	t_true("no other", !wakes("in=other", bare, labelled));
	t_true("nothing changes", !wakes("near=x", labelled, labelled));
	t_true("one without labels appears", !wakes("near=x", NULL, bare));
	object_unref(bare);
	object_unref(labelled);
}

static void
time_with_gates_does_not_count(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *gated = pod_new("a", "gated"), *open = pod_new("a", "");
	struct queue_attempt attempt;

	queue_add(queue, gated, 1000);
	queue_add(queue, open, 5000);
	pod_unref(queue_pop(queue, 6000, &attempt));
	t_int("since it was added", attempt.added_ms, 1000);
	t_int("since it had no gates", attempt.first_ms, 5000);
	queue_refused(queue, open, PLUGINS_UNKNOWN, 6000);
	queue_move_all(queue, QUEUE_NODE_ADD, 9000);
	pod_unref(queue_pop(queue, 9000, &attempt));
	t_int("the same later", attempt.first_ms, 5000);
	queue_delete(queue, open);
	queue_add(queue, open, 10000);
	pod_unref(queue_pop(queue, 10000, &attempt));
	t_int("without gates", attempt.first_ms, 10000);
	pod_unref(gated);
	pod_unref(open);
	queue_free(queue);
}

static void
pods_and_events_are_counted(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *a = pod_new("a", ""), *gated = pod_new("b", "gated");

	queue_add(queue, a, 0);
	queue_add(queue, gated, 0);
	t_int("active", queue_count(queue, QUEUE_ACTIVE), 1);
	t_int("gated", queue_count(queue, QUEUE_GATED), 1);
	pod_unref(queue_pop(queue, 0, NULL));
	t_int("in flight", queue_count(queue, QUEUE_IN_FLIGHT), 1);
	queue_refused(queue, a, PLUGINS_UNKNOWN, 0);
	t_int("unschedulable", queue_count(queue, QUEUE_UNSCHEDULABLE), 1);
	queue_move_all(queue, QUEUE_SERVICE_ADD, 0);
	t_int("backoff", queue_count(queue, QUEUE_BACKOFF), 1);
	queue_tick(queue, 1000);
	t_int("active again", queue_count(queue, QUEUE_ACTIVE), 1);
	t_int("nowhere", queue_count(queue, QUEUE_NOWHERE), 0);
#define INCOMING(place, event)                                                 \
	queue_incoming(queue, QUEUE_##place, QUEUE_##event)
	t_int("added", INCOMING(ACTIVE, POD_ADD), 1);
	t_int("added behind a gate", INCOMING(GATED, POD_ADD), 1);
	t_int("failed", INCOMING(UNSCHEDULABLE, ATTEMPT_FAILURE), 1);
	t_int("moved", INCOMING(BACKOFF, SERVICE_ADD), 1);
	t_int("backoff over", INCOMING(ACTIVE, BACKOFF_COMPLETE), 1);
	t_int("never", INCOMING(ACTIVE, SWEEP), 0);
#undef INCOMING
	t_str("label", queue_place_name(QUEUE_UNSCHEDULABLE), "unschedulable");
	pod_unref(a);
	pod_unref(gated);
	queue_free(queue);
	queue_free(NULL);
}

static void
a_sweep_finds_pods_in_nobodys_hands(void)
{
	static const struct row rows[] = {
		{ "all is well",
		    "add a; add b; add c; add d gated; pop a; fail a; pop b;"
		    " retry b; sweep 0; in a unschedulable; in b backoff;"
		    " in c active; in d gated" },
		{ "being bound", "add a; pop a; sweep 0 a; in a in-flight" },
		{ "popped and forgotten",
		    "add a; add b; pop a; pop b; sweep 1 b; in a active;"
		    " pop a; pop -; sweep 2; sweep 0; pop a; pop b" },
		{ "forgotten and gated by now",
		    "add a; pop a; update a gated; sweep 1; in a gated" },
	};

	play_all(rows, LENGTH(rows));
}

static uint32_t
random_below(uint32_t n)
{
	static uint64_t x = 3;

	return t_any(&x, n);
}

/* ---- turns ---- */

/* Pods that wait in two lines; the names of n that are popped, "a a b"; you own
 * it. */
static char *
popped(struct queue *queue, size_t n)
{
	char *names = xstrdup("");

	for (size_t i = 0; i < n; i++) {
		struct pod *pod = queue_pop(queue, 1000, NULL);
		char *longer = xasprintf("%s%s", names,
		    pod != NULL ? pod->object.name : "-");

		free(names);
		names = longer;
		if (pod != NULL)
			queue_charge(queue, pod->object.namespace, 100, false,
			    1000);
		pod_unref(pod);
	}
	return names;
}

static void
add_one(struct queue *queue, const char *name, const char *words, int i,
    int64_t now_ms)
{
	AUTOFREE char *text = xasprintf("%s uid=%s%d", words, name, i);
	struct pod *pod = pod_new(name, text);

	queue_add(queue, pod, now_ms);
	pod_unref(pod);
}

static void
add_many(struct queue *queue, const char *name, const char *words, int n)
{
	for (int i = 0; i < n; i++)
		add_one(queue, name, words, i, 1000);
}

static void
namespaces_take_turns_by_weight(void)
{
	static const struct {
		const char *weights, *order;
	} rows[] = {
		{ "", "hhaaaaaabbbbbb" },
		{ "*=1", "hhabababababab" },
		{ "b=4", "hhabbbbabbaaaa" },
		{ "*=4,b=1", "hhabaaaababbbb" },
		{ "other=9", "hhabababababab" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct queue_options options = queue_options_default;
		AUTOFREE char *order = NULL;
		struct queue *queue;

		options.namespace_weights = rows[i].weights;
		queue = queue_new(&options, 0);
		add_many(queue, "a", "in=a", 6);
		add_many(queue, "b", "in=b", 6);
		add_many(queue, "h", "in=h 7", 2);
		order = popped(queue, 14);
		t_str(rows[i].weights, order, rows[i].order);
		t_int("a sweep agrees", (long)queue_sweep(queue, is_held, ""),
		    14);
		queue_free(queue);
	}
}

/* Of a thousand attempts of two namespaces, those of the first take three times as
 * long: it has a quarter of them, and by a weight of three half. */
static void
turns_are_as_long_as_attempts_take(void)
{
	static const struct {
		const char *weights;
		int first;
	} rows[] = { { "*=1", 250 }, { "a=3", 500 }, { "b=3", 100 } };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct queue_options options = queue_options_default;
		struct queue *queue;
		int first = 0;

		options.namespace_weights = rows[i].weights;
		queue = queue_new(&options, 0);
		add_many(queue, "a", "in=a", 1000);
		add_many(queue, "b", "in=b", 1000);
		for (int n = 0; n < 1000; n++) {
			struct pod *pod = queue_pop(queue, 1000, NULL);
			bool is_first = pod->object.name[0] == 'a';

			first += is_first;
			queue_charge(queue, pod->object.namespace,
			    is_first ? 1200 : 400, false, 1000);
			pod_unref(pod);
		}
		t_true(rows[i].weights, abs(first - rows[i].first) <= 2);
		queue_free(queue);
	}
}

/* What others suffer from costly ones, on a clock on which attempts take what they cost. */
struct trial {
	int namespaces, cost_ms;
	int64_t now_ms, comes_ms; /* the next other pod */
	int64_t longest_ms;       /* that one of these waited */
	int64_t used_ms;          /* by costly ones */
};

static void
others_come(struct queue *queue, struct trial *t)
{
	for (; t->comes_ms <= t->now_ms; t->comes_ms += 50)
		add_one(queue, "other", "in=o", (int)t->comes_ms, t->comes_ms);
}

static void
try_next(struct queue *queue, struct trial *t)
{
	struct queue_attempt attempt;
	struct pod *pod = queue_pop(queue, t->now_ms, &attempt);
	int64_t deadline = queue_next_deadline(queue), took = t->cost_ms;

	if (pod == NULL) {
		t->now_ms = deadline < t->comes_ms ? deadline : t->comes_ms;
		return;
	}
	if (pod->object.name[0] == 'o') {
		took = 1;
		if (t->longest_ms < t->now_ms - attempt.added_ms)
			t->longest_ms = t->now_ms - attempt.added_ms;
	} else {
		t->used_ms += took;
	}
	t->now_ms += took;
	queue_charge(queue, pod->object.namespace, took * 1000, false,
	    t->now_ms);
	queue_delete(queue, pod);
	pod_unref(pod);
}

/* Namespaces have as many pods of a high priority as can be tried; those of another
 * one, which take a millisecond, come each 50. */
static void
others_wait_for_one_attempt_at_most(void)
{
	static const struct {
		int namespaces, cost_ms;
	} rows[] = { { 1, 300 }, { 1, 50 }, { 1, 15 }, { 20, 300 },
		{ 20, 15 } };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct trial t = { rows[i].namespaces, rows[i].cost_ms, 0, 0, 0,
			0 };
		AUTOFREE char *name =
		    xasprintf("%d namespaces, %d ms", t.namespaces, t.cost_ms);
		struct queue *queue = queue_new(&queue_options_default, 0);

		for (int n = 0; n < 40000 / t.cost_ms; n++) {
			AUTOFREE char *words =
			    xasprintf("9 in=n%d", n % t.namespaces);

			add_one(queue, "x", words, n, 0);
		}
		/* until all are costly */
		while (t.now_ms < 8000) {
			others_come(queue, &t);
			try_next(queue, &t);
		}
		t.longest_ms = t.used_ms = 0;
		while (t.now_ms < 28000) {
			others_come(queue, &t);
			try_next(queue, &t);
		}
		t_true(name, t.longest_ms <= t.cost_ms + 1);
		/* a tenth of the time, or all that others leave */
		t_true(name,
		    t.cost_ms > 20 ? t.used_ms > 1600 && t.used_ms < 2400 :
				     t.used_ms > 19000);
		queue_free(queue);
	}
}

/* Namespaces of which none is costly are in one order, as if there were none. */
static void
cheap_attempts_change_no_order(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *pod;
	size_t n = 0;

	for (int i = 0; i < 5000; i++) {
		AUTOFREE char *words = xasprintf("%d uid=u%d in=n%d",
		    9 - i / 500, i, (int)random_below(50));

		pod = pod_new("a", words);
		queue_add(queue, pod, i);
		pod_unref(pod);
	}
	while ((pod = queue_pop(queue, 5000, NULL)) != NULL) {
		n += atol(pod->object.uid + 1) == (long)n;
		queue_charge(queue, pod->object.namespace, 1999, false, 5000);
		pod_unref(pod);
	}
	t_int("all in order", (long)n, 5000);
	queue_free(queue);
}

/* ---- the work of an event ---- */

#define WAITING 5000

static void
wait_for(struct queue *queue, const char *term)
{
	for (int i = 0; i < WAITING; i++) {
		AUTOFREE char *text = xasprintf(
		    "--- {kind: Pod, metadata: {namespace: ns, name: p, uid: "
		    "u%d, labels: {i: i%d}}, spec: {affinity: {podAffinity: "
		    "{requiredDuringSchedulingIgnoredDuringExecution: [{"
		    "topologyKey: z, labelSelector: {matchExpressions: [{key: "
		    "app, operator: %s, values: [v%d]}]}}]}}}}",
		    i, i, term, i);
		struct pod *pod = (struct pod *)t_object(text);

		queue_add(queue, pod, 0);
		pod_unref(queue_pop(queue, 0, NULL));
		queue_refused(queue, pod, PLUGINS_UNKNOWN, 0);
		pod_unref(pod);
	}
}

/* Comparisons and moves that the event costs at once. */
static long
cost_of(struct queue *queue, const char *before, const char *after)
{
	struct object *was = t_object(before), *is = t_object(after);
	uint64_t compared = queue_compared(queue);

	queue_object_changed(queue, was, is, 5000);
	object_unref(was);
	object_unref(is);
	return (long)(queue_compared(queue) - compared);
}

#define PLACED(app, more)                                                      \
	"--- {kind: Pod, metadata: {namespace: ns, name: x, labels: "          \
	"{app: " app "}}, spec: {nodeName: m" more

static void
an_event_costs_the_terms_that_it_may_match(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);

	wait_for(queue, "In");
	t_int("a status says nothing",
	    cost_of(queue, PLACED("v7", "}}"),
		PLACED("v7", "}, status: {phase: Running}}")),
	    0);
	t_int("no term", cost_of(queue, NULL, PLACED("other", "}}")), 0);
	t_int("compared, and moved", cost_of(queue, NULL, PLACED("v7", "}}")),
	    2);
	t_int("one", (long)queue_count(queue, QUEUE_ACTIVE), 1);
	t_int("it had the label before",
	    cost_of(queue, PLACED("v8", "}}"),
		PLACED("v8", ", tolerations: [{key: k}]}}")),
	    1);
	t_int("that is all", (long)queue_count(queue, QUEUE_ACTIVE), 1);
	queue_free(queue);
}

static void
work_beyond_the_bound_is_done_later(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	long n;

	wait_for(queue, "NotIn");
	n = cost_of(queue, PLACED("v7", "}}"), PLACED("other", "}}"));
	t_true("not all of them", n < WAITING / 2);
	t_true("at once", queue_next_deadline(queue) <= 5000);
	queue_tick(queue, 5000);
	t_true("some", queue_count(queue, QUEUE_ACTIVE) > 0);
	t_true("not all", queue_count(queue, QUEUE_UNSCHEDULABLE) > 0);
	while (queue_next_deadline(queue) <= 5000)
		queue_tick(queue, 5000);
	t_int("all", (long)queue_count(queue, QUEUE_ACTIVE), WAITING);
	queue_free(queue);
	queue = queue_new(&queue_options_default, 0);
	wait_for(queue, "In");
	n = cost_of(queue,
	    "--- {kind: Service, metadata: {namespace: ns, "
	    "name: s}}",
	    NULL);
	t_true("any object that concerns them", n < WAITING / 2);
	while (queue_next_deadline(queue) <= 5000)
		queue_tick(queue, 5000);
	t_int("moves them", (long)queue_count(queue, QUEUE_ACTIVE), WAITING);
	queue_free(queue);
}

static bool
holds(void *closed, const struct pod *pod)
{
	return *(const bool *)closed;
}

static long
claim_event(struct queue *queue, const char *name)
{
	AUTOFREE char *after = xasprintf("--- {kind: ResourceClaim, metadata: "
					 "{namespace: ns, name: %s}}",
	    name);

	return cost_of(queue, NULL, after);
}

/* Gated pods are asked again only about claims that one of them names, some at a time,
 * and each of them however many events there are. */
static void
claims_ask_gated_pods_in_turns(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	bool closed = true;
	size_t gated;

	queue_set_gate(queue, holds, &closed);
	for (int i = 0; i < WAITING; i++) {
		AUTOFREE char *text = xasprintf(
		    "--- {kind: Pod, metadata: {namespace: ns, name: p, uid: "
		    "u%d}, spec: {resourceClaims: [{name: a, "
		    "resourceClaimName: c%d}, {name: b, resourceClaimName: "
		    "d}]}}",
		    i, i % 100);
		struct pod *pod = (struct pod *)t_object(text);

		queue_add(queue, pod, 0);
		pod_unref(pod);
	}
	t_int("another claim", claim_event(queue, "other"), 0);
	t_true("one of them", claim_event(queue, "d") < WAITING / 10);
	t_true("the others at once", queue_next_deadline(queue) <= 5000);
	closed = false;
	for (gated = WAITING; gated > 0;
	     gated = queue_count(queue, QUEUE_GATED)) {
		t_true("in turns", claim_event(queue, "d") < WAITING / 10);
		if (!t_true("more are let go",
			queue_count(queue, QUEUE_GATED) < gated))
			break;
	}
	queue_tick(queue, 5000);
	t_int("all", (long)queue_count(queue, QUEUE_ACTIVE), WAITING);
	t_true("that is all", queue_next_deadline(queue) > 5000);
	t_int("a sweep agrees", (long)queue_sweep(queue, is_held, ""), 0);
	queue_free(queue);
}

/* ---- a naive queue ---- */

#define NPODS 24
#define NCLASSES 4

/* near=x, near=y, plain, gated: the last word of pod_new(). */
static const char *const kinds[NCLASSES] = { "near=x", "near=y", "", "gated" };

struct naive_pod {
	struct pod *pod; /* the newest version, also before it is added */
	int kind, priority;
	enum queue_place place;
	bool changed, tried;
	int64_t queued, order, cycle, began, ends;
	int nbackoffs;
};

struct naive {
	struct naive_pod pods[NPODS];
	int64_t now, order, cycle, moved, age_tick;
	/* Every pod there can be: one object for each name, kind, priority. */
	struct pod *objects[NPODS][NCLASSES][3];
};

static void
naive_to(struct naive_pod *pod, enum queue_place place)
{
	pod->place = pod->kind == 3 ? QUEUE_GATED : place;
}

static void
naive_stamp(struct naive *m, struct naive_pod *pod)
{
	pod->queued = m->now;
	pod->order = ++m->order;
}

static void
naive_move(struct naive *m, int kind, int64_t before)
{
	for (size_t i = 0; i < NPODS; i++) {
		struct naive_pod *pod = &m->pods[i];

		if (pod->place == QUEUE_UNSCHEDULABLE && pod->queued < before &&
		    (kind < 0 || pod->kind == kind))
			pod->place =
			    pod->ends > m->now ? QUEUE_BACKOFF : QUEUE_ACTIVE;
	}
}

static void
naive_tick(struct naive *m)
{
	for (size_t i = 0; i < NPODS; i++)
		if (m->pods[i].place == QUEUE_BACKOFF &&
		    m->pods[i].ends <= m->now / 1000 * 1000)
			m->pods[i].place = QUEUE_ACTIVE;
	if (m->now >= m->age_tick) {
		bool any = false;

		for (size_t i = 0; i < NPODS; i++)
			any |= m->pods[i].place == QUEUE_UNSCHEDULABLE &&
			    m->now - m->pods[i].queued > 60000;
		naive_move(m, -1, m->now - 60000);
		if (any)
			m->moved = m->cycle;
		m->age_tick = m->now / 30000 * 30000 + 30000;
	}
}

static bool
naive_before(const struct naive_pod *a, const struct naive_pod *b)
{
	int64_t first = a->queued + 10000 * a->tried;
	int64_t second = b->queued + 10000 * b->tried;

	if (a->priority != b->priority)
		return a->priority > b->priority;
	return first != second ? first < second : a->order < b->order;
}

static struct naive_pod *
naive_pop(struct naive *m)
{
	struct naive_pod *best = NULL;

	naive_tick(m);
	for (size_t i = 0; i < NPODS; i++) {
		struct naive_pod *pod = &m->pods[i];

		if (pod->place == QUEUE_ACTIVE &&
		    (best == NULL || naive_before(pod, best)))
			best = pod;
	}
	if (best == NULL)
		return NULL;
	best->place = QUEUE_IN_FLIGHT;
	best->tried = true;
	best->changed = false;
	best->cycle = ++m->cycle;
	return best;
}

static void
naive_fail(struct naive *m, struct naive_pod *pod, bool retry)
{
	if (pod->place != QUEUE_IN_FLIGHT)
		return;
	naive_stamp(m, pod);
	if (pod->changed) {
		naive_to(pod, QUEUE_ACTIVE);
		return;
	}
	if (pod->ends <= m->now) {
		int64_t length = 1000;

		if (m->now - pod->began > 20000)
			pod->nbackoffs = 0;
		for (int i = 0; i < pod->nbackoffs; i++)
			length = length * 2 > 10000 ? 10000 : length * 2;
		pod->nbackoffs++;
		pod->began = m->now;
		pod->ends = m->now + length;
	}
	naive_to(pod,
	    retry || m->moved >= pod->cycle ? QUEUE_BACKOFF :
					      QUEUE_UNSCHEDULABLE);
}

static void
naive_put(struct naive *m, struct naive_pod *pod, int kind, int priority)
{
	bool changed = pod->kind != kind || pod->priority != priority;
	bool gated = pod->kind == 3;

	pod->kind = kind;
	pod->priority = priority;
	switch (pod->place) {
	case QUEUE_NOWHERE:
		pod->tried = false;
		pod->nbackoffs = 0;
		pod->ends = 0;
		pod->began = INT64_MIN / 2;
		naive_stamp(m, pod);
		naive_to(pod, QUEUE_ACTIVE);
		break;
	case QUEUE_UNSCHEDULABLE:
		if (changed) {
			pod->nbackoffs = 0;
			pod->ends = 0;
			naive_to(pod, QUEUE_ACTIVE);
		}
		break;
	case QUEUE_GATED:
		if (gated && kind != 3)
			naive_stamp(m, pod);
		naive_to(pod, QUEUE_ACTIVE);
		break;
	case QUEUE_ACTIVE:
	case QUEUE_BACKOFF:
		if (changed)
			naive_to(pod, QUEUE_ACTIVE);
		break;
	case QUEUE_IN_FLIGHT:
		pod->changed |= changed;
		break;
	case QUEUE_QUARANTINE: /* it has none */
	case QUEUE_PLACES:
		break;
	}
}

static bool
held_by_all(const struct pod *pod, void *arg)
{
	return true;
}

static void
compare(struct queue *queue, struct naive *m)
{
	size_t count[QUEUE_PLACES] = { 0 };

	for (size_t i = 0; i < NPODS; i++) {
		struct naive_pod *pod = &m->pods[i];
		enum queue_place place;
		const struct pod *found =
		    queue_find(queue, pod->pod->object.uid, &place);

		count[pod->place]++;
		t_str("place", queue_place_name(place),
		    queue_place_name(pod->place));
		if (found != NULL)
			t_true("the newest version", found == pod->pod);
	}
	for (int place = QUEUE_ACTIVE; place < QUEUE_PLACES; place++)
		t_int("count", queue_count(queue, place), count[place]);
	t_int("sweep", queue_sweep(queue, held_by_all, NULL), 0);
}

static void
random_put(struct queue *queue, struct naive *m, size_t i)
{
	struct naive_pod *pod = &m->pods[i];
	int kind = pod->kind, priority = pod->priority;

	if (random_below(2) == 0)
		kind = (int)random_below(NCLASSES);
	if (random_below(3) == 0)
		priority = (int)random_below(3);
	pod->pod = m->objects[i][kind][priority];
	naive_put(m, pod, kind, priority);
	queue_add(queue, pod->pod, m->now);
}

static void
random_pop(struct queue *queue, struct naive *m)
{
	struct naive_pod *want = naive_pop(m);
	struct pod *got = queue_pop(queue, m->now, NULL);

	t_str("the next", got != NULL ? got->object.name : "-",
	    want != NULL ? want->pod->object.name : "-");
	pod_unref(got);
}

/* x and y: the labels that pods of kind 0 and 1 want to be near. */
static void
random_step(struct queue *queue, struct naive *m, struct pod *const bound[2])
{
	size_t i = random_below(NPODS);
	struct naive_pod *pod = &m->pods[i];
	uint32_t kind = random_below(2);
	bool retry = random_below(4) == 0;

	m->now += random_below(3) == 0 ? random_below(3000) : 0;
	switch (random_below(12)) {
	case 0:
	case 1:
		random_put(queue, m, i);
		break;
	case 2:
		pod->place = QUEUE_NOWHERE;
		queue_delete(queue, pod->pod);
		break;
	case 3:
		naive_move(m, -1, INT64_MAX);
		m->moved = m->cycle;
		queue_move_all(queue, QUEUE_NODE_ADD, m->now);
		break;
	case 4:
		naive_move(m, (int)kind, INT64_MAX);
		m->moved = m->cycle;
		queue_object_changed(queue, NULL, &bound[kind]->object, m->now);
		break;
	case 5:
		naive_tick(m);
		queue_tick(queue, m->now);
		break;
	case 6:
	case 7:
	case 8:
		random_pop(queue, m);
		break;
	default:
		t_true("whether it was in flight",
		    (retry ? queue_retry(queue, pod->pod, m->now) :
			     queue_refused(queue, pod->pod, PLUGINS_UNKNOWN,
				 m->now)) == (pod->place == QUEUE_IN_FLIGHT));
		naive_fail(m, pod, retry);
		break;
	}
}

static void
each_object(struct naive *m, void (*f)(struct naive *m, size_t i, int k, int p))
{
	for (size_t i = 0; i < NPODS; i++)
		for (int k = 0; k < NCLASSES; k++)
			for (int p = 0; p < 3; p++)
				f(m, i, k, p);
}

static void
make_object(struct naive *m, size_t i, int kind, int priority)
{
	AUTOFREE char *name = xasprintf("p%zu", i);
	AUTOFREE char *words = xasprintf("%d %s", priority, kinds[kind]);

	m->objects[i][kind][priority] = pod_new(name, words);
}

static void
drop_object(struct naive *m, size_t i, int kind, int priority)
{
	pod_unref(m->objects[i][kind][priority]);
}

static void
the_queue_agrees_with_a_naive_one(void)
{
	static struct naive m = { .age_tick = 30000 };
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *bound[2] = { pod_new("x", ""), pod_new("y", "") };

	each_object(&m, make_object);
	for (size_t i = 0; i < NPODS; i++)
		m.pods[i].pod = m.objects[i][0][0];
	for (int i = 0; i < 6000; i++) {
		/* now and then the cluster is quiet for a while */
		m.now += i % 500 == 0 ? random_below(200000) : 0;
		random_step(queue, &m, bound);
		compare(queue, &m);
	}
	queue_free(queue);
	each_object(&m, drop_object);
	pod_unref(bound[0]);
	pod_unref(bound[1]);
}

/* ---- many ---- */

#define MANY 100000

static struct pod *
pod_like(const struct pod *pod, const char *uid, int32_t priority)
{
	struct pod *other = pod_nominated_to(pod, SYM_EMPTY);

	other->object.uid = uid;
	other->priority = priority;
	return other;
}

static void
pop_and_fail_all(struct queue *queue, int64_t now_ms)
{
	int32_t last = INT32_MAX;
	struct pod *pod;
	size_t n = 0;

	while ((pod = queue_pop(queue, now_ms, NULL)) != NULL) {
		n += pod->priority <= last;
		last = pod->priority;
		queue_refused(queue, pod, PLUGINS_UNKNOWN, now_ms);
		pod_unref(pod);
	}
	t_int("all came, in order of priority", n, MANY);
}

static void
a_hundred_thousand_pods_are_no_trouble(void)
{
	static char uids[MANY][8];
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *like = pod_new("a", "near=x"), *bound = pod_new("y", "");

	for (size_t i = 0; i < MANY; i++) {
		struct pod *pod;

		snprintf(uids[i], sizeof(uids[i]), "%zu", i);
		pod = pod_like(like, uids[i], (int32_t)random_below(1000));
		queue_add(queue, pod, 0);
		pod_unref(pod);
	}
	pop_and_fail_all(queue, 0);
	for (int i = 0; i < MANY; i++)
		queue_object_changed(queue, NULL, &bound->object, 1);
	t_int("no pod moved", queue_count(queue, QUEUE_UNSCHEDULABLE), MANY);
	queue_move_all(queue, QUEUE_NODE_ADD, 2);
	t_true("a part at a time",
	    queue_count(queue, QUEUE_BACKOFF) < MANY / 10);
	while (queue_next_deadline(queue) <= 2)
		queue_tick(queue, 2);
	t_int("all backing off", queue_count(queue, QUEUE_BACKOFF), MANY);
	pop_and_fail_all(queue, 2000);
	t_int("sweep", queue_sweep(queue, held_by_all, NULL), 0);
	queue_free(queue);
	pod_unref(like);
	pod_unref(bound);
}

/* ---- for people ---- */

/* The names of a place's pods, "a b c"; you own it. */
static char *
listed(const struct queue *queue, enum queue_place place, size_t offset,
    size_t limit)
{
	struct queue_waiting rows[64];
	size_t n = queue_list(queue, place, offset, limit, rows);
	char *text = xstrdup("");

	for (size_t i = 0; i < n; i++) {
		char *longer = xasprintf("%s%s%s", text, i > 0 ? " " : "",
		    rows[i].pod->object.name);

		free(text);
		text = longer;
	}
	return text;
}

static void
t_listed(const char *name, const struct queue *queue, enum queue_place place,
    size_t offset, size_t limit, const char *want)
{
	AUTOFREE char *got = listed(queue, place, offset, limit);

	t_str(name, got, want);
}

static bool
count_pod(const struct queue_waiting *waiting, void *arg)
{
	size_t *n = arg;

	return ++*n % 10 != 0;
}

static void
pods_are_listed_as_they_leave_their_place(void)
{
	static const struct {
		const char *name, *words;
	} pods[] = { { "low", "1" }, { "high", "9" }, { "first", "5" },
		{ "second", "5" }, { "third", "5" }, { "held", "gated" } };
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct pod *added[LENGTH(pods)], *popped[3];
	struct queue_waiting row;

	for (size_t i = 0; i < LENGTH(pods); i++) {
		added[i] = pod_new(pods[i].name, pods[i].words);
		queue_add(queue, added[i], (int64_t)i);
	}
	t_listed("by priority, then by age", queue, QUEUE_ACTIVE, 0, 64,
	    "high first second third low");
	t_listed("a part", queue, QUEUE_ACTIVE, 1, 2, "first second");
	t_listed("behind the end", queue, QUEUE_ACTIVE, 5, 2, "");
	t_listed("not further than can be listed", queue, QUEUE_ACTIVE,
	    QUEUE_LISTED, 2, "");
	t_listed("gated", queue, QUEUE_GATED, 0, 64, "held");
	for (size_t i = 0; i < LENGTH(popped); i++)
		popped[i] = queue_pop(queue, 100, NULL);
	t_listed("in flight, as they came", queue, QUEUE_IN_FLIGHT, 0, 64,
	    "high first second");
	queue_refused(queue, popped[1], PLUGINS_UNKNOWN, 5000);
	queue_refused(queue, popped[0], PLUGINS_UNKNOWN, 6000);
	queue_retry(queue, popped[2], 6500);
	t_listed("unschedulable", queue, QUEUE_UNSCHEDULABLE, 0, 64,
	    "first high");
	t_int("one", (long)queue_list(queue, QUEUE_UNSCHEDULABLE, 0, 1, &row),
	    1);
	t_int("attempts", row.attempts, 1);
	t_int("since", (long)row.added_ms, 2);
	t_int("tried", (long)row.queued_ms, 5000);
	t_int("next, at the latest", (long)row.next_ms, 90000);
	t_int("one", (long)queue_list(queue, QUEUE_BACKOFF, 0, 1, &row), 1);
	t_int("after its backoff", (long)row.next_ms, 8000);
	queue_quarantine(queue, popped[1], 7000);
	t_int("one", (long)queue_list(queue, QUEUE_QUARANTINE, 0, 1, &row), 1);
	t_int("after its quarantine", (long)row.next_ms, 17000);
	t_int("one", (long)queue_list(queue, QUEUE_GATED, 0, 1, &row), 1);
	t_true("never by itself", row.next_ms == QUEUE_NO_DEADLINE);
	for (size_t i = 0; i < LENGTH(popped); i++)
		pod_unref(popped[i]);
	for (size_t i = 0; i < LENGTH(pods); i++)
		pod_unref(added[i]);
	queue_free(queue);
}

static void
many_pods_are_listed_in_the_order_in_which_they_are_popped(void)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	size_t walked = 0, from = 0, rounds = 0;
	AUTOFREE char *want = xstrdup("");

	for (int i = 0; i < 50; i++) {
		AUTOFREE char *name = xasprintf("p%d", i);
		AUTOFREE char *words = xasprintf("%d", i * 37 % 11);
		struct pod *pod = pod_new(name, words);

		queue_add(queue, pod, i);
		pod_unref(pod);
	}
	do {
		from = queue_walk(queue, from, 16, count_pod, &walked);
		rounds++;
	} while (from > 0);
	t_int("a walk finds each", (long)walked, 50);
	t_true("in several steps", rounds > 3);
	AUTOFREE char *got = listed(queue, QUEUE_ACTIVE, 0, 64);

	for (int i = 0; i < 50; i++) {
		struct pod *pod = queue_pop(queue, 100, NULL);
		char *longer = xasprintf("%s%s%s", want, i > 0 ? " " : "",
		    pod->object.name);

		free(want);
		want = longer;
		pod_unref(pod);
	}
	t_str("the list", got, want);
	queue_free(queue);
}

T_MAIN(T(pods_are_listed_as_they_leave_their_place),
    T(many_pods_are_listed_in_the_order_in_which_they_are_popped),
    T(pods_are_popped_in_order), T(failed_pods_wait_for_a_move),
    T(backoff_doubles_up_to_its_limit), T(backoffs_end_on_the_second),
    T(an_attempt_goes_on_without_backoff), T(backoff_times_are_options),
    T(unschedulable_pods_are_tried_again_when_old), T(the_age_may_change),
    T(a_pod_that_changes_is_tried_again), T(slow_pods_are_put_in_quarantine),
    T(costly_namespaces_let_others_go_first), T(namespaces_share_bindings),
    T(a_charge_says_when_a_namespace_becomes_costly),
    T(replicas_of_a_slow_pod_are_suspect), T(gated_pods_are_never_tried),
    T(a_gate_may_hold_any_pod), T(assigned_pods_move_those_who_want_to_be_near),
    T(changes_move_the_pods_that_they_can_help),
    T(changes_of_the_cluster_move_pods),
    T(changes_move_those_whom_they_concern),
    T(a_pod_that_shrinks_wakes_those_who_want_the_room),
    T(labels_of_a_namespace_wake_pods_about_it),
    T(time_with_gates_does_not_count), T(pods_and_events_are_counted),
    T(a_sweep_finds_pods_in_nobodys_hands), T(namespaces_take_turns_by_weight),
    T(turns_are_as_long_as_attempts_take), T(cheap_attempts_change_no_order),
    T(others_wait_for_one_attempt_at_most),
    T(an_event_costs_the_terms_that_it_may_match),
    T(work_beyond_the_bound_is_done_later), T(claims_ask_gated_pods_in_turns),
    T(the_queue_agrees_with_a_naive_one),
    T(a_hundred_thousand_pods_are_no_trouble))
