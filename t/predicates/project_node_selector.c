#include "config.h"

#include <string.h>

#include "base/err.h"
#include "cluster/confines.h"
#include "objects/labels.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NO_MATCH "node(s) didn't match node selector"

#define NAMESPACE(annotations)                                                 \
	W_OBJECT("Namespace", "name: default, annotations: {" annotations "}", \
	    "spec: {}")
#define PROJECT(selector)                                                      \
	NAMESPACE("openshift.io/node-selector: '" selector "'")
#define KUBE(selector)                                                         \
	NAMESPACE("scheduler.alpha.kubernetes.io/node-selector: '" selector "'")
#define BOTH(project, kube)                                                    \
	NAMESPACE(                                                             \
	    "openshift.io/node-selector: '" project                            \
	    "', scheduler.alpha.kubernetes.io/node-selector: '" kube "'")

#define EAST W_NODE("n1", "type: user-node, region: east", "")
#define INFRA W_NODE("n1", "type: infra", "")
#define USERS "type=user-node,region=east"

static void
set_default(struct world *w, const char *text)
{
	struct arena arena = ARENA_INIT;
	struct labels labels;
	struct err err;

	if (text == NULL) {
		cluster_set_default_node_selector(w->cluster, NULL);
		return;
	}
	t_int(text, labels_from_text(&arena, text, &labels, &err), 0);
	cluster_set_default_node_selector(w->cluster, &labels);
	arena_fini(&arena);
}

static void
the_node_wears_what_the_namespace_asks_for(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *objects, *selector;
		enum verdict verdict;
		const char *miss;
	} rows[] = {
		{ "no OpenShift", INFRA PROJECT(USERS), NULL, FITS, NULL },
		{ "nothing is asked for", INFRA, "", FITS, NULL },
		{ "the default", EAST, USERS, FITS, NULL },
		{ "the default, missed", INFRA, USERS, UNFIT_FOREVER, NULL },
		{ "half of it", W_NODE("n1", "type: user-node", ""), USERS,
		  UNFIT_FOREVER, "label region is missing, its namespace "
		  "requires east" },
		{ "a namespace without annotations", INFRA NAMESPACE(""),
		  "type=x", UNFIT_FOREVER,
		  "label type is infra, its namespace requires x" },
		{ "one of its own", INFRA PROJECT("type=infra"), USERS, FITS,
		  NULL },
		{ "which is not the default", EAST PROJECT("type=infra"),
		  USERS, UNFIT_FOREVER,
		  "label type is user-node, its namespace requires infra" },
		{ "without a default", EAST PROJECT("type=infra"), "",
		  UNFIT_FOREVER, NULL },
		{ "an empty one asks for nothing", INFRA PROJECT(""), USERS,
		  FITS, NULL },
		{ "Kubernetes' annotation", INFRA KUBE("type=infra"), USERS,
		  FITS, NULL },
		{ "an empty one", INFRA KUBE(""), USERS, FITS, NULL },
		{ "it wins", INFRA BOTH("type=other", "type=infra"), USERS,
		  FITS, NULL },
		{ "it wins, empty", INFRA BOTH("type=other", ""), USERS, FITS,
		  NULL },
		{ "nonsense fits nowhere", INFRA PROJECT("type infra"), USERS,
		  UNFIT_FOREVER, "label openshift.io/node-selector is "
		  "missing, its namespace requires type infra" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world *w = world_new(rows[i].objects);
		struct outcome o;

		set_default(w, rows[i].selector);
		world_pod(w, W_POD("p", "", "", ""));
		o = world_check(w, &predicate_project_node_selector, NULL,
		    "n1");
		t_int(rows[i].name, o.verdict, rows[i].verdict);
		t_str(rows[i].name, o.why,
		    rows[i].verdict == FITS ? "" : NO_MATCH);
		if (rows[i].miss != NULL)
			t_str(rows[i].name, o.miss, rows[i].miss);
		world_free(w);
	}
}

static void
a_change_that_matters_is_told(void)
{
	struct world *w = world_new(EAST);
	uint64_t was = w->cluster->confines;

	world_put(w, PROJECT("a=b"));
	t_int("no OpenShift", w->cluster->confines, was);
	set_default(w, USERS);
	t_int("a default", w->cluster->confines, ++was);
	set_default(w, "region=east, type=user-node");
	t_int("the same", w->cluster->confines, was);
	world_put(w, NAMESPACE(""));
	t_int("an annotation goes", w->cluster->confines, ++was);
	world_put(w, PROJECT("region=east,type=user-node"));
	t_int("one that says the same", w->cluster->confines, was);
	world_put(w, PROJECT(""));
	t_int("one that says otherwise", w->cluster->confines, ++was);
	world_remove(w, PROJECT(""));
	t_int("it goes", w->cluster->confines, ++was);
	set_default(w, "");
	t_int("no default", w->cluster->confines, ++was);
	set_default(w, NULL);
	t_int("nor OpenShift", w->cluster->confines, ++was);
	set_default(w, NULL);
	t_int("still none", w->cluster->confines, was);
	world_free(w);
}

T_MAIN(T(the_node_wears_what_the_namespace_asks_for),
    T(a_change_that_matters_is_told))
