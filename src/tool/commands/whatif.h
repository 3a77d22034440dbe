/* The common part of the commands of src/explain/whatif: the cluster and its profiles as a
 * question needs them. */
#ifndef CTL_WHATIF_H
#define CTL_WHATIF_H

#include "tool/input/load.h"
#include "tool/commands/report.h"
#include "explain/whatif/whatif.h"

struct asked {
	const struct options *options;
	struct profiles *profiles;
	struct load load;
	struct whatif whatif;
	struct node *template; /* of more nodes, owned; NULL: none */
};

/* Reads the policy or configuration and the cluster; problems go to standard error.
 * Returns an exit code; when it is EXIT_DONE you asked_close() it. */
int asked_open(struct asked *a, const struct options *options);
void asked_close(struct asked *a);

/* Whether the pod is NS/NAME, or NAME in the namespace of -n or the usual one. */
bool asked_is(const struct asked *a, const struct pod *pod, const char *name);

/* The pod of the cluster with that name, not owned; NULL: it is not there, or cannot be
 * decoded, which is said on standard error. */
const struct pod *asked_pod(const struct asked *a, const char *name);

/* Says that no pod of the cluster has this name, and which have names that may be
 * meant; false: none. */
bool asked_no_pod(const struct asked *a, const char *name);

/* The node of the cluster with that name, node/NAME, or the only one whose name has
 * this before a dot; NULL: standard error says that it is not there. */
const struct node_info *asked_node(const struct asked *a, const char *name);

/* Fills *q with the pods of which waits(), load_waits() or load_queues(), is true; you
 * waiting_fini() it. */
struct waiting;
void asked_waiting(struct asked *a, struct waiting *q,
    bool (*waits)(const struct options *options,
	const struct profiles *profiles, const struct pod *pod));

/* Makes w ask the cluster of a about these profiles; whatif_fini() it. */
void asked_of(const struct asked *a, struct whatif *w,
    const struct profiles *profiles);

/* On standard output, as a table or JSON; noun: of its subjects, "pod".  sides: what
 * is compared, OLD and NEW; NULL: without changes between releases and balance. */
struct diff;
struct diff_side;
void diff_print(const struct diff *d, const struct options *options,
    const char *noun, const struct diff_side *sides);

/* Said of a pod that no eviction can be asked for; of one that is lost. */
#define SEVERAL_BUDGETS "%s is in several budgets: it cannot be evicted\n"
#define UNMANAGED " (no controller creates it again)"

/* "ns/name" in the arena; NULL stays NULL. */
const char *budget_name(struct arena *arena,
    const struct pod_disruption_budget *budget);
/* Why a budget that allows no disruption now blocks evictions. */
const char *budget_obstacle(const struct pod_disruption_budget *budget);

/* The part of a resource that is stranded. */
double stranded_share(const struct balance_resource *resource);

#endif
