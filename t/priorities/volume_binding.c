#include "config.h"

#include <stdio.h>

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

#define NODES W_NODE("n1", "host: n1", "") W_NODE("n2", "host: n2", "")
#define STORAGE(name, provisioner)                                             \
	W_OBJECT("StorageClass", "name: " name,                                \
	    "provisioner: " provisioner                                        \
	    ", volumeBindingMode: WaitForFirstConsumer")
#define VOLUME(name, class, size, host)                                        \
	W_OBJECT("PersistentVolume", "name: " name,                            \
	    "spec: {storageClassName: " class                                  \
	    ", capacity: {storage: " size                                      \
	    "}, accessModes: [ReadWriteOnce], nodeAffinity: {required: "       \
	    "{nodeSelectorTerms: [{matchExpressions: [{key: host, operator: "  \
	    "In, values: [" host "]}]}]}}}, status: {phase: Available}")
#define CLAIM(name, class, size)                                               \
	W_OBJECT("PersistentVolumeClaim", "namespace: default, name: " name,   \
	    "spec: {storageClassName: " class                                  \
	    ", accessModes: "                                                  \
	    "[ReadWriteOnce], resources: {requests: {storage: " size "}}}")
#define CAPACITY(name, class, size, host)                                      \
	W_OBJECT("CSIStorageCapacity", "namespace: default, name: " name,      \
	    "storageClassName: " class                                         \
	    ", capacity: " size ", nodeTopology: {matchLabels: {host: " host   \
	    "}}")
#define DRIVER                                                                 \
	W_OBJECT("CSIDriver", "name: csi.example.com",                         \
	    "spec: {storageCapacity: true}")
#define USES(name)                                                             \
	"{name: " name ", persistentVolumeClaim: {claimName: " name "}}"
#define POD(volumes) W_POD("p", "", "", "volumes: [" volumes "]")

/* clang-format off */
static const struct plugin_row rows[] = {
	{ "a pod without claims", NODES, NO_CONTAINERS, "n1=0 n2=0" },
	{ "30 of 100 and of 40 are used",
	    NODES STORAGE("c", "kubernetes.io/no-provisioner")
	    VOLUME("v1", "c", "100", "n1") VOLUME("v2", "c", "40", "n2")
	    CLAIM("x", "c", "30"), POD(USES("x")), "n1=70 n2=25" },
	{ "the mean of classes is rounded: 70 and 75, 25 and 50",
	    NODES STORAGE("c", "kubernetes.io/no-provisioner")
	    STORAGE("d", "kubernetes.io/no-provisioner")
	    VOLUME("v1", "c", "100", "n1") VOLUME("v2", "c", "40", "n2")
	    VOLUME("v3", "d", "40", "n1") VOLUME("v4", "d", "20", "n2")
	    CLAIM("x", "c", "30") CLAIM("z", "d", "10"),
	    POD(USES("x") ", " USES("z")), "n1=73 n2=38" },
	{ "room for new volumes, if it is checked: 30 and 30 of 100",
	    NODES DRIVER STORAGE("c", "csi.example.com")
	    CAPACITY("k1", "c", "100", "n1") CAPACITY("k2", "c", "30", "n2")
	    CLAIM("x", "c", "30") CLAIM("z", "c", "30"),
	    POD(USES("x") ", " USES("z")), "n1=40 n2=0" },
	{ "unlimited room is no capacity",
	    NODES STORAGE("c", "csi.example.com") CLAIM("x", "c", "30"),
	    POD(USES("x")), "n1=0 n2=0" },
};
/* clang-format on */

static const char *
scores_of(const struct plugin_row *row, bool gate,
    const struct volume_binding_args *args)
{
	static char text[100];
	struct world *w = plugin_world(36, row->world);

	w->profile->gates.storage_capacity_scoring = gate;
	world_pod(w, row->pod);
	snprintf(text, sizeof(text), "%s",
	    world_scores(w, &priority_volume_binding, args));
	world_free(w);
	return text;
}

static void
little_use_of_storage_is_preferred(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_str(rows[i].name, scores_of(&rows[i], true, NULL),
		    rows[i].scores);
		t_str("without the gate", scores_of(&rows[i], false, NULL),
		    "skipped");
	}
}

static void
the_administrator_may_draw_the_score(void)
{
	static const struct shape_point shape[] = { { 0, 0 }, { 100, 10 } };
	struct volume_binding_args args = { .npoints = LENGTH(shape),
		.shape = shape };

	t_str("much use is preferred", scores_of(&rows[1], true, &args),
	    "n1=30 n2=75");
}

T_MAIN(T(little_use_of_storage_is_preferred),
    T(the_administrator_may_draw_the_score))
