#include "config.h"

#include "decide/framework/domain_codes.h"

#include "cluster/columns.h"
#include "cluster/index.h"
#include "decide/framework/cycle.h"

#define COMBINATIONS_MAX 4096

bool
domain_codes_init(struct domain_codes *c, struct cycle *cycle, size_t nkeys,
    const sym *keys)
{
	size_t combinations = 1;

	*c = (struct domain_codes){ .n = nkeys };
	c->topologies =
	    arena_array(cycle->arena, const struct topology *, nkeys);
	for (size_t i = 0; i < nkeys; i++) {
		c->topologies[i] = cluster_topology(cycle->cluster, keys[i]);
		combinations *= (size_t)c->topologies[i]->ndomains + 1;
		if (combinations > COMBINATIONS_MAX)
			return false;
	}
	c->codes = arena_array(cycle->arena, uint8_t, combinations);
	return true;
}

void
domain_codes_put(struct domain_codes *c, const struct column_block *b,
    uint8_t *out)
{
	uint32_t at[COLUMN_ROWS] = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		const struct topology *t = c->topologies[i];

		/* DOMAIN_NONE + 1 is 0 */
		for (uint32_t j = 0; j < b->n; j++)
			at[j] = at[j] * (t->ndomains + 1) +
			    (t->domain_of[b->first + j] + 1);
	}
	for (uint32_t j = 0; j < b->n; j++) {
		uint8_t *code = &c->codes[at[j]];

		if (*code == 0)
			*code =
			    c->last < CODE_CHECK - 1 ? ++c->last : CODE_CHECK;
		out[j] = *code;
	}
}
