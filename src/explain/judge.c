#include "config.h"

#include "explain/judge.h"

#include <ctype.h>

#include "base/text.h"
#include "cluster/cluster.h"
#include "decide/framework/cycle.h"
#include "explain/whatif/whatif.h"
#include "objects/node.h"
#include "objects/pod.h"

#define CRITICAL 2000000000 /* priority of system-cluster-critical, and above */

/* The word is one of the array's. */
#define IS_AMONG(word, words) text_is_one_of((word), (words), LENGTH(words))

/* ---- taints ---- */

enum taint_kind
taint_kind(const struct taint *taint)
{
	/* A key with a slash at its end is all keys that begin so. */
	static const struct {
		const char *key;
		enum taint_kind kind;
	} known[] = {
		{ "node.kubernetes.io/unschedulable", TAINT_CORDON },
		{ "node-role.kubernetes.io/", TAINT_ROLE },
		{ "virtual-kubelet.io/provider", TAINT_ROLE },
		{ "eks.amazonaws.com/compute-type", TAINT_ROLE },
		{ "CriticalAddonsOnly", TAINT_ROLE },
		{ "node.ocs.openshift.io/storage", TAINT_ROLE },
		{ "sandbox.gke.io/runtime", TAINT_ROLE },
		{ "node.kubernetes.io/not-ready", TAINT_CONDITION },
		{ "node.kubernetes.io/unreachable", TAINT_CONDITION },
		{ "node.kubernetes.io/memory-pressure", TAINT_CONDITION },
		{ "node.kubernetes.io/disk-pressure", TAINT_CONDITION },
		{ "node.kubernetes.io/pid-pressure", TAINT_CONDITION },
		{ "node.kubernetes.io/network-unavailable", TAINT_CONDITION },
		{ "node.kubernetes.io/out-of-service", TAINT_CONDITION },
		{ "node.cloudprovider.kubernetes.io/shutdown",
		    TAINT_CONDITION },
		{ "ToBeDeletedByClusterAutoscaler", TAINT_REMOVAL },
		{ "DeletionCandidateOfClusterAutoscaler", TAINT_REMOVAL },
		{ "karpenter.sh/disruption", TAINT_REMOVAL },
		{ "karpenter.sh/disrupted", TAINT_REMOVAL },
		{ "cloud.google.com/impending-node-termination",
		    TAINT_REMOVAL },
		{ "remediator.kubernetes.azure.com/unschedulable",
		    TAINT_REMOVAL },
		{ "aws-node-termination-handler/", TAINT_REMOVAL },
	};
	/* Those of the agents of networks and drivers are called by custom. */
	static const char *const agents[] = { "agent-not-ready", "not-ready",
		"uninitialized", "unregistered" };
	const char *key = sym_text(taint->key);

	for (size_t i = 0; i < LENGTH(known); i++) {
		size_t len = strlen(known[i].key);

		if (strncmp(key, known[i].key, len) == 0 &&
		    (key[len] == '\0' || known[i].key[len - 1] == '/'))
			return known[i].kind;
	}
	return (strchr(key, '/') != NULL &&
		   IS_AMONG(label_last_part(taint->key), agents)) ||
		strstr(key, "-taint.cluster-autoscaler.kubernetes.io/") !=
		    NULL ?
	    TAINT_STARTUP :
	    TAINT_OTHER;
}

bool
taint_is_of_platform(const struct taint *taint, const struct labels *labels)
{
	static const char *const keys[] = { "kubernetes.io/arch",
		"kubernetes.io/os" };

	return taint->value != SYM_EMPTY &&
	    ANY(i, LENGTH(keys),
		labels_get(labels, sym_intern(keys[i])) == taint->value);
}

/* ---- labels ---- */

static const char *const renamed[][2] = {
	{ "failure-domain.beta.kubernetes.io/zone",
	    "topology.kubernetes.io/zone" },
	{ "failure-domain.beta.kubernetes.io/region",
	    "topology.kubernetes.io/region" },
	{ "beta.kubernetes.io/instance-type",
	    "node.kubernetes.io/instance-type" },
	{ "beta.kubernetes.io/arch", "kubernetes.io/arch" },
	{ "beta.kubernetes.io/os", "kubernetes.io/os" },
	{ "node-role.kubernetes.io/master",
	    "node-role.kubernetes.io/control-plane" },
	{ "karpenter.sh/provisioner-name", "karpenter.sh/nodepool" },
};

sym
label_renamed(sym key)
{
	for (size_t i = 0; i < LENGTH(renamed); i++)
		for (int j = 0; j < 2; j++)
			if (strcmp(sym_text(key), renamed[i][j]) == 0)
				return sym_find(renamed[i][!j]);
	return SYM_NONE;
}

const char *
label_last_part(sym key)
{
	const char *text = sym_text(key), *slash = strrchr(text, '/');

	return slash != NULL ? slash + 1 : text;
}

bool
name_is_like(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');

	return text_is_like(a, b) &&
	    text_is_like(x != NULL ? x : a, y != NULL ? y : b);
}

/* By their last part, as drivers of volumes have such labels of their own, or by who
 * finds out and sets them. */
bool
label_is_fact(sym key)
{
	static const char *const parts[] = { "arch", "os", "hostname", "zone",
		"region", "instance-type" };
	static const char *const setters[] = { "feature.node.kubernetes.io/",
		"nvidia.com/", "amd.com/", "gpu.intel.com/",
		"katacontainers.io/", "kubevirt.io/",
		"network.harvesterhci.io/", "cloud.google.com/",
		"eks.amazonaws.com/", "alpha.eksctl.io/",
		"kubernetes.azure.com/", "oci.oraclecloud.com/",
		"ibm-cloud.kubernetes.io/", "doks.digitalocean.com/",
		"lke.linode.com/", "kops.k8s.io/", "karpenter.sh/",
		"karpenter.k8s.aws/", "node.openshift.io/",
		"node.kubernetes.io/windows-build",
		"node-role.kubernetes.io/master",
		"node-role.kubernetes.io/control" };

	for (size_t i = 0; i < LENGTH(setters); i++) {
		/* or "cpu-model.node.kubevirt.io/" */
		const char *at = strstr(sym_text(key), setters[i]);

		if (at != NULL && (at == sym_text(key) || at[-1] == '.'))
			return true;
	}
	return strchr(sym_text(key), '/') != NULL &&
	    IS_AMONG(label_last_part(key), parts);
}

bool
label_is_mistyped(sym key, sym value, sym other)
{
	const char *a = sym_text(value), *b = sym_text(other);
	static const char *const yes[] = { "true", "yes", "on", "1",
		"enabled" };
	const size_t na = strlen(a), nb = strlen(b);
	unsigned digits = 0, differ = 0;

	if (IS_AMONG(a, yes) && IS_AMONG(b, yes))
		return true;
	/* a host without its domain, or with it */
	if (na != nb && strncmp(a, b, na < nb ? na : nb) == 0 &&
	    (na < nb ? b[na] : a[nb]) == '.')
		return true;
	if (!text_is_like(a, b) ||
	    strcmp(label_last_part(key), "instance-type") == 0)
		return false;
	if (na != nb)
		return true;
	for (size_t i = 0; a[i] != '\0'; i++) {
		differ += a[i] != b[i];
		digits += a[i] != b[i] && isdigit((unsigned char)a[i]) &&
		    isdigit((unsigned char)b[i]);
	}
	return differ > (label_is_fact(key) ? 1 : digits);
}

bool
label_is_platform(sym key)
{
	static const char *const parts[] = { "arch", "os", "windows-build" };

	return strstr(sym_text(key), "kubernetes.io/") != NULL &&
	    IS_AMONG(label_last_part(key), parts);
}

/* ---- pods ---- */

/* "web-5d4f", of a ReplicaSet, without the revision that a Deployment puts behind its
 * own name; 0: it is no such name. */
static size_t
deployment_length(const struct pod *pod)
{
	const char *name = sym_text(pod->class->controller_name), *dash;

	if (strcmp(sym_text(pod->class->controller_kind), "ReplicaSet") != 0)
		return 0;
	dash = strrchr(name, '-');
	return dash != NULL ? (size_t)(dash - name) : 0;
}

bool
judge_same_workload(const struct pod *a, const struct pod *b)
{
	size_t n;

	if (a->class->namespace != b->class->namespace ||
	    a->class->controller_kind == SYM_NONE ||
	    b->class->controller_kind == SYM_NONE)
		return false;
	if (a->class->controller_uid == b->class->controller_uid &&
	    a->class->controller_name == b->class->controller_name)
		return true;
	n = deployment_length(a);
	return n > 0 && n == deployment_length(b) &&
	    strncmp(sym_text(a->class->controller_name),
		sym_text(b->class->controller_name), n) == 0;
}

bool
judge_other_revision(const struct pod *a, const struct pod *b)
{
	return a->class->controller_name != b->class->controller_name &&
	    judge_same_workload(a, b);
}

bool
judge_starts_nodes(const struct pod *pod)
{
	return pod->class->host_network && pod->priority >= CRITICAL;
}

/* The API server would not evict it now. */
static bool
is_protected(const struct cluster *cluster, const struct pod *pod)
{
	struct arena arena = ARENA_INIT;
	struct whatif_budgets budgets = { 0 };
	const struct whatif_budget *b;
	bool allowed = true;
	size_t n = 0, at = 0;

	while ((b = whatif_next_budget(&budgets, &arena, cluster, pod, &at)) !=
	    NULL) {
		allowed &= b->allowed > 0;
		n++;
	}
	arena_fini(&arena);
	return n > 1 || !allowed;
}

bool
judge_may_leave(const struct cycle *cycle, const struct pod *pod)
{
	/* a pod that is not there yet leaves no room */
	return cluster_bound_pod(cycle->cluster, pod->object.uid) != NULL &&
	    whatif_why_stays(pod) == NULL && !pod->class->terminating &&
	    pod->class->controller_kind != sym_intern("StatefulSet") &&
	    pod->priority < CRITICAL && pod->priority <= cycle->pod->priority &&
	    !judge_same_workload(pod, cycle->pod) &&
	    !is_protected(cycle->cluster, pod);
}
