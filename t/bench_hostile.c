/*
 * The cost of pods that a user of one namespace may create to do harm: make
 * bench-hostile, or t/bench_hostile [--nodes N] [--pods N] [ROW...].
 *
 * Each row is a kind of pod, one or many of it, on a cluster of 5,000 nodes and
 * 50,000 pods.  A pod is decoded, decided on and assumed, or found to fit
 * nowhere and preempted for; of each the CPU time is taken.  Then all pods go,
 * and the memory that they leave behind is measured.  Rows of one pod are at
 * the limits of objects/limits.h, or beyond.
 *
 * Then the memory that many objects of one namespace take is measured, per byte
 * sent; at most BUDGET of it is kept in all, as with --max-memory-per-namespace.
 *
 * Exit code 1 if memory exceeds its limit, if a set costs more than RATIO_MAX times as
 * many plain pods, or one decision takes longer than DECISION_MS_MAX; "decoded" is the
 * time for the text.
 *
 * At the end: the cost of one event of another namespace's pod while pods of the
 * row wait in the queue, at most COMPARED_MAX comparisons and moves at once.
 */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/devices/inventory.h"
#include "decide/ecache/ecache.h"
#include "decide/framework/profile.h"
#include "objects/budget.h"
#include "objects/pod.h"
#include "policy/policy.h"
#include "daemon/queue/queue.h"
#include "daemon/scheduler/time_limit.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"

#define RATIO_MAX 20
#define COMPARED_MAX 2000
#define EVENTS 1000
#define DECISION_MS_MAX 50
/* As --decision-timeout. */
#define TIMEOUT_MS 1000
/* The cheapest of so many counts, for a set and for plain pods in turn. */
#define ROUNDS 3
/* Kept on purpose: the change journal, tables that have grown. */
#define KEPT_KIB_MAX 8192

#define REQUIRED "\"requiredDuringSchedulingIgnoredDuringExecution\":"
#define PREFERRED "\"preferredDuringSchedulingIgnoredDuringExecution\":"

static unsigned nodes = 5000, pods = 10000;
static struct profile *profile;
static struct cluster *cluster;
static struct time_limit *limit;

/* Writes the parts that depend on the kind: labels, and members of the spec. */
typedef void part(FILE *out, unsigned i);

/* n times "item(i, k)", with commas. */
static void
each(FILE *out, unsigned i, unsigned n,
    void (*item)(FILE *out, unsigned i, unsigned k))
{
	for (unsigned k = 0; k < n; k++) {
		if (k > 0)
			fputc(',', out);
		item(out, i, k);
	}
}

#define ITEM(name, ...)                                                        \
	static void name(FILE *out, unsigned i, unsigned k)                    \
	{                                                                      \
		fprintf(out, __VA_ARGS__);                                     \
	}
#define LIST_OF(name, before, n, item, after)                                  \
	static void name(FILE *out, unsigned i)                                \
	{                                                                      \
		fputs(before, out);                                            \
		each(out, i, n, item);                                         \
		fputs(after, out);                                             \
	}

#define CONTAINER                                                              \
	"\"containers\":[{\"name\":\"c\",\"image\":\"img1\","                  \
	"\"resources\":{\"requests\":{\"cpu\":\"10m\",\"memory\":\"64Mi\"}}}]"

static void
plain(FILE *out, unsigned i)
{
	fputs(CONTAINER, out);
}

static void
same_label(FILE *out, unsigned i)
{
	fputs("\"app\":\"n\"", out);
}

static void
unique_label(FILE *out, unsigned i)
{
	fprintf(out, "\"app\":\"n\",\"id\":\"i%u\"", i);
}

static void
many_labels(FILE *out, unsigned i)
{
	for (unsigned k = 0; k < 30000; k++)
		fprintf(out, "%s\"l%u\":\"v\"", k > 0 ? "," : "", k);
}

static void
unique_request(FILE *out, unsigned i)
{
	fprintf(out,
	    "\"containers\":[{\"name\":\"c\",\"resources\":"
	    "{\"requests\":{\"cpu\":\"%um\"}}}]",
	    10 + i % 3000);
}

static void
too_much_cpu(FILE *out, unsigned i)
{
	fprintf(out,
	    "\"containers\":[{\"name\":\"c\",\"resources\":"
	    "{\"requests\":{\"cpu\":\"%u\"}}}]",
	    100 + i);
}

static void
unknown_node(FILE *out, unsigned i)
{
	fprintf(out, CONTAINER ",\"nodeSelector\":{\"k%u\":\"v\"}", i);
}

#define NOT_IN(key, value)                                                     \
	"\"labelSelector\":{\"matchExpressions\":[{\"key\":\"" key "\","       \
	"\"operator\":\"NotIn\",\"values\":[\"" value "\"]}]}"
#define IN(key, value)                                                         \
	"\"labelSelector\":{\"matchLabels\":{\"" key "\":\"" value "\"}}"
#define PREFERS(term) "{\"weight\":1,\"podAffinityTerm\":{" term "}}"
#define ABOVE "\"priority\":1000,"
#define ANTI(kind) CONTAINER ",\"affinity\":{\"podAntiAffinity\":{" kind "["
#define END_ANTI "]}}"

/* clang-format off */
ITEM(avoids_nobody, "{" NOT_IN("id", "q%u-%u") ",\"topologyKey\":\"nokey\"}",
    i, k)
LIST_OF(anti_20, ANTI(REQUIRED), 20, avoids_nobody, END_ANTI)
ITEM(avoids_key, "{" NOT_IN("id", "q%u") ",\"topologyKey\":\"t%u-%u\"}", i, i,
    k)
LIST_OF(anti_keys, ANTI(REQUIRED), 20, avoids_key, END_ANTI)
LIST_OF(anti_50, ANTI(REQUIRED), 50, avoids_key, END_ANTI)
LIST_OF(anti_5000, ANTI(REQUIRED), 5000, avoids_key, END_ANTI)
ITEM(avoids_all_others, "{" NOT_IN("id", "i%u") ",\"topologyKey\":\"t%u\"}", i,
    i)
LIST_OF(anti_mutual, ANTI(REQUIRED), 1, avoids_all_others, END_ANTI)
ITEM(avoids_all, "{\"labelSelector\":{\"matchExpressions\":[{\"key\":\"id\","
    "\"operator\":\"Exists\"}]},\"topologyKey\":\"nokey%u\"}", i - i)
LIST_OF(anti_all, ANTI(REQUIRED), 1, avoids_all, END_ANTI)
ITEM(avoids_others,
    PREFERS(NOT_IN("id", "q%u-%u")
	",\"topologyKey\":\"kubernetes.io/hostname\""), i, k)
LIST_OF(preferred_20, ANTI(PREFERRED), 20, avoids_others, END_ANTI)
LIST_OF(preferred_50, ANTI(PREFERRED), 50, avoids_others, END_ANTI)
LIST_OF(preferred_8000, ANTI(PREFERRED), 8000, avoids_others, END_ANTI)
ITEM(avoids_equals,
    PREFERS(IN("app", "n")
	",\"namespaces\":[\"team\",\"x%u-%u\"],"
	"\"topologyKey\":\"kubernetes.io/hostname\""), i, k)
LIST_OF(preferred_same_20, ANTI(PREFERRED), 20, avoids_equals, END_ANTI)
ITEM(avoids_tenant,
    "{" IN("app", "n") ",\"namespaceSelector\":{\"matchLabels\":{"
	"\"tenant\":\"t%u-%u\"}},\"topologyKey\":\"kubernetes.io/hostname\"}",
    i, k)
LIST_OF(anti_tenants_20, ANTI(REQUIRED), 20, avoids_tenant, END_ANTI)
ITEM(avoids_all_but,
    PREFERS(IN("app", "n")
	",\"namespaceSelector\":{\"matchExpressions\":[{\"key\":\"tenant\","
	"\"operator\":\"NotIn\",\"values\":[\"t%u-%u\"]}]},"
	"\"topologyKey\":\"kubernetes.io/hostname\""), i, k)
LIST_OF(anti_all_but_20, ANTI(PREFERRED), 20, avoids_all_but, END_ANTI)
ITEM(likes_zone, "{" IN("app", "app1") ",\"namespaces\":[\"ns%u\"],"
    "\"topologyKey\":\"failure-domain.beta.kubernetes.io/zone\"}", k % 20)
LIST_OF(affinity_50,
    CONTAINER ",\"affinity\":{\"podAffinity\":{" REQUIRED "[", 50, likes_zone,
    "]}}")
static void
many_namespaces(FILE *out, unsigned i)
{
	fprintf(out, ANTI(PREFERRED) "{\"weight\":1,\"podAffinityTerm\":{"
	    NOT_IN("app", "q%u") ",\"topologyKey\":\"kubernetes.io/hostname\","
	    "\"namespaces\":[", i);
	for (unsigned k = 0; k < 20; k++)
		fprintf(out, "%s\"ns%u\"", k > 0 ? "," : "", k);
	fputs("]}}" END_ANTI, out);
}

ITEM(rack_not, "{\"weight\":1,\"preference\":{\"matchExpressions\":["
    "{\"key\":\"rack\",\"operator\":\"NotIn\",\"values\":[\"q%u-%u\"]}]}}",
    i, k)
#define NODES(kind)                                                            \
	CONTAINER ",\"affinity\":{\"nodeAffinity\":{" kind
LIST_OF(node_preferred_20, NODES(PREFERRED) "[", 20, rack_not, "]}}")
LIST_OF(node_preferred_500, NODES(PREFERRED) "[", 500, rack_not, "]}}")
ITEM(rack_in, "{\"matchExpressions\":[{\"key\":\"rack\",\"operator\":\"In\","
    "\"values\":[\"q%u\"]}]}", k)
LIST_OF(node_terms_500, NODES(REQUIRED) "{\"nodeSelectorTerms\":[", 500,
    rack_in, "]}}}")
ITEM(node_terms_many, "{\"matchExpressions\":[{\"key\":\"rack\",\"operator\":"
    "\"In\",\"values\":[\"q%u\"]}]}", k)
LIST_OF(node_terms_20000, NODES(REQUIRED) "{\"nodeSelectorTerms\":[", 20000,
    node_terms_many, "]}}}")
ITEM(selector_label, "\"k%u\":\"\"", k)
LIST_OF(selector_40000, CONTAINER ",\"nodeSelector\":{", 40000, selector_label,
    "}")
ITEM(rack_expression, "{\"key\":\"rack\",\"operator\":\"NotIn\",\"values\":"
    "[\"q%u\"]}", k)
LIST_OF(node_expressions_999,
    NODES(REQUIRED) "{\"nodeSelectorTerms\":[{\"matchExpressions\":[", 999,
    rack_expression, "]}]}}}")
ITEM(host_name, "\"other-%u\"", k)
LIST_OF(node_values_10000,
    NODES(REQUIRED) "{\"nodeSelectorTerms\":[{\"matchExpressions\":["
    "{\"key\":\"kubernetes.io/hostname\",\"operator\":\"NotIn\",\"values\":[",
    10000, host_name, "]}]}]}}}")
LIST_OF(node_values_150000,
    NODES(REQUIRED) "{\"nodeSelectorTerms\":[{\"matchExpressions\":["
    "{\"key\":\"kubernetes.io/hostname\",\"operator\":\"NotIn\",\"values\":[",
    150000, host_name, "]}]}]}}}")
ITEM(rack_greater, "{\"key\":\"number\",\"operator\":\"Gt\",\"values\":"
    "[\"-%u\"]}", k)
LIST_OF(node_greater_999,
    NODES(REQUIRED) "{\"nodeSelectorTerms\":[{\"matchExpressions\":[", 999,
    rack_greater, "]}]}}}")

ITEM(resource, "\"e.x/%u-%u\":\"1\"", i, k)
#define RESOURCES(before) "\"containers\":[{\"name\":\"c\",\"resources\":"     \
	"{\"" before "\":{"
LIST_OF(resources_20, RESOURCES("requests"), 20, resource, "}}}]")
LIST_OF(resources_200, RESOURCES("requests"), 200, resource, "}}}]")
LIST_OF(resources_25000, RESOURCES("requests"), 25000, resource, "}}}]")
#define PORTS "\"containers\":[{\"name\":\"c\",\"ports\":["
ITEM(port, "{\"containerPort\":1,\"hostPort\":%u}", 1 + (i * 7 + k) % 60000)
LIST_OF(ports_20, PORTS, 20, port, "]}]")
LIST_OF(ports_200, PORTS, 200, port, "]}]")
LIST_OF(ports_30000, PORTS, 30000, port, "]}]")
ITEM(init, "{\"name\":\"c%u\",\"resources\":{\"requests\":{\"cpu\":\"1m\","
    "\"e.x/%u\":\"1\"}}}", k, k % 10)
LIST_OF(init_containers_200, CONTAINER ",\"initContainers\":[", 200, init, "]")
LIST_OF(init_containers_10000, CONTAINER ",\"initContainers\":[", 10000, init,
    "]")
ITEM(container, "{\"name\":\"c%u\",\"image\":\"img%u\"}", k, k % 7)
LIST_OF(containers_1000, "\"containers\":[", 1000, container, "]")
LIST_OF(containers_20000, "\"containers\":[", 20000, container, "]")
ITEM(toleration, "{\"key\":\"k%u\",\"operator\":\"Exists\"}", k)
LIST_OF(tolerations_1000, CONTAINER ",\"tolerations\":[", 1000, toleration, "]")
LIST_OF(tolerations_60000, CONTAINER ",\"tolerations\":[", 60000, toleration,
    "]")
#define VOLUMES CONTAINER ",\"volumes\":["
ITEM(ebs, "{\"name\":\"v%u\",\"awsElasticBlockStore\":{\"volumeID\":"
    "\"vol%u-%u\"}}", k, i, k)
LIST_OF(ebs_500, VOLUMES, 500, ebs, "]")
LIST_OF(ebs_15000, VOLUMES, 15000, ebs, "]")
LIST_OF(ebs_5, VOLUMES, 5, ebs, "]")
ITEM(monitor, "\"m%u\"", k)
LIST_OF(monitors_100000,
    VOLUMES "{\"name\":\"v\",\"rbd\":{\"image\":\"i\",\"pool\":\"p\","
    "\"monitors\":[", 100000, monitor, "]}}]")
ITEM(gce, "{\"name\":\"v%u\",\"gcePersistentDisk\":{\"pdName\":\"d%u-%u\"}}",
    k, i, k)
LIST_OF(gce_500, VOLUMES, 500, gce, "]")
ITEM(claim, "{\"name\":\"v%u\",\"persistentVolumeClaim\":{\"claimName\":"
    "\"c%u\"}}", k, k)
LIST_OF(claims_500, VOLUMES, 500, claim, "]")
ITEM(soft_spread, "{\"maxSkew\":1,\"whenUnsatisfiable\":\"ScheduleAnyway\","
    "\"topologyKey\":\"%s\"," IN("app", "app%u") "}",
    k % 2 ? "rack" : "kubernetes.io/hostname", k)
LIST_OF(soft_spread_8, CONTAINER ",\"topologySpreadConstraints\":[", 8,
    soft_spread, "]")
LIST_OF(soft_spread_5000, CONTAINER ",\"topologySpreadConstraints\":[", 5000,
    soft_spread, "]")
ITEM(hard_spread, "{\"maxSkew\":9,\"whenUnsatisfiable\":\"DoNotSchedule\","
    "\"topologyKey\":\"%s\"," IN("app", "app%u") "}",
    k % 2 ? "rack" : "kubernetes.io/hostname", k)
LIST_OF(hard_spread_8, CONTAINER ",\"topologySpreadConstraints\":[", 8,
    hard_spread, "]")
/* clang-format on */

static void
services(FILE *out, unsigned i)
{
	fprintf(out,
	    "{\"kind\":\"Service\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"s%u\"},\"spec\":{\"selector\":{\"app\":\"n\"}}}",
	    i);
}

/* One for each of many_labels. */
static void
label_services(FILE *out, unsigned i)
{
	fprintf(out,
	    "{\"kind\":\"Service\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"s%u\"},\"spec\":{\"selector\":{\"l%u\":\"v\"}}}",
	    i, i);
}

static void
big_service(FILE *out, unsigned i)
{
	fputs("{\"kind\":\"Service\",\"metadata\":{\"namespace\":\"team\","
	      "\"name\":\"s\"},\"spec\":{\"selector\":{",
	    out);
	many_labels(out, i);
	fputs("}}}", out);
}

/* They match by a label that the pod has not, so that none is found by a label. */
static void
replica_set(FILE *out, unsigned i, unsigned requirements)
{
	fprintf(out,
	    "{\"kind\":\"ReplicaSet\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"r%u\"},\"spec\":{\"selector\":{"
	    "\"matchExpressions\":[",
	    i);
	for (unsigned k = 0; k < requirements; k++)
		fprintf(out,
		    "%s{\"key\":\"x%u\",\"operator\":\"DoesNotExist\"}",
		    k > 0 ? "," : "", i + k);
	fputs("]}}}", out);
}

static void
replica_sets(FILE *out, unsigned i)
{
	replica_set(out, i, 1);
}

static void
long_replica_sets(FILE *out, unsigned i)
{
	replica_set(out, i, 1000);
}

/* Pods of the namespace, no two of them alike; no label key is on all of them. */
static void
other_pods(FILE *out, unsigned i)
{
	fprintf(out,
	    "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"o%u\",\"uid\":\"o%u\",\"labels\":{\"%s\":\"n\","
	    "\"%s\":\"o%u\"}},\"spec\":{\"nodeName\":\"node-%u\"," CONTAINER
	    "}}",
	    i, i, i != 0 ? "app" : "no", i != 1 ? "id" : "none", i, i % nodes);
}

/* A selector that has to be compared with each of them. */
static void
long_selector(FILE *out, unsigned k, unsigned requirements)
{
	fputs("\"labelSelector\":{\"matchExpressions\":["
	      "{\"key\":\"id\",\"operator\":\"Exists\"},"
	      "{\"key\":\"app\",\"operator\":\"Exists\"}",
	    out);
	for (unsigned i = 2; i < requirements; i++)
		fprintf(out,
		    ",{\"key\":\"x%u-%u\",\"operator\":\"DoesNotExist\"}", k,
		    i);
	fputs("]}", out);
}

static void
long_term(FILE *out, unsigned i, unsigned k)
{
	fputs("{\"topologyKey\":\"kubernetes.io/hostname\",", out);
	long_selector(out, k, 2);
	fputs("}", out);
}

static void
long_constraint(FILE *out, unsigned i, unsigned k)
{
	fputs("{\"maxSkew\":9,\"whenUnsatisfiable\":\"DoNotSchedule\","
	      "\"topologyKey\":\"kubernetes.io/hostname\",",
	    out);
	long_selector(out, k, 10);
	fputs("}", out);
}

/* clang-format off */
LIST_OF(long_terms, ANTI(REQUIRED), 50, long_term, END_ANTI)
LIST_OF(long_constraints, CONTAINER ",\"topologySpreadConstraints\":[", 8,
    long_constraint, "]")
ITEM(device_claim, "{\"name\":\"v%u\",\"resourceClaimName\":\"r\"}", k)
LIST_OF(device_claims_100, CONTAINER ",\"resourceClaims\":[", 100,
    device_claim, "]")
LIST_OF(device_claims_1, CONTAINER ",\"resourceClaims\":[", 1, device_claim,
    "]")
LIST_OF(device_claims_20000, CONTAINER ",\"resourceClaims\":[", 20000,
    device_claim, "]")
/* clang-format on */

/* Its devices are on some nodes. */
static void
device_claim_object(FILE *out, unsigned i)
{
	fputs("{\"kind\":\"ResourceClaim\",\"metadata\":{"
	      "\"namespace\":\"team\",\"name\":\"r\"},\"spec\":{},"
	      "\"status\":{\"allocation\":{\"nodeSelector\":{"
	      "\"nodeSelectorTerms\":[{\"matchExpressions\":["
	      "{\"key\":\"rack\",\"operator\":\"Exists\"}]}]}}}}",
	    out);
}

/* Two slices of 128 devices on each node, and the claim "r" with this spec.devices. */
#define SLICES 10000
static void
devices(FILE *out, unsigned i, const char *claim)
{
	if (i == 0)
		fputs("{\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"k\"},"
		      "\"spec\":{}}",
		    out);
	if (i == 1)
		fprintf(out,
		    "{\"kind\":\"ResourceClaim\",\"metadata\":{"
		    "\"namespace\":\"team\",\"name\":\"r\"},"
		    "\"spec\":{\"devices\":{%s}}}",
		    claim);
	if (i <= 1 || i >= 2 * nodes + 2)
		return;
	fprintf(out,
	    "{\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"s%u\"},"
	    "\"spec\":{\"driver\":\"d\",\"nodeName\":\"node-%u\",\"pool\":{"
	    "\"name\":\"s%u\",\"generation\":1,\"resourceSliceCount\":1},"
	    "\"devices\":[",
	    i, i % nodes, i);
	for (unsigned k = 0; k < 128; k++)
		fprintf(out,
		    "%s{\"name\":\"x%u\",\"attributes\":{\"m\":{\"int\":%u},"
		    "\"u\":{\"int\":%u}}}",
		    k > 0 ? "," : "", k, 128 * i + k / 31, 128 * i + k);
	fputs("]}}", out);
}

#define OF_32                                                                  \
	"\"requests\":[{\"name\":\"q\",\"exactly\":{"                          \
	"\"deviceClassName\":\"k\",\"allocationMode\":\"ExactCount\","         \
	"\"count\":32}}],"                                                     \
	"\"constraints\":[{\"matchAttribute\":\"d/"

/* No two devices are equal; and no more than 31. */
static void
unequal_devices(FILE *out, unsigned i)
{
	devices(out, i, OF_32 "u\"}]");
}

static void
devices_31_of_32(FILE *out, unsigned i)
{
	devices(out, i, OF_32 "m\"}]");
}

/* The claim with 32 requests, where each is as written by item. */
static void
requests_32(FILE *out, unsigned i,
    void (*item)(FILE *out, unsigned i, unsigned k))
{
	char *text;
	size_t len;
	FILE *claim = open_memstream(&text, &len);

	fputs("\"requests\":[", claim);
	each(claim, i, i == 1 ? 32 : 1, item);
	fputs("]", claim);
	fclose(claim);
	devices(out, i, text);
	free(text);
}

#define SELECTOR(cel) "\"selectors\":[{\"cel\":{\"expression\":\"" cel "\"}}]"
/* The last one has no solution. */
ITEM(alternative,
    "{\"name\":\"a%u\",\"deviceClassName\":\"k\",\"allocationMode\":"
    "\"ExactCount\",\"count\":1," SELECTOR("%s") "}",
    k, i == 31 ? "false" : "true")

static void
request_of_8(FILE *out, unsigned i, unsigned k)
{
	fprintf(out, "{\"name\":\"q%u\",\"firstAvailable\":[", k);
	each(out, k, 8, alternative);
	fputs("]}", out);
}

static void
alternatives_8(FILE *out, unsigned i)
{
	requests_32(out, i, request_of_8);
}

/* Near CEL's limit of costs. */
static void
slow_request(FILE *out, unsigned i, unsigned k)
{
	fprintf(out,
	    "{\"name\":\"q%u\",\"exactly\":{\"deviceClassName\":\"k\","
	    "\"allocationMode\":\"ExactCount\",\"count\":1," SELECTOR(
		"cel.bind(l, [%u%s], l.all(a, l.all(b, l.all(c, a + b + c < "
		"0 || true))))") "}}",
	    k, k,
	    ",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
	    "0,0,0,0,0,0,0,0,0,0,0,0,0,0");
}

static void
slow_selectors(FILE *out, unsigned i)
{
	requests_32(out, i, slow_request);
}

#define BUDGETS 5000

/* Budgets for all pods of the namespace, and two such pods on each node. */
static void
budgets(FILE *out, unsigned i)
{
	if (i < BUDGETS)
		fprintf(out,
		    "{\"kind\":\"PodDisruptionBudget\",\"metadata\":{"
		    "\"namespace\":\"team\",\"name\":\"b%u\"},\"spec\":{"
		    "\"selector\":{\"matchExpressions\":[{\"key\":\"x%u\","
		    "\"operator\":\"DoesNotExist\"}]}}}",
		    i, i);
	else
		fprintf(out,
		    "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"team\","
		    "\"name\":\"v%u\",\"uid\":\"v%u\",\"labels\":{"
		    "\"app\":\"v\"}},\"spec\":{\"nodeName\":\"node-%u\"," CONTAINER
		    "}}",
		    i, i, i % nodes);
}

/* spec.nodeName can be the user's: they are on one node. */
static void
crowd(FILE *out, unsigned i)
{
	fprintf(out,
	    "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"w%u\",\"uid\":\"w%u\"},\"spec\":{"
	    "\"nodeName\":\"node-7\"," CONTAINER "}}",
	    i, i);
}

/* It fits where all others leave. */
static void
preempting(FILE *out, unsigned i)
{
	fputs("\"priority\":1000,\"containers\":[{\"name\":\"c\","
	      "\"resources\":{\"requests\":{\"cpu\":\"31990m\"}}}]",
	    out);
}

/* Above all others, with 50 terms that all pods satisfy, and no two of them alike. */
ITEM(avoids_everywhere,
    "{\"topologyKey\":\"kubernetes.io/hostname\",\"namespaceSelector\":{},"
    "\"labelSelector\":{\"matchExpressions\":[{\"key\":\"app\","
    "\"operator\":\"Exists\"},{\"key\":\"x%u-%u\",\"operator\":"
    "\"DoesNotExist\"}]}}",
    i, k)
LIST_OF(preempting_everywhere, ABOVE ANTI(REQUIRED), 50, avoids_everywhere,
    END_ANTI)

static void
preempting_long(FILE *out, unsigned i)
{
	fputs(ABOVE, out);
	long_terms(out, i);
}

/* Domains are missing, so that the pod fits only where no such pod is. */
static void
unreachable_domains(FILE *out, unsigned i, unsigned k)
{
	fputs("{\"maxSkew\":1,\"minDomains\":6000,\"whenUnsatisfiable\":"
	      "\"DoNotSchedule\",\"topologyKey\":"
	      "\"kubernetes.io/hostname\",",
	    out);
	long_selector(out, k, 10);
	fputs("}", out);
}

LIST_OF(preempting_constraints,
    ABOVE CONTAINER ",\"topologySpreadConstraints\":[", 8, unreachable_domains,
    "]")

/* A class whose claims wait for their first consumer, and those of claims_500. */
static void
waiting_claims(FILE *out, unsigned i)
{
	if (i == 0)
		fputs(
		    "{\"kind\":\"StorageClass\",\"metadata\":{\"name\":\"w\"},"
		    "\"provisioner\":\"p.example.com\","
		    "\"volumeBindingMode\":\"WaitForFirstConsumer\"}",
		    out);
	else
		fprintf(out,
		    "{\"kind\":\"PersistentVolumeClaim\",\"metadata\":{"
		    "\"namespace\":\"team\",\"name\":\"c%u\"},\"spec\":{"
		    "\"accessModes\":[\"ReadWriteOnce\"],"
		    "\"storageClassName\":\"w\",\"resources\":{\"requests\":{"
		    "\"storage\":\"1Gi\"}}},\"status\":{\"phase\":\"Pending\"}}",
		    i - 1);
}

#define VOLUMES_FROM 501

/* The same claims, and volumes of the class that are on a node each. */
static void
local_volumes(FILE *out, unsigned i)
{
	if (i == 0)
		fputs("{\"kind\":\"StorageClass\",\"metadata\":{"
		      "\"name\":\"w\"},\"provisioner\":"
		      "\"kubernetes.io/no-provisioner\","
		      "\"volumeBindingMode\":\"WaitForFirstConsumer\"}",
		    out);
	else if (i < VOLUMES_FROM)
		waiting_claims(out, i);
	else
		fprintf(out,
		    "{\"kind\":\"PersistentVolume\",\"metadata\":{"
		    "\"name\":\"pv%u\"},\"spec\":{\"storageClassName\":\"w\","
		    "\"capacity\":{\"storage\":\"1Gi\"},\"accessModes\":["
		    "\"ReadWriteOnce\"],\"local\":{\"path\":\"/\"},"
		    "\"nodeAffinity\":{\"required\":{\"nodeSelectorTerms\":[{"
		    "\"matchExpressions\":[{\"key\":"
		    "\"kubernetes.io/hostname\",\"operator\":\"In\","
		    "\"values\":[\"node-%u\"]}]}]}}},"
		    "\"status\":{\"phase\":\"Available\"}}",
		    i, i % nodes);
}

static const struct row {
	const char *name;
	bool many;
	part *labels, *spec;
	part *object; /* other objects, NULL for none */
	unsigned nobjects;
} rows[] = {
	/* all others are compared with the first */
	{ "plain pods", true, same_label, plain, NULL, 0 },
	{ "labels of their own", true, unique_label, plain, NULL, 0 },
	{ "requests of their own", true, same_label, unique_request, NULL, 0 },
	{ "too much cpu for all nodes", true, same_label, too_much_cpu, NULL,
	    0 },
	{ "unknown node selectors", true, same_label, unknown_node, NULL, 0 },
	{ "1,000 Services for all", true, unique_label, plain, services, 1000 },
	{ "5,000 Services for all", true, unique_label, plain, services, 5000 },
	{ "5,000 ReplicaSets for all", true, unique_label, plain, replica_sets,
	    5000 },
	{ "a topology key each", true, unique_label, anti_mutual, NULL, 0 },
	{ "none beside another", true, unique_label, anti_all, NULL, 0 },
	{ "20 anti-affinity terms each", true, unique_label, anti_20, NULL, 0 },
	{ "20 topology keys each", true, unique_label, anti_keys, NULL, 0 },
	{ "20 preferred terms each", true, unique_label, preferred_20, NULL,
	    0 },
	{ "20 terms that match all", true, unique_label, preferred_same_20,
	    NULL, 0 },
	{ "a term for 20 namespaces", true, unique_label, many_namespaces, NULL,
	    0 },
	{ "20 namespace selectors each", true, unique_label, anti_tenants_20,
	    NULL, 0 },
	{ "20 that select all namespaces", true, unique_label, anti_all_but_20,
	    NULL, 0 },
	{ "20 preferred nodes each", true, same_label, node_preferred_20, NULL,
	    0 },
	{ "20 host ports each", true, same_label, ports_20, NULL, 0 },
	{ "20 unknown resources each", true, same_label, resources_20, NULL,
	    0 },
	{ "5 EBS volumes each", true, same_label, ebs_5, NULL, 0 },
	{ "30,000 labels", false, many_labels, plain, NULL, 0 },
	{ "30,000 labels, 5,000 Services", false, many_labels, plain,
	    label_services, 5000 },
	{ "30,000 labels, all selected", false, many_labels, plain, big_service,
	    1 },
	{ "500 long ReplicaSets", false, same_label, plain, long_replica_sets,
	    500 },
	{ "preempting, 5,000 budgets", false, same_label, preempting, budgets,
	    BUDGETS + 10000 },
	{ "preempting, 10,000 on a node", false, same_label, preempting, crowd,
	    10000 },
	{ "preempting, 50 long terms", false, unique_label, preempting_long,
	    other_pods, 10000 },
	{ "preempting, 8 constraints", false, unique_label,
	    preempting_constraints, other_pods, 10000 },
	{ "preempting, 50 terms everywhere", false, unique_label,
	    preempting_everywhere, NULL, 0 },
	{ "preempting, the same, 10,000 pods", false, unique_label,
	    preempting_everywhere, other_pods, 10000 },
	{ "50 topology keys", false, unique_label, anti_50, NULL, 0 },
	{ "50 preferred terms", false, unique_label, preferred_50, NULL, 0 },
	{ "50 affinity terms", false, unique_label, affinity_50, NULL, 0 },
	{ "500 preferred nodes", false, same_label, node_preferred_500, NULL,
	    0 },
	{ "500 node terms", false, same_label, node_terms_500, NULL, 0 },
	{ "999 node expressions", false, same_label, node_expressions_999, NULL,
	    0 },
	{ "999 comparisons", false, same_label, node_greater_999, NULL, 0 },
	{ "10,000 node names", false, same_label, node_values_10000, NULL, 0 },
	{ "200 resources", false, same_label, resources_200, NULL, 0 },
	{ "200 host ports", false, same_label, ports_200, NULL, 0 },
	{ "200 init containers", false, same_label, init_containers_200, NULL,
	    0 },
	{ "1,000 containers", false, same_label, containers_1000, NULL, 0 },
	{ "1,000 tolerations", false, same_label, tolerations_1000, NULL, 0 },
	{ "500 EBS volumes", false, same_label, ebs_500, NULL, 0 },
	{ "500 GCE disks", false, same_label, gce_500, NULL, 0 },
	{ "500 claims", false, same_label, claims_500, NULL, 0 },
	{ "500 claims that wait", false, same_label, claims_500, waiting_claims,
	    501 },
	{ "500 claims, local volumes", false, same_label, claims_500,
	    local_volumes, VOLUMES_FROM + 10000 },
	{ "50 long terms, 10,000 pods", false, unique_label, long_terms,
	    other_pods, 10000 },
	{ "8 long constraints, 10,000 pods", false, unique_label,
	    long_constraints, other_pods, 10000 },
	{ "100 resource claims", false, same_label, device_claims_100,
	    device_claim_object, 1 },
	{ "a claim of 32 unequal devices", false, same_label, device_claims_1,
	    unequal_devices, SLICES + 2 },
	{ "a claim of 32 of 31 devices", false, same_label, device_claims_1,
	    devices_31_of_32, SLICES + 2 },
	{ "a claim of 8 alternatives 32 times", false, same_label,
	    device_claims_1, alternatives_8, SLICES + 2 },
	{ "a claim of 32 slow selectors", false, same_label, device_claims_1,
	    slow_selectors, SLICES + 2 },
	{ "8 soft spread constraints", false, same_label, soft_spread_8, NULL,
	    0 },
	{ "8 hard spread constraints", false, same_label, hard_spread_8, NULL,
	    0 },
	{ "beyond: 5,000 topology keys", false, unique_label, anti_5000, NULL,
	    0 },
	{ "beyond: 8,000 preferred terms", false, unique_label, preferred_8000,
	    NULL, 0 },
	{ "beyond: 40,000 node selectors", false, same_label, selector_40000,
	    NULL, 0 },
	{ "beyond: 150,000 node names", false, same_label, node_values_150000,
	    NULL, 0 },
	{ "beyond: 60,000 tolerations", false, same_label, tolerations_60000,
	    NULL, 0 },
	{ "beyond: 20,000 containers", false, same_label, containers_20000,
	    NULL, 0 },
	{ "beyond: 15,000 EBS volumes", false, same_label, ebs_15000, NULL, 0 },
	{ "beyond: 100,000 monitors", false, same_label, monitors_100000, NULL,
	    0 },
	{ "beyond: 5,000 soft constraints", false, same_label, soft_spread_5000,
	    NULL, 0 },
	{ "beyond: 20,000 node terms", false, same_label, node_terms_20000,
	    NULL, 0 },
	{ "beyond: 20,000 resource claims", false, same_label,
	    device_claims_20000, device_claim_object, 1 },
	{ "beyond: 25,000 resources", false, same_label, resources_25000, NULL,
	    0 },
	{ "beyond: 30,000 host ports", false, same_label, ports_30000, NULL,
	    0 },
	{ "beyond: 10,000 init containers", false, same_label,
	    init_containers_10000, NULL, 0 },
};

/* Terms about the pods of others, that none of them satisfies. */
ITEM(near_key,
    "{\"labelSelector\":{\"matchExpressions\":[{\"key\":\"app\","
    "\"operator\":\"NotIn\",\"values\":[\"q%u\"]},{\"key\":\"no%u\","
    "\"operator\":\"Exists\"}]},\"namespaces\":[\"ns1\",\"team\"],"
    "\"topologyKey\":\"kubernetes.io/hostname\"}",
    i, k)
ITEM(near_all,
    "{\"labelSelector\":{\"matchExpressions\":[{\"key\":\"q%u\","
    "\"operator\":\"DoesNotExist\"},{\"key\":\"app\","
    "\"operator\":\"NotIn\",\"values\":[\"a\",\"b\"]}]},"
    "\"namespaces\":[\"ns1\"],"
    "\"topologyKey\":\"t%u\"}",
    i, k)
#define NEAR CONTAINER ",\"affinity\":{\"podAffinity\":{" REQUIRED "["
LIST_OF(near_50, NEAR, 50, near_key, END_ANTI)
LIST_OF(near_all_50, NEAR, 50, near_all, END_ANTI)

/* Pods that wait in the queue. */
static const struct row waiting_rows[] = {
	{ "waiting: plain", true, same_label, plain, NULL, 0 },
	{ "waiting: 50 terms", true, unique_label, near_50, NULL, 0 },
	{ "waiting: 50 terms without label", true, unique_label, near_all_50,
	    NULL, 0 },
};

struct cost {
	uint64_t total_ns, decode_ns, slowest_ns;
	unsigned placed;
	int64_t kept;
};

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct object *
decode(const char *text, size_t len)
{
	struct object *object = NULL;
	struct doc *doc;
	struct err err;

	doc = doc_parse("row", text, len, &doc_limits_dump, &err);
	if (doc == NULL ||
	    object_decode(NULL, doc_root(doc), "", &object, NULL, &err) != 1) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
	doc_free(doc);
	return object;
}

__attribute__((format(printf, 1, 2))) static void
put(const char *fmt, ...)
{
	va_list ap;
	struct object *object;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	object = decode(text, strlen(text));
	cluster_put(cluster, object);
	object_unref(object);
	free(text);
}

static void
make_cluster(void)
{
	cluster = cluster_new();
	cluster->kubernetes_minor = 36;
	cluster->allocates_devices = true;
	for (unsigned i = 0; i < nodes; i++)
		put("{\"kind\":\"Node\",\"metadata\":{\"name\":\"node-%u\","
		    "\"labels\":{\"kubernetes.io/hostname\":\"node-%u\","
		    "\"failure-domain.beta.kubernetes.io/zone\":\"z%u\","
		    "\"failure-domain.beta.kubernetes.io/region\":\"r\","
		    "\"number\":\"%u\",\"rack\":\"r%u\"}},\"status\":"
		    "{\"allocatable\":{\"cpu\":\"32\",\"memory\":\"128Gi\","
		    "\"pods\":\"250\"},\"images\":[{\"names\":["
		    "\"img%u:latest\"],\"sizeBytes\":100000000}]}}",
		    i, i, i % 3, i, i % 40, i % 7);
	for (unsigned i = 0; i < 10 * nodes; i++)
		put("{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"ns%u\","
		    "\"name\":\"p%u\",\"uid\":\"base-%u\",\"labels\":"
		    "{\"app\":\"app%u\"}},\"spec\":{\"nodeName\":\"node-%u\"," CONTAINER
		    "}}",
		    i % 20, i, i, i / 20 % 50, i / 10);
}

/* A pod of the row as text; *len is its length, you own it. */
static char *
write_pod(const struct row *row, unsigned i, size_t *len)
{
	char *text;
	FILE *out = open_memstream(&text, len);

	if (out == NULL)
		abort();
	fprintf(out,
	    "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"h%u\",\"uid\":\"h%u\",\"labels\":{",
	    i, i);
	row->labels(out, i);
	fputs("}},\"spec\":{", out);
	row->spec(out, i);
	fputs("}}", out);
	fclose(out);
	return text;
}

static bool
decide_once(struct ecache *ecache, struct arena *arena, const struct pod *pod,
    unsigned i)
{
	struct cycle cycle = { .cluster = cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = arena,
		.ecache = ecache,
		.seed = i,
		.cancellation = time_limit_begin(limit, TIMEOUT_MS) };
	struct decision *d = decide(&cycle);
	struct err err;

	time_limit_end(limit);
	if (d->chosen != NULL)
		return cluster_assume(cluster, pod, d->chosen->name, &err) == 0;
	decision_message(&cycle, d);
	if (d->error == NULL)
		preempt(&cycle, d);
	return false;
}

static void
put_objects(const struct row *row)
{
	for (unsigned i = 0; i < row->nobjects; i++) {
		char *text;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		if (out == NULL)
			abort();
		row->object(out, i);
		fclose(out);
		if (len > 0)
			put("%s", text);
		free(text);
	}
}

/* Decides about another such pod: then the tables of pods and nodes are there, as in a
 * daemon that runs, but no results for the pod.  Devices keep their answers. */
static void
warm_up(const struct row *row, struct arena *arena)
{
	struct ecache *ecache =
	    ecache_new(cluster, profile, ECACHE_BYTES_DEFAULT);
	size_t len;
	char *text = write_pod(row->nobjects == SLICES + 2 ? &rows[0] : row,
	    1000000, &len);
	struct object *pod = decode(text, len);

	decide_once(ecache, arena, (const struct pod *)pod, 0);
	cluster_remove(cluster, pod);
	object_unref(pod);
	free(text);
	ecache_free(ecache);
}

static struct cost
measure(const struct row *row)
{
	unsigned n = row->many ? pods : 1;
	struct object **all = xcalloc(n, sizeof(*all));
	struct arena arena = ARENA_INIT;
	struct cost cost = { 0 };
	struct ecache *ecache;
	size_t before;

	put_objects(row);
	for (unsigned i = 0; i < nodes && row->nobjects == SLICES + 2; i++)
		devices_view(devices_of(cluster), cluster->nodes[i], true);
	limit = time_limit_new(NULL);
	/* of a set, the first pod pays for the tables, too */
	if (!row->many)
		warm_up(row, &arena);
	ecache = ecache_new(cluster, profile, ECACHE_BYTES_DEFAULT);
	sym_collect();
	before = mallinfo2().uordblks;
	for (unsigned i = 0; i < n; i++) {
		size_t len;
		char *text = write_pod(row, i, &len);
		uint64_t begun = cpu_ns(), decoded, ns;

		all[i] = decode(text, len);
		decoded = cpu_ns();
		arena_reset(&arena);
		cost.placed +=
		    decide_once(ecache, &arena, (const struct pod *)all[i], i);
		ns = cpu_ns() - decoded;
		cost.total_ns += ns + decoded - begun;
		cost.decode_ns += decoded - begun;
		if (ns > cost.slowest_ns)
			cost.slowest_ns = ns;
		free(text);
	}
	arena_fini(&arena);
	ecache_free(ecache);
	for (unsigned i = 0; i < n; i++) {
		cluster_remove(cluster, all[i]);
		object_unref(all[i]);
	}
	free(all);
	cluster_forget_caches(cluster);
	sym_collect();
	cost.kept = (int64_t)mallinfo2().uordblks - (int64_t)before;
	return cost;
}

/* In a process of its own, so that rows do not influence each other. */
static struct cost
measure_apart(const struct row *row)
{
	struct cost cost;
	int fds[2], status;
	pid_t pid;

	if (pipe(fds) != 0 || (pid = fork()) < 0)
		abort();
	if (pid == 0) {
		cost = measure(row);
		if (write(fds[1], &cost, sizeof(cost)) != sizeof(cost))
			_exit(2);
		_exit(0);
	}
	close(fds[1]);
	if (read(fds[0], &cost, sizeof(cost)) != sizeof(cost) ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "%s: no result\n", row->name);
		exit(2);
	}
	close(fds[0]);
	return cost;
}

static void
keep_least(struct cost *least, const struct cost *cost)
{
	uint64_t slowest_ns = cost->slowest_ns;

	if (least->total_ns > 0 && least->slowest_ns < slowest_ns)
		slowest_ns = least->slowest_ns;
	if (least->total_ns == 0 || cost->total_ns < least->total_ns)
		*least = *cost;
	least->slowest_ns = slowest_ns;
}

/* The cheapest of some rounds, in turn with as many of plain pods: other work on the
 * machine makes all of them slower. */
static void
measure_set(const struct row *row, struct cost *cost, struct cost *plain)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct cost one = measure_apart(&rows[0]);

		keep_least(plain, &one);
		one = measure_apart(row);
		keep_least(cost, &one);
	}
}

/* Whether the row is within its limits. */
static bool
show(const struct row *row, const struct cost *cost, double plain_us)
{
	unsigned n = row->many ? pods : 1;
	double us = (double)cost->total_ns / 1e3 / n;
	double decode_us = (double)cost->decode_ns / 1e3 / n;
	double slowest_ms = (double)cost->slowest_ns / 1e6;
	double ratio = us / plain_us;
	bool too_dear = row->many && ratio > RATIO_MAX;
	bool too_slow = slowest_ms > DECISION_MS_MAX;
	bool kept = cost->kept / 1024 > KEPT_KIB_MAX;

	printf("%-33s %6u %6u %10.1f %10.1f %8.1f %8.2f %8" PRId64 "%s%s%s\n",
	    row->name, n, cost->placed, us, decode_us, ratio, slowest_ms,
	    cost->kept / 1024, too_dear ? " TOO DEAR" : "",
	    too_slow ? " TOO SLOW" : "", kept ? " KEPT" : "");
	return !too_dear && !too_slow && !kept;
}

static struct object *
placed_pod(const char *label, const char *phase)
{
	AUTOFREE char *text = xasprintf(
	    "{\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"ns1\","
	    "\"name\":\"o\",\"uid\":\"o\",\"labels\":{\"app\":\"%s\"}},"
	    "\"spec\":{\"nodeName\":\"node-1\"," CONTAINER "},\"status\":"
	    "{\"phase\":\"%s\"}}",
	    label, phase);

	return decode(text, strlen(text));
}

/* Prints the cost of an event: a change of a status, or of a label. */
static bool
show_event(const char *name, struct queue *queue, const struct object *before,
    const struct object *after, unsigned waiting, uint64_t compared_max)
{
	uint64_t begun = cpu_ns(), compared = queue_compared(queue), most = 0;

	for (int i = 0; i < EVENTS; i++) {
		uint64_t n = queue_compared(queue);

		queue_object_changed(queue, i % 2 == 0 ? before : after,
		    i % 2 == 0 ? after : before, 0);
		n = queue_compared(queue) - n;
		most = n > most ? n : most;
	}
	printf("%-40s %6u %10.2f %10.1f %8" PRIu64 "%s\n", name, waiting,
	    (double)(cpu_ns() - begun) / 1e3 / EVENTS,
	    (double)(queue_compared(queue) - compared) / EVENTS, most,
	    most > compared_max ? " TOO DEAR" : "");
	return most <= compared_max;
}

static bool
show_waiting(const struct row *row)
{
	struct queue *queue = queue_new(&queue_options_default, 0);
	struct object *was = placed_pod("a", "Pending");
	struct object *runs = placed_pod("a", "Running");
	struct object *other = placed_pod("b", "Running");
	unsigned n = pods < 6000 ? pods : 6000;
	AUTOFREE char *status = xasprintf("%s, a status", row->name);
	AUTOFREE char *label = xasprintf("%s, a label", row->name);
	bool good;

	for (unsigned i = 0; i < n; i++) {
		size_t len;
		AUTOFREE char *text = write_pod(row, i, &len);
		struct object *pod = decode(text, len);

		queue_add(queue, (struct pod *)pod, 0);
		pod_unref(queue_pop(queue, 0, NULL));
		queue_refused(queue, (struct pod *)pod, PLUGINS_UNKNOWN, 0);
		object_unref(pod);
	}
	good = show_event(status, queue, was, runs, n, 0);
	good = show_event(label, queue, runs, other, n, COMPARED_MAX) && good;
	object_unref(was);
	object_unref(runs);
	object_unref(other);
	queue_free(queue);
	return good;
}

/* Pods with 50 terms about the zone each. */
ITEM(avoids_in_zone,
    "{" IN("app", "z%u-%u") ",\"topologyKey\":"
			    "\"failure-domain.beta.kubernetes.io/zone\"}",
    i, k)
LIST_OF(zones_50, ANTI(REQUIRED), 50, avoids_in_zone, END_ANTI)

static const struct row zone_pods = { "zones", true, unique_label, zones_50,
	NULL, 0 };

/* Labels of one node change, each time before a plain pod is decided about: prints the
 * cost of both. */
static bool
relabel(const char *name, const char *zone, const char *other)
{
	struct arena arena = ARENA_INIT;
	struct ecache *ecache =
	    ecache_new(cluster, profile, ECACHE_BYTES_DEFAULT);
	uint64_t most = 0, total = 0;
	bool too_slow;

	for (unsigned i = 0; i < 2000; i++) {
		size_t len;
		AUTOFREE char *text = write_pod(&zone_pods, i, &len);
		struct object *pod = decode(text, len);
		struct err err;

		cluster_assume(cluster, (const struct pod *)pod,
		    cluster->nodes[i % nodes]->name, &err);
		object_unref(pod);
	}
	for (unsigned i = 0; i < 32; i++) {
		uint64_t begun = cpu_ns(), ns;
		size_t len;
		AUTOFREE char *text = write_pod(&rows[0], i, &len);
		struct object *pod = decode(text, len);

		put("{\"kind\":\"Node\",\"metadata\":{\"name\":\"node-5\","
		    "\"labels\":{\"kubernetes.io/hostname\":\"node-5\","
		    "\"failure-domain.beta.kubernetes.io/zone\":\"%s\"%s}},"
		    "\"status\":{\"allocatable\":{\"cpu\":\"32\",\"memory\":"
		    "\"128Gi\",\"pods\":\"250\"}}}",
		    i % 2 ? zone : "z2", i % 2 ? other : "");
		arena_reset(&arena);
		decide_once(ecache, &arena, (const struct pod *)pod, i);
		ns = cpu_ns() - begun;
		/* the first ones make tables */
		if (i >= 2) {
			most = ns > most ? ns : most;
			total += ns;
		}
		object_unref(pod);
	}
	too_slow = (double)most / 1e6 > DECISION_MS_MAX;
	printf("%-40s %6u %10.2f %10s %8.2f%s\n", name, 30U,
	    (double)total / 1e3 / 30, "", (double)most / 1e6,
	    too_slow ? " TOO SLOW" : "");
	fflush(stdout);
	return !too_slow;
}

static const struct relabelling {
	const char *name, *zone, *other;
} relabellings[] = {
	{ "relabelled: a key", "z2", ",\"rackkey\":\"r\"" },
	{ "relabelled: the zone", "z1", "" },
};

static bool
relabel_apart(const struct relabelling *r)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(relabel(r->name, r->zone, r->other) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool
is_wanted(const char *name, int argc, char **argv)
{
	for (int i = optind; i < argc; i++)
		if (strstr(name, argv[i]) != NULL)
			return true;
	return optind == argc;
}

/* ---- memory ---- */

/* Many objects of one namespace, each within its limits. */
static const struct sending {
	const char *name;
	unsigned nobjects, nitems;
	const char *kind, *before, *item, *after;
} sendings[] = {
	{ "330 Services, 24,000 pairs", 330, 24000, "Service", "\"selector\":{",
	    "\"%x.%x\":\"v\"", "}" },
	{ "3,000 Services, 900 pairs", 3000, 900, "Service", "\"selector\":{",
	    "\"%x.%x\":\"v\"", "}" },
	{ "330 ReplicaSets, 40,000 values", 330, 40000, "ReplicaSet",
	    "\"selector\":{\"matchExpressions\":[{\"key\":\"a\","
	    "\"operator\":\"In\",\"values\":[",
	    "\"%x.%x\"", "]}]}" },
	{ "3,000 claims, 900 pairs", 3000, 900, "PersistentVolumeClaim",
	    "\"selector\":{\"matchLabels\":{", "\"%x.%x\":\"v\"", "}}" },
	{ "2,000 pods, 4,500 values", 2000, 4500, "Pod",
	    CONTAINER ",\"affinity\":{\"podAffinity\":{" REQUIRED
		      "[{\"topologyKey\":\"t\",\"labelSelector\":"
		      "{\"matchExpressions\":[{\"key\":\"app\","
		      "\"operator\":\"NotIn\",\"values\":[",
	    "\"%x.%x\"", "]}]}}]}}" },
};

#define BUDGET ((size_t)128 << 20)
#define KEPT_PER_SENT_MAX 2

static size_t
memory(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static char *
write_sent(const struct sending *s, unsigned i, size_t *len)
{
	char *text;
	FILE *out = open_memstream(&text, len);

	if (out == NULL)
		abort();
	fprintf(out,
	    "{\"kind\":\"%s\",\"metadata\":{\"namespace\":\"team\","
	    "\"name\":\"o%u\",\"uid\":\"o%u\"},\"spec\":{%s",
	    s->kind, i, i, s->before);
	for (unsigned k = 0; k < s->nitems; k++) {
		fputs(k > 0 ? "," : "", out);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(out, s->item, i, k);
#pragma GCC diagnostic pop
	}
	fprintf(out, "%s}}", s->after);
	fclose(out);
	return text;
}

/* As the daemon takes them; in a process of its own, whose memory goes with it.
 * Whether what is kept is within its limit. */
static bool
send_all(const struct sending *s)
{
	struct object **all = xcalloc(s->nobjects, sizeof(*all));
	size_t before = memory(), sent = 0, kept, aside = 0;
	sym team = sym_intern("team");
	struct budgets budgets = { .namespace = BUDGET };
	struct err err;
	bool good;

	for (unsigned i = 0; i < s->nobjects; i++) {
		size_t len;
		char *text = write_sent(s, i, &len);

		sent += len;
		if (budget_is_used_up(&budgets, team, false, &err)) {
			aside++;
		} else {
			all[i] = decode(text, len);
			cluster_put(cluster, all[i]);
		}
		free(text);
	}
	kept = memory() - before;
	good = kept <= KEPT_PER_SENT_MAX * sent || kept <= BUDGET / 2 * 3;
	printf("%-33s %6u %10.1f %10.1f %8.2f %10zu%s\n", s->name, s->nobjects,
	    (double)sent / (1 << 20), (double)kept / (1 << 20),
	    (double)kept / (double)sent, aside, good ? "" : " TOO MUCH");
	fflush(stdout);
	return good;
}

static bool
send_apart(const struct sending *s)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(send_all(s) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void
read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'n' },
		{ "pods", required_argument, NULL, 'p' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (option == 'n') {
			nodes = (unsigned)atoi(optarg);
		} else if (option == 'p') {
			pods = (unsigned)atoi(optarg);
		} else {
			fprintf(stderr,
			    "usage: bench_hostile [--nodes N] "
			    "[--pods N] [ROW...]\n");
			exit(2);
		}
}

int
main(int argc, char **argv)
{
	struct policy_options policy = { .gates = gates_default };
	struct cost plain = { 0 };
	bool good = true;

	read_options(argc, argv);
	policy.gates.even_pods_spread = true;
	profile = policy_provider("DefaultProvider", &policy);
	make_cluster();
	printf("%-33s %6s %6s %10s %10s %8s %8s %8s\n", "pods", "number",
	    "placed", "us a pod", "decoded us", "x plain", "worst ms",
	    "kept KiB");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct cost cost = { 0 };

		if (i > 0 && !is_wanted(rows[i].name, argc, argv))
			continue;
		if (rows[i].many) {
			plain = (struct cost){ 0 };
			measure_set(&rows[i], &cost, &plain);
		} else {
			cost = measure_apart(&rows[i]);
		}
		good = show(&rows[i], &cost,
			   (double)plain.total_ns / 1e3 / pods) &&
		    good;
		fflush(stdout);
	}
	printf("%-33s %6s %10s %10s %8s %10s\n", "objects", "number",
	    "sent MiB", "kept MiB", "x sent", "set aside");
	fflush(stdout);
	for (size_t i = 0; i < LENGTH(sendings); i++)
		if (is_wanted(sendings[i].name, argc, argv))
			good = send_apart(&sendings[i]) && good;
	printf("\n%-40s %6s %10s %10s %8s\n", "an event of others", "wait",
	    "us", "compared", "most");
	for (size_t i = 0; i < LENGTH(waiting_rows); i++)
		if (is_wanted(waiting_rows[i].name, argc, argv))
			good = show_waiting(&waiting_rows[i]) && good;
	printf("\n%-40s %6s %10s %10s %8s\n", "a node's labels, and a pod",
	    "number", "us", "", "worst ms");
	fflush(stdout);
	for (size_t i = 0; i < LENGTH(relabellings); i++)
		if (is_wanted(relabellings[i].name, argc, argv))
			good = relabel_apart(&relabellings[i]) && good;
	cluster_free(cluster);
	profile_free(profile);
	return good ? 0 : 1;
}
