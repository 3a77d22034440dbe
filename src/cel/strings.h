/* Functions of strings. */
#ifndef CEL_STRINGS_H
#define CEL_STRINGS_H

#include "cel/cel_internal.h"

function_run string_contains, string_ends_with, string_starts_with,
    string_char_at, string_index_of, string_last_index_of, string_lower,
    string_upper, string_replace, string_split, string_substring, string_trim,
    string_quote, string_join, string_format, string_matches, string_find,
    string_find_all;

#endif
