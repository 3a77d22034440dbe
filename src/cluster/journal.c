#include "config.h"

#include "cluster/journal.h"

#include "objects/pod.h"

void
journal_init(struct journal *journal)
{
	*journal = (struct journal){ .epoch = 1, .cap = JOURNAL_CHANGES };
}

static size_t
size_of(const struct node_change *change)
{
	return change->class != NULL ? arena_used(&change->class->arena) : 0;
}

static void
drop_first(struct journal *journal)
{
	struct node_change *change = journal_at(journal, journal->first++);

	journal->bytes -= size_of(change);
	pod_class_unref(change->class);
	*change = (struct node_change){ 0 };
}

static void
drop_all(struct journal *journal)
{
	while (journal->first < journal->end)
		drop_first(journal);
}

void
journal_fini(struct journal *journal)
{
	drop_all(journal);
	free(journal->ring);
}

void
journal_add(struct journal *journal, uint32_t node,
    const struct pod_class *class, int sign)
{
	struct node_change *change;

	if (journal->ring == NULL)
		journal->ring = xcalloc(journal->cap, sizeof(*journal->ring));
	if (journal->end - journal->first == journal->cap)
		drop_first(journal);
	change = journal_at(journal, journal->end++);
	*change = (struct node_change){ node, sign,
		class != NULL ? pod_class_ref(class) : NULL };
	journal->bytes += size_of(change);
	while (journal->bytes > JOURNAL_BYTES)
		drop_first(journal);
}

void
journal_reset(struct journal *journal)
{
	drop_all(journal);
	journal->epoch++;
}

struct cursor
journal_end(const struct journal *journal)
{
	return (struct cursor){ journal->epoch, journal->end };
}
