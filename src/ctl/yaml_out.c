#include "config.h"

#include "ctl/yaml_out.h"

#include <ctype.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"

static void put(struct text *text, const struct doc_node *node, size_t depth);

static void
indent(struct text *text, size_t depth)
{
	text_put(text, "\n");
	for (size_t i = 0; i < depth; i++)
		text_put(text, "  ");
}

/* A key without quotes; no key of ours is a word of YAML's. */
static void
put_key(struct text *text, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)key[i])) {
			json_put_key(text, key);
			return;
		}
	text_put(text, key);
}

static void
put_children(struct text *text, const struct doc_node *node, size_t depth,
    bool inline_first)
{
	for (const struct doc_node *at = node->first; at != NULL;
	     at = at->next) {
		if (!inline_first || at != node->first)
			indent(text, depth);
		if (node->kind == DOC_ARRAY) {
			text_put(text, "- ");
			put(text, at, depth + 1);
			continue;
		}
		put_key(text, at->key);
		text_put(text, ":");
		if (at->count == 0)
			text_put(text, " ");
		put(text, at, at->kind == DOC_ARRAY ? depth : depth + 1);
	}
}

/* A value after its key or dash.  In a list, an object begins on the line of the
 * dash. */
static void
put(struct text *text, const struct doc_node *node, size_t depth)
{
	if (node->count == 0)
		json_put_node(text, node);
	else
		put_children(text, node, depth, node->key == NULL && depth > 0);
}

void
yaml_write(const char *json, size_t len, FILE *out)
{
	struct text text = { 0 };
	struct err err;
	struct doc *doc =
	    doc_parse("output", json, len, &doc_limits_people, &err);

	if (doc == NULL) {
		fwrite(json, 1, len, out); /* JSON is YAML, too */
		return;
	}
	put_children(&text, doc_root(doc), 0, true);
	text_put(&text, "\n");
	text_write(&text, out);
	doc_free(doc);
}
