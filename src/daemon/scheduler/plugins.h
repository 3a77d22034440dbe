/*
 * The metrics that kube-scheduler keeps for each of its plugins: how often they
 * were asked, and how many pending pods each has refused.
 *
 * Answers that are cached count as asked.
 */
#ifndef SCHEDULER_PLUGINS_H
#define SCHEDULER_PLUGINS_H

#include "decide/framework/verdict.h"

struct cluster;
struct decision;
struct metrics;
struct plugins;
struct pod;
struct profile;
struct refusal;
struct stopwatch;

/* name: the scheduler's, label profile.  The metrics outlive it. */
struct plugins *plugins_new(struct metrics *metrics, const char *name);
void plugins_free(struct plugins *plugins); /* accepts NULL */

/* Another profile is in force; NULL: none. */
void plugins_set_profile(struct plugins *plugins,
    const struct profile *profile);

/* A decision by the profile was made. */
void plugins_decided(struct plugins *plugins, const struct decision *decision);

/* The time of the decision's units was sampled; failed: the decision is none.
 * The sums at PRE_FILTER and PRE_SCORE go to the last two. */
void plugins_timed(struct plugins *plugins, const struct stopwatch *watch,
    bool failed, double *pre_filter, double *pre_score);

/* The plugin took so long at PreEnqueue.  Anything but FITS: until plugins_forget()
 * the pod, whose refusal it is, counts for it.  seconds < 0: not measured. */
void plugins_enqueued(struct plugins *plugins, struct refusal *refusal,
    const char *plugin, enum verdict verdict, double seconds);

/* It placed nothing: until plugins_forget() the pod counts for the plugins that
 * refused it, and for its unsupported fields.  Returns which rules may have to answer
 * otherwise for it, or for it to evict others: see queue_refused(). */
uint64_t plugins_refused(struct plugins *plugins, struct refusal *refusal,
    const struct cluster *cluster, const struct pod *pod,
    const struct decision *decision);
/* The pod is tried again, is gone, or has a node. */
void plugins_forget(struct refusal *refusal);

#endif
