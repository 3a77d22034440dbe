#include "config.h"

#include "base/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The unit at *text in nanoseconds; *text goes beyond it.  0: no unit. */
static double
read_unit(const char **text)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1e3 },
		{ "µs", 1e3 }, /* with U+00B5 */
		{ "μs", 1e3 }, /* with U+03BC */
		{ "ms", 1e6 },
		{ "s", 1e9 },
		{ "m", 60e9 },
		{ "h", 3600e9 },
	};
	size_t len = strcspn(*text, ".0123456789");

	for (size_t i = 0; i < LENGTH(units); i++) {
		if (strlen(units[i].name) == len &&
		    strncmp(*text, units[i].name, len) == 0) {
			*text += len;
			return units[i].ns;
		}
	}
	return 0;
}

int
duration_parse(const char *text, int64_t *ns)
{
	const char *p = text + (*text == '-' || *text == '+');
	double sum = 0;

	if (strcmp(p, "0") == 0) {
		*ns = 0;
		return 0;
	}
	if (*p == '\0')
		return -1;
	while (*p != '\0') {
		char *end;
		double count, unit;

		/* strtod() alone would take "0x1", "inf" and "1e3", too */
		if (strspn(p, "0123456789.") == 0 ||
		    p[strspn(p, "0123456789")] == '\0')
			return -1;
		if (*p == '0' && (p[1] == 'x' || p[1] == 'X'))
			return -1;
		count = strtod(p, &end);
		if (end == p || end != p + strspn(p, "0123456789."))
			return -1;
		p = end;
		unit = read_unit(&p);
		if (unit == 0)
			return -1;
		sum += count * unit;
	}
	if (sum >= (double)INT64_MAX)
		return -1;
	*ns = (int64_t)round(sum) * (*text == '-' ? -1 : 1);
	return 0;
}

/* value/unit, a power of ten, as a decimal fraction without zeros at its end. */
static int
put_fraction(char *buf, size_t size, uint64_t value, uint64_t unit,
    const char *name)
{
	char digits[16] = "";
	size_t n = 0;
	uint64_t rest = value % unit;

	for (uint64_t place = unit / 10; place > 0; place /= 10) {
		digits[n++] = (char)('0' + rest / place);
		rest = rest % place;
	}
	while (n > 0 && digits[n - 1] == '0')
		digits[--n] = '\0';
	return snprintf(buf, size, "%" PRIu64 "%s%s%s", value / unit,
	    n > 0 ? "." : "", digits, name);
}

const char *
duration_text(int64_t ns, char buf[DURATION_TEXT])
{
	uint64_t value = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	const uint64_t second = UINT64_C(1000000000);
	int n = snprintf(buf, DURATION_TEXT, "%s", ns < 0 ? "-" : "");
	char *at = buf + n;
	size_t left = DURATION_TEXT - (size_t)n;

	if (value == 0) {
		snprintf(at, left, "0s");
	} else if (value < 1000) {
		snprintf(at, left, "%" PRIu64 "ns", value);
	} else if (value < 1000000) {
		put_fraction(at, left, value, 1000, "µs");
	} else if (value < second) {
		put_fraction(at, left, value, 1000000, "ms");
	} else {
		uint64_t minutes = value / second / 60;

		n = 0;
		if (minutes >= 60)
			n = snprintf(at, left, "%" PRIu64 "h", minutes / 60);
		if (minutes > 0)
			n += snprintf(at + n, left - (size_t)n, "%" PRIu64 "m",
			    minutes % 60);
		put_fraction(at + n, left - (size_t)n, value % (60 * second),
		    second, "s");
	}
	return buf;
}
