/* Shared by the files about options, and included only by them and their tests. */
#ifndef OPTIONS_OPTIONS_INTERNAL_H
#define OPTIONS_OPTIONS_INTERNAL_H

#include <stdio.h>

#include "options/options.h"

enum option_type {
	OPTION_BOOL, /* as Go's strconv.ParseBool */
	OPTION_STRING,
	OPTION_CHOICE,   /* one of the words in arg */
	OPTION_LIST,     /* texts; given more than once they add up */
	OPTION_DURATION, /* as Go's time.ParseDuration; not negative */
	OPTION_PORT,     /* 0 to 65535 */
	OPTION_PERCENT,  /* 0 to 100 */
	OPTION_COUNT,    /* 0 to 2147483647 */
	OPTION_SEED,     /* 0 to 9223372036854775807 */
	OPTION_REAL,
};

/* When a change of an option takes effect. */
enum option_when { OPTION_RELOAD, OPTION_RESTART };

/* A row of options_table.h, or one that has nothing but section, a title. */
struct option_row {
	const char *section;
	const char *flag, *key, *value, *arg, *help;
	enum option_type type;
	enum option_when when;
	size_t offset; /* in struct daemon_options */
};

struct option_alias {
	const char *flag, *other, *why;
};

struct option_legacy {
	const char *flag;
	enum option_type type;
	const char *quiet, *why;
};

extern const struct option_row option_rows[];
extern const size_t noption_rows;
extern const struct option_alias option_aliases[];
extern const size_t noption_aliases;
extern const struct option_legacy option_legacies[];
extern const size_t noption_legacies;

/* NULL: there is none. */
const struct option_row *option_by_flag(const char *flag);
const struct option_row *option_by_key(const char *key);
const struct option_row *option_by_offset(size_t offset);
#define option_of(field)                                                       \
	option_by_offset(offsetof(struct daemon_options, field))

/* In the order of reading: a later layer overrides an earlier one. */
enum option_layer {
	LAYER_DEFAULT,
	LAYER_FILE,   /* predicated.conf */
	LAYER_CONFIG, /* KubeSchedulerConfiguration */
	LAYER_FLAGS,
};

struct options_reading {
	struct daemon_options *options;
	struct problems *problems;
	/* By row: the layer that set it last, and its name in problems. */
	enum option_layer *layer;
	const char **where;
	/* What options_set() refuses is a warning. */
	bool is_lenient;
};

/* An error, or a warning; where is a flag or "file:line". */
void options_complain(struct options_reading *reading, enum severity severity,
    const char *where, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define options_refuse(reading, ...)                                           \
	options_complain(reading, SEVERITY_ERROR, __VA_ARGS__)
#define options_warn(reading, ...)                                             \
	options_complain(reading, SEVERITY_WARNING, __VA_ARGS__)

/* Sets an option to a text, as a flag gives it, or refuses that. */
void options_set(struct options_reading *reading, const struct option_row *row,
    enum option_layer layer, const char *where, const char *text);
/* The same for the elements of a list, one by one; n may be 0. */
void options_set_list(struct options_reading *reading,
    const struct option_row *row, enum option_layer layer, const char *where,
    const char *const *elements, size_t n);
/* "; did you mean MEANT?" with the mark "--" before it or in quotes; NULL: "". */
const char *options_hint(struct options_reading *reading, const char *mark,
    const char *meant);
/* The name of the option's source in problems; "--flag" if it is not set. */
const char *options_where(const struct options_reading *reading,
    const struct option_row *row);

/* "--flag", "-v". */
const char *option_flag_text(const struct option_row *row, struct arena *arena);
/* Of a LIST. */
const char *const *option_list(const struct daemon_options *options,
    const struct option_row *row);
/* The value as a flag takes it, perhaps in the arena. */
const char *option_text(const struct daemon_options *options,
    const struct option_row *row, struct arena *arena);

/* Any type but STRING, CHOICE and LIST; out is a bool, a double or an int64_t. */
int option_value_parse(enum option_type type, const char *text, void *out,
    struct err *err);
/* Go's duration ("1m30s", "1.5h") in milliseconds, rounded away from 0. */
int option_duration_parse(const char *text, int64_t *ms, struct err *err);
/* As Go writes it: "15s", "1m30s", "100ms", "0s". */
void option_duration_text(int64_t ms, char *buf, size_t size);

/* options_flags.c */
struct option_flag {
	const struct option_row *row;
	const char *where; /* "--flag" */
	const char *value;
};
/* Takes the command line apart; unknown flags and words are refused, legacy
 * ones dealt with.  The result is in the options' arena. */
struct option_flag *options_flags(struct options_reading *reading, int argc,
    char **argv, size_t *n);

/* options_file.c: reads our configuration file. */
void options_file(struct options_reading *reading, const char *path);

/* options_kube_config.c: reads a KubeSchedulerConfiguration. */
void options_kube_config(struct options_reading *reading, const char *path);

/* options_validate.c: reports invalid values and combinations; fills in the
 * derived options. */
void options_validate(struct options_reading *reading);

/* options_print.c */
void options_print_help(FILE *out);
/* Prints text in lines of at most 80 columns, each after prefix, which takes
 * indent of them. */
void options_wrap(const char *text, const char *prefix, int indent, FILE *out);

/* options_plain.c: fills options->plain. */
void options_plain(struct options_reading *reading);
bool options_is_ip(const char *text);

/* "/etc/predicated/predicated.conf"; tests have another. */
extern const char *options_default_file;

#endif
