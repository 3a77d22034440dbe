#include "config.h"

#include "api/list_meta.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"

void
list_meta_fini(struct list_meta *meta)
{
	free(meta->resource_version);
	free(meta->next);
	*meta = (struct list_meta){ 0 };
}

static const char *
skip_space(const char *at, const char *end)
{
	while (at < end &&
	    (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
		at++;
	return at;
}

/* Behind the string that begins at `at` with its quote. */
static const char *
skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\')
			at++;
	return at < end ? at + 1 : end;
}

/* Returns the end of the value: it is only measured here, its reader validates
 * it. */
static const char *
skip_value(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
			if (depth == 0)
				return at;
			continue;
		}
		if (*at == '{' || *at == '[')
			depth++;
		else if ((*at == '}' || *at == ']' || *at == ',') && depth == 0)
			return at;
		else if (*at == '}' || *at == ']')
			if (--depth == 0)
				return at + 1;
		at++;
	}
	return end;
}

static int
read_meta(const char *text, size_t len, struct list_meta *out, struct err *err)
{
	struct doc *doc =
	    doc_parse("list metadata", text, len, &doc_limits_people, err);
	const char *version = "", *next = "";
	int result = -1;

	if (doc == NULL)
		return -1;
	if (doc_get_string(doc_root(doc), "resourceVersion",
		"metadata.resourceVersion", &version, err) == 0 &&
	    doc_get_string(doc_root(doc), "continue", "metadata.continue",
		&next, err) == 0) {
		out->resource_version = xstrdup(version);
		out->next = xstrdup(next);
		result = 0;
	}
	doc_free(doc);
	return result;
}

int
list_meta_read(const char *text, size_t len, struct list_meta *out,
    struct err *err)
{
	static const char wanted[] = "\"metadata\"";
	const char *at, *end = text + len, *key, *value;
	bool found;

	at = skip_space(text, end);
	if (at == end || *at != '{')
		return errf(err, "a list must be a JSON object");
	at = skip_space(at + 1, end);
	while (at < end && *at == '"') {
		key = at;
		at = skip_string(at, end);
		found = (size_t)(at - key) == sizeof(wanted) - 1 &&
		    memcmp(key, wanted, sizeof(wanted) - 1) == 0;
		at = skip_space(at, end);
		if (at == end || *at != ':')
			return errf(err, "a list must be a JSON object");
		value = skip_space(at + 1, end);
		at = skip_value(value, end);
		if (found && value < at)
			return read_meta(value, (size_t)(at - value), out, err);
		at = skip_space(at, end);
		if (at < end && *at == ',')
			at = skip_space(at + 1, end);
	}
	if (at == end)
		return errf(err, "the list is truncated");
	out->resource_version = xstrdup("");
	out->next = xstrdup("");
	return 0;
}
