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
#ifndef SCHEDULER_VOLUMES_H
#define SCHEDULER_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>

struct binding;
struct flights;
struct pod;
struct profile;
struct volume_job;
struct volume_plan;

/* The version of the API in which the server has ResourceClaims. */
void volumes_set_claims_version(struct flights *flights, const char *version);

/* Whether a device claim of the pod is to be reserved for it. */
bool volumes_reserve(const struct flights *flights, const struct pod *pod,
    const struct profile *profile);
/* The pod is assumed.  The plan is the one for it on its node by its profile's
 * rules, and free of errors; NULL: no volumes have to be bound.  The profile need
 * not outlive the call.  wait_ms: for the controllers, unless the profile says how
 * long.  ops->volumes_bound() or ops->failed() is called in the end. */
void volumes_bind(struct flights *flights, const struct pod *pod,
    const struct volume_plan *plan, const struct profile *profile,
    int64_t wait_ms);

/* ---- for the binding ---- */

/* Fails; why is NULL if no request did. */
void volumes_fail(struct binding *binding, const char *why);
/* Looks whether all are bound by now. */
void volumes_check(struct binding *binding, int64_t now_ms);
/* The pod does not go to the node, or not by us: what was assumed and not written
 * is undone. */
void volumes_take_back(const struct binding *binding);
/* Gives up the request under way; accepts NULL. */
void volumes_free(struct volume_job *job);

#endif
