/*
 * A prefilter checks the pod before any node is filtered: PreFilter of the scheduler
 * framework, as far as it rejects the pod or limits the nodes; and the same plugin's
 * PreEnqueue.  Its state for Filter is the predicate's own prepare().  Profiles of
 * policy.cfg have none.
 */
#ifndef FRAMEWORK_PREFILTER_H
#define FRAMEWORK_PREFILTER_H

#include "framework/verdict.h"

struct cycle;

struct prefilter {
	enum plugin_number plugin; /* as in struct predicate */

	/*
	 * Optional.  FITS: go on.  UNFIT or UNFIT_FOREVER: every node is refused with the
	 * reason, and no node is filtered.  BROKEN, after cycle_fail(): the attempt
	 * fails.  args: the plugin's.
	 */
	enum verdict (
	    *check)(struct cycle *cycle, const void *args, struct why *why);

	/* Optional: anything but FITS keeps the pod out of the queue of those
	 * that are scheduled. */
	enum verdict (
	    *enqueue)(struct cycle *cycle, const void *args, struct why *why);
};

#endif
