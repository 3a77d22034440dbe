/* The table is that of Kubernetes' protobuf messages, whose fields have the
 * names of JSON. */
#include "config.h"

#include "ctl/pod_fields.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/xmalloc.h"
#include "ctl/ctl.h"
#include "policy/policy.h"

enum message {
#define MESSAGE(name, ...) MESSAGE_##name,
#include "api/protobuf_table.h"
#undef MESSAGE
	MESSAGES, /* no message */
};

struct field {
	const char *name; /* "": its fields stand in the message around it */
	enum message message;
};

struct message_fields {
	size_t n;
	const struct field *at;
};

/* clang-format off */
#define FIELD(number, name, kind, count, when) { name, MESSAGES }
#define MESSAGE_FIELD(number, name, message, count, when) \
	{ name, MESSAGE_##message }
#define MESSAGE(name, ...)                                                    \
	[MESSAGE_##name] = {                                                  \
		sizeof((const struct field[]){ __VA_ARGS__ }) /               \
		    sizeof(struct field),                                     \
		(const struct field[]){ __VA_ARGS__ },                        \
	},
static const struct message_fields messages[] = {
#include "api/protobuf_table.h"
};
/* clang-format on */
#undef MESSAGE
#undef MESSAGE_FIELD
#undef FIELD

#define NAMES_MAX 128

static const struct field *
find(enum message message, const char *key)
{
	const struct message_fields *fields = &messages[message];
	const struct field *found = NULL;

	for (size_t i = 0; found == NULL && i < fields->n; i++) {
		const struct field *field = &fields->at[i];

		if (strcmp(field->name, key) == 0)
			found = field;
		else if (field->name[0] == '\0' && field->message != MESSAGES)
			found = find(field->message, key);
	}
	return found;
}

static size_t
add_names(enum message message, const char **names, size_t n)
{
	const struct message_fields *fields = &messages[message];

	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->at[i];

		if (field->name[0] != '\0' && n < NAMES_MAX)
			names[n++] = field->name;
		else if (field->message != MESSAGES)
			n = add_names(field->message, names, n);
	}
	return n;
}

static void
say_unknown(enum message message, const struct doc_node *node, const char *path)
{
	const char *names[NAMES_MAX];
	size_t n = add_names(message, names, 0);
	const char *best = closest_name(node->key, names, n);

	ctl_say("warning: %s:%" PRIu32 ":%" PRIu32
		": %s: unknown field, ignored%s%s%s",
	    doc_name(node->doc), node->line, node->column, path,
	    best != NULL ? "; did you mean \"" : "", best != NULL ? best : "",
	    best != NULL ? "\"?" : "");
}

/* path is that of the node, "" for the pod. */
static void
walk(enum message message, const struct doc_node *node, const char *path)
{
	size_t i = 0;

	if (node->kind != DOC_OBJECT && node->kind != DOC_ARRAY)
		return;
	for (const struct doc_node *p = node->first; p != NULL; p = p->next) {
		const struct field *field;
		AUTOFREE char *its_path = NULL;

		if (node->kind == DOC_ARRAY) {
			its_path = xasprintf("%s[%zu]", path, i++);
			walk(message, p, its_path);
			continue;
		}
		if (path[0] == '\0' &&
		    (strcmp(p->key, "apiVersion") == 0 ||
			strcmp(p->key, "kind") == 0))
			continue;
		its_path =
		    xasprintf("%s%s%s", path, path[0] ? "." : "", p->key);
		field = find(message, p->key);
		if (field == NULL)
			say_unknown(message, p, its_path);
		else if (field->message != MESSAGES)
			walk(field->message, p, its_path);
	}
}

void
pod_fields_say_unknown(const struct doc_node *pod)
{
	walk(MESSAGE_Pod, pod, "");
}
