#include "config.h"

#include "t/simulation/still.h"

#include "base/xmalloc.h"
#include "t/simulation/loop.h"
#include "t/simulation/network.h"
#include "t/simulation/policies.h"
#include "t/simulation/promises.h"
#include "t/simulation/volumes.h"
#include "t/simulation/world.h"

#define BIT(i) (UINT32_C(1) << (i))
#define ALL UINT32_MAX
#define NONE BIT(CHANGES)

/* More than a backoff; and than those of a pod that makes room for itself. */
#define REST (25 * SECOND)
#define REST_EVICTING (60 * SECOND)
#define STALL (20 * SECOND) /* some tries of a pod */
#define STIR SECOND

/* Why pods wait, and what ends that. */
static const struct theme {
	const char *why;
	struct taste taste;
	unsigned npods;
} themes[] = {
	{ "ports",
	    { .terms = BIT(PORT),
		.changes = BIT(POD_GOES),
		.roomy = true,
		.equal = true },
	    8 },
	{ "anti-affinity",
	    { .terms = BIT(FAR),
		.changes = BIT(POD_GOES) | BIT(POD_CHANGES),
		.roomy = true,
		.equal = true,
		.groups = 1 },
	    8 },
	{ "affinity",
	    { .terms = BIT(NEAR),
		.changes = BIT(POD_GOES) | BIT(GROUP_GOES) | BIT(POD_COMES),
		.roomy = true,
		.equal = true,
		.few = true,
		.groups = 1 },
	    6 },
	{ "spreading",
	    { .terms = BIT(SPREAD),
		.all = true,
		.first = BIT(TAINT),
		.changes = BIT(POD_GOES),
		.roomy = true,
		.equal = true,
		.groups = 1 },
	    10 },
	{ "labels of nodes",
	    { .terms = BIT(SELECTOR),
		.changes = BIT(LABEL),
		.roomy = true,
		.equal = true },
	    5 },
	{ "taints",
	    { .changes = BIT(TAINT) | BIT(POD_CHANGES) | BIT(POD_COMES),
		.roomy = true,
		.equal = true },
	    4 },
	{ "cordons",
	    { .changes = BIT(CORDON) | BIT(POD_COMES),
		.roomy = true,
		.equal = true },
	    4 },
	{ "too many pods",
	    { .changes = BIT(PODS) | BIT(POD_GOES),
		.roomy = true,
		.equal = true,
		.few = true },
	    8 },
	{ "no room",
	    { .terms = ALL,
		.changes = BIT(CPU) | BIT(POD_GOES) | BIT(NODE_COMES),
		.equal = true },
	    12 },
	{ "others that never come",
	    { .terms = BIT(NEAR),
		.changes = BIT(POD_GOES) | BIT(POD_COMES),
		.roomy = true,
		.equal = true,
		.groups = 1000 },
	    100 },
	{ "ranks", { .changes = BIT(POD_GOES) | BIT(POD_COMES) }, 12 },
	{ "ranks and what nodes are like",
	    { .terms = ALL & ~BIT(PORT),
		.changes = BIT(TAINT) | BIT(CORDON) | BIT(LABEL) |
		    BIT(POD_COMES) | BIT(NODE_GOES) },
	    12 },
	{ "taints behind want of room",
	    { .rising = { BIT(POD_COMES), BIT(TAINT), BIT(POD_COMES),
		  BIT(TAINT) } },
	    12 },
	{ "volumes behind want of room",
	    { .rising = { BIT(VOLUMES), BIT(VOLUMES), BIT(VOLUMES),
		  BIT(POD_COMES) },
		.volumes = 1,
		.groups = 1 },
	    12 },
	{ "volumes",
	    { .changes = BIT(VOLUMES) | BIT(POD_GOES),
		.roomy = true,
		.equal = true,
		.volumes = 1,
		.first = NONE,
		.groups = 1 },
	    10 },
	{ "devices",
	    { .changes = BIT(DEVICES) | BIT(POD_GOES),
		.roomy = true,
		.equal = true,
		.devices = 1,
		.first = NONE,
		.groups = 1 },
	    10 },
	{ "what the policy says",
	    { .terms = BIT(FAR) | BIT(SELECTOR),
		.changes = BIT(POLICY),
		.roomy = true,
		.equal = true,
		.groups = 1 },
	    8 },
};

/* Of the end of the world, so that what is before it stays what it was. */
static const struct theme late_themes[] = {
	{ "ranks of pods that are alike",
	    { .rising = { BIT(POD_COMES), BIT(POD_COMES), BIT(POD_COMES),
		  BIT(POD_COMES) },
		.groups = 1,
		.alike = true },
	    12 },
	{ "volumes, and the policy changes",
	    { .changes = BIT(POD_COMES) | BIT(VOLUMES),
		.roomy = true,
		.equal = true,
		.volumes = 1,
		.first = NONE,
		.groups = 1,
		.ruled = true },
	    6 },
};
static unsigned nleft, next;
static bool late;

static const struct theme *
theme(void)
{
	return late ? &late_themes[next % LENGTH(late_themes)] :
		      &themes[next % LENGTH(themes)];
}

static void
on_rule(void *arg)
{
	policies_change();
}

/* The policy changes while claims wait for their volumes. */
static void
rule(void)
{
	volumes_are_slow();
	loop_after(loop_between(0, SECOND), on_rule, NULL);
	loop_after(loop_between(2 * SECOND, 4 * SECOND), on_rule, NULL);
}

static void
on_stir(void *arg)
{
	world_stir(nleft >= 3);
}

/* The watches of pods are behind: they do not tell that victims are others already, of
 * the same names; and meanwhile a node wakes those that wait. */
static void
stall(void)
{
	network.pods_stalled_until = loop_now() + STALL;
	world_replace();
	for (int64_t after = STIR; after < STALL; after += STIR)
		loop_after(after, on_stir, NULL);
}

static void
begin(void)
{
	struct taste taste = theme()->taste;
	unsigned nnodes = taste.alike ? 3 :
	    taste.rising[0] != 0      ? 1 :
					(taste.groups == 1) + 1 + loop_below(2);

	trace("pods wait for: %s", theme()->why);
	if (taste.groups == 0)
		taste.groups = taste.few ? 2 : 5;
	taste.leaving = taste.equal || loop_one_in(2) ? 3 : 60;
	network.slow = loop_one_in(3) ? 4 : 1000;
	world_anew(&taste, nnodes);
	if (taste.first != 0)
		world_change(taste.first);
	for (unsigned n = 0; taste.first == 0 && n < nnodes; n++)
		world_change(taste.changes);
	world_fill(theme()->npods);
	if (taste.ruled)
		rule();
}

static void
change(void)
{
	const struct taste *taste = &theme()->taste;

	if (taste->rising[0] != 0) {
		world_change(taste->rising[nleft]);
		if (taste->alike)
			stall();
		return;
	}
	world_change(taste->changes);
	if (loop_one_in(4))
		world_change(taste->changes);
	if (taste->ruled)
		rule();
}

int64_t
still_next(void)
{
	if (nleft > 0) {
		nleft--;
		world_step(change);
		return theme()->taste.equal && !theme()->taste.volumes ?
		    REST :
		    REST_EVICTING;
	}
	next++;
	nleft = theme()->taste.ruled ? 1 : theme()->taste.equal ? 6 : 4;
	world_step(begin);
	return REST_EVICTING;
}

void
still_begin(void)
{
	late = false;
	nleft = 0;
	next = loop_below(LENGTH(themes));
}

void
still_end(void)
{
	if (late)
		return;
	late = true;
	nleft = next = 0;
}
