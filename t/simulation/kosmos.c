#include "config.h"

#include "t/simulation/kosmos.h"

#include <json-c/json.h>
#include <stdio.h>

#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "base/xmalloc.h"
#include "objects/object.h"
#include "t/lib/profile.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

#define PER_NAMESPACE 4
/* What a daemon may not have heard of yet. */
#define LAG (calm ? 10 * SECOND : 120 * SECOND)

static const char *const namespaces[] = { "red", "blue" };
static bool here, calm, resting;
static int64_t changed_at;

static void
change(void)
{
	static const char *const terms[] = { "host", "leaf", "mix", "fast" };
	static const char *const selectors[] = { "'namePrefix':'set-'",
		"'namePrefix':'pod-'", "'name':'set-3'", "'labelSelector':{}" };
	const char *namespace = namespaces[loop_below(LENGTH(namespaces))];
	const char *term = terms[loop_below(LENGTH(terms))];
	const char *selector = selectors[loop_below(LENGTH(selectors))];
	char name[32];

	snprintf(name, sizeof(name), "policy-%u", loop_below(PER_NAMESPACE));
	changed_at = loop_now();
	apiserver_delete("distributionpolicies", namespace, name);
	if (loop_one_in(3)) {
		trace("distribution policy %s/%s goes", namespace, name);
		return;
	}
	trace("distribution policy %s/%s is {%s}: %s", namespace, name,
	    selector, term);
	apiserver_put("distributionpolicies",
	    json_of("{'kind':'DistributionPolicy','apiVersion':"
		    "'kosmos.io/v1alpha1','metadata':{'namespace':'%s',"
		    "'name':'%s'},'spec':{'resourceSelectors':[{"
		    "'policyName':'%s',%s}],'policyTerms':["
		    "{'name':'host','nodeType':'host'},"
		    "{'name':'leaf','nodeType':'leaf'},"
		    "{'name':'mix','nodeType':'mix'},"
		    "{'name':'fast','nodeType':'adv','advancedTerm':{"
		    "'nodeSelector':{'disk':'ssd'}}}]}}",
		namespace, name, term, selector));
}

static void
on_user(void *arg)
{
	if (!resting)
		change();
	loop_after(loop_between(SECOND, 120 * SECOND), on_user, NULL);
}

void
kosmos_join(struct json_object *node)
{
	if (here && loop_one_in(2))
		json_object_object_add(json_at(node, "metadata.labels"),
		    "kosmos.io/node", json_object_new_string("true"));
}

static void
put(void *arg, struct json_object *policy)
{
	struct object *object = promised_object(policy);

	if (object != NULL)
		cluster_put(arg, object);
	object_unref(object);
}

struct object *
kosmos_confined(struct object *pod)
{
	struct cluster *cluster;

	if (!here)
		return pod;
	cluster = cluster_new();
	apiserver_each("distributionpolicies", put, cluster);
	pod = (struct object *)cluster_confined(cluster, (struct pod *)pod);
	cluster_free(cluster);
	return pod;
}

bool
kosmos_in_doubt(void)
{
	return here && loop_now() - changed_at < LAG;
}

bool
kosmos_exists(void)
{
	return here;
}

const char *
kosmos_policy(void)
{
	return here ?
	    T_POLICY(",\"predicates\":[{\"name\":\"GeneralPredicates\"},"
		     "{\"name\":\"LeafNodeTaintToleration\"},"
		     "{\"name\":\"CheckNodeUnschedulable\"},"
		     "{\"name\":\"MatchInterPodAffinity\"},"
		     "{\"name\":\"LeafNodeDistribution\"}]") :
	    NULL;
}

void
kosmos_rest(bool rest)
{
	resting = rest;
}

void
kosmos_start(bool on, bool is_calm)
{
	here = on;
	calm = is_calm;
	resting = false;
	if (here)
		on_user(NULL);
}
