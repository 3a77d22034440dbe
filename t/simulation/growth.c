/*
 * All names that users and nodes choose come and go, kind by kind, and each is another
 * one.  In the end everything is as before, and so must be the entries of the stores,
 * the symbols, exactly, and what is allocated, about: a store that is not counted here
 * shows in that.  Kept results and symbols without owners, which have limits of their
 * own, are dropped before.
 */
#include "config.h"

#include "t/simulation/growth.h"

#include <json-c/json.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sym.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "cluster/devices/inventory.h"
#include "daemon/scheduler/scheduler.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/caches.h"
#include "t/simulation/devices.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

/* Caches that have a limit are full, and tables as large as they get, after the first
 * names; then nothing may grow. */
#define WARM 5000
#define ROUNDS 6
#define COUNTED_FROM 2
#define BATCH 250
/* A name; with few names, the texts in caches of events, which differ in length, are a
 * part of it. */
#define BYTES_MOST 300.0
#define MADE_MOST 8
#define LISTS 100    /* more than the server remembers */
#define HISTORY 5000 /* changes, more than the server remembers */

#define META(name, more)                                                       \
	"'metadata':{'name':'" name "','namespace':'a'" more "}"
#define POD(more, spec)                                                        \
	"{'kind':'Pod','apiVersion':'v1'," META("p@",                          \
	    more) ",'spec':{'schedulerName':'default-scheduler'," spec         \
		  "},'status':{'phase':'Pending'}}"
#define MAIN "'containers':[{'name':'c','image':'i'}]"
#define ON_NODE "'nodeName':'n0'," MAIN
#define NOWHERE "'nodeSelector':{'not':'there'}," MAIN
#define LABELS(labels) ",'labels':{" labels "}"
#define NODE(name, labels, status)                                             \
	"{'kind':'Node','apiVersion':'v1','metadata':{'name':'" name           \
	"','labels':{'kubernetes.io/hostname':'" name "'" labels               \
	"}},'spec':{},'status':{'allocatable':{'cpu':'32',"                    \
	"'memory':'64Gi','pods':'110'" status "}"
#define READY ",'conditions':[{'type':'Ready','status':'True'}]}}"
#define SELECTING(kind, group, selector)                                       \
	"{'kind':'" kind "','apiVersion':'" group "','metadata':{'name':'s',"  \
	"'namespace':'ns@'},'spec':{'selector':" selector "}}"
#define SLICE(driver, pool, more, devices)                                     \
	"{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1',"           \
	"'metadata':{'name':'s@'},'spec':{'driver':'" driver "',"              \
	"'pool':{'name':'" pool "','generation':1,"                            \
	"'resourceSliceCount':1}," more ",'devices':[" devices "]}}"
#define CLAIM(name, request, class, more)                                      \
	"{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1'," META(     \
	    name, "") ",'spec':{'devices':{'requests':[{'name':'" request "'," \
		      "'exactly':{'deviceClassName':'" class                   \
	    "','allocationMode':"                                              \
	    "'ExactCount','count':1}}]}}" more "}"

/* '@' is the name, of digits. */
static const struct {
	const char *name;
	struct {
		const char *resource, *json;
	} made[MADE_MOST];
} kinds[] = {
	/* clang-format off */
	{ "labels of pods", { { "pods", POD(LABELS("'k@':'v@'"), ON_NODE) } } },
	{ "labels of waiting pods", { { "pods",
	    POD(LABELS("'k@':'v@'"), NOWHERE) } } },
	{ "annotations, owners", { { "pods", POD(",'annotations':{'k@':'v@'},"
	    "'ownerReferences':[{'kind':'ReplicaSet','apiVersion':'apps/v1',"
	    "'name':'r@','uid':'r@','controller':true}]", ON_NODE) } } },
	{ "node selectors", { { "pods", POD("", "'nodeSelector':{'k@':'v@'},"
	    MAIN) } } },
	{ "node affinity", { { "pods", POD("", "'affinity':{'nodeAffinity':{"
	    "'requiredDuringSchedulingIgnoredDuringExecution':{"
	    "'nodeSelectorTerms':[{'matchExpressions':[{'key':'k@','operator':"
	    "'In','values':['v@','w@']}],'matchFields':[{'key':"
	    "'metadata.name','operator':'In','values':['n@']}]}]}}}," MAIN) } } },
	{ "tolerations", { { "pods", POD("", "'tolerations':[{'key':'k@',"
	    "'value':'v@','effect':'NoSchedule'}]," NOWHERE) } } },
	{ "anti-affinity, topology keys", { { "pods", POD(LABELS("'app':'x'"),
	    "'affinity':{'podAntiAffinity':{"
	    "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
	    "'t@','labelSelector':{'matchLabels':{'q@':'v@'}}},{'topologyKey':"
	    "'rack','labelSelector':{'matchLabels':{'q@':'v@'}}}]}}," ON_NODE) } } },
	{ "affinity of waiting pods", { { "pods", POD("",
	    "'affinity':{'podAffinity':{"
	    "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
	    "'rack','namespaces':['ns@'],'labelSelector':{'matchExpressions':"
	    "[{'key':'q@','operator':'NotIn','values':['v@']},{'key':'r@',"
	    "'operator':'Exists'}]}}]}}," MAIN) } } },
	{ "namespace selectors", { { "pods", POD("",
	    "'affinity':{'podAntiAffinity':{"
	    "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
	    "'rack','namespaceSelector':{'matchLabels':{'a@':'b@','c@':'d@'}},"
	    "'labelSelector':{'matchLabels':{'q@':'v@'}}}]}}," ON_NODE) } } },
	{ "spread constraints", { { "pods", POD(LABELS("'app':'x@'"),
	    "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'rack',"
	    "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':"
	    "{'app':'x@'}}},{'maxSkew':1,'topologyKey':'t@',"
	    "'whenUnsatisfiable':'ScheduleAnyway','labelSelector':{'matchLabels':"
	    "{'app':'x@'}}}]," NOWHERE) } } },
	{ "resources, images", { { "pods", POD("", "'nodeSelector':{'not':"
	    "'there'},'containers':[{'name':'c@','image':'i@','resources':{"
	    "'requests':{'ex.io/r@':'1'}}}]") } } },
	{ "host ports", { { "pods", POD("", "'nodeName':'n0','containers':[{"
	    "'name':'c','image':'i','ports':[{'containerPort':1,'hostPort':80,"
	    "'hostIP':'ip@'}]}]") } } },
	{ "nodes without an object", { { "pods", POD("", "'nodeName':'gone@',"
	    MAIN) } } },
	{ "schedulers", { { "pods", "{'kind':'Pod','apiVersion':'v1'," META("p@",
	    "") ",'spec':{'schedulerName':'other@'," MAIN "},'status':{}}" } } },
	{ "bound pods", { { "pods", POD("", MAIN) } } },
	{ "gates", { { "pods", POD("", "'schedulingGates':[{'name':'g@'}],"
	    MAIN) } } },
	{ "nominations", { { "pods", "{'kind':'Pod','apiVersion':'v1'," META("p@",
	    "") ",'spec':{'schedulerName':'default-scheduler'," NOWHERE
	    "},'status':{'phase':'Pending','nominatedNodeName':'n@'}}" } } },
	{ "namespaces", {
	    { "namespaces", "{'kind':'Namespace','apiVersion':'v1','metadata':{"
		"'name':'ns@','labels':{'k@':'v@'}}}" },
	    { "pods", "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p',"
		"'namespace':'ns@','labels':{'app':'x'}},'spec':{"
		"'schedulerName':'default-scheduler'," NOWHERE "},'status':{}}" },
	} },
	{ "namespaces of Services", { { "services",
	    SELECTING("Service", "v1", "{'app':'x@'}") } } },
	{ "namespaces of workloads", {
	    { "services", SELECTING("Service", "v1", "{'app':'x'}") },
	    { "replicationcontrollers", SELECTING("ReplicationController", "v1",
		"{'k@':'v@'}") },
	    { "replicasets", SELECTING("ReplicaSet", "apps/v1",
		"{'matchLabels':{'k@':'v@'}}") },
	    { "statefulsets", SELECTING("StatefulSet", "apps/v1",
		"{'matchExpressions':[{'key':'k@','operator':'In','values':"
		"['v@','w@']}]}") },
	    { "poddisruptionbudgets", SELECTING("PodDisruptionBudget",
		"policy/v1", "{'matchLabels':{'k@':'v@'}}") },
	    { "pods", "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p',"
		"'namespace':'ns@','labels':{'app':'x'}},'spec':{"
		"'schedulerName':'default-scheduler'," MAIN "},'status':{}}" },
	} },
	{ "nodes", { { "nodes", NODE("x@", ",'k@':'v@','rack':'r@'",
	    ",'ex.io/r@':'1'") ",'images':[{'names':['i@','j@'],'sizeBytes':"
	    "1000}]" READY } } },
	{ "taints", { { "nodes", "{'kind':'Node','apiVersion':'v1','metadata':{"
	    "'name':'x@'},'spec':{'taints':[{'key':'k@','value':'v@','effect':"
	    "'NoSchedule'}]},'status':{}}" } } },
	{ "labels of a node", { { "nodes", NODE("n1", ",'k@':'v@','rack':'r@'",
	    "") READY } } },
	{ "images of a node", { { "nodes", NODE("n1", ",'rack':'r1'", "")
	    ",'images':[{'names':['i@','j@'],'sizeBytes':1000}]" READY } } },
	{ "volumes", {
	    { "storageclasses", "{'kind':'StorageClass','apiVersion':"
		"'storage.k8s.io/v1','metadata':{'name':'c@'},'provisioner':"
		"'d@.io','volumeBindingMode':'WaitForFirstConsumer'}" },
	    { "persistentvolumes", "{'kind':'PersistentVolume','apiVersion':"
		"'v1','metadata':{'name':'v@'},'spec':{'storageClassName':"
		"'c@','capacity':{'storage':'1Gi'},'accessModes':"
		"['ReadWriteOnce'],'csi':{'driver':'d@.io','volumeHandle':'h@'},"
		"'claimRef':{'namespace':'a','name':'v@'}}}" },
	    { "persistentvolumeclaims", "{'kind':'PersistentVolumeClaim',"
		"'apiVersion':'v1'," META("v@", "") ",'spec':{'volumeName':"
		"'v@','storageClassName':'c@','accessModes':['ReadWriteOnce'],"
		"'resources':{'requests':{'storage':'1Gi'}}},'status':{"
		"'phase':'Bound'}}" },
	    { "pods", POD("", "'nodeName':'n0','volumes':[{'name':'v','"
		"persistentVolumeClaim':{'claimName':'v@'}},{'name':'w',"
		"'gcePersistentDisk':{'pdName':'d@'}},{'name':'e','ephemeral':{"
		"'volumeClaimTemplate':{'spec':{}}}}]," MAIN) },
	    { "csinodes", "{'kind':'CSINode','apiVersion':'storage.k8s.io/v1',"
		"'metadata':{'name':'x@'},'spec':{'drivers':[{'name':'d@.io',"
		"'nodeID':'x@','allocatable':{'count':3}}]}}" },
	    { "csidrivers", "{'kind':'CSIDriver','apiVersion':"
		"'storage.k8s.io/v1','metadata':{'name':'d@.io'},'spec':{"
		"'storageCapacity':true}}" },
	    { "csistoragecapacities", "{'kind':'CSIStorageCapacity',"
		"'apiVersion':'storage.k8s.io/v1'," META("c@", "")
		",'storageClassName':'c@','capacity':'1Gi','nodeTopology':{"
		"'matchLabels':{'k@':'v@'}}}" },
	    { "volumeattachments", "{'kind':'VolumeAttachment','apiVersion':"
		"'storage.k8s.io/v1','metadata':{'name':'a@'},'spec':{"
		"'attacher':'d@.io','nodeName':'n@','source':{"
		"'persistentVolumeName':'v@'}},'status':{'attached':true}}" },
	} },
	{ "waiting claims of volumes", {
	    { "persistentvolumeclaims", "{'kind':'PersistentVolumeClaim',"
		"'apiVersion':'v1'," META("v@", "") ",'spec':{"
		"'storageClassName':'none@','resources':{'requests':{"
		"'storage':'1Gi'}}},'status':{'phase':'Pending'}}" },
	    { "pods", POD("", "'volumes':[{'name':'v','persistentVolumeClaim':"
		"{'claimName':'v@'}}]," MAIN) },
	} },
	{ "pools", { { "resourceslices",
	    SLICE("d.io", "p@", "'nodeName':'n0'", "{'name':'x@'}") } } },
	{ "drivers", { { "resourceslices",
	    SLICE("d@.io", "p", "'allNodes':true", "{'name':'x','attributes':{"
		"'a@':{'string':'v@'}},'capacity':{'c@':{'value':'1'}}}") } } },
	{ "nodes of pools", { { "resourceslices",
	    SLICE("d.io", "p@", "'nodeName':'n@'", "{'name':'x'}") } } },
	{ "results of claims", { { "resourceclaims", CLAIM("c@", "q@", "k",
	    ",'status':{'allocation':{'devices':{'results':[{'request':'q@',"
	    "'driver':'d@.io','pool':'p@','device':'x@'}]}}}") } } },
	{ "pools with results", {
	    { "resourceslices", SLICE("d.io", "p@", "'nodeName':'n0'",
		"{'name':'x@'}") },
	    { "resourceclaims", CLAIM("c@", "q", "k",
		",'status':{'allocation':{'devices':{'results':[{'request':'q',"
		"'driver':'d.io','pool':'p@','device':'x@'}]}}}") },
	} },
	{ "waiting claims of devices", {
	    { "resourceclaims", CLAIM("c@", "q@", "none@", "") },
	    { "pods", POD("", "'resourceClaims':[{'name':'r@',"
		"'resourceClaimName':'c@'}]," MAIN) },
	} },
	{ "classes of devices", {
	    { "deviceclasses", "{'kind':'DeviceClass','apiVersion':"
		"'resource.k8s.io/v1','metadata':{'name':'k@'},'spec':{"
		"'extendedResourceName':'ex.io/r@','selectors':[{'cel':{"
		"'expression':'device.driver == \\\"d@.io\\\"'}}]}}" },
	    { "resourceclaims", CLAIM("c@", "q", "k@", "") },
	    { "pods", POD("", "'resourceClaims':[{'name':'r',"
		"'resourceClaimName':'c@'}]," MAIN) },
	} },
	/* clang-format on */
};

static uint64_t serial;

static struct json_object *
object_of(const char *json, uint64_t number)
{
	struct text text = { 0 };
	struct json_object *object;

	for (const char *p = json; *p != '\0'; p += strcspn(p, "@")) {
		if (*p == '@')
			text_printf(&text, "%09llu",
			    (unsigned long long)number),
			    p++;
		text_append(&text, p, strcspn(p, "@"));
	}
	object = json_of("%s", text.bytes);
	text_fini(&text);
	return object;
}

static void
forget(void *arg, struct json_object *object)
{
	apiserver_delete(arg, json_text(object, "metadata.namespace"),
	    json_text(object, "metadata.name"));
}

static void
run_for(int64_t time)
{
	int64_t end = loop_now() + time;

	while (loop_step(end))
		;
}

static void
put(const char *resource, const char *json, uint64_t number)
{
	apiserver_put(resource, object_of(json, number));
}

/* A node of the cluster is changed, and changed back. */
static void
take(const char *resource, const char *json, uint64_t number)
{
	struct json_object *object = object_of(json, number);

	if (strcmp(json_text(object, "metadata.name"), "n1") == 0)
		put(resource, NODE("n1", ",'rack':'r1'", "") READY, 0);
	else
		forget((char *)(uintptr_t)resource, object);
	json_object_put(object);
}

/* As many names come, in batches, and go. */
static void
come_and_go(size_t kind, unsigned nnames)
{
	for (unsigned i = 0; i < nnames; i += BATCH) {
		for (unsigned k = 0; k < BATCH; k++)
			for (size_t m = 0; m < MADE_MOST; m++)
				if (kinds[kind].made[m].json != NULL)
					put(kinds[kind].made[m].resource,
					    kinds[kind].made[m].json,
					    serial + k);
		run_for(30 * SECOND);
		for (size_t m = MADE_MOST; m-- > 0;)
			for (unsigned k = 0; k < BATCH; k++)
				if (kinds[kind].made[m].json != NULL)
					take(kinds[kind].made[m].resource,
					    kinds[kind].made[m].json,
					    serial + k);
		serial += BATCH;
		run_for(30 * SECOND);
		apiserver_each("events", forget, (void *)"events");
	}
}

struct held {
	size_t bytes, entries, symbols;
};

static size_t
count_entries(const struct scheduler *s)
{
	const struct cluster *c = s->options.cluster;
	const struct devices *d = (const struct devices *)c->devices;
	const struct map *maps[] = { &c->node_infos, &c->classes,
		&c->classes_in, &c->label_keys, &c->topologies, &c->namespaces,
		&c->images, &c->open_volumes, &c->capacities_of, &c->disk_users,
		&c->claim_users, &c->ephemeral_users, &c->attachments_of,
		&c->attachments_to, &c->claims_naming, &c->volumes_called,
		&c->resource_classes, &d->pools, &d->local, &d->made };
	size_t n = c->pods.n + c->terms.n + s->flights.all.n +
	    s->flights.held_claims.n;

	for (size_t i = 0; i < LENGTH(maps); i++)
		n += maps[i]->n;
	for (size_t i = 0; i < OBJECT_KINDS; i++)
		n += c->named[i].n;
	return n;
}

static struct held
count_held(struct event_base *base)
{
	struct scheduler *s = (struct scheduler *)scheduler_of(base);
	struct mallinfo2 info;

	run_for(3 * MINUTE);
	apiserver_each("events", forget, (void *)"events");
	/* The server's history, and the lists that it remembers, are always the
	 * same. */
	for (unsigned i = 0; i < HISTORY; i++)
		put("endpoints",
		    "{'kind':'Endpoints','apiVersion':'v1',"
		    "'metadata':{'name':'e'}}",
		    0);
	for (unsigned i = 0; i < LISTS; i++)
		free(apiserver_handle(&(struct request){ .who = "growth",
					  .method = "GET",
					  .path = "/api/v1/endpoints" })
			 .body);
	servings_drop_results(s);
	cluster_forget_caches(s->options.cluster);
	sym_collect();
	servings_keep_results(s);
	info = mallinfo2();
	return (struct held){ info.uordblks + info.hblkhd, count_entries(s),
		sym_count() };
}

static bool
measure(struct event_base *base, size_t kind, unsigned nnames)
{
	unsigned each = (nnames / ROUNDS + BATCH - 1) / BATCH * BATCH;
	struct held first = { 0 }, last = { 0 };
	double bytes;

	for (unsigned i = 0; i < ROUNDS; i++) {
		come_and_go(kind, each);
		last = count_held(base);
		if (i == COUNTED_FROM)
			first = last;
	}
	bytes = (double)((int64_t)last.bytes - (int64_t)first.bytes) /
	    (each * (ROUNDS - 1 - COUNTED_FROM));
	printf("| %s | %u | %.1f | %td | %td |\n", kinds[kind].name,
	    each * ROUNDS, bytes, (ptrdiff_t)(last.entries - first.entries),
	    (ptrdiff_t)(last.symbols - first.symbols));
	fflush(stdout);
	return bytes <= BYTES_MOST && last.entries <= first.entries &&
	    last.symbols <= first.symbols;
}

bool
growth_measure(struct world_options *options, unsigned nnames, const char *only)
{
	bool good = true;

	loop_reset(1);
	apiserver_reset(36, 0);
	promises_reset(true);
	promises_off = true;
	devices_serve();
	serial = 1;
	put("nodes", NODE("n0", ",'rack':'r0'", "") READY, 0);
	put("nodes", NODE("n1", ",'rack':'r1'", "") READY, 0);
	put("deviceclasses",
	    "{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1',"
	    "'metadata':{'name':'k'},'spec':{}}",
	    0);
	put("resourceclaims", CLAIM("c@", "q", "k", ""), 0);
	put("pods",
	    POD("",
		"'resourceClaims':[{'name':'r',"
		"'resourceClaimName':'c@'}]," MAIN),
	    0);
	options->daemons = 1;
	options->empty = options->calm = true;
	world_start(options);
	run_for(MINUTE);
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (strcmp(kinds[i].name, "bound pods") == 0 ||
		    strcmp(kinds[i].name, "labels of waiting pods") == 0)
			come_and_go(i, WARM);
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (only == NULL || strstr(kinds[i].name, only) != NULL)
			good &= measure(loop_newest(), i, nnames);
	world_end();
	loop_fini();
	return good;
}
