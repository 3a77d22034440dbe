/*
 * Recorded results to compare with: a file holds one case a line
 * ({"case": {"id", …}, "expect": …}), gzipped or not; its name without
 * .jsonl(.gz) is the category.
 */
#ifndef T_LIB_CASES_H
#define T_LIB_CASES_H

#include <stdbool.h>
#include <stdio.h>

struct doc_node;

/* The result of a case: the first difference is kept in text. */
struct case_result {
	bool failed, skipped;
	char text[4096];
};

/* Only the first difference of a case counts. */
void case_differs(struct case_result *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct cases {
	void (*run)(const struct doc_node *root, struct case_result *r);
	unsigned long show; /* differences per category */
	const char *only;   /* category; NULL: all */
	const char *id;     /* of the one case to run; NULL: all */
	unsigned long passed, failed;
};

/* Prints "CATEGORY: N passed, M failed" and the first differences of each file,
 * then the sums.  The exit code: 0, 1 if a case failed, 3 if a file cannot be
 * read. */
int cases_run(struct cases *cases, int n, char **paths);

/* Members of objects; "" and false if they are not there. */
const char *case_text(const struct doc_node *object, const char *key);
bool case_true(const struct doc_node *object, const char *key);

/* The value as JSON, null if it is NULL. */
void case_write(FILE *out, const struct doc_node *value);
/* You own it. */
char *case_json(const struct doc_node *value);

#endif
