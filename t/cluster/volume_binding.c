#include "config.h"

#include "cluster/volume_binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES W_NODE("n1", "host: n1", "") W_NODE("n2", "host: n2", "")
#define LOCAL                                                                  \
	W_OBJECT("StorageClass", "name: local",                                \
	    "volumeBindingMode: WaitForFirstConsumer, "                        \
	    "provisioner: kubernetes.io/no-provisioner")
#define MAKES                                                                  \
	W_OBJECT("StorageClass", "name: makes",                                \
	    "volumeBindingMode: WaitForFirstConsumer, provisioner: p")
#define DISK(name, size, affinity)                                             \
	W_OBJECT("PersistentVolume",                                           \
	    "name: " name ", labels: {name: " name "}",                        \
	    "status: {phase: Available}, spec: {storageClassName: local,"      \
	    " capacity: {storage: " size                                       \
	    "}, accessModes: [ReadWriteOnce], " affinity "}")
#define ON(host)                                                               \
	"nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: "    \
	"[{key: host, operator: In, values: [" host "]}], matchFields: "       \
	"[{key: metadata.name, operator: NotIn, values: [x]}]}]}}"
#define CLAIM(name, class, size)                                               \
	W_OBJECT("PersistentVolumeClaim", "name: " name ", uid: uid-" name,    \
	    "spec: {storageClassName: " class                                  \
	    ", accessModes: "                                                  \
	    "[ReadWriteOnce], selector: {matchExpressions: [{key: x, "         \
	    "operator: NotIn, values: [z]}]}, "                                \
	    "resources: {requests: {storage: " size "}}}")
#define USE(claim) "{name: v, persistentVolumeClaim: {claimName: " claim "}},"
#define POD(name, volumes) W_POD(name, "", "", "volumes: [" volumes "]")

static const struct volume_rules rules = { .release = 15 };

/* "claim=volume …; claims to provision", "-" where the pod cannot go. */
static const char *
plan_text(struct world *world, const char *node)
{
	struct volume_needs *needs = volume_needs_of(&world->arena,
	    world->cluster, world->pod->class, &rules);
	const struct volume_plan *plan =
	    volume_plan(needs, world_node(world, node)->node);
	const char *text = "";

	if (plan->error != NULL)
		return plan->error;
	if (plan->unreachable != NULL || plan->unmatched != NULL)
		return "-";
	for (uint32_t i = 0; i < plan->nmatches; i++)
		text = arena_printf(&world->arena, "%s%s=%s ", text,
		    plan->matches[i].claim->object.name,
		    plan->matches[i].volume->object.name);
	for (uint32_t i = 0; i < plan->nprovisions; i++)
		text = arena_printf(&world->arena, "%s%s ", text,
		    plan->provisions[i]->object.name);
	return text;
}

static void
the_smallest_volume_that_reaches_the_node(void)
{
	struct world *world = world_new(NODES LOCAL MAKES DISK("a", "9Gi",
	    ON("n1")) DISK("b", "5Gi", ON("n1")) DISK("c", "5Gi", ON("n1"))
		DISK("d", "6Gi", "") DISK("e", "4Gi", ON("n2")) DISK("f", "7Gi",
		    ON("n1, n2")) CLAIM("one", "local", "1Gi")
		    CLAIM("two", "local", "2Gi") CLAIM("six", "local", "5.5Gi")
			CLAIM("new", "makes", "1Gi"));

	world_pod(world, POD("p", USE("one")));
	t_str("equal ones by name", plan_text(world, "n1"), "one=b ");
	t_str("the other node's", plan_text(world, "n2"), "one=e ");
	t_str("asked again", plan_text(world, "n1"), "one=b ");
	world_pod(world, POD("p", USE("six")));
	t_str("one for all nodes", plan_text(world, "n1"), "six=d ");
	world_pod(world, POD("p", USE("two") USE("six") USE("one")));
	t_str("small claims first", plan_text(world, "n1"),
	    "one=b two=c six=d ");
	t_str("from what is left", plan_text(world, "n2"),
	    "one=e two=d six=f ");
	world_pod(world, POD("p", USE("one") USE("one")));
	t_str("a claim named twice", plan_text(world, "n1"), "one=b one=c ");
	world_pod(world, POD("p", USE("new") USE("one")));
	t_str("a new one", plan_text(world, "n1"), "one=b new ");
	world_free(world);
}

static void
assumed_volumes_are_taken(void)
{
	struct world *world = world_new(NODES LOCAL DISK("a", "5Gi",
	    ON("n1")) DISK("b", "5Gi", ON("n1")) CLAIM("one", "local", "1Gi")
		CLAIM("two", "local", "1Gi") CLAIM("three", "local", "1Gi"));
	const struct persistent_volume *volume;

	world_pod(world, POD("p", USE("one")));
	t_str("free", plan_text(world, "n1"), "one=a ");
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n1"),
	    &rules);
	volume = cluster_volume(world->cluster, sym_intern("a"));
	t_true("claimed", volume->has_claim);
	t_str("by", sym_text(volume->claim_name), "one");
	t_str("in", sym_text(volume->claim_namespace), "default");
	t_str("with its uid", volume->claim_uid, "uid-one");
	t_str("otherwise as before",
	    sym_text(labels_get(&volume->labels, sym_intern("name"))), "a");
	t_int("otherwise as before", volume->naccess_modes, 1);
	t_str("still its own", plan_text(world, "n1"), "one=a ");
	t_str("nowhere else", plan_text(world, "n2"), "-");
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n1"),
	    &rules);
	t_true("nothing more to do",
	    cluster_volume(world->cluster, sym_intern("a")) == volume);

	world_pod(world, POD("q", USE("two")));
	t_str("the next one gets another", plan_text(world, "n1"), "two=b ");
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n2"),
	    &rules);
	t_str("it did not go where it could not", plan_text(world, "n1"),
	    "two=b ");
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n1"),
	    &rules);
	world_pod(world, POD("r", USE("three")));
	t_str("all taken", plan_text(world, "n1"), "-");
	world_free(world);
}

static void
assumed_claims_are_provisioned_there(void)
{
	struct world *world =
	    world_new(NODES MAKES CLAIM("one", "makes", "1Gi"));
	const struct persistent_volume_claim *claim;

	world_pod(world, POD("p", USE("one") USE("one")));
	t_str("anywhere", plan_text(world, "n2"), "one one ");
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n2"),
	    &rules);
	claim = cluster_claim(world->cluster, sym_intern("default"),
	    sym_intern("one"));
	t_true("selected", claim->has_selected_node);
	t_str("node", sym_text(claim->selected_node), "n2");
	t_int("otherwise as before", claim->naccess_modes, 1);
	t_true("otherwise as before", claim->has_selector);
	t_int("otherwise as before", claim->selector.n, 1);
	t_str("there", plan_text(world, "n2"), "one one ");
	t_str("nowhere else", plan_text(world, "n1"), "-");
	world_free(world);
}

static void
pods_without_claims_take_nothing(void)
{
	struct world *world = world_new(NODES);

	world_pod(world, POD("p", "{name: v, emptyDir: {}}"));
	t_true("no needs",
	    volume_needs_of(&world->arena, world->cluster, world->pod->class,
		&rules) == NULL);
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n1"),
	    &rules);
	world_pod(world, POD("p", ""));
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("n1"),
	    &rules);
	cluster_assume_volumes(world->cluster, world->pod, sym_intern("no"),
	    &rules);
	world_free(world);
}

static void
put_disk(struct world *world, unsigned i)
{
	char *disk =
	    xasprintf("--- {kind: PersistentVolume, metadata: {name: d%04u}, "
		      "status: {phase: Available}, spec: {storageClassName: "
		      "local, capacity: {storage: 2Gi}, accessModes: "
		      "[ReadWriteOnce], " ON("n1") "}}",
		i);

	world_put(world, disk);
	free(disk);
}

/* Users choose how many claims wait, and how long their selectors are. */
static void
there_is_a_limit_to_comparisons(void)
{
	char values[1001] = "";
	struct world *world = world_new(NODES LOCAL);
	char *claim;

	for (size_t i = 0; i < 1000; i += 2)
		memcpy(values + i, "v,", 3);
	claim = xasprintf("--- {kind: PersistentVolumeClaim, metadata: {"
			  "namespace: default, name: long, uid: u}, spec: {"
			  "storageClassName: local, accessModes: "
			  "[ReadWriteOnce], selector: {matchExpressions: [{"
			  "key: x, operator: NotIn, values: [%s]}]}, "
			  "resources: {requests: {storage: 1Gi}}}}",
	    values);
	world_put(world, claim);
	free(claim);
	for (unsigned i = 0; i < 300; i++) {
		put_disk(world, i);
		if (i != 297)
			continue;
		world_pod(world, POD("p", USE("long")));
		t_str("below", plan_text(world, "n1"), "long=d0000 ");
	}
	t_str("above", plan_text(world, "n1"),
	    "the pod's 1 claims that wait for a node, and their selectors, are "
	    "to be compared with too many volumes");
	world_free(world);
}

/* Servers have dozens of disks, and a pod may have a claim for each. */
static void
few_claims_are_compared_with_all_volumes(void)
{
	struct world *world = world_new(NODES LOCAL);
	char *pod = NULL;
	size_t size;
	FILE *out = open_memstream(&pod, &size);

	for (unsigned i = 0; i < 2600; i++)
		put_disk(world, i);
	fputs("--- {kind: Pod, metadata: {namespace: default, name: p}, spec: {"
	      "volumes: [",
	    out);
	for (unsigned i = 0; i < 60; i++) {
		char *claim = xasprintf(
		    "--- {kind: PersistentVolumeClaim, metadata: {namespace: "
		    "default, name: c%u, uid: u%u}, spec: {storageClassName: "
		    "local, accessModes: [ReadWriteOnce], resources: "
		    "{requests: {storage: 1Gi}}}}",
		    i, i);

		world_put(world, claim);
		free(claim);
		fprintf(out,
		    "{name: v%u, persistentVolumeClaim: {claimName: c%u}},", i,
		    i);
	}
	fputs("]}}", out);
	fclose(out);
	world_pod(world, pod);
	t_true("60 by 2,600",
	    strncmp(plan_text(world, "n1"), "c0=d0000 ", 9) == 0);
	free(pod);
	world_free(world);
}

T_MAIN(T(the_smallest_volume_that_reaches_the_node),
    T(assumed_volumes_are_taken), T(assumed_claims_are_provisioned_there),
    T(pods_without_claims_take_nothing), T(there_is_a_limit_to_comparisons),
    T(few_claims_are_compared_with_all_volumes))
