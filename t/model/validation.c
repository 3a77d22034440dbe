/* Names: qualified names, label values, subdomains, resource names. */
#include "config.h"

#include "base/text.h"
#include "objects/validation.h"

#include <string.h>

#include "base/arena.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"
#include "t/model/messages.h"

#define S10 "abcdefghij"
#define S63 S10 S10 S10 S10 S10 S10 "abc"
#define S64 S63 "d"
#define S253 S63 "." S63 "." S63 "." S10 S10 S10 S10 S10 S10 "z"
#define S254 S253 "z"

#define NAME                                                                   \
	"name part must consist of alphanumeric characters, '-', '_' or '.', " \
	"and must start and end with an alphanumeric character (e.g. "         \
	"'MyName',  or 'my.name',  or '123-abc', regex used for validation "   \
	"is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define SUBDOMAIN                                                              \
	"a DNS-1123 subdomain must consist of lower case alphanumeric "        \
	"characters, '-' or '.', and must start and end with an alphanumeric " \
	"character (e.g. 'example.com', regex used for validation is "         \
	"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

struct row {
	const char *text;
	const char *want; /* joined with "; "; "" when it is valid */
};

static void
check(size_t validate(const char *, size_t, const char *[VALIDATION_MAX]),
    const struct row *rows, size_t nrows)
{
	for (size_t i = 0; i < nrows; i++) {
		const char *text = rows[i].text;
		const char *messages[VALIDATION_MAX];
		size_t n = validate(text, strlen(text), messages);
		char all[4096] = "";

		for (size_t j = 0; j < n; j++) {
			strcat(all, j > 0 ? "; " : "");
			strcat(all, messages[j]);
		}
		t_str(text, all, rows[i].want);
		t_int("count alone", validate(text, strlen(text), NULL), n);
	}
}

static void
qualified_names(void)
{
	static const struct row rows[] = {
		{ "a", "" },
		{ "A.b_c-9", "" },
		{ "x..y", "" },
		{ S63, "" },
		{ "example.com/MyName", "" },
		{ "0-0.9/Z", "" },
		{ S253 "/" S63, "" },
		{ "", "name part must be non-empty; " NAME },
		{ "-a", NAME },
		{ "a-", NAME },
		{ "a b", NAME },
		{ "\303\244", NAME },
		{ S64, "name part must be no more than 63 characters" },
		{ "/a", "prefix part must be non-empty" },
		{ "Example.com/a", "prefix part " SUBDOMAIN },
		{ "a..b/a", "prefix part " SUBDOMAIN },
		{ "a./a", "prefix part " SUBDOMAIN },
		{ "a.-b/a", "prefix part " SUBDOMAIN },
		{ "a-.b/a", "prefix part " SUBDOMAIN },
		{ "a_b/a", "prefix part " SUBDOMAIN },
		{ S254 "/a",
		    "prefix part must be no more than 253 characters" },
		{ "-/",
		    "prefix part " SUBDOMAIN
		    "; name part must be non-empty; " NAME },
		{ "/",
		    "prefix part must be non-empty; name part must be "
		    "non-empty; " NAME },
		{ "a/b/c",
		    "a qualified name must consist of alphanumeric characters, "
		    "'-', '_' or '.', and must start and end with an "
		    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
		    "'123-abc', regex used for validation is "
		    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an "
		    "optional DNS subdomain prefix and '/' (e.g. "
		    "'example.com/MyName')" },
	};

	check(validate_qualified_name, rows, LENGTH(rows));
}

static void
label_values(void)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "MyValue", "" },
		{ "1", "" },
		{ "a_b.c-d", "" },
		{ S63, "" },
		{ "-6", LABEL },
		{ "+5", LABEL },
		{ "a/b", LABEL },
		{ ".", LABEL },
		{ S64, "must be no more than 63 characters" },
		{ S64 "-", "must be no more than 63 characters; " LABEL },
	};

	check(validate_label_value, rows, LENGTH(rows));
}

static void
subdomains(void)
{
	static const struct row rows[] = {
		{ "a", "" },
		{ "a-b.c--d.0", "" },
		{ S253, "" },
		{ "", SUBDOMAIN },
		{ ".", SUBDOMAIN },
		{ ".a", SUBDOMAIN },
		{ "a.", SUBDOMAIN },
		{ "-a", SUBDOMAIN },
		{ "A", SUBDOMAIN },
		{ S254, "must be no more than 253 characters" },
	};

	check(validate_dns1123_subdomain, rows, LENGTH(rows));
}

static void
resource_names(void)
{
	/* clang-format off */
	static const struct {
		const char *name;
		bool native, extended, huge, attachable, scalar;
	} rows[] = {
		{ "cpu", 1, 0, 0, 0, 0 },
		{ "storage", 1, 0, 0, 0, 0 },
		{ "", 1, 0, 0, 0, 0 },
		{ "hugepages-2Mi", 1, 0, 1, 0, 1 },
		{ "attachable-volumes-aws-ebs", 1, 0, 0, 1, 1 },
		{ "nvidia.com/gpu", 0, 1, 0, 0, 1 },
		{ "kubernetes.io/batch-cpu", 1, 0, 0, 0, 1 },
		{ "x.kubernetes.io/a", 1, 0, 0, 0, 1 },
		{ "requests.nvidia.com/gpu", 0, 0, 0, 0, 0 },
		{ "Nvidia.com/gpu", 0, 0, 0, 0, 0 },
		{ "/gpu", 0, 0, 0, 0, 0 },
		{ "a/b/c", 0, 0, 0, 0, 0 },
		{ "a/-", 0, 0, 0, 0, 0 },
		{ "hugepages-a/b", 0, 1, 1, 0, 1 },
		{ "a." S63 "." S63 "." S63 "/b", 0, 1, 0, 0, 1 },
		{ S253 "/b", 0, 0, 0, 0, 0 },
		{ S254 S254 "/b", 0, 0, 0, 0, 0 },
	};
	/* clang-format on */

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;

		t_int(name, resource_is_native(name), rows[i].native);
		t_int(name, resource_is_extended(name), rows[i].extended);
		t_int(name, resource_is_huge_page(name), rows[i].huge);
		t_int(name, resource_is_attachable_volume(name),
		    rows[i].attachable);
		t_int(name, resource_is_scalar(name), rows[i].scalar);
	}
}

static void
quoting_escapes_what_does_not_print(void)
{
	static const struct row rows[] = {
		{ "", "\"\"" },
		{ "-6", "\"-6\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\t\n\r\a\b\f\v", "\"\\t\\n\\r\\a\\b\\f\\v\"" },
		{ "\x01\x7f", "\"\\x01\\x7f\"" },
		{ "\303\244\342\202\254\360\237\230\200",
		    "\"\303\244\342\202\254\360\237\230\200\"" },
		{ "\xff\xc3(\xe2\x82", "\"\\xff\\xc3(\\xe2\\x82\"" },
		{ "\xc0\x80\xed\xa0\x80", "\"\\xc0\\x80\\xed\\xa0\\x80\"" },
		{ "\302\205\302\240", "\"\\u0085\\u00a0\"" },
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].want,
		    text_quote(&arena, rows[i].text, strlen(rows[i].text)),
		    rows[i].want);
	t_str("NUL", text_quote(&arena, "\0", 1), "\"\\x00\"");
	arena_fini(&arena);
}

T_MAIN(T(qualified_names), T(label_values), T(subdomains), T(resource_names),
    T(quoting_escapes_what_does_not_print))
