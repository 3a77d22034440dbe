#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/confines.h"
#include "objects/pod.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

#define MIB (INT64_C(1) << 20)

/* A pod from the inside of its metadata (behind the name), spec and status;
 * NULL when it is refused. */
static struct pod *
decode(const char *meta, const char *spec, const char *status, struct err *err)
{
	AUTOFREE char *text = xasprintf("{\"metadata\":{\"name\":\"p\"%s%s},"
					"\"spec\":{%s},\"status\":{%s}}",
	    meta[0] != '\0' ? "," : "", meta, spec, status);

	return (struct pod *)t_decode(OBJECT_POD, text, err);
}

static struct pod *
pod_of(const char *spec)
{
	struct err err = { "" };
	struct pod *pod = decode("", spec, "", &err);

	t_str(spec, err.text, "");
	return pod;
}

static struct pod *
whole_pod(void)
{
	AUTOFREE char *text = t_data("model/pod.json");
	struct doc *doc =
	    doc_parse("pod.json", text, strlen(text), &doc_limits_people, NULL);
	struct pod *pod = NULL;

	if (t_true("the sample is a document", doc != NULL))
		pod = (struct pod *)object_decode_as(NULL, OBJECT_POD,
		    doc_root(doc), NULL);
	t_true("it decodes", pod != NULL);
	doc_free(doc);
	return pod;
}

static void
identity_is_read(void)
{
	struct pod *pod = whole_pod();

	if (pod == NULL)
		return;
	t_int("kind", pod->object.kind, OBJECT_POD);
	t_str("name", pod->object.name, "web-1");
	t_str("namespace", sym_text(pod->object.namespace), "shop");
	t_str("uid", pod->object.uid, "uid-1");
	t_str("resourceVersion", pod->object.resource_version, "17");
	t_int("created", pod->object.created, 1564617638);
	t_true("deleting", pod->object.deleting);
	t_str("full name", pod_full_name(pod), "shop/web-1");
	t_int("priority", pod->priority, 10);
	t_true("has a priority", pod->has_priority);
	t_str("class", sym_text(pod->priority_class), "high");
	t_str("node", sym_text(pod->node), "n1");
	t_str("nominated", sym_text(pod->nominated), "n2");
	t_int("phase", pod->phase, POD_RUNNING);
	t_true("has a start time", pod->has_start_time);
	t_int("start time", pod->start_seconds, 1564617664);
	pod_unref(pod);
}

static void
a_pod_may_lack_everything_but_its_name(void)
{
	static const char text[] = "{\"metadata\":{\"name\":\"p\"}}";
	struct doc *doc =
	    doc_parse("pod.json", text, strlen(text), &doc_limits_people, NULL);
	struct pod *pod = NULL;

	pod = (struct pod *)object_decode_as(NULL, OBJECT_POD, doc_root(doc),
	    NULL);
	t_true("accepted", pod != NULL);
	doc_free(doc);
	if (pod == NULL)
		return;
	t_str("namespace", sym_text(pod->object.namespace), "default");
	t_str("uid", pod->object.uid, "default/p");
	t_str("scheduler", sym_text(pod->class->scheduler_name),
	    "default-scheduler");
	t_int("no controller", pod->class->controller_kind, SYM_NONE);
	t_int("no phase", pod->phase, POD_UNKNOWN);
	t_true("no priority", !pod->has_priority && pod->priority == 0);
	t_true("no start time", !pod->has_start_time);
	t_true("best effort", pod->class->best_effort);
	t_int("asks for no cpu", pod->class->requested.cpu_milli, 0);
	t_int("nor in scores", pod->class->nonzero_cpu_milli, 0);
	pod_unref(pod);
}

#define CONTAINER(requests) "{\"resources\":{\"requests\":{" requests "}}}"
#define CONTAINERS(list) "\"containers\":[" list "]"
#define INIT(list) ",\"initContainers\":[" list "]"
#define SIDECAR(requests)                                                      \
	"{\"restartPolicy\":\"Always\",\"resources\":{\"requests\":{" requests \
	"}}}"

static void
requests_add_up(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		const char *spec;
		int64_t requested, held, full, nonzero; /* cpu in milli */
	} rows[] = {
		{ "containers are added", CONTAINERS(CONTAINER("\"cpu\":\"1\"")
			"," CONTAINER("\"cpu\":\"250m\"")),
		    1250, 1250, 1250, 1250 },
		{ "a fraction of a milli is rounded up",
		    CONTAINERS(CONTAINER("\"cpu\":\"100u\"")), 1, 1, 1, 1 },
		{ "a number is a quantity",
		    CONTAINERS(CONTAINER("\"cpu\":0.5")), 500, 500, 500, 500 },
		{ "what is absent counts as 100m in scores",
		    CONTAINERS(CONTAINER("") ",{},null,{\"resources\":null}"),
		    0, 0, 0, 400 },
		{ "an explicit 0 stays 0",
		    CONTAINERS(CONTAINER("\"cpu\":0")), 0, 0, 0, 0 },
		{ "null is an explicit 0",
		    CONTAINERS(CONTAINER("\"cpu\":null")), 0, 0, 0, 0 },
		{ "a negative request counts negative",
		    CONTAINERS(CONTAINER("\"cpu\":\"-1\"")), -1000, -1000,
		    -1000, -1000 },
		{ "a greedy init container raises what is requested alone",
		    CONTAINERS(CONTAINER("\"cpu\":\"1\""))
			INIT(CONTAINER("\"cpu\":\"3\"") ","
			    CONTAINER("\"cpu\":\"2\"")),
		    3000, 1000, 3000, 1000 },
		{ "an init container without cpu raises nothing",
		    CONTAINERS(CONTAINER("\"cpu\":\"-1\""))
			INIT(CONTAINER("\"memory\":1")),
		    -1000, -1000, 0, -1000 },
		{ "a modest one does not",
		    CONTAINERS(CONTAINER("\"cpu\":\"1\""))
			INIT(CONTAINER("\"cpu\":\"1m\"")),
		    1000, 1000, 1000, 1000 },
		{ "a sidecar runs on beside the containers",
		    CONTAINERS(CONTAINER("\"cpu\":\"1\""))
			INIT(SIDECAR("\"cpu\":\"500m\"")),
		    1000, 1000, 1500, 1000 },
		{ "and beside the init containers behind it only",
		    CONTAINERS(CONTAINER("\"cpu\":\"1\""))
			INIT(CONTAINER("\"cpu\":\"3\"") ","
			    SIDECAR("\"cpu\":\"500m\"") ","
			    CONTAINER("\"cpu\":\"2800m\"")),
		    3000, 1000, 3300, 1000 },
		{ "overhead comes on top",
		    CONTAINERS(CONTAINER("\"cpu\":\"1\""))
			INIT(CONTAINER("\"cpu\":\"2\""))
			",\"overhead\":{\"cpu\":\"10m\"}",
		    2000, 1000, 2010, 1000 },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *pod = pod_of(rows[i].spec);
		const struct pod_class *class = pod->class;

		t_int(rows[i].name, class->requested.cpu_milli,
		    rows[i].requested);
		t_int(rows[i].name, class->held.cpu_milli, rows[i].held);
		t_int(rows[i].name, class->full.cpu_milli, rows[i].full);
		t_int(rows[i].name, class->nonzero_cpu_milli, rows[i].nonzero);
		pod_unref(pod);
	}
}

static void
memory_and_limits_add_up(void)
{
	struct pod *pod = pod_of(
	    "\"containers\":[{},{\"resources\":{"
	    "\"requests\":{\"memory\":\"1Mi\",\"ephemeral-storage\":\"1k\","
	    "\"pods\":\"3\"},\"limits\":{\"cpu\":\"1\"}}},{\"resources\":{"
	    "\"limits\":{\"cpu\":\"1\",\"memory\":5}}}],\"initContainers\":["
	    "{\"resources\":{\"limits\":{\"cpu\":\"3\",\"memory\":4}}}]");
	const struct pod_class *class = pod->class;

	t_int("memory", class->requested.memory, MIB);
	t_int("absent memory is 200 MiB in scores", class->nonzero_memory,
	    401 * MIB);
	t_int("ephemeral storage", class->held.ephemeral_storage, 1000);
	t_int("pods are no matter of requests", class->requested.pods, 0);
	t_int("limits: an init container may raise", class->limits.cpu_milli,
	    3000);
	t_int("limits: or not", class->limits.memory, 5);
	pod_unref(pod);
}

static int64_t
amount(const struct resources *r, const char *name)
{
	const struct scalar *scalar = resources_scalar(r, sym_intern(name));

	return scalar != NULL ? scalar->amount : -1;
}

static void
scalars_add_up(void)
{
	struct pod *pod = pod_of(CONTAINERS(
	    CONTAINER("\"a.com/x\":1,\"a.com/zero\":0,\"storage\":7") "," CONTAINER(
		"\"a.com/x\":2,\"hugepages-2Mi\":\"4Mi\""))
		INIT(CONTAINER("\"a.com/x\":2,\"a.com/y\":5,\"a.com/z\":0")));
	const struct pod_class *class = pod->class;

	t_int("sum", amount(&class->held, "a.com/x"), 3);
	t_int("0 is kept", amount(&class->held, "a.com/zero"), 0);
	t_int("huge pages", amount(&class->held, "hugepages-2Mi"), 4 * MIB);
	t_int("storage is none", amount(&class->held, "storage"), -1);
	t_int("held knows no init", amount(&class->held, "a.com/y"), -1);
	t_int("maximum", amount(&class->requested, "a.com/x"), 3);
	t_int("maximum with nothing", amount(&class->requested, "a.com/y"), 5);
	t_int("a maximum of 0 adds nothing",
	    amount(&class->requested, "a.com/z"), -1);
	t_int("held stays as it was", class->held.nscalars, 3);
	pod_unref(pod);
}

static void
sums_wrap_around(void)
{
	struct pod *pod = pod_of(CONTAINERS(CONTAINER(
	    "\"memory\":9223372036854775807") "," CONTAINER("\"memory\":2")));

	t_int("as in Go", pod->class->held.memory, INT64_MIN + 1);
	pod_unref(pod);
}

static void
best_effort_asks_for_no_cpu_nor_memory(void)
{
	static const struct {
		const char *name;
		const char *spec;
		bool want;
	} rows[] = {
		{ "nothing at all", CONTAINERS("{}"), true },
		{ "explicit 0", CONTAINERS(CONTAINER("\"cpu\":\"0m\"")), true },
		{ "below 0", CONTAINERS(CONTAINER("\"cpu\":\"-1\"")), true },
		{ "a gpu", CONTAINERS(CONTAINER("\"a.com/gpu\":1")), true },
		{ "one nano of cpu", CONTAINERS(CONTAINER("\"cpu\":\"1n\"")),
		    false },
		{ "the second container",
		    CONTAINERS("{}," CONTAINER("\"memory\":1")), false },
		{ "a limit",
		    CONTAINERS("{\"resources\":{\"limits\":{\"cpu\":1}}}"),
		    false },
		{ "init containers do not count",
		    CONTAINERS("{}") INIT(CONTAINER("\"cpu\":1")), true },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *pod = pod_of(rows[i].spec);

		t_int(rows[i].name, pod->class->best_effort, rows[i].want);
		pod_unref(pod);
	}
}

static void
images_get_a_tag(void)
{
	static const struct {
		const char *image, *want;
	} rows[] = {
		{ "nginx", "nginx:latest" },
		{ "nginx:1.17", "nginx:1.17" },
		{ "reg:5000/team/big", "reg:5000/team/big:latest" },
		{ "reg:5000/team/big:v2", "reg:5000/team/big:v2" },
		{ "nginx@sha256:0", "nginx@sha256:0" },
		{ "", ":latest" },
		{ "a/", "a/:latest" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *spec =
		    xasprintf(CONTAINERS(
				  "{\"image\":\"%s\"},{\"image\":\"%s\"}")
				  INIT("{\"image\":\"i\"}"),
			rows[i].image, rows[i].image);
		struct pod *pod = pod_of(spec);

		t_int("repeats are kept", pod->class->nimages, 2);
		t_str(rows[i].image, sym_text(pod->class->images[1]),
		    rows[i].want);
		pod_unref(pod);
	}
}

static void
host_ports_are_normalised(void)
{
	struct pod *pod = pod_of(
	    "\"initContainers\":[{\"ports\":["
	    "{\"hostPort\":1}]},{\"restartPolicy\":\"Always\",\"ports\":["
	    "{\"hostPort\":2}]}],\"containers\":[{\"ports\":["
	    "{\"hostPort\":0,\"containerPort\":9},{\"containerPort\":9},"
	    "{\"hostPort\":-1},{\"hostPort\":80}]},{\"ports\":["
	    "{\"hostPort\":81,\"hostIP\":\"::\",\"protocol\":\"UDP\"}]}]");
	const struct pod_class *class = pod->class;

	t_int("only host ports of containers", class->napp_ports, 2);
	if (t_int("and of sidecars", class->nports, 3)) {
		t_int("behind the others", class->ports[2].port, 2);
		t_int("port", class->ports[0].port, 80);
		t_str("address", sym_text(class->ports[0].ip), "0.0.0.0");
		t_str("protocol", sym_text(class->ports[0].protocol), "TCP");
		t_int("port", class->ports[1].port, 81);
		t_str("address", sym_text(class->ports[1].ip), "::");
		t_str("protocol", sym_text(class->ports[1].protocol), "UDP");
	}
	pod_unref(pod);
}

static void
tolerations_tolerate(void)
{
	static const struct {
		const char *toleration;
		const char *key, *value, *effect;
		bool want;
	} rows[] = {
		{ "", "", "", "NoSchedule", true },
		{ "", "k", "", "NoSchedule", true },
		{ "", "k", "v", "NoSchedule", false },
		{ "\"operator\":\"Exists\"", "k", "v", "NoExecute", true },
		{ "\"operator\":\"Exists\",\"value\":\"x\"", "k", "v", "",
		    true },
		{ "\"key\":\"k\",\"value\":\"v\"", "k", "v", "", true },
		{ "\"key\":\"k\",\"operator\":\"Equal\",\"value\":\"v\"", "k",
		    "v", "NoExecute", true },
		{ "\"key\":\"l\",\"value\":\"v\"", "k", "v", "", false },
		{ "\"operator\":\"Bogus\"", "", "", "", false },
		{ "\"effect\":\"NoSchedule\"", "", "", "NoSchedule", true },
		{ "\"effect\":\"NoSchedule\"", "", "", "NoExecute", false },
		{ "\"effect\":\"NoSchedule\"", "", "", "", false },
		{ "\"effect\":\"Odd\"", "", "", "Odd", true },
		{ "\"effect\":\"Odd\"", "", "", "Even", false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *spec =
		    xasprintf("\"tolerations\":[{%s}]", rows[i].toleration);
		struct pod *pod = pod_of(spec);

		t_int(spec,
		    toleration_tolerates(&pod->class->tolerations[0], false,
			sym_intern(rows[i].key), sym_intern(rows[i].value),
			taint_effect_parse(rows[i].effect),
			sym_intern(rows[i].effect)),
		    rows[i].want);
		pod_unref(pod);
	}
}

static void
tolerations_compare_integers(void)
{
	static const struct {
		const char *op, *toleration, *taint;
		bool want;
	} rows[] = {
		{ "Gt", "5", "6", true },
		{ "Gt", "5", "5", false },
		{ "Gt", "5", "4", false },
		{ "Lt", "5", "4", true },
		{ "Lt", "5", "5", false },
		{ "Lt", "5", "6", false },
		{ "Gt", "-6", "-5", true },
		{ "Gt", "0", "1", true },
		{ "Lt", "0", "-1", true },
		{ "Gt", "-0", "1", false },
		{ "Gt", "1", "007", false },
		{ "Gt", "+1", "7", false },
		{ "Gt", "", "7", false },
		{ "Gt", "1", "", false },
		{ "Gt", "1", "-", false },
		{ "Gt", "1", "7 ", false },
		{ "Gt", "1", "1e3", false },
		{ "Gt", "1", "9223372036854775807", true },
		{ "Gt", "1", "9223372036854775808", false },
	};
	sym key = sym_intern("k"), effect = sym_intern("NoSchedule");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *spec = xasprintf(
		    "\"tolerations\":[{\"operator\":\"%s\",\"value\":\"%s\"}]",
		    rows[i].op, rows[i].toleration);
		struct pod *pod = pod_of(spec);
		const struct toleration *t = &pod->class->tolerations[0];
		sym value = sym_intern(rows[i].taint);

		t_int(rows[i].taint,
		    toleration_tolerates(t, true, key, value,
			EFFECT_NO_SCHEDULE, effect),
		    rows[i].want);
		t_true("not without their gate",
		    !toleration_tolerates(t, false, key, value,
			EFFECT_NO_SCHEDULE, effect));
		pod_unref(pod);
	}
}

static void
affinity_is_read(void)
{
	struct pod *pod = whole_pod();
	const struct pod_class *class;

	if (pod == NULL)
		return;
	class = pod->class;
	t_true("required node affinity", class->has_required_node_affinity);
	t_int("one term", class->required_node_affinity.n, 1);
	t_int("one preference", class->npreferred_nodes, 1);
	t_int("its weight", class->preferred_nodes[0].weight, 5);
	t_int("its expressions", class->preferred_nodes[0].expressions.n, 1);
	t_int("affinity", class->affinity.nrequired, 1);
	t_int("namespaces", class->affinity.required[0].nnamespaces, 2);
	t_int("preferred", class->affinity.npreferred, 1);
	t_int("weight", class->affinity.preferred[0].weight, 50);
	t_true("selects all",
	    class->affinity.preferred[0].selector.n == 0 &&
		!class->affinity.preferred[0].selector.nothing);
	t_str("own namespace is meant when none is named",
	    sym_text(class->affinity.preferred[0].namespaces[0]), "shop");
	t_int("anti-affinity", class->anti_affinity.nrequired, 1);
	t_str("key", sym_text(class->anti_affinity.required[0].topology_key),
	    "kubernetes.io/hostname");
	t_true("matches itself",
	    pod_term_matches(&class->anti_affinity.required[0], class));
	t_true("in that namespace",
	    pod_term_matches(&class->affinity.required[0], class));
	pod_unref(pod);
}

static void
later_fields_of_affinity_and_spreading_are_read(void)
{
	struct pod *pod = pod_of(
	    "\"affinity\":{\"podAntiAffinity\":{\"requiredDuringScheduling"
	    "IgnoredDuringExecution\":[{\"namespaceSelector\":{\"matchLabels\":"
	    "{\"a\":\"b\"}}},{\"namespaceSelector\":{},\"namespaces\":[\"x\"]},"
	    "{\"namespaceSelector\":null},{\"labelSelector\":{},"
	    "\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"a\","
	    "\"operator\":\"Huh\"}]}}]}},\"topologySpreadConstraints\":[{},"
	    "{\"minDomains\":null,\"nodeAffinityPolicy\":\"Honor\","
	    "\"nodeTaintsPolicy\":\"Ignore\"},{\"minDomains\":5,"
	    "\"nodeAffinityPolicy\":\"Ignore\",\"nodeTaintsPolicy\":\"Honor\","
	    "\"matchLabelKeys\":[\"k\",\"l\"]}]");
	const struct pod_term *term = pod->class->anti_affinity.required;
	const struct spread_constraint *c = pod->class->spread;

	t_true("it selects", term[0].selects_namespaces);
	t_int("by a label", term[0].namespace_selector.n, 1);
	t_int("and names none", term[0].nnamed, 0);
	t_true("{} selects, too", term[1].selects_namespaces);
	t_int("beside a name", term[1].nnamed, 1);
	t_true("null does not", !term[2].selects_namespaces);
	t_true("one that cannot be used makes the term so",
	    term[3].selector.error != NULL);
	t_true("any", pod_terms_select_namespaces(&pod->class->anti_affinity));
	t_true("none", !pod_terms_select_namespaces(&pod->class->affinity));
	for (int i = 0; i < 2; i++) {
		t_int("minDomains", c[i].min_domains, 1);
		t_true("Honor", !c[i].ignores_affinity);
		t_true("Ignore", !c[i].honors_taints);
		t_int("no keys", c[i].nmatch_keys, 0);
	}
	t_int("minDomains", c[2].min_domains, 5);
	t_true("Ignore", c[2].ignores_affinity);
	t_true("Honor", c[2].honors_taints);
	t_int("keys", c[2].nmatch_keys, 2);
	pod_unref(pod);
}

static void
empty_affinity_is_there(void)
{
	struct pod *pod = pod_of(
	    "\"affinity\":{\"podAffinity\":{},"
	    "\"podAntiAffinity\":{\"requiredDuringSchedulingIgnoredDuring"
	    "Execution\":[{},null]},\"nodeAffinity\":{\"requiredDuring"
	    "SchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":[]}}}");
	const struct pod_class *class = pod->class;

	t_true("present", class->affinity.present);
	t_int("nothing in it", class->affinity.nrequired, 0);
	t_true("a required selector without terms",
	    class->has_required_node_affinity);
	if (t_int("terms without anything", class->anti_affinity.nrequired, 2))
		for (int i = 0; i < 2; i++) {
			const struct pod_term *term =
			    &class->anti_affinity.required[i];

			t_int("own namespace", term->nnamespaces, 1);
			t_true("no selector selects nothing",
			    !pod_term_matches(term, class));
			t_int("no key", term->topology_key, SYM_EMPTY);
		}
	pod_unref(pod);
}

static void
volumes_are_read(void)
{
	static const struct {
		const char *volume;
		enum volume_kind kind;
		const char *id;
		bool read_only;
	} rows[] = {
		{ "\"persistentVolumeClaim\":{\"claimName\":\"c\"}",
		    VOLUME_CLAIM, "c", false },
		{ "\"gcePersistentDisk\":{\"pdName\":\"d\",\"readOnly\":true}",
		    VOLUME_GCE_PD, "d", true },
		{ "\"awsElasticBlockStore\":{\"volumeID\":\"v\"}",
		    VOLUME_AWS_EBS, "v", false },
		{ "\"azureDisk\":{\"diskName\":\"d\",\"diskURI\":\"u\"}",
		    VOLUME_AZURE_DISK, "d", false },
		{ "\"cinder\":{\"volumeID\":\"v\"}", VOLUME_CINDER, "v",
		    false },
		{ "\"iscsi\":{\"iqn\":\"q\",\"readOnly\":false}", VOLUME_ISCSI,
		    "q", false },
		{ "\"rbd\":{\"image\":\"i\",\"pool\":\"p\","
		  "\"monitors\":[\"a\",null]}",
		    VOLUME_RBD, "i", false },
		{ "\"rbd\":{}", VOLUME_RBD, "", false },
		{ "\"portworxVolume\":{\"volumeID\":\"v\"}", VOLUME_PORTWORX,
		    "v", false },
		{ "\"name\":\"e\",\"ephemeral\":{}", VOLUME_EPHEMERAL, "p-e",
		    false },
		{ "\"emptyDir\":{}", VOLUME_OTHER, "", false },
		{ "\"rbd\":null", VOLUME_OTHER, "", false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *spec =
		    xasprintf("\"volumes\":[{%s}]", rows[i].volume);
		struct pod *pod = pod_of(spec);
		const struct volume *volume = &pod->class->volumes[0];

		t_int(spec, volume->kind, rows[i].kind);
		t_str(spec, sym_text(volume->id), rows[i].id);
		t_int(spec, volume->read_only, rows[i].read_only);
		pod_unref(pod);
	}
}

/* The claim is named in the spec; or by the status, if it is from a template. */
static void
device_claims_are_read(void)
{
	static const char spec[] =
	    "\"resourceClaims\":[{\"name\":\"a\",\"resourceClaimName\":\"x\"},"
	    "{\"name\":\"b\",\"resourceClaimTemplateName\":\"t\"},"
	    "{\"name\":\"c\",\"resourceClaimTemplateName\":\"t\"},"
	    "{\"name\":\"d\",\"source\":{\"resourceClaimTemplateName\":\"t\"}},"
	    "{\"name\":\"e\",\"source\":{\"resourceClaimName\":\"z\"}}]";
	static const char status[] =
	    "\"resourceClaimStatuses\":[{\"name\":\"b\","
	    "\"resourceClaimName\":\"x-b\"},{\"name\":\"c\"}]";
	static const struct {
		const char *name, *claim;
		bool created, from_template;
	} rows[] = {
		{ "a", "x", true, false },
		{ "b", "x-b", true, true },
		{ "c", NULL, true, true }, /* none is needed */
		{ "d", NULL, false, true },
		{ "e", "z", true, false },
	};
	struct err err = { "" };
	struct pod *pod = decode("\"uid\":\"u\"", spec, status, &err);

	if (!t_true(err.text, pod != NULL) ||
	    !t_int("number", pod->class->nresource_claims, LENGTH(rows)))
		return;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct pod_resource_claim *c =
		    &pod->class->resource_claims[i];

		t_str("name", sym_text(c->name), rows[i].name);
		t_str(rows[i].name,
		    c->claim != SYM_NONE ? sym_text(c->claim) : NULL,
		    rows[i].claim);
		t_int(rows[i].name, c->created, rows[i].created);
		t_int(rows[i].name, c->from_template, rows[i].from_template);
		t_str(rows[i].name,
		    c->owner != SYM_NONE ? sym_text(c->owner) : "",
		    rows[i].from_template ? "u" : "");
	}
	pod_unref(pod);
}

static void
the_controller_is_the_first_that_controls(void)
{
	struct err err = { "" };
	struct pod *pod =
	    decode("\"ownerReferences\":[{\"kind\":\"A\"},"
		   "{\"kind\":\"B\",\"controller\":false},null,"
		   "{\"kind\":\"C\",\"uid\":\"u\",\"controller\":true},"
		   "{\"kind\":\"D\",\"controller\":true}]",
		"", "", &err);

	if (!t_true(err.text, pod != NULL))
		return;
	t_str("kind", sym_text(pod->class->controller_kind), "C");
	t_str("uid", sym_text(pod->class->controller_uid), "u");
	pod_unref(pod);
}

static void
errors_have_position_and_path(void)
{
	static const struct {
		const char *meta, *spec, *status;
		const char *want;
	} rows[] = {
		{ "", "\"nodeName\":1", "",
		    "spec.nodeName must be a string, not a number" },
		{ "", CONTAINERS("{}," CONTAINER("\"cpu\":\"1x\"")), "",
		    "test.json:1:" },
		{ "", CONTAINERS("{}," CONTAINER("\"cpu\":\"1x\"")), "",
		    "spec.containers[1].resources.requests.cpu" },
		{ "", CONTAINERS(CONTAINER("\"cpu\":true")), "",
		    "spec.containers[0].resources.requests.cpu must be a "
		    "quantity, not a boolean" },
		{ "", CONTAINERS("{},1"), "",
		    "spec.containers[1] must be an object, not a number" },
		{ "", "\"containers\":{}", "",
		    "spec.containers must be an array, not an object" },
		{ "", CONTAINERS("{\"ports\":[{},{\"hostPort\":2147483648}]}"),
		    "", "spec.containers[0].ports[1].hostPort" },
		{ "", "\"priority\":1.5", "", "spec.priority" },
		{ "", "\"volumes\":[{\"rbd\":{\"monitors\":[1]}}]", "",
		    "spec.volumes[0].rbd.monitors[0] must be a string" },
		{ "",
		    "\"affinity\":{\"podAffinity\":{\"preferredDuring"
		    "SchedulingIgnoredDuringExecution\":[{\"podAffinityTerm\":"
		    "{\"namespaces\":3}}]}}",
		    "",
		    "spec.affinity.podAffinity.preferredDuringSchedulingIgnored"
		    "DuringExecution[0].podAffinityTerm.namespaces must be an "
		    "array" },
		{ "", "", "\"startTime\":\"today\"", "status.startTime" },
		{ "\"labels\":{\"a\":1}", "", "", "metadata.labels" },
		{ "\"deletionTimestamp\":\"\"", "", "",
		    "metadata.deletionTimestamp" },
		{ "\"name\":\"\"", "", "",
		    "metadata.name must be a non-empty string" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };

		t_true(rows[i].want,
		    decode(rows[i].meta, rows[i].spec, rows[i].status, &err) ==
			NULL);
		t_has("sentence", err.text, rows[i].want);
	}
	t_int("nothing is left of them", pod_class_count(), 0);
}

#define AFFINITY(kind, inside) "\"affinity\":{\"" kind "\":{" inside "}}"
#define REQUIRED "\"requiredDuringSchedulingIgnoredDuringExecution\":"
#define PREFERRED "\"preferredDuringSchedulingIgnoredDuringExecution\":"
#define NODE_TERM(inside)                                                      \
	AFFINITY("nodeAffinity",                                               \
	    REQUIRED "{\"nodeSelectorTerms\":[{" inside "}]}")
#define NODE_PREFERENCE(inside)                                                \
	AFFINITY("nodeAffinity", PREFERRED "[{" inside "}]")
#define EXPRESSION(key, op, values)                                            \
	"{\"key\":\"" key "\",\"operator\":\"" op "\",\"values\":[" values "]}"
#define POD_TERM(inside) AFFINITY("podAffinity", REQUIRED "[{" inside "}]")
#define SELECTOR(inside) "\"labelSelector\":{" inside "}"
#define VOLUME(inside) "\"volumes\":[{" inside "}]"
#define SPREAD(inside) "\"topologySpreadConstraints\":[{" inside "}]"

#define CLAIMS(inside) "\"resourceClaims\":[{" inside "}]"

/* Each differs from every other in something that a rule may look at. */
static const struct {
	const char *meta, *spec;
} looks[] = {
	{ "", "" },
	{ "\"namespace\":\"ns\"", "" },
	{ "\"labels\":{\"a\":\"b\"}", "" },
	{ "\"labels\":{\"a\":\"c\"}", "" },
	{ "\"labels\":{\"b\":\"a\"}", "" },
	{ "\"deletionTimestamp\":\"2019-08-20T00:00:00Z\"", "" },
	{ "\"ownerReferences\":[{\"controller\":true}]", "" },
	{ "\"ownerReferences\":[{\"controller\":true,\"kind\":\"k\"}]", "" },
	{ "\"ownerReferences\":[{\"controller\":true,\"uid\":\"k\"}]", "" },
	{ "\"ownerReferences\":[{\"kind\":\"DaemonSet\"}]", "" },
	{ "", "\"schedulerName\":\"s\"" },
	{ "", "\"schedulingGates\":[{}]" },
	{ "", "\"schedulingGroup\":{}" },
	{ "", "\"workloadRef\":{}" },
	{ "", "\"overhead\":{\"cpu\":1}" },
	{ "", "\"overhead\":{\"a.com/x\":1}" },
	{ "", CONTAINERS("{}") },
	{ "", CONTAINERS("{},{}") },
	{ "", CONTAINERS("{\"image\":\"i\"}") },
	{ "", CONTAINERS("{\"image\":\"i:1\"}") },
	{ "", CONTAINERS("{\"image\":\"i\"},{\"image\":\"j\"}") },
	{ "", CONTAINERS("{\"image\":\"j\"},{\"image\":\"i\"}") },
	{ "", CONTAINERS(CONTAINER("\"cpu\":0")) },
	{ "", CONTAINERS(CONTAINER("\"memory\":0")) },
	{ "", CONTAINERS(CONTAINER("\"cpu\":1")) },
	{ "", CONTAINERS(CONTAINER("\"memory\":1")) },
	{ "", CONTAINERS(CONTAINER("\"ephemeral-storage\":1")) },
	{ "", CONTAINERS(CONTAINER("\"a.com/x\":0")) },
	{ "", CONTAINERS(CONTAINER("\"a.com/x\":1")) },
	{ "", CONTAINERS(CONTAINER("\"a.com/y\":1")) },
	{ "", CONTAINERS("{\"resources\":{\"limits\":{\"cpu\":1}}}") },
	{ "", CONTAINERS("{\"resources\":{\"limits\":{\"memory\":1}}}") },
	{ "", CONTAINERS("{\"ports\":[{\"hostPort\":1}]}") },
	{ "", CONTAINERS("{\"ports\":[{\"hostPort\":2}]}") },
	{ "", CONTAINERS("{\"ports\":[{\"hostPort\":1,\"hostIP\":\"::\"}]}") },
	{ "",
	    CONTAINERS("{\"ports\":[{\"hostPort\":1,\"protocol\":\"UDP\"}]}") },
	{ "",
	    CONTAINERS("{\"restartPolicyRules\":[{\"action\":"
		       "\"RestartAllContainers\"}]}") },
	{ "", "\"hostNetwork\":true,\"hostUsers\":false" },
	{ "", "\"resources\":{\"requests\":{\"cpu\":\"1\"}}" },
	{ "", "\"resources\":{\"requests\":{\"hugepages-2Mi\":1}}" },
	{ "",
	    CONTAINERS(CONTAINER("\"memory\":\"100m\"") "," CONTAINER(
		"\"memory\":\"100m\"")) },
	{ "",
	    "\"initContainers\":[{\"restartPolicy\":\"Always\",\"ports\":["
	    "{\"hostPort\":1}]}]" },
	{ "", "\"initContainers\":[" CONTAINER("\"cpu\":1") "]" },
	{ "",
	    "\"initContainers\":[" SIDECAR("\"cpu\":1") "]," CONTAINERS(
		CONTAINER("\"cpu\":1")) },
	{ "", "\"tolerations\":[{}]" },
	{ "", "\"tolerations\":[{\"key\":\"k\"}]" },
	{ "", "\"tolerations\":[{\"value\":\"k\"}]" },
	{ "", "\"tolerations\":[{\"operator\":\"Exists\"}]" },
	{ "", "\"tolerations\":[{\"operator\":\"Bogus\"}]" },
	{ "", "\"tolerations\":[{\"effect\":\"NoExecute\"}]" },
	{ "", "\"tolerations\":[{\"effect\":\"Odd\"}]" },
	{ "", "\"tolerations\":[{\"effect\":\"Even\"}]" },
	{ "", "\"nodeSelector\":{\"a\":\"b\"}" },
	{ "", AFFINITY("nodeAffinity", REQUIRED "{}") },
	{ "", NODE_TERM("") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("a", "Exists", "") "]") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("b", "Exists", "") "]") },
	{ "",
	    NODE_TERM("\"matchExpressions\":[" EXPRESSION("a", "DoesNotExist",
		"") "]") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("a", "In", "\"b\"") "]") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("a", "In", "\"c\"") "]") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("a", "Gt", "\"1\"") "]") },
	{ "",
	    NODE_TERM(
		"\"matchExpressions\":[" EXPRESSION("a", "Gt", "\"2\"") "]") },
	{ "",
	    NODE_TERM("\"matchExpressions\":[" EXPRESSION("a", "Bogus",
		"\"1\"") "]") },
	{ "",
	    NODE_TERM("\"matchFields\":[" EXPRESSION("metadata.name", "In",
		"\"b\"") "]") },
	{ "", NODE_PREFERENCE("") },
	{ "", NODE_PREFERENCE("\"weight\":1") },
	{ "",
	    NODE_PREFERENCE(
		"\"preference\":{\"matchExpressions\":[" EXPRESSION("a",
		    "Exists", "") "]}") },
	{ "",
	    NODE_PREFERENCE(
		"\"preference\":{\"matchFields\":[" EXPRESSION("metadata.name",
		    "In", "\"b\"") "]}") },
	{ "", AFFINITY("podAffinity", "") },
	{ "", AFFINITY("podAntiAffinity", "") },
	{ "", POD_TERM("") },
	{ "", AFFINITY("podAntiAffinity", REQUIRED "[{}]") },
	{ "", AFFINITY("podAffinity", PREFERRED "[{}]") },
	{ "", AFFINITY("podAffinity", PREFERRED "[{\"weight\":1}]") },
	{ "", POD_TERM("\"topologyKey\":\"k\"") },
	{ "", POD_TERM("\"namespaces\":[\"k\"]") },
	{ "", POD_TERM("\"namespaces\":[\"k\",\"l\"]") },
	{ "", POD_TERM(SELECTOR("")) },
	{ "", POD_TERM(SELECTOR("\"matchLabels\":{\"a\":\"b\"}")) },
	{ "", POD_TERM(SELECTOR("\"matchLabels\":{\"a\":\"%\"}")) },
	{ "", POD_TERM(SELECTOR("\"matchLabels\":{\"a\":\"/\"}")) },
	{ "", POD_TERM("\"namespaceSelector\":{}") },
	{ "",
	    POD_TERM("\"namespaceSelector\":{\"matchLabels\":{\"a\":"
		     "\"b\"}}") },
	/* the pod's own, and named */
	{ "", POD_TERM("\"namespaces\":[\"default\"]") },
	{ "", VOLUME("") },
	{ "", VOLUME("\"persistentVolumeClaim\":{\"claimName\":\"a\"}") },
	{ "", VOLUME("\"persistentVolumeClaim\":{\"claimName\":\"b\"}") },
	{ "", VOLUME("\"gcePersistentDisk\":{\"pdName\":\"a\"}") },
	{ "",
	    VOLUME("\"gcePersistentDisk\":{\"pdName\":\"a\","
		   "\"readOnly\":true}") },
	{ "", VOLUME("\"azureDisk\":{\"diskURI\":\"a\"}") },
	{ "", VOLUME("\"azureDisk\":{\"diskURI\":\"b\"}") },
	{ "", VOLUME("\"portworxVolume\":{\"volumeID\":\"a\"}") },
	{ "", VOLUME("\"name\":\"a\",\"ephemeral\":{}") },
	{ "", VOLUME("\"name\":\"b\",\"ephemeral\":{}") },
	{ "\"uid\":\"u\"", VOLUME("\"name\":\"a\",\"ephemeral\":{}") },
	{ "", CLAIMS("\"name\":\"a\"") },
	{ "", CLAIMS("\"name\":\"b\"") },
	{ "\"uid\":\"u\"", CLAIMS("\"name\":\"a\"") },
	{ "", CLAIMS("\"name\":\"a\",\"resourceClaimName\":\"c\"") },
	{ "", CLAIMS("\"name\":\"a\",\"resourceClaimName\":\"d\"") },
	{ "", VOLUME("\"rbd\":{\"image\":\"a\"}") },
	{ "", VOLUME("\"rbd\":{\"image\":\"a\",\"pool\":\"p\"}") },
	{ "", VOLUME("\"rbd\":{\"image\":\"a\",\"monitors\":[\"m\"]}") },
	{ "", SPREAD("") },
	{ "", SPREAD("\"maxSkew\":1") },
	{ "", SPREAD("\"topologyKey\":\"k\"") },
	{ "", SPREAD("\"whenUnsatisfiable\":\"DoNotSchedule\"") },
	{ "", SPREAD(SELECTOR("")) },
	{ "", SPREAD("\"minDomains\":2") },
	{ "", SPREAD("\"nodeAffinityPolicy\":\"Ignore\"") },
	{ "", SPREAD("\"nodeTaintsPolicy\":\"Honor\"") },
	{ "", SPREAD("\"matchLabelKeys\":[\"k\"]") },
	{ "", SPREAD("\"matchLabelKeys\":[\"k\",\"l\"]") },
};

static struct pod *
look(size_t i)
{
	struct err err = { "" };
	struct pod *pod = decode(looks[i].meta, looks[i].spec, "", &err);

	t_str(looks[i].spec, err.text, "");
	return pod;
}

static void
pods_share_a_class_when_they_look_alike(void)
{
	struct pod *pods[LENGTH(looks)];

	for (size_t i = 0; i < LENGTH(looks); i++) {
		struct pod *same;

		pods[i] = look(i);
		t_int(looks[i].meta[0] != '\0' ? looks[i].meta : looks[i].spec,
		    pod_class_count(), i + 1);
		same = look(i);
		t_true("the same again", same->class == pods[i]->class);
		pod_unref(same);
	}
	for (size_t i = 0; i < LENGTH(looks); i++) {
		pod_unref(pods[i]);
		t_int("a class goes with its last pod", pod_class_count(),
		    LENGTH(looks) - i - 1);
	}
}

/* By their bytes, classes differ in the aspects they should and no others. */
static void
differences_are_in_one_aspect(void)
{
	static const struct {
		const char *meta, *spec;
		unsigned differs;
	} rows[] = {
		{ "\"namespace\":\"ns\"", "", ASPECT_OTHERS },
		{ "\"labels\":{\"a\":\"b\"}", "", ASPECT_OTHERS },
		{ "\"ownerReferences\":[{\"controller\":true,"
		  "\"uid\":\"k\"}]",
		    "", ASPECT_CONTROLLER },
		{ "\"ownerReferences\":[{\"kind\":\"DaemonSet\"}]", "",
		    ASPECT_OTHERS },
		{ "", "\"overhead\":{\"cpu\":1}", ASPECT_REQUESTS },
		{ "", CONTAINERS("{\"image\":\"i\"}"),
		    ASPECT_IMAGES | ASPECT_REQUESTS },
		{ "", "\"initContainers\":[" CONTAINER("\"cpu\":1") "]",
		    ASPECT_IMAGES | ASPECT_REQUESTS },
		{ "",
		    "\"initContainers\":[{\"resources\":{\"limits\":"
		    "{\"cpu\":1}}}]",
		    ASPECT_IMAGES | ASPECT_REQUESTS | ASPECT_LIMITS },
		{ "", CONTAINERS(CONTAINER("\"cpu\":1")),
		    ASPECT_IMAGES | ASPECT_REQUESTS | ASPECT_QOS },
		{ "", CONTAINERS("{\"ports\":[{\"hostPort\":1}]}"),
		    ASPECT_IMAGES | ASPECT_REQUESTS | ASPECT_PORTS },
		{ "",
		    "\"initContainers\":[{\"restartPolicy\":\"Always\","
		    "\"ports\":[{\"hostPort\":1}]}]",
		    ASPECT_IMAGES | ASPECT_REQUESTS | ASPECT_PORTS },
		{ "", "\"resources\":{\"requests\":{\"cpu\":1}}",
		    ASPECT_REQUESTS | ASPECT_QOS },
		{ "", "\"resources\":{\"requests\":{\"hugepages-2Mi\":1}}",
		    ASPECT_REQUESTS },
		{ "", "\"resources\":{\"limits\":{\"memory\":1}}", ASPECT_QOS },
		{ "", "\"hostNetwork\":true", ASPECT_OTHERS },
		{ "", "\"hostNetwork\":true,\"hostUsers\":false",
		    ASPECT_FEATURES | ASPECT_OTHERS },
		{ "", "\"tolerations\":[{}]", ASPECT_TOLERATIONS },
		{ "", "\"nodeSelector\":{\"a\":\"b\"}", ASPECT_NODE_AFFINITY },
		{ "", NODE_TERM(""), ASPECT_NODE_AFFINITY },
		{ "", NODE_PREFERENCE(""), ASPECT_NODE_AFFINITY },
		{ "", VOLUME(""), ASPECT_VOLUMES },
		{ "", VOLUME("\"persistentVolumeClaim\":{\"claimName\":\"c\"}"),
		    ASPECT_VOLUMES },
		{ "", VOLUME("\"gcePersistentDisk\":{\"pdName\":\"d\"}"),
		    ASPECT_VOLUMES | ASPECT_DISKS },
		{ "", CLAIMS("\"name\":\"a\""), ASPECT_OTHERS },
		{ "", POD_TERM(""), ASPECT_POD_AFFINITY },
		{ "", AFFINITY("podAntiAffinity", ""), ASPECT_POD_AFFINITY },
		{ "", SPREAD(""), ASPECT_OTHERS },
		{ "", "\"schedulingGroup\":{}", ASPECT_UNSUPPORTED },
	};
	struct pod *plain = pod_of("");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };
		struct pod *pod = decode(rows[i].meta, rows[i].spec, "", &err);
		unsigned differs = 0;

		t_str("accepted", err.text, "");
		for (unsigned a = 1; a <= ASPECT_DISKS; a *= 2) {
			size_t n, len;
			AUTOFREE char *bytes = NULL;
			const void *of = pod_class_aspects(plain->class, a, &n);

			bytes = xcalloc(n + 1, 1);
			if (n > 0)
				memcpy(bytes, of, n);
			of = pod_class_aspects(pod->class, a, &len);
			if (len != n || memcmp(bytes, of, n) != 0)
				differs |= a;
		}
		t_int(rows[i].meta[0] != '\0' ? rows[i].meta : rows[i].spec,
		    differs, rows[i].differs);
		pod_unref(pod);
	}
	pod_unref(plain);
}

static void
identity_is_no_part_of_the_class(void)
{
	static const struct {
		const char *meta, *spec, *status;
	} rows[] = {
		{ "\"name\":\"other\"", "", "" },
		{ "\"uid\":\"u\"", "", "" },
		{ "\"resourceVersion\":\"1\"", "", "" },
		{ "\"creationTimestamp\":\"2019-08-20T00:00:00Z\"", "", "" },
		{ "\"annotations\":{\"a\":\"b\"}", "", "" },
		{ "", "\"nodeName\":\"n\"", "" },
		{ "", "\"priority\":1", "" },
		{ "", "\"priorityClassName\":\"n\"", "" },
		{ "", "\"schedulerName\":\"default-scheduler\"", "" },
		{ "", "\"schedulerName\":null,\"affinity\":{}", "" },
		{ "", "", "\"phase\":\"Failed\"" },
		{ "", "", "\"nominatedNodeName\":\"n\"" },
		{ "", "", "\"startTime\":\"2019-08-20T00:00:00Z\"" },
	};
	struct pod *plain = pod_of("");

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { "" };
		struct pod *pod =
		    decode(rows[i].meta, rows[i].spec, rows[i].status, &err);

		t_str("accepted", err.text, "");
		t_true(rows[i].meta, pod->class == plain->class);
		pod_unref(pod);
	}
	pod_unref(plain);
}

static void
a_moved_pod_is_the_same_pod(void)
{
	struct pod *pod = whole_pod(), *bound, *nominated;
	const struct pod_class *class;

	if (pod == NULL)
		return;
	class = pod->class;
	bound = pod_on_node(pod, sym_intern("n7"));
	nominated = pod_nominated_to(pod, sym_intern("n8"));
	t_true("a reference", pod_ref(pod) == pod);
	pod_unref(pod);
	pod_unref(pod);
	t_str("bound", sym_text(bound->node), "n7");
	t_str("still nominated", sym_text(bound->nominated), "n2");
	t_str("nominated", sym_text(nominated->nominated), "n8");
	t_str("where it was", sym_text(nominated->node), "n1");
	t_true("class", bound->class == class && nominated->class == class);
	t_str("name", bound->object.name, "web-1");
	t_str("uid", nominated->object.uid, "uid-1");
	t_int("priority", bound->priority, 10);
	pod_unref(bound);
	t_int("one class yet", pod_class_count(), 1);
	pod_unref(nominated);
	t_int("none", pod_class_count(), 0);
	pod_unref(NULL);
	pod_class_unref(NULL);
}

/* Each difference in placement constraints makes another class. */
static void
confines_are_part_of_the_class(void)
{
	const struct label pairs[] = { { sym_intern("a"), sym_intern("b") } };
	const struct toleration toleration = { .key = sym_intern("k") };
	const struct labels labels = { 1, pairs };
	const sym policy = sym_intern("ClusterDistributionPolicy p");
	const struct confines rows[] = {
		{ .node_selector = labels },
		{ .distribution = { .policy = policy } },
		{ .distribution = { .policy = policy + 1 } },
		{ .distribution = { .policy = policy, .term = policy } },
		{ .distribution = { .policy = policy,
		      .type = DISTRIBUTION_HOST } },
		{ .distribution = { .policy = policy, .node_name = policy } },
		{ .distribution = { .policy = policy,
		      .node_selector = labels } },
		{ .distribution = { .policy = policy,
		      .ntolerations = 1,
		      .tolerations = &toleration } },
		{ .sticky = { .job = policy, .node = policy } },
		{ .sticky = { .job = policy, .node = policy + 1 } },
		{ .sticky = { .job = policy + 1, .node = policy } },
		{ .sticky = { .job = policy,
		      .node = policy,
		      .required = true } },
	};
	struct pod *pod = whole_pod(), *confined[LENGTH(rows)];

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *again;

		confined[i] = pod_confined(pod, &rows[i]);
		t_int("another class", pod_class_count(), i + 2);
		again = pod_confined(confined[i], &rows[i]);
		t_true("the same again", again == confined[i]);
		pod_unref(again);
		again = pod_confined(confined[(i + 3) % (i + 1)], &rows[i]);
		t_true("from whichever", again->class == confined[i]->class);
		pod_unref(again);
		t_true("of the plain one",
		    confined[i]->class->plain == pod->class);
		t_true("has all of it",
		    labels_equal(&confined[i]->class->labels,
			&pod->class->labels));
	}
	t_true("deeply",
	    confined[0]->class->confines->node_selector.at != pairs);
	pod_unref(pod);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pod *plain = pod_confined(confined[i], NULL);
		struct pod *bound = pod_on_node(confined[i], policy);

		t_true("no more", plain->class->confines == NULL);
		t_true("nor on a node", bound->class == plain->class);
		pod_unref(confined[i]);
		pod_unref(plain);
		pod_unref(bound);
	}
	t_int("none is left", pod_class_count(), 0);
}

static void
pods_of_daemon_sets_are_known(void)
{
	static const struct {
		const char *owners;
		bool want;
	} rows[] = {
		{ "", false },
		{ "{\"kind\":\"ReplicaSet\",\"controller\":true}", false },
		{ "{\"kind\":\"DaemonSet\",\"controller\":true}", true },
		{ "{\"kind\":\"DaemonSet\"}", true },
		{ "{\"kind\":\"Job\",\"controller\":true},"
		  "{\"kind\":\"DaemonSet\"}",
		    true },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *meta =
		    xasprintf("\"ownerReferences\":[%s]", rows[i].owners);
		struct pod *pod = decode(meta, "", "", NULL);

		if (t_true(rows[i].owners, pod != NULL))
			t_int(rows[i].owners, pod->class->of_daemon_set,
			    rows[i].want);
		pod_unref(pod);
	}
}

T_MAIN(T(identity_is_read), T(a_pod_may_lack_everything_but_its_name),
    T(requests_add_up), T(memory_and_limits_add_up), T(scalars_add_up),
    T(sums_wrap_around), T(best_effort_asks_for_no_cpu_nor_memory),
    T(images_get_a_tag), T(host_ports_are_normalised), T(tolerations_tolerate),
    T(tolerations_compare_integers), T(affinity_is_read),
    T(empty_affinity_is_there),
    T(later_fields_of_affinity_and_spreading_are_read), T(volumes_are_read),
    T(device_claims_are_read), T(the_controller_is_the_first_that_controls),
    T(errors_have_position_and_path),
    T(pods_share_a_class_when_they_look_alike),
    T(differences_are_in_one_aspect), T(identity_is_no_part_of_the_class),
    T(a_moved_pod_is_the_same_pod), T(confines_are_part_of_the_class),
    T(pods_of_daemon_sets_are_known))
