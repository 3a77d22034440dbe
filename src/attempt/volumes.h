/*
 * Gives volumes to the claims of a pod that has been assumed on a node, and
 * reserves its device claims for it, before it is bound
 * (doc/semantics/04-scheduling-loop.md, Volumes; 11-kube-1.36.md, Dynamic resources):
 *
 *	assume in the cluster ─▶ write volumes ─▶ write claims ─▶ wait
 *	                              │  one by one   │             │ all bound
 *	                              ▼ refused       ▼             ▼
 *	                           failed: unwritten assumptions are undone
 *
 * A ResourceClaim that does not name the pod in its status.reservedFor is patched
 * to do so, last of all.  It stays reserved if the pod is not bound after all:
 * the next attempt needs that again, and Kubernetes removes it with the pod.
 *
 * A volume found for a claim gets a claimRef, a claim for which one is to be
 * provisioned the annotation selected-node; the rest is done by the controllers
 * of Kubernetes, for which there is some time.  Each write names the version
 * it was decided on, so that the first writer wins.
 *
 * ≠ the reference replaces whole objects (PUT); a patch has the same effect
 * without having to know all of their fields.
 */
#ifndef ATTEMPT_VOLUMES_H
#define ATTEMPT_VOLUMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sym.h"

struct api_client;
struct cluster;
struct pod;
struct profile;
struct volume_plan;
struct volumes;

struct volumes_ops {
	/* All claims of the pod are bound; begun_ms: when volumes_bind() was
	 * called, of clock_ms(). */
	void (*ready)(void *arg, const struct pod *pod, int64_t begun_ms);
	/* They will not be: the reason for the pod's condition, and why; why is
	 * NULL if no request failed. */
	void (*failed)(void *arg, const struct pod *pod, int64_t begun_ms,
	    const char *reason, const char *why);
};

/* wait_ms: for the controllers. */
struct volumes *volumes_new(struct api_client *client, struct cluster *cluster,
    int64_t wait_ms, const struct volumes_ops *ops, void *arg);
/* For pods from now on. */
void volumes_set_wait(struct volumes *volumes, int64_t wait_ms);
/* The version of the API in which the server has ResourceClaims. */
void volumes_set_claims_version(struct volumes *volumes, const char *version);
void volumes_free(struct volumes *volumes); /* accepts NULL */

/* Whether a device claim of the pod is to be reserved for it. */
bool volumes_reserve(const struct volumes *volumes, const struct pod *pod,
    const struct profile *profile);
/* The plan is the one for this pod on this node by its profile's rules, and free
 * of errors; NULL: no volumes have to be bound.  The profile need not outlive the
 * call. */
void volumes_bind(struct volumes *volumes, const struct pod *pod, sym node,
    const struct volume_plan *plan, const struct profile *profile);

/* The pod is gone, or has a node: nothing is called any more for it. */
void volumes_forget(struct volumes *volumes, const struct pod *pod);
/* Fails all, because we may write no longer. */
void volumes_abandon(struct volumes *volumes);

/* About once a second. */
void volumes_tick(struct volumes *volumes);

#endif
