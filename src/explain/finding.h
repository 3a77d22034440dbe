/* One line about each of many pods: those of one class and priority have the same. */
#ifndef EXPLAIN_FINDING_H
#define EXPLAIN_FINDING_H

struct arena;
struct cycle;
struct pod;

struct finding {
	const struct pod *pod; /* the first of its class and priority */
	const char *node;      /* it fits there; NULL: nowhere */
	/* As in struct diagnosis; cause and remedy "": there is none. */
	const char *cause, *text, *remedy;
	const char *action, *subject;
	bool proven;
};

struct findings {
	struct arena *arena; /* of texts */
	struct cluster *own; /* as in struct explanation */
	size_t n, cap;
	struct finding *at;
};

/* That of the pod's class and priority; NULL: none yet. */
const struct finding *findings_known(const struct findings *f,
    const struct pod *pod);
/* Decides about the cycle's pod, and tries what would help it.  Valid until the next
 * one is added. */
const struct finding *findings_add(struct findings *f, struct cycle *cycle);

#endif
