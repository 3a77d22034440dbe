/*
 * Unit tests: CUnit underneath, TAP on standard output, so that `make check`,
 * `prove` and one binary alone all show the same.
 *
 *	static void
 *	taken_ports_collide(void)
 *	{
 *		for (size_t i = 0; i < LENGTH(rows); i++)
 *			t_int(rows[i].name, collide(…), rows[i].want);
 *	}
 *	T_MAIN(T(taken_ports_collide), T(…))
 *
 * One test function is one TAP line; every failed comparison in it prints
 * "file:line: name: got X, want Y".
 */
#ifndef T_LIB_T_H
#define T_LIB_T_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct t_test {
	const char *name;
	void (*run)(void);
};

#define T(function)                                                            \
	{                                                                      \
#function, function                                            \
	}
#define T_MAIN(...)                                                            \
	int main(void)                                                         \
	{                                                                      \
		static const struct t_test tests[] = { __VA_ARGS__ };          \
		return t_run(tests, sizeof(tests) / sizeof(tests[0]));         \
	}

int t_run(const struct t_test *tests, size_t n);

/* Each returns whether the comparison held. */
#define t_true(name, got) t_true_(__FILE__, __LINE__, (name), (got))
#define t_int(name, got, want)                                                 \
	t_int_(__FILE__, __LINE__, (name), (int64_t)(got), (int64_t)(want))
#define t_str(name, got, want) t_str_(__FILE__, __LINE__, (name), (got), (want))
/* got contains want */
#define t_has(name, got, want) t_has_(__FILE__, __LINE__, (name), (got), (want))

bool t_true_(const char *file, int line, const char *name, bool got);
bool t_int_(const char *file, int line, const char *name, int64_t got,
    int64_t want);
/* NULL equals only NULL. */
bool t_str_(const char *file, int line, const char *name, const char *got,
    const char *want);
bool t_has_(const char *file, int line, const char *name, const char *got,
    const char *want);

/* The next of a row of random numbers, below n; *state is where the row is.  One
 * beginning, one row, on all machines. */
unsigned t_any(uint64_t *state, unsigned n);

/* The file under the source tree's t/data, whole; you own it, never NULL. */
char *t_data(const char *name);
/* The path of a file under the source tree; valid until the next call. */
const char *t_path(const char *relative);

#endif
