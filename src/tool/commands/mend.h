/* Texts of policies and configurations with the remedies of problems (policy/policy.h). */
#ifndef CTL_MEND_H
#define CTL_MEND_H

struct options;
struct problems;

/*
 * Takes the text, which you own, and returns what it becomes, *len bytes and a NUL, with
 * each remedy after which its problem is gone and no other comes instead, of a
 * thousand at most.  Those problems are added to *mended, as they were.
 */
char *mend(const struct options *options, bool is_configuration,
    const char *name, char *text, size_t *len, struct problems *mended);

#endif
