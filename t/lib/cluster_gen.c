#include "config.h"

#include "t/lib/cluster_gen.h"

#include <stdio.h>

#include "base/json_out.h"
#include "wire/api/writes.h"
#include "base/xmalloc.h"

/* The fields that the server adds to a new object. */
static void
put_stored(const struct cluster_gen *gen, unsigned kind, unsigned i,
    struct text *out)
{
	char uid[40], created[32];

	if (!gen->stored)
		return;
	snprintf(uid, sizeof(uid), "00000000-0000-4000-8%03x-%012x", kind, i);
	json_put(out, ",'uid':%s,'creationTimestamp':%s", uid,
	    api_time(created, sizeof(created), gen->now, -1));
}

void
cluster_gen_node(const struct cluster_gen *gen, unsigned i, struct text *out)
{
	char name[16], zone[16], rack[16], image[32];

	snprintf(name, sizeof(name), "node-%05u", i);
	snprintf(zone, sizeof(zone), "zone-%u", i % 3);
	snprintf(rack, sizeof(rack), "rack-%u", i % 10);
	snprintf(image, sizeof(image), "registry/app-%u:v1", i % 20);
	json_put(out, "{'apiVersion':'v1','kind':'Node','metadata':{'name':%s",
	    name);
	put_stored(gen, 1, i, out);
	json_put(out,
	    ",'labels':{'kubernetes.io/hostname':%s,"
	    "'kubernetes.io/os':'linux','kubernetes.io/arch':'amd64',"
	    "'failure-domain.beta.kubernetes.io/region':'region',"
	    "'failure-domain.beta.kubernetes.io/zone':%s,"
	    "'topology.kubernetes.io/region':'region',"
	    "'topology.kubernetes.io/zone':%s,"
	    "'region':'region','zone':%s,'rack':%s}},",
	    name, zone, zone, zone, rack);
	json_put(out,
	    "'spec':{},'status':{"
	    "'capacity':{'cpu':'8','memory':'32Gi','pods':'110',"
	    "'ephemeral-storage':'100Gi'},"
	    "'allocatable':{'cpu':'8','memory':'32Gi','pods':'110',"
	    "'ephemeral-storage':'100Gi'},"
	    "'conditions':[{'type':'Ready','status':'True',"
	    "'reason':'KubeletReady','message':'ready'}],"
	    "'images':[{'names':[%s],'sizeBytes':200000000}]}}",
	    image);
}

/* The affinity of the apps 0, 3, 6, … of a cluster. */
static void
put_affinity(unsigned app, const char *label, struct text *out)
{
	switch (app / 3 % 3) {
	case 0: /* no two on a node if that can be had */
		json_put(out,
		    ",'affinity':{'podAntiAffinity':{"
		    "'preferredDuringSchedulingIgnoredDuringExecution':[{"
		    "'weight':10,'podAffinityTerm':{'labelSelector':{"
		    "'matchLabels':{'app':%s}},'topologyKey':"
		    "'kubernetes.io/hostname'}}]}}",
		    label);
		break;
	case 1: /* all in one zone */
		json_put(out,
		    ",'affinity':{'podAffinity':{"
		    "'requiredDuringSchedulingIgnoredDuringExecution':[{"
		    "'labelSelector':{'matchLabels':{'app':%s}},"
		    "'topologyKey':'topology.kubernetes.io/zone'}]}}",
		    label);
		break;
	case 2: /* not in the first zone */
		json_put(out,
		    ",'affinity':{'nodeAffinity':{"
		    "'requiredDuringSchedulingIgnoredDuringExecution':{"
		    "'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone',"
		    "'operator':'NotIn','values':['zone-0']}]}]}}}");
		break;
	}
}

void
cluster_gen_pod(const struct cluster_gen *gen, unsigned i, struct text *out)
{
	unsigned app = i % gen->apps;
	char name[80], label[16], node[16], image[32], cpu[16], memory[16];

	snprintf(name, sizeof(name), "%s-%05u",
	    gen->prefix != NULL ? gen->prefix : "pod", i);
	snprintf(label, sizeof(label), "app-%u", app);
	snprintf(node, sizeof(node), "node-%05u",
	    gen->nodes > 0 ? i % gen->nodes : 0);
	snprintf(image, sizeof(image), "registry/app-%u:v1", app);
	snprintf(cpu, sizeof(cpu), "%um", 100 + 10 * (app % 20));
	snprintf(memory, sizeof(memory), "%uMi", 128 + 16 * (app % 20));
	json_put(out,
	    "{'apiVersion':'v1','kind':'Pod','metadata':{"
	    "'namespace':%s,'name':%s,'labels':{'app':%s}",
	    gen->namespace != NULL ? gen->namespace : "default", name, label);
	put_stored(gen, 2, i, out);
	json_put(out,
	    "},'spec':{'containers':[{'name':'main','image':%s,"
	    "'resources':{'requests':{'cpu':%s,'memory':%s}}}],"
	    "'terminationGracePeriodSeconds':0",
	    image, cpu, memory);
	if (gen->stored)
		json_put(out,
		    ",'schedulerName':'default-scheduler',"
		    "'priority':0,'enableServiceLinks':true,"
		    "'preemptionPolicy':'PreemptLowerPriority'");
	else if (gen->scheduler != NULL)
		json_put(out, ",'schedulerName':%s", gen->scheduler);
	if (gen->affinity && app % 3 == 0)
		put_affinity(app, label, out);
	if (gen->bound)
		json_put(out, ",'nodeName':%s", node);
	json_put(out, "},'status':{'phase':%s}}",
	    gen->bound ? "Running" : "Pending");
}

void
cluster_gen_service(const struct cluster_gen *gen, unsigned app,
    struct text *out)
{
	char name[16];

	snprintf(name, sizeof(name), "app-%u", app);
	json_put(out,
	    "{'apiVersion':'v1','kind':'Service','metadata':{"
	    "'namespace':%s,'name':%s",
	    gen->namespace != NULL ? gen->namespace : "default", name);
	put_stored(gen, 3, app, out);
	json_put(out,
	    "},'spec':{'selector':{'app':%s},'clusterIP':'None',"
	    "'ports':[{'port':80}]}}",
	    name);
}
