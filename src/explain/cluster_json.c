#include "config.h"

#include "explain/cluster_json.h"

#include "base/json_out.h"
#include "cluster/node_info.h"
#include "objects/pod.h"
#include "objects/resources.h"
#include "explain/whatif/balance.h"
#include "explain/whatif/diff.h"

int
node_json_state(const struct node *node)
{
	bool tainted = ANY(i, node->ntaints,
	    strcmp(sym_text(node->taints[i].effect_text), "PreferNoSchedule") !=
		0);

	return (node->unschedulable ? 1 : 0) | (node_is_ready(node) ? 0 : 2) |
	    (tainted ? 4 : 0);
}

const char *
node_json_zone(const struct node_info *node)
{
	sym zone = node_zone_label(node->node);

	return zone != SYM_NONE ? sym_text(zone) : "";
}

void
requests_json_scalars(struct json_out *json, const struct resources *r)
{
	for (uint32_t i = 0; i < r->nscalars; i++)
		json_pair_int(json, sym_text(r->scalars[i].name),
		    r->scalars[i].amount);
}

void
requests_json_other(struct json_out *json, const struct resources *r)
{
	if (r->nscalars == 0)
		return;
	json_open_member(json, "other", '{');
	requests_json_scalars(json, r);
	json_close(json, '}');
}

void
pod_json_owner(struct json_out *json, const struct pod *pod)
{
	const struct pod_class *c = pod->class;
	const char *name, *dash;
	sym hash;
	AUTOFREE char *owner = NULL;

	if (c->controller_kind == SYM_NONE) {
		json_pair(json, "owner", NULL);
		return;
	}
	name = sym_text(c->controller_name);
	hash = labels_get(&c->labels, sym_intern("pod-template-hash"));
	dash = strrchr(name, '-');
	if (hash != SYM_NONE && dash != NULL &&
	    strcmp(dash + 1, sym_text(hash)) == 0)
		owner = xasprintf("Deployment/%.*s", (int)(dash - name), name);
	else
		owner = xasprintf("%s/%s", sym_text(c->controller_kind), name);
	json_pair(json, "owner", owner);
}

void
balance_json(struct json_out *json, const char *key, const struct balance *b,
    size_t placed)
{
	json_break(json, "  ");
	json_open_member(json, key, '{');
	json_members(json, "placed:z nodes:u emptyNodes:u", placed, b->nnodes,
	    b->nempty);
	JSON_ARRAY (json, "resources", i, b->nresources) {
		const struct balance_resource *r = &b->resources[i];

		json_break(json, "   ");
		json_object(json,
		    "resource:s mean:4 max:4 cv:4 allocatable:d requested:d "
		    "stranded:d",
		    r->name, r->mean, r->max, r->cv, r->allocatable,
		    r->requested, r->stranded);
	}
	JSON_ARRAY (json, "zones", i, b->nzones) {
		const struct balance_zone *z = &b->zones[i];

		json_break(json, "   ");
		json_object(json, "zone:s nodes:u pods:u cpu:4 memory:4",
		    z->name, z->nnodes, z->npods, z->cpu, z->memory);
	}
	json_close(json, '}');
}

static void
put_count(struct json_out *json, const char *key, const struct diff_count *c,
    bool varies)
{
	json_open_member(json, key, '{');
	json_members(json, "pods:z", c->pods);
	if (varies)
		json_members(json, "mean:4 deviation:4", c->mean, c->deviation);
	json_close(json, '}');
}

void
diff_json(struct json_out *json, const struct diff *d)
{
	json_members(json,
	    "elsewhere:z unschedulable:z schedulable:z explained:z",
	    d->nelsewhere, d->nunschedulable, d->nschedulable, d->nexplained);
	json_open_member(json, "causes", '{');
	json_members(json, "seeds:u", d->nseeds);
	put_count(json, "moved", &d->causes[DIFF_MOVED], true);
	put_count(json, "rule", &d->causes[DIFF_RULE], true);
	put_count(json, "knockOn", &d->causes[DIFF_KNOCK_ON], false);
	put_count(json, "chance", &d->causes[DIFF_CHANCE], false);
	json_close(json, '}');
}

size_t
query_number(const char *text, size_t usual, size_t most)
{
	unsigned long long n;
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return usual;
	n = strtoull(text, &end, 10);
	if (*end != '\0')
		return usual;
	return n < most ? (size_t)n : most;
}
