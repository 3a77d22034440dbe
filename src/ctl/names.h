/*
 * Names of nodes on a narrow screen: without the domain that all of them end in,
 * as clouds name them ("ip-10-0-131-204.eu-west-1.compute.internal").
 */
#ifndef CTL_NAMES_H
#define CTL_NAMES_H

#include "cluster/cluster.h"
#include "ctl/table.h"

struct names {
	size_t suffix; /* bytes at the end of every name that are not shown */
	const char *domain; /* these; "" for none */
};

/* None on a screen of any width.  Valid as long as the nodes. */
struct names names_of(const struct cluster *cluster,
    const struct screen *screen);

/* The name as it is shown, for "%.*s": its length. */
int names_len(const struct names *names, const char *name);

#endif
