#include "config.h"

#include "t/simulation/policies.h"

#include <json-c/json.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/profile.h"
#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

/* What a daemon may not have heard of yet. */
#define LAG (calm ? 10 * SECOND : 120 * SECOND)
/* So many refusals are told for certain: of one object only so many events are sent at
 * once, as by client-go. */
#define TOLD 10

static const char *const good[] = {
	PROMISED_POLICY,
	T_POLICY(",\"predicates\":[{\"name\":\"GeneralPredicates\"},"
		 "{\"name\":\"PodToleratesNodeTaints\"},"
		 "{\"name\":\"CheckNodeUnschedulable\"}],\"priorities\":[]"),
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsResources\"},"
		 "{\"name\":\"MatchInterPodAffinity\"},"
		 "{\"name\":\"CheckNodeUnschedulable\"}],\"priorities\":"
		 "[{\"name\":\"MostRequestedPriority\",\"weight\":1}]"),
};
static const char *const bad[] = {
	"{\"kind\":\"Policy\",\"apiVersion\":",
	T_POLICY(",\"predicates\":[{\"name\":\"PodFitsEverywhere\"}]"),
	T_POLICY(",\"priorities\":[{\"name\":\"EqualPriority\","
		 "\"weight\":-1}]"),
	"", NULL, /* the ConfigMap is without the key */
};
static bool here, calm, resting, is_bad, told;
static const char *in_force;
static int64_t changed_at;
static unsigned refusals;

static void
put_policy(const char *text)
{
	struct json_object *map =
	    json_of("{'kind':'ConfigMap','apiVersion':'v1','metadata':{"
		    "'namespace':'kube-system','name':'" POLICY_MAP "'},"
		    "'data':{}}");

	if (text != NULL)
		json_object_object_add(json_at(map, "data"), "policy.cfg",
		    json_object_new_string(text));
	apiserver_put("configmaps", map);
}

static void
put_good(size_t which)
{
	in_force = good[which];
	is_bad = false;
	changed_at = loop_now();
	trace("the policy is %s", in_force);
	put_policy(in_force);
}

static void
put_bad(void)
{
	const char *text = bad[loop_below(LENGTH(bad))];

	is_bad = true;
	told = false;
	refusals++;
	changed_at = loop_now();
	if (loop_one_in(LENGTH(bad) + 1)) {
		trace("the policy is deleted");
		apiserver_delete("configmaps", "kube-system", POLICY_MAP);
		return;
	}
	trace("the policy is bad: %s", text != NULL ? text : "not there");
	put_policy(text);
}

void
policies_change(void)
{
	if (!here)
		return;
	/* one bad after the other may be the same text, which is refused once */
	if (!is_bad && loop_one_in(2))
		put_bad();
	else
		put_good(loop_below(LENGTH(good)));
}

void
policies_anew(void)
{
	if (here && (is_bad || in_force != good[0]))
		put_good(0);
}

static void
on_change(void *arg)
{
	if (!resting)
		policies_change();
	loop_after(loop_between(SECOND, 240 * SECOND), on_change, NULL);
}

/* ---- promises ---- */

const char *
policies_text(void)
{
	return in_force;
}

bool
policies_in_doubt(void)
{
	return here && (loop_now() - changed_at < LAG || (is_bad && !calm));
}

/* What is said again is without its reason. */
void
policies_heard(const char *message)
{
	told |= strstr(message, "policy") != NULL &&
	    strcmp(message, "the changed policy is in use") != 0;
}

void
promise_policy(void)
{
	if (here && calm && is_bad && !told && refusals < TOLD)
		promise_breaks("the policy is bad and nobody says so");
}

/* ---- all of it ---- */

void
policies_rest(bool rest)
{
	resting = rest;
	if (here && rest && is_bad && !calm)
		put_good(loop_below(LENGTH(good)));
}

void
policies_start(bool on, bool is_calm, const char *only)
{
	here = on;
	calm = is_calm;
	is_bad = resting = false;
	refusals = 0;
	in_force = only != NULL ? only : PROMISED_POLICY;
	if (only != NULL)
		put_policy(only);
	if (!here)
		return;
	put_good(loop_below(LENGTH(good)));
	loop_after(MINUTE, on_change, NULL);
}
