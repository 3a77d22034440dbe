/*
 * PersistentVolumes, claims and StorageClasses, the controllers that bind, provision,
 * protect and delete them, and users who change them.
 */
#ifndef T_SIMULATION_VOLUMES_H
#define T_SIMULATION_VOLUMES_H

#include <stdbool.h>

struct json_object;

/* With on false, the world has none. */
void volumes_start(bool on, bool calm);
/* Users change nothing, or go on. */
void volumes_rest(bool rest);
/* A user changes something now; all of them start again, with no volumes. */
void volumes_change(void);
void volumes_anew(void);
/* Gives a pod a claim, or a disk that no other pod on its node may have. */
void volumes_mount(struct json_object *pod);

/* A daemon has changed a claim: others select a node of theirs for it, or delete it. */
void volumes_meddle(const char *path);
/* The controllers do nothing for some seconds. */
void volumes_are_slow(void);

/* Whether the claim that the pod mounts is not there. */
bool volumes_lacks(struct json_object *pod);
/* Whether it gets no volume on this node, as others have selected theirs. */
bool volumes_elsewhere(struct json_object *pod, const char *node);
/* Before the daemon's binding: the pod's claims are bound to volumes that the node
 * reaches, and none that is for one pod has another. */
void promise_volumes(const char *who, struct json_object *pod,
    struct json_object *node);
/* Before the daemon changes a volume: it is not another claim's. */
void promise_volume(const char *who, struct json_object *before,
    struct json_object *after);

#endif
