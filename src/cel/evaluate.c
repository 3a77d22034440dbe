/*
 * Evaluation, and its cost: an identifier, a selection and an index cost 1 each,
 * constants nothing, calls what call_cost() says.
 *
 * Identifiers with selections and indexes behind them are one attribute, as in
 * cel-go: after the first .? or [?], and of an optional value, what is missing
 * makes the whole attribute none; and the branches of a conditional go on with
 * the selections behind it.
 */
#include "config.h"

#include "cel/cel_internal.h"

#define UNSET 0xff /* of an accumulator that was not read yet */
/* Of the work that an evaluation may do, per unit of its cost limit. */
#define WORK_PER_COST 4

struct attribute {
	struct cel_value value;
	bool optional, absent;
	bool conditional; /* it begins with a conditional, which is free */
};

static struct cel_value
read_slot(struct run *run, const struct node *node)
{
	struct cel_value *slot = &run->slots[node->slot];
	struct cel_value init;

	if (slot->kind != UNSET)
		return *slot;
	init = evaluate(run, node->fold->of[FOLD_INIT]);
	if ((init.kind == CEL_LIST || init.kind == CEL_MAP) &&
	    value_len(&init) == 0) {
		init.flag = true;
		init.data =
		    arena_zalloc(run->arena, sizeof(struct cel_growing));
	}
	*slot = init;
	return init;
}

static void
begin_attribute(struct attribute *a, struct cel_value value)
{
	a->value = value;
	if (value.kind != CEL_OPTIONAL)
		return;
	a->optional = true;
	a->absent = value.data == NULL;
	if (!a->absent)
		a->value = *(const struct cel_value *)value.data;
}

static void resolve(struct run *run, const struct node *node,
    struct attribute *a);

static struct cel_value
attribute_value(struct run *run, const struct attribute *a)
{
	if (is_error(&a->value) && !a->absent)
		return a->value;
	if (a->absent)
		return cel_optional(run, NULL);
	return a->optional ? cel_optional(run, &a->value) : a->value;
}

static struct cel_value
index_key(struct run *run, const struct node *node)
{
	struct attribute a = { .absent = false };

	if (node->op != OP_IDENT && node->op != OP_SELECT &&
	    node->op != OP_HAS && node->op != OP_INDEX && node->op != OP_COND)
		return evaluate(run, node);
	resolve(run, node, &a);
	return attribute_value(run, &a);
}

/* The index of a list, -1: it has an error. */
static int64_t
list_index(struct run *run, const struct cel_value *key,
    struct cel_value *error)
{
	if (key->kind == CEL_INT)
		return key->integer < 0 ? INT64_MAX : key->integer;
	if (key->kind == CEL_UINT && key->natural <= INT64_MAX)
		return (int64_t)key->natural;
	if (key->kind == CEL_DOUBLE && key->number > -9223372036854775808.0 &&
	    key->number < 9223372036854775808.0 &&
	    (double)(int64_t)key->number == key->number)
		return key->number < 0 ? INT64_MAX : (int64_t)key->number;
	if (key->kind == CEL_UINT || key->kind == CEL_DOUBLE)
		*error = cel_error(run, "unsupported index value %s in list",
		    value_text(run, key));
	else
		*error = cel_error(run, "unsupported index type '%s' in list",
		    kinds[key->kind].name);
	return -1;
}

/* What the container has under this key: a value, NULL or an error. */
static const struct cel_value *
find(struct run *run, const struct cel_value *container,
    const struct cel_value *key, struct cel_value *error)
{
	static const struct cel_value empty_map = { .kind = CEL_MAP };
	const struct cel_value *found;
	int64_t i;

	if (container->kind == CEL_MAP) {
		found = map_find(run, container, key);
		return found == NULL && container->zone != 0 ? &empty_map :
							       found;
	}
	if (container->kind == CEL_LIST) {
		i = list_index(run, key, error);
		if (i < 0)
			return error;
		if ((uint64_t)i < value_len(container))
			return value_items(container) + i;
	}
	return NULL;
}

/* Goes on from the operand to what node selects of it. */
static void
qualify(struct run *run, const struct node *node, struct attribute *a)
{
	bool test = node->op == OP_HAS;
	bool lenient = a->optional || node->flag;
	struct cel_value key, error;
	const struct cel_value *found;

	key = node->op == OP_INDEX ? index_key(run, node->of[1]) :
				     cel_string(node->name);
	if (!is_error(&key) && key.kind != CEL_STRING && key.kind != CEL_INT &&
	    key.kind != CEL_UINT && key.kind != CEL_BOOL &&
	    key.kind != CEL_DOUBLE)
		key = cel_error(run, "invalid qualifier type: %s",
		    kinds[key.kind].go);
	found = is_error(&key) ? &key : find(run, &a->value, &key, &error);
	if (found == NULL && !lenient && !test) {
		error = cel_error(run,
		    a->value.kind == CEL_LIST ? "index out of bounds: %s" :
						"no such key: %s",
		    value_text(run, &key));
		found = &error;
	}
	if (!lenient || (found != NULL && !is_error(found)))
		run_charge(run, 1);
	a->optional = lenient;
	if (test && (found == NULL || !is_error(found))) {
		a->value = cel_bool(found != NULL);
		a->optional = a->absent = false;
	} else if (found == NULL) {
		a->absent = true;
	} else {
		a->value = *found;
	}
}

static void
resolve(struct run *run, const struct node *node, struct attribute *a)
{
	struct cel_value condition;

	switch ((enum op)node->op) {
	case OP_SELECT:
	case OP_HAS:
	case OP_INDEX:
		resolve(run, node->of[0], a);
		if (is_error(&a->value))
			return;
		if (!a->absent) {
			qualify(run, node, a);
		} else if (node->op == OP_HAS) {
			a->value = cel_bool(false);
			a->optional = a->absent = false;
		}
		return;
	case OP_COND:
		condition = evaluate(run, node->of[0]);
		if (condition.kind == CEL_BOOL)
			resolve(run, node->of[condition.boolean ? 1 : 2], a);
		else
			a->value = is_error(&condition) ? condition :
							  no_such_overload();
		a->conditional = true;
		return;
	case OP_IDENT:
		begin_attribute(a,
		    node->fold != NULL ? read_slot(run, node) : run->slots[0]);
		return;
	default:
		begin_attribute(a, evaluate(run, node));
	}
}

static struct cel_value
evaluate_attribute(struct run *run, const struct node *node)
{
	struct attribute a = { .absent = false };

	resolve(run, node, &a);
	if (node->op == OP_HAS && a.conditional)
		run->cost--;
	run_charge(run, node->op == OP_HAS || a.conditional ? 0 : 1);
	return attribute_value(run, &a);
}

/* && if stop is false, || if it is true: the other terms may have errors. */
static struct cel_value
evaluate_logical(struct run *run, const struct node *node, bool stop)
{
	struct cel_value error = cel_bool(!stop);

	for (uint32_t i = 0; i < node->n && !run->stopped; i++) {
		struct cel_value term = evaluate(run, node->of[i]);

		if (term.kind == CEL_BOOL && term.boolean == stop)
			return term;
		if (term.kind != CEL_BOOL && !is_error(&error))
			error = is_error(&term) ? term : no_such_overload();
	}
	return error;
}

static struct cel_value
evaluate_elements(struct run *run, const struct node *node)
{
	uint32_t every = node->op == OP_MAP ? 2 : 1;
	struct cel_value *items = new_items(run, node->n);
	struct cel_value map, value;
	uint64_t base = node->op == OP_MAP ? 30 : 10;
	size_t n = 0;

	for (uint32_t i = 0; items != NULL && i < node->n; i++) {
		bool optional = node->optional != NULL && node->optional[i];

		value = evaluate(run, node->of[i]);
		if (is_error(&value)) {
			run_charge(run, base);
			return value;
		}
		items[n] = value;
		if (i % every != every - 1) {
			n++;
			continue;
		}
		if (optional && value.kind != CEL_OPTIONAL)
			return every == 2 ?
			    cel_error(run,
				"cannot initialize optional entry '%s' from "
				"non-optional value %s",
				value_text(run, &items[n - 1]),
				value_text(run, &value)) :
			    cel_error(run,
				"cannot initialize optional list element from "
				"non-optional value %s",
				value_text(run, &value));
		if (optional && value.data != NULL)
			items[n] = *(const struct cel_value *)value.data;
		if (every == 2) {
			struct cel_value *old;

			/* the last of equal keys counts */
			map = map_of(items, n / 2);
			old = (struct cel_value *)(uintptr_t)map_find(run, &map,
			    &items[n - 1]);
			if (old != NULL && old[-1].kind == items[n - 1].kind) {
				if (optional && value.data == NULL) {
					memmove(old - 1, old + 1,
					    (size_t)(items + n - 2 - old) *
						sizeof(*old));
					n -= 2;
				} else {
					*old = items[n];
				}
				n--;
				continue;
			}
		}
		if (optional && value.data == NULL)
			n -= every - 1;
		else
			n++;
	}
	if (items == NULL)
		return cel_stopped();
	run_charge(run, base);
	return node->op == OP_MAP ? map_of(items, n / 2) : list_of(items, n);
}

static struct cel_value
evaluate_fold(struct run *run, const struct node *node)
{
	struct cel_value range = evaluate(run, node->of[FOLD_RANGE]);
	struct cel_value *slots = &run->slots[node->slot];
	struct cel_value result;
	size_t n;

	if (is_error(&range))
		return range;
	if (range.kind != CEL_LIST && range.kind != CEL_MAP)
		return cel_error(run,
		    node->vars[1] != NULL ?
			"unsupported comprehension range type: %s" :
			"got '%s', expected iterable type",
		    kinds[range.kind].go);
	slots[0].kind = UNSET;
	n = value_len(&range);
	for (size_t i = 0; i < n && !run->stopped; i++) {
		const struct cel_value *items = value_items(&range);
		struct cel_value test;

		run_work(run, 1);
		if (range.kind == CEL_MAP) {
			slots[1] = items[2 * i];
			slots[2] = items[2 * i + 1];
		} else {
			slots[2] = items[i];
			slots[1] = node->vars[1] == NULL ? items[i] :
							   cel_int((int64_t)i);
		}
		test = evaluate(run, node->of[FOLD_CONDITION]);
		if (test.kind == CEL_BOOL && !test.boolean)
			break;
		test = evaluate(run, node->of[FOLD_STEP]);
		slots[0] = test;
	}
	result = evaluate(run, node->of[FOLD_RESULT]);
	if (result.flag && result.kind != CEL_QUANTITY)
		return result.kind == CEL_LIST ?
		    list_of(value_items(&result), value_len(&result)) :
		    map_of(value_items(&result), value_len(&result));
	return result;
}

/* Calls */

static struct cel_value
dispatch(struct run *run, const struct node *node, const struct cel_value *args,
    size_t n)
{
	const struct function *f = node->function;
	const char **types;

	if (f->trait != 0) {
		if (kinds[args[0].kind].can & f->trait)
			return f->run(run, args, n);
		if (kinds[args[0].kind].can & KIND_RECEIVES)
			return no_such_overload();
		return cel_error(run, "no such overload: %s", node->name);
	}
	for (f = node->overload != NULL ? node->overload : f; f != NULL;
	     f = function_next(f)) {
		size_t fit = 0;

		while (fit < n && f->nargs == n &&
		    type_fits(f->args[fit], &args[fit]))
			fit++;
		if (f->nargs == n && fit == n)
			return f->run(run, args, n);
		if (node->overload != NULL)
			break;
	}
	types = arena_array(run->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		types[i] = kinds[args[i].kind].name;
	return cel_error(run, "no such overload: %s(%s)", node->name,
	    arena_join(run->arena, n, types, ", "));
}

static struct cel_value
evaluate_call(struct run *run, const struct node *node)
{
	struct cel_value args[4], result;
	const struct cel_value *failed = NULL;
	/* Whether arguments after one that fails are not evaluated. */
	bool stops = node->n > 2 || node->regex != NULL ||
	    (node->overload != NULL ? node->overload->stops :
				      node->function->trait == 0 &&
			function_next(node->function) != NULL);

	for (uint32_t i = 0; i < node->n; i++) {
		args[i] = evaluate(run, node->of[i]);
		if (is_error(&args[i]) && failed == NULL) {
			failed = &args[i];
			if (stops && i + 1 < node->n)
				return *failed;
		}
	}
	if (strcmp(node->name, "@not_strictly_false") == 0)
		result = args[0].kind == CEL_BOOL ? args[0] : cel_bool(true);
	else if (failed != NULL)
		result = *failed;
	else if (node->regex != NULL)
		result = args[0].kind == CEL_STRING ?
		    regex_call(run, node->regex, node->name, args, node->n) :
		    no_such_overload();
	else
		result = dispatch(run, node, args, node->n);
	run_charge(run, call_cost(node, args, node->n, &result));
	return result;
}

struct cel_value
evaluate(struct run *run, const struct node *node)
{
	struct cel_value value;

	if (run->stopped)
		return cel_stopped();
	switch ((enum op)node->op) {
	case OP_LITERAL:
		return node->value;
	case OP_IDENT:
	case OP_SELECT:
	case OP_HAS:
	case OP_INDEX:
	case OP_COND:
		return evaluate_attribute(run, node);
	case OP_AND:
	case OP_OR:
		return evaluate_logical(run, node, node->op == OP_OR);
	case OP_LIST:
	case OP_MAP:
		return evaluate_elements(run, node);
	case OP_FOLD:
		return evaluate_fold(run, node);
	case OP_CALL:
		break;
	}
	if (node->n == 2 && node->name[0] == 'o' &&
	    (strcmp(node->name, "or") == 0 ||
		strcmp(node->name, "orValue") == 0)) {
		/* or() and orValue(), whose argument is evaluated only if it is
		 * needed. */
		value = evaluate(run, node->of[0]);
		if (value.kind != CEL_OPTIONAL)
			return value;
		if (value.data == NULL)
			return evaluate(run, node->of[1]);
		return strcmp(node->name, "or") == 0 ?
		    value :
		    *(const struct cel_value *)value.data;
	}
	if (!node->is_set)
		return evaluate_call(run, node);
	value = evaluate(run, node->of[0]);
	return is_error(&value) ?
	    value :
	    cel_bool(list_has(run, &node->of[1]->value, &value));
}

/* Constants */

static bool
is_literal(const struct node *node)
{
	return node->op == OP_LITERAL;
}

/* in a list of plain values costs nothing, and in an empty one is false. */
static void
fold_in(struct node *node)
{
	const struct node *list = node->of[1];
	const struct cel_value *items;

	if (!is_literal(list) || node->overload == NULL ||
	    node->overload->cost != COST_IN_LIST)
		return;
	items = value_items(&list->value);
	node->is_set = true;
	for (size_t i = 0; i < value_len(&list->value); i++)
		if (items[i].kind != CEL_BOOL && items[i].kind != CEL_INT &&
		    items[i].kind != CEL_UINT && items[i].kind != CEL_DOUBLE &&
		    items[i].kind != CEL_STRING)
			node->is_set = false;
	if (value_len(&list->value) == 0) {
		node->op = OP_LITERAL;
		node->value = cel_bool(false);
	}
}

static int
fold_constants(struct run *run, struct node *node, struct err *err)
{
	static const char *const conversions[] = { "bool", "bytes", "double",
		"duration", "dyn", "int", "string", "timestamp", "type",
		"uint" };
	struct cel_value value;
	bool constant;

	for (uint32_t i = 0; i < node->n; i++)
		if (fold_constants(run, node->of[i], err) != 0)
			return -1;
	if (node->op == OP_CALL && strcmp(node->name, "@in") == 0)
		fold_in(node);
	if (node->op == OP_CALL && node->n >= 2 && is_literal(node->of[1]) &&
	    node->of[1]->value.kind == CEL_STRING &&
	    regex_is_function(node->name)) {
		struct err problem;

		node->regex = regex_compile(run->arena, node->of[1]->value.text,
		    node->of[1]->value.len, &problem);
		if (node->regex == NULL)
			return errf(err, "program instantiation failed: %s",
			    problem.text);
	}
	constant = node->op == OP_LIST || node->op == OP_MAP ||
	    (node->op == OP_CALL && node->n == 1 &&
		text_is_one_of(node->name, conversions, LENGTH(conversions)));
	for (uint32_t i = 0; constant && i < node->n; i++)
		constant = is_literal(node->of[i]);
	if (!constant)
		return 0;
	value = evaluate(run, node);
	if (is_error(&value) && node->op == OP_CALL)
		return errf(err, "program instantiation failed: %s",
		    value.text);
	node->op = OP_LITERAL;
	node->value = value;
	node->n = 0;
	return 0;
}

int
cel_fold_constants(struct cel_program *program, struct err *err)
{
	struct run run = {
		.program = program,
		.arena = &program->arena,
		.limit = UINT64_MAX,
		.work_limit = WORK_PER_COST * CEL_MAX_COST,
	};

	return fold_constants(&run, program->root, err);
}

static int
not_bool(const struct cel_value *value, struct err *err)
{
	static const char *const texts[CEL_KINDS] = {
		[CEL_NULL] = "type conversion error from 'null_type' to 'bool'",
		[CEL_INT] = "unsupported type conversion from 'int' to bool",
		[CEL_UINT] = "unsupported type conversion from 'uint' to bool",
		[CEL_DOUBLE] = "type conversion error from Double to 'bool'",
		[CEL_STRING] =
		    "unsupported native conversion from string to 'bool'",
		[CEL_LIST] = "type conversion error from list to 'bool'",
		[CEL_MAP] = "type conversion error from map to 'bool'",
		[CEL_QUANTITY] =
		    "type conversion error from 'Quantity' to 'bool'",
		[CEL_SEMVER] = "type conversion error from 'Semver' to 'bool'",
	};

	return errf(err,
	    "CEL result of type %s could not be converted to bool: %s",
	    kinds[value->kind].name,
	    texts[value->kind] != NULL ? texts[value->kind] :
					 "unsupported type conversion");
}

int
cel_evaluate(const struct cel_program *program,
    const struct cel_value *variable, uint64_t cost_limit,
    struct arena *scratch, bool *result, uint64_t *cost, struct err *err)
{
	struct run run = {
		.program = program,
		.arena = scratch,
		.slots = arena_alloc(scratch,
		    (program->nslots + 1) * sizeof(struct cel_value)),
		.limit = cost_limit,
		.work_limit = WORK_PER_COST * CEL_MAX_COST,
	};
	struct cel_value value;

	run.slots[0] = *variable;
	value = evaluate(&run, program->root);
	if (run.stopped)
		value = cel_stopped();
	if (cost != NULL)
		*cost = run.cost;
	if (is_error(&value))
		return errf(err, "%s", value.text);
	if (value.kind != CEL_BOOL)
		return not_bool(&value, err);
	*result = value.boolean;
	return 0;
}
