/*
 * The policy in a ConfigMap: good ones that replace each other, and bad ones between.
 */
#ifndef T_SIMULATION_POLICIES_H
#define T_SIMULATION_POLICIES_H

#include <stdbool.h>

/* The ConfigMap in kube-system. */
#define POLICY_MAP "policy"

/* With on false, the world has none, and the policy is PROMISED_POLICY in a file, or only
 * this one, which is static. */
void policies_start(bool on, bool calm, const char *only);
/* Nobody changes it, or goes on.  A daemon that starts needs a good one: in a world
 * where some do, the last is. */
void policies_rest(bool rest);
/* It changes now; it is PROMISED_POLICY again. */
void policies_change(void);
void policies_anew(void);

/* The last good one. */
const char *policies_text(void);
/* Whether a daemon may still have another. */
bool policies_in_doubt(void);
/* What a daemon says in an event. */
void policies_heard(const char *message);
/* The world is quiet: a bad one was refused, and that was said. */
void promise_policy(void);

#endif
