/*
 * Devices of resource.k8s.io: a driver that publishes those of each node, claims for
 * one device each, and the controller that takes back what no pod uses.
 */
#ifndef T_SIMULATION_DEVICES_H
#define T_SIMULATION_DEVICES_H

#include <stdbool.h>

struct json_object;

/* With on false, the world has none, and the server does not know them. */
void devices_start(bool on, bool calm);
/* The server knows their kinds, and the world leaves them alone. */
void devices_serve(void);
bool devices_exist(void);
/* Users change nothing, or go on. */
void devices_rest(bool rest);
/* A user changes something now; all of them start again. */
void devices_change(void);
void devices_anew(void);
/* Gives a pod a claim, or a request for an extended resource that devices stand for;
 * takes it from the pod. */
void devices_claim(struct json_object *pod);
void devices_leave_out(struct json_object *pod);

/* Before and after the server handles a daemon's write: others delete the claim that it
 * has just made for a pod, with the pod, and no watch shows that there was one.  True
 * before it: the write fails. */
bool devices_meddle(const char *method, const char *path, bool after,
    bool begins);

/* Why the server does not take this change of a claim; NULL: it takes it.  Before that:
 * no device that it gives is another claim's. */
const char *promise_device(const char *who, struct json_object *before,
    struct json_object *after);
/* Before the daemon's binding: the pod's claim has a device there, for the pod. */
void promise_devices(struct json_object *pod, const char *node);

#endif
