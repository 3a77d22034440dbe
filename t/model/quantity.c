/*
 * Quantities; the expected numbers are those of resource.Quantity in
 * Kubernetes 1.15.
 */
#include "config.h"

#include "base/quantity.h"

#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

#define MAX INT64_MAX
#define MIN INT64_MIN
#define FORMAT                                                                 \
	"quantities must match the regular expression "                        \
	"'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

struct row {
	const char *text;
	int64_t value, milli;
};

static void
check(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct quantity q = QUANTITY_ZERO;
		struct err err = { "" };
		const char *text = rows[i].text;

		t_int(text, quantity_parse(text, strlen(text), &q, &err), 0);
		t_str(text, err.text, "");
		t_int(text, quantity_value(&q), rows[i].value);
		t_int(text, quantity_milli(&q), rows[i].milli);
	}
}

static void
every_suffix_has_its_power(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "1000000001n", 2, 1001 },
		{ "1000001u", 2, 1001 },
		{ "1001m", 2, 1001 },
		{ "1", 1, 1000 },
		{ "1k", 1000, 1000000 },
		{ "1M", 1000000, 1000000000 },
		{ "1G", 1000000000, 1000000000000 },
		{ "1T", 1000000000000, 1000000000000000 },
		{ "1P", 1000000000000000, 1000000000000000000 },
		{ "1E", 1000000000000000000, 0 },
		{ "1Ki", 1LL << 10, 1000LL << 10 },
		{ "1Mi", 1LL << 20, 1000LL << 20 },
		{ "1Gi", 1LL << 30, 1000LL << 30 },
		{ "1Ti", 1LL << 40, 1000LL << 40 },
		{ "1Pi", 1LL << 50, 1000LL << 50 },
		{ "1Ei", 1LL << 60, MIN }, /* 1000 * 2^60 modulo 2^64 */
		{ "1e3", 1000, 1000000 },
		{ "1E3", 1000, 1000000 },
		{ "1e+2", 100, 100000 },
		{ "4000e-3", 4, 4000 },
		{ "1E-3", 1, 1 },
		{ "128e6", 128000000, 128000000000 },
	};
	/* clang-format on */

	check(rows, LENGTH(rows));
}

static void
numbers_may_lack_either_part(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "5.", 5, 5000 },
		{ ".5", 1, 500 },
		{ "+4", 4, 4000 },
		{ "+.5Gi", 536870912, 536870912000 },
		{ "007", 7, 7000 },
		{ "2.0", 2, 2000 },
		{ "1.5Ki", 1536, 1536000 },
		{ "0.001Ti", 1099511628, 1099511627776 },
		{ "1.40e9", 1400000000, 1400000000000 },
		/* A text without any digit is 0, when it is short. */
		{ ".", 0, 0 },
		{ "-", 0, 0 },
		{ "m", 0, 0 },
		{ "Ki", 0, 0 },
		{ "0", 0, 0 },
		{ "-0.000Mi", 0, 0 },
		{ "0e99999", 0, 0 },
	};
	/* clang-format on */

	check(rows, LENGTH(rows));
}

static void
fractions_are_rounded_up(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "0.1", 1, 100 },
		{ "0.0001", 1, 1 },
		{ "1500u", 1, 2 },
		{ "999999n", 1, 1 },
		{ "1000001n", 1, 2 },
		{ "0.3333333333", 1, 334 },
		{ "1.0000000001", 2, 1001 },
		{ "0.000000000001", 1, 1 },
		{ "1e-999999999", 1, 1 },
		{ "0.9999999999999999999999", 1, 1000 },
		{ "0.0000000001Ki", 1, 1 },
	};
	/* clang-format on */

	check(rows, LENGTH(rows));
}

static void
negative_amounts_round_away_from_zero_when_short_and_up_when_long(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		{ "-1", -1, -1000 },
		{ "-1.5", -2, -1500 },
		{ "-1500u", -1, -2 },
		{ "-1.0000000001", 0, -999 },
		{ "-1.5Gi", -1610612736, -1610612736000 },
		{ "-9Ei", -MAX, 1000 },
	};
	/* clang-format on */

	check(rows, LENGTH(rows));
}

static void
what_overflows_wraps_or_vanishes_as_in_go(void)
{
	/* clang-format off */
	static const struct row rows[] = {
		/* Up to 18 digits: too big for the unit is 0, but … */
		{ "1e19", 0, 0 },
		{ "10E", 0, 0 },
		{ "9E", 9000000000000000000, 0 },
		{ "100T", 100000000000000, 100000000000000000 },
		{ "9P", 9000000000000000, 9000000000000000000 },
		{ "10P", 10000000000000000, 0 },
		{ "900P", 900000000000000000, 0 },
		{ "1e999999999", 0, 0 },
		{ "1e4294967297", 10, 10000 },
		/* … a step of 1, 2, 3, 6 or 9 places wraps around. */
		{ "99999999999999999k", 7766279631452240920,
		  200376420519689664 },
		{ "999999999999999999", 999999999999999999,
		  3875820019684211736 },
		/* More digits, or a binary suffix that is not short. */
		{ "9223372036854775807", MAX, -1000 },
		{ "9223372036854775808", MIN, 0 },
		{ "18446744073709551616", 0, 0 },
		{ "99999999999999999999999m", 7766279631452241920,
		  200376420520689663 },
		{ "7Ei", 8070450532247928832, MIN },
		/* Only binary suffixes stop at 2^63-1. */
		{ "8Ei", MAX, -1000 },
		{ "9223372036854775807Ki", MAX, -1000 },
		{ "0.0000000000000000000000000000001Ei", 1, 1 },
	};
	/* clang-format on */

	check(rows, LENGTH(rows));
}

static void
errors_are_those_of_go(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", FORMAT },
		{ " 1", FORMAT },
		{ "1 ", FORMAT },
		{ "1.2.3", FORMAT },
		{ "1-1-1", FORMAT },
		{ "1e1.5", FORMAT },
		{ "abc", FORMAT },
		{ "0x10", FORMAT },
		{ "1_000", FORMAT },
		{ "--1", "unable to parse quantity's suffix" },
		{ "1mi", "unable to parse quantity's suffix" },
		{ "1e", "unable to parse quantity's suffix" },
		{ "1K", "unable to parse quantity's suffix" },
		{ "1kk", "unable to parse quantity's suffix" },
		{ "1e+", "unable to parse quantity's suffix" },
		{ "1m3", "unable to parse quantity's suffix" },
		{ "1e9223372036854775808",
		    "unable to parse quantity's suffix" },
		{ "Ei", "unable to parse numeric part of quantity" },
		{ "+.Ei", "unable to parse numeric part of quantity" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct quantity q = { .value = 42 };
		struct err err = { "" };
		const char *text = rows[i].text;

		t_int(text, quantity_parse(text, strlen(text), &q, &err), -1);
		t_str(text, err.text, rows[i].want);
		t_int("untouched", q.value, 42);
	}
}

static void
a_megabyte_of_digits_is_a_number_too(void)
{
	size_t len = 1 << 20;
	AUTOFREE char *text = xmalloc(len);
	struct quantity q;

	memset(text, '9', len);
	t_int("digits", quantity_parse(text, len, &q, NULL), 0);
	t_int("10^n - 1 modulo 2^64", quantity_value(&q), -1);
	t_int("sign", quantity_sign(&q), 1);
	text[len - 2] = 'E';
	text[len - 1] = 'i';
	t_int("binary", quantity_parse(text, len, &q, NULL), 0);
	t_int("stops at the maximum", quantity_value(&q), MAX);
	memset(text, 'E', len);
	t_int("letters", quantity_parse(text, len, &q, NULL), -1);
}

static void
comparing_is_exact(void)
{
	/* In rising order; within a row all are equal. */
	static const char *const rows[][3] = {
		{ "-20E", "-20e18", "-20000000000000000000" },
		{ "-1Ki", "-1024", "-1024000m" },
		{ "-1n", "-0.1n", "-0.000000001" },
		{ "0", "-0", "0Ei" },
		{ "1n", "0.1n", "1e-9" },
		{ "1000000001n", "1.0000000001", "1.000000001" },
		{ "1Gi", "1024Mi", "1073741824" },
		{ "8Ei", "9Ei", "9223372036854775807" },
		{ "20E", "20e18", "20000000000000000000" },
		{ "1e36", "1000000000000000000E",
		    "1000000000000000000000000000000000000" },
		{ "1e38", "1e39", "1e999999999" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (size_t j = 0; j < LENGTH(rows); j++) {
			for (size_t k = 0; k < 9; k++) {
				const char *x = rows[i][k / 3];
				const char *y = rows[j][k % 3];
				struct quantity a, b;

				quantity_parse(x, strlen(x), &a, NULL);
				quantity_parse(y, strlen(y), &b, NULL);
				t_int(x, quantity_cmp(&a, &b),
				    (i > j) - (i < j));
			}
		}
	}
}

static void
documents_hold_strings_or_numbers(void)
{
	static const char text[] =
	    "{\"s\": \" 1500m\\n\", \"n\": 2.5, \"e\": 1e3, \"z\": null,\n"
	    " \"bad\": \"1Q\", \"b\": true, \"o\": {}}";
	struct err err = { "" };
	struct doc *doc =
	    doc_parse("q.json", text, strlen(text), &doc_limits_people, &err);
	const struct doc_node *root;
	struct quantity q;

	if (!t_true("parses", doc != NULL))
		return;
	root = doc_root(doc);
	quantity_from_doc(doc_member(root, "s"), &q, &err);
	t_int("white space around", quantity_milli(&q), 1500);
	quantity_from_doc(doc_member(root, "n"), &q, &err);
	t_int("a number", quantity_milli(&q), 2500);
	quantity_from_doc(doc_member(root, "e"), &q, &err);
	t_int("an exponent", quantity_value(&q), 1000);
	t_int("null", quantity_from_doc(doc_member(root, "z"), &q, &err), 0);
	t_int("is zero", quantity_sign(&q), 0);
	t_int("absent", quantity_from_doc(NULL, &q, &err), 0);
	t_int("bad", quantity_from_doc(doc_member(root, "bad"), &q, &err), -1);
	t_str("bad", err.text, "q.json:2:9: bad: " FORMAT);
	t_int("bool", quantity_from_doc(doc_member(root, "b"), &q, &err), -1);
	t_has("bool", err.text, "b: " FORMAT);
	t_int("object", quantity_from_doc(doc_member(root, "o"), &q, &err), -1);
	doc_free(doc);
}

static void
people_read_units(void)
{
	char buf[QUANTITY_TEXT];

	t_str("milli", quantity_write_cpu(buf, 1500), "1500m");
	t_str("whole", quantity_write_cpu(buf, 2000), "2");
	t_str("zero", quantity_write_cpu(buf, 0), "0");
	t_str("least", quantity_write_cpu(buf, MIN), "-9223372036854775808m");
	t_str("Mi", quantity_write_bytes(buf, 200 << 20), "200Mi");
	t_str("odd", quantity_write_bytes(buf, 1500), "1500");
	t_str("no bytes", quantity_write_bytes(buf, 0), "0");
	t_str("Ki", quantity_write_bytes(buf, 1536), "1536");
	t_str("Ki", quantity_write_bytes(buf, 1536 << 10), "1536Ki");
	t_str("least", quantity_write_bytes(buf, MIN), "-8Ei");
}

static void
people_read_three_digits(void)
{
	char buf[QUANTITY_TEXT];
	int64_t ki = 1024;

	t_str("Gi", quantity_write_about(buf, 127515552 * ki, false), "122Gi");
	t_str("at most", quantity_write_about(buf, 127515552 * ki, true),
	    "121Gi");
	t_str("tenths", quantity_write_about(buf, 6710887 * ki, false),
	    "6.4Gi");
	t_str("exact", quantity_write_about(buf, 200 << 20, true), "200Mi");
	t_str("few", quantity_write_about(buf, 1000, false), "1000");
	t_str("most", quantity_write_about(buf, INT64_MAX, false), "8Ei");
	t_str("least", quantity_write_about(buf, MIN, false), "-8Ei");
}

T_MAIN(T(every_suffix_has_its_power), T(numbers_may_lack_either_part),
    T(fractions_are_rounded_up),
    T(negative_amounts_round_away_from_zero_when_short_and_up_when_long),
    T(what_overflows_wraps_or_vanishes_as_in_go), T(errors_are_those_of_go),
    T(a_megabyte_of_digits_is_a_number_too), T(comparing_is_exact),
    T(documents_hold_strings_or_numbers), T(people_read_units),
    T(people_read_three_digits))
