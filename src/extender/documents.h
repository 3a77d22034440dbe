/*
 * Nodes and pods as JSON, as the API server gave them: extenders want to see
 * whole objects, of which the model keeps only what rules look at.
 *
 * What the watch brings is kept while somebody needs it; what is missing then
 * (because nobody needed it when it came) is fetched.  Objects are known by
 * their path on the API server.
 */
#ifndef EXTENDER_DOCUMENTS_H
#define EXTENDER_DOCUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/object.h"

struct api_client;
struct doc_node;
struct documents;
struct documents_fetch;
struct object;

struct documents *documents_new(struct api_client *client);
void documents_free(struct documents *documents); /* accepts NULL */

/* What is to be kept from now on of what the watch brings; what is no longer
 * is forgotten. */
void documents_keep(struct documents *documents, bool nodes, bool pods);

/* Whether objects of this kind are kept. */
bool documents_want(const struct documents *documents, enum object_kind kind);

/* The watch has brought this node, or this pod that waits; root is NULL when its
 * document cannot be read in whole. */
void documents_put(struct documents *documents, const struct object *object,
    const struct doc_node *root);
/* It is gone, or not needed any more. */
void documents_remove(struct documents *documents, const struct object *object);

/* Its JSON, without kind, apiVersion and managedFields; NULL when it is not
 * here.  Valid until it changes. */
const char *documents_get(const struct documents *documents,
    const struct object *object);

/*
 * Fetches those of the objects (nodes and pods) that are not here.  done() is
 * called from the event loop when all are, or cannot be had; NULL: there is
 * nothing to fetch, done() will not be called.
 */
struct documents_fetch *documents_fetch(struct documents *documents,
    const struct object *const *objects, size_t n, void (*done)(void *arg),
    void *arg);
/* done() comes no more; accepts NULL. */
void documents_cancel(struct documents_fetch *fetch);

#endif
