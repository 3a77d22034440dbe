/*
 * ResourceClaims that were given devices here, until the watch shows it, and writes
 * about claims that no binding waits for.
 *
 *	          place on a node          200               the watch has that
 *	claims_hold() ─▶ held ─ write ─▶ written ─────────────▶ version: gone
 *	                  │       │
 *	 claims_release() │       └─ refused, no answer ─ claims_release() ─▶ asked
 *	                  ▼                                                     │
 *	                gone: the claim is as the watch had it   ◀──────────────┘
 *
 * As long as a claim is held, the cluster has it with its devices, so that no other
 * claim gets these, whatever older versions the watch brings.  A write without an
 * answer may still arrive: then the claim stays held until the API server has
 * another version, which we write if we may, or a minute has passed.  A claim that was
 * created here stays held, too, until the watch shows it or it is gone.  kube-scheduler
 * gives such devices to others at once.
 */
#ifndef SCHEDULER_CLAIMS_H
#define SCHEDULER_CLAIMS_H

#define CLAIM_PROTECTION "resource.kubernetes.io/delete-protection"

struct api_response;
struct flights;
struct object;
struct pod;
struct resource_claim;

/* Puts the claim, which has its devices, into the cluster; takes the reference.
 * server: as the watch had it; NULL: it is to be created. */
void claims_hold(struct flights *flights, struct resource_claim *claim,
    const struct object *server);
/* A held claim was created: as this object, of which it has name and uid. */
void claims_created(struct flights *flights, const char *uid,
    const struct resource_claim *created);
/* Its devices are being written over this version (0: they are not, as the write was
 * refused), or were written as that one; does nothing if the claim is not held. */
void claims_sent(struct flights *flights, const char *uid, uint64_t version);
void claims_written(struct flights *flights, const char *uid, uint64_t version);
/* The pod does not get them, unless they were written. */
void claims_release(struct flights *flights, const char *uid);

/* What the cluster must have after the watch has brought the claim; you own a
 * reference. */
struct object *claims_seen(struct flights *flights, struct object *claim);
/* The watch says that it is gone. */
void claims_gone(struct flights *flights, const struct object *claim);

/* The pod, which was not bound, uses its claims no longer, and the one for its
 * extended resources is deleted. */
void claims_unreserve(struct flights *flights, const struct pod *pod);
/* The claim, which no pod uses, gives its devices back. */
void claims_deallocate(struct flights *flights,
    const struct resource_claim *claim);
/* Deletes a claim for extended resources. */
void claims_delete(struct flights *flights, const struct resource_claim *claim);

/* Whether one of these three is under way for the claim: no other write may overtake
 * it. */
bool claims_write(const struct flights *flights, const char *uid);

/* The claim in an answer, you own a reference; NULL: there is none. */
struct resource_claim *claims_answered(const struct api_response *response);

/* "/apis/…/resourceclaims/NAME" and subresource, you own it. */
char *claims_path(const struct flights *flights, const struct object *claim,
    const char *subresource);

/* Once a second. */
void claims_tick(struct flights *flights, int64_t now_ms);
/* We may write no longer: nothing is deallocated or deleted any more. */
void claims_abandon(struct flights *flights);
void claims_fini(struct flights *flights);

#endif
