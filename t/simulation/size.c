/*
 * The cluster has all its pods when the daemon starts, and then gets more at a steady
 * pace.  The daemon is as fast as the processor, the server and the network take no
 * time but their delays.
 */
#include "config.h"

#include "t/simulation/size.h"

#include <stdio.h>

#include "t/simulation/apiserver.h"
#include "t/simulation/loop.h"
#include "t/simulation/promises.h"

#define APPS 300
#define NEW_PODS 2000
#define PACE (SECOND / 100)
#define PAGE 500 /* objects */
#define MIB (1024.0 * 1024)

static unsigned nmade;

static void
add_node(unsigned n)
{
	apiserver_put("nodes",
	    json_of("{'kind':'Node','apiVersion':'v1','metadata':{"
		    "'name':'node-%u','labels':{"
		    "'kubernetes.io/hostname':'node-%u',"
		    "'topology.kubernetes.io/zone':'zone-%u'}},'spec':{},"
		    "'status':{'allocatable':{'cpu':'16','memory':'64Gi',"
		    "'pods':'110'},'conditions':[{'type':'Ready',"
		    "'status':'True'}]}}",
		n, n, n % 3));
}

static void
add_pod(const char *prefix, unsigned n, const char *node)
{
	apiserver_put("pods",
	    json_of("{'kind':'Pod','apiVersion':'v1','metadata':{"
		    "'namespace':'default','name':'%s-%u','labels':{"
		    "'app':'app-%u'},'creationTimestamp':'%s'},"
		    "'spec':{'schedulerName':'default-scheduler',"
		    "'nodeName':'%s','containers':[{'name':'main',"
		    "'image':'image-%u','resources':{'requests':{"
		    "'cpu':'100m','memory':'128Mi'}}}]},"
		    "'status':{'phase':'%s'}}",
		prefix, n, n % APPS, world_time(), node, n % APPS,
		node[0] != '\0' ? "Running" : "Pending"));
}

static void
on_pace(void *arg)
{
	add_pod("new", nmade++, "");
	if (nmade < NEW_PODS)
		loop_after(PACE, on_pace, NULL);
}

static void
run_until_bound(size_t n)
{
	while (promises_count().bindings < n && loop_now() < 60 * MINUTE)
		loop_step(60 * MINUTE);
}

bool
size_measure(struct world_options *options, unsigned nnodes, unsigned npods)
{
	char node[32];
	struct loop_work begun; /* when the first pod is bound */
	size_t held;

	loop_reset(1);
	loop_works = true;
	loop_work = (struct loop_work){ 0 };
	apiserver_reset(36, PAGE);
	promises_reset(true);
	promises_off = true;
	nmade = 0;
	for (unsigned i = 0; i < nnodes; i++)
		add_node(i);
	for (unsigned i = 0; i < npods; i++) {
		snprintf(node, sizeof(node), "node-%u", i % nnodes);
		add_pod("old", i, node);
	}
	options->daemons = 1;
	options->empty = options->calm = true;
	world_start(options);
	on_pace(NULL);
	run_until_bound(1);
	begun = loop_work;
	loop_work.longest = 0;
	run_until_bound(NEW_PODS);
	held = world_end();
	loop_fini();
	printf(
	    "| %u | %u | %.2f s | %.0f ms | %.2f ms | %.1f ms | %.0f MiB |\n",
	    nnodes, npods, (double)begun.total / SECOND,
	    (double)begun.longest / 1000,
	    (double)(loop_work.total - begun.total) / 1000 / NEW_PODS,
	    (double)loop_work.longest / 1000, (double)held / MIB);
	return promises_count().bindings >= NEW_PODS;
}
