/* The devices of a cycle's pod, for the rules and for those who show them. */
#ifndef FRAMEWORK_CYCLE_DEVICES_H
#define FRAMEWORK_CYCLE_DEVICES_H

#include "base/sym.h"

struct cluster;
struct cycle;
struct pod;
struct pod_devices;
struct profile;
struct resource_claim;

/* Whether claims that have no devices get theirs here: from 1.32 on, unless the
 * cluster says otherwise. */
bool cycle_allocates(const struct cycle *cycle);

/* Whether devices stand for extended resources for which there is a DeviceClass: from
 * 1.36 on, if the gate is on. */
bool cycle_extends(const struct cycle *cycle);

/* The reason of the rule about claims for nodes where the devices of one are not. */
extern const char why_claim_elsewhere[];

/* Whether the devices of an allocated claim cannot be used on any node: they failed
 * to become ready, or take too long. */
bool cycle_claim_failed(const struct cycle *cycle,
    const struct resource_claim *claim);

/* In the cycle's arena; NULL: the pod has nothing to do with devices, or they are not
 * allocated here. */
struct pod_devices *cycle_devices(struct cycle *cycle);

/* Whether the profile's pods get devices for their claims: without the plugin
 * DynamicResources at Reserve they do not. */
bool devices_are_allocated(const struct cluster *cluster,
    const struct profile *profile);

/* The claims of the pod, which is to be on the node, with the devices that they get
 * there: as pod_devices_allocate(). */
bool devices_allocate(struct cluster *cluster, const struct profile *profile,
    const struct pod *pod, sym node, struct resource_claim **out, size_t *n);

/* The claims of the pod, which is to be on the node, get their devices. */
void devices_assume(struct cluster *cluster, const struct profile *profile,
    const struct pod *pod, sym node);

#endif
