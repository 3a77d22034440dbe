/*
 * --policy-dry-run: a second policy is asked about every pod that the one in force
 * has decided about, on the same cluster and with the same seed.  Nothing is done
 * about its decisions: the differences are counted and logged.
 *
 * Its results are kept in caches of its own.
 */
#ifndef SCHEDULER_DRY_RUN_H
#define SCHEDULER_DRY_RUN_H

struct cluster;
struct cycle;
struct decision;
struct dry_run;
struct metrics;
struct profiles;
struct time_limit;

/* metrics outlives it. */
struct dry_run *dry_run_new(struct cluster *cluster, struct metrics *metrics);
void dry_run_free(struct dry_run *run); /* accepts NULL */

/* Takes the profiles, which are asked from now on; NULL: none is. */
void dry_run_set_profiles(struct dry_run *run, struct profiles *profiles);

/*
 * Asks about the pod of this cycle, which decision has just been made of; the
 * cluster must not have changed since.  Decisions that were abandoned do not count.
 * limit: for limit_ms, as the decision's.  The cluster counts afterwards as the
 * cycle's profile wants, and the cycle and the decision are of no more use but for
 * texts and pointers in the cycle's arena.
 */
void dry_run_compare(struct dry_run *run, const struct cycle *cycle,
    const struct decision *decision, struct time_limit *limit,
    int64_t limit_ms);

/* In between calls of these two no results of earlier decisions are kept. */
void dry_run_drop_results(struct dry_run *run);
void dry_run_keep_results(struct dry_run *run);

#endif
