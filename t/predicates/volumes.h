/* One line each for the objects that the volume predicates read. */
#ifndef T_PREDICATES_VOLUMES_H
#define T_PREDICATES_VOLUMES_H

#include "t/lib/t.h"
#include "t/lib/world.h"

#define MAX_VOLUMES "node(s) exceed max volume count"
#define NAMELESS "PersistentVolumeClaim had no name"

#define VOLUMES(volumes) "volumes: [" volumes "]"
/* On node n1, and to be placed; volumes as below. */
#define THERE(name, volumes) W_POD(name, "", "n1", VOLUMES(volumes))
#define POD(volumes) W_POD("p", "", "", VOLUMES(volumes))

#define EBS(id) "{name: v, awsElasticBlockStore: {volumeID: " id "}},"
#define GCE(id) "{name: v, gcePersistentDisk: {pdName: " id "}},"
#define AZURE(id) "{name: v, azureDisk: {diskName: " id "}},"
#define CINDER(id) "{name: v, cinder: {volumeID: " id "}},"
#define SECRET "{name: v, secret: {secretName: s}},"
#define USE(claim) "{name: v, persistentVolumeClaim: {claimName: '" claim "'}},"

/* A claim, bound to a volume or ''. */
#define CLAIM(name, volume)                                                    \
	W_OBJECT("PersistentVolumeClaim", "name: " name,                       \
	    "spec: {volumeName: '" volume "'}")
#define CLAIM_OF(name, annotations, spec)                                      \
	W_OBJECT("PersistentVolumeClaim",                                      \
	    "name: " name ", uid: uid-" name ", annotations: {" annotations    \
	    "}",                                                               \
	    "spec: {" spec "}")
#define VOLUME(name, spec)                                                     \
	W_OBJECT("PersistentVolume", "name: " name, "spec: {" spec "}")
#define CLASS(name, rest) W_OBJECT("StorageClass", "name: " name, rest)

/* Rows of pods that cannot be judged on node n1, and the error. */
struct broken_row {
	const char *name;
	const char *objects;
	const char *pod;
	const char *error;
};

static inline void
t_broken_(int minor, int release, const struct predicate *predicate, size_t n,
    const struct broken_row *rows)
{
	for (size_t i = 0; i < n; i++) {
		struct world *world = world_new(rows[i].objects);
		struct outcome o;

		world->cluster->kubernetes_minor = minor;
		world->profile->release = release;
		world_pod(world, rows[i].pod);
		o = world_check(world, predicate, NULL, "n1");
		t_int(rows[i].name, o.verdict, BROKEN);
		t_str(rows[i].name, o.why, "");
		t_str(rows[i].name, o.error, rows[i].error);
		world_free(world);
	}
}

#define t_broken(predicate, rows) t_broken_in(15, predicate, rows)
/* In a cluster of this minor release. */
#define t_broken_in(minor, predicate, rows)                                    \
	t_broken_((minor), 0, (predicate), sizeof(rows) / sizeof((rows)[0]),   \
	    (rows))
/* By a profile of this release, in such a cluster. */
#define t_broken_of(release, predicate, rows)                                  \
	t_broken_((release), (release), (predicate),                           \
	    sizeof(rows) / sizeof((rows)[0]), (rows))

#endif
