/*
 * The answers of HTTP extenders so far about the nodes for one pod
 * (doc/semantics/05-extenders.md, Filter and Prioritize).  decide() applies them: a
 * node that an extender has left out does not fit, and their scores are added to
 * the totals.
 *
 * Nodes are known by name, so that this stays right while nodes come and go
 * between one answer and the next.
 */
#ifndef FRAMEWORK_EXTENSION_H
#define FRAMEWORK_EXTENSION_H

#include "base/arena.h"
#include "base/map.h"
#include "base/sym.h"

struct extension_refusal {
	sym node;
	const char *reason;
	bool forever; /* evicting pods would not help */
};

struct extension {
	struct arena arena; /* holds the rest, but for the maps' slots */
	bool filtered;      /* only nodes that are left may be chosen */
	struct map left;    /* by name; values mean nothing */
	struct map scores;  /* by name: int64_t, Σ weight × score */
	size_t nrefusals, cap;
	struct extension_refusal *refusals;
};

/* {0} has no answers. */
void extension_fini(struct extension *extension);

/* An extender has filtered: these nodes are left. */
void extension_restrict(struct extension *extension, const sym *nodes,
    size_t n);
/* An extender gives a reason why the node is not; copied.  Counts only once it
 * is not left, and for a node that is not there, too, as in the reference. */
void extension_refuse(struct extension *extension, sym node, const char *reason,
    bool forever);
/* Adds to the node's total. */
void extension_score(struct extension *extension, sym node, int64_t weighted);

#endif
