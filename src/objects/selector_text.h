/* Selectors of labels as people write them on command lines. */
#ifndef MODEL_SELECTOR_TEXT_H
#define MODEL_SELECTOR_TEXT_H

#include "objects/selector.h"

/*
 * "app=web,tier!=db,zone in (a, b),size notin (s),gpu,!old,cores>4", as kubectl -l; in the
 * arena.  An empty text matches everything.  -1: err says what is wrong.
 */
int selector_from_text(struct arena *arena, const char *text,
    struct selector *out, struct err *err);

#endif
