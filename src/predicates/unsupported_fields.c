/*
 * UnsupportedFields: the pod has no field that steers where pods go and that
 * this scheduler does not support (objects/steering_table.h), unless
 * --ignore-unsupported names the field.  A field that came with 1.N counts from
 * that release on.
 *
 * In every profile.  kube-scheduler has no such rule.
 */
#include "config.h"

#include "decide/framework/cycle.h"
#include "decide/framework/cycle_devices.h"
#include "decide/framework/profile.h"
#include "objects/steering.h"
#include "predicates/registry.h"

static const void *
prepare(struct cycle *cycle, const void *args)
{
	uint32_t has = cycle->class->unsupported, *held;

	has &= ~cycle->profile->ignored_fields;
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++)
		if (unsupported_fields[i].since > cycle_release(cycle))
			has &= ~UNSUPPORTED_BIT(i);
	if (cycle_allocates(cycle))
		has &= ~UNSUPPORTED_BIT(UNSUPPORTED_DEVICE_CLASS_RESOURCES);
	if (has == 0)
		return NULL;
	held = arena_alloc(cycle->arena, sizeof(*held));
	*held = has;
	return held;
}

static enum verdict
check(struct cycle *cycle, const struct node_info *node, const void *prep,
    struct why *why)
{
	uint32_t held = *(const uint32_t *)prep;

	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++)
		if (held & UNSUPPORTED_BIT(i))
			why_add(why, unsupported_fields[i].reason);
	return UNFIT_FOREVER;
}

const struct predicate predicate_unsupported_fields = {
	.name = "UnsupportedFields",
	.policy = { .in = IN_ALL_POLICIES },
	.reads = READS_NODE | ASPECT_UNSUPPORTED,
	.plugin = PLUGIN_UNSUPPORTED_FIELDS,
	.prepare = prepare,
	.check = check,
};

const struct plugin plugin_unsupported_fields = { .name = "UnsupportedFields" };
