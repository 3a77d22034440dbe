#include "config.h"

#include "cluster/columns.h"
#include "cluster/confines.h"
#include "objects/confines.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't match the last node of the pod's StickyJob"

#define NODES W_NODE("n1", "", "") W_NODE("n2", "", "")
#define JOB(uid, spec, status)                                                 \
	"---\n{apiVersion: example.com/v1, kind: StickyJob, metadata: "        \
	"{namespace: default, name: j, uid: " uid "}, spec: {" spec            \
	"}, status: {" status "}}\n"
#define LAST(node) "lastNode: " node
#define REQUIRED "required: true"
#define OWNED(owner)                                                           \
	W_OBJECT("Pod",                                                        \
	    "name: p, namespace: default, ownerReferences: [" owner "]",       \
	    "spec: {}")
#define POD OWNED("{kind: StickyJob, name: j, uid: u1, controller: true}")

static void
a_pod_stays_where_it_is_required_to(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no job is known", NODES, POD, FITS, "", NULL },
		{ "the last node", NODES JOB("u1", REQUIRED, LAST("n1")), POD,
		  FITS, "", NULL },
		{ "another node", NODES JOB("u1", REQUIRED, LAST("n2")), POD,
		  UNFIT_FOREVER, WHY, "StickyJob default/j requires n2" },
		{ "one that is gone", NODES JOB("u1", REQUIRED, LAST("n9")),
		  POD, UNFIT_FOREVER, WHY, NULL },
		{ "there is none yet", NODES JOB("u1", REQUIRED, ""), POD,
		  FITS, "", NULL },
		{ "it is not required", NODES JOB("u1", "", LAST("n2")), POD,
		  FITS, "", NULL },
		{ "another job of the same name",
		  NODES JOB("u2", REQUIRED, LAST("n2")), POD, FITS, "", NULL },
		{ "an owner that does not control it",
		  NODES JOB("u1", REQUIRED, LAST("n2")),
		  OWNED("{kind: ReplicaSet, name: j, uid: u1, controller: "
			"true}, {kind: StickyJob, name: j, uid: u1}"),
		  UNFIT_FOREVER, WHY, NULL },
		{ "an owner of another kind",
		  NODES JOB("u1", REQUIRED, LAST("n2")),
		  OWNED("{kind: Job, name: j, uid: u1, controller: true}"),
		  FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_sticky_job, NULL, rows);
}

static void
all_nodes_at_once(void)
{
	struct world *w = world_new(NODES JOB("u1", REQUIRED, LAST("n2")));
	const struct column_block *block;
	uint8_t codes[COLUMN_ROWS];
	const void *prep;

	world_pod(w, POD);
	prep = world_prepare(w, &predicate_sticky_job, NULL);
	block = cluster_columns(w->cluster)->blocks[0];
	t_true("columns",
	    predicate_sticky_job.check_block(&w->cycle, block, prep, codes));
	t_int("n1", codes[world_node(w, "n1")->index] != 0, 1);
	t_int("n2", codes[world_node(w, "n2")->index], 0);
	world_free(w);
}

static void
a_job_that_changes_changes_its_pods(void)
{
	struct world *w = world_new(NODES JOB("u1", "", LAST("n2")));
	uint64_t before = w->cluster->confines;
	struct pod *pod;

	world_pod(w, POD);
	world_put(w, JOB("u1", "", LAST("n2")));
	t_true("the same again", w->cluster->confines == before);
	world_put(w, JOB("u1", "", LAST("n1")));
	t_true("another node", w->cluster->confines != before);
	pod = cluster_confined(w->cluster, pod_ref(w->pod));
	t_str("the pod's", sym_text(pod->class->confines->sticky.node), "n1");
	before = w->cluster->confines;
	world_put(w, JOB("u1", REQUIRED, LAST("n1")));
	t_true("required", w->cluster->confines != before);
	before = w->cluster->confines;
	world_remove(w, JOB("u1", "", ""));
	t_true("its end", w->cluster->confines != before);
	pod = cluster_confined(w->cluster, pod);
	t_true("nothing is left", pod->class->confines == NULL);
	pod_unref(pod);
	world_free(w);
}

T_MAIN(T(a_pod_stays_where_it_is_required_to), T(all_nodes_at_once),
    T(a_job_that_changes_changes_its_pods))
