#include "config.h"

#include "t/priorities/rows.h"

#include "cluster/columns.h"

#define NODES W_NODE("n1", "", "") W_NODE("n2", "", "") W_NODE("n3", "", "")
#define JOB(spec, status)                                                      \
	"---\n{apiVersion: example.com/v1, kind: StickyJob, metadata: "        \
	"{namespace: default, name: j, uid: u1}, spec: {" spec                 \
	"}, status: {" status "}}\n"
#define POD                                                                    \
	W_OBJECT("Pod",                                                        \
	    "name: p, namespace: default, ownerReferences: "                   \
	    "[{kind: StickyJob, name: j, uid: u1, controller: true}]",         \
	    "spec: {}")

/* clang-format off */
static const struct row rows[] = {
	{ "the last node", NODES JOB("", "lastNode: n2"), POD,
	    "n1=0 n2=10 n3=0", "n1=0 n2=100 n3=0" },
	{ "also where it is required", NODES JOB("required: true",
	    "lastNode: n2"), POD, "n1=0 n2=10 n3=0", "n1=0 n2=100 n3=0" },
	{ "none yet", NODES JOB("", ""), POD,
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
	{ "a pod of no job", NODES JOB("", "lastNode: n2"), NO_CONTAINERS,
	    "n1=0 n2=0 n3=0", "n1=0 n2=0 n3=0" },
};
/* clang-format on */

static void
the_last_node_is_preferred(void)
{
	check_rows(&priority_sticky_job_priority, NULL, rows);
}

static void
all_nodes_at_once(void)
{
	const struct priority *unit = &priority_sticky_job_priority;
	struct world *w = world_new(NODES JOB("", "lastNode: n2"));
	const struct column_block *block;
	int64_t scores[COLUMN_ROWS], raw;
	const void *prep;

	world_pod(w, POD);
	w->profile->score_max = 100;
	prep = unit->prepare(&w->cycle, NULL);
	block = cluster_columns(w->cluster)->blocks[0];
	t_true("columns", unit->score_block(&w->cycle, block, prep, scores));
	t_int("n1", scores[world_node(w, "n1")->index], 0);
	t_int("n2", scores[world_node(w, "n2")->index], 100);
	t_true("not uniform", !prep_is_uniform(prep, &raw));
	world_pod(w, NO_CONTAINERS);
	prep = unit->prepare(&w->cycle, NULL);
	t_true("uniform", prep_is_uniform(prep, &raw));
	t_int("nothing", raw, 0);
	world_free(w);
}

T_MAIN(T(the_last_node_is_preferred), T(all_nodes_at_once))
