#include "config.h"

#include "cluster/devices/allocation.h"

#include "base/arena.h"
#include "base/json_out.h"
#include "cluster/cluster.h"
#include "objects/resource_claim.h"

static void
json_syms(struct json_out *json, const char *key, uint32_t n, const sym *syms)
{
	if (n == 0)
		return;
	json_open_member(json, key, '[');
	for (uint32_t i = 0; i < n; i++)
		json_string(json, sym_text(syms[i]));
	json_close(json, ']');
}

void
json_requirements(struct json_out *json, const char *key,
    const struct selector *s)
{
	static const char *const operators[] = { "In", "NotIn", "Exists",
		"DoesNotExist", "Gt", "Lt" };

	if (s->n == 0)
		return;
	json_open_member(json, key, '[');
	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];

		json_open(json, '{');
		json_members(json, "key:s operator:s", sym_text(r->key),
		    operators[r->op]);
		json_syms(json, "values", r->nvalues, r->values);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void
json_node_selector(struct json_out *json, const struct node_selector *s)
{
	json_open(json, '{');
	json_open_member(json, "nodeSelectorTerms", '[');
	for (uint32_t i = 0; i < s->n; i++) {
		json_open(json, '{');
		json_requirements(json, "matchFields", &s->at[i].fields);
		json_requirements(json, "matchExpressions", &s->at[i].labels);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

/* A request of a claim as it was fulfilled. */
struct fulfilled {
	const struct device_demand *by;
	const char *name; /* "request" or "request/alternative" */
};

/* The alternative that devices were given for, or the first. */
static struct fulfilled
fulfilled_of(struct arena *arena, const struct resource_claim *claim,
    const struct device_request *r)
{
	struct fulfilled first = { &r->at[0], sym_text(r->name) }, f;

	for (uint32_t k = r->exact ? r->n : 0; k < r->n; k++) {
		f.by = &r->at[k];
		f.name = arena_printf(arena, "%s/%s", sym_text(r->name),
		    sym_text(f.by->name));
		if (k == 0)
			first = f;
		for (uint32_t i = 0; i < claim->nresults; i++)
			if (strcmp(sym_text(claim->results[i].request),
				f.name) == 0)
				return f;
	}
	return first;
}

static void
json_result(struct json_out *json, const struct device_result *r,
    const char *tolerations)
{
	json_open(json, '{');
	json_members(json, "request:n driver:n pool:n device:n", r->request,
	    r->driver, r->pool, r->device);
	if (r->admin)
		json_pair_bool(json, "adminAccess", true);
	if (tolerations != NULL) {
		json_key(json, "tolerations");
		json_raw(json, tolerations);
	}
	json_syms(json, "bindingConditions", r->nconditions, r->conditions);
	json_syms(json, "bindingFailureConditions", r->nfailures, r->failures);
	if (r->share != SYM_NONE)
		json_pair(json, "shareID", sym_text(r->share));
	if (r->nconsumed > 0)
		json_open_member(json, "consumedCapacity", '{');
	for (uint32_t i = 0; i < r->nconsumed; i++)
		json_pair(json, sym_text(r->consumed[i].name),
		    sym_text(r->consumed[i].amount.text));
	if (r->nconsumed > 0)
		json_close(json, '}');
	json_close(json, '}');
}

/* ---- parameters ---- */

static void
json_config(struct json_out *json, const char *source,
    const struct device_config *c)
{
	json_open(json, '{');
	json_pair(json, "source", source);
	json_syms(json, "requests", c->nrequests, c->requests);
	json_key(json, "opaque");
	json_raw(json, c->text);
	json_close(json, '}');
}

/* Each class once, with all requests that were fulfilled by it. */
static void
json_class_configs(struct json_out *json, struct arena *arena,
    const struct cluster *cluster, uint32_t n, const struct fulfilled *all)
{
	sym *names = arena_array(arena, sym, n);

	for (uint32_t i = 0; i < n; i++) {
		sym name = all[i].by->class;
		const struct device_class *class =
		    cluster_device_class(cluster, name);
		uint32_t before = 0, nnames = 0;

		while (before < i && all[before].by->class != name)
			before++;
		if (class == NULL || before < i)
			continue;
		for (uint32_t k = i; k < n; k++)
			if (all[k].by->class == name)
				names[nnames++] = sym_in(arena, all[k].name);
		for (uint32_t k = 0; k < class->nconfigs; k++)
			json_config(json, "FromClass",
			    &(struct device_config){ class->configs[k].text,
				nnames, names });
	}
}

/* Once for each of its requests that there is. */
static void
json_claim_configs(struct json_out *json, const struct resource_claim *claim,
    const struct fulfilled *all)
{
	const struct device_wishes *w = &claim->wishes;

	for (uint32_t i = 0; i < w->nconfigs; i++) {
		const struct device_config *c = &w->configs[i];

		if (c->nrequests == 0)
			json_config(json, "FromClaim", c);
		for (uint32_t r = 0; r < w->nrequests; r++)
			if (ANY(k, c->nrequests,
				c->requests[k] == w->requests[r].name ||
				    strcmp(sym_text(c->requests[k]),
					all[r].name) == 0))
				json_config(json, "FromClaim", c);
	}
}

void
allocation_put(struct text *out, const struct cluster *cluster,
    const struct resource_claim *claim, const char *timestamp)
{
	const struct device_wishes *w = &claim->wishes;
	struct json_out json = JSON_OUT_INIT(out);
	struct arena arena = ARENA_INIT;
	struct fulfilled *all =
	    arena_array(&arena, struct fulfilled, w->nrequests);

	for (uint32_t r = 0; r < w->nrequests; r++)
		all[r] = fulfilled_of(&arena, claim, &w->requests[r]);
	json_open(&json, '{');
	json_open_member(&json, "devices", '{');
	json_open_member(&json, "results", '[');
	for (uint32_t i = 0; i < claim->nresults; i++) {
		const char *request = sym_text(claim->results[i].request);
		uint32_t r = 0;

		while (r < w->nrequests && strcmp(all[r].name, request) != 0)
			r++;
		json_result(&json, &claim->results[i],
		    r < w->nrequests ? all[r].by->tolerations_text : NULL);
	}
	json_close(&json, ']');
	json_open_member(&json, "config", '[');
	json_class_configs(&json, &arena, cluster, w->nrequests, all);
	json_claim_configs(&json, claim, all);
	json_close(&json, ']');
	json_close(&json, '}');
	if (claim->has_nodes) {
		json_key(&json, "nodeSelector");
		json_node_selector(&json, &claim->nodes);
	}
	if (timestamp != NULL)
		json_pair(&json, "allocationTimestamp", timestamp);
	json_close(&json, '}');
	arena_fini(&arena);
}
