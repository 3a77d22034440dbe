/*
 * CEL, the Common Expression Language, as Kubernetes 1.36 evaluates it in the
 * selectors of devices: parsed, checked against the types of an environment,
 * and evaluated under a limit of cost.  Results, errors and costs are those of
 * cel-go 0.26 with the libraries of Kubernetes' environment.
 *
 * An expression is compiled once; an evaluation takes all its memory from an
 * arena of its caller.  Expressions are hostile: their length, the depth of
 * their terms, and the cost and memory of an evaluation are bounded.
 */
#ifndef CEL_CEL_H
#define CEL_CEL_H

struct arena;
struct cel_program;
struct quantity;

/* Of Kubernetes' selectors: the bytes of an expression, the cost of one
 * evaluation. */
#define CEL_MAX_LENGTH (10 * 1024)
#define CEL_MAX_COST 1000000

/*
 * The one variable of an expression: an object, with the types of its fields in
 * CEL's own notation: "string", "map(string, map(string, any))".  The texts
 * outlive the programs compiled with them.
 */
struct cel_field {
	const char *name, *type;
};
struct cel_variable {
	const char *name; /* "device" */
	const char *type; /* "kubernetes.DRADevice" */
	const struct cel_field *fields;
	size_t nfields;
};

/*
 * NULL and cel-go's text, which may have several lines, if the expression does
 * not parse, has a type error or cannot be a bool.  cel_program_free() it.
 */
struct cel_program *cel_compile(const char *text, size_t len,
    const struct cel_variable *variable, struct err *err);
void cel_program_free(struct cel_program *program);
/* Its memory in bytes; 0 of NULL. */
size_t cel_program_size(const struct cel_program *program);

/* A value: made by the constructors below, and immutable. */
struct cel_value {
	uint8_t kind; /* enum cel_kind in cel/cel_internal.h */
	bool flag;
	int16_t zone;
	uint32_t len;
	union {
		bool boolean;
		int64_t integer;
		uint64_t natural;
		double number;
		const char *text; /* len bytes */
		const void *data;
	};
};

struct cel_value cel_bool(bool value);
struct cel_value cel_int(int64_t value);
/* The text stays valid for as long as the value. */
struct cel_value cel_string(const char *text);
struct cel_value cel_string_n(const char *text, size_t len);
/*
 * As Kubernetes reads it: whether an amount is an integer depends on the text,
 * too.  Amounts from 4*10^28 on are equal.  -1: it is none, with the
 * parser's sentence.
 */
int cel_quantity_text(struct arena *arena, const char *text, size_t len,
    struct cel_value *out, struct err *err);
/* The same amount, for callers that have no text. */
struct cel_value cel_quantity(struct arena *arena, const struct quantity *q);
/* -1: the text is no semantic version, with the parser's sentence. */
int cel_semver(struct arena *arena, const char *text, struct cel_value *out,
    struct err *err);

struct cel_entry {
	struct cel_value key, value; /* the key is a string */
};
/* A map of n entries, which are copied into the arena; keys are different. */
struct cel_value cel_map(struct arena *arena, const struct cel_entry *entries,
    size_t n);
/* The same, and a key that it does not have is one of an empty map. */
struct cel_value cel_map_of_maps(struct arena *arena,
    const struct cel_entry *entries, size_t n);

/*
 * Evaluates a program about this value of its variable: a map with an entry for
 * each field.  -1: a runtime error, with cel-go's sentence.  *cost, unless it is
 * NULL, is set in both cases.  The scratch is not reset.
 */
int cel_evaluate(const struct cel_program *program,
    const struct cel_value *variable, uint64_t cost_limit,
    struct arena *scratch, bool *result, uint64_t *cost, struct err *err);

#endif
