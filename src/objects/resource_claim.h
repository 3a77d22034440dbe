/* ResourceClaims of resource.k8s.io: devices for pods. */
#ifndef MODEL_RESOURCE_CLAIM_H
#define MODEL_RESOURCE_CLAIM_H

#include "objects/device.h"
#include "objects/object.h"
#include "objects/selector.h"

/* A device that the claim was given. */
struct device_result {
	sym request; /* "request" or "request/alternative" */
	sym driver, pool, device;
	bool admin;
	sym share; /* shareID; SYM_NONE: it has the device for itself */
	uint32_t nconsumed;
	const struct named_amount *consumed; /* consumedCapacity */
	uint32_t nconditions, nfailures;
	const sym *conditions, *failures;
};

struct resource_claim {
	struct object object;
	sym controller; /* uid of the owner that controls it; SYM_NONE: none */
	/* It stands for the extended resources of the pod that owns it. */
	bool for_resources;
	struct device_wishes wishes;
	bool allocated; /* status.allocation is there */
	bool has_nodes; /* with a nodeSelector */
	struct node_selector nodes;
	/* Why it cannot be used, as kube-scheduler 1.36 says it; NULL: it can. */
	const char *problem;
	/* All bindingConditions of its devices are true, and none of their
	 * bindingFailureConditions is. */
	bool ready;
	/* One of the latter is: "reason=…, message=…"; NULL: none is. */
	const char *failure;
	bool has_conditions;  /* of any device */
	int64_t allocated_at; /* seconds since 1970; 0: not said */
	/* Its devices were given here, and the API server does not show it yet. */
	bool pending;
	/* How the containers' requests for extended resources are requests of it, in
	 * JSON; NULL: it was not made here. */
	const char *mappings;
	uint32_t nresults;
	const struct device_result *results;
	uint32_t nusers;
	const sym *users; /* the uids in status.reservedFor */
};

void resource_claim_read(struct decoder *d, struct object *object);

/* The same claim with these devices, on these nodes (NULL: any), which are copied;
 * you own it. */
struct resource_claim *
resource_claim_allocated(const struct resource_claim *claim, uint32_t n,
    const struct device_result *results, const struct node_selector *nodes);

/* A version of the claim that has no devices, with those of the other; pending. */
struct resource_claim *
resource_claim_pending(const struct resource_claim *claim,
    const struct resource_claim *allocated);

/* Whether its devices, which have conditions, are not ready so many seconds after
 * they were given. */
bool resource_claim_timed_out(const struct resource_claim *claim,
    int64_t timeout, int64_t now);

/* Whether it is reserved for the pod with this uid. */
bool resource_claim_is_for(const struct resource_claim *claim, const char *uid);

#endif
