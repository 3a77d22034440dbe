/* Services, controllers, budgets, namespaces and priority classes. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/workload.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

#define META "\"metadata\":{\"name\":\"n\",\"namespace\":\"ns\"}"

/* {app: web} */
static struct labels
app(const char *value)
{
	static struct label label;

	label = (struct label){ sym_intern("app"), sym_intern(value) };
	return (struct labels){ 1, &label };
}

#define SPEC(selector) "{" META ",\"spec\":{\"selector\":" selector "}}"

static void
selectors_of_workloads(void)
{
	static const struct {
		const char *name;
		enum object_kind kind;
		const char *text;
		bool has, is_empty_map, has_error;
		bool web, db; /* whether pods with app: web (db) match */
	} rows[] = {
		/* clang-format off */
		{ "a Service's map", OBJECT_SERVICE,
		  SPEC("{\"app\":\"web\"}"), true, false, false, true, false },
		{ "a Service's null selects nothing", OBJECT_SERVICE,
		  SPEC("null"), false, false, false, false, false },
		{ "a Service without selector", OBJECT_SERVICE,
		  "{" META ",\"spec\":{}}", false, false, false, false, false },
		{ "a Service without spec", OBJECT_SERVICE,
		  "{" META "}", false, false, false, false, false },
		{ "a Service's {} selects everything", OBJECT_SERVICE,
		  SPEC("{}"), true, true, false, true, true },
		{ "a Service has no matchLabels", OBJECT_SERVICE,
		  SPEC("{\"matchLabels\":\"web\"}"),
		  true, false, false, false, false },
		{ "all pairs must be there", OBJECT_SERVICE,
		  SPEC("{\"app\":\"web\",\"tier\":\"a\"}"),
		  true, false, false, false, false },
		{ "a null value is the empty string", OBJECT_SERVICE,
		  SPEC("{\"app\":null}"), true, false, false, false, false },
		{ "an RC's map", OBJECT_REPLICATION_CONTROLLER,
		  SPEC("{\"app\":\"db\"}"), true, false, false, false, true },
		{ "an RC's {}", OBJECT_REPLICATION_CONTROLLER,
		  SPEC("{}"), true, true, false, true, true },
		{ "an RC's null", OBJECT_REPLICATION_CONTROLLER,
		  SPEC("null"), false, false, false, false, false },
		{ "a ReplicaSet's matchLabels", OBJECT_REPLICA_SET,
		  SPEC("{\"matchLabels\":{\"app\":\"web\"}}"),
		  true, false, false, true, false },
		{ "a ReplicaSet's {}", OBJECT_REPLICA_SET,
		  SPEC("{}"), true, false, false, true, true },
		{ "a ReplicaSet's null", OBJECT_REPLICA_SET,
		  SPEC("null"), false, false, false, false, false },
		{ "a StatefulSet's matchExpressions", OBJECT_STATEFUL_SET,
		  SPEC("{\"matchExpressions\":[{\"key\":\"app\","
		       "\"operator\":\"NotIn\",\"values\":[\"web\"]}]}"),
		  true, false, false, false, true },
		{ "an unknown operator is kept", OBJECT_STATEFUL_SET,
		  SPEC("{\"matchExpressions\":[{\"key\":\"app\","
		       "\"operator\":\"Like\",\"values\":[\"web\"]}]}"),
		  true, false, true, false, false },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;
		struct workload *w =
		    t_must_decode(name, rows[i].kind, rows[i].text);
		struct labels labels = app("web");

		if (w == NULL)
			continue;
		t_str(name, w->object.name, "n");
		t_str(name, sym_text(w->object.namespace), "ns");
		t_int(name, w->has_selector, rows[i].has);
		t_int(name, w->selector_is_empty_map, rows[i].is_empty_map);
		t_int(name, w->selector.error != NULL, rows[i].has_error);
		t_int(name, selector_matches(&w->selector, &labels),
		    rows[i].web);
		t_int(name, selector_matches(&w->counted, &labels),
		    rows[i].web);
		labels = app("db");
		t_int(name, selector_matches(&w->selector, &labels),
		    rows[i].db);
		t_int(name, selector_matches(&w->counted, &labels), rows[i].db);
		object_unref(&w->object);
	}
}

static void
an_invalid_pair_counts_every_pod(void)
{
	struct workload *w = t_must_decode("invalid value", OBJECT_SERVICE,
	    SPEC("{\"app\":\"not valid!\"}"));
	struct labels web = app("web");

	if (w == NULL)
		return;
	t_true("it has no other pods", !selector_matches(&w->selector, &web));
	t_true("but counts them", selector_matches(&w->counted, &web));
	web = app("not valid!");
	t_true("a pod with that pair", selector_matches(&w->selector, &web));
	object_unref(&w->object);
}

#define PDB(selector, status)                                                  \
	"{" META ",\"spec\":{\"selector\":" selector "},\"status\":" status "}"

static void
budgets(void)
{
	static const struct {
		const char *name, *text;
		bool has, has_error, empty;
		int64_t allowed;
	} rows[] = {
		/* clang-format off */
		{ "allowed disruptions", PDB("{\"matchLabels\":{\"a\":\"b\"}}",
		  "{\"disruptionsAllowed\":2}"), true, false, false, 2 },
		{ "a status that says nothing is 0", PDB("{}", "{}"),
		  true, false, true, 0 },
		{ "no status is 0", PDB("{}", "null"), true, false, true, 0 },
		{ "negative", PDB("{}", "{\"disruptionsAllowed\":-1}"),
		  true, false, true, -1 },
		{ "the Go field's name is not the JSON name",
		  PDB("{}", "{\"podDisruptionsAllowed\":3}"),
		  true, false, true, 0 },
		{ "null selects nothing", PDB("null", "{}"),
		  false, false, false, 0 },
		{ "an invalid selector is kept",
		  PDB("{\"matchExpressions\":[{\"key\":\"a\","
		      "\"operator\":\"In\"}]}", "{}"), true, true, false, 0 },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;
		struct pod_disruption_budget *pdb = t_must_decode(name,
		    OBJECT_POD_DISRUPTION_BUDGET, rows[i].text);

		if (pdb == NULL)
			continue;
		t_int(name, pdb->has_selector, rows[i].has);
		t_int(name, pdb->selector.error != NULL, rows[i].has_error);
		t_int(name, selector_is_empty(&pdb->selector), rows[i].empty);
		t_int(name, pdb->disruptions_allowed, rows[i].allowed);
		object_unref(&pdb->object);
	}
}

static void
disrupted_pods(void)
{
	struct pod_disruption_budget *pdb =
	    t_must_decode("accepted", OBJECT_POD_DISRUPTION_BUDGET,
		PDB("{}",
		    "{\"disruptedPods\":{\"p\":\"2019-08-01T00:00:00Z\","
		    "\"q\":null}}"));
	struct err err = { "" };

	t_int("names", pdb->ndisrupted, 2);
	t_str("the first", pdb->disrupted[0], "p");
	t_str("the second", pdb->disrupted[1], "q");
	object_unref(&pdb->object);
	t_true("no object",
	    t_decode(OBJECT_POD_DISRUPTION_BUDGET,
		PDB("{}", "{\"disruptedPods\":[]}"), &err) == NULL);
	t_has("is refused", err.text, "status.disruptedPods must be an object");
}

static const char *
label_text(const struct labels *labels, const char *key)
{
	sym value = labels_get(labels, sym_intern(key));

	return value == SYM_NONE ? NULL : sym_text(value);
}

static void
namespaces(void)
{
	struct namespace *ns = t_must_decode("namespace", OBJECT_NAMESPACE,
	    "{\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":\"b\"},"
	    "\"annotations\":{\"openshift.io/node-selector\":\"\","
	    "\"z\":\"1\",\"number\":1,\"null\":null,\"list\":[\"x\"]}}}");

	if (ns == NULL)
		return;
	t_int("a Namespace is in no namespace", ns->object.namespace,
	    SYM_EMPTY);
	t_str("label", label_text(&ns->labels, "a"), "b");
	t_int("annotations that are strings", ns->annotations.n, 2);
	t_str("an empty annotation is there",
	    label_text(&ns->annotations, "openshift.io/node-selector"), "");
	t_str("annotation", label_text(&ns->annotations, "z"), "1");
	t_str("number", label_text(&ns->annotations, "number"), NULL);
	t_str("null", label_text(&ns->annotations, "null"), NULL);
	object_unref(&ns->object);

	ns = t_must_decode("nothing but a name", OBJECT_NAMESPACE,
	    "{\"metadata\":{\"name\":\"n\",\"annotations\":{\"a\":1}}}");
	if (ns == NULL)
		return;
	t_int("no labels", ns->labels.n, 0);
	t_int("no annotations", ns->annotations.n, 0);
	object_unref(&ns->object);
}

static void
priority_classes(void)
{
	static const struct {
		const char *name, *text;
		int64_t value;
		bool global, never;
	} rows[] = {
		{ "all fields",
		    "{" META ",\"value\":2000001000,\"globalDefault\":true,"
		    "\"preemptionPolicy\":\"Never\"}",
		    2000001000, true, true },
		{ "nothing said", "{" META "}", 0, false, false },
		{ "negative", "{" META ",\"value\":-2147483648}", INT32_MIN,
		    false, false },
		{ "PreemptLowerPriority",
		    "{" META ",\"value\":1e3,"
		    "\"preemptionPolicy\":\"PreemptLowerPriority\"}",
		    1000, false, false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;
		struct priority_class *pc =
		    t_must_decode(name, OBJECT_PRIORITY_CLASS, rows[i].text);

		if (pc == NULL)
			continue;
		t_int(name, pc->value, rows[i].value);
		t_int(name, pc->global_default, rows[i].global);
		t_int(name, pc->never_preempts, rows[i].never);
		object_unref(&pc->object);
	}
}

static void
wrong_types_are_errors_with_position_and_path(void)
{
	static const struct t_field rows[] = {
		/* clang-format off */
		{ OBJECT_SERVICE, "{" META ",\"spec\":", "}",
		  "spec", "an object" },
		{ OBJECT_SERVICE, "{" META ",\"spec\":{\"selector\":", "}}",
		  "spec.selector", "an object" },
		{ OBJECT_SERVICE, "{" META ",\"spec\":{\"selector\":{\"a\":",
		  "}}}", "spec.selector.a", "a string" },
		{ OBJECT_REPLICATION_CONTROLLER,
		  "{" META ",\"spec\":{\"selector\":{\"a\":", "}}}",
		  "spec.selector.a", "a string" },
		{ OBJECT_REPLICA_SET, "{" META ",\"spec\":", "}",
		  "spec", "an object" },
		{ OBJECT_REPLICA_SET, "{" META ",\"spec\":{\"selector\":", "}}",
		  "spec.selector", "an object" },
		{ OBJECT_STATEFUL_SET,
		  "{" META ",\"spec\":{\"selector\":{\"matchLabels\":", "}}}",
		  "spec.selector.matchLabels", "an object" },
		{ OBJECT_STATEFUL_SET,
		  "{" META ",\"spec\":{\"selector\":{\"matchExpressions\":",
		  "}}}", "spec.selector.matchExpressions", "an array" },
		{ OBJECT_STATEFUL_SET,
		  "{" META ",\"spec\":{\"selector\":{\"matchExpressions\":[",
		  "]}}}", "spec.selector.matchExpressions[]", "an object" },
		{ OBJECT_POD_DISRUPTION_BUDGET, "{" META ",\"spec\":", "}",
		  "spec", "an object" },
		{ OBJECT_POD_DISRUPTION_BUDGET,
		  "{" META ",\"spec\":{\"selector\":", "}}",
		  "spec.selector", "an object" },
		{ OBJECT_POD_DISRUPTION_BUDGET, "{" META ",\"status\":", "}",
		  "status", "an object" },
		{ OBJECT_POD_DISRUPTION_BUDGET,
		  "{" META ",\"status\":{\"disruptionsAllowed\":", "}}",
		  "status.disruptionsAllowed", "a number" },
		{ OBJECT_POD_DISRUPTION_BUDGET,
		  "{" META ",\"spec\":{\"unhealthyPodEvictionPolicy\":",
		  "}}", "spec.unhealthyPodEvictionPolicy", "a string" },
		{ OBJECT_POD_DISRUPTION_BUDGET,
		  "{" META ",\"status\":{\"desiredHealthy\":", "}}",
		  "status.desiredHealthy", "a number" },
		{ OBJECT_LIMIT_RANGE, "{" META ",\"spec\":", "}",
		  "spec", "an object" },
		{ OBJECT_RUNTIME_CLASS, "{" META ",\"overhead\":", "}",
		  "overhead", "an object" },
		{ OBJECT_RUNTIME_CLASS, "{" META ",\"scheduling\":", "}",
		  "scheduling", "an object" },
		{ OBJECT_NAMESPACE, "{\"metadata\":{\"name\":\"n\","
		  "\"labels\":", "}}", "metadata.labels", "an object" },
		{ OBJECT_NAMESPACE, "{\"metadata\":{\"name\":\"n\","
		  "\"labels\":{\"a\":", "}}}", "metadata.labels.a",
		  "a string" },
		{ OBJECT_NAMESPACE, "{\"metadata\":{\"name\":\"n\","
		  "\"annotations\":", "}}", "metadata.annotations",
		  "an object" },
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"value\":", "}",
		  "value", "a number" },
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"globalDefault\":", "}",
		  "globalDefault", "a boolean" },
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"preemptionPolicy\":",
		  "}", "preemptionPolicy", "a string" },
		/* clang-format on */
	};

	t_fields(LENGTH(rows), rows);
}

static void
numbers_out_of_range_are_errors(void)
{
	static const struct t_refusal rows[] = {
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"value\":2147483648}",
		    "value must be between -2147483648 and 2147483647" },
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"value\":1.5}",
		    "value must be a whole number" },
		{ OBJECT_PRIORITY_CLASS, "{" META ",\"value\":1e400}",
		    "value must be" },
		{ OBJECT_POD_DISRUPTION_BUDGET,
		    "{" META ",\"status\":{\"disruptionsAllowed\":1e10}}",
		    "status.disruptionsAllowed must be between" },
	};

	t_refusals(LENGTH(rows), rows);
}

static void
what_is_no_object_is_refused(void)
{
	static const enum object_kind kinds[] = { OBJECT_SERVICE,
		OBJECT_REPLICATION_CONTROLLER, OBJECT_REPLICA_SET,
		OBJECT_STATEFUL_SET, OBJECT_POD_DISRUPTION_BUDGET,
		OBJECT_NAMESPACE, OBJECT_PRIORITY_CLASS, OBJECT_LIMIT_RANGE,
		OBJECT_RUNTIME_CLASS };

	t_no_objects(LENGTH(kinds), kinds);
}

T_MAIN(T(selectors_of_workloads), T(an_invalid_pair_counts_every_pod),
    T(budgets), T(disrupted_pods), T(namespaces), T(priority_classes),
    T(wrong_types_are_errors_with_position_and_path),
    T(numbers_out_of_range_are_errors), T(what_is_no_object_is_refused))
