/* Getters of documents. */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/doc_internal.h"

const struct doc_node *
doc_member(const struct doc_node *node, const char *key)
{
	if (node == NULL || node->kind != DOC_OBJECT)
		return NULL;
	EACH_CHILD (child, node)
		if (doc_same_key(child->key, key))
			return child;
	return NULL;
}

const struct doc_node *
doc_get(const struct doc_node *node, const char *key)
{
	const struct doc_node *child = doc_member(node, key);

	return child != NULL && child->kind != DOC_NULL ? child : NULL;
}

const struct doc_node *
doc_at(const struct doc_node *node, const char *path)
{
	char key[64];

	while (node != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");

		if (len >= sizeof(key))
			return NULL;
		memcpy(key, path, len);
		key[len] = '\0';
		node = doc_get(node, key);
		path += len + (path[len] == '.');
	}
	return node;
}

const struct doc_field *
doc_field(const struct doc_field *fields, const char *key)
{
	for (; fields->key != NULL; fields++)
		if (doc_same_key(fields->key, key))
			return fields;
	return NULL;
}

const char *
doc_kind_name(enum doc_kind kind)
{
	switch (kind) {
	case DOC_NULL:
		return "null";
	case DOC_BOOL:
		return "a boolean";
	case DOC_NUMBER:
		return "a number";
	case DOC_STRING:
		return "a string";
	case DOC_ARRAY:
		return "an array";
	case DOC_OBJECT:
		return "an object";
	}
	return "?";
}

const char *
doc_value_name(const struct doc_node *node)
{
	if (node->kind == DOC_STRING && node->len > 1) {
		if (node->text[0] == '<' && node->text[node->len - 1] == '>')
			return "a placeholder in '<>'";
		if (node->text[node->len - 1] == ',')
			return "a string with ',' at its end";
	}
	return doc_kind_name(node->kind);
}

/* 1: *out is the member, of the required kind; 0: absent. */
static int
get_kind(const struct doc_node *node, const char *key, const char *path,
    enum doc_kind kind, const struct doc_node **out, struct err *err)
{
	const struct doc_node *child = doc_get(node, key);

	if (child == NULL)
		return 0;
	if (child->kind != kind)
		return doc_errf(err, child, "%s must be %s, not %s", path,
		    doc_kind_name(kind), doc_value_name(child));
	*out = child;
	return 1;
}

int
doc_get_string(const struct doc_node *node, const char *key, const char *path,
    const char **out, struct err *err)
{
	const struct doc_node *child = NULL;
	int result = get_kind(node, key, path, DOC_STRING, &child, err);

	if (result == 1)
		*out = child->text;
	return result < 0 ? -1 : 0;
}

int
doc_get_bool(const struct doc_node *node, const char *key, const char *path,
    bool *out, struct err *err)
{
	const struct doc_node *child = NULL;
	int result = get_kind(node, key, path, DOC_BOOL, &child, err);

	if (result == 1)
		*out = child->boolean;
	return result < 0 ? -1 : 0;
}

int
doc_get_array(const struct doc_node *node, const char *key, const char *path,
    const struct doc_node **out, struct err *err)
{
	return get_kind(node, key, path, DOC_ARRAY, out, err) < 0 ? -1 : 0;
}

int
doc_get_object(const struct doc_node *node, const char *key, const char *path,
    const struct doc_node **out, struct err *err)
{
	return get_kind(node, key, path, DOC_OBJECT, out, err) < 0 ? -1 : 0;
}

/* Beyond this no number but 0 is within reach of an int64_t, however many
 * digits its text has. */
#define EXPONENT_MAX ((int64_t)1 << 40)

/* The power of ten after the 'e' of a JSON number. */
static int64_t
exponent_of(const char *text)
{
	const char *p = strpbrk(text, "eE");
	bool negative;
	int64_t exponent = 0;

	if (p == NULL)
		return 0;
	negative = p[1] == '-';
	p += p[1] == '-' || p[1] == '+' ? 2 : 1;
	for (; *p != '\0' && exponent < EXPONENT_MAX; p++)
		exponent = exponent * 10 + (*p - '0');
	return negative ? -exponent : exponent;
}

/* Appends a digit to a number that is kept negative: INT64_MIN has no
 * positive twin.  false: too big. */
static bool
push_digit(int64_t *value, int digit)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	    !__builtin_sub_overflow(*value, digit, value);
}

enum whole { WHOLE, FRACTION, TOO_BIG };

/* The exact value of a JSON number. */
static enum whole
whole_number(const char *text, int64_t *out)
{
	bool negative = *text == '-', point = false;
	int64_t exponent = exponent_of(text), value = 0;
	size_t zeros = 0; /* seen, but not yet pushed: they may be trailing */

	for (const char *p = text + negative; *p != '\0'; p++) {
		if (*p == 'e' || *p == 'E')
			break;
		if (*p == '.') {
			point = true;
			continue;
		}
		exponent -= point;
		if (*p == '0') {
			zeros++;
			continue;
		}
		for (; zeros > 0; zeros--)
			if (!push_digit(&value, 0))
				return TOO_BIG;
		if (!push_digit(&value, *p - '0'))
			return TOO_BIG;
	}
	exponent += (int64_t)zeros;
	if (value == 0)
		exponent = 0;
	if (exponent < 0)
		return FRACTION;
	for (; exponent > 0; exponent--)
		if (!push_digit(&value, 0))
			return TOO_BIG;
	if (!negative && __builtin_sub_overflow(0, value, &value))
		return TOO_BIG;
	*out = value;
	return WHOLE;
}

int
doc_get_int(const struct doc_node *node, const char *key, const char *path,
    int64_t min, int64_t max, int64_t *out, struct err *err)
{
	const struct doc_node *child = NULL;
	int result = get_kind(node, key, path, DOC_NUMBER, &child, err);
	enum whole whole;
	int64_t value = 0;

	if (result != 1)
		return result;
	whole = whole_number(child->text, &value);
	if (whole == FRACTION)
		return doc_errf(err, child, "%s must be a whole number, not %s",
		    path, child->text);
	if (whole == TOO_BIG || value < min || value > max)
		return doc_errf(err, child,
		    "%s must be between %" PRId64 " and %" PRId64 ", not %s",
		    path, min, max, child->text);
	*out = value;
	return 0;
}

/* Of a type that is no text. */
static int
get_number(const struct doc_node *node, const char *key, const char *path,
    const char *type, void *out, struct err *err)
{
	int64_t min = INT64_MIN, max = INT64_MAX, value = 0;

	if (*type == 'b')
		return doc_get_bool(node, key, path, out, err);
	if (*type == 'i') {
		min = INT32_MIN;
		max = INT32_MAX;
		value = *(int32_t *)out;
	} else if (*type == 'u') {
		min = 0;
		max = UINT32_MAX;
		value = *(uint32_t *)out;
	} else {
		value = *(int64_t *)out;
	}
	if (type[1] >= '0' && type[1] <= '9') {
		min = 0;
		max = strtoll(type + 1, NULL, 10);
	}
	if (doc_get_int(node, key, path, min, max, &value, err) != 0)
		return -1;
	if (*type == 'i')
		*(int32_t *)out = (int32_t)value;
	else if (*type == 'u')
		*(uint32_t *)out = (uint32_t)value;
	else
		*(int64_t *)out = value;
	return 0;
}

int
doc_get_members(const struct doc_node *node, const char *prefix,
    struct err *err, const char *fmt, ...)
{
	va_list ap;
	int rc = 0;

	va_start(ap, fmt);
	while (rc == 0 && *fmt != '\0') {
		size_t len = strcspn(fmt, ":");
		AUTOFREE char *key = xstrndup(fmt, len);
		AUTOFREE char *path = xasprintf("%s%s", prefix, key);
		const char *type = fmt + len + 1;

		rc = *type == 's' ?
		    doc_get_string(node, key, path, va_arg(ap, const char **),
			err) :
		    get_number(node, key, path, type, va_arg(ap, void *), err);
		fmt = type + strcspn(type, " ");
		fmt += *fmt == ' ';
	}
	va_end(ap);
	return rc;
}
