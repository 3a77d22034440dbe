#include "config.h"

#include "priorities/scored_resources.h"

#include <string.h>

#include "base/arena.h"
#include "base/xmalloc.h"
#include "framework/args.h"
#include "model/resources.h"
#include "model/validation.h"

static enum scored_kind
kind_of(const char *name)
{
	if (strcmp(name, "cpu") == 0)
		return SCORED_CPU;
	if (strcmp(name, "memory") == 0)
		return SCORED_MEMORY;
	if (strcmp(name, "ephemeral-storage") == 0)
		return SCORED_STORAGE;
	return resource_is_scalar(name) ? SCORED_SCALAR : SCORED_UNKNOWN;
}

int64_t
scored_amount(const struct scored *scored, const struct resources *amounts)
{
	const struct scalar *scalar;

	switch (scored->kind) {
	case SCORED_CPU:
		return amounts->cpu_milli;
	case SCORED_MEMORY:
		return amounts->memory;
	case SCORED_STORAGE:
		return amounts->ephemeral_storage;
	case SCORED_SCALAR:
		scalar = resources_scalar(amounts, scored->name);
		return scalar != NULL ? scalar->amount : 0;
	case SCORED_UNKNOWN:
		break;
	}
	return 0;
}

static struct scored *
find(struct scored_resources *r, sym name)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].name == name)
			return &r->at[i];
	return NULL;
}

struct scored_resources
scored_resources_new(struct arena *arena, size_t n,
    const struct scored_resource *resources, bool each,
    const struct resources *request)
{
	struct scored_resource plain[] = { { sym_intern("cpu"), 1 },
		{ sym_intern("memory"), 1 } };
	struct scored_resources r = { 0 };

	if (n == 0) {
		n = LENGTH(plain);
		resources = plain;
	}
	r.at = arena_array(arena, struct scored, n);
	for (size_t i = 0; i < n; i++) {
		struct scored *known =
		    each ? NULL : find(&r, resources[i].name);
		struct scored *scored = known != NULL ? known : &r.at[r.n++];

		scored->name = resources[i].name;
		scored->kind = kind_of(sym_text(scored->name));
		scored->weight = resources[i].weight;
		scored->request = scored_amount(scored, request);
	}
	return r;
}

bool
scored_resources_are_plain(const struct scored_resources *r)
{
	return r->n == 2 && r->at[0].kind <= SCORED_MEMORY &&
	    r->at[1].kind <= SCORED_MEMORY && r->at[0].kind != r->at[1].kind;
}
