/*
 * Named formats: the checks of names in Kubernetes' API, with its sentences.  ≠: all
 * texts that are no URL have one sentence.
 */
#include "config.h"

#include <arpa/inet.h>
#include <assert.h>

#include "base/text.h"
#include "cel/cel_internal.h"

enum format {
#define FORMAT(name) FORMAT_##name,
	NAMED_FORMATS(FORMAT) FORMATS
#undef FORMAT
};

#define FORMAT(name)                                                           \
	FUNCTION(format_##name,                                                \
	    ((struct cel_value){ .kind = CEL_FORMAT,                           \
		.integer = FORMAT_##name }))
NAMED_FORMATS(FORMAT)
#undef FORMAT

#define LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define SUBDOMAIN LABEL "(\\." LABEL ")*"
#define LABEL_1035 "[a-z]([-a-z0-9]*[a-z0-9])?"
#define KEY "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define HEX "[0-9a-f]"

/* clang-format off */
static const struct named_format {
	const char *name;
	uint64_t size; /* of a regular expression, for costs */
	size_t most;   /* bytes; 0: any */
	const char *regex, *rule, *examples;
} formats[FORMATS] = {
#define DNS_1123(name) { name, 30, 63, LABEL, \
	"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " \
	"and must start and end with an alphanumeric character", "'my-name',  or '123-abc'" }
#define DNS_SUBDOMAIN(name) { name, 60, 253, SUBDOMAIN, \
	"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " \
	"and must start and end with an alphanumeric character", "'example.com'" }
#define DNS_1035(name) { name, 30, 63, LABEL_1035, \
	"a DNS-1035 label must consist of lower case alphanumeric characters or '-', " \
	"start with an alphabetic character, and end with an alphanumeric character", "'my-name',  or 'abc-123'" }
	[FORMAT_dns1123Label] = DNS_1123("dns1123Label"),
	[FORMAT_dns1123LabelPrefix] = DNS_1123("dns1123LabelPrefix"),
	[FORMAT_dns1123Subdomain] = DNS_SUBDOMAIN("dns1123Subdomain"),
	[FORMAT_dns1123SubdomainPrefix] = DNS_SUBDOMAIN("dns1123SubdomainPrefix"),
	[FORMAT_dns1035Label] = DNS_1035("dns1035Label"),
	[FORMAT_dns1035LabelPrefix] = DNS_1035("dns1035LabelPrefix"),
	/* the name behind '/' */
	[FORMAT_qualifiedName] = { "qualifiedName", 60, 63, KEY,
		"must consist of alphanumeric characters, '-', '_' or '.', "
		"and must start and end with an alphanumeric character", "'MyName',  or 'my.name',  or '123-abc'" },
	[FORMAT_labelValue] = { "labelValue", 40, 63, "(" KEY ")?",
		"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
		"and must start and end with an alphanumeric character", "'MyValue',  or 'my_value',  or '12345'" },
	[FORMAT_uri] = { "uri", 1103, 0, NULL, NULL, NULL },
	[FORMAT_uuid] = { "uuid", 70, 0, "(?i)" HEX "{8}-?" HEX "{4}-?" HEX "{4}-?" HEX "{4}-?" HEX "{12}",
		"does not match the UUID format", NULL },
	[FORMAT_byte] = { "byte", 84, 0,
		"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})", "invalid base64", NULL },
	[FORMAT_date] = { "date", 71, 0, NULL, "invalid date", NULL },
	[FORMAT_datetime] = { "datetime", 71, 0,
		"(?i)([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})", "invalid datetime", NULL },
};
/* clang-format on */

uint64_t
format_size(const struct cel_value *value)
{
	return formats[value->integer].size;
}

struct cel_value
format_named(struct run *run, const struct cel_value *args, size_t n)
{
	struct cel_value found = { .kind = CEL_FORMAT };

	while (found.integer < FORMATS &&
	    (strlen(formats[found.integer].name) != args[0].len ||
		memcmp(formats[found.integer].name, args[0].text,
		    args[0].len) != 0))
		found.integer++;
	return cel_optional(run, found.integer < FORMATS ? &found : NULL);
}

/* The text, all of it, matches one of the patterns of this file, each of which is
 * compiled once. */
static bool
matches(struct run *run, const char *s, size_t len, const char *pattern)
{
	static struct arena arena = ARENA_INIT;
	static struct {
		const char *pattern;
		struct regex *regex;
	} known[32];
	size_t i = 0, start, end;
	struct err err;

	while (known[i].pattern != NULL && known[i].pattern != pattern)
		i++;
	if (known[i].pattern == NULL) {
		const char *whole = arena_printf(&arena, "^(?:%s)$", pattern);

		assert(i + 1 < LENGTH(known));
		known[i].pattern = pattern;
		known[i].regex =
		    regex_compile(&arena, whole, strlen(whole), &err);
	}
	return regex_match(run, known[i].regex, s, len, 0, &start, &end);
}

/* ---- URLs, as Go's url.ParseRequestURI() ---- */

#define SCHEME "[A-Za-z][-+.A-Za-z0-9]*:"
#define ESCAPE "%[0-9A-Fa-f]{2}"
#define PATH "([^%?]|" ESCAPE ")*"
#define QUERY "(\\?.*)?"
#define USER "(([-A-Za-z0-9._:~!$&'()*+,;=@]|" ESCAPE ")*@)?"
#define NAME                                                                   \
	"([-A-Za-z0-9_.~!$&'()*+,;=<>\"\\]]|[^\\x00-\\x7f]|%25|"               \
	"%[89A-Fa-f][0-9A-Fa-f])*"
#define ZONED                                                                  \
	"([-A-Za-z0-9_.~!$&'()*+,;=<>\"\\]:]|[^\\x00-\\x7f]|"                  \
	"%(2[0-24-9A-Ea-e]|3[0-9A-Ea-e]|4[1-9A-Fa-f]|5[0-9ABDFabdf]|"          \
	"6[1-9A-Fa-f]|7[0-9AEae]))+"
#define PORT "(:[0-9]*)?"

/* The address behind the first '[' is one of IPv6. */
static bool
has_address(const char *s)
{
	const char *from = strchr(s, '[') + 1;
	char text[INET6_ADDRSTRLEN] = "";
	size_t len = strcspn(from, "]%");
	uint8_t bytes[16];

	if (len >= sizeof(text))
		return false;
	memcpy(text, from, len);
	return inet_pton(AF_INET6, text, bytes) == 1;
}

/* s ends with a NUL. */
static bool
is_request_uri(struct run *run, const char *s, size_t len)
{
	static const char plain[] =
	    "\\*|" SCHEME "([^/].*)?|/" PATH QUERY "|" SCHEME
	    "/(([^/%?]|" ESCAPE ")" PATH ")?" QUERY;
	static const char http[] =
	    "(?i)https?://" USER NAME PORT "(/" PATH ")?" QUERY;
	static const char other[] =
	    SCHEME "//" USER NAME "((:" NAME ")*:[0-9]*)?(/" PATH ")?" QUERY;
	static const char literal[] =
	    SCHEME "//" USER "\\[[0-9A-Fa-f:.]*(%25" ZONED ")?\\]" PORT
		   "(/" PATH ")?" QUERY;

	for (size_t i = 0; i < len; i++)
		if ((uint8_t)s[i] < ' ' || s[i] == 0x7f)
			return false;
	return matches(run, s, len, plain) || matches(run, s, len, http) ||
	    (!matches(run, s, len, "(?i)https?://.*") &&
		matches(run, s, len, other)) ||
	    (matches(run, s, len, literal) && has_address(s));
}

struct cel_value
is_url(struct run *run, const struct cel_value *args, size_t n)
{
	const char *s = arena_strndup(run->arena, args[0].text, args[0].len);

	return cel_bool(is_request_uri(run, s, args[0].len));
}

/* ---- formats ---- */

/* Why the text has not the format, up to two sentences about a part of it; returns how
 * many. */
static size_t
check(struct run *run, enum format format, const char *s, size_t len,
    const char *part, struct cel_value *out)
{
	const struct named_format *f = &formats[format];
	size_t n = 0;

	if (f->most > 0 && len > f->most)
		out[n++] = cel_text(run, "%smust be no more than %zu bytes",
		    part, f->most);
	if (matches(run, s, len, f->regex))
		return n;
	if (strcmp(f->regex, LABEL) == 0 && matches(run, s, len, SUBDOMAIN))
		out[n] = cel_string("must not contain dots");
	else if (f->examples == NULL)
		out[n] = cel_string(f->rule);
	else
		out[n] = cel_text(run,
		    "%s%s (e.g. %s, regex used for validation is '%s')", part,
		    f->rule, f->examples, f->regex);
	return n + 1;
}

static size_t
check_qualified_name(struct run *run, const char *s, size_t len,
    struct cel_value *out)
{
	const char *slash = memchr(s, '/', len);
	const char *name = slash != NULL ? slash + 1 : s, *end = s + len;
	size_t n = 0;

	if (memchr(name, '/', (size_t)(end - name)) != NULL && slash != NULL) {
		check(run, FORMAT_qualifiedName, "", 0, "a valid label key ",
		    out);
		out[0] = cel_text(run,
		    "%.*s with an optional DNS subdomain prefix and '/' (e.g. "
		    "'example.com/MyName')",
		    (int)out[0].len, out[0].text);
		return 1;
	}
	if (slash == s)
		out[n++] = cel_string("prefix part must be non-empty");
	else if (slash != NULL)
		n = check(run, FORMAT_dns1123Subdomain, s, (size_t)(slash - s),
		    "prefix part ", out);
	if (name == end)
		out[n++] = cel_string("name part must be non-empty");
	return n +
	    check(run, FORMAT_qualifiedName, name, (size_t)(end - name),
		"name part ", out + n);
}

static bool
is_date(struct run *run, const char *s, size_t len)
{
	struct cel_value out,
	    time = cel_text(run, "%.*sT00:00:00Z", (int)len, s);

	return len == 10 && time_read(time.text, time.len, &out);
}

/* The time ends at a second 'T', as in the reference. */
static bool
is_datetime(struct run *run, const char *s, size_t len)
{
	size_t date = strcspn(s, "Tt"), time;

	if (date >= len || !is_date(run, s, date))
		return false;
	time = strcspn(s + date + 1, "Tt");
	if (time > len - date - 1)
		time = len - date - 1;
	return matches(run, s + date + 1, time, formats[FORMAT_datetime].regex);
}

struct cel_value
format_validate(struct run *run, const struct cel_value *args, size_t nargs)
{
	enum format format = (enum format)args[0].integer;
	struct cel_value problems[3], list;
	const char *s = arena_strndup(run->arena, args[1].text, args[1].len);
	struct cel_value *items;
	size_t n = 0, len = args[1].len;
	bool is_prefix = format == FORMAT_dns1123LabelPrefix ||
	    format == FORMAT_dns1123SubdomainPrefix ||
	    format == FORMAT_dns1035LabelPrefix;

	if (is_prefix && len > 1 && s[len - 1] == '-')
		s = arena_printf(run->arena, "%.*sa", (int)(--len - 1), s);
	if (format == FORMAT_qualifiedName) {
		n = check_qualified_name(run, s, len, problems);
	} else if (format == FORMAT_uri) {
		if (!is_request_uri(run, s, len))
			problems[n++] =
			    cel_text(run, "parse %s: invalid URI for request",
				text_quote(run->arena, s, len));
	} else if (format == FORMAT_date || format == FORMAT_datetime) {
		if (format == FORMAT_date ? !is_date(run, s, len) :
					    !is_datetime(run, s, len))
			problems[n++] = cel_string(formats[format].rule);
	} else {
		n = check(run, format, s, len, "", problems);
	}
	if (n == 0 || (items = new_items(run, n)) == NULL)
		return cel_optional(run, NULL);
	memcpy(items, problems, n * sizeof(*items));
	list = list_of(items, n);
	return cel_optional(run, &list);
}
