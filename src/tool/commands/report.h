/*
 * The result of a command: members, and rows of typed columns.  It is printed as the
 * options say, as text with tables for people or as JSON or YAML for programs.
 */
#ifndef CTL_REPORT_H
#define CTL_REPORT_H

#include "base/arena.h"
#include "base/json_out.h"
#include "base/sym.h"
#include "base/text.h"
#include "tool/commands/options.h"

#define REPORT_COLUMNS 12 /* the most of one table */
#define SHOWN_ROWS 20     /* of a table, unless --all */

struct report {
	const struct options *options;
	struct text text;
	struct json_out json; /* open for members; people do not see it */
	struct arena arena;   /* of texts that are made for the report */

	/* The rest is of the rows in hand. */
	struct report_column {
		const char *key, *head; /* "": none */
		enum style style;
		bool right;
	} columns[REPORT_COLUMNS];
	size_t ncolumns, nrows, limit;
	bool is_member, has_table, follows, one_line;
	bool is_named; /* -o name: the first cells are printed, and no more */
	struct table table;
};

void report_begin(struct report *r, const struct options *options);
/* Writes it, and frees the memory. */
void report_end(struct report *r);

/* Whether people read it: neither JSON nor names. */
static inline bool
report_is_for_people(const struct report *r)
{
	return !r->options->json && !r->options->name;
}

/* A sentence or a part of one, for people alone. */
void report_print(const struct report *r, enum style style, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

/*
 * Begins a member (NULL: people alone see it) whose value is an array of objects, and
 * a table below an empty line, of which people see the first rows, unless --all.
 * Without rows there is no table.  The columns are "key=HEAD|…"; one without a head is
 * for programs, one without a key for people.  Before a head there may be > (aligned
 * right), and the style of its cells: ! (bad), + (good), ~ (dim); before the first
 * column ^ (no empty line) and - (an object is on one line).
 *
 *	report_rows(&r, "pods", "pod=POD|node=NODE|reasons=!BECAUSE|unmanaged");
 *	report_row(&r, cell_pod(&r, pod), cell_node(node), cell_list(n, reasons),
 *	    cell_truth(true));
 *	report_rows_end(&r);
 */
void report_rows(struct report *r, const char *key, const char *columns);
#define report_row(r, ...)                                                     \
	report_add_row(r, (const struct report_cell[]){ __VA_ARGS__ })
void report_rows_end(struct report *r);

struct report_cell {
	enum report_cell_type {
		CELL_TEXT, /* NULL: null, "-" */
		CELL_WHOLE,
		CELL_TRUTH,
		CELL_LIST, /* of texts, for people with "; " */
	} type;
	enum style style; /* STYLE_PLAIN: its column's */
	const char *text;
	int64_t number;
	size_t n;
	const char *const *list;
};

void report_add_row(struct report *r, const struct report_cell *cells);

static inline struct report_cell
cell_text(const char *text)
{
	return (struct report_cell){ .type = CELL_TEXT, .text = text };
}

static inline struct report_cell
cell_styled(enum style style, const char *text)
{
	return (struct report_cell){ .type = CELL_TEXT,
		.style = style,
		.text = text };
}

/* SYM_NONE is NULL. */
static inline struct report_cell
cell_node(sym node)
{
	return cell_text(node != SYM_NONE ? sym_text(node) : NULL);
}

/* The pod's full name. */
struct report_cell cell_pod(struct report *r, const struct pod *pod);

/* One of the pods of a report, with what it has in common with others: the key. */
struct keyed_pod {
	const struct pod *pod;
	const char *key, *text;
};

/* The pods with one key, of which a person sees one line. */
#define SUCH_AS 3
struct pod_group {
	size_t first; /* its index */
	size_t npods;
	bool differs; /* their texts do */
	const struct pod *pods[SUCH_AS];
};

/* Groups n pods, in r's arena: the one with the most pods first, then as they came. */
struct pod_group *report_groups(struct report *r, size_t n,
    const struct keyed_pod *pods, size_t *ngroups);

/* The names of its first pods; those in the namespace of the one before without it. */
struct report_cell cell_such_as(struct report *r,
    const struct pod_group *group);

static inline struct report_cell
cell_count(int64_t number)
{
	return (struct report_cell){ .type = CELL_WHOLE, .number = number };
}

static inline struct report_cell
cell_truth(bool value)
{
	return (struct report_cell){ .type = CELL_TRUTH, .number = value };
}

static inline struct report_cell
cell_list(size_t n, const char *const *list)
{
	return (struct report_cell){ .type = CELL_LIST, .n = n, .list = list };
}

/* "and N more (--all)", unless n is 0. */
void report_more(const struct options *options, size_t n);

/* Writes JSON as the options say, and frees it. */
void report_write(const struct options *options, struct text *json);

#endif
