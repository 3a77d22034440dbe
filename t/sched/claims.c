/*
 * Decisions about pods with claims are the same with the cache and without,
 * whatever their claims are like, and however volumes, claims and nodes change
 * meanwhile.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "decide/ecache/ecache.h"
#include "policy/policy.h"
#include "decide/sched/decide.h"
#include "decide/sched/preempt.h"
#include "t/lib/profile.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 40
#define PODS 50
#define CLAIMS 14
#define PROBES 12
#define STEPS 150

#define ZONE "failure-domain.beta.kubernetes.io/zone"
#define REGION "failure-domain.beta.kubernetes.io/region"
#define HOST "kubernetes.io/hostname"

static uint64_t
    state; /* of random numbers; each history begins with its seed */

/* The events of a history, and counts of them. */
struct story {
	bool broken;  /* claims and volumes are missing, unbound or invalid */
	bool kosmos;  /* there are leaf nodes, whose volumes do not count */
	bool limited; /* some nodes limit how many volumes they take */
	int release;  /* the cluster's minor; 0: 1.15 */
	int rules;    /* the profile's; 0: a policy's */
	unsigned nvolumes;

	/* Decisions without errors, those of them that needed no look at every
	 * node, and pods that were evicted. */
	unsigned ndecided, nkept, nvictims;
};

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

#define ONE_OF(list) list[any(sizeof(list) / sizeof(list[0]))]

static void __attribute__((format(printf, 2, 3)))
put(struct world *w, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	world_put(w, text);
	free(text);
}

static void
put_node(const struct story *story, struct world *w, unsigned i)
{
	static const char *const places[] = { "", ZONE ": z0, " REGION ": r, ",
		ZONE ": z1, " REGION ": r, ", ZONE ": z2, " REGION ": q, ",
		REGION ": r, " };
	static const char *const others[] = { "", "", "disk: ssd", "disk: hdd",
		"beta.kubernetes.io/instance-type: m5.large" };
	static const char *const limits[] = {
		"", "", "", "attachable-volumes-csi-x.io: 2, ",
		"attachable-volumes-aws-ebs: 1, ",
		"attachable-volumes-gce-pd: 0, attachable-volumes-csi-x.io: 9, "
	};

	put(w,
	    "--- {kind: Node, metadata: {name: n%u, labels: {%s" HOST
	    ": n%u, other: '%u', %s}, annotations: {%s}}, spec: {taints:"
	    " [%s]}, status: {allocatable: {pods: 110, %scpu: %u,"
	    " memory: 8Gi}}}\n",
	    i, ONE_OF(places), i, any(3), ONE_OF(others),
	    story->kosmos && any(3) == 0 ? "leafNodeMode: one2cluster, "
					   "kosmos-io/owned-by-cluster: m" :
					   "",
	    story->kosmos && any(3) == 0 ?
		"{key: kosmos.io/node, value: 'true', "
		"effect: NoSchedule}" :
		"",
	    story->limited ? ONE_OF(limits) : "", any(3) + 2);
}

#define PRESSURE                                                               \
	"allocatable: {pods: 110}, conditions: [{type: DiskPressure, "         \
	"status: 'True'}]"
#define TERM(inside)                                                           \
	"nodeAffinity: {required: {nodeSelectorTerms: [" inside "]}}"
#define LABELS(key, rest) "{matchExpressions: [{key: " key ", " rest "}]}"

static void
put_volume(const struct story *story, struct world *w, unsigned i)
{
	static const char *const affinities[] = { "", TERM(""),
		TERM(LABELS(ZONE, "operator: In, values: [z0]")),
		TERM(LABELS(ZONE, "operator: In, values: [z1, z2]")),
		TERM(LABELS(ZONE, "operator: NotIn, values: [z1]")),
		TERM(LABELS(HOST, "operator: In, values: [n3]")),
		TERM(LABELS(HOST, "operator: In, values: [n7]")),
		TERM(LABELS(HOST, "operator: In, values: [n8]")),
		TERM(LABELS("disk", "operator: Exists")),
		TERM(LABELS("other", "operator: Gt, values: ['0']")),
		TERM(LABELS("disk", "operator: DoesNotExist") ", " LABELS(ZONE,
		    "operator: In, values: [z2]")),
		TERM("{matchFields: [{key: metadata.name, operator: In, "
		     "values: [n3]}]}"),
		TERM("{matchFields: [{key: metadata.name, operator: NotIn, "
		     "values: [n3]}]}"),
		(TERM("{matchFields: [{key: metadata.name, operator: In, "
		      "values: ['']}], matchExpressions: [{key: disk, "
		      "operator: Exists}]}")) };
	static const char *const sources[] = { ("csi: {driver: x.io, "
						"volumeHandle: h"),
		"gcePersistentDisk: {pdName: d",
		"awsElasticBlockStore: {volumeID: e",
		"nfs: {server: s, path: /" };
	static const char *const labels[] = { "", "", ZONE ": z0",
		ZONE ": z1__z2", ZONE ": z2, " REGION ": q", REGION ": r",
		ZONE ": z0__" };
	static const char *const classes[] = { "local", "local", "wait",
		"topo" };
	char claim[64] = "";

	if (any(4) == 0)
		snprintf(claim, sizeof(claim),
		    "claimRef: {namespace: default,"
		    " name: c%u%s}, ",
		    any(CLAIMS), any(2) == 0 ? ", uid: u" : "");
	put(w,
	    "--- {kind: PersistentVolume, metadata: {name: v%u, labels:"
	    " {%s}, annotations: {%s}}, spec: {capacity: {storage: %uGi},"
	    " accessModes: [ReadWriteOnce], storageClassName: %s, %s%s%u},"
	    " %s},"
	    " status: {phase: %s}}\n",
	    i, ONE_OF(labels),
	    story->kosmos && any(3) == 0 ? "kosmos-io/cluster-owners: m" : "",
	    any(3) + 1, ONE_OF(classes), claim, ONE_OF(sources), i,
	    ONE_OF(affinities), any(4) == 0 ? "Bound" : "Available");
}

static void
put_claim(const struct story *story, struct world *w, unsigned i)
{
	static const char *const classes[] = { "local", "wait", "ebs", "topo" };
	static const char *const worse[] = { "now", "vague", "none", "" };
	static const char *const selectors[] = {
		"selector: {matchLabels: {" ZONE ": z0}}, ",
		"selector: {matchExpressions: [{key: a,"
		" operator: Wrong}]}, "
	};
	bool bound = any(2) == 0;
	char volume[64] = "", selected[80] = "";

	if (bound)
		snprintf(volume, sizeof(volume), "volumeName: v%u, ",
		    any(story->broken ? story->nvolumes + 1 : story->nvolumes));
	if (any(6) == 0)
		snprintf(selected, sizeof(selected),
		    "volume.kubernetes.io/selected-node: n%u, ", any(NODES));
	put(w,
	    "--- {kind: PersistentVolumeClaim, metadata: {namespace:"
	    " default, name: c%u, uid: u, annotations: {%s%s%s}%s}, spec: {%s%s"
	    " accessModes: [ReadWriteOnce%s], storageClassName: '%s',"
	    " resources: {requests: {storage: %uGi}}}}\n",
	    i,
	    bound && (!story->broken || any(8) > 0) ?
		"pv.kubernetes.io/bind-completed: 'yes', " :
		"",
	    selected,
	    story->kosmos && any(3) == 0 ? "kosmos-io/cluster-owners: m" : "",
	    story->broken && any(20) == 0 ?
		", deletionTimestamp: '2020-01-01T00:00:00Z'" :
		"",
	    volume, any(8) == 0 ? selectors[story->broken && any(3) == 0] : "",
	    story->release > 0 && any(6) == 0 ? "Pod" : "",
	    story->broken && any(8) == 0 ? ONE_OF(worse) : ONE_OF(classes),
	    any(3) + 1);
}

/* Later than 1.15: limits of CSI drivers, room for their volumes, and
 * devices. */
static void
put_later(const struct story *story, struct world *w)
{
	static const char *const limits[] = { "",
		"{name: x.io, allocatable: {count: 1}}, ",
		("{name: x.io, allocatable: {count: 3}}, {name: "
		 "ebs.csi.aws.com, allocatable: {count: 1}}, "),
		"{name: pd.csi.storage.gke.io, allocatable: {count: 0}}, ",
		"{name: ebs.csi.aws.com, allocatable: {count: 0}}, " };
	static const char *const migrated[] = { "", "kubernetes.io/aws-ebs",
		"kubernetes.io/aws-ebs,kubernetes.io/gce-pd" };
	static const char *const places[] = { "", "nodeTopology: {}, ",
		"nodeTopology: {matchLabels: {" ZONE ": z0}}, ",
		"nodeTopology: {matchLabels: {" HOST ": n3}}, ",
		"nodeTopology: {matchExpressions: [{key: " HOST
		", operator: NotIn, values: [n3]}]}, " };
	static const char *const devices[] = {
		"", "allocation: {}",
		"allocation: {nodeSelector: {nodeSelectorTerms: [{matchFields: "
		"[{key: metadata.name, operator: In, values: [n3]}]}]}}",
		"allocation: {nodeSelector: {nodeSelectorTerms: [" LABELS(ZONE,
		    "operator: In, values: [z0, z1]") "]}}",
		"allocation: {devices: {results: [{bindingConditions: [a]}]}}"
	};

	switch (any(6)) {
	case 0:
		put(w,
		    "--- {kind: CSINode, metadata: {name: n%u, annotations: "
		    "{storage.alpha.kubernetes.io/migrated-plugins: '%s'}}, "
		    "spec: {drivers: [%s]}}\n",
		    any(NODES), ONE_OF(migrated), ONE_OF(limits));
		break;
	case 1:
		put(w,
		    "--- {kind: VolumeAttachment, metadata: {name: a%u}, "
		    "spec: {attacher: x.io, nodeName: n%u, source: "
		    "{persistentVolumeName: v%u}}}\n",
		    any(30), any(6), any(story->nvolumes + 1));
		break;
	case 2:
		put(w,
		    "--- {kind: CSIStorageCapacity, metadata: {namespace: "
		    "default, name: r%u}, storageClassName: %s, %s"
		    "capacity: %uGi}\n",
		    any(9), any(2) == 0 ? "wait" : "topo", ONE_OF(places),
		    any(4));
		break;
	case 3:
		put(w,
		    "--- {kind: CSIDriver, metadata: {name: x.io}, "
		    "spec: {storageCapacity: %s}}\n",
		    any(3) == 0 ? "false" : "true");
		break;
	default:
		put(w,
		    "--- {kind: ResourceClaim, metadata: {namespace: "
		    "default, name: d%u}, status: {%s}}\n",
		    any(5), ONE_OF(devices));
		break;
	}
}

/* A pod's volumes, in a static buffer. */
static const char *
random_volumes(const struct story *story)
{
	static char text[400];
	unsigned n = any(10) < 6 ? 1 : any(4);
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < n; i++) {
		char name[16] = "''";

		if (!story->broken || any(40) > 0)
			snprintf(name, sizeof(name), "c%u",
			    any(story->broken && any(4) == 0 ? CLAIMS + 1 :
							       CLAIMS));
		switch (any(10)) {
		case 0:
			at += (size_t)snprintf(text + at, sizeof(text) - at,
			    "{name: g%u, gcePersistentDisk: {pdName: d%u}}, ",
			    i, any(4));
			break;
		case 1:
			at += (size_t)snprintf(text + at, sizeof(text) - at,
			    "{name: e%u, awsElasticBlockStore: {volumeID: "
			    "e%u}}, ",
			    i, any(4));
			break;
		default:
			at += (size_t)snprintf(text + at, sizeof(text) - at,
			    "{name: c%u, persistentVolumeClaim: {claimName: "
			    "%s}}, ",
			    i, name);
			break;
		}
	}
	return text;
}

/* Those that wait are important, and some need most of a node. */
static char *
random_pod(const struct story *story, const char *name, unsigned i,
    const char *node)
{
	bool waits = node[0] == '\0';

	return xasprintf(
	    "--- {kind: Pod, metadata: {namespace: default, name:"
	    " %s%u, labels: {app: a%u}}, spec: {nodeName: '%s', priority: %u,"
	    " containers: [{name: c, image: i, resources: {requests: {cpu:"
	    " %u00m}}}], nodeSelector: {%s}, %svolumes: [%s]}, status:"
	    " {nominatedNodeName: '%s'}}\n",
	    name, i, any(2), node, waits ? 3 : any(3),
	    waits && any(3) == 0 ? 39 : any(8) + 1,
	    any(4) == 0 ? "disk: ssd" : "",
	    story->release > 0 && any(4) == 0 ?
		"resourceClaims: [{name: r, resourceClaimName: d3}], " :
		"",
	    random_volumes(story),
	    !waits || strcmp(name, "probe") == 0 ? "" :
		any(2) == 0                      ? "n1" :
						   "n2");
}

static void
put_pod(const struct story *story, struct world *w, unsigned i)
{
	char node[16];
	AUTOFREE char *text = NULL;

	/* many on few nodes */
	snprintf(node, sizeof(node), "n%u", any(any(2) == 0 ? NODES : 6));
	if (any(12) == 0)
		node[0] = '\0';
	text = random_pod(story, "p", i, node);
	world_put(w, text);
}

static void
take(struct world *w, const char *kind, const char *name, unsigned i)
{
	AUTOFREE char *text = xasprintf("--- {kind: %s, metadata: {%sname: "
					"%s%u}}\n",
	    kind,
	    kind[0] == 'N' || strlen(kind) == 16 ? "" : "namespace: default, ",
	    name, i);

	world_remove(w, text);
}

static void
step(const struct story *story, struct world *w)
{
	unsigned i = any(50);

	if (story->release > 0 && any(3) == 0) {
		put_later(story, w);
		return;
	}
	switch (any(8)) {
	case 0:
		put_node(story, w, i % NODES);
		break;
	case 1:
		put_volume(story, w, i % story->nvolumes);
		break;
	case 2:
		put_claim(story, w, i % CLAIMS);
		break;
	case 3:
		if (any(6) == 0)
			take(w, "Node", "n", i % NODES);
		break;
	case 4:
		if (any(3) == 0 && story->broken)
			take(w, "PersistentVolume", "v", i % story->nvolumes);
		else if (any(3) == 0 && story->broken)
			take(w, "PersistentVolumeClaim", "c", i % CLAIMS);
		break;
	case 5:
		take(w, "Pod", "p", i % PODS);
		break;
	default:
		put_pod(story, w, i % PODS);
		break;
	}
}

static int
by_name(const void *a, const void *b)
{
	const struct pod *const *x = a, *const *y = b;

	return strcmp((*x)->object.name, (*y)->object.name);
}

/* All that is decided and said; you own it. */
static char *
told(struct story *story, struct world *w, const struct profile *profile,
    struct ecache *ecache, const struct pod *pod, uint64_t seed)
{
	struct arena arena = ARENA_INIT;
	struct cycle cycle = { .cluster = w->cluster,
		.profile = profile,
		.pod = pod,
		.class = pod->class,
		.arena = &arena,
		.ecache = ecache,
		.seed = seed };
	struct decision *d = decide(&cycle);
	bool kept = d->kept != NULL && d->error == NULL;
	char *text = NULL;
	const struct preemption *p;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "%s, %u fit, %u best with %lld: %s; ",
	    d->chosen != NULL ? sym_text(d->chosen->name) : "-", d->nfeasible,
	    d->nbest, (long long)d->best_total, decision_message(&cycle, d));
	p = preempt(&cycle, d);
	if (p != NULL && p->node != NULL) {
		fprintf(out, "on %s goes ", sym_text(p->node->name));
		qsort(p->victims, p->nvictims, sizeof(*p->victims), by_name);
		for (size_t i = 0; i < p->nvictims; i++)
			fprintf(out, "%s ", p->victims[i]->object.name);
		story->nvictims += ecache != NULL ? (unsigned)p->nvictims : 0;
	}
	decision_spell_out(&cycle, d);
	for (uint32_t i = 0; d->error == NULL && i < d->nnodes; i++)
		fprintf(out, "%d", d->verdicts[i].verdict);
	for (uint32_t i = 0; d->error == NULL && i < d->nfeasible; i++)
		fprintf(out, " %lld", (long long)d->totals[i]);
	fclose(out);
	story->ndecided += ecache != NULL && d->error == NULL;
	story->nkept += ecache != NULL && kept;
	arena_fini(&arena);
	return text;
}

static void
compare(struct story *story, struct world *w, const struct profile *profile,
    struct ecache *ecache, struct pod **probes)
{
	for (unsigned i = 0; i < PROBES; i++) {
		uint64_t seed = any(1000);
		AUTOFREE char *kept =
		    told(story, w, profile, ecache, probes[i], seed);
		AUTOFREE char *plain =
		    told(story, w, profile, NULL, probes[i], seed);

		t_str("decision with what was kept", kept, plain);
	}
}

/* The decision about two nodes and a pod with the cache; "n1" or the message. */
static void
check_two(const char *name, const char *policy, const char *objects,
    const char *pod, const char *want)
{
	struct profile *profile = t_profile(policy, NULL);
	struct world *w = world_new(objects);
	struct ecache *ecache =
	    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	const struct decision *d;

	world_pod(w, pod);
	w->cycle.profile = profile;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = false;
	d = decide(&w->cycle);
	t_true(name, d->kept != NULL);
	t_int(name, d->nfeasible, d->chosen != NULL);
	t_str(name,
	    d->chosen != NULL ?
		sym_text(d->chosen->name) :
		decision_message(&w->cycle, (struct decision *)d),
	    want);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

#define EACH_EBS(f) f(a) f(b) f(c) f(d) f(e)
#define EBS(i) "{name: " i ", awsElasticBlockStore: {volumeID: " i "}}, "
#define FIVE_EBS(i) EBS(#i "0") EBS(#i "1") EBS(#i "2") EBS(#i "3") EBS(#i "4")
#define POLICY_OF(predicates)                                                    \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[" predicates \
	"],\"priorities\":["                                                     \
	"{\"name\":\"EqualPriority\",\"weight\":1}]}"

static void
one_node_of_a_group_differs(void)
{
	/* the disk is looked at after the volume */
	check_two("refused later",
	    POLICY_OF("{\"name\":\"CheckVolumeBinding\"},"
		      "{\"name\":\"CheckNodeDiskPressure\"}"),
	    W_NODE_STATUS("n1", "at: a", "", PRESSURE) W_NODE_STATUS("n2",
		"at: b", "",
		PRESSURE) "--- {kind: PersistentVolume, metadata: {name: v}, spec: {" TERM(LABELS("at",
		"operator: In, values: [a]")) "}}\n"
					      "--- {kind: PersistentVolumeClaim, metadata: {namespace: default,"
					      " name: c, annotations: {pv.kubernetes.io/bind-completed: 'yes'}},"
					      " spec: {volumeName: v}}\n",
	    W_POD("p", "", "",
		"volumes: [{name: v, persistentVolumeClaim:"
		" {claimName: c}}]"),
	    "0/2 nodes are available: 1 node(s) had disk pressure, "
	    "1 node(s) had volume node affinity conflict.");
	check_two("fewer volumes than usual",
	    POLICY_OF("{\"name\":\"MaxEBSVolumeCount\"}"),
	    W_NODE("n1", "beta.kubernetes.io/instance-type: m5.large", "")
		W_NODE("n2", "", "")
		    W_POD("q", "", "n1", "volumes: [" EACH_EBS(FIVE_EBS) "]"),
	    W_POD("p", "", "", "volumes: [" EBS("z") "]"), "n2");
}

#define V(source)                                                              \
	"--- {kind: PersistentVolume, metadata: {name: v}, spec: {" source     \
	"}}\n"
#define C                                                                      \
	"--- {kind: PersistentVolumeClaim, metadata: {namespace: default,"     \
	" name: c}, spec: {volumeName: v}}\n"
#define CSI "csi: {driver: x.io, volumeHandle: h}"
#define LIMITED "allocatable: {pods: 110, attachable-volumes-aws-ebs: 1}"
#define USES(claim) "{name: v, persistentVolumeClaim: {claimName: " claim "}}"

static uint32_t
count_fit(struct world *w, const struct profile *profile, struct ecache *ecache,
    const char *pod)
{
	world_pod(w, pod);
	w->cycle.profile = profile;
	w->cycle.ecache = ecache;
	w->cycle.keep_scores = false;
	return decide(&w->cycle)->nfeasible;
}

/* A claim counts against limits unless its volume is known to be another sort. */
static void
claims_may_lose_their_volumes(void)
{
	static const struct {
		const char *put, *remove;
	} rows[] = {
		{ "", V("") },
		{ "", C },
		{ V("awsElasticBlockStore: {volumeID: e}"), "" },
		{ "--- {kind: PersistentVolumeClaim, metadata: {namespace: "
		  "default, name: c}, spec: {volumeName: other}}\n",
		    "" },
	};
	const char *pod = W_POD("p", "", "", "volumes: [" EBS("z") "]");
	struct profile *profile =
	    t_profile(POLICY_OF("{\"name\":\"MaxEBSVolumeCount\"}"), NULL);

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(W_NODE_STATUS("n1", "", "", LIMITED)
			W_NODE_STATUS("n2", "", "", LIMITED) V(CSI)
			    C W_POD("q", "", "n1",
				"volumes: [{name: v,"
				" persistentVolumeClaim: {claimName: c}}]"));
		struct ecache *ecache =
		    ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);

		t_int("before", count_fit(w, profile, ecache, pod), 2);
		world_put(w, rows[i].put);
		world_remove(w, rows[i].remove);
		t_int("after", count_fit(w, profile, ecache, pod), 1);
		ecache_free(ecache);
		world_free(w);
	}
	profile_free(profile);
}

#define CSI_NODE(name, migrated)                                               \
	"--- {kind: CSINode, metadata: {name: " name ", annotations: "         \
	"{storage.alpha.kubernetes.io/migrated-plugins: '" migrated "'}}, "    \
	"spec: {drivers: [{name: ebs.csi.aws.com, "                            \
	"allocatable: {count: 0}}]}}\n"

/* Also where no pod has the volume yet. */
static void
nodes_differ_by_what_they_have_migrated(void)
{
	struct profile *profile =
	    t_profile(POLICY_OF("{\"name\":\"MaxCSIVolumeCountPred\"}"), NULL);
	struct world *w = world_new(W_NODE("n1", "", "") W_NODE("n2", "",
	    "") CSI_NODE("n1", "") CSI_NODE("n2",
	    "kubernetes.io/aws-ebs") "--- {kind: StorageClass, metadata: {name: ebs}, provisioner: "
				     "kubernetes.io/aws-ebs}\n"
				     "--- {kind: PersistentVolumeClaim, metadata: {namespace: "
				     "default, name: c}, spec: {storageClassName: ebs}}\n");
	struct ecache *ecache;

	w->cluster->kubernetes_minor = 24;
	ecache = ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	t_int("nodes that have not",
	    count_fit(w, profile, ecache,
		W_POD("p", "", "", "volumes: [" USES("c") "]")),
	    1);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

static const char classes[] = W_SERVICE("s",
    "app: a0") "--- {kind: StorageClass, metadata: {name: local}, provisioner:"
	       " kubernetes.io/no-provisioner, volumeBindingMode:"
	       " WaitForFirstConsumer}\n"
	       "--- {kind: StorageClass, metadata: {name: wait}, provisioner: x.io,"
	       " volumeBindingMode: WaitForFirstConsumer}\n"
	       "--- {kind: StorageClass, metadata: {name: topo}, provisioner: x.io,"
	       " volumeBindingMode: WaitForFirstConsumer, allowedTopologies:"
	       " [{matchLabelExpressions: [{key: " ZONE ", values: [z0, z2]}]},"
	       " {matchLabelExpressions: [{key: disk, values: [ssd]}, {key: " REGION
	       ", values: [r]}]}]}\n"
	       "--- {kind: StorageClass, metadata: {name: ebs}, provisioner:"
	       " kubernetes.io/aws-ebs, volumeBindingMode: WaitForFirstConsumer}\n"
	       "--- {kind: StorageClass, metadata: {name: now}, provisioner: x.io,"
	       " volumeBindingMode: Immediate}\n"
	       "--- {kind: StorageClass, metadata: {name: vague}, provisioner: x.io}\n";

static void
live(struct story *story, const char *policy, uint64_t seed)
{
	const struct policy_options options = { .gates = gates_default,
		.kosmos = story->kosmos };
	struct profile *profile = t_profile(policy, &options);
	struct world *w = world_new(classes);
	struct ecache *ecache;
	struct pod *probes[PROBES];

	if (story->rules > 0)
		profile->release = story->rules;
	state = seed;
	story->limited = seed % 4 < 2;
	story->nvolumes = seed % 3 == 0 ? 3 : 14;
	if (story->release > 0)
		w->cluster->kubernetes_minor = story->release;
	for (unsigned i = 0; story->release > 0 && i < NODES; i++)
		put_later(story, w);
	ecache = ecache_new(w->cluster, profile, ECACHE_BYTES_DEFAULT);
	for (unsigned i = 0; i < NODES; i++)
		put_node(story, w, i);
	for (unsigned i = 0; i < story->nvolumes; i++)
		put_volume(story, w, i);
	for (unsigned i = 0; i < CLAIMS; i++)
		put_claim(story, w, i);
	for (unsigned i = 0; i < PODS / 2; i++)
		put_pod(story, w, i);
	for (unsigned i = 0; i < PROBES; i++) {
		AUTOFREE char *text = random_pod(story, "probe", i, "");

		probes[i] = world_decode_pod(text);
	}
	for (unsigned i = 0; i < STEPS; i++) {
		step(story, w);
		if (i % 3 == 0)
			compare(story, w, profile, ecache, probes);
	}
	for (unsigned i = 0; i < PROBES; i++)
		pod_unref(probes[i]);
	ecache_free(ecache);
	world_free(w);
	profile_free(profile);
}

#define PREDICATES                                                               \
	"{\"name\":\"GeneralPredicates\"},{\"name\":\"NoDiskConflict\"},"        \
	"{\"name\":\"NoVolumeZoneConflict\"},{\"name\":\"CheckVolumeBinding\"}," \
	"{\"name\":\"MaxEBSVolumeCount\"},{\"name\":\"MaxGCEPDVolumeCount\"},"   \
	"{\"name\":\"MaxAzureDiskVolumeCount\"},"                                \
	"{\"name\":\"MaxCinderVolumeCount\"},"                                   \
	"{\"name\":\"MaxCSIVolumeCountPred\"},"                                  \
	"{\"name\":\"MatchInterPodAffinity\"}"
#define POLICY                                                                   \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[" PREDICATES \
	"],\"priorities\":["                                                     \
	"{\"name\":\"LeastRequestedPriority\",\"weight\":1},"                    \
	"{\"name\":\"SelectorSpreadPriority\",\"weight\":1},"                    \
	"{\"name\":\"Away\",\"weight\":2,\"argument\":{"                         \
	"\"serviceAntiAffinity\":{\"label\":\"other\"}}},"                       \
	"{\"name\":\"NodeAffinityPriority\",\"weight\":1}]}"
/* One group of nodes, or few. */
#define SHORT_POLICY                                                             \
	"{\"kind\":\"Policy\",\"apiVersion\":\"v1\",\"predicates\":[" PREDICATES \
	"],\"priorities\":["                                                     \
	"{\"name\":\"EqualPriority\",\"weight\":1}]}"

static void
live_often(struct story *story)
{
	for (uint64_t seed = 1; seed <= 8; seed++)
		live(story, seed % 2 == 0 ? POLICY : SHORT_POLICY, seed);
}

static void
claims_are_decided_from_what_was_kept(void)
{
	struct story s = { 0 };

	live_often(&s);
	t_true("they are decided", s.ndecided > 2000);
	t_true("some by eviction", s.nvictims > 20);
	t_true("most from what was kept", s.nkept * 10 > s.ndecided * 9);
}

static void
broken_claims_make_no_difference(void)
{
	struct story s = { .broken = true };

	live_often(&s);
	t_true("they are decided", s.ndecided > 200);
	t_true("from what was kept", s.nkept > s.ndecided / 2);
}

static void
leaf_nodes_have_volumes_of_their_own(void)
{
	struct story s = { .kosmos = true };

	live_often(&s);
	t_true("they are decided", s.ndecided > 500);
	t_true("from what was kept", s.nkept > s.ndecided / 2);
}

static void
later_releases_make_no_difference(void)
{
	struct story s = { .release = 36 };

	live_often(&s);
	t_true("they are decided", s.ndecided > 2000);
	t_true("some by eviction", s.nvictims > 20);
	t_true("most from what was kept", s.nkept * 10 > s.ndecided * 9);
}

static void
nodes_that_have_migrated_plugins_make_no_difference(void)
{
	struct story s = { .release = 24 };

	live_often(&s);
	t_true("they are decided", s.ndecided > 2000);
	t_true("most from what was kept", s.nkept * 10 > s.ndecided * 9);
}

static void
broken_claims_of_later_releases_make_no_difference(void)
{
	struct story s = { .broken = true, .release = 36 };

	live_often(&s);
	t_true("they are decided", s.ndecided > 200);
	t_true("from what was kept", s.nkept > s.ndecided / 2);
}

static void
nor_do_the_rules_of_a_profile(void)
{
	static const struct {
		int cluster, profile;
		bool broken;
	} rows[] = {
		{ 20, 20, false },
		{ 20, 20, true },
		{ 24, 20, false },
		{ 24, 36, false },
		{ 36, 36, true },
		{ 30, 36, false },
		{ 36, 20, false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct story s = { .broken = rows[i].broken,
			.release = rows[i].cluster,
			.rules = rows[i].profile };

		live_often(&s);
		t_true("they are decided",
		    s.ndecided > (rows[i].broken ? 200 : 2000));
		t_true("from what was kept", s.nkept > s.ndecided / 2);
	}
}

T_MAIN(T(claims_are_decided_from_what_was_kept),
    T(nor_do_the_rules_of_a_profile), T(later_releases_make_no_difference),
    T(nodes_that_have_migrated_plugins_make_no_difference),
    T(broken_claims_of_later_releases_make_no_difference),
    T(broken_claims_make_no_difference),
    T(leaf_nodes_have_volumes_of_their_own), T(one_node_of_a_group_differs),
    T(claims_may_lose_their_volumes),
    T(nodes_differ_by_what_they_have_migrated))
