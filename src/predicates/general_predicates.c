/*
 * GeneralPredicates: PodFitsResources, HostName, PodFitsHostPorts and
 * MatchNodeSelector in one.  All four are always checked, and all their reasons
 * are reported.
 *
 * Same rule as kube-scheduler 1.15, GeneralPredicates.
 */
#include "config.h"

#include <string.h>

#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "predicates/registry.h"
#include "sched/cycle.h"

/* The parts' codes, shifted, make up the code of all. */
static const struct part {
	const struct predicate *unit;
	unsigned shift;
} parts[] = {
	{ &predicate_pod_fits_resources, 0 },
	{ &predicate_host_name, 5 },
	{ &predicate_pod_fits_host_ports, 5 },
	{ &predicate_match_node_selector, 6 },
};

/* The rules that apply to the pod, each with its prep. */
struct general {
	size_t n;
	struct {
		const struct part *part;
		const void *prep;
	} asked[LENGTH(parts)];
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct general *general = arena_alloc(cycle->arena, sizeof(*general));

	general->n = 0;
	for (size_t i = 0; i < LENGTH(parts); i++) {
		const void *prep = parts[i].unit->prepare(cycle, NULL);

		if (prep == NULL)
			continue;
		general->asked[general->n].part = &parts[i];
		general->asked[general->n++].prep = prep;
	}
	return general->n > 0 ? general : NULL;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	const struct general *general = prep;
	enum verdict verdict, worst = FITS;

	for (size_t i = 0; i < general->n; i++) {
		verdict = general->asked[i].part->unit->check(cycle, node,
		    general->asked[i].prep, why);
		if (verdict > worst)
			worst = verdict;
	}
	return worst;
}

static void
add_codes(uint8_t *restrict codes, const uint8_t *restrict of_part,
    unsigned shift)
{
	for (uint32_t i = 0; i < COLUMN_ROWS; i++)
		codes[i] |= (uint8_t)(of_part[i] << shift |
		    (of_part[i] & CODE_ASK));
}

static bool
check_block(struct cycle *cycle, const struct column_block *b,
    const void *prep, uint8_t *codes)
{
	const struct general *general = prep;
	uint8_t of_part[COLUMN_ROWS];

	memset(codes, 0, COLUMN_ROWS);
	for (size_t i = 0; i < general->n; i++) {
		const struct part *part = general->asked[i].part;

		if (part->unit->check_block == NULL ||
		    !part->unit->check_block(cycle, b, general->asked[i].prep,
			of_part))
			return false;
		add_codes(codes, of_part, part->shift);
	}
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct general *general = prep;
	struct why ignored = { .arena = cycle->arena };
	const char *all = NULL;

	for (size_t i = 0; i < general->n; i++) {
		const struct predicate *unit = general->asked[i].part->unit;
		const char *one;

		if (unit->check(cycle, node, general->asked[i].prep,
			&ignored) == FITS)
			continue;
		one = unit->miss(cycle, node, general->asked[i].prep);
		if (one != NULL)
			all = all == NULL ? one :
					    arena_printf(cycle->arena,
						"%s; %s", all, one);
	}
	return all;
}

const struct predicate predicate_general_predicates = {
	.name = "GeneralPredicates",
	.reads = READS_NODE,
	.aspects = ASPECT_REQUESTS | ASPECT_PORTS | ASPECT_NODE_AFFINITY,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
