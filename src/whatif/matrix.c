#include "config.h"

#include "whatif/matrix.h"

#include "framework/profile.h"

static void
ask_rule(struct matrix *m, struct cycle *cycle, size_t place)
{
	const struct profile_predicate *rule =
	    &cycle->profile->predicates[place];
	const struct predicate *unit = rule->unit;
	const struct cluster *cluster = cycle->cluster;
	const void *prep = rule->args;

	if (unit->prepare != NULL) {
		prep = unit->prepare(cycle, rule->args);
		if (prep == NULL)
			return;
	}
	m->verdicts[place] =
	    arena_array(cycle->arena, uint8_t, cluster->nnodes);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		enum verdict verdict =
		    unit->check(cycle, cluster->nodes[i], prep, NULL);

		m->verdicts[place][i] = (uint8_t)verdict;
		m->nrefused[place] += verdict != FITS;
		m->nrules[i] += verdict != FITS;
	}
}

void
matrix_find(struct matrix *m, struct cycle *cycle)
{
	size_t n = cycle->profile->npredicates;
	uint32_t nnodes = cycle->cluster->nnodes;

	m->verdicts = arena_array(cycle->arena, uint8_t *, n);
	m->nrefused = arena_array(cycle->arena, uint32_t, n);
	m->nonly = arena_array(cycle->arena, uint32_t, n);
	m->nrules = arena_array(cycle->arena, uint32_t, nnodes);
	for (size_t i = 0; i < n; i++)
		ask_rule(m, cycle, i);
	for (size_t i = 0; i < n; i++)
		for (uint32_t j = 0; m->verdicts[i] != NULL && j < nnodes; j++)
			m->nonly[i] +=
			    m->verdicts[i][j] != FITS && m->nrules[j] == 1;
}
