#ifndef PAGE_BALANCE_JSON_H
#define PAGE_BALANCE_JSON_H

#include <stddef.h>

struct balance;
struct json_out;

/* The member `key`: the balance of a cluster where `placed` pods have been placed.
 * The form of `predicatectl diff -o json`. */
void balance_json(struct json_out *json, const char *key,
    const struct balance *b, size_t placed);

#endif
