/* Shared by the files about options, and included only by them and their tests. */
#ifndef OPTIONS_OPTIONS_INTERNAL_H
#define OPTIONS_OPTIONS_INTERNAL_H

#include <stdio.h>

#include "options/engine.h"
#include "options/options.h"

extern const struct option_table daemon_table;
extern const struct option_row option_rows[]; /* its rows */
extern const size_t noption_rows;
#define EACH_OPTION(row)                                                       \
	for (const struct option_row *row = option_rows;                       \
	     row < option_rows + noption_rows; row++)                          \
		if (row->flag != NULL && !row->is_old)

/* NULL: there is none. */
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
/* The name of the option's source in problems; "--flag" if it is not set. */
const char *options_where(const struct options_reading *reading,
    const struct option_row *row);

/* "--flag", "-v". */
const char *option_flag_text(const struct option_row *row, struct arena *arena);
/* Of a LIST, with the number of its elements. */
const char *const *option_list(const struct daemon_options *options,
    const struct option_row *row, size_t *n);
/* The value as a flag takes it, perhaps in the arena. */
const char *option_text(const struct daemon_options *options,
    const struct option_row *row, struct arena *arena);

/* options_file.c: reads our configuration file. */
void options_file(struct options_reading *reading, const char *path);

/* options_kube_config.c: reads a KubeSchedulerConfiguration. */
void options_kube_config(struct options_reading *reading, const char *path);

/* options_validate.c: reports invalid values and combinations; fills in the
 * derived options. */
void options_validate(struct options_reading *reading);

/* options_print.c */
void options_print_help(FILE *out);

/* options_plain.c: fills options->plain. */
void options_plain(struct options_reading *reading);
bool options_is_ip(const char *text);

/* "/etc/predicated/predicated.conf"; tests have another. */
extern const char *options_default_file;

#endif
