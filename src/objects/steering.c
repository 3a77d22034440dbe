#include "config.h"

#include "objects/steering.h"

#include <assert.h>

#include "base/doc.h"
#include "objects/kinds.h"

#define UNSUPPORTED(id, name, group, kind, path, since, why)                   \
	[UNSUPPORTED_##id] = { name, group, kind, path, since, why,            \
		path " is not supported: " why },
const struct unsupported_field unsupported_fields[UNSUPPORTED_FIELDS] = {
#include "objects/steering_table.h"
};
#undef UNSUPPORTED

static_assert(UNSUPPORTED_FIELDS <= 32, "sets of fields have 32 bits");

bool
unsupported_holds(enum unsupported field)
{
	return strcmp(unsupported_fields[field].kind, "Pod") == 0;
}

static int
parse_one(const char *name, size_t len, uint32_t *out, struct err *err)
{
	AUTOFREE char *names = xstrdup("");

	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++) {
		const char *known = unsupported_fields[i].name;
		char *longer;

		if (strlen(known) == len && strncmp(known, name, len) == 0) {
			*out |= UNSUPPORTED_BIT(i);
			return 0;
		}
		if (!unsupported_holds(i))
			continue;
		longer = xasprintf("%s%s%s", names,
		    names[0] != '\0' ? ", " : "", known);
		free(names);
		names = longer;
	}
	return errf(err, "there is no unsupported field \"%.*s\"; there are %s",
	    len < 100 ? (int)len : 100, name, names);
}

const char *
unsupported_name(size_t i)
{
	for (enum unsupported field = 0; field < UNSUPPORTED_FIELDS; field++)
		if (unsupported_holds(field) && i-- == 0)
			return unsupported_fields[field].name;
	return NULL;
}

int
unsupported_parse(const char *text, uint32_t *out, struct err *err)
{
	uint32_t set = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, ",");

		if (parse_one(text, len, &set, err) != 0)
			return -1;
		text += len + (text[len] == ',');
	}
	*out = set;
	return 0;
}

/* Go leaves out zero values: "", false and empty lists are as if they were absent. */
static bool
is_nonzero(const struct doc_node *node)
{
	if (node == NULL)
		return false;
	switch (node->kind) {
	case DOC_BOOL:
		return node->boolean;
	case DOC_STRING:
		return node->len > 0;
	case DOC_ARRAY:
		return node->count > 0;
	default:
		return true;
	}
}

/* "group/v1" is of this group, "v1" of "".  Elements of a list may lack their
 * apiVersion. */
static bool
is_of_group(const char *api_version, const char *group)
{
	size_t len = strlen(group);

	if (api_version[0] == '\0')
		return true;
	if (len == 0)
		return strchr(api_version, '/') == NULL;
	return strncmp(api_version, group, len) == 0 && api_version[len] == '/';
}

static uint32_t
set_of(const struct doc_node *root, const char *api_version, const char *kind)
{
	uint32_t set = 0;

	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++) {
		const struct unsupported_field *f = &unsupported_fields[i];

		if (strcmp(f->kind, kind) != 0 ||
		    !is_of_group(api_version, f->group) ||
		    strchr(f->path, '[') != NULL)
			continue;
		if (is_nonzero(doc_at(root, f->path)))
			set |= UNSUPPORTED_BIT(i);
	}
	return set;
}

uint32_t
unsupported_of_pod(const struct doc_node *root)
{
	return set_of(root, "", "Pod");
}

uint32_t
unsupported_of_resource(const char *name)
{
	static const char prefix[] = "deviceclass.resource.kubernetes.io/";

	return strncmp(name, prefix, strlen(prefix)) == 0 ?
	    UNSUPPORTED_BIT(UNSUPPORTED_DEVICE_CLASS_RESOURCES) :
	    0;
}

uint32_t
unsupported_of_object(const struct doc_node *root, const char *api_version,
    const char *kind)
{
	return set_of(root, api_version, kind);
}

bool
steering_has_kind(const char *kind)
{
	for (size_t i = 0; i < OBJECT_KINDS; i++)
		if (strcmp(object_kind_name(api_kinds[i].kind), kind) == 0)
			return api_kinds[i].need == KIND_ALWAYS ||
			    api_kinds[i].need == KIND_FOR_NEW_PODS;
	return false;
}
