/* Shared by the files of demands alone: demand.c keeps them and their answers, search.c
 * searches, alike.c leaves out devices that are alike, fit.c checks a device against a
 * request, results.c makes allocations and explains a shortage of devices. */
#ifndef DEVICES_DEMAND_INTERNAL_H
#define DEVICES_DEMAND_INTERNAL_H

#include "cluster/devices/demand.h"

#include "cluster/devices/inventory.h"

#define RESULTS_MOST 32 /* devices of a claim */

enum match {
	MATCH_UNKNOWN,
	MATCH_NO,
	MATCH_YES,
	MATCH_ERROR,
};

/* What the selectors say of a slice's devices, enum match. */
struct matches {
	const struct resource_slice *slice;
	uint8_t at[];
};

/* Wished by a request that is exact, or by one of its alternatives. */
struct wish {
	const struct device_demand *of;
	const struct device_class *class;
	sym full;           /* "request/alternative", or the request's name */
	uint32_t claim;     /* its number */
	struct map matches; /* by slice */
};

struct wished {
	const struct device_request *request;
	struct wish *at; /* request->n */
};

/* An attribute by its name, or the part behind the driver's. */
struct constraint {
	const struct device_constraint *of;
	sym domain, id; /* SYM_NONE without '/' */
};

struct claim_demand {
	const struct resource_claim *claim;
	struct wished *requests;
	struct constraint *constraints;
};

struct demand {
	struct arena arena;
	struct devices *devices;
	struct device_features features;
	uint64_t used; /* the last time, for dropping the oldest */
	uint32_t n;
	struct claim_demand *claims;
	uint32_t nwishes;
	struct wish *wishes; /* of all claims and requests */
	uint32_t nanswers;
	struct device_answer *answers; /* by the number of the view */
	/* By node, as of this epoch of the devices and so many of its changes; room
	 * for nnodes. */
	uint64_t epoch;
	size_t seen;
	uint32_t nnodes;
	uint32_t *outcomes;
	int32_t *scores;
};

/* ---- a search ---- */

enum outcome {
	DONE,
	NOT,      /* not this way */
	EXCEEDED, /* a claim would have too many devices */
	STOPPED,  /* an error, or out of steps */
};

/* A device in the view. */
struct place {
	uint32_t pool, slice, device;
};

struct consumption {
	sym name;
	amount amount;
	sym text; /* SYM_NONE: of the amount */
};

/* A device given to a request. */
struct given {
	const struct view_pool *pool;
	const struct resource_slice *slice;
	const struct device *device;
	const struct wish *wish;
	const struct wished *request;
	bool shared;
	uint32_t nconsumed;
	struct consumption *consumed;
};

struct distinct_value {
	sym request;
	const struct device_attribute *attribute; /* NULL: none */
};

/* Devices that a constraint is about so far. */
struct constraint_state {
	uint32_t n;
	const struct device_attribute *first;
	uint32_t nvalues;
	struct distinct_value *values;
};

/* A request's number of devices, and of DEVICES_ALL which. */
struct wish_state {
	int64_t n;
	struct place *all;
};

struct claim_state {
	uint32_t ngiven;
	struct given given[RESULTS_MOST];
	struct constraint_state *constraints;
	struct wish_state **requests; /* by request and alternative */
	uint32_t *chosen;             /* by request: the alternative */
};

/* A device that a claim is getting. */
struct getting {
	const struct view_pool *pool;
	sym device;
	uint32_t claim;
};

struct getting_capacity {
	const struct view_pool *pool;
	sym device, name;
	amount amount;
};

struct attempt {
	struct demand *demand;
	const struct device_view *view;
	const struct device_features *features;
	struct device_search *search;
	struct arena *arena; /* scratch */
	uint32_t depth;
	struct claim_state *claims;
	size_t ngetting, getting_cap;
	struct getting *getting;
	size_t nparts, parts_cap;
	struct getting_capacity *parts;
	amount **consumed; /* by pool: by counter; NULL: none */
	uint64_t steps;    /* so far */
	bool timed_out, cancelled;
	bool spent; /* timed out, since the decision has no steps left for it */
	enum { PLAIN_UNKNOWN, PLAIN, NOT_PLAIN } plain; /* alike.c */
	uint32_t error_claim;
	const char *error;
};

/* demand.c */

/* The cached matches of the slice's devices with this wish; the demand owns them. */
struct matches *wish_matches(const struct attempt *a, struct wish *wish,
    const struct resource_slice *slice);
const struct device_view *demand_view(struct demand *demand,
    const struct node_info *node);

/* fit.c; claims are their numbers */

/* Whether the n selectors, of the class or of the claim's request (class NULL), match the
 * device; and whether all of the wish do, which is kept in m. */
enum match fit_selectors(struct attempt *a, uint32_t n,
    const struct device_selector *selectors, sym driver,
    const struct device *device, uint32_t claim,
    const struct device_class *class);
enum match fit_device(struct attempt *a, uint32_t claim, struct wish *wish,
    struct matches *m, const struct view_pool *pool, struct place place);

/* The amount of a capacity that the wish requests, NULL: none; and the amount that is
 * consumed for it. */
const struct named_amount *fit_wanted_capacity(const struct device_demand *wish,
    sym name);
struct consumption fit_consumption(const struct device_capacity *capacity,
    const struct named_amount *wanted);
/* Whether the device's free capacity is enough. */
bool fit_has_capacity(const struct attempt *a, const struct device_demand *wish,
    const struct view_pool *pool, const struct device *device);

/* Whether the claim (NO_CLAIM: any of the attempt) is getting the device; or anybody has
 * it, whole or (partly) shares of it. */
bool fit_is_getting(const struct attempt *a, const struct view_pool *pool,
    sym device, uint32_t claim);
bool fit_is_in_use(const struct attempt *a, const struct view_pool *pool,
    sym device);
void fit_add_getting(struct attempt *a, const struct view_pool *pool,
    sym device, uint32_t claim);
void fit_drop_getting(struct attempt *a, const struct view_pool *pool,
    sym device, uint32_t claim);

/* Takes the device's part of the counters, if all are enough; of a device that is shared
 * already others have taken it.  False also where the gate leaves all counters out: the
 * view then has none.  The other gives it back, sign -1. */
bool fit_take_counters(struct attempt *a, struct view_pool *pool,
    const struct device *device);
void fit_consume(struct attempt *a, const struct view_pool *pool,
    const struct device *device, int sign);

/* Whether a taint of the device, or of its slice, keeps the wish away. */
bool fit_is_tainted(const struct attempt *a, const struct resource_slice *slice,
    const struct device *device, const struct device_demand *wish);

/* False: the constraint does not allow the device besides those it has.  The other takes
 * it back from the first n constraints of the claim. */
bool fit_constraint_add(const struct constraint *c, struct constraint_state *s,
    const struct given *g);
void fit_constraints_remove(struct attempt *a, uint32_t claim, uint32_t n,
    const struct given *g);

/* Whether the constraint sees no difference between two devices of a driver. */
bool fit_constrains_alike(const struct constraint *c, sym driver,
    const struct device *a, const struct device *b);

/*
 * alike.c: whether the search cannot distinguish two devices of a slice, since the same
 * wishes match and nothing differs that constraints compare; where it fails with one, it
 * fails with the other.  False where its order matters: devices that consume counters or
 * can be shared, and claims that are not plain.
 */
bool search_is_alike(struct attempt *a, const struct place *x,
    const struct place *y);

/* search.c */

/* STOPPED, with an error that begins with the claim's name (NO_CLAIM: with none). */
enum outcome search_fail(struct attempt *a, uint32_t claim, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* False: no steps are left, or the decision is cancelled. */
bool search_spend(struct attempt *a, uint64_t steps);

/* An attempt at the demand on this view, with nothing found yet. */
struct attempt search_attempt(struct demand *demand,
    const struct device_view *view, struct arena *arena,
    struct device_search *search);
/* Checks the claims; the second also searches.  DONE: a->claims has the devices. */
enum outcome search_set_up(struct attempt *a);
enum outcome search_run(struct attempt *a);
/* As device_answer's. */
int32_t search_score(const struct attempt *a);
/* Moves on to a device that can be given, unless *at is one; false: none is left. */
bool search_find_place(const struct device_view *view, struct place *at);
static inline const struct device *
place_device(const struct device_view *view, const struct place *at)
{
	return &view->pools[at->pool].slices[at->slice]->devices[at->device];
}
const struct device_reach *given_reach(const struct given *g);

#endif
