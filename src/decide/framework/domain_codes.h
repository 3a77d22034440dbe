/*
 * Codes for check_block() (predicate.h) of rules whose result depends on a few labels
 * of the node: nodes with the same values have the same code.
 */
#ifndef FRAMEWORK_DOMAIN_CODES_H
#define FRAMEWORK_DOMAIN_CODES_H

#include "base/sym.h"

struct column_block;
struct cycle;
struct topology;

struct domain_codes {
	size_t n;
	const struct topology **topologies;
	uint8_t *codes; /* by combination of domains; 0: not seen yet */
	uint8_t last;
};

/* False: these labels have too many combinations of values.  In the cycle's arena. */
bool domain_codes_init(struct domain_codes *codes, struct cycle *cycle,
    size_t nkeys, const sym *keys);

/* A code for each row, CODE_CHECK if there are no more codes. */
void domain_codes_put(struct domain_codes *codes,
    const struct column_block *block, uint8_t *out);

#endif
