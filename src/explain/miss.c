#include "config.h"

#include "explain/miss.h"

#include <math.h>

#include "base/sorted.h"
#include "base/text.h"
#include "decide/framework/profile.h"
#include "explain/diagnosis_internal.h"
#include "explain/explanation.h"
#include "objects/resources.h"

/* ---- every rule on every node ---- */

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

/* ---- misses ---- */

/* A node that more rules than this reject is no near miss. */
#define RULES_MOST 1

/* The shortage, or at least the rule that rejects the node. */
static const char *
miss_text(struct cycle *cycle, const struct node_info *node,
    const struct matrix *m)
{
	const struct profile *profile = cycle->profile;
	struct why why = { .arena = cycle->arena };
	const struct predicate *unit;
	const char *text = NULL;
	size_t i = 0;

	while (i < profile->npredicates &&
	    (m->verdicts[i] == NULL || m->verdicts[i][node->index] == FITS))
		i++;
	/* No rule rejects the node by itself: one does with the pods nominated
	 * to it. */
	if (i == profile->npredicates)
		return arena_printf(cycle->arena,
		    "would fit but for pods nominated to it: %s",
		    nominated_names(cycle, node));
	unit = profile->predicates[i].unit;
	if (unit->miss != NULL)
		text = unit->miss(cycle, node, m->preps[i]);
	if (text != NULL)
		return text;
	unit->check(cycle, node, m->preps[i], &why);
	return why.n > 0 ?
	    why_text(cycle->arena, why.reasons[0], sym_text(node->name)) :
	    unit->name;
}

/* The sum of what is missing, each as a share of what the pod requests; infinite if
 * that is not what the node refuses. */
static double
share_missing(const struct cycle *cycle, const struct node_info *node)
{
	const struct resources *has = &node->node->allocatable;
	const struct resources *wants = &cycle->class->requested;
	double sum = node->npods >= has->pods;
	const char *name;

	for (uint32_t i = 0; (name = resources_name(wants, i)) != NULL; i++) {
		double wanted = (double)resources_get(wants, name);
		double missing = wanted - (double)resources_get(has, name) +
		    (double)resources_get(&node->requested, name);

		if (wanted > 0 && missing > 0)
			sum += missing / wanted;
	}
	return sum > 0 ? sum : INFINITY;
}

static int
compare_misses(const void *a, const void *b)
{
	const struct miss *x = a, *y = b;
	int order;

	if (x->share != y->share)
		return x->share < y->share ? -1 : 1;
	order = strverscmp(x->text, y->text);
	return order != 0 ? order : sym_cmp(x->node->name, y->node->name);
}

struct miss *
misses_find(struct cycle *cycle, size_t *n)
{
	const struct cluster *cluster = cycle->cluster;
	struct matrix m;
	struct miss *misses =
	    arena_array(cycle->arena, struct miss, cluster->nnodes);

	*n = 0;
	matrix_find(&m, cycle, RULES_MOST + 1);
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		if (m.nrules[i] > RULES_MOST)
			continue;
		misses[*n].node = cluster->nodes[i];
		misses[*n].text = miss_text(cycle, cluster->nodes[i], &m);
		misses[*n].share = share_missing(cycle, cluster->nodes[i]);
		(*n)++;
	}
	SORT(misses, *n, compare_misses);
	return misses;
}

const char **
misses_by_node(const struct explanation *e)
{
	const char **texts;
	struct miss *misses;
	size_t n;

	if (e->decision->error != NULL || e->decision->rejected_by != NULL)
		return NULL;
	texts = arena_array(e->cycle->arena, const char *,
	    e->cycle->cluster->nnodes);
	misses = misses_find(e->cycle, &n);
	for (size_t i = 0; i < n; i++)
		texts[misses[i].node->index] = misses[i].text;
	return texts;
}

/* ---- as one line ---- */

#define REST_MAX 32 /* bytes of "; 4294967295 more nodes" */

const char *
misses_text(struct cycle *cycle, size_t max)
{
	struct text line = { 0 };
	const char *result;
	struct miss *misses;
	size_t n, i = 0;

	misses = misses_find(cycle, &n);
	if (n == 0 || cycle_is_cancelled(cycle))
		return NULL;
	for (; i < n; i++) {
		const char *node = sym_text(misses[i].node->name);
		/* the text, unless that is the one before */
		const char *begin =
		    i > 0 && strcmp(misses[i].text, misses[i - 1].text) == 0 ?
		    ", " :
		    arena_printf(cycle->arena, "%s%s: ", i > 0 ? "; " : "",
			misses[i].text);

		if (line.len + strlen(begin) + strlen(node) + REST_MAX > max)
			break;
		text_put(&line, begin);
		text_put(&line, node);
	}
	result = i == n ?
	    arena_strndup(cycle->arena, line.bytes, line.len) :
	    arena_printf(cycle->arena, "%.*s%s%zu %snode%s", (int)line.len,
		i > 0 ? line.bytes : "", i > 0 ? "; " : "", n - i,
		i > 0 ? "more " : "", plural_of(n - i));
	text_fini(&line);
	return result;
}
