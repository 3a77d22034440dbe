/* A policy or configuration with other weights: the same text otherwise, as JSON. */
#ifndef POLICY_REWEIGH_H
#define POLICY_REWEIGH_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct text;

struct weighed {
	const char *name; /* of a priority or a score plugin */
	int64_t weight;   /* 0: it is left out */
};

/*
 * The policy of policy_read() with exactly these priorities: entries keep their
 * arguments and order, those that the policy does not have follow, others are left
 * out.  Of a ConfigMap the policy in it.  -1: err; *out may then have a part.
 */
int policy_reweigh(const char *name, const char *text, size_t len, size_t n,
    const struct weighed *weights, struct text *out, struct err *err);

/* The configuration of configuration_read(); the profile with this number, from 0,
 * has exactly these plugins for score, in this order. */
int configuration_reweigh(const char *name, const char *text, size_t len,
    size_t profile, size_t n, const struct weighed *weights, struct text *out,
    struct err *err);

#endif
