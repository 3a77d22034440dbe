/*
 * Gives volumes to the claims of a pod that has been assumed on a node, and devices
 * to its device claims, before it is bound
 * (doc/semantics/04-scheduling-loop.md, Volumes; 11-kube-1.36.md, Dynamic resources):
 *
 *	assume in the cluster ─▶ write volumes ─▶ write claims ─▶ wait
 *	                              │  one by one   │             │ all bound, ready
 *	                              ▼ refused       ▼             ▼
 *	                           failed: unwritten assumptions are undone
 *
 * A ResourceClaim that does not name the pod in its status.reservedFor is patched
 * to do so, last of all; one that has no devices gets its finalizer, then them and
 * the pod together (claims.h).  One for extended resources is created first, and
 * named in the pod's status.  If the pod is not bound after all, claims_unreserve()
 * takes that back.
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

struct binding;
struct flights;
struct pod;
struct profile;
struct resource_claim;
struct volume_job;
struct volume_plan;

/* The version of the API in which the server has ResourceClaims. */
void volumes_set_claims_version(struct flights *flights, const char *version);

/* Whether a device claim of the pod is to be reserved for it, or waited for. */
bool volumes_reserve(const struct flights *flights, const struct pod *pod,
    const struct profile *profile);
/* The pod is assumed.  The plan is the one for it on its node by its profile's
 * rules, and free of errors; NULL: no volumes have to be bound.  The claims, whose
 * references are taken, have the devices that they get (devices_allocate()).  The profile need
 * not outlive the call.  wait_ms: for the controllers, unless the profile says how
 * long.  ops->volumes_bound() or ops->failed() is called in the end. */
void volumes_bind(struct flights *flights, const struct pod *pod,
    const struct volume_plan *plan, size_t nclaims,
    struct resource_claim **claims, const struct profile *profile,
    int64_t wait_ms);

/* ---- for the binding ---- */

/* Fails; why is NULL if no request did. */
void volumes_fail(struct binding *binding, const char *why);
/* Looks whether all are bound by now. */
void volumes_check(struct binding *binding, int64_t now_ms);
/* Whether a request is under way. */
bool volumes_write(const struct binding *binding);
/* The pod does not go to the node, or not by us: what was assumed and not written
 * is undone. */
void volumes_take_back(const struct binding *binding);
/* Gives up the request under way; accepts NULL. */
void volumes_free(struct volume_job *job);

#endif
