#include "config.h"

#include "page/node_json.h"

#include <string.h>

#include "base/json_out.h"
#include "cluster/node_info.h"
#include "model/resources.h"
#include "whatif/balance.h"

static bool
is_ready(const struct node *node)
{
	sym ready = node_condition_status(node, sym_intern("Ready"));

	return ready == SYM_EMPTY || strcmp(sym_text(ready), "True") == 0;
}

static bool
is_tainted(const struct node *node)
{
	for (uint32_t i = 0; i < node->ntaints; i++)
		if (strcmp(sym_text(node->taints[i].effect_text),
			"PreferNoSchedule") != 0)
			return true;
	return false;
}

int
node_json_state(const struct node *node)
{
	return (node->unschedulable ? 1 : 0) | (is_ready(node) ? 0 : 2) |
	    (is_tainted(node) ? 4 : 0);
}

const char *
node_json_zone(const struct node_info *node)
{
	sym zone = node_zone_label(node->node);

	return zone != SYM_NONE ? sym_text(zone) : "";
}

static void
put_resource(struct json_out *json, const struct node_info *node,
    const char *resource)
{
	int64_t requested, allocatable;

	balance_amounts(node, resource, &requested, &allocatable);
	if (requested == 0 && allocatable == 0)
		return;
	json_key(json, resource);
	json_open(json, '[');
	json_int(json, requested);
	json_int(json, allocatable);
	json_close(json, ']');
}

void
node_json_resources(struct json_out *json, const struct node_info *node)
{
	const struct resources *has = &node->node->allocatable;

	json_key(json, "resources");
	json_open(json, '{');
	put_resource(json, node, "cpu");
	put_resource(json, node, "memory");
	put_resource(json, node, "pods");
	for (uint32_t i = 0; i < has->nscalars; i++)
		put_resource(json, node, sym_text(has->scalars[i].name));
	json_close(json, '}');
}
