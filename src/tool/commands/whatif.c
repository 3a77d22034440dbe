#include "config.h"

#include "tool/commands/whatif.h"

#include <limits.h>

#include "tool/commands/ctl.h"
#include "base/text.h"
#include "objects/workload.h"
#include "explain/whatif/balance.h"
#include "explain/whatif/waiting.h"

void
asked_of(const struct asked *a, struct whatif *w,
    const struct profiles *profiles)
{
	*w = (struct whatif){
		.cluster = a->load.cluster,
		.profiles = profiles,
		.seed = a->options->seed,
		.serving = load_serving,
		.serving_arg = a->options,
	};
	whatif_init(w);
}

void
asked_waiting(struct asked *a, struct waiting *q,
    bool (*waits)(const struct options *options,
	const struct profiles *profiles, const struct pod *pod))
{
	const struct load *load = &a->load;
	AUTOFREE const struct pod **pods =
	    xcalloc(load->npods + 1, sizeof(*pods));
	size_t n = 0;

	for (size_t i = 0; i < load->npods; i++)
		if (waits(a->options, a->profiles, load->pods[i]))
			pods[n++] = load->pods[i];
	waiting_init(q, &a->whatif, n, pods);
}

int
asked_open(struct asked *a, const struct options *options)
{
	struct err err;
	int code;

	*a = (struct asked){ .options = options };
	code = load_profiles(options, &a->profiles);
	if (code != EXIT_DONE)
		return code;
	if (load_cluster(options, &a->profiles, NULL, &a->load, &err) != 0)
		code = ctl_fail(&err);
	else
		code = openshift_profile(&a->load.openshift, options,
		    &a->profiles);
	if (code != EXIT_DONE)
		asked_close(a);
	return code;
}

void
asked_close(struct asked *a)
{
	if (a->load.cluster != NULL)
		load_fini(&a->load);
	profiles_free(a->profiles);
}

int
asked_run(const struct options *options, int (*command)(struct asked *a))
{
	struct asked a;
	int code = asked_open(&a, options);

	if (code != EXIT_DONE)
		return code;
	asked_of(&a, &a.whatif, a.profiles);
	code = command(&a);
	whatif_fini(&a.whatif);
	if (a.template != NULL)
		object_unref(&a.template->object);
	asked_close(&a);
	return code;
}

bool
asked_is(const struct asked *a, const struct pod *pod, const char *name)
{
	const struct live *live = &a->load.live;
	const char *namespace = a->options->namespace != SYM_NONE ?
	    sym_text(a->options->namespace) :
	    live->server != NULL ? live->namespace :
				   "default";

	if (strchr(name, '/') != NULL)
		return strcmp(pod_full_name(pod), name) == 0;
	return strcmp(sym_text(pod->object.namespace), namespace) == 0 &&
	    strcmp(pod->object.name, name) == 0;
}

/* ---- names ---- */

#define SUGGESTED 5
#define REMOTE UINT_MAX

/* Those that are the nearest to a name that is not there. */
struct nearest {
	const char *meant;
	unsigned distance;
	size_t n;
	struct text names;
};

/* A name may be that of what owns it, without a hash. */
static unsigned
distance(const char *meant, const char *name)
{
	const char *dash = strrchr(meant, '-');
	size_t len = strlen(meant);

	if (strcmp(meant, name) == 0)
		return 0;
	if (strncmp(meant, name, len) == 0 &&
	    (name[len] == '-' || name[len] == '.'))
		return 1;
	if (text_is_like(meant, name))
		return 1 + text_distance(meant, name);
	if (dash != NULL &&
	    strncmp(meant, name, (size_t)(dash - meant) + 1) == 0)
		return REMOTE - 1;
	return REMOTE;
}

static void
compare(struct nearest *nearest, const char *name, const char *full_name)
{
	unsigned d = distance(nearest->meant, name);

	if (d == REMOTE || d > nearest->distance)
		return;
	if (d < nearest->distance) {
		nearest->n = 0;
		text_drop(&nearest->names, nearest->names.len);
	}
	nearest->distance = d;
	if (++nearest->n <= SUGGESTED)
		text_printf(&nearest->names, "%s%s", nearest->n > 1 ? ", " : "",
		    full_name);
}

/* Whether something is near. */
static bool
print_absent(const char *kind, const char *name, struct nearest *nearest)
{
	bool found = nearest->n > 0;

	ctl_print("%s \"%s\" is not in the cluster%s%s%s", kind, name,
	    found ? "; did you mean " : "", found ? nearest->names.bytes : "",
	    found ? "?" : "");
	text_fini(&nearest->names);
	return found;
}

bool
asked_no_pod(const struct asked *a, const char *name)
{
	const char *slash = strchr(name, '/');
	struct nearest nearest = { .meant = slash != NULL ? slash + 1 : name,
		.distance = REMOTE };

	for (size_t i = 0; i < a->load.npods; i++)
		compare(&nearest, a->load.pods[i]->object.name,
		    pod_full_name(a->load.pods[i]));
	return print_absent("pod", name, &nearest);
}

const struct pod *
asked_pod(const struct asked *a, const char *name)
{
	for (size_t i = 0; i < a->load.npods; i++) {
		const struct pod *pod = a->load.pods[i];

		if (!asked_is(a, pod, name))
			continue;
		if (pod->object.partial == PARTIAL_NONE)
			return pod;
		ctl_print("pod \"%s\" cannot be decoded", name);
		return NULL;
	}
	asked_no_pod(a, name);
	return NULL;
}

/* The only node whose name begins with this and a dot, or NULL. */
static const struct node_info *
node_of_short_name(const struct cluster *cluster, const char *name)
{
	const struct node_info *found = NULL;
	size_t len = strlen(name);

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const char *whole = sym_text(cluster->nodes[i]->name);

		if (strncmp(whole, name, len) != 0 || whole[len] != '.')
			continue;
		if (found != NULL)
			return NULL;
		found = cluster->nodes[i];
	}
	return found;
}

const struct node_info *
asked_node(const struct asked *a, const char *name)
{
	struct nearest nearest = { .distance = REMOTE };
	const struct node_info *node;
	const char *slash = strchr(name, '/');

	if (slash != NULL &&
	    (strncmp(name, "node/", 5) == 0 || strncmp(name, "nodes/", 6) == 0))
		name = slash + 1;
	node = cluster_node(a->load.cluster, sym_intern(name));
	if (node == NULL || node->node == NULL)
		node = node_of_short_name(a->load.cluster, name);
	if (node != NULL)
		return node;
	nearest.meant = name;
	for (uint32_t i = 0; i < a->load.cluster->nnodes; i++) {
		const char *of = sym_text(a->load.cluster->nodes[i]->name);

		compare(&nearest, of, of);
	}
	print_absent("node", name, &nearest);
	return NULL;
}

const char *
budget_name(struct arena *arena, const struct pod_disruption_budget *budget)
{
	return budget == NULL ?
	    NULL :
	    arena_printf(arena, "%s/%s", sym_text(budget->object.namespace),
		budget->object.name);
}

const char *
budget_obstacle(const struct pod_disruption_budget *budget)
{
	return budget->allows_none ?
	    "no eviction is ever allowed: no number of ready pods helps" :
	    "no eviction is allowed now: it needs more ready pods";
}

double
stranded_share(const struct balance_resource *resource)
{
	return resource->allocatable > 0 ?
	    (double)resource->stranded / (double)resource->allocatable :
	    0;
}
