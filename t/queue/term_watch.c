/*
 * The index of what waiting pods depend on agrees with comparing every term, over
 * random terms and changes.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "objects/pod.h"
#include "daemon/queue/term_watch.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

#define NPODS 60

static uint32_t
below(uint32_t n)
{
	static uint64_t x = 7;

	return t_any(&x, n);
}

/* Of three keys with three values each. */
static char *
some_labels(void)
{
	char *text = xstrdup("");

	for (int key = 0; key < 3; key++) {
		char *longer;

		if (below(2) == 0)
			continue;
		longer = xasprintf("%sk%d: v%u, ", text, key, below(3));
		free(text);
		text = longer;
	}
	return text;
}

static char *
some_selector(void)
{
	static const char *const ops[] = { "In", "NotIn", "Exists",
		"DoesNotExist" };
	char *text = xstrdup("");

	for (uint32_t n = below(3); n > 0; n--) {
		uint32_t op = below(4);
		AUTOFREE char *values = op < 2 ?
		    xasprintf(", values: [v%u%s%s]", below(3),
			below(2) == 0 ? ", v1" : "",
			below(3) == 0 ? ", v2, v3" : "") :
		    xstrdup("");
		char *longer = xasprintf("%s{key: k%u, operator: %s%s}, ", text,
		    below(3), ops[op], values);

		free(text);
		text = longer;
	}
	return text;
}

static char *
some_terms(const char *kind)
{
	static const char *const namespaces[] = { "", "namespaces: [ns0], ",
		"namespaces: [ns1, ns2], ", "namespaces: [ns0, ns1, ns2], ",
		"namespaceSelector: {}, " };
	AUTOFREE char *one = some_selector(), *two = some_selector();

	return xasprintf(
	    "%s: {requiredDuringSchedulingIgnoredDuringExecution: ["
	    "{topologyKey: z, %slabelSelector: {matchExpressions: [%s]}}, "
	    "{topologyKey: z, %slabelSelector: {matchExpressions: [%s]}}]}",
	    kind, namespaces[below(5)], one, namespaces[below(5)], two);
}

static struct pod *
some_pod(bool waits)
{
	AUTOFREE char *near = below(2) == 0 ? some_terms("podAffinity") : NULL;
	AUTOFREE char *far =
	    below(2) == 0 ? some_terms("podAntiAffinity") : NULL;
	AUTOFREE char *labels = some_labels(), *spread = some_selector();
	AUTOFREE char *text = NULL;

	text = !waits ?
	    xasprintf("--- {kind: Pod, metadata: {namespace: ns%u, name: x, "
		      "%slabels: {%s}}, spec: {nodeName: m}}",
		below(3),
		below(4) == 0 ? "deletionTimestamp: '2020-01-01T00:00:00Z', " :
				"",
		labels) :
	    xasprintf("--- {kind: Pod, metadata: {namespace: ns%u, name: p}, "
		      "spec: {affinity: {%s%s%s}, topologySpreadConstraints: "
		      "[{maxSkew: 1, topologyKey: z, whenUnsatisfiable: %s, "
		      "labelSelector: {matchExpressions: [%s]}}]}}",
		below(3), near != NULL ? near : "",
		near != NULL && far != NULL ? ", " : "", far != NULL ? far : "",
		below(2) == 0 ? "DoNotSchedule" : "ScheduleAnyway", spread);
	return (struct pod *)t_object(text);
}

static bool
matches(const struct pod_term *term, const struct pod_class *class)
{
	if (class == NULL || !selector_matches(&term->selector, &class->labels))
		return false;
	return term->selects_namespaces ||
	    pod_term_has_namespace(term, class->namespace);
}

static bool
is_helped(const struct pod_class *waits, const struct pod_class *before,
    const struct pod_class *after)
{
	const struct pod_terms *near = &waits->affinity;
	const struct pod_terms *far = &waits->anti_affinity;

	for (uint32_t i = 0; i < near->nrequired; i++) {
		const struct pod_term *term = &near->required[i];
		bool was = matches(term, before), is = matches(term, after);

		if (is ? !was : was && matches(term, waits))
			return true;
	}
	for (uint32_t i = 0; i < far->nrequired; i++)
		if (matches(&far->required[i], before) &&
		    !matches(&far->required[i], after))
			return true;
	for (uint32_t i = 0; i < waits->nspread; i++) {
		const struct selector *s = &waits->spread[i].selector;
		bool is = after->namespace == waits->namespace &&
		    selector_matches(s, &after->labels);
		bool was = before != NULL &&
		    before->namespace == waits->namespace &&
		    selector_matches(s, &before->labels);

		if (waits->spread[i].hard &&
		    (is != was ||
			(is && before->terminating != after->terminating)))
			return true;
	}
	return false;
}

static size_t
length(const struct term_watch *found)
{
	size_t n = 0;

	for (; found != NULL; found = found->next)
		n++;
	return n;
}

static void
the_index_agrees_with_comparing(void)
{
	struct term_watches watches = { 0 };
	struct term_watch watch[NPODS] = { { 0 } };
	struct pod *pods[NPODS];

	for (size_t i = 0; i < NPODS; i++) {
		pods[i] = some_pod(true);
		watch[i].class = pods[i]->class;
		term_watch_add(&watches, &watch[i]);
	}
	for (int round = 0; round < 300; round++) {
		struct pod *before = below(3) > 0 ? some_pod(false) : NULL;
		struct pod *after = some_pod(false);
		const struct pod_class *was = before != NULL &&
			before->class->namespace == after->class->namespace ?
		    before->class :
		    NULL;
		size_t steps = 100000, want = 0, i = below(NPODS);
		struct term_watch *found;

		t_true("enough",
		    term_watches_find(&watches, was, after->class, &steps,
			&found));
		for (size_t j = 0; j < NPODS; j++)
			want += is_helped(pods[j]->class, was, after->class);
		t_int("found", (long)length(found), (long)want);
		for (; found != NULL; found = found->next)
			t_true("rightly",
			    is_helped(found->class, was, after->class));
		term_watch_remove(&watch[i]);
		pod_unref(pods[i]);
		pods[i] = some_pod(true);
		watch[i].class = pods[i]->class;
		term_watch_add(&watches, &watch[i]);
		pod_unref(before);
		pod_unref(after);
	}
	for (size_t i = 0; i < NPODS; i++) {
		term_watch_remove(&watch[i]);
		pod_unref(pods[i]);
	}
	t_int("no place is left", (long)watches.namespaces.places.n, 0);
}

T_MAIN(T(the_index_agrees_with_comparing))
