#include "config.h"

#include "cel/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cel/go_text.h"

#define NANO INT64_C(1000000000)
#define DAY INT64_C(86400)

struct date {
	int64_t year;
	unsigned month, day;  /* from 1 */
	unsigned day_of_year; /* from 0 */
	unsigned weekday;     /* 0: Sunday */
};

static bool
is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned
days_in(int64_t year, unsigned month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31,
		30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to the first day of the year; the year is 0 or later. */
static int64_t
year_start(int64_t year)
{
	int64_t y = year - 1;

	return 365 * (year - 1970) + (y / 4 - y / 100 + y / 400) -
	    (1969 / 4 - 1969 / 100 + 1969 / 400) - (year == 0);
}

static struct date
date_of(int64_t seconds)
{
	int64_t days = seconds / DAY - (seconds % DAY < 0);
	struct date d = { .year = 1970 + days / 366, .month = 1 };

	while (year_start(d.year) > days)
		d.year--;
	while (year_start(d.year + 1) <= days)
		d.year++;
	d.day_of_year = (unsigned)(days - year_start(d.year));
	d.day = d.day_of_year + 1;
	for (; d.day > days_in(d.year, d.month); d.month++)
		d.day -= days_in(d.year, d.month);
	d.weekday = (unsigned)(((days + 4) % 7 + 7) % 7);
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
	int64_t days;

	if (len >= sizeof(buf) - 8)
		return false;
	memcpy(buf, text, len);
	year = number(p, 4);
	month = year < 0 || p[4] != '-' ? -1 : number(p + 5, 2);
	day = month < 1 || month > 12 || p[7] != '-' ? -1 : number(p + 8, 2);
	if (day < 1 || day > (int)days_in(year, (unsigned)month) ||
	    p[10] != 'T')
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
	days = year_start(year) + day - 1;
	for (unsigned m = 1; m < (unsigned)month; m++)
		days += days_in(year, m);
	*out =
	    time_of(days * DAY + hour * 3600 + minute * 60 + second - zone * 60,
		nano, (int16_t)zone);
	return true;
}

struct cel_value
time_text(struct run *run, const struct cel_value *time)
{
	int64_t local = time->integer + time->zone * 60;
	struct date d = date_of(local);
	unsigned second = (unsigned)(((local % DAY) + DAY) % DAY);
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
	return cel_text(run, "%04d-%02u-%02uT%02u:%02u:%02u%s%s", (int)d.year,
	    d.month, d.day, second / 3600, second / 60 % 60, second % 60,
	    fraction, zone);
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
			    go_quote(run->arena, s, len));
		if (n > 6)
			return cel_error(run,
			    "strconv.Atoi: parsing %s: value out of range",
			    go_quote(run->arena, s, len));
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
		struct date d;                                                 \
                                                                               \
		if (is_error(&seconds))                                        \
			return seconds;                                        \
		d = date_of(seconds.integer);                                  \
		return cel_int(value);                                         \
	}
DATE(time_year, d.year)
DATE(time_month, d.month - 1)
DATE(time_day_of_year, d.day_of_year)
DATE(time_day_of_month, d.day - 1)
DATE(time_date, d.day)
DATE(time_day_of_week, d.weekday)

/* Units of so many seconds, the rest of the greater unit that has so many. */
static struct cel_value
clock(struct run *run, const struct cel_value *args, size_t n, int64_t unit,
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

FUNCTION(time_hours, clock(run, args, n, 3600, DAY))
FUNCTION(time_minutes, clock(run, args, n, 60, 3600))
FUNCTION(time_seconds, clock(run, args, n, 1, 60))

struct cel_value
time_milliseconds(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value zone;

	if (args[0].kind == CEL_DURATION)
		return cel_int(args[0].integer / 1000000);
	zone = local(run, args, n);
	return is_error(&zone) ? zone : cel_int(args[0].len / 1000000);
}
