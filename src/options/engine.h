/*
 * The engine of options, for a table of them: the daemon's (options_table.h) and
 * predicatectl's (tool/commands/options.c).  It takes command lines apart, reads and
 * refuses values, and prints help and candidates for a shell.  It does not know what
 * an option is for.
 *
 *	--flag=value   --flag value   --bool   --bool=false   -v=2 -v2 -v 2   -xyz
 *
 * as Go's pflag, which kubectl and kube-scheduler have: "_" in a flag's name is "-",
 * and "--" ends the flags.  Words stand anywhere between them.
 */
#ifndef OPTIONS_ENGINE_H
#define OPTIONS_ENGINE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/complete.h"
#include "base/err.h"
#include "policy/policy.h"

enum option_type {
	/* The member at row->offset is: */
	OPTION_BOOL,   /* a bool, read as Go's strconv.ParseBool */
	OPTION_STRING, /* a const char * */
	OPTION_CHOICE, /* likewise, one of option_choices() */
	OPTION_LIST,   /* a const char *const *; see options_set_list() */
	OPTION_DURATION, /* an int64_t, in milliseconds, as Go's time.ParseDuration;
	                  * not negative */
	/* Whole numbers in an int64_t, from row->least to row->most, or to: */
	OPTION_PORT,    /* 65535 */
	OPTION_PERCENT, /* 100 */
	OPTION_COUNT,   /* 2147483647 */
	OPTION_SEED,    /* 9223372036854775807; a uint64_t */
	OPTION_REAL,    /* a double */
	OPTION_OTHER,   /* from here on: table->set() has it */
};

/* When a change of an option takes effect. */
enum option_when { OPTION_RELOAD, OPTION_RESTART };

struct option_row {
	const char *flag; /* NULL: the row has a section, nothing else */
	char letter;      /* 0: none, or that of a flag with one letter */
	const char *arg;  /* the value's name; NULL: none is needed ("=true") */
	unsigned commands;    /* a set: those that have the option */
	unsigned type;        /* enum option_type, or more */
	size_t offset;        /* of the member */
	const char *help;     /* sentences, or lines */
	const char *must;     /* "a number", of refused values; NULL: by type */
	const char *choices;  /* "a|b|c"; NULL: arg's, see option_choices() */
	uint64_t least, most; /* of numbers; most 0: the type's */
	bool once;            /* a STRING that can be given only once */
	/* The daemon's. */
	const char *section, *key, *value; /* key: NULL: not in its file */
	enum option_when when;
	/* Another name of an option, or (other NULL) without effect; a warning says why,
	 * unless it is NULL. */
	bool is_old;
	const char *other, *why;
};

struct option_table {
	const struct option_row *rows;
	size_t n;
	/* The commands' names by their bits in rows, then NULL; NULL: there are none. */
	const char *(*command)(size_t i);
	/* Whether the beginning of a flag stands for the only one that begins so. */
	bool abbreviates;
	/* Sets one of OPTION_OTHER; -1: refused, *err has the reason, or nothing where
	 * row->must says it. */
	int (*set)(void *target, const struct option_row *row, const char *text,
	    struct err *err);
	/* Values for completion that the rows do not have; the last has no flag. */
	const struct option_names {
		const char *flag;
		/* The elements of a list, or NULL. */
		const char *(*name)(size_t i);
		/* "a|b": after "NAME=", or without names; NULL: names alone. */
		const char *values;
	} * names;
};

#define OPTION_ANY (~0u) /* of commands */

/* The option of these commands; NULL: there is none. */
const struct option_row *option_find(const struct option_table *table,
    unsigned commands, const char *flag);
/* The option whose value is the next word if this is one of a command line; NULL:
 * there is none. */
const struct option_row *option_awaiting(const struct option_table *table,
    const char *word);
/* The names of a set of commands, "a, b and c" with last " and "; you own it. */
char *option_commands(const struct option_table *table, unsigned set,
    const char *last);
/* "a|b|c"; NULL: any value may be valid. */
const char *option_choices(const struct option_row *row);

/* Go's duration ("1m30s", "1.5h") in milliseconds, rounded away from 0. */
int option_duration_parse(const char *text, int64_t *ms, struct err *err);
/* Sets the member of target, any type but LIST; -1: "must be a number, not 'x'" is in
 * *err.  Texts are copied to the arena (NULL: text must outlive target). */
int option_set(const struct option_table *table, const struct option_row *row,
    void *target, struct arena *arena, const char *text, struct err *err);
/* "; did you mean MEANT?", with dashes before it; NULL: "". */
const char *option_hint(struct arena *arena, const char *dashes,
    const char *meant);

/* Takes a command line apart, argv[1] first. */
struct option_scan {
	const struct option_table *table;
	unsigned commands; /* options of others are unknown */
	struct arena *arena;
	int argc;
	char **argv;

	/* The next of it, NULL where it is something else: an option with its value, of
	 * which a problem may be a warning; */
	const struct option_row *row;
	const char *where, *value; /* "--flag" or "-f", also of a problem */
	/* a word, and the flag before it, if that took no value; */
	char *word;
	const char *before;
	/* a problem. */
	const char *problem;
	enum severity severity;

	/* The rest is the engine's. */
	int at;
	const char *bare, *letters;
	bool flags_ended;
};
/* False: there is nothing more. */
bool option_next(struct option_scan *scan);

/* Prints text in lines of at most 80 columns, each after prefix, which takes
 * indent of them. */
void option_wrap(const char *text, const char *prefix, int indent, FILE *out);
/* Prints what --help has about an option: the text below it, wrapped, or beside it,
 * in its own lines. */
void option_help(const struct option_row *row, const char *text, bool beside,
    FILE *out);

/* Adds the candidates of c->word, argv's last, if it is a value or begins with a dash.
 * False: it is a word. */
bool option_complete(struct complete *c, const struct option_table *table,
    unsigned commands, int argc, char **argv);
void option_complete_flags(struct complete *c, const struct option_table *table,
    unsigned commands);

#endif
