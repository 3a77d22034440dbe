/*
 * What the files of this folder share.  An expression is parsed to a tree of
 * nodes (parse.c), which gets types and overloads (check.c) and is then
 * evaluated as it is (evaluate.c); functions.c is the table of functions.
 */
#ifndef CEL_CEL_INTERNAL_H
#define CEL_CEL_INTERNAL_H

#include "base/arena.h"
#include "cel/cel.h"

/* Of values, up to CEL_FORMAT, and of types. */
enum cel_kind {
	CEL_ERROR, /* text: the sentence; as a type: an error was reported */
	CEL_NULL,
	CEL_BOOL,
	CEL_INT,
	CEL_UINT,
	CEL_DOUBLE,
	CEL_STRING,
	CEL_BYTES,
	CEL_TIMESTAMP, /* integer: seconds, len: nanoseconds, zone: minutes */
	CEL_DURATION,  /* integer: nanoseconds */
	CEL_LIST,      /* data: len values; flag: a struct cel_growing */
	CEL_MAP,       /* as a list, of len pairs */
	CEL_TYPE,      /* data: a struct type */
	CEL_OPTIONAL,  /* data: a value, or NULL */
	CEL_QUANTITY, /* data: a struct quantity_value; flag: of add() or sub(), to
			* which cel-go compares no quantity */
	CEL_SEMVER, /* data: a struct semver */
	CEL_IP,     /* data: a struct address */
	CEL_CIDR,   /* the same */
	CEL_FORMAT, /* integer: which */
	/* types alone */
	CEL_DYN,
	CEL_ANY,
	CEL_OBJECT, /* the variable's */
	CEL_PARAM,  /* a type that is still unknown */
	CEL_KINDS
};

#define KIND_ADDS 1
#define KIND_SUBTRACTS 2
#define KIND_MULTIPLIES 4
#define KIND_DIVIDES 8
#define KIND_HAS_REST 16
#define KIND_NEGATES 32
#define KIND_COMPARES 64
#define KIND_HAS_SIZE 128
/* cel-go has a shorter sentence about functions that these do not have. */
#define KIND_RECEIVES 256
#define KIND_ITERATES 512
#define KIND_ANY 1024 /* all kinds of values */
struct kind_info {
	const char *name; /* of its type at run time */
	unsigned can;
	const char *go; /* as errors of cel-go print the type of its values */
};
extern const struct kind_info kinds[CEL_KINDS];

struct type {
	uint8_t kind, n;
	uint32_t param; /* of CEL_PARAM: which */
	const struct type *of[2];
};

/* A list or map that an accumulator grows in place. */
struct cel_growing {
	struct cel_value *values;
	size_t n, cap;
};

enum op {
	OP_LITERAL,
	OP_IDENT,
	OP_SELECT, /* [operand] name; flag: .? */
	OP_HAS,    /* the same, of has() */
	OP_INDEX,  /* [operand, index]; flag: [?] */
	OP_CALL,   /* name, [arguments]; flag: the first is a receiver */
	OP_AND,
	OP_OR,
	OP_COND, /* [condition, then, else] */
	OP_LIST, /* elements; optional: which are */
	OP_MAP,  /* keys and values, in turn */
	OP_FOLD, /* [range, initial value, condition, step, result] */
};
enum { FOLD_RANGE, FOLD_INIT, FOLD_CONDITION, FOLD_STEP, FOLD_RESULT };

struct function;
struct node {
	uint8_t op;
	bool flag;
	bool checked;
	uint16_t depth; /* of the terms that cel-go's parser recurses into */
	uint32_t at;    /* in the text */
	uint32_t n;
	struct node **of;
	const char *name; /* of a fold: of its accumulator */
	const bool *optional;
	const char
	    *vars[2];  /* of a fold: its variables; the second may be NULL */
	uint32_t slot; /* of a fold and its variables, while evaluated */
	struct node *fold; /* of an identifier: the fold that it is from */
	const struct type *type;
	const struct function *function; /* the first of its name */
	const struct function *overload; /* the only one that fits, or NULL */
	struct regex *regex;             /* of a literal pattern */
	bool is_set; /* of in: a constant list of plain values */
	struct cel_value value;
};

struct problem {
	struct problem *next;
	uint32_t at;
	bool nowhere;
	const char *text;
};

struct cel_program {
	struct arena arena;
	const char *text; /* NUL-terminated */
	size_t len;
	const struct cel_variable *variable;
	struct node *root;
	size_t nslots;
	struct problem *problems;
	size_t nproblems;
};

/* Adds a problem at this place of the text. */
void problem(struct cel_program *program, uint32_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void problem_nowhere(struct cel_program *program, const char *text);

/* NULL after a problem. */
struct node *cel_parse(struct cel_program *program);
void cel_check(struct cel_program *program);
/* Replaces constant parts by their values. */
int cel_fold_constants(struct cel_program *program, struct err *err);

/* Types without parameters. */
extern struct type basic_types[CEL_KINDS];
/* Reads CEL's notation and moves *text beyond it; a single capital is a
 * parameter, which stands for a type of bound, or for any if bound is NULL. */
const struct type *type_read(struct arena *arena, const char **text,
    const struct type *const *bound);
/* Reads "A, B -> C" likewise; returns how many arguments there are. */
uint8_t signature_read(struct arena *arena, const char *text,
    const struct type *const *bound, const struct type *args[4],
    const struct type **result);
const struct type *type_new(struct arena *arena, enum cel_kind kind,
    const struct type *of, const struct type *and_of);
/* at_run_time: with the names that types have then. */
const char *type_text(struct arena *arena, const struct type *type,
    const struct cel_variable *variable, bool at_run_time);

/* One evaluation. */
struct run {
	const struct cel_program *program;
	struct arena *arena;
	struct cel_value *slots;
	uint64_t cost, limit;
	uint64_t work, work_limit;
	bool stopped;
};

/* Whether there is room for so many units of work: a value visited or made, or
 * sixteen bytes.  Costs of cel-go bound neither time nor memory. */
bool run_work(struct run *run, uint64_t units);
struct cel_value evaluate(struct run *run, const struct node *node);

struct cel_value cel_error(struct run *run, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The text lives as long as the value. */
struct cel_value cel_error_text(const char *text);
/* What is evaluated after an evaluation has stopped. */
struct cel_value cel_stopped(void);
void run_charge(struct run *run, uint64_t cost);
struct cel_value no_such_overload(void);

typedef struct cel_value function_run(struct run *run,
    const struct cel_value *args, size_t n);
/* One whose value is that of an expression with run, args and n. */
#define FUNCTION(name, value)                                                  \
	struct cel_value name(struct run *run, const struct cel_value *args,   \
	    size_t n)                                                          \
	{                                                                      \
		return value;                                                  \
	}

/* How a call is charged (cost.c).  From COST_BY_NAME on the charge is the same
 * for all overloads of a name. */
enum cost {
	COST_CALL,
	COST_SCAN,
	COST_IN_LIST,
	COST_SHORTER,
	COST_BOTH,
	COST_MATCH,
	COST_CONTAINS,
	COST_OUTPUT,
	COST_FLATTEN,
	COST_COMPARE_ALL,
	COST_COMPARE_KEYS,
	COST_SETS,
	COST_SETS_TWICE,
	COST_BY_NAME,
	COST_ONE = COST_BY_NAME,
	COST_EQUAL,
	COST_TRAVERSE,
	COST_NAME_SCAN,
	COST_NAME_SCAN_TWICE,
	COST_JOIN,
	COST_FIND,
	COST_CONTAINS_IP,
	COST_CONTAINS_CIDR,
	COST_VALIDATE,
};

struct function {
	const char *name;
	bool is_member;
	const char *signature; /* "string, int -> bool" */
	uint8_t cost;
	/* Called with values that match the signature; of operators, with any. */
	function_run *run;
	/* cel-go evaluates no argument after one that fails. */
	bool stops;
	/* Not 0: run is called if the first value's kind has this trait. */
	unsigned trait;
	/* Read from the signature by functions_init(). */
	uint8_t nargs;
	uint32_t params; /* bit n: the letter n behind A is one */
	const struct type *args[4], *result;
};
void functions_init(void);
const struct function *function_find(const char *name);
/* The next of the same name, or NULL. */
const struct function *function_next(const struct function *function);

uint64_t call_cost(const struct node *node, const struct cel_value *args,
    size_t n, const struct cel_value *result);
/* Whether a value may be of the type, judged by the first element of lists. */
bool type_fits(const struct type *type, const struct cel_value *value);

size_t value_len(const struct cel_value *value);
const struct cel_value *value_items(const struct cel_value *value);
/* cel-go cannot compare some kinds with others, and lists of such values are
 * equal. */
enum equality { DIFFERENT, EQUAL, INCOMPARABLE };
enum equality value_equal(struct run *run, const struct cel_value *a,
    const struct cel_value *b);
/* -1, 0, 1 as an int, or an error. */
struct cel_value value_compare(struct run *run, const struct cel_value *a,
    const struct cel_value *b);
/* NULL: the map has no such key. */
const struct cel_value *map_find(struct run *run, const struct cel_value *map,
    const struct cel_value *key);
bool list_has(struct run *run, const struct cel_value *list,
    const struct cel_value *value);
/* As Go prints it in errors. */
const char *value_text(struct run *run, const struct cel_value *value);

/* As Go writes numbers, with the fewest digits that read as the same number; 'f'
 * without exponent, 'v' as %v and %g.  buf has room for GO_DOUBLE bytes; returns
 * it. */
#define GO_DOUBLE 352
const char *go_double(char *buf, double d, char verb);

/* string() of it. */
struct cel_value value_to_string(struct run *run,
    const struct cel_value *value);

struct cel_value cel_uint(uint64_t value);
struct cel_value cel_double(double value);
struct cel_value cel_null(void);
struct cel_value cel_type_value(const struct type *type);
struct cel_value cel_optional(struct run *run, const struct cel_value *value);
/* Room for n values, NULL if that is too much work. */
struct cel_value *new_items(struct run *run, size_t n);
struct cel_value list_of(const struct cel_value *items, size_t n);
struct cel_value map_of(const struct cel_value *items, size_t n);
/* Both for functions: their text is in the arena. */
struct cel_value cel_text(struct run *run, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* How many characters there are; bytes that are none are one each. */
size_t rune_count(const char *text, size_t len);
/* Writes up to 4 bytes; returns how many. */
size_t rune_put(char *out, uint32_t rune);

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool
is_kind(const struct cel_value *value, enum cel_kind kind)
{
	return value->kind == (uint8_t)kind;
}

static inline bool
is_error(const struct cel_value *value)
{
	return value->kind == CEL_ERROR;
}

/* ---- strings.c ---- */

function_run string_contains, string_ends_with, string_starts_with,
    string_char_at, string_index_of, string_last_index_of, string_lower,
    string_upper, string_replace, string_split, string_substring, string_trim,
    string_quote, string_join, string_format, string_matches, string_find,
    string_find_all;

/* ---- time.c: timestamps of the years 1 to 9999 ---- */

/* An error beyond those years; zone: minutes east of Greenwich. */
struct cel_value time_of(int64_t seconds, uint32_t nanoseconds, int16_t zone);
/* As Go's time.Parse() of RFC 3339; beyond those years *out is an error. */
bool time_read(const char *text, size_t len, struct cel_value *out);
struct cel_value time_text(struct run *run, const struct cel_value *time);
/* A timestamp and a duration, in any order. */
struct cel_value time_add(const struct cel_value *a, const struct cel_value *b);
/* A timestamp or a duration from a timestamp. */
struct cel_value time_subtract(const struct cel_value *a,
    const struct cel_value *b);

/* Of a timestamp in UTC, or in the time zone of the second argument. */
function_run time_year, time_month, time_day_of_year, time_day_of_month,
    time_date, time_day_of_week;
/* Of a duration, too. */
function_run time_hours, time_minutes, time_seconds, time_milliseconds;

/* ---- kubernetes.c, formats.c: quantities, semantic versions, addresses, networks
 * and named formats ---- */

/* Of two values of one of these kinds; of addresses only 0 has a meaning. */
int kubernetes_cmp(const struct cel_value *a, const struct cel_value *b);
/* Of a named format, as costs count it. */
uint64_t format_size(const struct cel_value *value);
#define NAMED_FORMATS(X)                                                       \
	X(dns1123Label)                                                        \
	X(dns1123Subdomain)                                                    \
	X(dns1035Label)                                                        \
	X(dns1123LabelPrefix)                                                  \
	X(dns1123SubdomainPrefix)                                              \
	X(dns1035LabelPrefix)                                                  \
	X(qualifiedName)                                                       \
	X(labelValue)                                                          \
	X(uri) X(uuid) X(byte) X(date) X(datetime)

/* The bytes that cel-go charges for: of a network, of its prefix. */
size_t address_size(const struct cel_value *value);

function_run quantity_of, is_quantity, sign_of_quantity, quantity_is_integer,
    quantity_as_integer, quantity_as_float, quantity_add, quantity_sub;
function_run semver_of, is_semver, semver_major, semver_minor, semver_patch;
function_run order_compare, order_greater, order_less;
function_run ip_of, is_ip, ip_family, ip_is_canonical, ip_is_unspecified,
    ip_is_loopback, ip_is_multicast, ip_is_unicast, ip_is_global, ip_text;
function_run cidr_of, is_cidr, cidr_ip, cidr_prefix_length, cidr_masked,
    cidr_text, cidr_contains_ip, cidr_contains_cidr;
#define FORMAT(name) format_##name,
function_run NAMED_FORMATS(FORMAT) format_named, format_validate, is_url;
#undef FORMAT

/* ---- regex.c: the syntax and the results of RE2 (Go's regexp), in time linear in
 * the text: leftmost, and of alternatives the first that matches ---- */

struct regex;

/* NULL and Go's sentence if the pattern is none.  It lives in the arena. */
struct regex *regex_compile(struct arena *arena, const char *pattern,
    size_t len, struct err *err);
/* Whether the pattern matches at or after from; then where. */
bool regex_match(struct run *run, const struct regex *regex, const char *text,
    size_t len, size_t from, size_t *start, size_t *end);

/* matches(), find() and findAll() with a compiled pattern. */
bool regex_is_function(const char *name);
struct cel_value regex_call(struct run *run, const struct regex *regex,
    const char *name, const struct cel_value *args, size_t n);

#endif
