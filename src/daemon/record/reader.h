/*
 * Reads a record of decisions (record.h) and keeps a cluster as it was at each of
 * them.
 */
#ifndef RECORD_READER_H
#define RECORD_READER_H

#include "daemon/record/record.h"

struct record_ops {
	/* A file begins; its cluster is empty yet. */
	void (*begin)(void *arg, struct cluster *cluster);
	/* A policy applies from here on.  -1: err. */
	int (*policy)(void *arg, const struct record_policy *policy,
	    struct err *err);
	/* The pod waits, with its placement constraints and nomination; NULL: it is
	 * not known in this version. */
	void (*decision)(void *arg, const struct record_decision *decision,
	    const struct pod *pod);
	/* The cluster is about to be freed. */
	void (*end)(void *arg);
};

/* *truncated: the last line has no end, and was left out; *lines counts the
 * others.  -1: err has the position. */
int record_read_file(const char *path, const struct record_ops *ops, void *arg,
    size_t *lines, bool *truncated, struct err *err);

/* The paths of the records in a folder, the oldest first; you own them.  NULL:
 * err. */
char **record_list_folder(const char *folder, size_t *n, struct err *err);

#endif
