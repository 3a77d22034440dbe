/*
 * What is around the daemons: users and controllers that create and delete pods,
 * kubelets, nodes that come, change and go, and what befalls daemons and network.
 */
#ifndef T_SIMULATION_WORLD_H
#define T_SIMULATION_WORLD_H

#include <stdbool.h>

#define DAEMONS_MAX 3

struct world_options {
	const char *kubeconfig, *policy; /* files */
	int daemons;
	bool calm; /* neither faults nor crashes */
	/* Which kinds this world has. */
	bool volumes, budgets, policies, devices;
};

/* Starts everything; it goes on in loop_step(). */
void world_start(const struct world_options *options);
/* Changes and faults stop, or go on. */
void world_rest(bool rest);
/* Nothing has changed for longer than anything takes: what daemons hold is so. */
void world_compare(void);
/* Ends the daemons. */
void world_end(void);

#endif
