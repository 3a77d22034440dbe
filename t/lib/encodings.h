/* Answers of the API server that are to say the same in JSON and in protobuf. */
#ifndef T_LIB_ENCODINGS_H
#define T_LIB_ENCODINGS_H

#include <stdbool.h>

struct text;

/*
 * what: "object"; "list", whose elements are compared, and its metadata; or
 * "watch", a stream of events.  NULL: the same values, members of objects in any
 * order.  Otherwise you own a text with the first difference:
 * ".spec.containers[0].name: \"a\", nothing".
 */
char *encodings_difference(const char *what, const struct text *json,
    const struct text *protobuf);

/* A whole file, which may hold any bytes; false: errno says why. */
bool encodings_load(const char *path, struct text *text);

#endif
