/* Shared by the two directions of a conversion. */
#ifndef CONVERT_CONVERT_INTERNAL_H
#define CONVERT_CONVERT_INTERNAL_H

#include "base/arena.h"
#include "base/text.h"
#include "decide/framework/profile.h"
#include "policy/convert/convert.h"
#include "policy/policy.h"

struct conversion {
	const struct profile *profile;
	struct text *out;
	struct problems *notes;
	struct arena arena; /* of the conversion */
	size_t nimpossible;
	/* Comments of rules that are not possible, one a line. */
	struct text impossible;
};

/* Appends formatted text. */
#define convert_put(c, ...) text_printf((c)->out, __VA_ARGS__)

/* "GeneralPredicates, policy.cfg:3", or "… by default" without a position. */
const char *convert_origin(struct conversion *c, const char *name,
    unsigned line);

/* The rule cannot be said in the other vocabulary. */
void convert_impossible(struct conversion *c, const char *name, unsigned line,
    unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The same of a profile's predicate or priority. */
#define impossible(c, rule, ...)                                               \
	convert_impossible((c), (rule)->name, (rule)->line, (rule)->column,    \
	    __VA_ARGS__)

/* Writes the comments "not possible". */
void convert_put_impossible(struct conversion *c);

/* In double quotes, as JSON and YAML have it. */
const char *convert_quoted(struct conversion *c, const char *text);
/* ["a", "b"] */
const char *convert_labels(struct conversion *c, const sym *labels, size_t n);

/* "extenders:" with all of the profile's; nothing if it has none.  later: as in a
 * KubeSchedulerConfiguration. */
void convert_put_extenders(struct conversion *c, bool later);

#endif
