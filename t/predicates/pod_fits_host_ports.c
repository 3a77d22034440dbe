#include "config.h"

#include <stdio.h>

#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define TAKEN "node(s) didn't have free ports for the requested pod ports"
#define PORT(protocol, ip, port)                                               \
	"{protocol: '" protocol "', hostIP: '" ip "', hostPort: " port "},"
#define PORTS(ports) "containers: [{name: c, ports: [" ports "]}]"
#define USED(ports) W_NODE("n1", "", "") W_POD("q", "", "n1", PORTS(ports))
#define WANTED(ports) W_POD("p", "", "", PORTS(ports))

static void
taken_ports_collide(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no host port wanted", USED(PORT("TCP", "", "80")),
		    WANTED("{containerPort: 80}"), FITS, "", NULL },
		{ "other port", USED(PORT("UDP", "127.0.0.1", "9090")),
		    WANTED(PORT("UDP", "127.0.0.1", "8080")), FITS, "", NULL },
		{ "same port", USED(PORT("UDP", "127.0.0.1", "8080")),
		    WANTED(PORT("UDP", "127.0.0.1", "8080")), UNFIT, TAKEN,
		    "host port UDP/8080 is taken by default/q" },
		{ "other address", USED(PORT("TCP", "127.0.0.2", "8080")),
		    WANTED(PORT("TCP", "127.0.0.1", "8080")), FITS, "", NULL },
		{ "other protocol", USED(PORT("TCP", "127.0.0.1", "8080")),
		    WANTED(PORT("UDP", "127.0.0.1", "8080")), FITS, "", NULL },
		{ "second of two", USED(PORT("UDP", "127.0.0.1", "8080")),
		    WANTED(PORT("UDP", "127.0.0.1", "8081")
			PORT("UDP", "127.0.0.1", "8080")), UNFIT, TAKEN,
		    "host port UDP/8080 is taken by default/q" },
		{ "wildcard wanted", USED(PORT("TCP", "127.0.0.1", "8001")),
		    WANTED(PORT("TCP", "0.0.0.0", "8001")), UNFIT, TAKEN,
		    NULL },
		{ "wildcard taken", USED(PORT("TCP", "0.0.0.0", "8001")),
		    WANTED(PORT("TCP", "127.0.0.1", "8001")), UNFIT, TAKEN,
		    NULL },
		{ "wildcard of another protocol",
		    USED(PORT("TCP", "0.0.0.0", "8001")),
		    WANTED(PORT("UDP", "127.0.0.1", "8001")), FITS, "", NULL },
		{ "wildcards", USED(PORT("UDP", "0.0.0.0", "8001")),
		    WANTED(PORT("UDP", "0.0.0.0", "8001")), UNFIT, TAKEN,
		    NULL },
		{ "no address is the wildcard", USED(PORT("TCP", "", "80")),
		    WANTED(PORT("TCP", "10.0.0.1", "80")), UNFIT, TAKEN, NULL },
		{ "no protocol is TCP", USED(PORT("", "", "80")),
		    WANTED(PORT("TCP", "", "80")), UNFIT, TAKEN,
		    "host port TCP/80 is taken by default/q" },
		{ ":: is an address like any other",
		    USED(PORT("TCP", "::", "80")),
		    WANTED(PORT("TCP", "10.0.0.1", "80")), FITS, "", NULL },
		{ "no port is never taken", USED(PORT("TCP", "", "0")),
		    WANTED(PORT("TCP", "", "0")), FITS, "", NULL },
		{ "init containers do not count", USED(PORT("TCP", "", "80")),
		    W_POD("p", "", "", "initContainers: [{name: i, ports: ["
			PORT("TCP", "", "80") "]}]"), FITS, "", NULL },
	};
	/* clang-format on */

	t_predicate(&predicate_pod_fits_host_ports, NULL, rows);
}

/* The result for node n1, with ports 80 and 81 of a sidecar and an init
 * container in use there. */
static const char *
refusal_of(int release, bool strict, const char *pod)
{
	static char why[200];
	struct world *w = world_new("");

	w->cluster->kubernetes_minor = release;
	w->profile->strict = strict;
	world_put(w,
	    W_NODE("n1", "", "") W_POD("s", "", "n1",
		"initContainers: [{name: i, restartPolicy: Always, ports: [" PORT(
		    "TCP", "", "80") "]}]") W_POD("i", "", "n1",
		"initContainers: [{name: i, ports: [" PORT("TCP", "",
		    "81") "]}]"));
	world_pod(w, pod);
	snprintf(why, sizeof(why), "%s",
	    world_check(w, &predicate_pod_fits_host_ports, NULL, "n1").why);
	world_free(w);
	return why;
}

static void
ports_of_sidecars_count_from_1_34_on(void)
{
	static const char sidecar[] = W_POD("p", "", "",
	    "initContainers: [{name: i, restartPolicy: Always, ports: [" PORT(
		"TCP", "", "80") "]}]");
	static const char init[] = W_POD("p", "", "",
	    "initContainers: [{name: i, ports: [" PORT("TCP", "", "80") "]}]");

	t_str("of a pod on the node",
	    refusal_of(34, false, WANTED(PORT("TCP", "", "80"))), TAKEN);
	t_str("not those of init containers",
	    refusal_of(34, false, WANTED(PORT("TCP", "", "81"))), "");
	t_str("of the pod to place", refusal_of(34, false, sidecar), TAKEN);
	t_str("not of its init containers", refusal_of(34, false, init), "");
	t_str("before 1.34: there",
	    refusal_of(33, false, WANTED(PORT("TCP", "", "80"))), "");
	t_str("before 1.34: its own", refusal_of(33, false, sidecar), "");
	t_str("under a strict policy only on nodes: there",
	    refusal_of(36, true, WANTED(PORT("TCP", "", "80"))), TAKEN);
	t_str("its own", refusal_of(36, true, sidecar), "");
}

T_MAIN(T(taken_ports_collide), T(ports_of_sidecars_count_from_1_34_on))
