/* Timestamps of the years 1 to 9999. */
#ifndef CEL_TIME_H
#define CEL_TIME_H

#include "cel/cel_internal.h"

/* An error beyond those years; zone: minutes east of Greenwich. */
struct cel_value time_of(int64_t seconds, uint32_t nanoseconds, int16_t zone);
/* As Go's time.Parse() of RFC 3339; beyond those years *out is an error. */
bool time_read(const char *text, size_t len, struct cel_value *out);
struct cel_value time_text(struct run *run, const struct cel_value *time);
/* A timestamp and a duration, in any order. */
struct cel_value time_add(const struct cel_value *a, const struct cel_value *b);
/* A timestamp or a duration from a timestamp. */
struct cel_value time_subtract(const struct cel_value *a,
    const struct cel_value *b);

/* Of a timestamp in UTC, or in the time zone of the second argument. */
function_run time_year, time_month, time_day_of_year, time_day_of_month,
    time_date, time_day_of_week;
/* Of a duration, too. */
function_run time_hours, time_minutes, time_seconds, time_milliseconds;

#endif
