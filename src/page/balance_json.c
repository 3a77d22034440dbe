#include "config.h"

#include "page/balance_json.h"

#include "base/json_out.h"
#include "whatif/balance.h"

void
balance_json(struct json_out *json, const char *key, const struct balance *b,
    size_t placed)
{
	json_break(json, "  ");
	json_key(json, key);
	json_open(json, '{');
	json_pair_int(json, "placed", (int64_t)placed);
	json_pair_int(json, "nodes", b->nnodes);
	json_pair_int(json, "emptyNodes", b->nempty);
	json_key(json, "resources");
	json_open(json, '[');
	for (size_t i = 0; i < b->nresources; i++) {
		const struct balance_resource *r = &b->resources[i];

		json_break(json, "   ");
		json_open(json, '{');
		json_pair(json, "resource", r->name);
		json_key(json, "mean");
		json_number(json, r->mean, 4);
		json_key(json, "max");
		json_number(json, r->max, 4);
		json_key(json, "cv");
		json_number(json, r->cv, 4);
		json_pair_int(json, "allocatable", r->allocatable);
		json_pair_int(json, "requested", r->requested);
		json_pair_int(json, "stranded", r->stranded);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "zones");
	json_open(json, '[');
	for (size_t i = 0; i < b->nzones; i++) {
		const struct balance_zone *z = &b->zones[i];

		json_break(json, "   ");
		json_open(json, '{');
		json_pair(json, "zone", z->name);
		json_pair_int(json, "nodes", z->nnodes);
		json_pair_int(json, "pods", z->npods);
		json_key(json, "cpu");
		json_number(json, z->cpu, 4);
		json_key(json, "memory");
		json_number(json, z->memory, 4);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}
