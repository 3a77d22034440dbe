/*
 * The terms by which waiting pods depend on pods that have a node: required
 * affinity and anti-affinity, hard spread constraints.  A change of a pod finds
 * those that it may help by the labels that the pod has or had, without comparing
 * it with every term.
 *
 * Terms are filed by namespace and by one label that they require.  Those that name
 * several namespaces are filed for all, those that require no label in a place of
 * their own.
 */
#ifndef QUEUE_TERM_WATCH_H
#define QUEUE_TERM_WATCH_H

#include "cluster/selector_set.h"

struct pod_class;

struct term_watches {
	struct selector_set namespaces; /* of sets of terms */
	uint64_t round;                 /* of questions */
};

/* Waiting pods of one class; a member of what waits, and its owner's. */
struct term_watch {
	const struct pod_class *class;
	struct selector_link *links;
	uint64_t found;          /* the round in which it was found last */
	struct term_watch *next; /* found in the same round */
};

/* Files the terms of watch->class, which stays alive as long. */
void term_watch_add(struct term_watches *watches, struct term_watch *watch);
void term_watch_remove(struct term_watch *watch);

/*
 * Those that a pod with a node may help, which was of class `before` (NULL: it
 * was not there) and is of class `after`:
 *  - it matches a term of affinity, and did not before; or the other way round, if
 *    the waiting pod matches it: the first of a group needs no other;
 *  - it matched one of anti-affinity, and does not any more;
 *  - a spread constraint counts it, and did not before, or the other way round.
 * Terms with a namespaceSelector are compared by labels alone: the namespaces that
 * it selects are not known here.  Every comparison takes one of *steps; false if
 * they did not suffice, and then *found is a part of them.
 */
bool term_watches_find(struct term_watches *watches,
    const struct pod_class *before, const struct pod_class *after,
    size_t *steps, struct term_watch **found);

#endif
