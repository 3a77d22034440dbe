#include "config.h"

#include "objects/validation.h"

#include <stdio.h>

#include "base/arena.h"

#define NAME_MAX_LEN 63       /* of a name or a label value */
#define SUBDOMAIN_MAX_LEN 253 /* RFC 1123 */

#define NAME_RULE                                                              \
	"must consist of alphanumeric characters, '-', '_' or '.', and must "  \
	"start and end with an alphanumeric character"
#define NAME_REGEX "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define NAME_EXAMPLES                                                          \
	" (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "       \
	"validation is '" NAME_REGEX "')"
#define SUBDOMAIN_RULE                                                         \
	"a DNS-1123 subdomain must consist of lower case alphanumeric "        \
	"characters, '-' or '.', and must start and end with an alphanumeric " \
	"character (e.g. 'example.com', regex used for validation is "         \
	"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define SUBDOMAIN_LENGTH "must be no more than 253 characters"
#define NAME_LENGTH "must be no more than 63 characters"
#define EMPTY "must be non-empty"

static const char qualified_name_rule[] =
    "a qualified name " NAME_RULE NAME_EXAMPLES
    " with an optional DNS subdomain prefix and '/' "
    "(e.g. 'example.com/MyName')";
static const char label_value_rule[] =
    "a valid label must be an empty string "
    "or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(" NAME_REGEX ")?')";

static bool
is_lower_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
is_alnum(char c)
{
	return is_lower_alnum(c) || (c >= 'A' && c <= 'Z');
}

/* NAME_REGEX; the length is another matter. */
static bool
is_name(const char *text, size_t len)
{
	if (len == 0 || !is_alnum(text[0]) || !is_alnum(text[len - 1]))
		return false;
	return !ANY(i, len,
	    !is_alnum(text[i]) && text[i] != '-' && text[i] != '_' &&
		text[i] != '.');
}

/* Labels of [-a-z0-9] between dots; no label begins or ends in '-'. */
static bool
is_subdomain(const char *text, size_t len)
{
	char last = '.';

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '.'     ? !is_lower_alnum(last) :
			c == '-' ? last == '.' :
				   !is_lower_alnum(c))
			return false;
		last = c;
	}
	return is_lower_alnum(last);
}

static size_t
add_message(const char *messages[], size_t n, const char *message)
{
	if (messages)
		messages[n] = message;
	return n + 1;
}

size_t
validate_dns1123_subdomain(const char *text, size_t len,
    const char *messages[VALIDATION_MAX])
{
	size_t n = 0;

	if (len > SUBDOMAIN_MAX_LEN)
		n = add_message(messages, n, SUBDOMAIN_LENGTH);
	if (!is_subdomain(text, len))
		n = add_message(messages, n, SUBDOMAIN_RULE);
	return n;
}

static size_t
validate_prefix(const char *text, size_t len, const char *messages[])
{
	size_t n = 0;

	if (len == 0)
		return add_message(messages, n, "prefix part " EMPTY);
	if (len > SUBDOMAIN_MAX_LEN)
		n = add_message(messages, n, "prefix part " SUBDOMAIN_LENGTH);
	if (!is_subdomain(text, len))
		n = add_message(messages, n, "prefix part " SUBDOMAIN_RULE);
	return n;
}

size_t
validate_qualified_name(const char *text, size_t len,
    const char *messages[VALIDATION_MAX])
{
	const char *slash = memchr(text, '/', len);
	const char *name = slash ? slash + 1 : text;
	size_t name_len = len - (size_t)(name - text);
	size_t n = 0;

	if (slash && memchr(name, '/', name_len))
		return add_message(messages, n, qualified_name_rule);
	if (slash)
		n = validate_prefix(text, (size_t)(slash - text), messages);
	if (name_len == 0)
		n = add_message(messages, n, "name part " EMPTY);
	if (name_len > NAME_MAX_LEN)
		n = add_message(messages, n, "name part " NAME_LENGTH);
	if (!is_name(name, name_len))
		n = add_message(messages, n,
		    "name part " NAME_RULE NAME_EXAMPLES);
	return n;
}

size_t
validate_label_value(const char *text, size_t len,
    const char *messages[VALIDATION_MAX])
{
	size_t n = 0;

	if (len > NAME_MAX_LEN)
		n = add_message(messages, n, NAME_LENGTH);
	if (len > 0 && !is_name(text, len))
		n = add_message(messages, n, label_value_rule);
	return n;
}

static bool
has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool
is_prefixed_native(const char *name)
{
	return strstr(name, "kubernetes.io/") != NULL;
}

bool
resource_is_native(const char *name)
{
	return strchr(name, '/') == NULL || is_prefixed_native(name);
}

bool
resource_is_huge_page(const char *name)
{
	return has_prefix(name, "hugepages-");
}

bool
resource_is_attachable_volume(const char *name)
{
	return has_prefix(name, "attachable-volumes-");
}

/* "requests." and the name must be a qualified name: quotas use it so. */
bool
resource_is_extended(const char *name)
{
	char quota[SUBDOMAIN_MAX_LEN + 1 + NAME_MAX_LEN + 1];
	int len;

	if (resource_is_native(name) || has_prefix(name, "requests."))
		return false;
	len = snprintf(quota, sizeof(quota), "requests.%s", name);
	return (size_t)len < sizeof(quota) &&
	    validate_qualified_name(quota, (size_t)len, NULL) == 0;
}

bool
resource_is_scalar(const char *name)
{
	return resource_is_extended(name) || resource_is_huge_page(name) ||
	    is_prefixed_native(name) || resource_is_attachable_volume(name);
}
