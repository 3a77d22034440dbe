/*
 * Types.  As cel-go's checker: each overload of a call is tried in order, with
 * fresh type variables, which are bound to the types that they meet first or to
 * more general ones.
 */
#include "config.h"

#include "cel/cel_internal.h"

/* Types may share their parts, so that one text has types of any size. */
#define MAX_STEPS 2000000

struct scope {
	const struct scope *outer;
	const char *name;
	const struct type *type;
	struct node *fold;
	uint32_t which; /* 0: its accumulator, 1 and 2: its variables */
};

struct checker {
	struct cel_program *program;
	struct arena *arena;
	const struct scope *scope;
	/* The types of variables, NULL: none yet; and what they were before. */
	const struct type **bound;
	size_t nbound, cap_bound;
	struct change {
		uint32_t var;
		const struct type *before;
	} * changes;
	size_t nchanges, cap_changes;
	size_t steps;
};

static const struct type *
basic(enum cel_kind kind)
{
	return &basic_types[kind];
}

/* Whether types of this size can still be compared. */
static bool
step(struct checker *c)
{
	if (++c->steps == MAX_STEPS)
		problem_nowhere(c->program, "types are too complex");
	return c->steps < MAX_STEPS;
}

static const char *
text_of(struct checker *c, const struct type *type)
{
	return step(c) ?
	    type_text(c->arena, type, c->program->variable, false) :
	    "";
}

/* Unification */

static const struct type *
new_var(struct checker *c)
{
	struct type *type = arena_zalloc(c->arena, sizeof(*type));

	type->kind = CEL_PARAM;
	type->param = (uint32_t)c->nbound;
	arena_room(c->arena, c->bound, c->nbound, &c->cap_bound);
	c->bound[c->nbound++] = NULL;
	return type;
}

static void
bind_var(struct checker *c, const struct type *var, const struct type *type)
{
	arena_room(c->arena, c->changes, c->nchanges, &c->cap_changes);
	c->changes[c->nchanges].var = var->param;
	c->changes[c->nchanges++].before = c->bound[var->param];
	c->bound[var->param] = type;
}

typedef bool relation(struct checker *c, const struct type *a,
    const struct type *b);

/* Whether the relation holds for each pair of what the types are of. */
static bool
each_of(struct checker *c, const struct type *a, const struct type *b,
    relation *holds)
{
	bool all = a->n == b->n;

	for (int i = 0; i < a->n && all; i++)
		all = holds(c, a->of[i], b->of[i]);
	return all;
}

static bool
same(struct checker *c, const struct type *a, const struct type *b)
{
	return a == b ||
	    (step(c) && a->kind == b->kind && a->param == b->param &&
		each_of(c, a, b, same));
}

static bool
is_dyn(const struct type *type)
{
	return type->kind == CEL_DYN || type->kind == CEL_ANY;
}

static bool
is_more_general(struct checker *c, const struct type *a, const struct type *b)
{
	if (!step(c) || is_dyn(a) || a->kind == CEL_PARAM)
		return true;
	if (is_dyn(b) || b->kind == CEL_PARAM || a->kind != b->kind)
		return false;
	return a->kind == CEL_TYPE || each_of(c, a, b, is_more_general);
}

static const struct type *
more_general(struct checker *c, const struct type *a, const struct type *b)
{
	return is_more_general(c, a, b) ? a : b;
}

/* Whether the variable is nowhere in the type. */
static bool
is_free_of(struct checker *c, const struct type *var, const struct type *type)
{
	if (!step(c) || same(c, var, type))
		return false;
	if (type->kind == CEL_PARAM)
		return c->bound[type->param] == NULL ||
		    is_free_of(c, var, c->bound[type->param]);
	return !ANY(i, type->n, !is_free_of(c, var, type->of[i]));
}

static relation unify;

/* Whether the variable can stand for the type; *is_bound: it stands for one. */
static bool
substitutes(struct checker *c, const struct type *type, const struct type *var,
    bool *is_bound)
{
	const struct type *old = c->bound[var->param];

	*is_bound = true;
	if (type->kind == CEL_PARAM && same(c, type, var))
		return true;
	if (old == NULL) {
		*is_bound = false;
		if (!is_free_of(c, var, type))
			return false;
		bind_var(c, var, type);
		return true;
	}
	if (same(c, type, old))
		return true;
	if (!unify(c, type, old))
		return false;
	old = more_general(c, type, old);
	if (is_free_of(c, var, old))
		bind_var(c, var, old);
	return true;
}

static bool
accepts_null(const struct type *type)
{
	switch (type->kind) {
	case CEL_NULL:
	case CEL_OBJECT:
	case CEL_TIMESTAMP:
	case CEL_DURATION:
	case CEL_OPTIONAL:
	case CEL_QUANTITY:
	case CEL_SEMVER:
	case CEL_IP:
	case CEL_CIDR:
	case CEL_FORMAT:
		return true;
	default:
		return false;
	}
}

static bool
unify(struct checker *c, const struct type *a, const struct type *b)
{
	bool is_bound;

	if (!step(c))
		return false;
	if (b->kind == CEL_PARAM) {
		if (substitutes(c, a, b, &is_bound))
			return true;
		if (is_bound)
			return false;
	}
	if (a->kind == CEL_PARAM)
		return substitutes(c, b, a, &is_bound);
	if (is_dyn(a) || is_dyn(b) || a->kind == CEL_ERROR ||
	    b->kind == CEL_ERROR)
		return true;
	if (a->kind == CEL_NULL || b->kind == CEL_NULL)
		return accepts_null(a->kind == CEL_NULL ? b : a);
	return a->kind == b->kind &&
	    (a->kind == CEL_TYPE || each_of(c, a, b, unify));
}

/* As unify() of n pairs; nothing is bound if it is false. */
static bool
is_assignable(struct checker *c, size_t n, const struct type *const *from,
    const struct type *const *to)
{
	size_t mark = c->nchanges;

	for (size_t i = 0; i < n; i++) {
		if (unify(c, from[i], to[i]))
			continue;
		while (c->nchanges > mark) {
			struct change *change = &c->changes[--c->nchanges];

			c->bound[change->var] = change->before;
		}
		return false;
	}
	return true;
}

/* With the types of variables in their place; free: dyn for the others. */
static const struct type *
substitute(struct checker *c, const struct type *type, bool free)
{
	const struct type *of[2] = { NULL, NULL };
	bool changed = false;

	if (!step(c))
		return basic(CEL_DYN);
	if (type->kind == CEL_PARAM) {
		if (c->bound[type->param] != NULL)
			return substitute(c, c->bound[type->param], free);
		return free ? basic(CEL_DYN) : type;
	}
	for (int i = 0; i < type->n; i++) {
		of[i] = substitute(c, type->of[i], free);
		changed |= of[i] != type->of[i];
	}
	return changed ? type_new(c->arena, type->kind, of[0], of[1]) : type;
}

static void
mismatch(struct checker *c, const struct node *node,
    const struct type *expected, const struct type *found)
{
	problem(c->program, node->at, "expected type '%s' but found '%s'",
	    text_of(c, expected), text_of(c, found));
}

/* Names */

static const char *
without_dot(const char *name)
{
	return name[0] == '.' ? name + 1 : name;
}

static bool
resolve_type(struct checker *c, struct node *node, const char *name)
{
	static const enum cel_kind named[] = { CEL_BOOL, CEL_BYTES, CEL_DOUBLE,
		CEL_DURATION, CEL_INT, CEL_LIST, CEL_MAP, CEL_NULL, CEL_STRING,
		CEL_TIMESTAMP, CEL_TYPE, CEL_UINT, CEL_OPTIONAL, CEL_IP,
		CEL_CIDR };
	const struct type *type = NULL;

	for (size_t i = 0; i < LENGTH(named); i++)
		if (strcmp(kinds[named[i]].name, name) == 0)
			type = basic(named[i]);
	if (type == NULL && strcmp(name, c->program->variable->type) == 0)
		type = basic(CEL_OBJECT);
	if (type == NULL)
		return false;
	node->op = OP_LITERAL;
	node->n = 0;
	node->value = cel_type_value(type);
	if (type->kind == CEL_LIST)
		type = type_new(c->arena, CEL_LIST, basic(CEL_DYN), NULL);
	if (type->kind == CEL_MAP)
		type =
		    type_new(c->arena, CEL_MAP, basic(CEL_DYN), basic(CEL_DYN));
	node->type = type_new(c->arena, CEL_TYPE, type, NULL);
	return true;
}

static void
undeclared(struct checker *c, struct node *node)
{
	problem(c->program, node->at,
	    "undeclared reference to '%s' (in container '')", node->name);
	node->type = basic(CEL_ERROR);
}

static void
check_ident(struct checker *c, struct node *node)
{
	const char *name = without_dot(node->name);

	for (const struct scope *s = c->scope; s != NULL; s = s->outer) {
		if (strcmp(s->name, name) == 0) {
			node->fold = s->fold;
			node->slot = s->fold->slot + s->which;
			node->type = s->type;
			return;
		}
	}
	if (strcmp(name, c->program->variable->name) == 0 && !node->flag) {
		node->type = basic(CEL_OBJECT);
		return;
	}
	if (!node->flag && resolve_type(c, node, name))
		return;
	undeclared(c, node);
}

/* a.b.c, or NULL: not a name. */
static const char *
dotted_name(struct checker *c, const struct node *node)
{
	const char *name;

	if (node->op == OP_IDENT)
		return node->flag ? NULL : node->name;
	if (node->op != OP_SELECT || node->flag)
		return NULL;
	name = dotted_name(c, node->of[0]);
	return name == NULL ? NULL :
			      arena_printf(c->arena, "%s.%s", name, node->name);
}

/* Expressions */

static void check(struct checker *c, struct node *node);

static const struct type *
field_type(struct checker *c, const struct node *node)
{
	const struct cel_variable *variable = c->program->variable;
	const struct cel_field *field =
	    FIND_ROW(variable->fields, variable->nfields, name, node->name);
	const char *type = field != NULL ? field->type : NULL;

	return field != NULL ? type_read(c->arena, &type, NULL) : NULL;
}

static const struct type *
unwrapped(const struct type *type)
{
	return type->kind == CEL_OPTIONAL ? type->of[0] : type;
}

static void
check_select(struct checker *c, struct node *node)
{
	const struct type *operand, *target, *result, *dyn = basic(CEL_DYN);
	const char *name;

	if (node->op == OP_SELECT && !node->flag) {
		name = dotted_name(c, node);
		if (name != NULL && resolve_type(c, node, without_dot(name)))
			return;
	}
	check(c, node->of[0]);
	operand = substitute(c, node->of[0]->type, false);
	target = unwrapped(operand);
	result = dyn;
	switch (target->kind) {
	case CEL_MAP:
		result = target->of[1];
		break;
	case CEL_OBJECT:
	case CEL_QUANTITY:
	case CEL_SEMVER:
	case CEL_FORMAT:
		result =
		    target->kind == CEL_OBJECT ? field_type(c, node) : NULL;
		if (result == NULL) {
			/* The types of Kubernetes are opaque. */
			problem(c->program, node->at,
			    target->kind == CEL_OBJECT ?
				"undefined field '%s'" :
				"unexpected failed resolution of '%s'",
			    target->kind == CEL_OBJECT ?
				node->name :
				kinds[target->kind].name);
			result = basic(CEL_ERROR);
		}
		break;
	case CEL_PARAM:
		is_assignable(c, 1, &dyn, &target);
		break;
	default:
		if (!is_dyn(target) && target->kind != CEL_ERROR)
			problem(c->program, node->at,
			    "type '%s' does not support field selection",
			    text_of(c, target));
	}
	if (operand->kind == CEL_OPTIONAL || node->flag)
		result = type_new(c->arena, CEL_OPTIONAL, result, NULL);
	if (node->op == OP_HAS)
		result = basic(CEL_BOOL);
	node->type = substitute(c, result, false);
}

/* The types of a function, with fresh variables for its parameters. */
static size_t
instantiate(struct checker *c, const struct function *f,
    const struct type *args[4], const struct type **result)
{
	const struct type *bound[26] = { NULL };

	if (f->params == 0) {
		memcpy(args, f->args, sizeof(f->args));
		*result = f->result;
		return f->nargs;
	}
	for (uint32_t i = 0; i < LENGTH(bound); i++)
		if (f->params >> i & 1)
			bound[i] = new_var(c);
	return signature_read(c->arena, f->signature, bound, args, result);
}

/* Sets the type and the overload of a call whose arguments have types. */
static void
resolve(struct checker *c, struct node *node)
{
	bool member = node->op == OP_CALL && node->flag;
	const struct type **types =
	    arena_array(c->arena, const struct type *, node->n + 1);
	const struct function *f;
	const char **texts;
	size_t matches = 0;

	for (uint32_t i = 0; i < node->n; i++)
		types[i] = node->of[i]->type;
	node->function = function_find(node->name);
	for (f = node->function; f != NULL; f = function_next(f)) {
		const struct type *args[4], *result;

		if (f->is_member != member ||
		    instantiate(c, f, args, &result) != node->n ||
		    !is_assignable(c, node->n, types, args))
			continue;
		node->overload = matches++ == 0 ? f : NULL;
		result = substitute(c, result, false);
		if (node->type == NULL)
			node->type = result;
		else if (!is_dyn(node->type) && !same(c, result, node->type))
			node->type = basic(CEL_DYN);
	}
	if (matches > 0)
		return;
	texts = arena_array(c->arena, const char *, node->n + 1);
	for (uint32_t i = 0; i < node->n; i++)
		texts[i] = text_of(c, substitute(c, types[i], true));
	problem(c->program, node->at,
	    "found no matching overload for '%s' applied to '%s%s(%s)'",
	    node->name, member ? texts[0] : "", member ? "." : "",
	    arena_join(c->arena, node->n - member, texts + member, ", "));
	node->type = basic(CEL_ERROR);
}

static void
check_call(struct checker *c, struct node *node)
{
	const char *name;

	for (uint32_t i = node->flag; i < node->n; i++)
		check(c, node->of[i]);
	if (node->flag) {
		name = dotted_name(c, node->of[0]);
		if (name != NULL)
			name = arena_printf(c->arena, "%s.%s",
			    without_dot(name), node->name);
		if (name != NULL && function_find(name) != NULL) {
			node->name = name;
			node->flag = false;
			node->of++;
			node->n--;
		} else {
			check(c, node->of[0]);
		}
	} else {
		name = without_dot(node->name);
		if (function_find(name) != NULL)
			node->name = name;
	}
	if (function_find(node->name) == NULL)
		undeclared(c, node);
	else
		resolve(c, node);
}

static void
check_logical(struct checker *c, struct node *node)
{
	const struct type *boolean = basic(CEL_BOOL);

	node->type = boolean;
	for (uint32_t i = 0; i < node->n; i++)
		check(c, node->of[i]);
	for (uint32_t i = 0; i < node->n; i++) {
		if (is_assignable(c, 1, &node->of[i]->type, &boolean))
			continue;
		mismatch(c, node->of[i], boolean, node->of[i]->type);
		node->type = basic(CEL_ERROR);
	}
}

/* Elements of a list, or keys and values of a map. */
static void
check_elements(struct checker *c, struct node *node)
{
	uint32_t every = node->op == OP_MAP ? 2 : 1;
	const struct type *of[2] = { NULL, NULL };

	for (uint32_t i = 0; i < node->n; i++) {
		struct node *element = node->of[i];
		const struct type **joint = &of[i % every], *type;

		check(c, element);
		type = element->type;
		if (node->optional != NULL && node->optional[i] &&
		    i % every == every - 1) {
			if (type->kind != CEL_OPTIONAL && !is_dyn(type))
				mismatch(c, element,
				    type_new(c->arena, CEL_OPTIONAL, type,
					NULL),
				    type);
			type = unwrapped(type);
		}
		if (*joint == NULL)
			*joint = type;
		else
			*joint = is_assignable(c, 1, joint, &type) ?
			    more_general(c, *joint, type) :
			    basic(CEL_DYN);
	}
	for (uint32_t i = 0; i < every; i++)
		if (of[i] == NULL)
			of[i] = new_var(c);
	node->type = type_new(c->arena, node->op == OP_MAP ? CEL_MAP : CEL_LIST,
	    of[0], of[1]);
}

static void
assert_type(struct checker *c, const struct node *node, const struct type *type)
{
	if (!is_assignable(c, 1, &type, &node->type))
		mismatch(c, node, type, node->type);
}

static void
check_fold(struct checker *c, struct node *node)
{
	const struct scope *outer = c->scope;
	struct scope accumulator = { .outer = outer };
	struct scope first = { .outer = &accumulator };
	struct scope second = { .outer = &first };
	const struct type *range, *dyn = basic(CEL_DYN);

	node->slot = (uint32_t)c->program->nslots + 1;
	c->program->nslots += 3;
	check(c, node->of[FOLD_RANGE]);
	check(c, node->of[FOLD_INIT]);
	range = substitute(c, node->of[FOLD_RANGE]->type, false);
	accumulator.name = node->name;
	accumulator.type = node->of[FOLD_INIT]->type;
	first.name = node->vars[0];
	first.which = 1;
	second.name = node->vars[1];
	second.which = 2;
	accumulator.fold = first.fold = second.fold = node;
	first.type = second.type = dyn;
	switch (range->kind) {
	case CEL_LIST:
		second.type = range->of[0];
		first.type =
		    node->vars[1] == NULL ? range->of[0] : basic(CEL_INT);
		break;
	case CEL_MAP:
		first.type = range->of[0];
		second.type = range->of[1];
		break;
	case CEL_DYN:
	case CEL_ERROR:
	case CEL_PARAM:
		is_assignable(c, 1, &dyn, &range);
		break;
	default:
		problem(c->program, node->of[FOLD_RANGE]->at,
		    "expression of type '%s' cannot be range of a "
		    "comprehension (must be list, map, or dynamic)",
		    text_of(c, range));
		first.type = second.type = basic(CEL_ERROR);
	}
	c->scope = node->vars[1] == NULL ? &first : &second;
	check(c, node->of[FOLD_CONDITION]);
	assert_type(c, node->of[FOLD_CONDITION], basic(CEL_BOOL));
	check(c, node->of[FOLD_STEP]);
	assert_type(c, node->of[FOLD_STEP], accumulator.type);
	c->scope = &accumulator;
	check(c, node->of[FOLD_RESULT]);
	c->scope = outer;
	node->type = substitute(c, node->of[FOLD_RESULT]->type, false);
}

static void
check(struct checker *c, struct node *node)
{
	/* Macros use some nodes twice. */
	if (node->checked)
		return;
	node->checked = true;
	switch ((enum op)node->op) {
	case OP_LITERAL:
		node->type = basic(node->value.kind);
		break;
	case OP_IDENT:
		check_ident(c, node);
		break;
	case OP_SELECT:
	case OP_HAS:
		check_select(c, node);
		break;
	case OP_INDEX:
	case OP_COND:
		node->name = node->op == OP_COND ? "_?_:_" :
		    node->flag                   ? "_[?_]" :
						   "_[_]";
		for (uint32_t i = 0; i < node->n; i++)
			check(c, node->of[i]);
		resolve(c, node);
		break;
	case OP_CALL:
		check_call(c, node);
		break;
	case OP_AND:
	case OP_OR:
		check_logical(c, node);
		break;
	case OP_LIST:
	case OP_MAP:
		check_elements(c, node);
		break;
	case OP_FOLD:
		check_fold(c, node);
		break;
	}
}

/* What cel-go validates in expressions whose types are right. */

/* An error if a list or a map has elements of different types. */
static void
validate_elements(struct checker *c, struct node *node)
{
	uint32_t every = node->op == OP_MAP ? 2 : 1;
	const struct type *of[2] = { NULL, NULL };

	for (uint32_t i = 0; i < node->n; i++) {
		const struct type *type = node->of[i]->type;

		if (node->optional != NULL && node->optional[i] &&
		    i % every == every - 1)
			type = unwrapped(type);
		if (of[i % every] == NULL) {
			of[i % every] = type;
			continue;
		}
		if (same(c, of[i % every], type))
			continue;
		mismatch(c, node->of[i], of[i % every], type);
		if (node->op == OP_LIST)
			return;
	}
}

/* duration(), timestamp() and matches() of literals. */
static void
validate_literal(struct checker *c, struct node *node)
{
	const struct node *arg =
	    node->n > node->flag ? node->of[node->flag] : NULL;
	struct run run = { .program = c->program, .arena = c->arena };
	bool is_pattern = strcmp(node->name, "matches") == 0;
	bool is_valid = true;
	struct cel_value result;

	if (arg == NULL || arg->op != OP_LITERAL ||
	    (!is_pattern && strcmp(node->name, "duration") != 0 &&
		strcmp(node->name, "timestamp") != 0))
		return;
	if (is_pattern) {
		is_valid = regex_compile(c->arena, arg->value.text,
			       arg->value.len, NULL) != NULL;
	} else if (node->overload != NULL) {
		run.work_limit = UINT64_MAX;
		result = node->overload->run(&run, &arg->value, 1);
		is_valid = !is_error(&result);
	}
	if (!is_valid)
		problem(c->program, arg->at, "invalid %s argument", node->name);
}

/* Also settles the types of all nodes. */
static void
validate(struct checker *c, struct node *node, bool in_format)
{
	if (!node->checked)
		return;
	node->checked = false;
	node->type = substitute(c, node->type, true);
	in_format |= node->op == OP_CALL && strcmp(node->name, "format") == 0;
	for (uint32_t i = 0; i < node->n; i++)
		validate(c, node->of[i], in_format);
	if (node->op == OP_CALL)
		validate_literal(c, node);
	else if ((node->op == OP_LIST || node->op == OP_MAP) && !in_format)
		validate_elements(c, node);
}

void
cel_check(struct cel_program *program)
{
	struct checker c = { .program = program, .arena = &program->arena };

	check(&c, program->root);
	if (program->nproblems == 0)
		validate(&c, program->root, false);
}
