/* JSON as YAML in block style, for people. */
#ifndef CTL_YAML_OUT_H
#define CTL_YAML_OUT_H

#include <stddef.h>
#include <stdio.h>

/* Writes len bytes of JSON that we have made, with a line break at the end.  All
 * strings are in quotes, so that none is taken for something else. */
void yaml_write(const char *json, size_t len, FILE *out);

#endif
