/* The common part of the commands of src/whatif: the cluster and its profiles as a
 * question needs them. */
#ifndef CTL_WHATIF_H
#define CTL_WHATIF_H

#include "base/json_out.h"
#include "ctl/load.h"
#include "ctl/options.h"
#include "whatif/whatif.h"

struct json_out;
struct text;
struct pod_disruption_budget;
struct balance;

struct asked {
	const struct options *options;
	struct profiles *profiles;
	struct load load;
	struct whatif whatif;
};

/*
 * Reads the policy or configuration and the cluster and runs the command on them,
 * which returns an exit code.  Problems go to standard error.
 */
int asked_run(const struct options *options, int (*command)(struct asked *a));

/* The pod NS/NAME of the cluster, or NAME in the namespace of -n or the usual one, not owned; NULL: it is not there, or cannot be
 * decoded, which is said on standard error. */
const struct pod *asked_pod(const struct asked *a, const char *name);

/* Makes w ask the cluster of a about these profiles; whatif_fini() it. */
void asked_of(const struct asked *a, struct whatif *w,
    const struct profiles *profiles);

/* On standard output, as a table or JSON; noun: of its subjects, "pod". */
struct diff;
void diff_print(const struct diff *d, const struct options *options,
    const char *noun, bool with_balance);

/* "s" unless n is 1. */
const char *plural_of(size_t n);
/* "and N more (--all)", unless n is 0. */
void asked_more(const struct options *options, size_t n);
/* How many rows of n are shown. */
size_t asked_rows(const struct options *options, size_t n);

/* Writes a result, which is JSON, as options say, and frees it. */
void asked_write(const struct options *options, struct text *json);

/* A member with an array, and an object in it, each on a line of its own. */
static inline void
json_begin(struct json_out *json, const char *key)
{
	json_break(json, " ");
	json_key(json, key);
	json_open(json, '[');
}

static inline void
json_begin_item(struct json_out *json)
{
	json_break(json, "  ");
	json_open(json, '{');
}

/* A member with the name of a node, SYM_NONE is null. */
void json_node_name(struct json_out *json, const char *key, sym node);
/* Likewise of a budget, NULL is null. */
void json_budget(struct json_out *json, const char *key,
    const struct pod_disruption_budget *budget);
/* A member with an array of strings. */
void json_strings(struct json_out *json, const char *key, size_t n,
    const char *const *texts);

#endif
