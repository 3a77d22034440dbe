/* The subject of the page: a cluster as it was loaded, and the policy in force. */
#ifndef PAGE_VIEW_H
#define PAGE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/policy.h"
#include "whatif/whatif.h"

struct cluster;
struct pod;
struct profiles;

/*
 * Nothing in it is owned, and nothing in it changes while it is shown: every question
 * is answered by a process of its own (keeper.h), on its own copy of the memory.
 */
struct web_view {
	uint64_t
	    generation; /* differs whenever the cluster or the policy does */
	const char *source; /* where the cluster comes from, for people */
	struct cluster *cluster;
	size_t npods;
	struct pod *const *pods; /* running, pending and ended ones */
	size_t nleft_out;        /* pods that cannot be decoded, on no node */

	const struct profiles *profiles;
	bool is_configuration;   /* else a policy */
	const char *policy_name; /* of the file, for messages */
	const char *policy;      /* the text; NULL: the default provider's */
	size_t policy_len;
	struct policy_options policy_options; /* for other policies */

	/* As in struct whatif. */
	uint64_t seed;
	whatif_serving *serving;
	const void *serving_arg;
	/* One more cluster with the same objects, ready for these profiles;
	 * it ends with the process. */
	struct cluster *(
	    *copy)(const void *arg, const struct profiles *profiles);
	const void *copy_arg;
};

#endif
