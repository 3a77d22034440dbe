/*
 * The metadata of a list, read without making a tree of its items.
 */
#ifndef API_LIST_META_H
#define API_LIST_META_H

#include <stddef.h>

struct err;

struct list_meta {
	char *resource_version; /* "" when absent */
	char *next;             /* metadata.continue; "" on the last page */
};

void list_meta_fini(struct list_meta *meta);

/* You own *out's texts.  Fails if the text is not a JSON object up to its
 * metadata; absent metadata gives two empty texts. */
int list_meta_read(const char *text, size_t len, struct list_meta *out,
    struct err *err);

#endif
