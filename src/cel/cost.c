/*
 * What a call costs: the numbers of cel-go's cost tracker, and those with which
 * Kubernetes overrides it.
 */
#include "config.h"

#include <math.h>

#include "cel/cel_internal.h"

#define PER_BYTE 0.1 /* of a string that is traversed */

/* is_kubernetes: as Kubernetes' costs count, which do not open optionals. */
static uint64_t
size_of(const struct cel_value *value, bool is_kubernetes)
{
	switch ((int)value->kind) {
	case CEL_STRING:
		return rune_count(value->text, value->len);
	case CEL_BYTES:
		return value->len;
	case CEL_LIST:
	case CEL_MAP:
		return value_len(value);
	case CEL_IP:
	case CEL_CIDR:
		return address_size(value);
	case CEL_OPTIONAL:
		return value->data == NULL || is_kubernetes ?
		    1 :
		    size_of(value->data, false);
	default:
		return 1;
	}
}

static uint64_t
scan(uint64_t size, double factor)
{
	return (uint64_t)ceil((double)size * factor);
}

/* All that a value holds. */
static uint64_t
traverse(const struct cel_value *value)
{
	const struct cel_value *items;
	uint64_t cost = 0;
	size_t n;

	if (value->kind == CEL_STRING || value->kind == CEL_BYTES)
		return (uint64_t)(value->len * PER_BYTE);
	if (value->kind != CEL_LIST && value->kind != CEL_MAP)
		return 1;
	items = value_items(value);
	n = value_len(value) * (value->kind == CEL_MAP ? 2 : 1);
	for (size_t i = 0; i < n; i++)
		cost += traverse(&items[i]);
	return cost;
}

static uint64_t
pattern(uint64_t text, uint64_t regex)
{
	return (uint64_t)ceil((1.0 + (double)text) * PER_BYTE) *
	    scan(regex, 0.25);
}

/* A new list: one call, the list, and so much per element. */
static uint64_t
new_list(double factor, uint64_t size)
{
	double cost = (double)size * factor;

	return (cost < 1e18 ? (uint64_t)cost : (uint64_t)1e18) + 1 + 10;
}

static uint64_t
compare_all(const struct cel_value *list)
{
	uint64_t n = size_of(list, false);
	double factor = 2;

	if (list->kind == CEL_LIST && n > 0 &&
	    (value_items(list)->kind == CEL_STRING ||
		value_items(list)->kind == CEL_BYTES))
		factor += PER_BYTE;
	return new_list(factor, n * n);
}

/* f: the overload that fits, if there is only one. */
static uint64_t
network(const struct function *f, const struct cel_value *args, bool is_network)
{
	uint64_t size = size_of(&args[0], true);
	uint64_t cost = scan(2 * size, PER_BYTE);

	if (is_network)
		cost += scan(size, PER_BYTE) + 1;
	if (f != NULL && f->args[1]->kind == CEL_STRING)
		cost += scan(size_of(&args[1], true), PER_BYTE);
	return cost;
}

uint64_t
call_cost(const struct node *node, const struct cel_value *args, size_t n,
    const struct cel_value *result)
{
	const struct function *f = node->overload;
	enum cost cost = f != NULL ? f->cost : COST_CALL;
	uint64_t a = n > 0 ? size_of(&args[0], cost >= COST_BY_NAME) : 0;
	uint64_t b = n > 1 ? size_of(&args[1], cost >= COST_BY_NAME) : 0;

	if (f == NULL && node->function->cost >= COST_BY_NAME)
		cost = node->function->cost;
	switch (cost) {
	case COST_CALL:
	case COST_ONE:
		return 1;
	case COST_EQUAL:
		if (args[0].kind >= CEL_QUANTITY)
			return 1;
		__attribute__((fallthrough));
	case COST_SHORTER:
		return scan(a < b ? a : b, PER_BYTE);
	case COST_SCAN:
	case COST_NAME_SCAN:
		return scan(a, PER_BYTE);
	case COST_NAME_SCAN_TWICE:
		return scan(a, 2 * PER_BYTE);
	case COST_IN_LIST:
		return b;
	case COST_BOTH:
		return scan(a + b, PER_BYTE);
	case COST_MATCH:
	case COST_FIND:
		return pattern(a, b);
	case COST_CONTAINS:
		return scan(a, PER_BYTE) * scan(b, PER_BYTE);
	case COST_OUTPUT:
		return new_list(1, size_of(result, false));
	case COST_FLATTEN:
		return new_list(n == 2 && args[1].kind == CEL_INT &&
			    args[1].integer >= 0 ?
			(double)args[1].integer :
			1,
		    a);
	case COST_COMPARE_ALL:
		return compare_all(&args[0]);
	case COST_COMPARE_KEYS:
		return compare_all(&args[1]);
	case COST_SETS:
		return 1 + a * b;
	case COST_SETS_TWICE:
		return 1 + 2 * a * b;
	case COST_TRAVERSE:
		return traverse(&args[0]);
	case COST_JOIN:
		return scan(size_of(result, true), 2 * PER_BYTE);
	case COST_CONTAINS_IP:
		return network(f, args, false);
	case COST_CONTAINS_CIDR:
		return network(f, args, true);
	case COST_VALIDATE:
		if (args[0].kind == CEL_FORMAT)
			return pattern(b, format_size(&args[0]));
		break;
	}
	return 1;
}
