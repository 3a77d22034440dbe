/* StickyJobs of example.com: jobs whose pods return to their last node
 * (doc/plugins.md). */
#ifndef MODEL_STICKY_JOB_H
#define MODEL_STICKY_JOB_H

#include "objects/object.h"

/* The group, version and resource in the API. */
#define STICKY_JOB_VERSION "example.com/v1"
#define STICKY_JOB_RESOURCE "stickyjobs"

struct sticky_job {
	struct object object;
	bool required; /* spec.required: its pods fit on no other node */
	sym last_node; /* status.lastNode; SYM_EMPTY: they had none yet */
};

#endif
