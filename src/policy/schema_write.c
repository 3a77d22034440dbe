/* Objects as they are logged, by the tables of their fields. */
#include "config.h"

#include <ctype.h>

#include "base/duration.h"
#include "base/json_out.h"
#include "policy/schema.h"

static const void *
member_of(const void *object, const struct field *field)
{
	return (const char *)object + field->offset;
}

/* The field's name in Go. */
static const char *
capital(const char *name, char buf[64])
{
	size_t n = strlen(name);

	n = n < 63 ? n : 63;
	memcpy(buf, name, n);
	buf[n] = '\0';
	buf[0] = (char)toupper((unsigned char)buf[0]);
	return buf;
}

static bool
is_written(const struct field *field, enum text_version version,
    const void *object)
{
	const struct item *item = object;
	const void *value = member_of(object, field);

	if (field->written == WRITTEN_NEVER ||
	    (field->versions != 0 &&
		(field->versions & VERSION_BIT(version)) == 0))
		return false;
	if (field->written == WRITTEN_ALWAYS)
		return true;
	if (field->kind == FIELD_OBJECTS || field->kind == FIELD_STRINGS)
		return ((const struct list *)value)->n > 0;
	if (field->kind == FIELD_OBJECT || field->kind == FIELD_STRING)
		return *(const void *const *)value != NULL;
	return doc_get(item->at, field->name) != NULL;
}

/* Recursive as the tables are. */
static void
put_object(struct json_out *json, enum text_version version,
    const struct schema *schema, const void *object)
{
	if (object == NULL) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '{');
	schema_json(json, version, schema, object);
	json_close(json, '}');
}

static void
put_list(struct json_out *json, enum text_version version,
    const struct schema *schema, const struct list *list)
{
	const struct string_value *strings = list->items;

	if (!list->given) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '[');
	for (size_t i = 0; i < list->n; i++)
		if (schema != NULL)
			put_object(json, version, schema,
			    (const char *)list->items + i * schema->size);
		else
			json_string(json, strings[i].text);
	json_close(json, ']');
}

static void
put_value(struct json_out *json, enum text_version version,
    const struct field *field, bool by_value, const void *value)
{
	char text[DURATION_TEXT];

	if (field->kind == FIELD_STRING)
		json_string(json, or_empty(*(const char *const *)value));
	else if (field->kind == FIELD_BOOL)
		json_bool(json, *(const bool *)value);
	else if (field->kind == FIELD_DURATION)
		json_string(json, duration_text(*(const int64_t *)value, text));
	else if (field->kind == FIELD_OBJECT && by_value &&
	    *(const void *const *)value == NULL)
		json_raw(json, "{}");
	else if (field->kind == FIELD_OBJECT)
		put_object(json, version, field->of,
		    *(const void *const *)value);
	else if (field->kind == FIELD_OBJECTS || field->kind == FIELD_STRINGS)
		put_list(json, version, field->of, value);
	else
		json_int(json, *(const int64_t *)value);
}

void
schema_json(struct json_out *json, enum text_version version,
    const struct schema *schema, const void *object)
{
	for (size_t i = 0; i < schema->nfields; i++) {
		const struct field *field = &schema->fields[i];
		char buf[64];

		if (!is_written(field, version, object))
			continue;
		json_key(json,
		    schema->of_api ? field->name : capital(field->name, buf));
		/* API types that must have an object have no pointer to it. */
		put_value(json, version, field, schema->of_api,
		    member_of(object, field));
	}
}
