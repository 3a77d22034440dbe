/*
 * The parts of t/bench: a cell of its table is one scenario on a cluster of one
 * size, measured in a process of its own.
 */
#ifndef T_SPEED_CELL_H
#define T_SPEED_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;
struct object;
struct pod;
struct profile;

/* The expected outcome of a pod. */
enum expected {
	PLACED,
	NOWHERE,  /* fits on no node, and preemption cannot help */
	PREEMPTS, /* takes the room of others first */
};

struct attempt {
	struct pod *pod;
	enum expected expected;
	const char
	    *message; /* of NOWHERE: part of its event's message; or NULL */
	unsigned nvictims; /* of PREEMPTS */
};

struct options {
	double seconds; /* CPU time after which a cell stops, unless 0 */
	unsigned pods;  /* on each node, until there are as many as ... */
	unsigned pods_in_all;
	unsigned place; /* at most */
	bool keep;      /* results between decisions: decide/ecache/ecache.h */
	const char *predicatectl;
	const char *cluster, *to_place; /* files of `files` */
	const struct profile *profile, *spreading_profile, *default_profile;
};

/* A cell's cluster and the pods to place, in this order. */
struct work {
	const struct options *options;
	unsigned nodes;
	struct cluster *cluster;
	const struct profile *profile;
	size_t n, cap;
	struct attempt *attempts;
	uint64_t serial; /* of the pods made so far */
	/* Pods that preempt together before any of them is placed. */
	unsigned wave;
};

/* Plain data: it comes through a pipe. */
struct result {
	unsigned nodes;
	uint64_t pods; /* on nodes at the start */
	uint64_t tried, placed, evicted, decisions;
	double cpu_s, wall_s;           /* of all of them */
	double mean_us, p50_us, p99_us; /* CPU time of one of them */
	double peak_mib, memo_mib;
	char wrong[256]; /* the error, or "" */
};

struct scenario {
	const char *name, *what;
	/* Fills the work, whose cluster has neither nodes nor pods. */
	void (*make)(struct work *w);
	/* Checks the placements; puts errors into r->wrong. */
	void (*check)(const struct work *w, struct result *r);
	/* In place of all this: a program that is measured from outside. */
	void (*measure)(const struct options *o, unsigned nodes,
	    struct result *r);
	bool from_files; /* of any size, and only with options->cluster */
};

extern const struct scenario scenarios[];
extern const size_t nscenarios;

/* How many pods each node holds at the start. */
unsigned pods_on_each(const struct options *options, unsigned nodes);

/* Runs the cell here: to be called in a process that does nothing else. */
void cell_run(const struct scenario *scenario, const struct options *options,
    unsigned nodes, struct result *r);

/* Sets the error, unless there is one already. */
void result_wrong(struct result *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads the objects of a file (gzipped if it ends in .gz) into the cluster;
 * pods without a node become attempts. */
void work_read_file(struct work *w, const char *path);

/* Decodes one object; ends the process if that fails.  You own it. */
struct object *object_of_text(const char *text, size_t len);

/* predicatectl reads a dump of such a cluster and places one pod. */
void cold_start(const struct options *o, unsigned nodes, struct result *r);

void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
