#include "config.h"

#include "objects/resources.h"

#include "base/arena.h"
#include "base/doc.h"
#include "base/sorted.h"
#include "objects/decode.h"
#include "base/quantity.h"
#include "objects/parts.h"
#include "objects/validation.h"

/* The index of name, or the index to insert it at. */
static uint32_t
find(const struct resources *r, sym name)
{
	size_t i;

	SORTED_FIND(i, r->nscalars, r->scalars[i].name < name);
	return (uint32_t)i;
}

static bool
is_at(const struct resources *r, uint32_t i, sym name)
{
	return i < r->nscalars && r->scalars[i].name == name;
}

const struct scalar *
resources_scalar(const struct resources *r, sym name)
{
	uint32_t i = find(r, name);

	return is_at(r, i, name) ? &r->scalars[i] : NULL;
}

const char *
resources_name(const struct resources *r, uint32_t i)
{
	static const char *const names[] = { "cpu", "memory",
		"ephemeral-storage" };

	if (i < LENGTH(names))
		return names[i];
	i -= LENGTH(names);
	return i < r->nscalars ? sym_text(r->scalars[i].name) : NULL;
}

int64_t *
resources_place(struct resources *r, const char *name)
{
	uint32_t i;

	if (strcmp(name, "cpu") == 0)
		return &r->cpu_milli;
	if (strcmp(name, "memory") == 0)
		return &r->memory;
	if (strcmp(name, "ephemeral-storage") == 0)
		return &r->ephemeral_storage;
	if (strcmp(name, "pods") == 0)
		return &r->pods;
	i = find(r, sym_find(name));
	return is_at(r, i, sym_find(name)) ? &r->scalars[i].amount : NULL;
}

int64_t
resources_get(const struct resources *r, const char *name)
{
	const int64_t *amount = resources_place((struct resources *)r, name);

	return amount != NULL ? *amount : 0;
}

PARTS(scalar_parts, SYM(scalar, name), RUN(scalar, amount, amount));

struct resources
resources_copy(struct arena *arena, const struct resources *r)
{
	struct resources copy = *r;

	copy.scalars = NULL;
	copy.room = 0;
	for (uint32_t i = 0; i < r->nscalars; i++)
		sym_hold(arena, r->scalars[i].name);
	if (r->nscalars > 0) {
		copy.scalars = arena_memdup(arena, r->scalars,
		    r->nscalars * sizeof(*r->scalars));
		copy.room = r->nscalars;
	}
	return copy;
}

/* The scalar's entry, added with amount 0 when it is not there. */
static struct scalar *
scalar_of(struct arena *arena, struct resources *r, sym name)
{
	uint32_t i = find(r, name);

	if (is_at(r, i, name))
		return &r->scalars[i];
	if (r->nscalars >= r->room) {
		uint32_t room = r->nscalars < 2 ? 2 : 2 * r->nscalars;
		struct scalar *bigger = arena_array(arena, struct scalar, room);

		if (r->nscalars > 0)
			memcpy(bigger, r->scalars,
			    r->nscalars * sizeof(*bigger));
		r->scalars = bigger;
		r->room = room;
	}
	memmove(r->scalars + i + 1, r->scalars + i,
	    (r->nscalars - i) * sizeof(*r->scalars));
	r->scalars[i] = (struct scalar){ name, 0 };
	sym_hold(arena, name);
	r->nscalars++;
	return &r->scalars[i];
}

static int64_t
add(int64_t a, int64_t b, int sign)
{
	return sign < 0 ? wrap_sub(a, b) : wrap_add(a, b);
}

void
resources_add(struct arena *arena, struct resources *to,
    const struct resources *r, int sign)
{
	to->cpu_milli = add(to->cpu_milli, r->cpu_milli, sign);
	to->memory = add(to->memory, r->memory, sign);
	to->ephemeral_storage =
	    add(to->ephemeral_storage, r->ephemeral_storage, sign);
	to->pods = add(to->pods, r->pods, sign);
	for (uint32_t i = 0; i < r->nscalars; i++) {
		struct scalar *scalar =
		    scalar_of(arena, to, r->scalars[i].name);

		scalar->amount =
		    add(scalar->amount, r->scalars[i].amount, sign);
	}
}

/* Takes the i-th scalar out. */
static void
drop_scalar(struct resources *r, uint32_t i)
{
	sym_unref(r->scalars[i].name);
	SORTED_REMOVE(r->scalars, r->nscalars, i);
}

static struct scalar *
tally_of(struct resources *r, sym name)
{
	uint32_t i = find(r, name);
	size_t room = r->room;

	if (is_at(r, i, name))
		return &r->scalars[i];
	r->scalars = xgrow(r->scalars, r->nscalars, &room, sizeof(*r->scalars));
	r->room = (uint32_t)room;
	memmove(r->scalars + i + 1, r->scalars + i,
	    (r->nscalars - i) * sizeof(*r->scalars));
	r->scalars[i] = (struct scalar){ sym_ref(name), 0 };
	r->nscalars++;
	return &r->scalars[i];
}

void
resources_tally(struct resources *to, const struct resources *r, int sign)
{
	struct resources amounts = *r;

	amounts.nscalars = 0;
	resources_add(NULL, to, &amounts, sign);
	for (uint32_t i = 0; i < r->nscalars; i++) {
		struct scalar *scalar = tally_of(to, r->scalars[i].name);

		scalar->amount =
		    add(scalar->amount, r->scalars[i].amount, sign);
		if (scalar->amount == 0)
			drop_scalar(to, (uint32_t)(scalar - to->scalars));
	}
}

void
resources_tally_fini(struct resources *r)
{
	while (r->nscalars > 0)
		drop_scalar(r, r->nscalars - 1);
	free(r->scalars);
	*r = (struct resources){ 0 };
}

static void
raise(int64_t *to, int64_t amount)
{
	if (amount > *to)
		*to = amount;
}

void
resources_max(struct arena *arena, struct resources *to,
    const struct resources *r)
{
	raise(&to->cpu_milli, r->cpu_milli);
	raise(&to->memory, r->memory);
	raise(&to->ephemeral_storage, r->ephemeral_storage);
	for (uint32_t i = 0; i < r->nscalars; i++) {
		const struct scalar *scalar = &r->scalars[i];
		const struct scalar *had = resources_scalar(to, scalar->name);

		if (scalar->amount > (had != NULL ? had->amount : 0))
			scalar_of(arena, to, scalar->name)->amount =
			    scalar->amount;
	}
}

/* With the whole path in the sentence. */
static struct quantity
read_quantity(struct decoder *d, const struct doc_node *item)
{
	struct quantity q = QUANTITY_ZERO;
	struct err why = { "" };

	if (d->failed || quantity_from_doc(item, &q, NULL) == 0)
		return q;
	if (item->kind != DOC_STRING && item->kind != DOC_NUMBER) {
		decode_fail(d, item, "must be a quantity, not %s",
		    doc_kind_name(item->kind));
		return q;
	}
	quantity_parse(item->text, item->len, &q, &why);
	decode_fail(d, item, ": %s", why.text);
	return QUANTITY_ZERO;
}

static void
put(struct arena *arena, struct resources *r, const char *name,
    const struct quantity *q)
{
	if (strcmp(name, "cpu") == 0)
		r->cpu_milli = quantity_milli(q);
	else if (strcmp(name, "memory") == 0)
		r->memory = quantity_value(q);
	else if (strcmp(name, "ephemeral-storage") == 0)
		r->ephemeral_storage = quantity_value(q);
	else if (strcmp(name, "pods") == 0)
		r->pods = quantity_value(q);
	else if (arena != NULL && resource_is_scalar(name)) {
		int64_t amount = quantity_value(q);
		sym s = sym_take(name);

		scalar_of(arena, r, s)->amount = amount;
		sym_unref(s);
	}
}

struct resources
decode_resources(struct decoder *d, const struct doc_node *list,
    struct arena *arena)
{
	struct resources r = { 0 };

	list = decode_kind(d, list, DOC_OBJECT);
	EACH_CHILD (item, list) {
		struct quantity q = read_quantity(d, item);

		put(arena, &r, item->key, &q);
	}
	return r;
}

bool
resources_equal(const struct resources *a, const struct resources *b)
{
	if (a->cpu_milli != b->cpu_milli || a->memory != b->memory ||
	    a->ephemeral_storage != b->ephemeral_storage ||
	    a->pods != b->pods || a->nscalars != b->nscalars)
		return false;
	return !ANY(i, a->nscalars,
	    a->scalars[i].name != b->scalars[i].name ||
		a->scalars[i].amount != b->scalars[i].amount);
}

static bool
shrinks(int64_t before, int64_t after, bool wanted)
{
	return wanted && after < before;
}

static int64_t
amount_of(const struct resources *r, sym name)
{
	const struct scalar *scalar = resources_scalar(r, name);

	return scalar != NULL ? scalar->amount : 0;
}

bool
resources_shrink(const struct resources *before, const struct resources *after,
    const struct resources *wanted)
{
	const struct resources *w = wanted != NULL ? wanted : before;

	if (shrinks(before->cpu_milli, after->cpu_milli, w->cpu_milli > 0) ||
	    shrinks(before->memory, after->memory, w->memory > 0) ||
	    shrinks(before->ephemeral_storage, after->ephemeral_storage,
		w->ephemeral_storage > 0))
		return true;
	for (uint32_t i = 0; i < before->nscalars; i++) {
		sym name = before->scalars[i].name;

		if (shrinks(before->scalars[i].amount, amount_of(after, name),
			amount_of(w, name) > 0))
			return true;
	}
	return false;
}
