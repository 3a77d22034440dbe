/*
 * GeneralPredicates: PodFitsResources, HostName, PodFitsHostPorts and
 * MatchNodeSelector in one.  All four are always checked, and all their reasons
 * are reported.
 *
 * Same rule as kube-scheduler 1.15, GeneralPredicates.
 */
#include "config.h"

#include "cluster/columns.h"
#include "decide/framework/cycle.h"
#include "predicates/registry.h"

static const struct predicate *const parts[] = {
	&predicate_pod_fits_resources,
	&predicate_host_name,
	&predicate_pod_fits_host_ports,
	&predicate_match_node_selector,
	NULL,
};

/* Their codes, shifted, make up the code of all. */
static const unsigned shifts[] = { 0, 7, 8, 9 };

/* The parts' codes in one number, and in a bit above them: check() must be called. */
#define KEYS (1 << 10)
#define KEY_CHECK KEYS

/* The parts that apply to the pod, each with its prep. */
struct general {
	/* By such a number the code of all, 0 while there is none. */
	uint8_t code_of[KEYS];
	uint8_t ncodes;
	size_t n;
	struct part {
		const struct predicate *unit;
		const void *prep;
		unsigned shift;
	} parts[LENGTH(shifts)];
};

static const void *
prepare(struct cycle *cycle, const void *args)
{
	struct general *general = arena_zalloc(cycle->arena, sizeof(*general));

	for (size_t i = 0; i < LENGTH(shifts); i++) {
		struct part *part = &general->parts[general->n];

		part->unit = parts[i];
		part->prep = parts[i]->prepare(cycle, NULL);
		part->shift = shifts[i];
		general->n += part->prep != NULL;
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
		const struct part *part = &general->parts[i];

		why_set_plugin(why, part->unit->plugin);
		verdict = part->unit->check(cycle, node, part->prep, why);
		if (verdict > worst)
			worst = verdict;
	}
	return worst;
}

/* The result has the bits of all the keys. */
static uint16_t
add_codes(uint16_t *restrict keys, const uint8_t *restrict of_part,
    unsigned shift)
{
	uint16_t any = 0;

	for (uint32_t i = 0; i < COLUMN_ROWS; i++) {
		uint32_t alone = (of_part[i] & CODE_CHECK) != 0 ? KEY_CHECK : 0;
		uint32_t key = (uint32_t)of_part[i] << shift & (KEYS - 1);

		keys[i] |= (uint16_t)(key | alone);
		any |= keys[i];
	}
	return any;
}

static uint8_t
code_of_key(struct general *general, uint16_t key)
{
	if (key == 0)
		return 0;
	if ((key & KEY_CHECK) != 0)
		return CODE_CHECK;
	if (general->code_of[key] == 0 && general->ncodes + 1 < CODE_CHECK)
		general->code_of[key] = ++general->ncodes;
	return general->code_of[key] != 0 ? general->code_of[key] : CODE_CHECK;
}

static bool
check_block(struct cycle *cycle, const struct column_block *b, const void *prep,
    uint8_t *codes)
{
	struct general *general = (struct general *)prep;
	uint16_t keys[COLUMN_ROWS] = { 0 }, any = 0;
	uint8_t of_part[COLUMN_ROWS];

	for (size_t i = 0; i < general->n; i++) {
		const struct part *part = &general->parts[i];

		if (part->unit->check_block == NULL ||
		    !part->unit->check_block(cycle, b, part->prep, of_part))
			return false;
		if (column_has_codes(of_part))
			any |= add_codes(keys, of_part, part->shift);
	}
	memset(codes, 0, COLUMN_ROWS);
	for (uint32_t i = 0; any != 0 && i < b->n; i++)
		codes[i] = code_of_key(general, keys[i]);
	return true;
}

static const char *
miss(struct cycle *cycle, const struct node_info *node, const void *prep)
{
	const struct general *general = prep;
	struct why ignored = { .arena = cycle->arena };
	const char *all = NULL;

	for (size_t i = 0; i < general->n; i++) {
		const struct predicate *unit = general->parts[i].unit;
		const char *one;

		if (unit->check(cycle, node, general->parts[i].prep,
			&ignored) == FITS)
			continue;
		one = unit->miss(cycle, node, general->parts[i].prep);
		if (one != NULL)
			all = all == NULL ?
			    one :
			    arena_printf(cycle->arena, "%s; %s", all, one);
	}
	return all;
}

const struct predicate predicate_general_predicates = {
	.name = "GeneralPredicates",
	.policy = { .in = IN_BOTH, .parts = parts },
	.reads =
	    READS_NODE | ASPECT_REQUESTS | ASPECT_PORTS | ASPECT_NODE_AFFINITY,
	.prepare = prepare,
	.check = check,
	.check_block = check_block,
	.miss = miss,
};
