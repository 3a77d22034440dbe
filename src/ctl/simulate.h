/* The results of simulate, and their table. */
#ifndef CTL_SIMULATE_H
#define CTL_SIMULATE_H

#include "ctl/load.h"
#include "ctl/options.h"

/* One pending pod and its result. */
struct outcome {
	const struct pod *pod; /* owned by the load */
	size_t order;          /* in the input */
	sym node;              /* SYM_NONE: left pending */
	const char *message;   /* why; in the simulation's arena */
	/* The same without counts of nodes; equal texts at one address. */
	const char *summary;
};

struct eviction {
	struct pod *pod; /* owned */
	sym node;
	const struct pod *by; /* owned by the load */
};

struct simulation {
	const struct options *options;
	const struct profiles *profiles;
	struct load *load;

	/* In the order in which they are tried. */
	size_t noutcomes, outcomes_cap;
	struct outcome *outcomes;

	/* While deciding: results kept from pod to pod, by profile. */
	struct ecache **ecaches;

	size_t nevictions, evictions_cap;
	struct eviction *evictions;

	size_t nplaced, ndecisions;
	double seconds;      /* of deciding and placing, not of reading */
	struct arena arena;  /* of messages */
	struct strmap texts; /* each message once */
};

void simulate_table(const struct simulation *simulation);

#endif
