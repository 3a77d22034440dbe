/* The values of options as text, read as Go's libraries read them. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "options/options_internal.h"

static int
parse_bool(const char *text, bool *out, struct err *err)
{
	static const char *const words[2][6] = {
		{ "false", "0", "f", "F", "FALSE", "False" },
		{ "true", "1", "t", "T", "TRUE", "True" },
	};

	for (int value = 0; value < 2; value++) {
		for (size_t i = 0; i < LENGTH(words[value]); i++) {
			if (strcmp(text, words[value][i]) == 0) {
				*out = value;
				return 0;
			}
		}
	}
	return errf(err, "must be true or false, not '%s'", text);
}

/* In decimal or as 0x…; pflag takes both. */
static int
parse_number(const char *text, int64_t max, int64_t *out, struct err *err)
{
	const char *digits = text + (*text == '+' || *text == '-');
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (!isdigit((unsigned char)*digits) || *end != '\0')
		return errf(err, "must be a whole number, not '%s'", text);
	if (errno != 0 || value < 0 || value > max)
		return errf(err, "%s is not between 0 and %" PRId64, text, max);
	*out = value;
	return 0;
}

static int
parse_real(const char *text, double *out, struct err *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || isspace((unsigned char)*text) ||
	    !isfinite(value))
		return errf(err, "must be a number, not '%s'", text);
	*out = value;
	return 0;
}

int
option_duration_parse(const char *text, int64_t *ms, struct err *err)
{
	int64_t ns;

	if (duration_parse(text, &ns) != 0)
		return errf(err,
		    "must be a duration such as 15s or 1m30s, not '%s'", text);
	*ms = ns < 0 ? -((-ns + 999999) / 1000000) : (ns + 999999) / 1000000;
	return 0;
}

void
option_duration_text(int64_t ms, char *buf, size_t size)
{
	int64_t hours = ms / 3600000, minutes = ms / 60000 % 60;
	double seconds = (double)(ms % 60000) / 1000;

	if (ms < 1000 && ms != 0)
		snprintf(buf, size, "%" PRId64 "ms", ms);
	else if (hours > 0)
		snprintf(buf, size, "%" PRId64 "h%" PRId64 "m%.5gs", hours,
		    minutes, seconds);
	else if (minutes > 0)
		snprintf(buf, size, "%" PRId64 "m%.5gs", minutes, seconds);
	else
		snprintf(buf, size, "%.5gs", seconds);
}

static int
parse_duration(const char *text, int64_t *out, struct err *err)
{
	int64_t ms = 0;

	if (option_duration_parse(text, &ms, err) != 0)
		return -1;
	if (ms < 0)
		return errf(err, "must not be negative, not '%s'", text);
	*out = ms;
	return 0;
}

bool
option_choice_has(const char *choices, const char *word)
{
	size_t len;

	for (const char *p = choices; *p != '\0'; p += len + (p[len] == '|')) {
		len = strcspn(p, "|");
		if (strlen(word) == len && strncmp(p, word, len) == 0)
			return true;
	}
	return false;
}

int
option_value_parse(enum option_type type, const char *text,
    union option_value *out, struct err *err)
{
	switch (type) {
	case OPTION_BOOL:
		return parse_bool(text, &out->boolean, err);
	case OPTION_DURATION:
		return parse_duration(text, &out->number, err);
	case OPTION_PORT:
		return parse_number(text, 65535, &out->number, err);
	case OPTION_PERCENT:
		return parse_number(text, 100, &out->number, err);
	case OPTION_COUNT:
		return parse_number(text, INT32_MAX, &out->number, err);
	case OPTION_SEED: {
		int64_t seed;

		if (parse_number(text, INT64_MAX, &seed, err) != 0)
			return -1;
		out->seed = (uint64_t)seed;
		return 0;
	}
	case OPTION_REAL:
		return parse_real(text, &out->real, err);
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_LIST:
		break;
	}
	return errf(err, "'%s' cannot be converted", text);
}
