#include "config.h"

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "decide/framework/args.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define WHY "node(s) didn't satisfy plugin(s) [NodeAffinity]"
#define NODES W_NODE("n1", "zone: a", "") W_NODE("n2", "zone: a", "")
#define TERMS(terms)                                                           \
	"affinity: {nodeAffinity: {"                                           \
	"requiredDuringSchedulingIgnoredDuringExecution: {"                    \
	"nodeSelectorTerms: [" terms "]}}}"
#define POD(terms) W_POD("p", "", "", TERMS(terms))
#define FIELD(op, values)                                                      \
	"{key: metadata.name, operator: " op ", values: [" values "]},"
#define FIELDS(fields) "{matchFields: [" fields "]},"
#define ZONE_A "{matchExpressions: [{key: zone, operator: In, values: [a]}]},"

static const struct node_names_args affinity = { .affinity = true };

static void
nodes_that_no_term_names_are_left_out(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no affinity", NODES, W_POD("p", "", "", ""), FITS, "",
		    NULL },
		{ "named", NODES, POD(FIELDS(FIELD("In", "n1"))), FITS, "",
		    NULL },
		{ "another is", NODES, POD(FIELDS(FIELD("In", "n2"))),
		    UNFIT_FOREVER, WHY, NULL },
		{ "one that is not there", NODES,
		    POD(FIELDS(FIELD("In", "gone"))), UNFIT_FOREVER, WHY,
		    NULL },
		{ "by the second term", NODES,
		    POD(FIELDS(FIELD("In", "n2")) FIELDS(FIELD("In", "n1"))),
		    FITS, "", NULL },
		{ "in all lists of the term", NODES,
		    POD(FIELDS(FIELD("In", "n1, n2") FIELD("In", "n2"))),
		    UNFIT_FOREVER, WHY, NULL },
		{ "in a list that cannot be used", NODES,
		    POD(FIELDS(FIELD("In", "n1, n2"))), FITS, "", NULL },
		{ "a term without names", NODES,
		    POD(FIELDS(FIELD("In", "n2")) ZONE_A), FITS, "", NULL },
		{ "NotIn names none", NODES, POD(FIELDS(FIELD("NotIn", "n1"))),
		    FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate_of(36, &predicate_node_names, &affinity, rows);
}

static void
the_nominated_node_is_looked_at(void)
{
	struct world *w = world_new(NODES W_NODE("n3", "", ""));
	uint8_t codes[COLUMN_ROWS];

	world_pod(w,
	    W_POD_IN("d", "p", "", "", TERMS(FIELDS(FIELD("In", "n2"))),
		"nominatedNodeName: n1"));
	t_int("nominated",
	    world_check(w, &predicate_node_names, &affinity, "n1").verdict,
	    FITS);
	t_int("named",
	    world_check(w, &predicate_node_names, &affinity, "n2").verdict,
	    FITS);
	t_int("neither",
	    world_check(w, &predicate_node_names, &affinity, "n3").verdict,
	    UNFIT_FOREVER);
	t_true("all at once",
	    predicate_node_names.check_block(&w->cycle,
		cluster_columns(w->cluster)->blocks[0],
		world_prepare(w, &predicate_node_names, &affinity), codes));
	t_int("nominated", codes[world_node(w, "n1")->index], 0);
	t_int("named", codes[world_node(w, "n2")->index], 0);
	t_true("neither", codes[world_node(w, "n3")->index] != 0);
	world_free(w);
}

static void
pods_that_name_different_nodes_are_of_different_classes(void)
{
	struct pod *a = world_decode_pod(POD(FIELDS(FIELD("In", "n1, n2"))));
	struct pod *b = world_decode_pod(POD(FIELDS(FIELD("In", "n1, n3"))));
	struct pod *c = world_decode_pod(POD(FIELDS(FIELD("In", "n1, n2"))));

	/* both lists have the same error, and no requirements */
	t_true("other names", a->class != b->class);
	t_true("the same names", a->class == c->class);
	pod_unref(a);
	pod_unref(b);
	pod_unref(c);
}

T_MAIN(T(nodes_that_no_term_names_are_left_out),
    T(the_nominated_node_is_looked_at),
    T(pods_that_name_different_nodes_are_of_different_classes))
