#include "config.h"

#include "explain/matrix.h"

#include "framework/profile.h"

bool
rule_prepare(struct cycle *cycle, const struct profile_predicate *rule,
    const void **prep)
{
	*prep = rule->args;
	if (rule->unit->prepare == NULL)
		return true;
	*prep = rule->unit->prepare(cycle, rule->args);
	return *prep != NULL;
}

static void
ask_rule(struct matrix *m, struct cycle *cycle, size_t place, uint32_t most)
{
	const struct profile_predicate *rule =
	    &cycle->profile->predicates[place];
	const struct cluster *cluster = cycle->cluster;

	if (!rule_prepare(cycle, rule, &m->preps[place]))
		return;
	m->verdicts[place] =
	    arena_array(cycle->arena, uint8_t, cluster->nnodes);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		enum verdict verdict;

		if (m->nrules[i] >= most)
			continue;
		if (cycle_is_cancelled(cycle))
			return;
		verdict = rule->unit->check(cycle, cluster->nodes[i],
		    m->preps[place], NULL);
		m->verdicts[place][i] = (uint8_t)verdict;
		m->nrefused[place] += verdict != FITS;
		m->nrules[i] += verdict != FITS;
	}
}

void
matrix_find(struct matrix *m, struct cycle *cycle, uint32_t most)
{
	size_t n = cycle->profile->npredicates;
	uint32_t nnodes = cycle->cluster->nnodes;

	m->verdicts = arena_array(cycle->arena, uint8_t *, n);
	m->preps = arena_array(cycle->arena, const void *, n);
	m->nrefused = arena_array(cycle->arena, uint32_t, n);
	m->nonly = arena_array(cycle->arena, uint32_t, n);
	m->nrules = arena_array(cycle->arena, uint32_t, nnodes);
	for (size_t i = 0; i < n; i++)
		ask_rule(m, cycle, i, most);
	for (size_t i = 0; i < n; i++)
		for (uint32_t j = 0; m->verdicts[i] != NULL && j < nnodes; j++)
			m->nonly[i] +=
			    m->verdicts[i][j] != FITS && m->nrules[j] == 1;
}
