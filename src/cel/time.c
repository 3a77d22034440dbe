#include "config.h"

#include "base/text.h"
#include "cel/cel_internal.h"

#include <stdio.h>
#include <time.h>

#define NANO INT64_C(1000000000)
#define DAY INT64_C(86400)

static struct tm
date_of(time_t seconds)
{
	struct tm d;

	gmtime_r(&seconds, &d);
	return d;
}

struct cel_value
time_of(int64_t seconds, uint32_t nanoseconds, int16_t zone)
{
	if (seconds < INT64_C(-62135596800) || seconds > INT64_C(253402300799))
		return cel_error_text("timestamp overflow");
	return (struct cel_value){ .kind = CEL_TIMESTAMP,
		.zone = zone,
		.len = nanoseconds,
		.integer = seconds };
}

/* So many digits; -1: they are none. */
static int
number(const char *s, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -1;
		value = value * 10 + s[i] - '0';
	}
	return value;
}

/* The fraction of a second at *p, in nanoseconds; moves *p beyond it. */
static uint32_t
read_fraction(const char **p)
{
	uint32_t nano = 0, unit = 100000000;

	if ((**p != '.' && **p != ',') || number(*p + 1, 1) < 0)
		return 0;
	for ((*p)++; number(*p, 1) >= 0; (*p)++) {
		nano += unit * (uint32_t)number(*p, 1);
		unit /= 10;
	}
	return nano;
}

bool
time_read(const char *text, size_t len, struct cel_value *out)
{
	char buf[64] = "";
	const char *p = buf;
	int year, month, day, hour, minute, second, zone = 0;
	uint32_t nano;
	struct tm d;

	if (len >= sizeof(buf) - 8)
		return false;
	memcpy(buf, text, len);
	year = number(p, 4);
	month = year < 0 || p[4] != '-' ? -1 : number(p + 5, 2);
	day = month < 1 || month > 12 || p[7] != '-' ? -1 : number(p + 8, 2);
	d = (struct tm){ .tm_year = year - 1900,
		.tm_mon = month - 1,
		.tm_mday = day };
	/* a day behind the month's last becomes another */
	if (day < 1 || p[10] != 'T' || (timegm(&d), d.tm_mday != day))
		return false;
	p += 11;
	/* Go takes hours of one digit */
	hour = number(p, number(p, 2) < 0 ? 1 : 2);
	p += number(p, 2) < 0 ? 1 : 2;
	minute = hour < 0 || hour > 23 || *p != ':' ? -1 : number(p + 1, 2);
	second =
	    minute < 0 || minute > 59 || p[3] != ':' ? -1 : number(p + 4, 2);
	if (second < 0 || second > 59)
		return false;
	p += 6;
	nano = read_fraction(&p);
	if (*p == '+' || *p == '-') {
		int hours = number(p + 1, 2);
		int minutes = hours < 0 || hours > 24 || p[3] != ':' ?
		    -1 :
		    number(p + 4, 2);

		if (minutes < 0 || minutes > 60)
			return false;
		zone = (*p == '-' ? -1 : 1) * (hours * 60 + minutes);
		p += 6;
	} else if (*p++ != 'Z') {
		return false;
	}
	if (p != buf + len)
		return false;
	*out =
	    time_of(timegm(&d) + hour * 3600 + minute * 60 + second - zone * 60,
		nano, (int16_t)zone);
	return true;
}

struct cel_value
time_text(struct run *run, const struct cel_value *time)
{
	struct tm d = date_of(time->integer + time->zone * 60);
	char fraction[16] = "", zone[16] = "Z";
	int minutes = abs(time->zone);

	if (time->len > 0) {
		size_t n = (size_t)snprintf(fraction, sizeof(fraction), ".%09u",
		    time->len);

		while (fraction[n - 1] == '0')
			fraction[--n] = '\0';
	}
	if (minutes > 0)
		snprintf(zone, sizeof(zone), "%c%02d:%02d",
		    time->zone < 0 ? '-' : '+', minutes / 60, minutes % 60);
	return cel_text(run, "%04d-%02d-%02dT%02d:%02d:%02d%s%s",
	    d.tm_year + 1900, d.tm_mon + 1, d.tm_mday, d.tm_hour, d.tm_min,
	    d.tm_sec, fraction, zone);
}

static struct cel_value
moved(const struct cel_value *time, __int128 nano)
{
	__int128 total = (__int128)time->integer * NANO + time->len + nano;
	int64_t rest = (int64_t)(total % NANO);

	if (rest < 0)
		rest += NANO;
	return time_of((int64_t)((total - rest) / NANO), (uint32_t)rest,
	    time->zone);
}

struct cel_value
time_add(const struct cel_value *a, const struct cel_value *b)
{
	if (a->kind == CEL_TIMESTAMP && b->kind == CEL_DURATION)
		return moved(a, b->integer);
	if (a->kind == CEL_DURATION && b->kind == CEL_TIMESTAMP)
		return moved(b, a->integer);
	return no_such_overload();
}

struct cel_value
time_subtract(const struct cel_value *a, const struct cel_value *b)
{
	struct cel_value out = { .kind = CEL_DURATION };
	int64_t seconds;

	if (b->kind == CEL_DURATION)
		return b->integer == INT64_MIN ?
		    cel_error_text("integer overflow") :
		    moved(a, -(__int128)b->integer);
	if (b->kind != CEL_TIMESTAMP)
		return no_such_overload();
	seconds = a->integer - b->integer;
	if (__builtin_mul_overflow(seconds, NANO, &out.integer) ||
	    __builtin_add_overflow(out.integer,
		(int64_t)a->len - (int64_t)b->len, &out.integer))
		return cel_error_text("integer overflow");
	return out;
}

/* "+02:30" or a name, as minutes; an error: it is unknown. */
static struct cel_value
read_zone(struct run *run, const struct cel_value *zone)
{
	const char *text = arena_strndup(run->arena, zone->text, zone->len);
	const char *colon = strchr(text, ':');
	long parts[2] = { 0, 0 };

	/* Zones by name need files, and change with them. */
	if (colon == NULL) {
		if (*text == '\0' || strcmp(text, "UTC") == 0 ||
		    strcmp(text, "Local") == 0)
			return cel_int(0);
		return cel_error(run, "unknown time zone %s", text);
	}
	for (int i = 0; i < 2; i++) {
		const char *s = i == 0 ? text : colon + 1;
		size_t len = i == 0 ? (size_t)(colon - text) : strlen(s);
		const char *digits = s + (*s == '-' || *s == '+');
		size_t n = strspn(digits, "0123456789");

		if (n == 0 || digits + n != s + len)
			return cel_error(run,
			    "strconv.Atoi: parsing %s: invalid syntax",
			    text_quote(run->arena, s, len));
		if (n > 6)
			return cel_error(run,
			    "strconv.Atoi: parsing %s: value out of range",
			    text_quote(run->arena, s, len));
		parts[i] = strtol(s, NULL, 10);
	}
	return cel_int(parts[0] * 60 + (*text == '-' ? -parts[1] : parts[1]));
}

/* The seconds since 1970 on the clocks of the time zone, or an error. */
static struct cel_value
local(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value zone = cel_int(0);

	if (n == 2)
		zone = read_zone(run, &args[1]);
	return is_error(&zone) ? zone :
				 cel_int(args[0].integer + 60 * zone.integer);
}

#define DATE(name, value)                                                      \
	struct cel_value name(struct run *run, const struct cel_value *args,   \
	    size_t n)                                                          \
	{                                                                      \
		struct cel_value seconds = local(run, args, n);                \
		struct tm d;                                                   \
                                                                               \
		if (is_error(&seconds))                                        \
			return seconds;                                        \
		d = date_of(seconds.integer);                                  \
		return cel_int(value);                                         \
	}
DATE(time_year, d.tm_year + 1900)
DATE(time_month, d.tm_mon)
DATE(time_day_of_year, d.tm_yday)
DATE(time_day_of_month, d.tm_mday - 1)
DATE(time_date, d.tm_mday)
DATE(time_day_of_week, d.tm_wday)

/* Units of so many seconds, the rest of the greater unit that has so many. */
static struct cel_value
units(struct run *run, const struct cel_value *args, size_t n, int64_t unit,
    int64_t greater)
{
	struct cel_value seconds;

	if (args[0].kind == CEL_DURATION)
		return cel_int(args[0].integer / (unit * NANO));
	seconds = local(run, args, n);
	if (is_error(&seconds))
		return seconds;
	return cel_int(
	    ((seconds.integer % greater) + greater) % greater / unit);
}

FUNCTION(time_hours, units(run, args, n, 3600, DAY))
FUNCTION(time_minutes, units(run, args, n, 60, 3600))
FUNCTION(time_seconds, units(run, args, n, 1, 60))

struct cel_value
time_milliseconds(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value zone;

	if (args[0].kind == CEL_DURATION)
		return cel_int(args[0].integer / 1000000);
	zone = local(run, args, n);
	return is_error(&zone) ? zone : cel_int(args[0].len / 1000000);
}
