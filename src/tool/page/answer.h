/*
 * The JSON interface of predicatectl (doc/web.md): that of both pages
 * (daemon/page/answer.h), other policies, and commands.
 */
#ifndef PAGE_ANSWER_H
#define PAGE_ANSWER_H

#include "daemon/page/answer.h"

/* Whether there is such a path at all, and whether it is read or posted to. */
bool web_has_path(const char *path, bool *get, bool *post);

/* The path is there, with this method. */
void web_answer(const struct web_view *view,
    const struct server_request *request, struct reply *reply);

#endif
