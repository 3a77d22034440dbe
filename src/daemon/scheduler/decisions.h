/*
 * The last decisions, for /debug/decisions and the log.
 */
#ifndef SCHEDULER_DECISIONS_H
#define SCHEDULER_DECISIONS_H

struct text;

#define DECISIONS_KEPT 1000

/* Texts are copied when it is added. */
struct decision_record {
	int64_t seconds; /* since 1970 */
	int32_t microseconds;
	const char *pod;     /* "namespace/name" */
	const char *node;    /* NULL: none */
	const char *message; /* why no node was chosen; "" with a node */
	uint32_t nnodes, nfeasible, nbest;
	int64_t score;
	uint64_t seed;
	double ms; /* that the decision took */
};

struct decisions;

struct decisions *decisions_new(void);
void decisions_free(struct decisions *decisions); /* accepts NULL */
void decisions_add(struct decisions *decisions,
    const struct decision_record *record);
/* How many there were: the number of the last one. */
size_t decisions_number(const struct decisions *decisions);
/* As JSON, {"decisions":[…]}, the latest first: those with a number above since, at
 * most limit of them; those after about 10 MB are left out. */
void decisions_json(const struct decisions *decisions, size_t since,
    size_t limit, struct text *out);

#endif
