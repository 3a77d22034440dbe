#include "config.h"

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define UNDECLARED "node(s) didn't match Pod's required features"
#define NODE(features)                                                         \
	W_NODE_STATUS("n1", "", "", "declaredFeatures: [" features "]")
#define RESTART "RestartAllContainersOnContainerExits"
#define USERS "UserNamespacesHostNetworkSupport"
#define POD(spec) W_POD("p", "", "", spec)
#define RULE(action) "[{name: c, restartPolicyRules: [{action: " action "}]}]"
#define HOST_USERS "hostNetwork: true, hostUsers: false"

static const struct row {
	const char *name;
	int release;
	const char *node, *pod;
	enum verdict verdict;
	const char *miss;
} rows[] = {
	/* clang-format off */
	{ "nothing is required", 36, NODE(""), POD(""), FITS, NULL },
	{ "a container's rule", 36, NODE(USERS),
	    POD("containers: " RULE("RestartAllContainers")), UNFIT_FOREVER,
	    RESTART " is not declared" },
	{ "an init container's", 36, NODE(""),
	    POD("initContainers: " RULE("RestartAllContainers")),
	    UNFIT_FOREVER, RESTART " is not declared" },
	{ "it is declared", 36, NODE("Other, " RESTART),
	    POD("containers: " RULE("RestartAllContainers")), FITS, NULL },
	{ "another action", 36, NODE(""), POD("containers: " RULE("Restart")),
	    FITS, NULL },
	{ "users of a host network", 36, NODE(RESTART), POD(HOST_USERS),
	    UNFIT_FOREVER, USERS " is not declared" },
	{ "they are declared", 36, NODE(USERS), POD(HOST_USERS), FITS, NULL },
	{ "the host's users", 36, NODE(""),
	    POD("hostNetwork: true, hostUsers: true"), FITS, NULL },
	{ "by default they are", 36, NODE(""), POD("hostNetwork: true"), FITS,
	    NULL },
	{ "no host network", 36, NODE(""), POD("hostUsers: false"), FITS,
	    NULL },
	{ "one of two is declared", 36, NODE(USERS),
	    POD(HOST_USERS ", containers: " RULE("RestartAllContainers")),
	    UNFIT_FOREVER, RESTART " is not declared" },
	{ "since 1.35", 35, NODE(""), POD(HOST_USERS), UNFIT_FOREVER,
	    USERS " is not declared" },
	{ "not before", 34, NODE(""), POD(HOST_USERS), FITS, NULL },
	/* clang-format on */
};

static struct outcome
outcome_of(struct world *w, const struct row *row)
{
	w->cluster->kubernetes_minor = row->release;
	world_put(w, row->node);
	world_pod(w, row->pod);
	return world_check(w, &predicate_node_declared_features, NULL, "n1");
}

static void
nodes_declare_required_features(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct world *w = world_new("");
		struct outcome o = outcome_of(w, &rows[i]);

		t_int(rows[i].name, o.verdict, rows[i].verdict);
		t_str(rows[i].name, o.why,
		    rows[i].verdict == FITS ? "" : UNDECLARED);
		if (rows[i].miss != NULL)
			t_str(rows[i].name, o.miss, rows[i].miss);
		world_free(w);
	}
}

static void
a_strict_policy_requires_none(void)
{
	struct world *w = world_new("");

	w->profile->strict = true;
	t_int("fits", outcome_of(w, &rows[1]).verdict, FITS);
	world_free(w);
}

static void
without_the_gate_none_is_required(void)
{
	struct world *w = world_new("");

	w->profile->gates.node_declared_features = false;
	t_int("fits", outcome_of(w, &rows[1]).verdict, FITS);
	world_free(w);
}

T_MAIN(T(nodes_declare_required_features), T(a_strict_policy_requires_none),
    T(without_the_gate_none_is_required))
