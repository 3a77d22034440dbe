/*
 * Nodes and pods as JSON, as the API server sent them: extenders need whole
 * objects, and the model keeps only the fields that rules read.
 *
 * Objects from the watch are kept while an extender needs them; those that are
 * missing then (because no extender needed them when they arrived) are fetched.
 * The key of an object is its path on the API server.
 */
#ifndef EXTENDER_DOCUMENTS_H
#define EXTENDER_DOCUMENTS_H

#include "objects/object.h"

struct api_client;
struct doc_node;
struct documents;
struct documents_fetch;

struct documents *documents_new(struct api_client *client);
void documents_free(struct documents *documents); /* accepts NULL */

/* Sets which objects from the watch are kept from now on; the others are
 * dropped. */
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
 * called from the event loop when all are here or unavailable; NULL: there is
 * nothing to fetch, done() will not be called.
 */
struct documents_fetch *documents_fetch(struct documents *documents,
    const struct object *const *objects, size_t n, void (*done)(void *arg),
    void *arg);
/* done() will not be called; accepts NULL. */
void documents_cancel(struct documents_fetch *fetch);

#endif
