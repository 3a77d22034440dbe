/*
 * The change journal: which nodes have changed, in order, for everything that keeps
 * results about nodes.  Each reader has a cursor of its own.
 *
 *	while ((event = journal_next(journal, &cursor, &change)) == JOURNAL_CHANGE)
 *		bring the results about change->node up to date;
 *	if (event == JOURNAL_RESET)
 *		begin again with all nodes;
 *
 * Invariants:
 *	- A reader that has reached JOURNAL_END, or has begun again after
 *	  JOURNAL_RESET, knows of every change.
 *	- Node indexes in changes are valid as long as there is no JOURNAL_RESET: it
 *	  comes whenever indexes change.  A new node is a change of its new index.
 *	- The journal holds its changes' classes; how many changes it remembers is
 *	  bounded by their number and by the size of these classes, as users choose
 *	  how big a class is.
 */
#ifndef CLUSTER_JOURNAL_H
#define CLUSTER_JOURNAL_H

struct pod_class;

/* The most changes that a journal remembers unless it was given another number, and
 * the most bytes of their classes, each counted as often as it occurs. */
#define JOURNAL_CHANGES 8192
#define JOURNAL_BYTES ((size_t)32 << 20)

struct node_change {
	uint32_t node; /* its index */
	/* 1: a pod of the class was added, -1: removed, 0: other */
	int sign;
	const struct pod_class *class; /* NULL for other changes */
};

struct journal {
	uint64_t epoch;      /* the resets so far, and 1 */
	uint64_t first, end; /* numbers of those that are remembered */
	uint32_t cap;        /* a power of two; set it before all else */
	size_t bytes;
	struct node_change *ring; /* change i is at i modulo cap */
};

/* {0} is at a reset. */
struct cursor {
	uint64_t epoch, next;
};

enum journal_event {
	JOURNAL_END,
	JOURNAL_CHANGE,
	JOURNAL_RESET, /* the cursor is at the end now */
};

void journal_init(struct journal *journal);
void journal_fini(struct journal *journal);

/* Takes a reference to the class, which may be NULL. */
void journal_add(struct journal *journal, uint32_t node,
    const struct pod_class *class, int sign);

/* Node indexes change, or all results must go: every cursor is at a reset. */
void journal_reset(struct journal *journal);

/* A cursor that has seen everything. */
struct cursor journal_end(const struct journal *journal);

/* For the functions below: the change of this number. */
static inline struct node_change *
journal_at(const struct journal *journal, uint64_t number)
{
	return &journal->ring[number & (journal->cap - 1)];
}

/* How many changes the cursor has before it; UINT64_MAX at a reset. */
static inline uint64_t
journal_ahead(const struct journal *journal, const struct cursor *cursor)
{
	if (cursor->epoch != journal->epoch || cursor->next < journal->first)
		return UINT64_MAX;
	return journal->end - cursor->next;
}

/* *change is valid until the journal changes. */
static inline enum journal_event
journal_next(const struct journal *journal, struct cursor *cursor,
    const struct node_change **change)
{
	uint64_t ahead = journal_ahead(journal, cursor);

	if (ahead == 0)
		return JOURNAL_END;
	if (ahead == UINT64_MAX) {
		*cursor = journal_end(journal);
		return JOURNAL_RESET;
	}
	*change = journal_at(journal, cursor->next++);
	return JOURNAL_CHANGE;
}

#endif
