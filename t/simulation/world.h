/*
 * What is around the daemons: users and controllers that create and delete pods,
 * kubelets, nodes that come, change and go, and what befalls daemons and network.
 */
#ifndef T_SIMULATION_WORLD_H
#define T_SIMULATION_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAEMONS_MAX 3

struct world_options {
	const char *kubeconfig, *policy, *configuration; /* files */
	int daemons;
	bool calm;  /* neither faults nor crashes */
	bool empty; /* nothing is created or changed but by the caller */
	/* Which kinds this world has. */
	bool volumes, budgets, policies, devices, extender, kosmos, configured,
	    recorded;
	/* Steps that do not happen, by number. */
	const bool *left_out;
	size_t nsteps;
};

/* What pods say of others and of nodes; and what changes.  Masks have a bit each. */
enum term { FAR, NEAR, SPREAD, SELECTOR, TOLERATION, PORT, TERMS };
enum change {
	NODE_GOES,
	CORDON,
	TAINT,
	LABEL,
	PODS,
	CPU,
	NODE_COMES,
	NODES, /* those of nodes */
	POD_GOES = NODES,
	POD_CHANGES,
	GROUP_GOES,
	POD_COMES,
	VOLUMES,
	DEVICES,
	POLICY,
	CHANGES
};

/* Where only few things happen, one that goes wrong is not put right by another. */
struct taste {
	uint32_t terms, changes; /* masks */
	uint32_t
	    first;  /* the one change before there are pods; 0: some of those */
	bool all;   /* each pod says one of these terms */
	bool roomy; /* pods are small */
	bool equal; /* all have one priority */
	bool few;   /* a node takes few pods */
	bool alike; /* pods that come later are, and several come at once */
	bool ruled; /* the policy changes after each change */
	/* The first pods are of the lowest priority and say nothing, the others are of
	 * the highest; these are the changes, from the last to the first.  0: not so. */
	uint32_t rising[4];
	uint32_t groups;           /* of pods */
	uint32_t volumes, devices; /* one pod in so many has a claim; 0: none */
	uint32_t leaving; /* a pod on its way out goes at one look in so many */
};

/* Starts everything; it goes on in loop_step(). */
void world_start(const struct world_options *options);
/* Changes and faults stop, or go on. */
void world_rest(bool rest);
/* Nothing has changed for longer than anything takes: what daemons hold is so. */
void world_compare(void);
/* Of the world that rests: other nodes and no pods, one of these changes, some pods. */
void world_anew(const struct taste *taste, unsigned nnodes);
void world_change(uint32_t changes);
void world_fill(unsigned npods);
/* Of a taste of pods that are alike: those that wait are tried again; budget: one of
 * them all changes, too. */
void world_stir(bool budget);
/* Of the pods on nodes those of the lowest priority go, and others have their names. */
void world_replace(void);

/* Something is free, or shared, for which others may wait: a pod is gone, a claim has
 * devices or gives them back. */
void world_leaves(void);
/* When that was last. */
int64_t world_left_at(void);
/* When the status of a nominated pod was last lost on its way. */
int64_t world_lost_at(void);
/* When a node changed, or went, last. */
int64_t world_nodes_changed_at(void);

/* A step, which can be left out; how many there were. */
void world_step(void (*step)(void));
uint64_t world_steps(void);
/* Ends the daemons; returns how many bytes they held. */
size_t world_end(void);

#endif
