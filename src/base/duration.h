/* Durations as Go writes them: "15s", "1m30s", "1.5h", "-100ms". */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

/* time.ParseDuration(), in nanoseconds; -1: it is none, *ns is as it was. */
int duration_parse(const char *text, int64_t *ns);

/* time.Duration's String() of nanoseconds into buf; returns buf. */
#define DURATION_TEXT 40
const char *duration_text(int64_t ns, char buf[DURATION_TEXT]);

#endif
