/* Why two policies decide differently about one pod. */
#ifndef WHATIF_TIP_H
#define WHATIF_TIP_H

struct arena;
struct whatif;

/* The rule that tips the decision, and why in a sentence; NULL: none can be found,
 * such as in a tie. */
struct tip {
	const char *rule, *why;
};

/*
 * OLD's and NEW's cycles are about the same pod, with the same seed (whatif_begin()),
 * on equal clusters or the same one; they are decided again.  The texts live in the
 * arena or as long as the profiles.
 */
struct tip tip_find(struct whatif *old, struct whatif *new,
    struct arena *arena);

#endif
