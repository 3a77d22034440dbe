/*
 * The scenarios of t/bench.  Every one has nodes in three zones that hold pods
 * of twenty kinds already, and places more, none of which may fail.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "cluster/cluster.h"
#include "decide/framework/profile.h"
#include "objects/pod.h"
#include "t/speed/cell.h"

#define ZONES 3
#define ZONE "failure-domain.beta.kubernetes.io/zone"
#define HOST "kubernetes.io/hostname"
#define NODE_CPU 16000
#define CSI_LIMIT 12
#define KINDS 20 /* of the pods that are there already */

/* Shared by pods of one app. */
struct shape {
	unsigned app;
	unsigned cpu_milli, memory_mib;
	int priority;
	bool job; /* each pod is a Job's of its own, and wears its labels */
	const char *spec;      /* more of it: ",'key':value"; or NULL */
	const char *namespace; /* NULL: bench */
};

/* Objects */

static void
put(struct work *w, struct text *text)
{
	struct object *object = object_of_text(text->bytes, text->len);

	cluster_put(w->cluster, object);
	object_unref(object);
	text_fini(text);
}

static const char *
numbered(char *buf, size_t size, const char *prefix, uint64_t n)
{
	snprintf(buf, size, "%s%05llu", prefix, (unsigned long long)n);
	return buf;
}

static void
add_node(struct work *w, unsigned i)
{
	struct text text = { 0 };
	char name[32], zone[32], image[32];

	numbered(name, sizeof(name), "node-", i);
	snprintf(zone, sizeof(zone), "zone-%u", i % ZONES);
	snprintf(image, sizeof(image), "app/%u:v1", i % KINDS);
	json_put(&text,
	    "{'apiVersion':'v1','kind':'Node','metadata':{'name':%s,"
	    "'labels':{'" HOST "':%s,'" ZONE "':%s,"
	    "'failure-domain.beta.kubernetes.io/region':'r'}},"
	    "'status':{'allocatable':{'cpu':'16','memory':'64Gi',"
	    "'pods':'110'},'images':[{'names':[%s],'sizeBytes':200000000}]}}",
	    name, name, zone, image);
	put(w, &text);
}

static void
add_service(struct work *w, unsigned app)
{
	struct text text = { 0 };
	char name[32];

	snprintf(name, sizeof(name), "app-%u", app);
	json_put(&text,
	    "{'apiVersion':'v1','kind':'Service','metadata':"
	    "{'namespace':'bench','name':%s},'spec':"
	    "{'selector':{'app':%s}}}",
	    name, name);
	put(w, &text);
}

/* node is NULL for a pod to be placed. */
static struct pod *
make_pod(struct work *w, const struct shape *s, const char *node)
{
	struct text text = { 0 };
	char name[32], label[32], image[32], cpu[32], memory[32];
	struct object *object;

	numbered(name, sizeof(name), "pod-", w->serial++);
	snprintf(label, sizeof(label), "app-%u", s->app);
	if (s->job)
		numbered(label, sizeof(label), "job-", w->serial);
	snprintf(image, sizeof(image), "app/%u:v1", s->app % KINDS);
	snprintf(cpu, sizeof(cpu), "%um", s->cpu_milli);
	snprintf(memory, sizeof(memory), "%uMi", s->memory_mib);
	json_put(&text,
	    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':%s,"
	    "'name':%s,'uid':%s,'labels':{%s:%s},'ownerReferences':[{"
	    "'apiVersion':'apps/v1','kind':%s,'name':%s,'uid':%s,"
	    "'controller':true}]},'spec':{'priority':%d,'containers':[{"
	    "'name':'c','image':%s,'resources':{'requests':{'cpu':%s,"
	    "'memory':%s}}}]",
	    s->namespace != NULL ? s->namespace : "bench", name, name,
	    s->job ? "job-name" : "app", label, s->job ? "Job" : "ReplicaSet",
	    label, label, (int64_t)s->priority, image, cpu, memory);
	if (node != NULL)
		json_put(&text, ",'nodeName':%s", node);
	if (s->spec != NULL)
		json_put(&text, s->spec);
	text_put(&text, "}");
	if (node != NULL)
		json_put(&text,
		    ",'status':{'startTime':'2020-01-%d%dT00:00:%d%dZ'}",
		    (int64_t)(w->serial * 7 / 9 % 3),
		    (int64_t)(1 + w->serial * 5 % 9),
		    (int64_t)(w->serial * 11 / 10 % 6),
		    (int64_t)(w->serial * 3 % 10));
	text_put(&text, "}");
	object = object_of_text(text.bytes, text.len);
	text_fini(&text);
	return (struct pod *)object;
}

static void
add_pod(struct work *w, const struct shape *s, unsigned node)
{
	char name[32];
	struct pod *pod =
	    make_pod(w, s, numbered(name, sizeof(name), "node-", node));

	cluster_put(w->cluster, &pod->object);
	pod_unref(pod);
}

static struct attempt *
add_attempt(struct work *w, const struct shape *s, enum expected expected)
{
	struct attempt *a;

	vec_room(w->attempts, w->n, &w->cap);
	a = &w->attempts[w->n++];
	*a = (struct attempt){ .pod = make_pod(w, s, NULL),
		.expected = expected };
	return a;
}

/* Clusters */

static void
add_nodes(struct work *w)
{
	for (unsigned i = 0; i < w->nodes; i++)
		add_node(w, i);
}

static struct shape
plain(unsigned app)
{
	return (
	    struct shape){ .app = app, .cpu_milli = 100, .memory_mib = 200 };
}

/* Nodes that hold pods of these apps, as many of each, and their services. */
static void
fill(struct work *w, unsigned apps)
{
	unsigned each = pods_on_each(w->options, w->nodes);

	add_nodes(w);
	for (unsigned app = 0; app < apps; app++)
		add_service(w, app);
	for (unsigned i = 0; i < w->nodes; i++)
		for (unsigned j = 0; j < each; j++) {
			struct shape s = plain((i + j) % apps);

			add_pod(w, &s, i);
		}
}

/* As many as asked for, but no more than so many on each node. */
static unsigned
to_place(const struct work *w, unsigned each)
{
	return w->options->place < w->nodes * each ? w->options->place :
						     w->nodes * each;
}

/* Scenarios */

static void
make_identical(struct work *w)
{
	struct shape s = plain(0);

	fill(w, 1);
	for (unsigned i = to_place(w, 20); i > 0; i--)
		add_attempt(w, &s, PLACED);
}

/* ",'affinity':{…}" with one required or preferred term for pods of the app. */
static const char *
term(char *buf, size_t size, const char *kind, bool required, unsigned app,
    const char *topology)
{
	char selected[192];

	snprintf(selected, sizeof(selected),
	    "{'labelSelector':{'matchLabels':{'app':'app-%u'}},"
	    "'topologyKey':'%s'}",
	    app, topology);
	snprintf(buf, size,
	    required ?
		",'affinity':{'%s':{"
		"'requiredDuringSchedulingIgnoredDuringExecution':[%s]}}" :
		",'affinity':{'%s':{"
		"'preferredDuringSchedulingIgnoredDuringExecution':["
		"{'weight':10,'podAffinityTerm':%s}]}}",
	    kind, selected);
	return buf;
}

/* Four sorts of Jobs, one pod each; of the pods there already one per node is
 * like no other, too, and avoids pods of its app. */
static void
make_jobs(struct work *w)
{
	char buf[512];

	fill(w, KINDS);
	for (unsigned i = 0; i < w->nodes; i++) {
		struct shape s = plain(100 + i % KINDS);

		s.job = true;
		s.spec = term(buf, sizeof(buf), "podAntiAffinity", true, s.app,
		    HOST);
		add_pod(w, &s, i);
	}
	for (unsigned i = 0, n = to_place(w, 20); i < n; i++) {
		struct shape s = { .app = i % 4,
			.cpu_milli = 100 + 50 * (i % 4),
			.memory_mib = 200 + 100 * (i % 4),
			.job = true };

		add_attempt(w, &s, PLACED);
	}
}

/* The cost of a pod of a new kind. */
static void
make_unlike(struct work *w)
{
	fill(w, KINDS);
	for (unsigned i = 0, n = to_place(w, 20); i < n; i++) {
		struct shape s = { .app = 100 + i % KINDS,
			.cpu_milli = 50 + i % 100,
			.memory_mib = 100 + i / 100 };

		add_attempt(w, &s, PLACED);
	}
}

/* A third of the templates say where pods like them should or should not be. */
static void
make_templates(struct work *w)
{
	char buf[512];

	fill(w, KINDS);
	for (unsigned t = 0; t < KINDS; t++)
		add_service(w, 100 + t);
	for (unsigned i = 0, n = to_place(w, 20); i < n; i++) {
		unsigned t = i % KINDS;
		struct shape s = { .app = 100 + t,
			.cpu_milli = 50 + 10 * t,
			.memory_mib = 100 + 20 * t };

		if (t % 3 == 0 && t / 3 % 2 == 0)
			/* as many as there are nodes cannot avoid each other */
			s.spec = term(buf, sizeof(buf), "podAntiAffinity",
			    t / 3 % 4 == 0 && n / KINDS <= w->nodes / 2, s.app,
			    HOST);
		else if (t % 3 == 0)
			s.spec = term(buf, sizeof(buf), "podAffinity",
			    t / 3 % 4 == 1, s.app, ZONE);
		add_attempt(w, &s, PLACED);
	}
}

/* Apps 100, 101, … have no pods yet. */
static void
make_terms(struct work *w, unsigned apps, unsigned each, const char *kind,
    bool required, const char *topology)
{
	char buf[512];

	fill(w, KINDS);
	for (unsigned i = 0; i < apps; i++)
		add_service(w, 100 + i);
	for (unsigned i = 0, n = to_place(w, each); i < n; i++) {
		struct shape s = plain(100 + i % apps);

		s.spec =
		    term(buf, sizeof(buf), kind, required, s.app, topology);
		add_attempt(w, &s, PLACED);
	}
}

static void
make_anti_affinity(struct work *w)
{
	make_terms(w, 10, 5, "podAntiAffinity", true, HOST);
}

#define TENANTS 20

static void
add_namespace(struct work *w, unsigned i)
{
	struct text text = { 0 };
	char name[32];

	numbered(name, sizeof(name), "tenant-", i);
	json_put(&text,
	    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':%s,"
	    "'labels':{'kubernetes.io/metadata.name':%s,'tenant':%s}}}",
	    name, name, i < TENANTS ? "yes" : "no");
	put(w, &text);
}

/* Its namespace, and its affinity to pods of its app in all tenants'. */
static struct shape
of_tenant(unsigned tenant, unsigned app, char *name, char *spec, size_t size)
{
	struct shape s = plain(app);

	snprintf(spec, size,
	    ",'affinity':{'podAntiAffinity':{"
	    "'requiredDuringSchedulingIgnoredDuringExecution':[{"
	    "'topologyKey':'" HOST "','labelSelector':{'matchLabels':{"
	    "'app':'app-%u'}},'namespaceSelector':{'matchLabels':{"
	    "'tenant':'yes'}}}]}}",
	    app);
	s.namespace = numbered(name, 32, "tenant-", tenant);
	s.spec = spec;
	return s;
}

/* Of the pods of an app, which are in several namespaces, no two on one node.  A
 * quarter of the nodes has one already. */
static void
make_namespaces(struct work *w)
{
	char name[32], spec[512];

	w->cluster->kubernetes_minor = 36;
	fill(w, KINDS);
	for (unsigned i = 0; i < 2 * TENANTS; i++)
		add_namespace(w, i);
	for (unsigned i = 0; i < w->nodes / 4; i++) {
		struct shape s = of_tenant(10 + i % (TENANTS - 10),
		    100 + i % 10, name, spec, sizeof(spec));

		add_pod(w, &s, i);
	}
	for (unsigned i = 0, n = to_place(w, 5); i < n; i++) {
		struct shape s =
		    of_tenant(i % 10, 100 + i % 10, name, spec, sizeof(spec));

		add_attempt(w, &s, PLACED);
	}
}

static void
make_affinity(struct work *w)
{
	make_terms(w, 10, 5, "podAffinity", true, ZONE);
}

static void
make_preferred(struct work *w)
{
	make_terms(w, 10, 20, "podAntiAffinity", false, HOST);
}

/* A hundred services, whose pods are all on some tenth of the nodes. */
static void
make_spreading(struct work *w)
{
	unsigned each = pods_on_each(w->options, w->nodes);

	add_nodes(w);
	for (unsigned app = 0; app < 100; app++)
		add_service(w, app);
	for (unsigned i = 0; i < w->nodes; i++)
		for (unsigned j = 0; j < each; j++) {
			struct shape s =
			    plain((unsigned)((uint64_t)i * 10 / w->nodes) * 10 +
				j % 10);

			add_pod(w, &s, i);
		}
	for (unsigned i = 0, n = to_place(w, 20); i < n; i++) {
		struct shape s = plain(i % 100);

		add_attempt(w, &s, PLACED);
	}
}

static void
make_topology_spread(struct work *w)
{
	char buf[512];

	w->profile = w->options->spreading_profile;
	fill(w, KINDS);
	for (unsigned i = 0, n = to_place(w, 20); i < n; i++) {
		struct shape s = plain(100 + i % 10);

		snprintf(buf, sizeof(buf),
		    ",'topologySpreadConstraints':[{'maxSkew':1,"
		    "'topologyKey':'" ZONE "','whenUnsatisfiable':"
		    "'DoNotSchedule','labelSelector':{'matchLabels':{"
		    "'app':'app-%u'}}},{'maxSkew':1,'topologyKey':'" HOST "',"
		    "'whenUnsatisfiable':'ScheduleAnyway','labelSelector':{"
		    "'matchLabels':{'app':'app-%u'}}}]",
		    s.app, s.app);
		s.spec = buf;
		add_attempt(w, &s, PLACED);
	}
}

/* Hard over zones and hosts, with all that 1.36 reads. */
static void
make_min_domains(struct work *w)
{
	char buf[768];

	w->cluster->kubernetes_minor = 36;
	fill(w, KINDS);
	for (unsigned i = 0, n = to_place(w, 5); i < n; i++) {
		struct shape s = plain(100 + i % 10);

		snprintf(buf, sizeof(buf),
		    ",'topologySpreadConstraints':[{'maxSkew':1,"
		    "'topologyKey':'" ZONE "','whenUnsatisfiable':"
		    "'DoNotSchedule','minDomains':%u,'nodeTaintsPolicy':"
		    "'Honor','matchLabelKeys':['app'],'labelSelector':{"
		    "'matchLabels':{'app':'app-%u'}}},{'maxSkew':1,"
		    "'topologyKey':'" HOST "','whenUnsatisfiable':"
		    "'DoNotSchedule','labelSelector':{'matchLabels':{"
		    "'app':'app-%u'}}}]",
		    w->nodes < ZONES ? w->nodes : ZONES, s.app, s.app);
		s.spec = buf;
		add_attempt(w, &s, PLACED);
	}
}

/* A claim and the volume in this zone that it is bound to. */
static void
add_claim(struct work *w, unsigned number, unsigned zone_number)
{
	struct text claim = { 0 }, volume = { 0 };
	char name[32], zone[32];

	numbered(name, sizeof(name), "claim-", number);
	snprintf(zone, sizeof(zone), "zone-%u", zone_number);
	json_put(&claim,
	    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{"
	    "'namespace':'bench','name':%s,'uid':%s,'annotations':{"
	    "'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'accessModes':["
	    "'ReadWriteOnce'],'volumeName':%s}}",
	    name, name, name);
	put(w, &claim);
	json_put(&volume,
	    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{"
	    "'name':%s,'labels':{'" ZONE "':%s}},'spec':{'claimRef':{"
	    "'namespace':'bench','name':%s,'uid':%s},'csi':{'driver':'csi.io',"
	    "'volumeHandle':%s},'nodeAffinity':{'required':{"
	    "'nodeSelectorTerms':[{'matchExpressions':[{'key':'" ZONE "',"
	    "'operator':'In','values':[%s]}]}]}}},'status':{'phase':"
	    "'Bound'}}",
	    name, zone, name, name, name, zone);
	put(w, &volume);
}

/* StatefulSets of twenty pods and a service each; each pod has a volume. */
static void
make_claims(struct work *w)
{
	char buf[128];

	fill(w, KINDS);
	for (unsigned i = 0, n = to_place(w, 5); i < n; i++) {
		struct shape s = plain(100 + i / 20);

		if (i % 20 == 0)
			add_service(w, s.app);
		add_claim(w, i, i % (w->nodes < ZONES ? w->nodes : ZONES));
		snprintf(buf, sizeof(buf),
		    ",'volumes':[{'name':'data',"
		    "'persistentVolumeClaim':{'claimName':'claim-%05u'}}]",
		    i);
		s.spec = buf;
		add_attempt(w, &s, PLACED);
	}
}

/* A claim and the volume that it is bound to, which every node reaches. */
static void
add_network_claim(struct work *w, unsigned number)
{
	struct text claim = { 0 }, volume = { 0 };
	char name[32];

	numbered(name, sizeof(name), "claim-", number);
	json_put(&claim,
	    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{"
	    "'namespace':'bench','name':%s,'uid':%s,'annotations':{"
	    "'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'accessModes':["
	    "'ReadWriteOnce'],'volumeName':%s}}",
	    name, name, name);
	put(w, &claim);
	json_put(&volume,
	    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{"
	    "'name':%s},'spec':{'claimRef':{'namespace':'bench','name':%s,"
	    "'uid':%s},'csi':{'driver':'csi.io','volumeHandle':%s}},"
	    "'status':{'phase':'Bound'}}",
	    name, name, name, name);
	put(w, &volume);
}

/* A pod's spec with such a claim. */
static void
claim_spec(char *buf, size_t size, unsigned number)
{
	snprintf(buf, size,
	    ",'volumes':[{'name':'data',"
	    "'persistentVolumeClaim':{'claimName':'claim-%05u'}}]",
	    number);
}

/* A node's limit, and in every tenth node as many volumes of pods. */
static void
add_csi_limit(struct work *w, unsigned node)
{
	struct text limit = { 0 };
	struct shape s = plain(0);
	char name[32], buf[128];

	numbered(name, sizeof(name), "node-", node);
	json_put(&limit,
	    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{"
	    "'name':%s},'spec':{'drivers':[{'name':'csi.io','nodeID':%s,"
	    "'allocatable':{'count':%d}}]}}",
	    name, name, (int64_t)CSI_LIMIT);
	put(w, &limit);
	for (unsigned i = 0; node % 10 == 0 && i < CSI_LIMIT; i++) {
		unsigned claim = 1000000 + node * CSI_LIMIT + i;

		add_network_claim(w, claim);
		claim_spec(buf, sizeof(buf), claim);
		s.spec = buf;
		add_pod(w, &s, node);
	}
}

/* StatefulSets of twenty pods; each pod has a volume of a driver with limits. */
static void
make_csi_limits(struct work *w)
{
	char buf[128];

	w->cluster->kubernetes_minor = 36;
	fill(w, KINDS);
	for (unsigned i = 0; i < w->nodes; i++)
		add_csi_limit(w, i);
	for (unsigned i = 0, n = to_place(w, 5); i < n; i++) {
		struct shape s = plain(100 + i / 20);

		add_network_claim(w, i);
		claim_spec(buf, sizeof(buf), i);
		s.spec = buf;
		add_attempt(w, &s, PLACED);
	}
}

/* The part of the pod that a node's labels do not match, as the profile's release
 * calls it. */
static const char *
unmatched(int release)
{
	if (release < 20)
		return "node selector";
	return release < 36 ? "Pod's node affinity" :
			      "Pod's node affinity/selector";
}

/* Nine of ten pods fit nowhere, the tenth is placed and changes a node. */
static void
make_unschedulable(struct work *w)
{
	char *too_big, *elsewhere;

	fill(w, KINDS);
	too_big = xasprintf("0/%u nodes are available: %u Insufficient cpu.",
	    w->nodes, w->nodes);
	elsewhere = xasprintf("0/%u nodes are available: "
			      "%u node(s) didn't match %s.",
	    w->nodes, w->nodes, unmatched(w->profile->release));
	for (unsigned i = 0, n = to_place(w, 100); i < n; i++) {
		struct shape s = plain(100 + i % 10);

		if (i % 10 == 9) {
			add_attempt(w, &s, PLACED);
		} else if (i % 10 < 5) {
			s.cpu_milli = NODE_CPU + 1;
			add_attempt(w, &s, NOWHERE)->message = too_big;
		} else {
			s.spec = ",'nodeSelector':{'no':'where'}";
			add_attempt(w, &s, NOWHERE)->message = elsewhere;
		}
	}
}

/*
 * Four pods of low priority fill each node; of every three nodes one has two of
 * the lowest priority, the others have one.  Half of the pods that come need the
 * room of one, the others of two, and no pod above the lowest priority need go.
 */
static void
make_preemption(struct work *w)
{
	unsigned n = w->nodes * 2 / 5;

	add_nodes(w);
	for (unsigned i = 0; i < w->nodes; i++)
		for (unsigned j = 0; j < 4; j++) {
			struct shape s = { .app = j,
				.cpu_milli = NODE_CPU / 4,
				.memory_mib = 1024,
				.priority = (int)((i + j) % 3) };

			add_pod(w, &s, i);
		}
	w->wave = 20;
	for (unsigned i = 0; i < n && i < w->options->place; i++) {
		unsigned room = i < n / 2 ? 2 : 1;
		struct shape s = { .app = 100 + room,
			.cpu_milli = NODE_CPU / 4 * room,
			.memory_mib = 1024,
			.priority = 1000 };

		add_attempt(w, &s, PREEMPTS)->nvictims = room;
	}
}

static void
make_from_files(struct work *w)
{
	w->profile = w->options->default_profile;
	work_read_file(w, w->options->cluster);
	work_read_file(w, w->options->to_place);
	w->nodes = w->cluster->nnodes;
	if (w->n > w->options->place)
		w->n = w->options->place;
}

/* Conditions on the placements. */

/* How many pods of app 100 + i are at each of n places. */
static unsigned *
tally(const struct work *w, bool by_zone, unsigned n)
{
	unsigned *counts = xcalloc((size_t)n * 10, sizeof(*counts));
	sym app = sym_intern("app");

	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];
		const char *number = strrchr(sym_text(node->name), '-') + 1;
		unsigned at = (unsigned)strtoul(number, NULL, 10);

		for (uint32_t j = 0; j < node->npods; j++) {
			const struct labels *labels =
			    &node->pods[j]->class->labels;
			unsigned of = (unsigned)
			    strtoul(sym_text(labels_get(labels, app)) + 4, NULL,
				10);

			if (of >= 100)
				counts[(of - 100) * n +
				    (by_zone ? at % ZONES : at)]++;
		}
	}
	return counts;
}

static void
check_anti_affinity(const struct work *w, struct result *r)
{
	AUTOFREE unsigned *counts = tally(w, false, w->nodes);

	for (size_t i = 0; i < (size_t)w->nodes * 10; i++)
		if (counts[i] > 1)
			result_wrong(r, "%u pods of app-%zu share a node",
			    counts[i], 100 + i / w->nodes);
}

static void
check_affinity(const struct work *w, struct result *r)
{
	AUTOFREE unsigned *counts = tally(w, true, ZONES);

	for (unsigned i = 0; i < 10; i++) {
		const unsigned *c = &counts[i * ZONES];

		if ((c[0] > 0) + (c[1] > 0) + (c[2] > 0) > 1)
			result_wrong(r, "app-%u is in several zones", 100 + i);
	}
}

static void
check_preferred(const struct work *w, struct result *r)
{
	AUTOFREE unsigned *counts = tally(w, false, w->nodes);
	size_t shared = 0;

	/* while there are enough nodes none need be shared; other priorities
	 * may outweigh the wish, though */
	for (size_t i = 0; i < (size_t)w->nodes * 10; i++)
		shared += counts[i] > 1;
	if (r->tried / 10 <= w->nodes / 2 && shared > r->tried / 20)
		result_wrong(r, "%zu nodes hold several pods of an app",
		    shared);
}

static void
check_claims(const struct work *w, struct result *r)
{
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];
		unsigned zone =
		    (unsigned)strtoul(sym_text(node->name) + strlen("node-"),
			NULL, 10) %
		    ZONES;

		for (uint32_t j = 0; j < node->npods; j++) {
			const struct pod_class *class = node->pods[j]->class;
			const char *claim = class->nvolumes > 0 ?
			    sym_text(class->volumes[0].id) :
			    NULL;

			if (claim != NULL &&
			    strtoul(claim + strlen("claim-"), NULL, 10) %
				    ZONES !=
				zone)
				result_wrong(r, "%s is in another zone", claim);
		}
	}
}

static void
check_csi_limits(const struct work *w, struct result *r)
{
	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];

		if (node->nattachable > CSI_LIMIT)
			result_wrong(r, "%s has %u volumes",
			    sym_text(node->name), node->nattachable);
	}
}

static void
check_topology_spread(const struct work *w, struct result *r)
{
	AUTOFREE unsigned *counts = tally(w, true, ZONES);

	for (unsigned i = 0; w->nodes >= ZONES && i < 10; i++) {
		unsigned least = UINT32_MAX, most = 0;

		for (unsigned j = 0; j < ZONES; j++) {
			unsigned n = counts[i * ZONES + j];

			least = n < least ? n : least;
			most = n > most ? n : most;
		}
		if (most - least > 1)
			result_wrong(r,
			    "app-%u has %u pods in one zone, "
			    "%u in another",
			    100 + i, most, least);
	}
}

/* Devices */

#define DEVICES_EACH 8
#define DRIVER "gpu.example.com"

static void
add_slice(struct work *w, unsigned node)
{
	struct text text = { 0 };
	char name[32];

	numbered(name, sizeof(name), "node-", node);
	json_put(&text,
	    "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceSlice',"
	    "'metadata':{'name':%s},'spec':{'driver':'" DRIVER "',"
	    "'nodeName':%s,'pool':{'name':%s,'generation':1,"
	    "'resourceSliceCount':1},'devices':[",
	    name, name, name);
	for (unsigned i = 0; i < DEVICES_EACH; i++) {
		char device[32];

		snprintf(device, sizeof(device), "gpu-%u", i);
		json_put(&text, i > 0 ? ",{'name':%s" : "{'name':%s", device);
		json_put(&text,
		    ",'attributes':{'model':{'string':%s},'numa':{'int':%d}},"
		    "'capacity':{'memory':{'value':%s}}}",
		    i % 2 == 0 ? "h100" : "a100", (int64_t)i / 4,
		    i % 2 == 0 ? "80Gi" : "40Gi");
	}
	text_put(&text, "]}}");
	put(w, &text);
}

/* requests: of each claim; NULL: there are none. */
static void
make_devices(struct work *w, const char *requests, const char *pod_spec,
    unsigned each)
{
	struct text text = { 0 };
	char spec[512];

	w->cluster->kubernetes_minor = 36;
	fill(w, KINDS);
	for (unsigned i = 0; i < w->nodes; i++)
		add_slice(w, i);
	json_put(&text,
	    "{'apiVersion':'resource.k8s.io/v1','kind':'DeviceClass',"
	    "'metadata':{'name':'gpu'},'spec':{"
	    "'extendedResourceName':'example.com/gpu','selectors':[{'cel':{"
	    "'expression':%s}}]}}",
	    "device.driver == \"" DRIVER "\"");
	put(w, &text);
	for (unsigned i = 0, n = to_place(w, each); i < n; i++) {
		struct shape s = plain(100 + i % 10);
		char name[32];

		numbered(name, sizeof(name), "claim-", i);
		if (requests != NULL) {
			json_put(&text,
			    "{'apiVersion':'resource.k8s.io/v1',"
			    "'kind':'ResourceClaim','metadata':{'name':%s,"
			    "'namespace':'bench','uid':%s},'spec':{'devices':",
			    name, name);
			json_put(&text, requests);
			text_put(&text, "}}");
			put(w, &text);
		}
		snprintf(spec, sizeof(spec), pod_spec, name);
		s.spec = spec;
		add_attempt(w, &s, PLACED);
	}
}

#define NAMES_CLAIM                                                            \
	",'resourceClaims':[{'name':'gpu','resourceClaimName':'%s'}]"

static void
make_devices_by_model(struct work *w)
{
	make_devices(w,
	    "{'requests':[{'name':'q','exactly':{'deviceClassName':'gpu',"
	    "'allocationMode':'ExactCount','count':1,'selectors':[{'cel':{"
	    "'expression':\"device.attributes[\\\"" DRIVER
	    "\\\"].model == \\\"h100\\\" && device.capacity[\\\"" DRIVER
	    "\\\"].memory.compareTo(quantity(\\\"60Gi\\\")) >= 0\"}}]}}]}",
	    NAMES_CLAIM, DEVICES_EACH / 2);
}

static void
make_device_pairs(struct work *w)
{
	make_devices(w,
	    "{'requests':[{'name':'q','exactly':{'deviceClassName':'gpu',"
	    "'allocationMode':'ExactCount','count':2}}],'constraints':[{"
	    "'requests':['q'],'matchAttribute':'" DRIVER "/model'}]}",
	    NAMES_CLAIM, DEVICES_EACH / 2);
}

static void
make_device_resources(struct work *w)
{
	make_devices(w, NULL,
	    ",'initContainers':[{'name':'i','restartPolicy':'Always',"
	    "'resources':{'requests':{'example.com/gpu':'1'}}}]",
	    DEVICES_EACH);
}

static void
make_device_choices(struct work *w)
{
	make_devices(w,
	    "{'requests':[{'name':'q','firstAvailable':[{'name':'best',"
	    "'deviceClassName':'gpu','allocationMode':'ExactCount','count':1,"
	    "'selectors':[{'cel':{'expression':\"device.attributes[\\\"" DRIVER
	    "\\\"].model == \\\"h100\\\"\"}}]},{'name':'other',"
	    "'deviceClassName':'gpu','allocationMode':'ExactCount',"
	    "'count':1}]}]}",
	    NAMES_CLAIM, DEVICES_EACH);
}

/* Every pod that was placed has devices, and no other has them, too. */
static void
check_devices(const struct work *w, struct result *r)
{
	const struct map *claims = &w->cluster->named[OBJECT_RESOURCE_CLAIM];
	struct strmap taken = { 0 };
	size_t allocated = 0;

	EACH_VALUE (claims, struct resource_claim, claim)
		for (uint32_t i = 0; i < claim->nresults; i++) {
			const struct device_result *d = &claim->results[i];
			char *name = xasprintf("%s/%s", sym_text(d->pool),
			    sym_text(d->device));

			allocated += i == 0;
			if (strmap_put(&taken, name, name) != NULL)
				result_wrong(r, "%s is given twice", name);
		}
	if (allocated != r->placed)
		result_wrong(r, "%zu claims for %llu pods", allocated,
		    (unsigned long long)r->placed);
	EACH_VALUE (&taken, char, name)
		free(name);
	strmap_fini(&taken);
}

const struct scenario scenarios[] = {
	{ "identical", "pods of one kind", make_identical, NULL, NULL, false },
	{ "jobs", "four sorts of Jobs, every pod a Job's own", make_jobs, NULL,
	    NULL, false },
	{ "20-templates", "pods of twenty kinds, a third with affinity",
	    make_templates, NULL, NULL, false },
	{ "unlike", "no two pods request the same", make_unlike, NULL, NULL,
	    false },
	{ "anti-affinity", "required anti-affinity on " HOST ", ten apps",
	    make_anti_affinity, check_anti_affinity, NULL, false },
	{ "namespaces", "required anti-affinity by namespaceSelector, ten apps",
	    make_namespaces, check_anti_affinity, NULL, false },
	{ "affinity", "required affinity on the zone, ten apps", make_affinity,
	    check_affinity, NULL, false },
	{ "preferred", "preferred anti-affinity on " HOST ", ten apps",
	    make_preferred, check_preferred, NULL, false },
	{ "spreading", "a hundred services, unevenly spread", make_spreading,
	    NULL, NULL, false },
	{ "topology-spread",
	    "topologySpreadConstraints (default provider, "
	    "gate EvenPodsSpread)",
	    make_topology_spread, check_topology_spread, NULL, false },
	{ "min-domains", "hard spread over zones, with minDomains, and hosts",
	    make_min_domains, check_topology_spread, NULL, false },
	{ "claims", "StatefulSets whose volumes are bound in a zone",
	    make_claims, check_claims, NULL, false },
	{ "csi-limits",
	    "volumes with limits of CSINodes, a tenth of which are full",
	    make_csi_limits, check_csi_limits, NULL, false },
	{ "devices", "a claim for a device by model and memory, 8 on a node",
	    make_devices_by_model, check_devices, NULL, false },
	{ "device-pairs", "a claim for two devices of one model",
	    make_device_pairs, check_devices, NULL, false },
	{ "device-resources", "an extended resource that devices stand for",
	    make_device_resources, check_devices, NULL, false },
	{ "device-choices", "a claim with firstAvailable", make_device_choices,
	    check_devices, NULL, false },
	{ "unschedulable", "nine of ten pods fit nowhere, and try to preempt",
	    make_unschedulable, NULL, NULL, false },
	{ "preemption", "full nodes, pods of higher priority", make_preemption,
	    NULL, NULL, false },
	{ "cold-start", "predicatectl simulate, one pod to place", NULL, NULL,
	    cold_start, false },
	{ "files", "--cluster and --pods (default provider)", make_from_files,
	    NULL, NULL, true },
};
const size_t nscenarios = LENGTH(scenarios);
